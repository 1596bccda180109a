//! Goals for operands: of a binary operator in their order, of a commutative operator as they fit.

use super::facts::ProofFacts;
use super::goal::{Application, Attempt, Goal, GoalPlace, Unproved};
use super::matching::{Unmatched, assign};
use super::memory::View;
use super::prover::Prover;
use super::signature::mixed;
use crate::refusal::Why;
use machine::tree::Around;
use process::term::TermId;

/// The operands of a commutative operator on both sides.
pub(super) struct BothOperands<'o> {
    pub(super) left: &'o [TermId],
    pub(super) right: &'o [TermId],
    /// By operand of P and of Q, a class that must be equal for partners; empty if there is no such
    /// condition.
    pub(super) classes: [&'o [u64]; 2],
}

/// The most operands left over that are looked at to find the one to which a refused operand should
/// have gone.
const LOOKED_AT: usize = 64;

impl BothOperands<'_> {
    fn same_class(&self, left: usize, right: usize) -> bool {
        self.classes[0].get(left) == self.classes[1].get(right)
    }
}

impl Prover<'_> {
    /// Proves the goals of operands that go to those at the same position.
    pub(super) fn each(&mut self, here: Application, goals: &[(Goal, GoalPlace)]) -> Attempt {
        let premises = goals.iter().map(|&(goal, at)| self.goal(goal, at));
        let premises = premises.collect::<Attempt<Vec<_>>>()?;
        Ok(self.facts.proof(here, (0..goals.len()).collect(), premises))
    }

    /// Proves the goals of a commutative operator, with an index permutation that makes them hold.
    pub(super) fn matched(
        &mut self,
        here: Application,
        left: &[TermId],
        right: &[TermId],
    ) -> Attempt {
        if let ([left], [right]) = (left, right) {
            return self.each(here, &[here.now(*left, *right)]);
        }
        let operands = BothOperands {
            left,
            right,
            classes: [&[], &[]],
        };
        match self.partners(here, &operands)? {
            Ok(partners) => self.with_partners(here, &operands, partners),
            Err(Unmatched { left, free }) => {
                let operand = operands.left[left];
                match self.facts.nearest(here.goal, &operands, left, &free) {
                    Some(right) => self.refuse_operand(here, operand, operands.right[right]),
                    None => self.facts.no_partner(here, operand),
                }
            }
        }
    }

    /// For each operand of P, an operand of Q that is its image.
    pub(super) fn partners(
        &mut self,
        here: Application,
        operands: &BothOperands,
    ) -> Attempt<Result<Vec<usize>, Unmatched>> {
        let counts = (operands.left.len(), operands.right.len());
        if counts.0 != counts.1 {
            let why = Why::OperandCount(counts.0, counts.1);
            return self.facts.refuse(here, why);
        }
        let [lefts, rights] = operands.classes;
        let around = here.at.around;
        // P is seen under σ and Q as it is: so an operand and its image have equal keys.
        let (seen, facts) = (View::Under(here.goal.sigma), &mut self.facts);
        let left_keys = facts.keys(operands.left, around, lefts, seen)?;
        let right_keys = facts.keys(operands.right, around, rights, View::Plain)?;
        assign(&left_keys, &right_keys, |left, right| {
            // Keys are hashes, so equal keys do not imply equal classes.
            if !operands.same_class(left, right) {
                return Ok(false);
            }
            let (goal, at) = here.now(operands.left[left], operands.right[right]);
            match self.goal(goal, at) {
                Ok(_) => Ok(true),
                Err(Unproved::Refused(_)) => Ok(false),
                Err(broken) => Err(broken),
            }
        })
    }

    /// Takes the proofs of operands that go to these partners: they were found before, and are
    /// remembered.
    pub(super) fn with_partners(
        &mut self,
        here: Application,
        operands: &BothOperands,
        partners: Vec<usize>,
    ) -> Attempt {
        let pairs = operands.left.iter().zip(&partners);
        let goals = pairs.map(|(&left, &right)| here.now(left, operands.right[right]));
        let premises = goals.map(|(goal, at)| self.goal(goal, at));
        let premises = premises.collect::<Attempt<Vec<_>>>()?;
        Ok(self.facts.proof(here, partners, premises))
    }

    /// The refusal of the goal for an operand and the one to which it should go, unless that
    /// refusal only says that they have different operators: then the refusal says that the operand
    /// has no partner.
    pub(super) fn refuse_operand(
        &mut self,
        here: Application,
        operand: TermId,
        partner: TermId,
    ) -> Attempt {
        let (goal, at) = here.now(operand, partner);
        match self.goal(goal, at) {
            Err(Unproved::Refused(failure))
                if failure.why != Why::Operators || failure.left != operand =>
            {
                Err(Unproved::Refused(failure))
            }
            Err(Unproved::Broken(diagnostic)) => Err(Unproved::Broken(diagnostic)),
            _ => self.facts.no_partner(here, operand),
        }
    }
}

impl ProofFacts<'_> {
    /// By operand, a key that must be equal for partners. A single operand needs no signature.
    fn keys(
        &mut self,
        operands: &[TermId],
        around: Around,
        classes: &[u64],
        view: View,
    ) -> Attempt<Vec<u64>> {
        let mut keys = vec![0; operands.len()];
        if operands.len() > 1 {
            for (key, &operand) in keys.iter_mut().zip(operands) {
                *key = self.signature(operand, around, view)?;
            }
        }
        for (key, class) in keys.iter_mut().zip(classes) {
            *key = mixed(*key, *class);
        }
        Ok(keys)
    }

    /// The operand among the `free` ones of Q whose alphabet is most like the image of the alphabet
    /// of operand `left` of P; `None` if all of them have no event in common with that image.
    fn nearest(
        &mut self,
        goal: Goal,
        operands: &BothOperands,
        left: usize,
        free: &[usize],
    ) -> Option<usize> {
        let alphabet = self.alphabet(operands.left[left]);
        let sigma = &self.sigmas[goal.sigma];
        let images: Vec<_> = alphabet.iter().map(|&event| sigma.apply(event)).collect();
        let mut nearest = None;
        for &right in free.iter().take(LOOKED_AT) {
            let other = self.alphabet(operands.right[right]);
            // `images` need not ascend, but alphabets do.
            let shared = images.iter().filter(|e| other.binary_search(e).is_ok());
            let shared = shared.count();
            let distance = images.len() + other.len() - 2 * shared;
            if shared > 0 || distance == 0 {
                // Of equally near operands the one at the same position is preferred.
                let candidate = (distance, right != left, right);
                nearest = Some(nearest.map_or(candidate, |nearest| candidate.min(nearest)));
            }
        }
        nearest.map(|(_, _, right)| right)
    }
}
