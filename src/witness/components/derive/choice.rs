//! Steps through external choices.

use super::{At, Follower, Found};
use crate::process::event::{EventSetId, TAU};
use crate::process::term::{Term, TermId};

impl Follower<'_> {
    /// τ changes one operand, any other event decides for one.
    pub(super) fn external_choice(&mut self, at: &At<'_>) -> Found {
        let terms: Vec<TermId> = at.operands.iter().map(|operand| operand.term).collect();
        for (i, operand) in at.operands.iter().enumerate() {
            for inner in self.alike(operand, at.step)? {
                if !self.same(inner, at) {
                    continue;
                }
                if inner.label != TAU {
                    if inner.target == at.step.target {
                        return self.follow(operand, inner).map(Some);
                    }
                    continue;
                }
                let mut changed = terms.clone();
                changed[i] = inner.target;
                let target = self.definitions.terms_mut().external_choice(changed);
                if target == at.step.target {
                    return self.operand(at, i, inner).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Events of `set` are done by all operands together and decide nothing.
    pub(super) fn synchronising_choice(&mut self, at: &At<'_>, set: EventSetId) -> Found {
        let targets = match self.definitions.terms().get(at.step.target) {
            Term::SynchronisingChoice(of, targets) if *of == set => Some(targets.clone()),
            _ => None,
        };
        if self.contains(set, at.step.label) {
            let everyone: Vec<usize> = (0..at.operands.len()).collect();
            return self.all(at, targets.as_deref(), &everyone);
        }
        if at.step.label == TAU {
            return match targets {
                Some(targets) => self.alone(at, &targets, |_| true),
                None => Ok(None),
            };
        }
        for i in 0..at.operands.len() {
            let found = self.taken_over(at, i)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}
