//! Assertions that are being decided, one after the other beside the conversation, and the verdicts
//! so far.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use gen_lsp_types::ProgressToken;
use lsp_server::RequestId;

use base::cancel::{Cancellation, Ends, Reason};
use base::diag::Diagnostic;
use base::source::SourceMap;
use base::threads::STACK_BYTES;
use checker::{Options, Progress, Task, Work};
use host::complaint::no_thread;
use host::fault::caught;
use host::files::Files;
use host::load::Loaded;

use super::event::Event;
use super::outcome::{CheckOutcome, not_loaded, of_answer, raise, stopped};

/// Between two reports of how far a run is.
const INTERVAL: Duration = Duration::from_millis(200);

/// An assertion that somebody waits for.
pub(super) struct CheckRun {
    /// No two runs have the same number.
    pub(super) number: u64,
    /// The script and which of its assertions, counted from 0.
    pub(super) script: String,
    pub(super) index: usize,
    /// What asked for it.
    pub(super) request: RequestId,
    /// What it reports its progress under, once the editor has agreed.
    pub(super) token: Option<ProgressToken>,
    /// What ends it, once it is active.
    cancellation: Option<Cancellation>,
}

/// All runs. One at a time is decided, because each may take all the memory that it is allowed.
#[derive(Default)]
pub(super) struct Runs {
    last_number: u64,
    active: Option<CheckRun>,
    waiting: VecDeque<CheckRun>,
    done: BTreeMap<(String, usize), CheckOutcome>,
}

impl Runs {
    /// Adds a run for the assertion that `request` asks for, and returns its number.
    pub(super) fn add(
        &mut self,
        script: &str,
        index: usize,
        request: RequestId,
        token: Option<ProgressToken>,
    ) -> u64 {
        self.last_number += 1;
        self.done.remove(&(script.to_string(), index));
        self.waiting.push_back(CheckRun {
            number: self.last_number,
            script: script.to_string(),
            index,
            request,
            token,
            cancellation: None,
        });
        self.last_number
    }

    /// Starts the next run, if none is active: `files` are what it reads.
    pub(super) fn start_next(
        &mut self,
        files: impl FnOnce() -> Files,
        options: &Options,
        timeout: Option<Duration>,
        events: &Sender<Event>,
    ) -> Option<&CheckRun> {
        if self.active.is_some() {
            return None;
        }
        let mut run = self.waiting.pop_front()?;
        let task = Task {
            cancellation: Cancellation::ending(Ends {
                deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
                words: Some(Box::new(words)),
                ..Ends::default()
            }),
            progress: Arc::new(Progress::told(reporter(run.number, events))),
        };
        run.cancellation = Some(task.cancellation.clone());
        let job = Job {
            number: run.number,
            script: run.script.clone(),
            index: run.index,
            options: options.clone(),
            task,
            events: events.clone(),
        };
        let mut files = files();
        let worker = thread::Builder::new().stack_size(STACK_BYTES);
        if let Err(error) = worker.spawn(move || job.work(&mut files)) {
            let outcome = stopped(&run.script, no_thread(&error), SourceMap::new());
            // The caller holds the receiver, so that this cannot fail.
            let _ = events.send(Event::Decided(run.number, Box::new(outcome)));
        }
        // The thread that calls this also receives the events, so none arrives before the run is
        // active.
        self.active = Some(run);
        self.active.as_ref()
    }

    /// The active run, if it has this number.
    pub(super) fn active(&self, number: u64) -> Option<&CheckRun> {
        self.active.as_ref().filter(|run| run.number == number)
    }

    /// All runs: the active one and those that wait.
    pub(super) fn iter(&self) -> impl Iterator<Item = &CheckRun> {
        self.active.iter().chain(&self.waiting)
    }

    /// The run with this number.
    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut CheckRun> {
        let mut all = self.active.iter_mut().chain(&mut self.waiting);
        all.find(|run| run.number == number)
    }

    /// Whether anything is under way for an assertion.
    pub(super) fn is_running(&self, script: &str, index: usize) -> bool {
        self.iter()
            .any(|run| run.script == script && run.index == index)
    }

    /// Takes out the active run, which has ended with `outcome`. Returns `None` if it has another
    /// number.
    pub(super) fn finish(
        &mut self,
        number: u64,
        outcome: CheckOutcome,
    ) -> Option<(CheckRun, &CheckOutcome)> {
        let run = self.active.take_if(|run| run.number == number)?;
        let key = (run.script.clone(), run.index);
        // `or_insert` would keep an older verdict.
        self.done.remove(&key);
        let outcome = self.done.entry(key).or_insert(outcome);
        Some((run, outcome))
    }

