//! One question about one script: what `eval`, `type`, `machine` and `symmetry` have in common.

use std::io::{self, Write};
use std::sync::Arc;

use base::diag::Diagnostic;
use checker::{Definition, Error, Options, Script, Task};
use report::message::one_line;

use super::console::Console;
use super::files::Files;
use super::load::Loaded;
use super::outcome::CallEnd;
use super::output::{OneLine, Unsaid};

/// A question about a script.
pub struct ScriptQuestion<'c> {
    /// The script.
    pub file: &'c str,
    /// The title under which progress is shown.
    pub title: String,
    /// The constants of the script that are replaced.
    pub definitions: &'c [Definition],
    /// The options that the question is answered with.
    pub options: Options,
    /// Makes the line of JSON that stands in place of an answer. `None` where people read.
    pub failure: Option<OneLine>,
}

impl ScriptQuestion<'_> {
    /// Prints the answer.
    pub fn put(
        self,
        files: &mut Files,
        console: &mut Console<'_>,
        ask: impl FnOnce(&Script, &Options, &Task) -> Result<String, Error>,
    ) -> CallEnd {
        self.put_written(files, console, ask, |text, out| {
            out.write_all(text.as_bytes())?;
            Ok(None)
        })
    }

    /// Prints the answer by `write`, as it may be too long for one text, and then the problem that
    /// `write` returns, if there is one.
    pub fn put_written<A>(
        self,
        files: &mut Files,
        console: &mut Console<'_>,
        ask: impl FnOnce(&Script, &Options, &Task) -> Result<A, Error>,
        write: impl FnOnce(A, &mut dyn Write) -> io::Result<Option<Diagnostic>>,
    ) -> CallEnd {
        console.monitor().begin(self.title);
        console.pending(Unsaid::Answer(self.failure));
        let loaded = Loaded::read(self.file, files, self.definitions)?;
        let script = &loaded.script;
        console.problems(&loaded.warnings(&self.options), script.sources());
        let answer = ask(script, &self.options, &console.monitor().task())?;
        let problem = console.written(|out| write(answer, out))?;
        console.problems(problem.as_slice(), script.sources());
        Ok(())
    }
}

/// Makes the line of JSON in place of an answer: `report` makes it of the text of the problem.
pub fn failing(report: impl Fn(String) -> String + Send + Sync + 'static) -> OneLine {
    Arc::new(move |problem, sources| report(one_line(problem, sources)))
}
