//! The operational rules read backwards: from a step of a process to the steps of its components.
//!
//! Each rule looks for steps of the operands from which it makes the given step, target included. The steps of operands
//! are those of `process::semantics`, but what the operators make of them is written down here once more: a step that is
//! none by these rules is a mistake in one of the two.

mod choice;
mod handover;
mod parallel;
mod relabel;

use std::sync::Arc;

use super::super::counterexample::WitnessStep;
use super::super::replay::not_reproduced;
use super::tree::{Cast, Kind, Node};
use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::event::{EventId, EventSetId, TAU, TICK};
use crate::process::semantics::Step;
use crate::process::semantics::focus::Focused;
use crate::process::term::{Definitions, Term, TermId};

/// What one component does in a step of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) component: usize,
    pub(super) step: WitnessStep,
}

/// Follows steps from the whole to the components.
pub(super) struct Follower<'a> {
    definitions: &'a mut dyn Definitions,
    cast: &'a mut Cast,
    semantics: Focused,
    parts: Vec<Part>,
}

/// An operator, its operands, and the step that it has to do.
struct At<'n> {
    node: &'n Node,
    operands: &'n [Arc<Node>],
    step: Step,
}

/// What a rule finds: the process after the step, if it can make the step.
type Found = Result<Option<Arc<Node>>>;

impl<'a> Follower<'a> {
    pub(super) fn new(definitions: &'a mut dyn Definitions, cast: &'a mut Cast) -> Self {
        Self {
            definitions,
            cast,
            semantics: Focused::new(),
            parts: Vec::new(),
        }
    }

