//! The states of a process as nodes, each listed when somebody asks for its steps.

use self_cell::self_cell;

use base::cancel::Phase;
use base::diag::Result as Diagnosed;
use base::index::TypedIndex;
use base::order::ascending;
use eval::Evaluator;
use lts::graph::{Lts, StateId};
use lts::on_demand::StatesOnDemand;
use machine::text::present_in_full;
use machine::{ProcessView, compile_slim};
use process::event::{TAU, TICK};
use process::term::Definitions;
use report::assertion::{AssertionReport, Counterexample};
use report::graph::GraphTransition;
use report::node::{NodeReport, NodeStep};

use super::asking::placed;
use super::error::Error;
use super::graph::hidden;
use super::options::Options;
use super::script::Script;
use super::task::Task;
use super::walk_start::{WalkStart, WalkedPart, run_of};
use super::walk_symmetry::fault;
use super::walker::WalkSubject;

/// The states of a process, numbered in the order in which they are met. It belongs to one thread,
/// and keeps its memory until it is dropped.
pub struct ProcessNodes {
    cell: NodesCell,
    process: String,
    path: Vec<NodeStep>,
}

/// The process whose nodes are asked for: with the order of questions it decides on their numbers.
struct NodesOf {
    scope: Script,
    part: WalkedPart,
    /// The counterexample whose run is met first.
    found: Option<Counterexample>,
    options: Options,
}

/// The nodes that were met, and the evaluator whose terms they are.
struct MetNodes<'s> {
    of: &'s NodesOf,
    /// `None` before the first question, and after one whose work was cut short: such work leaves
    /// half-finished values behind.
    met: Option<(Evaluator<'s>, StatesOnDemand)>,
    /// The nodes whose steps were asked for, in their order, by which the numbers can be found
    /// anew.
    listed: Vec<StateId>,
}

self_cell!(
    struct NodesCell {
        owner: NodesOf,
        #[not_covariant]
        dependent: MetNodes,
    }
);

impl Script {
    /// The states of `subject`. If `report` is that of an assertion which is the subject, the run
    /// of its counterexample is met first.
    pub fn nodes(
        &self,
        subject: WalkSubject<'_>,
        report: Option<&AssertionReport>,
        options: &Options,
        task: &Task,
    ) -> Result<ProcessNodes, Error> {
        let for_all = report.and_then(|report| report.for_all.as_ref());
        let instance = for_all.and_then(|for_all| for_all.instance.clone());
        let mut scope = self.scope();
        let prepared = scope.prepared(subject, instance.as_deref(), options);
        let (part, _) = prepared.map_err(|problem| scope.error(*problem))?;
        let of = NodesOf {
            scope,
            part,
            found: report.and_then(|report| report.counterexample.clone()),
            options: options.clone(),
        };
        let mut cell = NodesCell::new(of, |of| MetNodes {
            of,
            met: None,
            listed: Vec::new(),
        });
        let (process, path) = cell.with_dependent_mut(|of, met| {
            let started = met.started(task);
            started.map_err(|problem| of.scope.error(*problem))
        })?;
        Ok(ProcessNodes {
            cell,
            process,
            path,
        })
    }
}

impl ProcessNodes {
    /// The process as CSPm.
    pub fn process(&self) -> &str {
        &self.process
    }

    /// The run of the counterexample that was given, with what is wrong if that is a step; empty if
    /// none was given.
    pub fn path(&self) -> &[NodeStep] {
        &self.path
    }

    /// The node with this number, with its steps; `None` if no such node was met. If the work is
    /// cut short, the numbers stay as they are.
    pub fn node(&mut self, node: usize, task: &Task) -> Result<Option<NodeReport>, Error> {
        self.cell.with_dependent_mut(|of, met| {
            let report = met.report(node, task);
            report.map_err(|problem| of.scope.error(*problem))
        })
    }

