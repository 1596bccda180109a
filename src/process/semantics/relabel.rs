//! Rules of the operators that only change labels: hiding, projection, renaming.

use std::sync::Arc;

use super::{Step, Stepper};
use crate::event::{EventId, EventSetId, TAU, TICK};
use crate::term::{Term, TermId};

impl Stepper<'_> {
    pub(super) fn hide(&mut self, row: &[Step], set: EventSetId) -> Vec<Step> {
        let step = |step: &Step| {
            let hidden = self.contains(set, step.label);
            self.relabelled(step, hidden.then_some(TAU), |p| Term::Hide(p, set))
        };
        row.iter().map(step).collect()
    }

    pub(super) fn project(&mut self, row: &[Step], set: EventSetId) -> Vec<Step> {
        let step = |step: &Step| {
            let hidden = step.label.is_visible() && !self.contains(set, step.label);
            self.relabelled(step, hidden.then_some(TAU), |p| Term::Project(p, set))
        };
        row.iter().map(step).collect()
    }

    /// The steps of a renaming: an event becomes its images; one without images stays.
    pub(super) fn rename(&mut self, row: &[Step], pairs: &Arc<[(EventId, EventId)]>) -> Vec<Step> {
        let mut steps = Vec::with_capacity(row.len());
        for step in row {
            let start = pairs.partition_point(|&(from, _)| from < step.label);
            let images = pairs[start..]
                .iter()
                .take_while(|&&(from, _)| from == step.label);
            let renamed = |p| Term::Rename(p, pairs.clone());
            let mut stays = true;
            for &(_, to) in images {
                stays = false;
                steps.push(self.relabelled(step, Some(to), renamed));
            }
            if stays {
                steps.push(self.relabelled(step, None, renamed));
            }
        }
        steps
    }

    /// `step` with the label `label`, if given, below the operator that `term` puts back.
    fn relabelled(
        &mut self,
        step: &Step,
        label: Option<EventId>,
        term: impl Fn(TermId) -> Term,
    ) -> Step {
        // ✓ is neither hidden nor renamed, and leads to Ω, around which no operator is put.
        if step.label == TICK {
            return *step;
        }
        let target = self.intern(term(step.target));
        Step {
            label: label.unwrap_or(step.label),
            origin: step.origin,
            target,
        }
    }
}
