//! Waiting for the thread that works, and ending it where it does not heed a limit itself.
//!
//! Work looks often whether a limit was reached, and then ends with all that it knows. But not everywhere: one step may take long, or
//! memory may grow within it. So the thread that waits gives the work some time, and watches its memory, and then says itself what
//! is known, and ends the program.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::limits::Limit;
use super::monitor::Monitor;
use super::output::Output;
use super::status::Status;

/// How long past a limit the work may take to notice and to report what it has.
const GRACE: Duration = Duration::from_secs(2);

/// How the work ended; nothing if it said nothing, because it panicked.
pub(super) fn supervise(
    finished: &Receiver<io::Result<Status>>,
    monitor: &Monitor,
) -> Option<io::Result<Status>> {
    let mut reached = None;
    loop {
        match finished.recv_timeout(monitor.pause()) {
            Ok(outcome) => return Some(outcome),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(limit) = overdue(monitor, &mut reached) {
            match end(monitor, limit) {
                Some(outcome) => return Some(outcome),
                // That takes no time.
                None => continue,
            }
        }
        monitor.show();
    }
}

/// The limit that the work does not heed, if so.
fn overdue(monitor: &Monitor, reached: &mut Option<Instant>) -> Option<Limit> {
    let limit = monitor.look()?;
    if monitor.is_far_beyond() {
        return Some(limit);
    }
    if !limit.ends_run() {
        *reached = None;
        return None;
    }
    let since = *reached.get_or_insert_with(Instant::now);
    (since.elapsed() >= GRACE).then_some(limit)
}

/// Says what is known, once nobody else prints; from then on nobody does. Nothing if the work has not begun.
fn end(monitor: &Monitor, limit: Limit) -> Option<io::Result<Status>> {
    // Results that nobody reads keep the worker from ever ending.
    let Some(mut output) = monitor.output_within(GRACE) else {
        return Some(Ok(Status::Undecided));
    };
    if !output.has_begun {
        return None;
    }
    Some(close(&mut output, monitor, limit))
}

fn close(output: &mut Output, monitor: &Monitor, limit: Limit) -> io::Result<Status> {
    let said = output.close(limit, &monitor.work());
    let status = output.worst.max(Status::Undecided);
    io::stdout().write_all(said.out.as_bytes())?;
    io::stdout().flush()?;
    // If standard error is gone as well, the exit status has to do.
    let _ = io::stderr().write_all(said.err.as_bytes());
    Ok(status)
}
