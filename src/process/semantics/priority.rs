//! The rule of prioritised processes.

use std::sync::Arc;

use super::{Step, Stepper};
use crate::event::TICK;
use crate::priority::Priority;
use crate::term::Term;

impl Stepper<'_> {
    /// The steps in `row` for which no event with a higher priority is in `row`.
    pub(super) fn prioritise(&mut self, row: &[Step], priority: &Arc<Priority>) -> Vec<Step> {
        let mut is_possible = vec![false; priority.class_count()];
        for class in row.iter().filter_map(|step| priority.class(step.label)) {
            is_possible[class as usize] = true;
        }
        let is_blocked = |step: &&Step| {
            let above = priority
                .class(step.label)
                .map(|class| priority.above(class));
            let mut above = above.into_iter().flatten();
            above.any(|&class| is_possible[class as usize])
        };
        let steps = row.iter().filter(|step| !is_blocked(step)).map(|&step| {
            // ✓ leads to Ω, around which no operator is put.
            if step.label == TICK {
                return step;
            }
            let target = self.intern(Term::Prioritise(step.target, Arc::clone(priority)));
            Step { target, ..step }
        });
        steps.collect()
    }
}
