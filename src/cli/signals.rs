//! Ctrl-C and other signals to end: the first asks the run to end, a later one ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use base::cancel::CANCELLED;

use host::monitor::Monitor;

/// The signal of a terminal that goes away. Windows has none.
#[cfg(unix)]
const HANGUP: Option<i32> = Some(signal_hook::consts::SIGHUP);
#[cfg(not(unix))]
const HANGUP: Option<i32> = None;

/// The time after the first signal in which others count as that one. `timeout` and other programs
/// signal both this process and its group.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// Lets `monitor` know of signals. What is returned has to be called now and then: after some time
/// it has a further signal end the program at once.
pub(super) fn listen(monitor: &Monitor) -> io::Result<impl FnMut() + use<>> {
    let ends_at_once = Arc::new(AtomicBool::new(false));
    let hangup = HANGUP.filter(|hangup| !ignores(*hangup));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        flag::register_conditional_default(signal, ends_at_once.clone())?;
        flag::register_usize(signal, monitor.flag(), CANCELLED)?;
    }
    let flag = monitor.flag();
    let mut first = None;
    Ok(move || {
        if flag.load(Ordering::Relaxed) == CANCELLED && is_another(&mut first, Instant::now()) {
            ends_at_once.store(true, Ordering::Relaxed);
        }
    })
}

/// True if a signal that comes `now` is another one than the first, which was seen at the time
/// `first`, and now if that is `None`.
fn is_another(first: &mut Option<Instant>, now: Instant) -> bool {
    now.duration_since(*first.get_or_insert(now)) >= ONE_SIGNAL
}

/// True if the program that started this one had it ignore `signal`, as `nohup` does, or if that
/// cannot be known.
fn ignores(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").ok();
    status.is_none_or(|status| is_ignored(signal, &status))
}

/// True if `signal` is ignored according to `status`, the text of `/proc/self/status`. Its row
/// `SigIgn` has one bit for each signal, the lowest for number 1.
fn is_ignored(signal: i32, status: &str) -> bool {
    let row = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = row.and_then(|row| u64::from_str_radix(row.trim(), 16).ok());
    ignored.is_none_or(|ignored| ignored >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_signal_is_another_one() {
        let start = Instant::now();
        let mut first = None;
        let after = [0, 10, 499, 500, 9000].map(|after| {
            let now = start + Duration::from_millis(after);
            is_another(&mut first, now)
        });
        assert_eq!(after, [false, false, false, true, true]);
    }

    #[test]
    fn what_is_ignored_is_known() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(1, status) && !is_ignored(SIGINT, status));
        assert!(is_ignored(1, "Name:\tcspsym\n"));
    }
}
