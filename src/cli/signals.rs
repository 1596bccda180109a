//! Ctrl-C and other signals to end: the first asks the run to end, a later one ends it at once.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use base::cancel::CANCELLED;

use host::monitor::Monitor;

/// The time after the first signal in which others count as that one. `timeout` and other programs
/// signal both this process and its group.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// Lets `monitor` know of signals.
pub(super) fn listen(monitor: &Monitor) -> io::Result<()> {
    let hangup = (!ignores(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let flag = monitor.flag();
    let heard = move || {
        let mut first = None;
        for signal in signals.forever() {
            match meaning(&mut first, Instant::now()) {
                SignalMeaning::End => flag.store(CANCELLED, Ordering::SeqCst),
                SignalMeaning::Same => {}
                // This does what the system does where no program listens: it ends this one.
                SignalMeaning::EndAtOnce => drop(emulate_default_handler(signal)),
            }
        }
    };
    thread::Builder::new()
        .name("signals".to_string())
        .spawn(heard)?;
    Ok(())
}

/// The wish that a signal tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SignalMeaning {
    /// The run is to end with what is known.
    End,
    /// Nothing but the wish that was heard before.
    Same,
    /// The program is to end without a word.
    EndAtOnce,
}

/// The meaning of a signal at the time `now`; `first` is the time of the first one.
fn meaning(first: &mut Option<Instant>, now: Instant) -> SignalMeaning {
    match *first {
        None => {
            *first = Some(now);
            SignalMeaning::End
        }
        Some(first) if now.duration_since(first) < ONE_SIGNAL => SignalMeaning::Same,
        Some(_) => SignalMeaning::EndAtOnce,
    }
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
    fn a_later_signal_ends_at_once() {
        let start = Instant::now();
        let mut first = None;
        let meanings = [0, 10, 499, 500, 9000].map(|after| {
            let now = start + Duration::from_millis(after);
            meaning(&mut first, now)
        });
        use SignalMeaning::{End, EndAtOnce, Same};
        assert_eq!(meanings, [End, Same, Same, EndAtOnce, EndAtOnce]);
    }

    #[test]
    fn what_is_ignored_is_known() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(SIGHUP, status) && !is_ignored(SIGINT, status));
        assert!(is_ignored(SIGHUP, "Name:\tcspsym\n"));
    }
}
