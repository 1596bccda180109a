//! `check --jobs`: scripts that are checked at once, each by a copy of this program.
//!
//! The call itself reads each script and prints all, in order, as it does without the option; only
//! answers come from copies. A copy is started with the arguments of the call. It reads its order
//! from standard input, a line of JSON, and writes lines of JSON to standard output: the key of
//! what it has read, and each answer. The input stays open: a second line, which says why, ends the
//! run of the copy, which then tells what it knows, and the end of the input ends the copy at once.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, BufReader, Write};
use std::mem;
use std::num::NonZeroUsize;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use base::diag::Diagnostic;
use base::number::counted;
use base::threads::Threads;

use super::cache::VerdictCache;
use super::copies::copy_of_this_call;
use super::told::{ToldAnswer, ToldLimit};
use super::verdicts::{AskedAssertion, Verdicts};
use host::arguments::{Arguments, CheckCall, Command as Subcommand, JobOrder};
use host::console::Console;
use host::files::{Files, STANDARD_INPUT};
use host::limits::Limit;
use host::load::SharedDefinitions;
use host::monitor::Monitor;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::selection::Selection;
use host::status::Status;

/// Scripts that copies of this program check.
pub(super) struct Jobs {
    queue: Arc<Queue>,
    /// For each script, what its copy writes.
    news: Vec<Receiver<JobNews>>,
    /// The scripts that this call checks by itself: their copies have read something else, or could
    /// not be started.
    own: Vec<bool>,
    /// For each script, the end of its copy before it had all answers.
    ended: Vec<Option<Diagnostic>>,
    /// The time at which the copies were told to end.
    stopped: Option<Instant>,
    /// The reason why a copy could not keep a verdict.
    pub(super) unkept: Option<String>,
}

/// The scripts that no copy has begun, and the copies that run.
struct Queue {
    waiting: Mutex<VecDeque<(JobOrder, Sender<JobNews>)>>,
    /// By their numbers, the inputs of the copies that run.
    inputs: Mutex<BTreeMap<u32, ChildStdin>>,
    deadline: Option<Instant>,
}

/// A line that a copy writes.
#[derive(Serialize, Deserialize)]
pub(super) enum JobNews {
    /// It has read its script, with all that this digest is of.
    Read(String),
    /// It has an answer to the assertion at this index.
    Answer(usize, Box<ToldAnswer>),
    /// It could not keep a verdict, for this reason.
    Unkept(String),
    /// A limit ends it within an assertion.
    Stopped(ToldLimit),
    /// It has ended; its status says no more than that. It does not write this itself.
    #[serde(skip)]
    Over(Option<ExitStatus>),
}

/// The outcome of waiting for an answer.
pub(super) enum Handed {
    /// The answer.
    Answer(Box<ToldAnswer>),
    /// There is none, because the copy has ended. The first time this is told of a script, the flag
    /// is true.
    Ended(Diagnostic, bool),
    /// This limit of the run was reached before it came.
    RunEnds(Limit),
}

/// The time that copies have to tell what they know, once the run ends.
const GRACE: Duration = Duration::from_millis(1000);

/// The time between two looks at the limits of the run.
const PAUSE: Duration = Duration::from_millis(20);

impl Jobs {
    /// Starts to check the first of `scripts`; others follow as these are done. `None` if the call
    /// does not ask for that.
    pub(super) fn start(call: &CheckCall, scripts: &[String], monitor: &Monitor) -> Option<Self> {
        let count = call.jobs.count(scripts);
        if cfg!(target_family = "wasm") || count < 2 {
            return None;
        }
        let all = Threads::available().count();
        let threads = NonZeroUsize::new(all / count).unwrap_or(NonZeroUsize::MIN);
        let (mut waiting, mut news) = (VecDeque::new(), Vec::new());
        for script in scripts {
            let (sender, receiver) = mpsc::channel();
            let order = JobOrder {
                script: script.clone(),
                left: None,
                memory: monitor.memory().share(count),
                threads,
            };
            news.push(receiver);
            if script != STANDARD_INPUT {
                waiting.push_back((order, sender));
            }
        }
        let queue = Arc::new(Queue {
            waiting: Mutex::new(waiting),
            inputs: Mutex::default(),
            deadline: monitor.cancellation().deadline(),
        });
        let threads = (0..count).filter_map(|_| {
            let queue = queue.clone();
            thread::Builder::new().spawn(move || queue.serve()).ok()
        });
        // Without a thread for copies, this call checks all by itself.
        if threads.count() == 0 {
            return None;
        }
        Some(Self {
            queue,
            own: vec![false; news.len()],
            ended: vec![None; news.len()],
            news,
            stopped: None,
            unkept: None,
        })
    }

