//! Waiting for the thread that works, and ending it where it does not heed a limit itself.
//!
//! Work looks often whether a limit was reached, and then ends with all that it knows. But one step
//! may take long, or memory may grow within it. So the thread that waits gives the work some time
//! and watches its memory. If the work does not end, this thread prints what is known and ends the
//! program.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use base::cancel::Phase;
use checker::Work;

use super::jobs::{JobNews, tell};
use super::told::ToldLimit;
use host::allocator;
use host::limits::Limit;
use host::monitor::Monitor;
use host::output::Output;
use host::status::Status;

/// The time past a limit that the work may take to notice it and to report its results.
const GRACE: Duration = Duration::from_secs(2);

/// The reader of results and messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Audience {
    /// A person reads messages.
    Person,
    /// Messages go to a file or a program.
    Program,
    /// Another process prints all.
    Nobody,
    /// The call that has started this process for a script hears of it.
    Caller,
}

/// The outcome of the work. Returns `None` if it panicked, so that it reported nothing. `heed` is
/// called now and then, to look after signals.
pub(super) fn supervise(
    finished: &Receiver<io::Result<Status>>,
    monitor: &Monitor,
    audience: Audience,
    mut heed: Box<dyn FnMut()>,
) -> Option<io::Result<Status>> {
    let mut reached = None;
    loop {
        heed();
        match finished.recv_timeout(monitor.pause()) {
            Ok(outcome) => return Some(outcome),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(limit) = overdue(monitor, &mut reached) {
            match end(monitor, limit, audience) {
                Some(outcome) => return Some(outcome),
                // The work begins as soon as it has read its arguments.
                None => continue,
            }
        }
        monitor.show();
    }
}

/// The limit that the work does not heed, if there is one.
fn overdue(monitor: &Monitor, reached: &mut Option<Instant>) -> Option<Limit> {
    let limit = monitor.look()?;
    if monitor.is_far_beyond() {
        return Some(limit);
    }
    if limit == Limit::Turn && monitor.is_stuck() {
        return Some(Limit::Stuck);
    }
    let Some(limit) = monitor.ends_run() else {
        // Only the turn is over. The work ends it by itself, unless it is stuck.
        *reached = None;
        return None;
    };
    let since = *reached.get_or_insert_with(Instant::now);
    (since.elapsed() >= grace(monitor)).then_some(limit)
}

/// The time past a limit that the work may take. It is nothing while a script is read, because
/// there is nothing to report.
fn grace(monitor: &Monitor) -> Duration {
    match monitor.work().phase {
        Phase::Reading => Duration::ZERO,
        _ => GRACE,
    }
}

/// Prints what is known, once nobody else prints. Nobody prints after it. Returns `None` if the
/// work has not begun.
fn end(monitor: &Monitor, limit: Limit, audience: Audience) -> Option<io::Result<Status>> {
    // If nobody reads the results, the worker blocks for ever.
    let Some(mut output) = monitor.output_within(GRACE) else {
        return Some(Ok(Status::Undecided));
    };
    if !output.has_begun {
        return None;
    }
    Some(close(&mut output, monitor, limit, audience))
}

fn close(
    output: &mut Output,
    monitor: &Monitor,
    limit: Limit,
    audience: Audience,
) -> io::Result<Status> {
    allocator::give_way();
    let no_work = Work::new(String::new());
    let work = monitor.work_within(GRACE);
    let work = work.as_deref().unwrap_or(&no_work);
    let mut said = output.close(limit, work);
    said.err += &output
        .explanation()
        .filter(|_| audience == Audience::Person)
        .unwrap_or_default();
    let status = output.worst.max(Status::Undecided);
    match audience {
        Audience::Nobody => return Ok(status),
        Audience::Caller => {
            let why = ToldLimit::of(&work.cut_short(limit.diagnostic()));
            return tell(&JobNews::Stopped(why)).map(|()| status);
        }
        Audience::Person | Audience::Program => {}
    }
    io::stdout().write_all(said.out.as_bytes())?;
    io::stdout().flush()?;
    // If standard error is gone as well, the exit status is all that is left.
    let _ = io::stderr().write_all(said.err.as_bytes());
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::memory::Memory;
    use host::progress::Display;

    #[test]
    fn reading_is_not_waited_for_and_other_work_is() {
        let now = Some(Instant::now());
        let monitor = Monitor::new(now, None, Memory::default(), Display::Hidden);
        monitor.begin("a script".to_string());
        assert_eq!(overdue(&monitor, &mut None), Some(Limit::Time));
        monitor.turn_of("an assertion".to_string(), |_| {
            let mut reached = None;
            assert_eq!(overdue(&monitor, &mut reached), None);
            reached = Instant::now().checked_sub(GRACE);
            assert!(reached.is_none() || overdue(&monitor, &mut reached) == Some(Limit::Time));
        });
    }

    #[test]
    fn an_assertion_that_is_late_does_not_end_the_run_at_once() {
        let each = Some(Duration::ZERO);
        let monitor = Monitor::new(None, each, Memory::default(), Display::Hidden);
        monitor.turn_of("an assertion".to_string(), |_| {
            // The assertions before it may have been late for any time.
            let mut reached = Instant::now().checked_sub(GRACE);
            assert_eq!((overdue(&monitor, &mut reached), reached), (None, None));
            assert_eq!(monitor.reached(), Some(Limit::Turn));
        });
    }
}
