//! Checks that own their script, for callers that keep them.

use std::sync::Arc;

use self_cell::self_cell;

use super::checks::Checks;
use super::options::Options;
use super::script::{Answer, Script};
use super::task::Task;

/// The checks of a script with everything that they share: [`Checks`] that can be kept without the
/// script beside them. They belong to one thread.
pub struct OwnChecks(ChecksCell);

/// A script, and the options by which it is checked.
struct AskedScript {
    script: Arc<Script>,
    options: Options,
}

self_cell!(
    struct ChecksCell {
        owner: AskedScript,
        #[not_covariant]
        dependent: Checks,
    }
);

impl OwnChecks {
    /// Checks of `script` that have decided nothing.
    pub fn new(script: Arc<Script>, options: Options) -> Self {
        let asked = AskedScript { script, options };
        Self(ChecksCell::new(asked, |asked| {
            Checks::new(&asked.script, &asked.options)
        }))
    }

    /// Decides the assertion at `index`, as [`Checks::check`] does.
    ///
    /// # Panics
    ///
    /// If there is no assertion at `index`.
    pub fn check(&mut self, index: usize, task: &Task) -> Answer {
        self.0
            .with_dependent_mut(|_, checks| checks.check(index, task))
    }
}
