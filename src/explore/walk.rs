//! A walk: the steps taken from a process, and all that can be seen of the state that they lead to.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use base::diag::Result;
use base::natural::natural_order;
use base::source::Span;
use base::stack::deep;
use machine::text::{present, present_in_full};
use process::event::{EventId, EventTable, TAU, TICK};
use process::operator::Operator;
use process::semantics::Step;
use process::semantics::focus::Focused;
use process::term::{Definitions, Term, TermId};
use witness::WitnessStep;
use witness::components::derive::{ChasedStep, Follower, OperatorStep, Participation};
use witness::components::tree::{Cast, CastMark, CastOperator, RunningKind, RunningNode};
use witness::components::waits::Waits;
use witness::replay::{not_reproduced, witness_step};

use super::rest::Rests;

/// The steps taken from a process. The nodes of the states share their unchanged parts, so that all
/// of them can be kept for going back.
pub struct ProcessWalk {
    cast: Cast,
    semantics: Focused,
    /// The state at the start, and after each step.
    visited: Vec<Visited>,
}

struct Visited {
    node: Arc<RunningNode>,
    /// The number of components that had started by then.
    cast: CastMark,
    /// The step that led to this state; `None` for the start.
    step: Option<TakenStep>,
    /// The τ that each `chase` has followed since, before its next step.
    chased: Vec<ChasedStep>,
}

/// The state after a step, and what was noted on the way.
struct FollowedStep {
    node: Arc<RunningNode>,
    parts: Vec<Participation>,
    operators: Vec<OperatorStep>,
    chased: Vec<ChasedStep>,
}

/// A step that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenStep {
    /// The label that the environment sees, and the event behind it.
    pub step: WitnessStep,
    /// The number of choices before it that look alike: the same event, or τ with the same event
    /// behind it.
    pub alike_before: usize,
    /// The components that took part, from left to right.
    pub parts: Vec<StepPart>,
    /// The operators that took part, each before those below it.
    pub operators: Vec<OperatorStep>,
}

/// The part of a component in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepPart {
    /// The number of the component.
    pub component: usize,
    /// Its text as it started.
    pub name: String,
    /// The step that it does itself.
    pub step: WitnessStep,
    /// Its text afterwards; `None` if it no longer runs, and of steps on a path.
    pub becomes: Option<String>,
}

/// A step that can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkChoice {
    /// The transition.
    step: Step,
    /// The step as it will be noted once it is taken.
    pub taken: TakenStep,
}

impl WalkChoice {
    /// The term of the process after the step.
    pub fn target(&self) -> TermId {
        self.step.target
    }
}

/// A component in the present state of a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentNow {
    /// Its text as it started.
    pub name: String,
    /// The compressions in which it stands, the outermost first.
    pub within: Vec<String>,
    /// The number of the innermost operator around it.
    pub operator: Option<usize>,
    /// Its present state; `None` if it no longer runs.
    pub running: Option<RunningNow>,
}

/// The present state of a component that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningNow {
    /// Its text in its present values.
    pub text: String,
    /// The events that it can do next by itself, τ among them, ascending.
    pub offers: Vec<EventId>,
    /// The text of the script that it came from, if there is one.
    pub span: Option<Span>,
}

/// Components that wait for each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WaitingComponents {
    /// A component, its own event, and the components that keep it from doing that; ascending.
    pub waits: Vec<(usize, EventId, Vec<usize>)>,
    /// A shortest circle of components, each of which waits for the next.
    pub circle: Vec<(usize, EventId)>,
}

impl ProcessWalk {
    /// A walk that has not left `process`. A part that unfolds more calls than `limit` is one
    /// component.
    pub fn start(definitions: &mut dyn Definitions, process: TermId, limit: usize) -> Result<Self> {
        let mut cast = Cast::default();
        let node = cast.play(definitions, process, limit)?;
        let mut semantics = Focused::new();
        let mut follower = Follower::new(definitions, &mut cast, &mut semantics);
        let node = follower.settle(&node)?;
        let chased = follower.take_chased();
        let start = Visited {
            node,
            cast: cast.mark(),
            step: None,
            chased,
        };
        Ok(Self {
            cast,
            semantics,
            visited: vec![start],
        })
    }

    /// The steps taken so far.
    pub fn taken(&self) -> impl DoubleEndedIterator<Item = &TakenStep> + Clone {
        self.visited
            .iter()
            .filter_map(|visited| visited.step.as_ref())
    }

    /// At the start and after each step, the τ that each `chase` has followed there: the components
    /// are seen where it goes on from.
    pub fn chased(&self) -> impl Iterator<Item = &[ChasedStep]> {
        self.visited.iter().map(|visited| &visited.chased[..])
    }

