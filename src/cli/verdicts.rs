//! Decides assertions and prints verdicts, for `check`, `refine` and `symmetry --for-all`.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io;

use base::source::SourceMap;
use checker::{Answer, Checks, Definition, Error, Options, Script, Task};

use super::cache::{ScriptKey, VerdictCache};
use super::cluster::Membership;
use super::records::{Records, drawing};
use super::told::{ToldAnswer, ToldProblem};
use host::arguments::{Checking, RecordWish};
use host::console::Console;
use host::files::Files;
use host::limits::Limit;
use host::load::Loaded;
use host::monitor::Monitor;
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
    /// The folder in which verdicts are kept.
    cache: Option<VerdictCache>,
    /// True if each assertion is to be drawn, for a file that is written.
    draws: bool,
    /// The warnings of checks that were printed: assertions about one process share most of them.
    warned: BTreeSet<String>,
    /// The folder in which searches keep their states, locked as long as this value lives.
    _folder: Option<LockedFolder>,
}

/// A question about an assertion of a script.
pub(super) struct AskedAssertion<'a> {
    pub(super) script: &'a Script,
    /// The key of all verdicts on the script.
    pub(super) key: &'a ScriptKey,
    /// The assertion.
    pub(super) index: usize,
    /// Its text.
    pub(super) text: &'a str,
}

impl AskedAssertion<'_> {
    /// The title under which progress is shown.
    pub(super) fn title(&self) -> String {
        format!("assert {}", self.text)
    }
}

impl Verdicts {
    /// Decides by `options`, without other processes.
    pub(super) fn new(options: Options, printer: VerdictPrinter) -> Self {
        Self {
            options,
            printer,
            cluster: None,
            records: None,
            cache: None,
            draws: false,
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
        let cache = call.cache.as_deref().map(VerdictCache::open).transpose()?;
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
            draws: records.as_ref().is_some_and(Records::has_drawings),
            records,
            cache,
            _folder: folder,
            ..Self::new(options, VerdictPrinter::of(call))
        })
    }

    /// Decides for another process, which keeps all verdicts as `wish` says.
    pub(super) fn of_copy(
        call: &Checking,
        wish: &RecordWish,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let options = Options {
            explain: call.explain || wish.report.is_some(),
            ..call.options(monitor.memory())
        };
        Ok(Self {
            cache: call.cache.as_deref().map(VerdictCache::open).transpose()?,
            draws: wish.report.is_some(),
            ..Self::new(options, VerdictPrinter::of(call))
        })
    }

    /// The folder in which verdicts are kept.
    pub(super) fn cache(&mut self) -> Option<&mut VerdictCache> {
        self.cache.as_mut()
    }

    /// Leaves the cluster, and writes the files.
    pub(super) fn end(self, console: &mut Console<'_>) {
        if let Some(cluster) = self.cluster {
            cluster.close();
        }
        let mut problems = self.records.map_or(Vec::new(), |records| records.write());
        problems.extend(self.cache.and_then(|cache| cache.problem()));
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

    /// The key of all verdicts on `script`.
    pub(super) fn key(&self, script: &Script) -> ScriptKey {
        ScriptKey::of(script.sources(), &self.options, self.draws)
    }

    /// Decides the assertion that is `asked` about, unless its verdict is kept, in a turn of its
    /// own, which `begin` begins.
    pub(super) fn decided(
        &mut self,
        checks: &mut Checks<'_>,
        asked: &AskedAssertion<'_>,
        monitor: &Monitor,
        begin: impl FnOnce(),
    ) -> ToldAnswer {
        let &AskedAssertion {
            script,
            key,
            index,
            text,
        } = asked;
        let mut decide = |verdicts: &mut Self, task: &Task| {
            let answer = verdicts.ask(|_| checks.check(index, task));
            // A question for every value of a constant is about other instances, too.
            let is_drawn = verdicts.draws && answer.report.for_all.is_none();
            let drawn = is_drawn.then(|| drawing(script, index, &verdicts.options, task));
            ToldAnswer::of(answer, drawn.flatten())
        };
        let place = format!("{}: {text}", index + 1);
        let Ok(answer) = monitor.turn_of(asked.title(), |task| {
            begin();
            self.told::<Infallible>((key, place), monitor, |verdicts| Ok(decide(verdicts, task)))
        });
        answer
    }

    /// The answer to what is `asked` of the script with this key: the one that is kept, or the one
    /// that `decide` finds. A verdict that was found within all limits is kept.
    pub(super) fn told<E>(
        &mut self,
        (script, asked): (&ScriptKey, String),
        monitor: &Monitor,
        decide: impl FnOnce(&mut Self) -> Result<ToldAnswer, E>,
    ) -> Result<ToldAnswer, E> {
        let asked = self.cache.as_ref().map(|cache| {
            let key = cache.verdict(script, asked);
            (cache.answer(&key), key)
        });
        let (kept, key) = asked.unzip();
        if let Some(mut kept) = kept.flatten() {
            kept.report.cached = true;
            // That of this run: no verdict depends on it.
            kept.report.memory_limit = self.options.memory_limit.clone();
            return Ok(kept);
        }
        let told = decide(self)?;
        if let (Some(cache), Some(key)) = (&mut self.cache, key)
            && told.is_decided()
            && monitor.reached().is_none()
        {
            cache.keep(&key, &told);
        }
        Ok(told)
    }

    /// Prints the verdict that `decide` finds of one assertion of the script `file`, or the reason
    /// why there is none. The constants of the script are replaced by `definitions`. Progress is
    /// shown under `title`, and the verdict is kept under what is `asked`.
    pub(super) fn single(
        &mut self,
        (file, definitions): (&str, &[Definition]),
        (title, asked): (String, String),
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
        let key = self.key(script);
        let answer = monitor.turn_of(title, |task| {
            self.told((&key, asked), &monitor, |verdicts| {
                let answer = decide(verdicts, script, task)?;
                Ok(ToldAnswer::of(answer, None))
            })
        });
        let answer = match answer {
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
        answer: &ToldAnswer,
        verdict: String,
        rest: Option<Unsaid>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let messages = answer.problem.as_ref().map(ToldProblem::said);
        let mut said = Said {
            out: verdict,
            ..messages.unwrap_or_default()
        };
        for warning in answer.warnings.iter().filter(|_| !self.printer.is_quiet()) {
            if self.warned.insert(warning.clone()) {
                said.err += warning;
            }
        }
        console.answer(&said, Status::of_verdict(answer.report.verdict), rest)
    }
}

/// True if `answer` has no verdict because of the limit that ends the run.
pub(super) fn tells_of(answer: &ToldAnswer, limit: Option<Limit>) -> bool {
    let ends_run = limit.map(|limit| limit.diagnostic().message);
    let sentences = answer.problem.iter();
    let mut sentences = sentences.flat_map(|problem| &problem.sentences);
    sentences.any(|sentence| Some(sentence) == ends_run.as_ref())
}
