//! Derives the steps of the components from a step of the whole.
//!
//! For each operator, `process::semantics` gives the steps of its operands that make its step. This
//! file adds what remains of the operator after the step: the operator itself, one operand, or a
//! process that has waited for its turn.

use std::sync::Arc;

use super::super::counterexample::WitnessStep;
use super::super::replay::{not_reproduced, witness_step};
use super::tree::{Cast, RunningKind, RunningNode};
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, EventSetId, TAU, TICK};
use process::semantics::Step;
use process::semantics::focus::Focused;
use process::term::{Definitions, Term, TermId};

/// The step of one component in a step of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Participation {
    /// Its number in the cast.
    pub component: usize,
    /// The component's own step.
    pub step: WitnessStep,
}

/// Follows steps from the whole to the components.
pub struct Follower<'a> {
    definitions: &'a mut dyn Definitions,
    cast: &'a mut Cast,
    semantics: &'a mut Focused,
    participations: Vec<Participation>,
}

/// The remains of an operator after a step.
enum Remains {
    /// The operator, over the operands after the step.
    Operator,
    /// The operand that did the step.
    Operand,
    /// This process, which has waited.
    Waiting(TermId),
    /// Nothing: its operands have terminated together.
    Nothing,
}

impl<'a> Follower<'a> {
    /// A follower that has followed nothing yet.
    pub fn new(
        definitions: &'a mut dyn Definitions,
        cast: &'a mut Cast,
        semantics: &'a mut Focused,
    ) -> Self {
        Self {
            definitions,
            cast,
            semantics,
            participations: Vec::new(),
        }
    }

    /// The participations since this was last asked, from left to right.
    pub fn take_participations(&mut self) -> Vec<Participation> {
        std::mem::take(&mut self.participations)
    }

    /// The node after `step` of `node`. A step that the node does not have is an `internal-replay`
    /// diagnostic.
    pub fn follow(&mut self, node: &RunningNode, step: Step) -> Result<Arc<RunningNode>> {
        let after = match &node.kind {
            RunningKind::Done => None,
            &RunningKind::Component(component) => self.own(component, node, step)?.then(|| {
                if *self.definitions.terms().get(step.target) == Term::Omega {
                    node.done(step.target)
                } else {
                    node.changed(step.target, Vec::new())
                }
            }),
            &RunningKind::Stage(component) => match self.own(component, node, step)? {
                true => Some(self.cast.advance(self.definitions, step.target, node)?),
                false => None,
            },
            RunningKind::Operator(shape, operands) => {
                deep(|| self.through(node, shape, operands, step))?
            }
        };
        match after {
            Some(after) => Ok(after),
            None => not_reproduced("a step cannot be told apart into steps of components").into(),
        }
    }

    /// Notes a step of a component. Returns true if the component has this step.
    fn own(&mut self, component: usize, node: &RunningNode, step: Step) -> Result<bool> {
        let (label, origin) = (Some(step.label), Some(step.origin));
        let alike = self
            .semantics
            .steps(self.definitions, node.term, label, origin)?;
        self.take_part(component, step);
        Ok(alike.contains(&step))
    }

    fn take_part(&mut self, component: usize, step: Step) {
        let step = witness_step(&step);
        self.participations.push(Participation { component, step });
    }

    /// The node after `step` of `node`, which is the operator of `shape` over `operands`. Returns
    /// `None` if it does not have the step.
    fn through(
        &mut self,
        node: &RunningNode,
        shape: &Term,
        operands: &[Arc<RunningNode>],
        step: Step,
    ) -> Result<Option<Arc<RunningNode>>> {
        let operator = self.present(node, shape, operands)?;
        let parts = self.semantics.parts(self.definitions, operator, step)?;
        let Some(parts) = parts else {
            return Ok(None);
        };
        // The operator does this by itself, as the τ of `[>`, so it counts as a component.
        if parts.is_empty() {
            let operator = self.cast.extra(self.definitions, node);
            self.take_part(operator, step);
        }
        let mut changes = Vec::with_capacity(parts.len());
        for &(i, part) in &parts {
            changes.push((i, self.follow(&operands[i], part)?));
        }
        Ok(match self.remains(shape, step, &parts) {
            Remains::Operator => Some(node.changed(step.target, changes)),
            Remains::Operand => changes.pop().map(|(_, after)| after),
            Remains::Waiting(term) => Some(self.cast.succeed(self.definitions, term, node)?),
            Remains::Nothing => Some(node.done(step.target)),
        })
    }

    /// The term of `node` without calls around its operator, and with just these operands.
    fn present(
        &mut self,
        node: &RunningNode,
        shape: &Term,
        operands: &[Arc<RunningNode>],
    ) -> Result<TermId> {
        if matches!(shape, Term::ExternalChoice(_)) {
            // The term itself leaves out operands that are `STOP`, so the others are numbered
            // differently in it.
            let operands = operands.iter().map(|operand| operand.term).collect();
            let choice = Term::ExternalChoice(operands);
            return Ok(self.definitions.terms_mut().intern(choice));
        }
        self.semantics.whole.head(self.definitions, node.term)
    }

    /// The remains of the operator of `shape` after `step`, which is made of `parts`.
    fn remains(&self, shape: &Term, step: Step, parts: &[(usize, Step)]) -> Remains {
        let stays = match (shape, parts.first()) {
            (&Term::SlidingChoice(_, then), None) => return Remains::Waiting(then),
            (&Term::Sequential(_, then), Some((_, part))) if part.label == TICK => {
                return Remains::Waiting(then);
            }
            (Term::Parallel(..) | Term::Alphabetised(_) | Term::Linked(..), _) => {
                if step.label == TICK {
                    return Remains::Nothing;
                }
                true
            }
            // ✓ leads to Ω, around which no operator stays.
            _ if step.label == TICK => false,
            (&Term::Exception(_, set, handler), _) if self.contains(set, step.label) => {
                return Remains::Waiting(handler);
            }
            (Term::ExternalChoice(_) | Term::SlidingChoice(..), _) => step.label == TAU,
            (&Term::SynchronisingChoice(set, _), _) => {
                step.label == TAU || self.contains(set, step.label)
            }
            // Only the second operand interrupts, and not by what both do together.
            (Term::Interrupt(..) | Term::SynchronisingInterrupt(..), Some(&(first, _))) => {
                step.label == TAU || first == 0
            }
            // To the semantics it is what it compresses, and is left behind.
            (Term::Compress(..), _) => false,
            _ => true,
        };
        match stays {
            true => Remains::Operator,
            false => Remains::Operand,
        }
    }

    fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }
}