    /// The operators that have started by now, in the order in which they started.
    pub fn operators(&self) -> &[CastOperator] {
        self.cast.operators()
    }

    /// The number of steps taken.
    pub fn len(&self) -> usize {
        self.visited.len() - 1
    }

    /// True if the walk is still at the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The visible events of the walk, ✓ included.
    pub fn trace(&self) -> Vec<EventId> {
        let labels = self.taken().map(|taken| taken.step.label);
        labels.filter(|&label| label != TAU).collect()
    }

    /// The present term of the process.
    pub fn term(&self) -> TermId {
        self.node().term
    }

    pub(super) fn node(&self) -> &RunningNode {
        &self.visited[self.visited.len() - 1].node
    }

    /// Forgets all but the first `steps` steps.
    pub fn truncate(&mut self, steps: usize) {
        self.visited.truncate(steps + 1);
        let last = &self.visited[self.visited.len() - 1];
        self.cast.forget_since(last.cast);
    }

    /// The transitions of the present term.
    pub(super) fn steps(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<Step>> {
        let term = self.term();
        self.semantics.whole.steps(definitions, term)
    }

    /// All steps that can be taken: events first, then ✓, then internal steps. The order within
    /// these is that of texts, so that it does not depend on terms that were met before.
    pub fn choices(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<WalkChoice>> {
        self.choices_among(definitions, &|_, _| true)
    }

    /// The choices whose steps are `wanted`, as they are among all choices. Of steps that look
    /// alike either all have to be wanted or none, because their numbers count the others.
    pub fn choices_among(
        &mut self,
        definitions: &mut dyn Definitions,
        wanted: &dyn Fn(&EventTable, WitnessStep) -> bool,
    ) -> Result<Vec<WalkChoice>> {
        let mut steps = self.steps(definitions)?;
        let events = &definitions.terms().events;
        steps.retain(|step| wanted(events, witness_step(step)));
        let mut choices = Vec::new();
        for step in steps {
            definitions.cancellation().step()?;
            choices.push(self.foreseen(definitions, step)?);
        }
        self.sort(definitions, &mut choices)?;
        // Choices that look alike are next to each other now.
        let mut before: Option<(WitnessStep, usize)> = None;
        for choice in &mut choices {
            let taken = &mut choice.taken;
            taken.alike_before = match before {
                Some((step, number)) if look_alike(step, taken.step) => number + 1,
                _ => 0,
            };
            before = Some((taken.step, taken.alike_before));
        }
        Ok(choices)
    }

    /// Takes `choice`, which is one of [`Self::choices`].
    pub fn take(&mut self, definitions: &mut dyn Definitions, choice: &WalkChoice) -> Result<()> {
        let FollowedStep { node, chased, .. } = self.follow(definitions, choice.step)?;
        self.visited.push(Visited {
            node,
            cast: self.cast.mark(),
            step: Some(choice.taken.clone()),
            chased,
        });
        Ok(())
    }

    /// Takes the only step that is `wanted`. Returns false, and takes none, if there is another
    /// number of them. On a long path this costs half as much as [`Self::choices_among`].
    pub fn take_only(
        &mut self,
        definitions: &mut dyn Definitions,
        wanted: &dyn Fn(&EventTable, WitnessStep) -> bool,
    ) -> Result<bool> {
        let mut steps = self.steps(definitions)?;
        let events = &definitions.terms().events;
        steps.retain(|step| wanted(events, witness_step(step)));
        let [step] = steps[..] else {
            return Ok(false);
        };
        let followed = self.follow(definitions, step)?;
        let taken = TakenStep {
            step: witness_step(&step),
            alike_before: 0,
            parts: self.parts(definitions, &followed, false)?,
            operators: followed.operators,
        };
        self.visited.push(Visited {
            node: followed.node,
            cast: self.cast.mark(),
            step: Some(taken),
            chased: followed.chased,
        });
        Ok(true)
    }

    /// Takes a step with the label of `wanted` to a term that `is_wanted`. Of several it takes one
    /// with the same origin, if there is one. Returns true if a step was taken.
    pub fn take_to(
        &mut self,
        definitions: &mut dyn Definitions,
        wanted: WitnessStep,
        is_wanted: &mut dyn FnMut(&mut dyn Definitions, TermId) -> Result<bool>,
    ) -> Result<bool> {
        let mut choices = self.choices(definitions)?;
        choices.retain(|choice| choice.taken.step.label == wanted.label);
        // The sort is stable: the order of texts decides among equals.
        choices.sort_by_key(|choice| choice.taken.step.origin != wanted.origin);
        for choice in &choices {
            if is_wanted(definitions, choice.step.target)? {
                self.take(definitions, choice)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The terms at the start and after each step.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = TermId> + Clone {
        self.visited.iter().map(|visited| visited.node.term)
    }

    /// Goes on from `term`, which has the operators of the present term, over the same components.
    /// Returns true if that could be done. It cannot where a component has terminated, which is
    /// gone.
    pub fn go_on_from(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<bool> {
        let node = self.replaced(definitions, self.node_shared(), term)?;
        let last = self.visited.len() - 1;
        Ok(match node {
            Some(node) => {
                self.visited[last].node = node;
                true
            }
            None => false,
        })
    }

    fn replaced(
        &mut self,
        definitions: &mut dyn Definitions,
        node: Arc<RunningNode>,
        term: TermId,
    ) -> Result<Option<Arc<RunningNode>>> {
        let RunningKind::Operator(operator, _, operands) = &node.kind else {
            let is_gone = matches!(node.kind, RunningKind::Done) && node.term != term;
            return Ok((!is_gone).then(|| node.changed(term, Vec::new())));
        };
        let head = self.semantics.whole.head(definitions, term)?;
        let now = definitions.terms().get(head);
        let is_compressed = matches!(now, Term::Over(Operator::Compress(_), _));
        // The first step leaves a compression behind, so that the term does not have it.
        if matches!(operator, Operator::Compress(_)) && !is_compressed {
            let operand = Arc::clone(&operands[0]);
            return deep(|| self.replaced(definitions, operand, term));
        }
        let inside = now.operands();
        if inside.len() != operands.len() {
            return Ok(None);
        }
        let mut changes = Vec::with_capacity(operands.len());
        for (position, (operand, term)) in operands.iter().zip(inside).enumerate() {
            let operand = Arc::clone(operand);
            match deep(|| self.replaced(definitions, operand, term))? {
                Some(after) => changes.push((position, after)),
                None => return Ok(None),
            }
        }
        Ok(Some(node.changed(term, changes)))
    }

    fn node_shared(&self) -> Arc<RunningNode> {
        Arc::clone(&self.visited[self.visited.len() - 1].node)
    }

    /// Takes the steps of `run`, which are transitions that follow each other from here.
    pub fn take_run(&mut self, definitions: &mut dyn Definitions, run: &[Step]) -> Result<()> {
        for step in run {
            let choices = self.choices(definitions)?;
            let choice = choices.iter().find(|choice| choice.step == *step);
            match choice {
                Some(choice) => self.take(definitions, choice)?,
                None => return not_reproduced("a step of it cannot be taken").into(),
            }
        }
        Ok(())
    }

    /// All components that have started by now, from left to right. Those that started later stand
    /// behind the others.
    pub fn components(&self, definitions: &mut dyn Definitions) -> Result<Vec<ComponentNow>> {
        let component = |id| ComponentNow {
            name: self.cast.name(id).to_string(),
            within: self.cast.within(id),
            operator: self.cast.operator_around(id),
            running: None,
        };
        let mut all: Vec<ComponentNow> = (0..self.cast.count()).map(component).collect();
        let mut semantics = Focused::new();
        for (id, term) in self.node().running() {
            let steps = semantics.whole.steps(definitions, term)?;
            let mut offers: Vec<EventId> = steps.iter().map(|step| step.label).collect();
            offers.dedup();
            all[id].running = Some(RunningNow {
                text: present(definitions, term)?,
                offers,
                span: span_of(definitions, term),
            });
        }
        Ok(all)
    }

    /// The sets with which the process comes to rest.
    pub fn rests(&mut self, definitions: &mut dyn Definitions) -> Result<Rests> {
        let steps = self.steps(definitions)?;
        if steps.iter().all(|step| step.label != TAU) {
            let mut offers: Vec<EventId> = steps.iter().map(|step| step.label).collect();
            offers.sort_unstable();
            offers.dedup();
            return Ok(Rests {
                is_stable: true,
                acceptances: Some(vec![offers]),
                diverges: Some(false),
            });
        }
        let compressed = self.recompressed(definitions)?;
        Rests::unstable(definitions, self.term(), compressed)
    }

    /// The present term, with the compressions that the process was written with.
    pub(super) fn recompressed(&self, definitions: &mut dyn Definitions) -> Result<TermId> {
        self.cast.recompressed(definitions, self.node())
    }

    /// The components that wait, and those that they wait for.
    pub fn waiting(&self, definitions: &mut dyn Definitions) -> Result<WaitingComponents> {
        let waits = Waits::at(definitions, self.node())?;
        Ok(WaitingComponents {
            circle: waits.cycle(),
            waits: waits.found,
        })
    }

    // ---- Looking ahead

    /// The state after `step`, and the components that take part. Components that start by it count
    /// as started.
    fn follow(&mut self, definitions: &mut dyn Definitions, step: Step) -> Result<FollowedStep> {
        let node = self.node_shared();
        let mut follower = Follower::new(definitions, &mut self.cast, &mut self.semantics);
        let mut node = follower.follow(&node, step)?;
        let (parts, operators) = (follower.take_participations(), follower.take_operators());
        if follower.chooses() {
            node = follower.settle(&node)?;
        }
        let chased = follower.take_chased();
        Ok(FollowedStep {
            node,
            parts,
            operators,
            chased,
        })
    }

    /// `step` as a choice. It is not taken.
    fn foreseen(&mut self, definitions: &mut dyn Definitions, step: Step) -> Result<WalkChoice> {
        let followed = self.follow(definitions, step)?;
        let parts = self.parts(definitions, &followed, true)?;
        let last = &self.visited[self.visited.len() - 1];
        self.cast.forget_since(last.cast);
        let taken = TakenStep {
            step: witness_step(&step),
            alike_before: 0,
            parts,
            operators: followed.operators,
        };
        Ok(WalkChoice { step, taken })
    }

    /// The parts of the components in a step, with what each becomes if that is wanted.
    fn parts(
        &self,
        definitions: &mut dyn Definitions,
        followed: &FollowedStep,
        becomes: bool,
    ) -> Result<Vec<StepPart>> {
        let running: FxHashMap<usize, TermId> = match becomes {
            true => followed.node.running().into_iter().collect(),
            false => FxHashMap::default(),
        };
        let parts = followed
            .parts
            .iter()
            .map(|&Participation { component, step }| {
                let then = running.get(&component);
                let then = then.map(|&term| present(definitions, term));
                Ok(StepPart {
                    component,
                    name: self.cast.name(component).to_string(),
                    step,
                    becomes: then.transpose()?,
                })
            });
        parts.collect()
    }

    /// Sorts `choices` by text: by the label, by the event behind it, by the components that take
    /// part, and by the term that the whole becomes. Numbers of events and terms depend on what was
    /// met before, and do not count.
    fn sort(&self, definitions: &mut dyn Definitions, choices: &mut [WalkChoice]) -> Result<()> {
        let events = &definitions.terms().events;
        let by_step = |a: WitnessStep, b: WitnessStep| {
            let names = |event| events.name(event);
            let (first, second) = (class(a.label), class(b.label));
            first
                .cmp(&second)
                .then_with(|| natural_order(names(a.label), names(b.label)))
                // A τ that was no event comes after those that were one.
                .then_with(|| (a.origin == TAU).cmp(&(b.origin == TAU)))
                .then_with(|| natural_order(names(a.origin), names(b.origin)))
        };
        let by_parts = |a: &WalkChoice, b: &WalkChoice| {
            let (a, b) = (&a.taken.parts, &b.taken.parts);
            let pairs = a.iter().zip(b);
            let mut orders = pairs.map(|(a, b)| {
                let by_component = a.component.cmp(&b.component);
                by_component.then_with(|| by_step(a.step, b.step))
            });
            let first = orders.find(|order| order.is_ne());
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        };
        choices.sort_by(|a, b| by_step(a.taken.step, b.taken.step).then_with(|| by_parts(a, b)));
        let alike = |a: &WalkChoice, b: &WalkChoice| {
            a.taken.step == b.taken.step && by_parts(a, b) == Ordering::Equal
        };
        let lengths: Vec<usize> = choices.chunk_by(alike).map(<[WalkChoice]>::len).collect();
        let mut rest = choices;
        for length in lengths {
            let (group, others) = rest.split_at_mut(length);
            rest = others;
            if length > 1 {
                sort_by_target(definitions, group)?;
            }
        }
        Ok(())
    }
}

/// True if two steps have the same text, which does not show the event behind an event.
fn look_alike(one: WitnessStep, other: WitnessStep) -> bool {
    one.label == other.label && (one.label != TAU || one.origin == other.origin)
}

/// The rank of a label: events come first, then ✓, then internal steps.
fn class(label: EventId) -> u8 {
    match label {
        TAU => 2,
        TICK => 1,
        _ => 0,
    }
}

/// Sorts choices in which the same components do the same, by the term that the whole becomes.
fn sort_by_target(definitions: &mut dyn Definitions, group: &mut [WalkChoice]) -> Result<()> {
    let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
    for choice in group.iter() {
        let target = choice.step.target;
        texts.insert(target, present_in_full(definitions, target)?);
    }
    group.sort_by(|a, b| texts[&a.step.target].cmp(&texts[&b.step.target]));
    Ok(())
}

/// The place of the definition, or of the piece of one, that `term` calls.
fn span_of(definitions: &dyn Definitions, term: TermId) -> Option<Span> {
    match definitions.terms().get(term) {
        &Term::Call(call) => definitions.call_span(call),
        _ => None,
    }
}
