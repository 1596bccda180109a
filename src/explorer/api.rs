//! `cspsym api`: requests of other programs, a JSON object a line, each answered by one line.
//!
//! Only requests that name something kept depend on others (`kept.rs`), so that a program may ask
//! in any order and begin anew at any time.

mod breaking;
mod checks;
mod incoming;
mod kept;
mod lab;
mod methods;
mod pictures;
mod question;
mod request;
mod work;

use std::io::{self, Write};
use std::sync::Arc;

use host::arguments::ApiCall;
use host::console::Console;
use host::fault::survive_panics;
use host::files::{Readable, ReadingRule};
use host::outcome::CallEnd;
use host::status::Status;
use incoming::{Incoming, RequestLines};
use kept::KeptWork;

pub(super) use incoming::{OpenRequest, OpenRequests};
pub(super) use question::ApiQuestion;
pub(super) use request::WorkLength;
pub(super) use work::Hear;

/// Answers requests until the input ends.
pub fn run(call: &ApiCall, console: &mut Console<'_>) -> CallEnd {
    survive_panics();
    let readable = Readable::within(call.root.clone(), ReadingRule::Root);
    let mut kept = KeptWork::default();
    let lines = RequestLines::start();
    let open = lines.open().clone();
    let hear: Hear = Arc::new(move |line| {
        if printed(line).is_err() {
            // Nobody reads what comes before the answer, and so nobody reads that.
            open.stop_all();
        }
    });
    while let Some(incoming) = lines.next()? {
        match incoming {
            Incoming::Question(question, _is_open) => {
                let answer = question.answer(&readable, Some(&mut kept), hear.clone());
                console.result(&(answer + "\n"))?;
            }
            Incoming::Answered(answer) => console.result(&(answer + "\n"))?,
            Incoming::TooLong(answer) => {
                console.result(&(answer + "\n"))?;
                console.count(Status::Error);
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Prints a line that comes before an answer.
fn printed(line: String) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all((line + "\n").as_bytes())?;
    out.flush()
}
