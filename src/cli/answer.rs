//! One question about one script: what `eval`, `type`, `machine` and `symmetry` have in common.

use std::io;

use crate::checker::{Error, Options, Script, Task};
use crate::report::message::one_line;
use crate::source::SourceMap;

use super::arguments::Common;
use super::console::Console;
use super::files::Files;
use super::load::Loaded;
use super::output::{OneLine, Said, Unsaid};
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
        console: &mut Console<'_>,
        ask: impl FnOnce(&Script, &Options, &Task) -> Result<String, Error>,
    ) -> io::Result<Status> {
        console.monitor().begin(self.title);
        let failure = self.failure;
        console.pending(Unsaid::Answer(failure.clone().map(unanswered)));
        let failed = |error: Error, console: &mut Console<'_>| {
            let failure = failure.as_ref().map(|failure| failure as _);
            console.failure(&error.messages(), error.sources(), failure)
        };
        let loaded = match Loaded::read(self.file, files, &self.common.definitions) {
            Ok(loaded) => loaded,
            Err(error) => return failed(error, console),
        };
        let options = self.common.options(console.monitor().memory());
        let script = &loaded.script;
        let warnings = console.problems(&loaded.warnings(&options), script.sources());
        match ask(script, &options, &console.monitor().task()) {
            Ok(out) => {
                let said = Said {
                    out,
                    ..Said::default()
                };
                console.answer(&said, Status::Holds, None)?;
                Ok(warnings)
            }
            Err(error) => failed(error, console),
        }
    }
}

/// What is printed where a limit ends the run from outside, of its message.
fn unanswered(failure: impl Fn(String) -> String + Send + 'static) -> OneLine {
    let none = SourceMap::new();
    Box::new(move |problem| failure(one_line(problem, &none)))
}
