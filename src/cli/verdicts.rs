//! Decides assertions and prints verdicts, for `check`, `refine` and `symmetry --for-all`.

use std::collections::BTreeSet;
use std::io;

use base::source::SourceMap;
use checker::{Answer, Definition, Error, Options, Script, Task};

use super::cluster::Membership;
use super::records::Records;
use host::arguments::{Checking, RecordWish};
use host::console::Console;
use host::files::Files;
use host::limits::Limit;
use host::load::Loaded;
use host::output::{Said, Unsaid};
use host::remaining::{RemainingVerdicts, VerdictPrinter};
use host::spill::LockedFolder;
use host::status::Status;

/// Decides assertions, and keeps what was printed of them.
pub(super) struct Verdicts {
    pub(super) options: Options,
    pub(super) printer: VerdictPrinter,
    /// The cluster in which the scripts are checked.
    pub(super) cluster: Option<Membership>,
    /// The files that are written at the end.
    pub(super) records: Option<Records>,
    /// The warnings of checks that were printed: assertions about one process share most of them.
    warned: BTreeSet<String>,
    /// The folder in which searches keep their states, locked as long as this value lives.
    _folder: Option<LockedFolder>,
}

impl Verdicts {
    /// Decides by `options`, without other processes.
    pub(super) fn new(options: Options, printer: VerdictPrinter) -> Self {
        Self {
            options,
            printer,
            cluster: None,
            records: None,
            warned: BTreeSet::new(),
            _folder: None,
        }
    }

    /// Decides as `call` says, in a cluster if it asks for one, and keeps all verdicts as `wish`
    /// says.
    pub(super) fn begin(
        call: &Checking,
        wish: &RecordWish,
        console: &Console<'_>,
    ) -> Result<Self, Error> {
        let folder = call.storage.open(&call.cluster)?;
        // One process writes the files, as all have the same verdicts.
        let records = match call.cluster.is_silent() {
            true => None,
            false => Records::wanted(wish)?,
        };
        let cluster = Membership::join(&call.cluster, console.monitor())?;
        let options = Options {
            // The page has the lanes of each component.
            explain: call.explain || wish.report.is_some(),
            storage: folder.as_ref().map(|folder| folder.storage.clone()),
            cluster: cluster.as_ref().map(Membership::exchange),
            ..call.options(console.monitor().memory())
        };
        Ok(Self {
            cluster,
            records,
            _folder: folder,
            ..Self::new(options, VerdictPrinter::of(call))
        })
    }

    /// Leaves the cluster, and writes the files.
    pub(super) fn end(self, console: &mut Console<'_>) {
        if let Some(cluster) = self.cluster {
            cluster.close();
        }
        let problems = self.records.map_or(Vec::new(), |records| records.write());
        console.problems(&problems, &SourceMap::new());
    }

    /// Does the `work` on an assertion, together with the cluster if there is one.
    pub(super) fn ask(&mut self, work: impl FnOnce(&Options) -> Answer) -> Answer {
        let options = &self.options;
        match &mut self.cluster {
            Some(cluster) => cluster.ask(|| work(options), |answer| answer.problem.is_some()),
            None => work(options),
        }
    }

    /// Prints the verdict that `decide` finds of one assertion of the script `file`, or the reason
    /// why there is none. The constants of the script are replaced by `definitions`. Progress is
    /// shown under `title`.
    pub(super) fn single(
        &mut self,
        (file, definitions): (&str, &[Definition]),
        title: String,
        files: &mut Files,
        console: &mut Console<'_>,
        decide: impl FnOnce(&mut Self, &Script, &Task) -> Result<Answer, Error>,
    ) -> io::Result<()> {
        console.monitor().begin(file.to_string());
        let left = RemainingVerdicts::unread(self.printer.clone(), &[file]);
        console.pending(Unsaid::Verdicts(left));
        let loaded = match Loaded::read(file, files, definitions) {
            Ok(loaded) => loaded,
            Err(error) => return console.failure(&error),
        };
        let script = &loaded.script;
        console.problems(&loaded.warnings(&self.options), script.sources());
        let monitor = console.monitor().clone();
        let answer = match monitor.turn_of(title, |task| decide(self, script, task)) {
            Ok(answer) => answer,
            Err(error) => return console.failure(&error),
        };
        let verdict = self.printer.verdict(&answer.report);
        self.answer(&answer, verdict, None, console)
    }

    /// Prints the `verdict` of an assertion, and the messages that go with it. `rest` is left after
    /// it.
    pub(super) fn answer(
        &mut self,
        answer: &Answer,
        verdict: String,
        rest: Option<Unsaid>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let messages = answer.problem.as_ref();
        let messages = messages.map(|error| Said::messages(&error.messages(), error.sources()));
        let mut said = Said {
            out: verdict,
            ..messages.unwrap_or_default()
        };
        for warning in answer.warnings.iter().filter(|_| !self.printer.is_quiet()) {
            let text = warning.render(&answer.sources);
            if self.warned.insert(text.clone()) {
                said.err += &text;
            }
        }
        console.answer(&said, Status::of_verdict(answer.report.verdict), rest)
    }
}

/// True if `answer` has no verdict because of the limit that ends the run.
pub(super) fn tells_of(answer: &Answer, limit: Option<Limit>) -> bool {
    let ends_run = limit.map(|limit| limit.diagnostic().message);
    let messages = answer.problem.as_ref().map(Error::messages);
    let mut messages = messages.iter().flatten();
    messages.any(|problem| Some(&problem.message) == ends_run.as_ref())
}
