//! The graph of a process expression: its transition system as plain data, with terms and hidden
//! events.

use std::collections::VecDeque;

use base::cancel::Phase;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::number::plain;
use eval::Evaluator;
use lts::bisimulation::minimise;
use lts::compress::compress;
use lts::graph::{Lts, StateId};
use lts::reach::{ReachBounds, ReachedStates, reach};
use machine::text::{expression, present_in_full};
use process::compression::Compression;
use process::event::{EventId, EventTable, TAU};
use process::term::Definitions as _;
use report::graph::{GraphState, GraphTransition, StateGraph};
use syntax::ast::ExprId;
use syntax::print::expression_text;

use super::error::Error;
use super::options::Options;
use super::script::Script;
use super::task::Task;

/// The part of a process's transition system that is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphOptions {
    /// At most this many states are given back, the nearest to the initial one; `None`: all.
    pub most_states: Option<usize>,
    /// No state is given back that is farther than this many steps from the initial one; `None`:
    /// any. A compressed process is compressed as a whole, and then cut.
    pub depth: Option<usize>,
    /// The compression that is applied to the whole transition system; it must keep the meaning of
    /// every process.
    pub compression: Option<Compression>,
    /// True if the terms of states are wanted. They can take more memory than all else.
    pub terms: bool,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            most_states: None,
            depth: None,
            compression: None,
            terms: true,
        }
    }
}

/// The largest number of states to which a process is followed, unless options say otherwise.
const MOST_STATES: usize = 1_000_000;

impl Script {
    /// The graph of `process`: its transition system with the term of each state and what was
    /// hidden, or the part of it that `wanted` and the options allow, its frontier marked.
    pub fn graph(
        &self,
        process: &str,
        wanted: &GraphOptions,
        options: &Options,
        task: &Task,
    ) -> std::result::Result<StateGraph, Error> {
        self.ask_of(process, options, task, |scope, evaluator, process| {
            let drawn = drawn(evaluator, process, wanted, options)?;
            let text = expression_text(&scope.script.ast, process);
            Ok(StateGraph {
                compression: wanted.compression.map(|made| made.name().to_string()),
                ..drawn.named(scope, text)
            })
        })
    }
}

/// The part of the graph of `process` that is wanted.
fn drawn(
    evaluator: &mut Evaluator<'_>,
    process: ExprId,
    wanted: &GraphOptions,
    options: &Options,
) -> Result<Drawn> {
    let term = evaluator.process_with_tau_priority(process, None)?;
    let name = expression(evaluator, term);
    evaluator.enter(Phase::Listing, &name);
    let states = options.max_states.map(|most| most.try_into());
    let states = states.map_or(MOST_STATES, |most| most.unwrap_or(usize::MAX));
    let cut = ReachBounds {
        states: wanted.most_states.map_or(states, |most| most.min(states)),
        is_whole: wanted.most_states.is_none() && wanted.depth.is_none(),
        depth: wanted.depth,
    };
    match wanted.compression {
        None => {
            let reached = reach(evaluator, term, cut)?;
            // The whole graph was asked for, so that a part of it is no answer.
            if cut.is_whole && options.max_states.is_none() && !reached.is_complete() {
                return too_large(states).into();
            }
            plain_graph(evaluator, &reached, wanted.terms)
        }
        Some(compression) => {
            let whole = ReachBounds {
                states,
                is_whole: true,
                depth: None,
            };
            let reached = reach(evaluator, term, whole)?;
            if !reached.is_complete() {
                return too_large(states).into();
            }
            evaluator.enter(Phase::Compression, &name);
            let made = Compressed::of(evaluator, &reached, compression, states)?;
            made.graph(evaluator, &reached, cut, wanted.terms)
        }
    }
}

/// The parts of a graph.
pub(super) struct Drawn {
    pub(super) states: Vec<GraphState>,
    pub(super) transitions: Vec<GraphTransition>,
}

impl Drawn {
    /// The graph of these parts, which belong to what `expression` names in `scope`.
    pub(super) fn named(self, scope: &Script, expression: String) -> StateGraph {
        StateGraph {
            file: scope.name().to_string(),
            expression,
            compression: None,
            complete: self.states.iter().all(|state| state.omitted == 0),
            states: self.states,
            transitions: self.transitions,
            orbits: None,
        }
    }
}