    /// Waits for the answer to the assertion at `index` of a script that was read with this key.
    /// `None` if this call has to find it.
    pub(super) fn answer(
        &mut self,
        script: usize,
        index: usize,
        key: &str,
        monitor: &Monitor,
    ) -> Option<Handed> {
        if let Some(ended) = &self.ended[script] {
            return Some(Handed::Ended(ended.clone(), false));
        }
        while !self.own[script] {
            match self.news[script].recv_timeout(PAUSE) {
                Ok(JobNews::Read(read)) if read == key => {}
                Ok(JobNews::Answer(of, answer)) if of == index => {
                    return Some(Handed::Answer(answer));
                }
                // The script was changed since, or is asked for something else.
                Ok(JobNews::Read(_) | JobNews::Answer(..)) => self.own[script] = true,
                Err(RecvTimeoutError::Disconnected) | Ok(JobNews::Over(None)) => {
                    self.own[script] = true;
                }
                Ok(JobNews::Stopped(limit)) => return Some(self.end(script, limit.diagnostic())),
                Ok(JobNews::Over(Some(status))) => return Some(self.end(script, lost(status))),
                Ok(JobNews::Unkept(why)) => self.unkept = Some(why),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(limit) = monitor.ends_run()
                        && self.has_waited(limit)
                    {
                        return Some(Handed::RunEnds(limit));
                    }
                }
            }
        }
        None
    }

    /// Tells the copies to end, as `limit` ends the run. True if they have had the time for it.
    fn has_waited(&mut self, limit: Limit) -> bool {
        let since = *self.stopped.get_or_insert_with(|| {
            self.queue.stop(limit);
            Instant::now()
        });
        since.elapsed() > GRACE
    }

    fn end(&mut self, script: usize, why: Diagnostic) -> Handed {
        self.ended[script] = Some(why.clone());
        Handed::Ended(why, true)
    }

    /// The work beside that on one script, in words.
    pub(super) fn beside(&self) -> String {
        let copies = locked(&self.queue.inputs).len() as u64;
        format!(
            "and {} beside it",
            counted(copies.saturating_sub(1), "script")
        )
    }
}

impl Drop for Jobs {
    /// Ends all copies, by the end of their input.
    fn drop(&mut self) {
        locked(&self.queue.waiting).clear();
        locked(&self.queue.inputs).clear();
    }
}

impl Queue {
    /// Has scripts checked one after the other.
    fn serve(&self) {
        loop {
            let next = locked(&self.waiting).pop_front();
            let Some((order, sender)) = next else {
                return;
            };
            let status = self.check(order, &sender).ok();
            let _ = sender.send(JobNews::Over(status));
        }
    }

    /// Has a copy do what `order` says, and passes on what it writes.
    fn check(&self, order: JobOrder, sender: &Sender<JobNews>) -> io::Result<ExitStatus> {
        let now = Instant::now();
        let left = self.deadline.map(|end| end.saturating_duration_since(now));
        let order = serde_json::to_string(&JobOrder { left, ..order })?;
        let mut copy = copy_of_this_call(&["--job"])?.spawn()?;
        let heard = self.hear(&mut copy, &order, sender);
        locked(&self.inputs).remove(&copy.id());
        if heard.is_err() {
            // It is not listened to any more.
            let _ = copy.kill();
        }
        let status = copy.wait()?;
        heard.map(|()| status)
    }

