//! Priorities: the steps of a partial state that are certainly blocked.
//!
//! A step of `prioritise(P, <A0, A1, ..>)` is left out if P can certainly do an event of higher
//! priority, whatever is out of sight. Otherwise it stays, which only permits more.

use super::model::{Partial, PartialModel, PartialStep};
use super::scene::EventNumber;
use super::tree::StructureNode;
use base::diag::Result;

impl PartialModel<'_> {
    /// The steps of `process` that are not certainly blocked. Levels are numbers of sets, the
    /// highest priority first.
    pub(super) fn unblocked(
        &mut self,
        scene: usize,
        levels: &[usize],
        process: &StructureNode,
        state: &Partial,
    ) -> Result<Vec<PartialStep>> {
        let steps = self.steps_of(scene, process, state)?;
        let mut leveled = Vec::with_capacity(steps.len());
        for step in steps {
            // A hidden event has the priority of τ.
            let level = match step.is_visible {
                true => self.level(scene, levels, step.event)?,
                false => None,
            };
            leveled.push((level, step));
        }
        let may_be_blocked = leveled.iter().any(|(level, _)| *level > Some(0));
        let highest = match may_be_blocked {
            true => self.highest(scene, levels, process, state)?,
            false => None,
        };
        let is_blocked = |level: Option<usize>| match (highest, level) {
            (Some(highest), Some(level)) => highest < level,
            _ => false,
        };
        leveled.retain(|(level, _)| !is_blocked(*level));
        Ok(leveled.into_iter().map(|(_, step)| step).collect())
    }

    /// The number of the first set that has `event`; `None` if there is none.
    pub(super) fn level(
        &mut self,
        scene: usize,
        levels: &[usize],
        event: EventNumber,
    ) -> Result<Option<usize>> {
        for (level, &set) in levels.iter().enumerate() {
            if self.is_member(scene, set, event)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The highest priority among the events that `process` can certainly do.
    fn highest(
        &mut self,
        scene: usize,
        levels: &[usize],
        process: &StructureNode,
        state: &Partial,
    ) -> Result<Option<usize>> {
        let mut highest: Option<usize> = None;
        for certain in self.certain(scene, process, state)? {
            if !certain.asked_at.is_empty() {
                continue;
            }
            let level = match certain.is_hidden {
                true => Some(0),
                false => self.level(scene, levels, certain.event)?,
            };
            highest = match (highest, level) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        Ok(highest)
    }
}
