//! `cspsym api`: requests of other programs, a JSON object a line, each answered by one line.
//!
//! No request depends on another one, so that a program may ask in any order and begin anew at any
//! time.

mod breaking;
mod lab;
mod methods;
mod pictures;
mod request;

use std::io::{self, BufRead};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use base::cancel::Cancellation;
use checker::{Options, Task};
use report::api::ApiAnswer;
use report::json::json;

use host::arguments::ApiCall;
use host::console::Console;
use host::fault::{caught, survive_panics};
use host::files::Readable;
use host::outcome::CallEnd;
use host::status::Status;
use methods::refused;
use request::{ApiRequest, bad};

/// The time between two looks at the memory.
const PAUSE: Duration = Duration::from_millis(50);

/// The most bytes of a line. A longer one is no request: it would fill the memory.
const LONGEST: u64 = 256 << 20;

/// Answers requests until the input ends.
pub fn run(call: &ApiCall, console: &mut Console<'_>) -> CallEnd {
    survive_panics();
    let api = Readable::within(call.root.clone());
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut input, LONGEST);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match ApiQuestion::read(&line) {
            Ok(question) => question.answer(&api),
            Err(refusal) => refusal,
        };
        console.result(&(answer + "\n"))?;
        if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
            // The rest of the line is no request either.
            console.count(Status::Error);
            return Ok(());
        }
    }
}

/// A request that was read, the options for its answer, and the limits on the work.
pub(super) struct ApiQuestion {
    id: Value,
    request: ApiRequest,
    options: Options,
    task: Task,
}

impl ApiQuestion {
    /// The question in `line`, or the answer with the reason why it is no request.
    pub(super) fn read(line: &[u8]) -> Result<Self, String> {
        let refused = |id, reason: &str| with_id(id, refused(&bad(reason)));
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return Err(refused(Value::Null, &format!("it is no JSON: {error}"))),
        };
        if !value.is_object() {
            return Err(refused(Value::Null, "it is no JSON object"));
        }
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        let request = serde_json::from_value(value).map_err(|error| error.to_string());
        let all = request.and_then(|request: ApiRequest| {
            let (options, task) = (request.options()?, request.work()?);
            Ok((request, options, task))
        });
        let (request, options, task) = all.map_err(|reason| refused(id.clone(), &reason))?;
        Ok(Self {
            id,
            request,
            options,
            task,
        })
    }

    /// The token by which the work is ended from outside.
    pub(super) fn cancellation(&self) -> &Cancellation {
        &self.task.cancellation
    }

    /// True if the work may take long: others should not have to wait for it.
    pub(super) fn is_long(&self) -> bool {
        self.request.is_long()
    }

    /// The answer, in one line without the newline. A failure is an answer too.
    pub(super) fn answer(self, readable: &Readable) -> String {
        let work = || caught(|| methods::answer(&self, readable));
        let answer = watched(&self.task.cancellation, self.is_long(), work);
        with_id(
            self.id,
            answer.unwrap_or_else(|problem| refused(&problem.into())),
        )
    }
}

/// `answer` to the request `id`, as JSON.
fn with_id(id: Value, answer: ApiAnswer) -> String {
    json(&ApiAnswer { id, ..answer })
}

/// Does `work`. If the work may take long, it ends where there is not enough memory.
fn watched<T>(cancellation: &Cancellation, is_long: bool, work: impl FnOnce() -> T) -> T {
    let cancellation = cancellation.clone();
    let (done, waiting) = mpsc::channel::<()>();
    let look = move || {
        while waiting.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            cancellation.look_at_memory(0);
        }
    };
    // If no thread can be started, as in WebAssembly, only searches look at the memory themselves.
    // Quick work is not ended because other work takes memory.
    let _ = is_long.then(|| thread::Builder::new().spawn(look));
    let outcome = work();
    drop(done);
    outcome
}
