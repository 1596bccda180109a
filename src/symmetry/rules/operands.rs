//! Goals for operands: those of a binary operator in their order, those of a commutative one as they fit.

use super::goal::{Attempt, Goal, Place, Stop};
use super::matching::{Unmatched, assign};
use super::memory::View;
use super::prover::Prover;
use super::rule::Rule;
use super::signature::mixed;
use crate::machine::text;
use crate::machine::tree::Around;
use crate::process::term::TermId;
use crate::symmetry::refusal::Why;

/// The operands of a commutative operator on both sides.
pub(super) struct Operands<'o> {
    pub(super) left: &'o [TermId],
    pub(super) right: &'o [TermId],
    /// By operand of P and of Q, what else must be equal of an operand and its partner.
    pub(super) classes: Option<[&'o [u64]; 2]>,
}

/// Among so many operands that are left over, the one is looked for to which a refused operand should have gone.
const LOOKED_AT: usize = 64;

impl<'o> Operands<'o> {
    /// Operands of which nothing else must be equal.
    pub(super) fn new(left: &'o [TermId], right: &'o [TermId]) -> Self {
        let classes = None;
        Self {
            left,
            right,
            classes,
        }
    }

    fn same_class(&self, left: usize, right: usize) -> bool {
        self.classes
            .is_none_or(|[lefts, rights]| lefts[left] == rights[right])
    }

    fn goal(&self, goal: Goal, left: usize, right: usize) -> Goal {
        Goal {
            left: self.left[left],
            right: self.right[right],
            ..goal
        }
    }
}

impl Prover<'_> {
    /// The goals of a binary operator: those of the first operands, then those of the second ones.
    pub(super) fn in_order(
        &mut self,
        rule: Rule,
        goal: Goal,
        pairs: [(TermId, TermId, Place); 2],
    ) -> Attempt {
        let mut premises = Vec::with_capacity(2);
        for (left, right, at) in pairs {
            premises.push(self.goal(
                Goal {
                    left,
                    right,
                    ..goal
                },
                at,
            )?);
        }
        Ok(self.proof(rule, goal, vec![0, 1], premises))
    }

    /// The goals of a commutative operator, with an index permutation that makes them hold.
    pub(super) fn matched(
        &mut self,
        rule: Rule,
        goal: Goal,
        at: Place,
        operands: &Operands,
    ) -> Attempt {
        if operands.left.len() == 1 && operands.right.len() == 1 {
            return self.with_partners(rule, goal, at, operands, vec![0]);
        }
        match self.partners(rule, goal, at, operands)? {
            Ok(partners) => self.with_partners(rule, goal, at, operands, partners),
            Err(Unmatched { left, free }) => match self.nearest(goal, operands, left, &free) {
                Some(right) => {
                    let operand = operands.goal(goal, left, right);
                    self.refuse_operand(rule, goal, at, operand)
                }
                None => self.no_partner(rule, goal, at, operands.left[left]),
            },
        }
    }

    /// For each operand of P an operand of Q that is its image.
    pub(super) fn partners(
        &mut self,
        rule: Rule,
        goal: Goal,
        at: Place,
        operands: &Operands,
    ) -> Attempt<Result<Vec<usize>, Unmatched>> {
        let counts = (operands.left.len(), operands.right.len());
        if counts.0 != counts.1 {
            let why = Why::OperandCount(counts.0, counts.1);
            return self.refuse(rule, goal, at, why);
        }
        let [lefts, rights] = operands
            .classes
            .map_or([None; 2], |classes| classes.map(Some));
        let left_keys = self.keys(operands.left, at.around, lefts, View::Under(goal.sigma))?;
        let right_keys = self.keys(operands.right, at.around, rights, View::Plain)?;
        assign(&left_keys, &right_keys, |left, right| {
            if !operands.same_class(left, right) {
                return Ok(false);
            }
            match self.goal(operands.goal(goal, left, right), at) {
                Ok(_) => Ok(true),
                Err(Stop::Refused(_)) => Ok(false),
                Err(broken) => Err(broken),
            }
        })
    }

    /// By operand, what must be equal of partners. A single operand needs none.
    fn keys(
        &mut self,
        operands: &[TermId],
        around: Around,
        classes: Option<&[u64]>,
        view: View,
    ) -> Attempt<Vec<u64>> {
        let mut keys = vec![0; operands.len()];
        if operands.len() > 1 {
            for (key, &operand) in keys.iter_mut().zip(operands) {
                *key = self.signature(operand, around, view)?;
            }
        }
        for (key, class) in keys.iter_mut().zip(classes.unwrap_or_default()) {
            *key = mixed(*key, *class);
        }
        Ok(keys)
    }

    pub(super) fn with_partners(
        &mut self,
        rule: Rule,
        goal: Goal,
        at: Place,
        operands: &Operands,
        partners: Vec<usize>,
    ) -> Attempt {
        let mut premises = Vec::with_capacity(partners.len());
        for (left, &right) in partners.iter().enumerate() {
            premises.push(self.goal(operands.goal(goal, left, right), at)?);
        }
        Ok(self.proof(rule, goal, partners, premises))
    }

    /// Of the operands left over, the one whose events are most like the image of those of the unmatched one. If
    /// they have no event in common, none of them is like it.
    fn nearest(
        &mut self,
        goal: Goal,
        operands: &Operands,
        left: usize,
        free: &[usize],
    ) -> Option<usize> {
        let alphabet = self.alphabet(operands.left[left]);
        let sigma = self.sigma(goal.sigma);
        let images: Vec<_> = alphabet.iter().map(|&event| sigma.apply(event)).collect();
        let mut nearest = None;
        for &right in free.iter().take(LOOKED_AT) {
            let other = self.alphabet(operands.right[right]);
            let shared = images.iter().filter(|e| other.binary_search(e).is_ok());
            let shared = shared.count();
            let distance = images.len() + other.len() - 2 * shared;
            if shared > 0 || distance == 0 {
                let candidate = (distance, right != left, right);
                nearest = Some(nearest.map_or(candidate, |nearest| candidate.min(nearest)));
            }
        }
        nearest.map(|(_, _, right)| right)
    }

    /// The refusal of the goal `operand` of an operand, unless that says no more than that it is another one.
    pub(super) fn refuse_operand(
        &mut self,
        rule: Rule,
        goal: Goal,
        at: Place,
        operand: Goal,
    ) -> Attempt {
        match self.goal(operand, at) {
            Err(Stop::Refused(failure))
                if failure.why != Why::Operators || failure.left != operand.left =>
            {
                Err(Stop::Refused(failure))
            }
            Err(Stop::Broken(diagnostic)) => Err(Stop::Broken(diagnostic)),
            _ => self.no_partner(rule, goal, at, operand.left),
        }
    }

    pub(super) fn no_partner(&self, rule: Rule, goal: Goal, at: Place, operand: TermId) -> Attempt {
        let operand = text::expression(self.definitions, operand);
        self.refuse(rule, goal, at, Why::NoPartner(operand))
    }
}