    /// Who took part in what was followed since this was last asked, from left to right.
    pub(super) fn take_parts(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// What `node` becomes by `step`. A step that it does not have is an `internal-replay` diagnostic.
    pub(super) fn follow(&mut self, node: &Node, step: Step) -> Result<Arc<Node>> {
        let after = match &node.kind {
            Kind::Done => None,
            &Kind::Component(component) => self.own(component, node, step)?.then(|| {
                if *self.definitions.terms().get(step.target) == Term::Omega {
                    node.done(step.target)
                } else {
                    node.changed(step.target, Vec::new())
                }
            }),
            &Kind::Stage(component) => match self.own(component, node, step)? {
                true => Some(self.cast.advance(self.definitions, step.target, node)?),
                false => None,
            },
            Kind::Operator(shape, operands) => {
                let at = At {
                    node,
                    operands,
                    step,
                };
                deep(|| self.rule(shape, &at))?
            }
        };
        match after {
            Some(after) => Ok(after),
            None => not_reproduced("a step cannot be told apart into steps of components").into(),
        }
    }

    /// Notes a step of a component, if it is one.
    fn own(&mut self, component: usize, node: &Node, step: Step) -> Result<bool> {
        let is_own = self.alike(node, step)?.contains(&step);
        self.took_part(component, step);
        Ok(is_own)
    }

    fn took_part(&mut self, component: usize, step: Step) {
        let step = WitnessStep {
            label: step.label,
            origin: step.origin,
        };
        self.parts.push(Part { component, step });
    }

    fn row(&mut self, node: &Node) -> Result<Vec<Step>> {
        self.semantics.whole.steps(self.definitions, node.term)
    }

    /// The steps of `node` that look like `step`.
    fn alike(&mut self, node: &Node, step: Step) -> Result<Vec<Step>> {
        let (label, origin) = (Some(step.label), Some(step.origin));
        self.semantics
            .steps(self.definitions, node.term, label, origin)
    }

    /// The steps of `node` with the origin of `step`, whatever became of it.
    fn with_origin_of(&mut self, node: &Node, step: Step) -> Result<Vec<Step>> {
        self.semantics
            .steps(self.definitions, node.term, None, Some(step.origin))
    }

    fn rule(&mut self, shape: &Term, at: &At<'_>) -> Found {
        match shape {
            &Term::Sequential(_, then) => self.sequential(at, then),
            &Term::SlidingChoice(_, then) => self.sliding_choice(at, then),
            &Term::Exception(_, set, handler) => self.exception(at, set, handler),
            Term::Interrupt(..) => self.interrupt(at, None),
            &Term::SynchronisingInterrupt(_, set, _) => self.interrupt(at, Some(set)),
            Term::ExternalChoice(_) => self.external_choice(at),
            &Term::SynchronisingChoice(set, _) => self.synchronising_choice(at, set),
            &Term::Parallel(set, _) => self.parallel(at, set),
            Term::Alphabetised(operands) => {
                let alphabets: Vec<EventSetId> = operands.iter().map(|&(set, _)| set).collect();
                self.alphabetised(at, &alphabets)
            }
            Term::Linked(_, ties, _) => self.linked(at, ties),
            &Term::Hide(_, set) => {
                let shows = |this: &Self, label: EventId| match this.contains(set, label) {
                    true => TAU,
                    false => label,
                };
                self.relabelled(
                    at,
                    |this, inner, label| shows(this, inner) == label,
                    |p| Term::Hide(p, set),
                )
            }
            &Term::Project(_, set) => self.relabelled(
                at,
                |this, inner, label| {
                    let stays = inner == TAU || this.contains(set, inner);
                    label == if stays { inner } else { TAU }
                },
                |p| Term::Project(p, set),
            ),
            Term::Rename(_, pairs) => self.relabelled(
                at,
                |_, inner, label| {
                    let is_renamed = pairs.iter().any(|&(from, _)| from == inner);
                    pairs.contains(&(inner, label)) || !is_renamed && inner == label
                },
                |p| Term::Rename(p, pairs.clone()),
            ),
            Term::Prioritise(_, priority) => self.relabelled(
                at,
                |_, inner, label| inner == label,
                |p| Term::Prioritise(p, Arc::clone(priority)),
            ),
            // To the semantics it is what it compresses, and is left behind.
            Term::Compress(..) => self.taken_over(at, 0),
            _ => Ok(None),
        }
    }

    /// All `participants`, ascending, do the event together and become `targets`.
    fn all(&mut self, at: &At<'_>, targets: Option<&[TermId]>, participants: &[usize]) -> Found {
        let Some(targets) = targets.filter(|targets| targets.len() == at.operands.len()) else {
            return Ok(None);
        };
        let mut steps = Vec::with_capacity(participants.len());
        for (i, operand) in at.operands.iter().enumerate() {
            if participants.binary_search(&i).is_err() {
                if operand.term != targets[i] {
                    return Ok(None);
                }
                continue;
            }
            // The origin is that of the leftmost.
            let is_first = steps.is_empty();
            let fits = |step: &Step| {
                step.label == at.step.label
                    && step.target == targets[i]
                    && (!is_first || step.origin == at.step.origin)
            };
            let origin = is_first.then_some(at.step.origin);
            let label = Some(at.step.label);
            let row = self
                .semantics
                .steps(self.definitions, operand.term, label, origin)?;
            match row.into_iter().find(fits) {
                Some(step) => steps.push((i, step)),
                None => return Ok(None),
            }
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let changes = steps
            .into_iter()
            .map(|(i, step)| Ok((i, self.follow(&at.operands[i], step)?)));
        let changes = changes.collect::<Result<_>>()?;
        Ok(Some(at.node.changed(at.step.target, changes)))
    }

    /// One operand that `may` does the step alone, and all become `targets`.
    fn alone(&mut self, at: &At<'_>, targets: &[TermId], may: impl Fn(usize) -> bool) -> Found {
        for i in changed(at, targets).into_iter().filter(|&i| may(i)) {
            for inner in self.alike(&at.operands[i], at.step)? {
                if inner.label != TICK && self.same(inner, at) && inner.target == targets[i] {
                    return self.operand(at, i, inner).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Operand `i` does the step itself, and the operator is gone.
    fn taken_over(&mut self, at: &At<'_>, i: usize) -> Found {
        let operand = &at.operands[i];
        if !self.alike(operand, at.step)?.contains(&at.step) {
            return Ok(None);
        }
        self.follow(operand, at.step).map(Some)
    }

    /// Operand `i` does `inner`, and the operator stays.
    fn operand(&mut self, at: &At<'_>, i: usize, inner: Step) -> Result<Arc<Node>> {
        let after = self.follow(&at.operands[i], inner)?;
        Ok(at.node.changed(at.step.target, vec![(i, after)]))
    }

    /// What has waited takes over.
    fn start(&mut self, at: &At<'_>, term: TermId) -> Result<Arc<Node>> {
        self.cast.succeed(self.definitions, term, at.node)
    }

    /// Whether a step looks the same outside.
    fn same(&self, inner: Step, at: &At<'_>) -> bool {
        (inner.label, inner.origin) == (at.step.label, at.step.origin)
    }

    fn is(&self, term: TermId, wanted: &Term) -> bool {
        self.definitions.terms().get(term) == wanted
    }

    fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }
}

/// The operands one of which has done the step, if they become `targets`: the one that changes, or any if none does.
fn changed(at: &At<'_>, targets: &[TermId]) -> Vec<usize> {
    if targets.len() != at.operands.len() {
        return Vec::new();
    }
    let pairs = at.operands.iter().zip(targets).enumerate();
    let changed = pairs.filter(|(_, (operand, target))| operand.term != **target);
    let changed: Vec<usize> = changed.map(|(i, _)| i).collect();
    match changed.len() {
        0 => (0..targets.len()).collect(),
        1 => changed,
        _ => Vec::new(),
    }
}