    /// The visible events that the process may do, ascending as the program meets them. Found from
    /// the rules of its machine, without a search, so that there may be some that it never does.
    pub fn events(&self, task: &Task) -> Result<Vec<String>, Error> {
        let NodesOf {
            scope,
            part,
            options,
            ..
        } = self.cell.borrow_owner();
        let mut evaluator = scope.evaluator(options, task);
        let start = WalkStart::of(scope, &mut evaluator, *part, options);
        let compiled = start.and_then(|start| {
            let options = options.compile_options();
            compile_slim(
                &mut evaluator,
                start.process,
                ProcessView::Failures,
                &options,
            )
        });
        let (_, machine) = compiled.map_err(|problem| {
            let place = scope.span(part.id);
            scope.error(placed(task.explained(*problem), place))
        })?;
        let results = machine.rules.iter().map(|rule| rule.result);
        let visible = results.filter(|&event| event != TAU && event != TICK);
        Ok(evaluator.terms().events.names(&ascending(visible)))
    }
}

impl<'s> MetNodes<'s> {
    /// Meets the first nodes: the initial one, and those of the run. Returns the text of the
    /// process, and the run.
    fn started(&mut self, task: &Task) -> Diagnosed<(String, Vec<NodeStep>)> {
        let of = self.of;
        self.explained(task, |met| {
            let mut evaluator = of.scope.evaluator(&of.options, task);
            let start = WalkStart::of(&of.scope, &mut evaluator, of.part, &of.options)?;
            let mut states = StatesOnDemand::of(&mut evaluator, start.process)?;
            let path = match &of.found {
                Some(found) => path(&mut evaluator, &mut states, &start, found)?,
                None => Vec::new(),
            };
            evaluator.enter(Phase::Listing, &start.text);
            for &state in &met.listed[states.listed().len().min(met.listed.len())..] {
                report(&mut evaluator, &mut states, state)?;
            }
            met.keep(evaluator, states);
            Ok((start.text, path))
        })
    }

    fn report(&mut self, node: usize, task: &Task) -> Diagnosed<Option<NodeReport>> {
        if self.met.is_none() {
            self.started(task)?;
        }
        let of = self.of;
        self.explained(task, |met| {
            let Some((evaluator, mut states)) = met.met.take() else {
                return fault("nodes were kept, and are gone").into();
            };
            let before = Some(evaluator);
            let mut evaluator = of.scope.evaluator_after(before, &of.options, task);
            let is_met = node < states.count();
            let found = is_met.then(|| {
                let state = StateId::from_usize(node);
                report(&mut evaluator, &mut states, state)
            });
            let found = found.transpose()?;
            met.keep(evaluator, states);
            Ok(found)
        })
    }

    /// Keeps the nodes for the next question.
    fn keep(&mut self, evaluator: Evaluator<'s>, states: StatesOnDemand) {
        let known = self.listed.len();
        self.listed.extend(states.listed().iter().skip(known));
        self.met = Some((evaluator, states));
    }

    /// Does `work`, with the place of the process in its error.
    fn explained<T>(
        &mut self,
        task: &Task,
        work: impl FnOnce(&mut Self) -> Diagnosed<T>,
    ) -> Diagnosed<T> {
        let place = self.of.scope.span(self.of.part.id);
        work(self).map_err(|problem| Box::new(placed(task.explained(*problem), place)))
    }
}

/// The nodes along the run of the counterexample that was `found`.
fn path(
    evaluator: &mut Evaluator<'_>,
    states: &mut StatesOnDemand,
    start: &WalkStart,
    found: &Counterexample,
) -> Diagnosed<Vec<NodeStep>> {
    let run = run_of(evaluator, start.process, found)?;
    let mut path: Vec<NodeStep> = Vec::with_capacity(run.len());
    let mut at = Lts::INITIAL;
    for step in run {
        states.row(evaluator, at)?;
        let Some(next) = states.state_of(evaluator, step.target)? else {
            return fault("a step of the run is none of its state").into();
        };
        at = next;
        path.push(NodeStep {
            label: evaluator.terms().events.name(step.label).to_string(),
            to: at.index(),
        });
    }
    Ok(path)
}

/// The report on `state`, which was met.
fn report(
    evaluator: &mut Evaluator<'_>,
    states: &mut StatesOnDemand,
    state: StateId,
) -> Diagnosed<NodeReport> {
    let term = present_in_full(evaluator, states.term(state))?;
    let row = states.row(evaluator, state)?;
    let events = &evaluator.terms().events;
    let transitions = row.iter().map(|step| GraphTransition {
        from: state.index(),
        label: events.name(step.label).to_string(),
        hidden: hidden(step.label, &step.origins, events),
        to: step.target.index(),
    });
    Ok(NodeReport {
        node: state.index(),
        term,
        transitions: transitions.collect(),
    })
}
