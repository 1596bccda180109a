//! Steps through the operators that hand over from one process to another: `;`, `[>`, exceptions, interrupts.

use super::{At, Follower, Found};
use crate::process::event::{EventSetId, TAU, TICK};
use crate::process::semantics::Step;
use crate::process::term::{Term, TermId};

impl Follower<'_> {
    /// The ✓ of the first operand is a τ to the other.
    pub(super) fn sequential(&mut self, at: &At<'_>, then: TermId) -> Found {
        for inner in self.with_origin_of(&at.operands[0], at.step)? {
            if inner.label == TICK {
                let handed_over = Step {
                    label: TAU,
                    origin: inner.origin,
                    target: then,
                };
                if handed_over == at.step {
                    self.follow(&at.operands[0], inner)?;
                    return self.start(at, then).map(Some);
                }
            } else if self.same(inner, at)
                && self.is(at.step.target, &Term::Sequential(inner.target, then))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }

    /// The τ to what waits is nobody's but the operator's.
    pub(super) fn sliding_choice(&mut self, at: &At<'_>, then: TermId) -> Found {
        for inner in self.with_origin_of(&at.operands[0], at.step)? {
            if inner.label != TAU && inner == at.step {
                return self.follow(&at.operands[0], inner).map(Some);
            }
            if inner.label == TAU
                && self.same(inner, at)
                && self.is(at.step.target, &Term::SlidingChoice(inner.target, then))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        let slides = Step {
            label: TAU,
            origin: TAU,
            target: then,
        };
        if at.step != slides {
            return Ok(None);
        }
        let operator = self.cast.extra(self.definitions, at.node);
        self.took_part(operator, at.step);
        self.start(at, then).map(Some)
    }

    /// An event of `set` hands over to the handler.
    pub(super) fn exception(&mut self, at: &At<'_>, set: EventSetId, handler: TermId) -> Found {
        for inner in self.with_origin_of(&at.operands[0], at.step)? {
            if !self.same(inner, at) {
                continue;
            }
            if inner.label == TICK && inner == at.step {
                return self.follow(&at.operands[0], inner).map(Some);
            }
            if self.contains(set, inner.label) {
                if at.step.target == handler {
                    self.follow(&at.operands[0], inner)?;
                    return self.start(at, handler).map(Some);
                }
            } else if self.is(at.step.target, &Term::Exception(inner.target, set, handler)) {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }

    /// The second operand takes over with a visible event, unless that is in `set`, which both do together.
    pub(super) fn interrupt(&mut self, at: &At<'_>, set: Option<EventSetId>) -> Found {
        let is_shared = set.is_some_and(|set| self.contains(set, at.step.label));
        let targets = match *self.definitions.terms().get(at.step.target) {
            Term::Interrupt(p, q) if set.is_none() => Some([p, q]),
            Term::SynchronisingInterrupt(p, of, q) if set == Some(of) => Some([p, q]),
            _ => None,
        };
        if is_shared {
            return self.all(at, targets.as_ref().map(<[_; 2]>::as_slice), &[0, 1]);
        }
        if at.step.label != TICK
            && let Some(targets) = targets
        {
            let takes_over = at.step.label != TAU;
            let found = self.alone(at, &targets, |i| i == 0 || !takes_over)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if at.step.label == TICK && self.alike(&at.operands[0], at.step)?.contains(&at.step) {
            return self.taken_over(at, 0);
        }
        if at.step.label == TAU {
            return Ok(None);
        }
        self.taken_over(at, 1)
    }
}
