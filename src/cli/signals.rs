//! Ctrl-C and other signals to end: the first asks the run to end, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{fs, io};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use base::cancel::CANCELLED;

use host::monitor::Monitor;

/// Lets `monitor` know of signals.
pub(super) fn listen(monitor: &Monitor) -> io::Result<()> {
    let was_one = Arc::new(AtomicBool::new(false));
    let hangup = (!ignores(SIGHUP)).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        // In this order: on the first signal the condition is still false, and then becomes true.
        flag::register_conditional_default(signal, was_one.clone())?;
        flag::register(signal, was_one.clone())?;
        flag::register_usize(signal, monitor.flag(), CANCELLED)?;
    }
    Ok(())
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
    fn what_is_ignored_is_known() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(SIGHUP, status) && !is_ignored(SIGINT, status));
        assert!(is_ignored(SIGHUP, "Name:\tcspsym\n"));
    }
}
