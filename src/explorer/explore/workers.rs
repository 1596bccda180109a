//! The threads that answer requests: one for steps, which are quick, and one for checks.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;

use tokio::sync::oneshot;

use base::cancel::Cancellation;
use base::threads::STACK_BYTES;

use super::super::api::ApiQuestion;
use host::files::Readable;

/// The threads, by the channels that questions are sent to.
pub(super) struct Workers {
    steps: Sender<WorkerJob>,
    checks: Sender<WorkerJob>,
}

struct WorkerJob {
    question: ApiQuestion,
    answer: oneshot::Sender<String>,
}

/// Ends the work on a question when nobody waits for its answer any more.
struct Interest(Cancellation);

impl Drop for Interest {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Workers {
    /// Starts the threads, which read only files that are `readable`.
    pub(super) fn start(readable: &Readable) -> io::Result<Self> {
        Ok(Self {
            steps: worker("steps", readable.clone())?,
            checks: worker("checks", readable.clone())?,
        })
    }

    /// The answer to `question`. Returns `None` if its thread is gone.
    pub(super) async fn answer(&self, question: ApiQuestion) -> Option<String> {
        // If the page closes the connection, this future is dropped, and the work ends.
        let _interest = Interest(question.cancellation().clone());
        let worker = match question.is_long() {
            true => &self.checks,
            false => &self.steps,
        };
        let (answer, received) = oneshot::channel();
        worker.send(WorkerJob { question, answer }).ok()?;
        received.await.ok()
    }
}

/// A thread with a stack for deep scripts, as the whole program has.
fn worker(name: &str, readable: Readable) -> io::Result<Sender<WorkerJob>> {
    let (jobs, received) = mpsc::channel::<WorkerJob>();
    let thread = thread::Builder::new()
        .name(name.to_string())
        .stack_size(STACK_BYTES);
    thread.spawn(move || {
        for WorkerJob { question, answer } in received {
            // The page that has asked may be gone by now.
            if !answer.is_closed() {
                let _ = answer.send(question.answer(&readable));
            }
        }
    })?;
    Ok(jobs)
}
