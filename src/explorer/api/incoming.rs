//! The requests on standard input, read ahead so that one can stop another.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;

use base::cancel::Cancellation;
use report::api::{ApiResult, ApiStopped};

use super::question::ApiQuestion;

/// The most bytes of a line. A longer one is no request: it would fill the memory.
const LONGEST: u64 = 256 << 20;

/// The most requests that are read ahead. One that stops another is seen if fewer wait before it.
const AHEAD: usize = 100;

/// A line that was read.
pub(super) enum Incoming {
    Question(Box<ApiQuestion>, OpenRequest),
    /// A line to which this is the answer at once.
    Answered(String),
    /// A line that is too long, to which this is the answer. What follows is no request either.
    TooLong(String),
}

/// The requests that have no answer yet.
#[derive(Clone, Default)]
pub(in super::super) struct OpenRequests {
    all: Arc<Mutex<AllOpen>>,
}

#[derive(Default)]
struct AllOpen {
    last_number: u64,
    /// By number, the id that others know, and what ends the work.
    open: BTreeMap<u64, (Value, Cancellation)>,
}

/// A request that has no answer yet, as long as this value lives.
pub(in super::super) struct OpenRequest {
    number: u64,
    among: OpenRequests,
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.among.locked().open.remove(&self.number);
    }
}

impl OpenRequests {
    /// Notes that `question` has no answer yet.
    pub(in super::super) fn add(&self, question: &ApiQuestion) -> OpenRequest {
        let mut all = self.locked();
        all.last_number += 1;
        let number = all.last_number;
        let entry = (question.id().clone(), question.cancellation().clone());
        all.open.insert(number, entry);
        OpenRequest {
            number,
            among: self.clone(),
        }
    }

    /// If `question` asks to stop another, ends the work on that, and returns the answer.
    pub(in super::super) fn stopped_by(&self, question: &ApiQuestion) -> Option<String> {
        let stopped = self.stop(question.stops()?);
        let result = ApiResult::Stopped(ApiStopped { stopped });
        Some(question.answered(result))
    }

    /// Ends the work on the requests with this id. Returns true if there are some.
    pub(in super::super) fn stop(&self, id: &Value) -> bool {
        let mut stopped = false;
        for (_, cancellation) in self.locked().open.values().filter(|(open, _)| open == id) {
            cancellation.cancel();
            stopped = true;
        }
        stopped
    }

    /// Ends the work on all of them.
    pub(in super::super) fn stop_all(&self) {
        for (_, cancellation) in self.locked().open.values() {
            cancellation.cancel();
        }
    }

    fn locked(&self) -> MutexGuard<'_, AllOpen> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The lines of standard input.
pub(super) struct RequestLines {
    /// The lines that a thread has read; `None` if there are no threads, as in WebAssembly.
    ahead: Option<Receiver<io::Result<Incoming>>>,
    open: OpenRequests,
}

impl RequestLines {
    /// Begins to read.
    pub(super) fn start() -> Self {
        let open = OpenRequests::default();
        let (lines, received) = mpsc::sync_channel(AHEAD);
        let known = open.clone();
        let read = move || {
            while let Some(line) = next(&known).transpose() {
                let is_last = matches!(line, Err(_) | Ok(Incoming::TooLong(_)));
                // Without a receiver the program is about to end.
                if lines.send(line).is_err() || is_last {
                    break;
                }
            }
        };
        let started = thread::Builder::new().spawn(read).is_ok();
        Self {
            ahead: started.then_some(received),
            open,
        }
    }

    /// The requests that were read, and have no answer yet.
    pub(super) fn open(&self) -> &OpenRequests {
        &self.open
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&self) -> io::Result<Option<Incoming>> {
        match &self.ahead {
            Some(lines) => lines.recv().ok().transpose(),
            None => next(&self.open),
        }
    }
}

/// Reads the next line that is not empty; `None` at the end.
fn next(open: &OpenRequests) -> io::Result<Option<Incoming>> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while line.iter().all(u8::is_ascii_whitespace) {
        line.clear();
        let mut limited = io::Read::take(&mut input, LONGEST);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
    }
    let is_whole = (line.len() as u64) < LONGEST || line.last() == Some(&b'\n');
    Ok(Some(match ApiQuestion::read(&line) {
        Err(refusal) if is_whole => Incoming::Answered(refusal),
        Err(refusal) => Incoming::TooLong(refusal),
        Ok(question) => match open.stopped_by(&question) {
            Some(answer) => Incoming::Answered(answer),
            None => {
                let is_open = open.add(&question);
                Incoming::Question(Box::new(question), is_open)
            }
        },
    }))
}
