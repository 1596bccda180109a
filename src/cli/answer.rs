//! One question about one script: what `eval`, `type`, `machine` and `symmetry` have in common.

use std::io;
use std::time::Instant;

use crate::diag::Result;

use super::arguments::Common;
use super::console::Console;
use super::files::Files;
use super::request::{Load, Session};
use super::status::Status;

/// What is asked about.
pub(super) struct Question<'c> {
    /// The script.
    pub(super) file: &'c str,
    /// How it is to be read.
    pub(super) common: &'c Common,
    /// What is printed instead of an answer, of the reason why there is none; absent for people.
    pub(super) failure: Option<&'c dyn Fn(String) -> String>,
}

impl Question<'_> {
    /// Prints the answer, or why there is none.
    pub(super) fn put(
        &self,
        deadline: Option<Instant>,
        files: &mut Files,
        load: Load,
        console: &mut Console<'_>,
        ask: impl FnOnce(&mut dyn Session) -> Result<String>,
    ) -> io::Result<Status> {
        let mut session = match load(self.file, files, &self.common.options(deadline)) {
            Ok(session) => session,
            Err(failure) => {
                return console.failure(&failure.problems, &failure.sources, self.failure);
            }
        };
        let warnings = console.problems(session.warnings(), session.sources());
        match ask(&mut *session) {
            Ok(answer) => {
                console.result(&answer)?;
                Ok(warnings)
            }
            Err(problem) => console.failure(&[*problem], session.sources(), self.failure),
        }
    }
}
