//! Steps through the operators that change labels alone: hiding, projection, renaming, priorities.

use super::{At, Follower, Found};
use crate::process::event::{EventId, TICK};
use crate::process::term::{Term, TermId};

impl Follower<'_> {
    /// The operators that change labels alone: `shows` says whether an inner label can be seen as an outer one.
    pub(super) fn relabelled(
        &mut self,
        at: &At<'_>,
        shows: impl Fn(&Self, EventId, EventId) -> bool,
        wrapped: impl Fn(TermId) -> Term,
    ) -> Found {
        if at.step.label == TICK {
            return self.taken_over(at, 0);
        }
        for inner in self.with_origin_of(&at.operands[0], at.step)? {
            if inner.label != TICK
                && inner.origin == at.step.origin
                && shows(self, inner.label, at.step.label)
                && self.is(at.step.target, &wrapped(inner.target))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }
}
