//! The threads that answer requests: one for steps, which are quick, one for what takes long, one
//! for checks, and one for the editor, where somebody waits for each answer while typing.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::task::{Context, Poll};
use std::thread;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use base::cancel::Cancellation;
use base::threads::STACK_BYTES;

use super::super::api::{ApiQuestion, OpenRequest, OpenRequests, WorkLength};
use host::files::Readable;

/// The threads, by the channels that questions are sent to.
pub(super) struct Workers {
    steps: Sender<WorkerJob>,
    long: Sender<WorkerJob>,
    checks: Sender<WorkerJob>,
    editor: Sender<WorkerJob>,
    /// The questions that can be stopped.
    open: OpenRequests,
}

struct WorkerJob {
    question: ApiQuestion,
    lines: UnboundedSender<String>,
}

/// Ends the work on a question when nobody waits for its answer any more.
struct Interest(Cancellation);

impl Drop for Interest {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The lines about the work on a question, the last of which is the answer. If this value is
/// dropped before, the work ends.
pub(super) struct AnswerLines {
    lines: UnboundedReceiver<String>,
    _interest: Interest,
    _open: OpenRequest,
}

impl AnswerLines {
    /// The answer. Returns `None` if the thread that works is gone.
    pub(super) async fn answer(self) -> Option<Bytes> {
        let collected = self.collect().await;
        let bytes = collected.map_or_else(|never| match never {}, |all| all.to_bytes());
        (!bytes.is_empty()).then_some(bytes)
    }
}

impl Body for AnswerLines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.lines.poll_recv(context);
        next.map(|line| line.map(|line| Ok(Frame::data((line + "\n").into()))))
    }
}

impl Workers {
    /// Starts the threads, which read only files that are `readable`.
    pub(super) fn start(readable: &Readable) -> io::Result<Self> {
        Ok(Self {
            steps: worker("steps", readable.clone())?,
            long: worker("long", readable.clone())?,
            checks: worker("checks", readable.clone())?,
            editor: worker("editor", readable.clone())?,
            open: OpenRequests::default(),
        })
    }

    /// The answer to `question` if that is there to stop another.
    pub(super) fn stopped_by(&self, question: &ApiQuestion) -> Option<String> {
        self.open.stopped_by(question)
    }

    /// Begins to answer `question`. If its thread is gone, there are no lines.
    pub(super) fn ask(&self, question: ApiQuestion) -> AnswerLines {
        let (lines, received) = unbounded_channel();
        let asked = AnswerLines {
            lines: received,
            _interest: Interest(question.cancellation().clone()),
            _open: self.open.add(&question),
        };
        let worker = match question.takes() {
            WorkLength::Editor => &self.editor,
            WorkLength::Short => &self.steps,
            WorkLength::Long => &self.long,
            WorkLength::Longest => &self.checks,
        };
        // The job is dropped with its sender if the thread is gone.
        let _ = worker.send(WorkerJob { question, lines });
        asked
    }
}

/// A thread with a stack for deep scripts, as the whole program has.
fn worker(name: &str, readable: Readable) -> io::Result<Sender<WorkerJob>> {
    let (jobs, received) = mpsc::channel::<WorkerJob>();
    let thread = thread::Builder::new()
        .name(name.to_string())
        .stack_size(STACK_BYTES);
    thread.spawn(move || {
        for WorkerJob { question, lines } in received {
            // The page that has asked may be gone by now.
            if !lines.is_closed() {
                let news = lines.clone();
                let hear = Arc::new(move |line| {
                    let _ = news.send(line);
                });
                let _ = lines.send(question.answer(&readable, None, hear));
            }
        }
    })?;
    Ok(jobs)
}
