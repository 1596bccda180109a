//! Rules of the built-in buffers.

use std::sync::Arc;

use super::{Step, Stepper, plain};
use crate::event::EventId;
use crate::term::{BufferShape, Overflow, Term, TermId};

impl Stepper<'_> {
    /// The steps of the buffer `term`, which holds `held`, oldest first.
    pub(super) fn buffer(
        &mut self,
        term: TermId,
        shape: &Arc<BufferShape>,
        held: &[EventId],
    ) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some((&oldest, rest)) = held.split_first() {
            let target = self.intern(Term::Buffer(shape.clone(), rest.into()));
            steps.push(plain(oldest, target));
        }
        let full = held.len() >= shape.capacity;
        for &(input, output) in &shape.pairs {
            let target = match shape.overflow {
                _ if !full => {
                    let held: Arc<[EventId]> = held.iter().copied().chain([output]).collect();
                    self.intern(Term::Buffer(shape.clone(), held))
                }
                // The item is lost, and the signal comes before anything else.
                Overflow::Signal(signal) => self.intern(Term::Prefix([(signal, term)].into())),
                Overflow::Refuse | Overflow::Status(..) => continue,
            };
            steps.push(plain(input, target));
        }
        if let Overflow::Status(when_full, when_empty) = shape.overflow {
            if full {
                steps.push(plain(when_full, term));
            }
            if held.is_empty() {
                steps.push(plain(when_empty, term));
            }
        }
        steps
    }
}