/// The graph of all states that were reached.
fn plain_graph(
    evaluator: &mut Evaluator<'_>,
    reached: &ReachedStates,
    terms: bool,
) -> Result<Drawn> {
    let mut states = Vec::with_capacity(reached.terms.len());
    for (&term, &omitted) in reached.terms.iter().zip(reached.omitted.iter()) {
        states.push(GraphState {
            term: match terms {
                true => Some(present_in_full(evaluator, term)?),
                false => None,
            },
            omitted: omitted as u64,
            ..GraphState::default()
        });
    }
    let events = &evaluator.terms().events;
    let rows = reached.rows.iter().enumerate();
    let transitions = rows.flat_map(|(from, row)| {
        row.iter().map(move |step| GraphTransition {
            from,
            label: events.name(step.label).to_string(),
            hidden: hidden(step.label, &step.origins, events),
            to: step.target.index(),
        })
    });
    Ok(Drawn {
        states,
        transitions: transitions.collect(),
    })
}

/// The events that a step may have been before it was hidden; none if its label is not τ.
pub(super) fn hidden(label: EventId, origins: &[EventId], events: &EventTable) -> Vec<String> {
    if label != TAU {
        return Vec::new();
    }
    let origins = origins.iter().filter(|&&origin| origin != TAU);
    events.names(origins)
}

/// The system that a compression has made.
struct Compressed {
    lts: Lts,
    /// By state, a state of the process that it stands for; `None` if such states are not known.
    members: Option<Vec<StateId>>,
}

impl Compressed {
    fn of(
        evaluator: &Evaluator<'_>,
        reached: &ReachedStates,
        compression: Compression,
        limit: usize,
    ) -> Result<Self> {
        let (lts, token) = (reached.lts(), evaluator.cancellation());
        if matches!(compression, Compression::Explicate | Compression::Sbisim) {
            let quotient = minimise(&lts, token)?;
            let mut members = vec![None; quotient.lts.state_count()];
            for (state, class) in lts.states().zip(quotient.class_of.iter()) {
                members[class.index()].get_or_insert(state);
            }
            return Ok(Self {
                lts: quotient.lts,
                members: Some(members.into_iter().flatten().collect()),
            });
        }
        match compress(compression, &lts, limit, token)? {
            Some(lts) => Ok(Self { lts, members: None }),
            None => too_large(limit).into(),
        }
    }

    /// The part of the compressed system within the bounds `cut`.
    fn graph(
        &self,
        evaluator: &mut Evaluator<'_>,
        reached: &ReachedStates,
        cut: ReachBounds,
        terms: bool,
    ) -> Result<Drawn> {
        let members = self.members.as_ref().filter(|_| terms);
        let mut term = |evaluator: &mut Evaluator<'_>, state: StateId| {
            let term = members.map(|members| reached.terms[members[state.index()].index()]);
            let term = term.map(|term| present_in_full(evaluator, term));
            term.transpose()
        };
        part_of(evaluator, &self.lts, cut, &mut term, &|_, _| &[])
    }
}

/// A function that gives the text of a state, if that is known.
type TextOfState<'t> = dyn FnMut(&mut Evaluator<'_>, StateId) -> Result<Option<String>> + 't;

/// The part of `lts` within the bounds `cut`, its states numbered breadth first, each with `term`.
/// A τ from one state to another may have been any event that `hidden` gives for the two.
pub(super) fn part_of<'h>(
    evaluator: &mut Evaluator<'_>,
    lts: &Lts,
    cut: ReachBounds,
    term: &mut TextOfState<'_>,
    hidden: &dyn Fn(StateId, StateId) -> &'h [EventId],
) -> Result<Drawn> {
    let (mut states, mut transitions) = (Vec::new(), Vec::new());
    let mut number: Vec<Option<usize>> = vec![None; lts.state_count()];
    let mut open = VecDeque::from([(Lts::INITIAL, 0)]);
    let mut met = 1;
    number[Lts::INITIAL.index()] = Some(0);
    while let Some((state, depth)) = open.pop_front() {
        let from = states.len();
        let mut omitted = 0;
        for &(label, target) in lts.row(state) {
            let known = &mut number[target.index()];
            let may = met < cut.states && cut.depth.is_none_or(|most| depth < most);
            if known.is_none() && may {
                *known = Some(met);
                met += 1;
                open.push_back((target, depth + 1));
            }
            let Some(to) = *known else {
                omitted += 1;
                continue;
            };
            let events = &evaluator.terms().events;
            transitions.push(GraphTransition {
                from,
                label: events.name(label).to_string(),
                hidden: match label {
                    TAU => events.names(hidden(state, target)),
                    _ => Vec::new(),
                },
                to,
            });
        }
        states.push(GraphState {
            term: term(evaluator, state)?,
            omitted,
            ..GraphState::default()
        });
    }
    Ok(Drawn {
        states,
        transitions,
    })
}

/// The message for a process of which more than `limit` states would have to be listed.
fn too_large(limit: usize) -> Diagnostic {
    let message = format!("the graph has more than {}", plain(limit, "state"));
    Diagnostic::undecided("large-graph", message)
        .note("it may grow for ever")
        .hint("ask for a part with --max-nodes or --depth, or allow more with --max-states")
}
