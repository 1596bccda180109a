//! Ctrl-C and its like: the first says that the run is to end, the second ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::monitor::{Monitor, SIGNAL};

/// Lets `monitor` know of signals.
pub(super) fn listen(monitor: &Monitor) -> io::Result<()> {
    let was_one = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first finds the condition false, and makes it true.
        flag::register_conditional_default(signal, was_one.clone())?;
        flag::register(signal, was_one.clone())?;
        flag::register_usize(signal, monitor.flag(), SIGNAL)?;
    }
    Ok(())
}
