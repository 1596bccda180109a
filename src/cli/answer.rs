//! One question about one script: what `eval`, `type`, `machine` and `symmetry` have in common.

use std::io;
use std::sync::Arc;

use crate::checker::{Error, Options, Script, Task};
use crate::report::message::one_line;

use super::arguments::Common;
use super::console::Console;
use super::files::Files;
use super::load::Loaded;
use super::output::{OneLine, Said, Unsaid};
use super::status::Status;

/// What is asked about.
pub(super) struct ScriptQuestion<'c> {
    /// The script.
    pub(super) file: &'c str,
    /// What progress is shown under.
    pub(super) title: String,
    /// How the script is to be read.
    pub(super) common: &'c Common,
    /// What is printed in JSON where there is no answer. `None` for people.
    pub(super) failure: Option<OneLine>,
}

impl ScriptQuestion<'_> {
    /// Prints the answer, or why there is none.
    pub(super) fn put(
        self,
        files: &mut Files,
        console: &mut Console<'_>,
        ask: impl FnOnce(&Script, &Options, &Task) -> Result<String, Error>,
    ) -> io::Result<Status> {
        console.monitor().begin(self.title);
        console.pending(Unsaid::Answer(self.failure.clone()));
        let loaded = match Loaded::read(self.file, files, &self.common.definitions) {
            Ok(loaded) => loaded,
            Err(error) => return console.failure(&error, self.failure.as_ref()),
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
            Err(error) => console.failure(&error, self.failure.as_ref()),
        }
    }
}

/// The line of JSON that `report` makes of the reason why there is no answer.
pub(super) fn failing(report: impl Fn(String) -> String + Send + Sync + 'static) -> OneLine {
    Arc::new(move |problem, sources| report(one_line(problem, sources)))
}
