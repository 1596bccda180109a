//! The parcels that have come to this process: the thread of the dataflow puts them here, and the
//! searching thread takes them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::words::ParcelWords;

/// A parcel that has come.
pub(super) struct Arrived {
    /// Its number in the order of coming, by which it is acknowledged.
    pub(super) number: u64,
    /// The time of the dataflow at which it was sent.
    pub(super) time: u64,
    /// The parcel.
    pub(super) parcel: ParcelWords,
}

/// The parcels that have come and were not taken, and the frontier.
#[derive(Default)]
pub(super) struct Arrivals {
    come: Mutex<Come>,
    news: Condvar,
}

#[derive(Default)]
struct Come {
    parcels: VecDeque<Arrived>,
    /// The present frontier: all parcels of earlier times were entered by all processes.
    frontier: u64,
}

impl Arrivals {
    /// Adds parcels, and sets the frontier.
    pub(super) fn add(&self, parcels: &mut Vec<Arrived>, frontier: u64) {
        let mut come = locked(&self.come);
        // Both at once: who sees the frontier has seen the parcels before it.
        come.parcels.extend(parcels.drain(..));
        come.frontier = frontier;
        drop(come);
        self.news.notify_all();
    }

    /// Moves all parcels to `into`. Returns the frontier.
    pub(super) fn take(&self, into: &mut VecDeque<Arrived>) -> u64 {
        let mut come = locked(&self.come);
        into.append(&mut come.parcels);
        come.frontier
    }

    /// Waits until there are parcels or the frontier differs from `frontier`, but not longer than
    /// `time`.
    pub(super) fn wait(&self, frontier: u64, time: Duration) {
        let come = locked(&self.come);
        if come.parcels.is_empty() && come.frontier == frontier {
            drop(self.news.wait_timeout(come, time));
        }
    }

    /// Wakes the thread that waits.
    pub(super) fn wake(&self) {
        self.news.notify_all();
    }
}

/// The lock of `mutex`. Its data is whole even if a thread panicked that held it: no thread takes
/// more than one step with it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
