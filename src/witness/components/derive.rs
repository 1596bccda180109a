//! Derives the steps of the components from a step of the whole.
//!
//! For each operator, `process::semantics` gives the steps of its operands that make its step. This
//! file adds what remains of the operator after the step: the operator itself, one operand, or a
//! process that has waited for its turn.
//!
//! A `chase` follows τ by itself before each of its steps. The components below it take part in
//! these τ, so each is followed like a step, and told apart from the steps of the whole. They are
//! followed as soon as they are possible, so that the components are seen where the `chase` goes on
//! from.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::counterexample::WitnessStep;
use super::super::replay::{not_reproduced, witness_step};
use super::tree::{Cast, RunningKind, RunningNode};
use base::diag::Result;
use base::stack::deep;
use process::event::{TAU, TICK};
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

/// The step of a numbered operator in a step of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperatorStep {
    /// The number of the operator in the cast.
    pub operator: usize,
    /// The step that it does itself.
    pub step: WitnessStep,
}

/// A τ that a `chase` has followed by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChasedStep {
    /// The step, as it is below the `chase`.
    pub step: WitnessStep,
    /// The components that took part, from left to right.
    pub parts: Vec<Participation>,
    /// The operators that took part, each before those below it.
    pub operators: Vec<OperatorStep>,
}

/// The most τ in a row that are followed only to show where a `chase` goes on from.
const MOST_SETTLED: usize = 1000;

/// Follows steps from the whole to the components.
pub struct Follower<'a> {
    definitions: &'a mut dyn Definitions,
    cast: &'a mut Cast,
    semantics: &'a mut Focused,
    participations: Vec<Participation>,
    operators: Vec<OperatorStep>,
    chased: Vec<ChasedStep>,
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
            operators: Vec::new(),
            chased: Vec::new(),
        }
    }

    /// The participations since the last call, from left to right.
    pub fn take_participations(&mut self) -> Vec<Participation> {
        std::mem::take(&mut self.participations)
    }

    /// The steps of operators since the last call, each before those of the operators below it.
    pub fn take_operators(&mut self) -> Vec<OperatorStep> {
        std::mem::take(&mut self.operators)
    }

    /// The τ that a `chase` has followed since the last call.
    pub fn take_chased(&mut self) -> Vec<ChasedStep> {
        std::mem::take(&mut self.chased)
    }

    /// True if some `chase` or `deter` has components inside.
    pub fn chooses(&self) -> bool {
        self.cast.chooses()
    }

    /// `node`, each `chase` in it settled: the τ are followed that it follows before its next step.
    pub fn settle(&mut self, node: &Arc<RunningNode>) -> Result<Arc<RunningNode>> {
        let RunningKind::Operator(operator, _, operands) = &node.kind else {
            return Ok(Arc::clone(node));
        };
        let mut changes = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let mut settled = deep(|| self.settle(operand))?;
            if chooses(operator) {
                settled = self.settled(&settled, MOST_SETTLED)?;
            }
            if !Arc::ptr_eq(&settled, operand) {
                changes.push((i, settled));
            }
        }
        Ok(match changes.is_empty() {
            true => Arc::clone(node),
            false => node.changed(node.term, changes),
        })
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
            RunningKind::Operator(operator, _, operands) if chooses(operator) => {
                self.note_operator(node, step);
                deep(|| self.chosen(node, operator, &operands[0], step))?
            }
            RunningKind::Operator(operator, waiting, operands) => {
                self.note_operator(node, step);
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

    fn note_operator(&mut self, node: &RunningNode, step: Step) {
        let step = witness_step(&step);
        let noted = node
            .operator
            .map(|operator| OperatorStep { operator, step });
        self.operators.extend(noted);
    }

    /// The node that `node` becomes, which is a `chase` or `deter` over `operand`. Returns `None`
    /// if it does not have `step`.
    fn chosen(
        &mut self,
        node: &RunningNode,
        operator: &Operator,
        operand: &Arc<RunningNode>,
        step: Step,
    ) -> Result<Option<Arc<RunningNode>>> {
        let &Operator::Compress(choosing) = operator else {
            return Ok(None);
        };
        let settled = self.settled(operand, usize::MAX)?;
        let steps = self.semantics.whole.steps(self.definitions, settled.term)?;
        let below = steps.into_iter().find(|below| {
            let mut wrapped = |target| match step.label {
                TICK => target,
                _ => self.definitions.terms_mut().compress(choosing, target),
            };
            (below.label, below.origin) == (step.label, step.origin)
                && wrapped(below.target) == step.target
        });
        let Some(below) = below else {
            return Ok(None);
        };
        let after = self.follow(&settled, below)?;
        if step.label == TICK {
            return Ok(Some(node.done(step.target)));
        }
        Ok(Some(node.changed(step.target, vec![(0, after)])))
    }

    /// `node` after the τ that a `chase` above it follows. If these are more than `most`, or have
    /// no end, none of them is followed.
    fn settled(&mut self, node: &Arc<RunningNode>, most: usize) -> Result<Arc<RunningNode>> {
        let parts = std::mem::take(&mut self.participations);
        let operators = std::mem::take(&mut self.operators);
        let before = self.chased.len();
        let mut now = Arc::clone(node);
        let mut seen = FxHashSet::default();
        loop {
            let steps = self.semantics.whole.steps(self.definitions, now.term)?;
            // τ comes first, and `chase` takes the first of several.
            let Some(&step) = steps.first().filter(|step| step.label == TAU) else {
                break;
            };
            self.definitions.cancellation().step()?;
            if seen.len() >= most || !seen.insert(now.term) {
                self.chased.truncate(before);
                now = Arc::clone(node);
                break;
            }
            now = self.follow(&now, step)?;
            let chased = ChasedStep {
                step: witness_step(&step),
                parts: std::mem::take(&mut self.participations),
                operators: std::mem::take(&mut self.operators),
            };
            self.chased.push(chased);
        }
        (self.participations, self.operators) = (parts, operators);
        Ok(now)
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

/// True for `chase` and `deter`, which choose among the transitions of their operand.
fn chooses(operator: &Operator) -> bool {
    matches!(operator, Operator::Compress(compression) if !compression.keeps_meaning())
}
