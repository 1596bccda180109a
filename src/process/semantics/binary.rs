//! Rules of the operators in which one process hands over to another: `;`, interrupts, exception.

use super::{Row, Step, Stepper, labelled};
use crate::event::{EventSetId, TAU, TICK};
use crate::term::{Term, TermId};

impl Stepper<'_> {
    /// The steps of `;`. The ✓ of the first operand becomes a τ to `then`.
    pub(super) fn sequential(&mut self, row: &[Step], then: TermId) -> Vec<Step> {
        let step = |&step: &Step| {
            if step.label == TICK {
                return Step {
                    label: TAU,
                    origin: step.origin,
                    target: then,
                };
            }
            Step {
                target: self.intern(Term::Sequential(step.target, then)),
                ..step
            }
        };
        row.iter().map(step).collect()
    }

    /// The steps of an interrupt. `interrupter` takes over with its first visible event.
    pub(super) fn interrupt(
        &mut self,
        process: TermId,
        interrupter: TermId,
        rows: &[Row],
    ) -> Vec<Step> {
        let nothing = self.definitions.terms_mut().events.intern_set(Vec::new());
        self.interrupting((process, interrupter), nothing, rows, Term::Interrupt)
    }

    /// The steps of `P /+ A +\ Q`: events of `set` are done together and do not interrupt.
    pub(super) fn synchronising_interrupt(
        &mut self,
        process: TermId,
        set: EventSetId,
        interrupter: TermId,
        rows: &[Row],
    ) -> Vec<Step> {
        self.interrupting((process, interrupter), set, rows, |p, q| {
            Term::SynchronisingInterrupt(p, set, q)
        })
    }

    /// The steps of both kinds of interrupts. `term` builds the operator over changed operands.
    fn interrupting(
        &mut self,
        (process, interrupter): (TermId, TermId),
        set: EventSetId,
        rows: &[Row],
        term: impl Fn(TermId, TermId) -> Term,
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        for &step in rows[0].iter() {
            if step.label == TICK {
                steps.push(step);
            } else if self.contains(set, step.label) {
                for partner in labelled(&rows[1], step.label) {
                    let target = self.intern(term(step.target, partner.target));
                    steps.push(Step { target, ..step });
                }
            } else {
                let target = self.intern(term(step.target, interrupter));
                steps.push(Step { target, ..step });
            }
        }
        for &step in rows[1].iter() {
            if step.label == TAU {
                let target = self.intern(term(process, step.target));
                steps.push(Step { target, ..step });
            // ✓ is in no set, so the ✓ of the interrupter ends the whole here.
            } else if !self.contains(set, step.label) {
                steps.push(step);
            }
        }
        steps
    }

    /// The steps of `P [| A |> Q`: an event of `set` hands over to `handler`.
    pub(super) fn exception(
        &mut self,
        row: &[Step],
        set: EventSetId,
        handler: TermId,
    ) -> Vec<Step> {
        let step = |&step: &Step| {
            let target = if step.label == TICK {
                step.target
            } else if self.contains(set, step.label) {
                handler
            } else {
                self.intern(Term::Exception(step.target, set, handler))
            };
            Step { target, ..step }
        };
        row.iter().map(step).collect()
    }
}