    /// Takes out all runs that are `unwanted`, and cancels them.
    pub(super) fn cancel(&mut self, unwanted: impl Fn(&CheckRun) -> bool) -> Vec<CheckRun> {
        // The active run counts as gone before its thread has noticed: `finish` ignores what the
        // thread still sends, and the next run may start.
        let mut cancelled: Vec<CheckRun> = self
            .active
            .take_if(|run| unwanted(run))
            .into_iter()
            .collect();
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (others, kept): (Vec<CheckRun>, Vec<CheckRun>) = waiting.partition(|run| unwanted(run));
        self.waiting = kept.into();
        cancelled.extend(others);
        for run in &cancelled {
            if let Some(cancellation) = &run.cancellation {
                cancellation.cancel();
            }
        }
        cancelled
    }

    /// Forgets the verdicts on a script. Returns whether there were any.
    pub(super) fn forget(&mut self, script: &str) -> bool {
        let before = self.done.len();
        self.done.retain(|(name, _), _| name != script);
        self.done.len() < before
    }

    /// The verdicts on a script, by assertion.
    pub(super) fn verdicts(&self, script: &str) -> impl Iterator<Item = (usize, &CheckOutcome)> {
        let from = (script.to_string(), 0);
        let all = self.done.range(from..);
        let own = all.take_while(move |((name, _), _)| name.as_str() == script);
        own.map(|((_, index), outcome)| (*index, outcome))
    }

    /// The verdict on one assertion.
    pub(super) fn verdict(&self, script: &str, index: usize) -> Option<&CheckOutcome> {
        self.done.get(&(script.to_string(), index))
    }
}

/// What a working thread needs.
struct Job {
    number: u64,
    script: String,
    index: usize,
    options: Options,
    task: Task,
    events: Sender<Event>,
}

impl Job {
    /// Decides the assertion. Whatever goes wrong ends this run, not the conversation.
    fn work(&self, files: &mut Files) {
        let outcome = caught(|| self.outcome(files))
            .unwrap_or_else(|problem| stopped(&self.script, problem, SourceMap::new()));
        self.send(Event::Decided(self.number, Box::new(outcome)));
    }

    fn outcome(&self, files: &mut Files) -> CheckOutcome {
        match Loaded::read(&self.script, files, &[]) {
            Ok(loaded) => {
                let script = &loaded.script;
                of_answer(script.check(self.index, &self.options, &self.task))
            }
            Err(error) => not_loaded(&self.script, &error),
        }
    }

    /// Sends `event`. Only while the program ends is there nobody to receive it.
    fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }
}

/// Sends every [`INTERVAL`] how far the run `number` is.
fn reporter(number: u64, events: &Sender<Event>) -> impl Fn(&Work) + Send + Sync + use<> {
    let state = Mutex::new((Instant::now(), events.clone()));
    move |work| {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, events) = &mut *state;
        if last.elapsed() >= INTERVAL {
            *last = Instant::now();
            let _ = events.send(Event::Progress(number, work.doing()));
        }
    }
}

/// What ends a check before it is done. Limits come from the settings of the editor, not from
/// options of the command line.
fn words(reason: Reason) -> Diagnostic {
    let (code, message) = match reason {
        Reason::Time => ("timeout", "the time for one check is over"),
        _ => ("interrupted", "the check was cancelled"),
    };
    let problem = Diagnostic::undecided(code, message);
    match reason {
        Reason::Time => problem.hint(raise("timeout")),
        _ => problem,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use report::assertion::Verdict;

    #[test]
    fn a_run_that_panics_has_an_outcome() {
        let (events, received) = mpsc::channel();
        let job = Job {
            number: 7,
            script: "a.csp".to_string(),
            index: 0,
            options: Options::default(),
            task: Task {
                progress: Arc::new(Progress::told(|_| panic!("no such thing"))),
                ..Task::default()
            },
            events,
        };
        let script = [("a.csp".to_string(), "assert STOP [T= STOP".to_string())];
        job.work(&mut Files::with_open(script));
        let Ok(Event::Decided(7, outcome)) = received.recv() else {
            panic!("the run has not ended");
        };
        assert_eq!(outcome.report.verdict, Verdict::Error);
        assert_eq!(
            outcome.title(),
            "error (internal-error): internal-error: this is a fault of cspsym, not of the script: no such thing; \
             help: please report it, with the script and the command line"
        );
    }
}
