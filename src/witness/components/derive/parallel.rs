//! Steps through the parallel operators.

use super::{At, Follower, Found};
use crate::process::event::{EventId, EventSetId, TAU, TICK};
use crate::process::term::{Term, TermId};

impl Follower<'_> {
    /// Events of `set` and ✓ are done by all together, all others by one operand alone.
    pub(super) fn parallel(&mut self, at: &At<'_>, set: EventSetId) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets = match self.definitions.terms().get(at.step.target) {
            Term::Parallel(of, targets) if *of == set => targets.clone(),
            _ => return Ok(None),
        };
        if self.contains(set, at.step.label) {
            let everyone: Vec<usize> = (0..at.operands.len()).collect();
            return self.all(at, Some(&targets), &everyone);
        }
        self.alone(at, &targets, |_| true)
    }

    /// An event is done by all whose alphabet has it.
    pub(super) fn alphabetised(&mut self, at: &At<'_>, alphabets: &[EventSetId]) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets: Vec<TermId> = match self.definitions.terms().get(at.step.target) {
            Term::Alphabetised(targets) => targets.iter().map(|&(_, target)| target).collect(),
            _ => return Ok(None),
        };
        if at.step.label == TAU {
            return self.alone(at, &targets, |_| true);
        }
        let takes_part = |&i: &usize| self.contains(alphabets[i], at.step.label);
        let participants: Vec<usize> = (0..at.operands.len()).filter(takes_part).collect();
        self.all(at, Some(&targets), &participants)
    }

    /// Tied events are done together and hidden, all others by one side alone.
    pub(super) fn linked(&mut self, at: &At<'_>, ties: &[(EventId, EventId)]) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets = match *self.definitions.terms().get(at.step.target) {
            Term::Linked(left, _, right) => [left, right],
            _ => return Ok(None),
        };
        let label = at.step.label;
        let is_tied = [
            ties.iter().any(|&(from, _)| from == label),
            ties.iter().any(|&(_, to)| to == label),
        ];
        let found = self.alone(at, &targets, |i| !is_tied[i])?;
        if found.is_some() || label != TAU {
            return Ok(found);
        }
        let rights = self.row(&at.operands[1])?;
        for left in self.with_origin_of(&at.operands[0], at.step)? {
            if left.target != targets[0] || left.origin != at.step.origin {
                continue;
            }
            let partner = rights.iter().find(|right| {
                right.target == targets[1] && ties.contains(&(left.label, right.label))
            });
            if let Some(&right) = partner {
                let changes = vec![
                    (0, self.follow(&at.operands[0], left)?),
                    (1, self.follow(&at.operands[1], right)?),
                ];
                return Ok(Some(at.node.changed(at.step.target, changes)));
            }
        }
        Ok(None)
    }

    /// All operands of a parallel terminate.
    pub(super) fn termination(&mut self, at: &At<'_>) -> Found {
        for operand in at.operands {
            let row = self.row(operand)?;
            let Some(&step) = row.iter().find(|step| step.label == TICK) else {
                return Ok(None);
            };
            self.follow(operand, step)?;
        }
        Ok(self
            .is(at.step.target, &Term::Omega)
            .then(|| at.node.done(at.step.target)))
    }
}