    /// Gives `copy` its order, and passes on all that it writes.
    fn hear(&self, copy: &mut Child, order: &str, sender: &Sender<JobNews>) -> io::Result<()> {
        let pipes = copy.stdin.take().zip(copy.stdout.take());
        let (mut input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{order}")?;
        locked(&self.inputs).insert(copy.id(), input);
        for line in BufReader::new(output).lines() {
            let news = serde_json::from_str(&line?)?;
            // Nobody listens where the run is over.
            let _ = sender.send(news);
        }
        Ok(())
    }

    /// Tells all copies to end, because of `limit`, and begins no more of them.
    fn stop(&self, limit: Limit) {
        locked(&self.waiting).clear();
        let why = serde_json::to_string(&ToldLimit::of(&limit.diagnostic())).unwrap_or_default();
        for input in locked(&self.inputs).values_mut() {
            // Fails where the copy has ended.
            let _ = writeln!(input, "{why}");
        }
    }
}

/// The message that a copy has ended without being asked to.
fn lost(status: ExitStatus) -> Diagnostic {
    let message = format!("the process that was to decide this has ended: {status}");
    let problem = match status.code() == Some(Status::Error.code().into()) {
        true => Diagnostic::error("job-lost", message),
        false => Diagnostic::undecided("job-lost", message),
    };
    problem.hint("check fewer scripts at a time, with a smaller number for --jobs")
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

// ---- In a copy

/// Makes `arguments`, if they are those of a copy, the call for the script that it is told of on
/// standard input. If that is at its end, the call that has started this copy is over.
pub(super) fn take_order(arguments: &mut Arguments) -> io::Result<()> {
    if let Subcommand::Check(call) = &mut arguments.command
        && call.jobs.job
    {
        let mut line = String::new();
        if io::stdin().read_line(&mut line)? == 0 {
            std::process::exit(Status::Undecided.code().into());
        }
        call.take(serde_json::from_str(&line)?);
    }
    Ok(())
}

/// Writes a line for the call that has started this copy.
pub(super) fn tell(news: &JobNews) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(news)?)?;
    out.flush()
}

/// Checks the one script of a copy.
pub(super) fn work(call: &CheckCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let monitor = console.monitor().clone();
    console.pending(Unsaid::Answer(None));
    heed(monitor.clone())?;
    let mut verdicts = Verdicts::of_copy(&call.checking, &call.records, &monitor)?;
    let Some(file) = call.files.first() else {
        return Ok(());
    };
    monitor.begin(file.clone());
    // There are several scripts. One that cannot be read is reported by the call that has started
    // this copy.
    let definitions = &call.checking.common().definitions;
    let Ok(loaded) = SharedDefinitions::new(definitions, 2).read(file, files) else {
        return Ok(());
    };
    let script = &loaded.script;
    let key = verdicts.key(script);
    tell(&JobNews::Read(key.digest()))?;
    let options = verdicts.options.clone();
    let mut checks = script.checks(&options);
    let selection = Selection::new(&call.assertions);
    let mut picked = vec![false; call.assertions.len()];
    for (index, text) in script.assertions().iter().enumerate() {
        if !selection.picks(index, text, &mut picked) {
            continue;
        }
        if monitor.ends_run().is_some() {
            break;
        }
        let asked = AskedAssertion {
            script,
            key: &key,
            index,
            text,
        };
        let answer = verdicts.decided(&mut checks, &asked, &monitor, || {});
        if let Some(why) = verdicts.cache().and_then(VerdictCache::take_unkept) {
            tell(&JobNews::Unkept(why))?;
        }
        tell(&JobNews::Answer(index, Box::new(answer)))?;
    }
    // The system takes all memory back at once.
    mem::forget(checks);
    Ok(())
}

/// Ends the run of this copy with a line of its input, which says why, and the copy with the end of
/// its input.
fn heed(monitor: Arc<Monitor>) -> io::Result<()> {
    let listener = thread::Builder::new().spawn(move || {
        loop {
            let mut line = String::new();
            let read = io::stdin().read_line(&mut line);
            match serde_json::from_str::<ToldLimit>(&line) {
                Ok(limit) if read.is_ok() => monitor.end_run(limit.diagnostic()),
                _ => std::process::exit(Status::Undecided.code().into()),
            }
        }
    });
    listener.map(drop)
}
