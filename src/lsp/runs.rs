//! Assertions that are being decided, one after the other beside the conversation, and the verdicts
//! so far.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use gen_lsp_types::ProgressToken;
use lsp_server::RequestId;

use base::cancel::{Cancellation, Ends, Reason};
use base::diag::Diagnostic;
use base::threads::STACK_BYTES;
use checker::{Options, Progress, Task, Work};
use host::complaint::no_thread;
use host::fault::caught;
use host::files::Files;
use host::load::Loaded;

use super::incoming::Event;
use super::outcome::{CheckOutcome, raise};
use super::settings::Settings;

/// The time between two reports of the progress of a run.
const INTERVAL: Duration = Duration::from_millis(200);

/// The check of an assertion that a request waits for.
pub(crate) struct CheckRun {
    /// The number of the run. No two runs have the same.
    pub(crate) number: u64,
    /// The script, and the index of the assertion in it, from 0.
    pub(crate) script: String,
    pub(crate) index: usize,
    /// The request that asked for it.
    pub(crate) request: RequestId,
    /// The token under which it reports its progress, once the editor has agreed.
    pub(crate) token: Option<ProgressToken>,
    /// The token that ends it, once it is active.
    cancellation: Option<Cancellation>,
}

impl CheckRun {
    /// True if the run decides this assertion.
    pub(crate) fn is_of(&self, script: &str, index: usize) -> bool {
        self.script == script && self.index == index
    }
}

/// All runs. One at a time is decided, because each may take all the memory that it is allowed.
#[derive(Default)]
pub(crate) struct Runs {
    last_number: u64,
    /// The runs that are not over. The first is active, or may become so.
    open: Vec<CheckRun>,
    /// The verdicts by script and assertion.
    done: BTreeMap<String, BTreeMap<usize, CheckOutcome>>,
}

impl Runs {
    /// Adds a run for the assertion that `request` asks for, and returns its number.
    pub(crate) fn add(
        &mut self,
        script: String,
        index: usize,
        request: RequestId,
        token: Option<ProgressToken>,
    ) -> u64 {
        self.last_number += 1;
        if let Some(verdicts) = self.done.get_mut(&script) {
            verdicts.remove(&index);
        }
        self.open.push(CheckRun {
            number: self.last_number,
            script,
            index,
            request,
            token,
            cancellation: None,
        });
        self.last_number
    }

    /// Starts the next run on `files`, if none is active.
    pub(crate) fn start_next(
        &mut self,
        files: impl FnOnce() -> Files,
        settings: &Settings,
        events: &Sender<Event>,
    ) {
        let first = self.open.first_mut();
        let Some(run) = first.filter(|run| run.cancellation.is_none()) else {
            return;
        };
        let deadline = |timeout| Instant::now().checked_add(timeout);
        let task = Task {
            cancellation: Cancellation::ending(Ends {
                deadline: settings.timeout.and_then(deadline),
                words: Some(Box::new(words)),
                ..Ends::default()
            }),
            progress: Arc::new(Progress::told_every(INTERVAL, reporter(run.number, events))),
        };
        run.cancellation = Some(task.cancellation.clone());
        let (number, script, index) = (run.number, run.script.clone(), run.index);
        let (mut files, options, sender) = (files(), settings.options.clone(), events.clone());
        let work = move || {
            let outcome = decided(&script, index, &mut files, &options, &task);
            // The receiver is gone only while the program ends.
            let _ = sender.send(Event::Decided(number, Box::new(outcome)));
        };
        if let Err(error) = thread::Builder::new().stack_size(STACK_BYTES).spawn(work) {
            let outcome = CheckOutcome::stopped(&run.script, no_thread(&error), Arc::default());
            // The caller holds the receiver, so that this cannot fail.
            let _ = events.send(Event::Decided(number, Box::new(outcome)));
        }
    }

    /// True if no run is active or waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The run with this number.
    pub(crate) fn get(&self, number: u64) -> Option<&CheckRun> {
        self.open.iter().find(|run| run.number == number)
    }

