//! One question about one script: what `eval`, `type`, `machine` and `symmetry` have in common.

use std::io;

use crate::diag::{Diagnostic, Result};
use crate::report::message::one_line;
use crate::source::SourceMap;

use super::arguments::Common;
use super::console::Console;
use super::files::Files;
use super::mistakes::of_the_rest;
use super::output::{OneLine, Said, Unsaid};
use super::request::{Load, Session};
use super::status::Status;

/// What is asked about.
pub(super) struct Question<'c, F> {
    /// The script.
    pub(super) file: &'c str,
    /// What is worked on meanwhile, for who waits.
    pub(super) title: String,
    /// How the script is to be read.
    pub(super) common: &'c Common,
    /// What is printed instead of an answer, of the reason why there is none: a line of JSON without the newline; absent for people.
    pub(super) failure: Option<F>,
}

impl<F: Fn(String) -> String + Clone + Send + 'static> Question<'_, F> {
    /// Prints the answer, or why there is none.
    pub(super) fn put(
        self,
        files: &mut Files,
        load: Load,
        console: &mut Console<'_>,
        ask: impl FnOnce(&mut dyn Session) -> Result<String>,
    ) -> io::Result<Status> {
        console.monitor().begin(self.title);
        let failure = self.failure;
        console.pending(Unsaid::Answer(failure.clone().map(unanswered)));
        let failed = |problems: &[Diagnostic], sources: &SourceMap, console: &mut Console<'_>| {
            let failure = failure.as_ref().map(|failure| failure as _);
            console.failure(problems, sources, failure)
        };
        let mut session = match load(self.file, files, &self.common.options(console.monitor())) {
            Ok(session) => session,
            Err(failure) => {
                let problems = of_the_rest(&failure.problems);
                return failed(&problems, &failure.sources, console);
            }
        };
        let warnings = console.problems(&session.warnings(), session.sources());
        match ask(&mut *session) {
            Ok(out) => {
                let said = Said {
                    out,
                    ..Said::default()
                };
                console.answer(&said, Status::Holds, None)?;
                Ok(warnings)
            }
            Err(problem) => failed(&[*problem], session.sources(), console),
        }
    }
}

/// What is printed where a limit ends the run from outside, of its message.
fn unanswered(failure: impl Fn(String) -> String + Send + 'static) -> OneLine {
    let none = SourceMap::new();
    Box::new(move |problem| failure(one_line(problem, &none)))
}
