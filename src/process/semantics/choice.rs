//! Rules of the choices: external, sliding and synchronising.

use super::parallel::joint_steps;
use super::{Row, Step, Stepper, plain};
use crate::event::{EventSetId, TAU, TICK};
use crate::term::{Term, TermId};
use base::diag::Result;

impl Stepper<'_> {
    /// The steps of `[]`: τ changes one operand; any other event resolves the choice.
    pub(super) fn external_choice(&mut self, operands: &[TermId], rows: &[Row]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &step in row.iter() {
                let target = if step.label == TAU {
                    let mut changed = operands.to_vec();
                    changed[i] = step.target;
                    // The constructor leaves out an operand that became `STOP`, so that more states
                    // are equal.
                    self.definitions.terms_mut().external_choice(changed)
                } else {
                    step.target
                };
                steps.push(Step { target, ..step });
            }
        }
        steps
    }

    /// The steps of `[>`: any event of the first operand resolves it; before, a τ may drop it.
    pub(super) fn sliding_choice(&mut self, row: &[Step], then: TermId) -> Vec<Step> {
        let mut steps = vec![plain(TAU, then)];
        for &step in row {
            let target = if step.label == TAU {
                self.intern(Term::SlidingChoice(step.target, then))
            } else {
                step.target
            };
            steps.push(Step { target, ..step });
        }
        steps
    }

    /// The steps of `[+ A +]`: all operands do events of `set` together, resolving nothing.
    pub(super) fn synchronising_choice(
        &mut self,
        set: EventSetId,
        operands: &[TermId],
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &step in row.iter() {
                if step.label == TAU {
                    let mut changed = operands.to_vec();
                    changed[i] = step.target;
                    let target = self.intern(Term::SynchronisingChoice(set, changed.into()));
                    steps.push(Step { target, ..step });
                // No set contains ✓: it resolves the choice, as any event outside the set does.
                } else if step.label == TICK || !self.contains(set, step.label) {
                    steps.push(step);
                }
            }
        }
        let everyone: Vec<usize> = (0..operands.len()).collect();
        // All take part, so only events of the first operand can happen; the set may be far larger.
        for event in self.shared_labels(&rows[0], set) {
            for joint in joint_steps(rows, &everyone, event)? {
                let changed = joint.targets.into();
                let target = self.intern(Term::SynchronisingChoice(set, changed));
                steps.push(Step {
                    label: event,
                    origin: joint.origin,
                    target,
                });
            }
        }
        Ok(steps)
    }
}
