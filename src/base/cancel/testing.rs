//! For tests: ends work after some steps, and counts the steps it asks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Cancellation, count_anew};
use crate::diag::Result;

/// Runs `work`, which may begin at most `most` steps. Returns its result and the number of steps it
/// began. Fails if `work` begins a step after it was ended.
pub fn within<R>(most: usize, work: impl FnOnce(&Cancellation) -> Result<R>) -> (Result<R>, usize) {
    let whole = Cancellation::new();
    let steps = Arc::new(AtomicUsize::new(0));
    let (ended, heard) = (whole.clone(), steps.clone());
    let listener = move |begun: usize| {
        let before = heard.fetch_add(begun, Ordering::Relaxed);
        assert!(before <= most, "it goes on after {before} of {most} steps");
        if before + begun > most {
            ended.cancel();
        }
    };
    count_anew();
    let outcome = work(&whole.heard_at_each_step(listener));
    (outcome, steps.load(Ordering::Relaxed))
}

/// Returns the number of steps that `work` begins if it may go on to its end. Before that, `work`
/// is ended after 0, 1, 3, 7 and so on steps, and has to end at once each time.
pub fn asked<R>(mut work: impl FnMut(&Cancellation) -> Result<R>) -> usize {
    let mut most = 0;
    loop {
        match within(most, &mut work) {
            (Ok(_), steps) => return steps,
            (Err(problem), _) => assert_eq!(problem.code, "interrupted"),
        }
        most = 2 * most + 1;
    }
}
