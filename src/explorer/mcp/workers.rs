//! The threads that work on calls of tools: some on checks, the others on all other calls, so that
//! a look at a script does not wait for long checks.

use std::convert::Infallible;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use base::threads::STACK_BYTES;
use host::files::Readable;

use super::super::api::WorkLength;
use super::answered;
use super::incoming::ToolCall;

/// The most threads for each kind of calls.
const THREADS: usize = 3;

/// The time that work has to end once it was cancelled. The program ends then whatever it does.
const GRACE: Duration = Duration::from_millis(300);

/// The calls that wait. Once this is dropped, the threads end after their last calls.
pub(super) struct CallQueues {
    checks: Sender<ToolCall>,
    others: Sender<ToolCall>,
}

/// The threads, as long as they work.
pub(super) struct CallWorkers(Receiver<Infallible>);

/// A thread, by all that it needs.
#[derive(Clone)]
struct CallWorker {
    readable: Readable,
    /// Takes the reason why nothing more can be written.
    ends: Sender<io::Result<()>>,
    /// Is dropped with the last thread.
    _lives: Sender<Infallible>,
}

/// Starts the threads, which read only files that are `readable`. If an answer cannot be written,
/// `ends` gets the reason.
pub(super) fn start(
    readable: &Readable,
    ends: &Sender<io::Result<()>>,
) -> io::Result<(CallQueues, CallWorkers)> {
    let (lives, working) = mpsc::channel();
    let worker = CallWorker {
        readable: readable.clone(),
        ends: ends.clone(),
        _lives: lives,
    };
    let queues = CallQueues {
        checks: worker.start_some("checks")?,
        others: worker.start_some("calls")?,
    };
    Ok((queues, CallWorkers(working)))
}

impl CallQueues {
    /// Adds `call` to those that wait. If its threads are gone, so is the program soon.
    pub(super) fn add(&self, call: ToolCall) {
        let queue = match call.question.takes() {
            WorkLength::Longest => &self.checks,
            WorkLength::Editor | WorkLength::Short | WorkLength::Long => &self.others,
        };
        let _ = queue.send(call);
    }
}

impl CallWorkers {
    /// Waits until all threads have ended, but not for long.
    pub(super) fn settle(self) {
        // Nothing is sent: either the last sender goes, or the time.
        let _ = self.0.recv_timeout(GRACE);
    }
}

impl CallWorker {
    /// Starts threads that share one queue: one at least, and more if the system gives them.
    fn start_some(&self, name: &str) -> io::Result<Sender<ToolCall>> {
        let (queue, calls) = mpsc::channel();
        let calls = Arc::new(Mutex::new(calls));
        for number in 0..THREADS {
            let (worker, calls) = (self.clone(), calls.clone());
            let thread = thread::Builder::new()
                .name(name.to_string())
                .stack_size(STACK_BYTES);
            match thread.spawn(move || worker.work(&calls)) {
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(queue)
    }

    fn work(&self, calls: &Mutex<Receiver<ToolCall>>) {
        while let Some(call) = next(calls) {
            if let Err(error) = answered(call, &self.readable, &self.ends) {
                let _ = self.ends.send(Err(error));
            }
        }
    }
}

/// The next call; `None` if there will be none. Whoever waits for it keeps the others waiting, too.
fn next(calls: &Mutex<Receiver<ToolCall>>) -> Option<ToolCall> {
    let calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    calls.recv().ok()
}
