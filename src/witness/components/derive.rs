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
use process::operator::{Operator, Remains};
use process::semantics::Step;
use process::semantics::focus::Focused;
use process::term::{Definitions, Operands, Term, TermId};

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

    /// The participations since the last call, from left to right.
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
            RunningKind::Operator(operator, waiting, operands) => {
                deep(|| self.through(node, operator, *waiting, operands, step))?
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

    /// The node that `node`, which is `operator` over `operands`, becomes. Returns `None` if it
    /// does not have `step`.
    fn through(
        &mut self,
        node: &RunningNode,
        operator: &Operator,
        waiting: Option<TermId>,
        operands: &[Arc<RunningNode>],
        step: Step,
    ) -> Result<Option<Arc<RunningNode>>> {
        let term = self.present(node, operator, operands)?;
        let parts = self.semantics.parts(self.definitions, term, step)?;
        let Some(parts) = parts else {
            return Ok(None);
        };
        // The operator does this step by itself, as the τ of `[>`, so it counts as a component.
        if parts.is_empty() {
            let itself = self.cast.extra(self.definitions, node);
            self.take_part(itself, step);
        }
        let mut changes = Vec::with_capacity(parts.len());
        for &(i, part) in &parts {
            changes.push((i, self.follow(&operands[i], part)?));
        }
        // Without parts the operator is `[>`, which drops its first operand.
        let events = &self.definitions.terms().events;
        let first = parts.first();
        let remains = first.map_or(Remains::Waiting, |&(i, part)| {
            operator.remains(events, i, part.label)
        });
        Ok(match (remains, waiting) {
            (Remains::Operand, _) => changes.pop().map(|(_, after)| after),
            (Remains::Waiting, Some(term)) => {
                Some(self.cast.succeed(self.definitions, term, node)?)
            }
            (Remains::Nothing, _) => Some(node.done(step.target)),
            (Remains::Operator | Remains::Waiting, _) => Some(node.changed(step.target, changes)),
        })
    }

    /// The term of `node` without calls around its operator, and with just these operands.
    fn present(
        &mut self,
        node: &RunningNode,
        operator: &Operator,
        operands: &[Arc<RunningNode>],
    ) -> Result<TermId> {
        if *operator == Operator::Choice(None) {
            // The term itself leaves out operands that are `STOP`, so the others are numbered
            // differently in it.
            let operands: Operands = operands.iter().map(|operand| operand.term).collect();
            let terms = self.definitions.terms_mut();
            return Ok(terms.over(Operator::Choice(None), operands));
        }
        self.semantics.whole.head(self.definitions, node.term)
    }
}