    /// The run with this number, for changes.
    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut CheckRun> {
        self.open.iter_mut().find(|run| run.number == number)
    }

    /// True if a run for this assertion is active or waits.
    pub(crate) fn is_running(&self, script: &str, index: usize) -> bool {
        self.open.iter().any(|run| run.is_of(script, index))
    }

    /// Takes out the active run, which has ended with `outcome`. Returns `None` if the active run
    /// has another number.
    pub(crate) fn finish(&mut self, number: u64, outcome: CheckOutcome) -> Option<CheckRun> {
        self.open.first().filter(|run| run.number == number)?;
        let run = self.open.remove(0);
        let verdicts = self.done.entry(run.script.clone()).or_default();
        verdicts.insert(run.index, outcome);
        Some(run)
    }

    /// Takes out all runs that are `unwanted`, and cancels them.
    pub(crate) fn cancel(&mut self, unwanted: impl Fn(&CheckRun) -> bool) -> Vec<CheckRun> {
        // The active run counts as gone before its thread has noticed: `finish` ignores what the
        // thread still sends, and the next run may start.
        let cancelled: Vec<CheckRun> = self.open.extract_if(.., |run| unwanted(run)).collect();
        for run in cancelled.iter().filter_map(|run| run.cancellation.as_ref()) {
            run.cancel();
        }
        cancelled
    }

    /// Forgets the verdicts on a script. Returns true if there were any.
    pub(crate) fn forget(&mut self, script: &str) -> bool {
        let forgotten = self.done.remove(script);
        forgotten.is_some_and(|verdicts| !verdicts.is_empty())
    }

    /// The verdicts on a script, by assertion.
    pub(crate) fn verdicts(&self, script: &str) -> impl Iterator<Item = (&usize, &CheckOutcome)> {
        self.done.get(script).into_iter().flatten()
    }

    /// The verdict on one assertion.
    pub(crate) fn verdict(&self, script: &str, index: usize) -> Option<&CheckOutcome> {
        self.done.get(script)?.get(&index)
    }
}

/// Decides an assertion. A failure ends this run, not the conversation.
fn decided(
    script: &str,
    index: usize,
    files: &mut Files,
    options: &Options,
    task: &Task,
) -> CheckOutcome {
    let outcome = caught(|| match Loaded::read(script, files, &[]) {
        Ok(loaded) => CheckOutcome::of_answer(loaded.script.check(index, options, task)),
        Err(error) => CheckOutcome::not_loaded(script, &error),
    });
    outcome.unwrap_or_else(|problem| CheckOutcome::stopped(script, problem, Arc::default()))
}

/// Returns a listener that sends the progress of the run `number`.
fn reporter(number: u64, events: &Sender<Event>) -> impl Fn(&Work) + Send + Sync + use<> {
    let events = events.clone();
    move |work| {
        let _ = events.send(Event::Progress(number, work.doing()));
    }
}

/// The message about the `reason` that ends a check before it is done. Limits come from the
/// settings of the editor, not from options of the command line.
fn words(reason: Reason) -> Diagnostic {
    match reason {
        Reason::Time => Diagnostic::undecided("timeout", "the time for one check is over")
            .hint(raise("timeout")),
        _ => Diagnostic::undecided("interrupted", "the check was cancelled"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::assertion::Verdict;

    #[test]
    fn a_run_that_panics_has_an_outcome() {
        let task = Task {
            progress: Arc::new(Progress::told(|_| panic!("no such thing"))),
            ..Task::default()
        };
        let script = [("a.csp".to_string(), "assert STOP [T= STOP".to_string())];
        let mut files = Files::with_open(script);
        let outcome = decided("a.csp", 0, &mut files, &Options::default(), &task);
        assert_eq!(outcome.report.verdict, Verdict::Error);
        assert_eq!(
            outcome.title(),
            "error (internal-error): internal-error: this is a fault of cspsym, not of the script: no such thing; \
             help: please report it, with the script and the command line"
        );
    }
}
