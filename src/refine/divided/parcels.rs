//! The messages that a search sends to all processes, and receives; the end of the search is an
//! error.

use super::agreement::ended;
use crate::halt::Halt;
use base::cancel::Cancellation;
use base::diag::Result;
use cluster::{Exchange, MOST_WORDS, Parcel, Received, Until, gather};

/// Words that are to be sent in parcels, of two kinds.
pub(crate) struct OutgoingWords {
    /// By process, the words of each kind.
    words: Vec<[Vec<u64>; 2]>,
    /// By kind, the number of words that must stay together.
    units: [usize; 2],
}

impl OutgoingWords {
    /// No words yet, for this many processes.
    pub(crate) fn new(processes: usize, units: [usize; 2]) -> Self {
        Self {
            words: vec![Default::default(); processes],
            units,
        }
    }

    /// The number of processes.
    pub(crate) fn processes(&self) -> usize {
        self.words.len()
    }

    /// The words of a kind that are to be sent to a process.
    pub(crate) fn words(&mut self, process: usize, kind: usize) -> &mut Vec<u64> {
        &mut self.words[process][kind]
    }

    /// Sends the words of each kind to each process, if they are at least `least` words. Returns
    /// the number of words of each kind that were sent.
    pub(crate) fn send(&mut self, exchange: &dyn Exchange, least: usize) -> [u64; 2] {
        let mut sent = [0; 2];
        for (process, kinds) in self.words.iter_mut().enumerate() {
            for (kind, words) in kinds.iter_mut().enumerate() {
                if words.len() < least {
                    continue;
                }
                for parcel in words.chunks(MOST_WORDS / self.units[kind] * self.units[kind]) {
                    exchange.send(process, kind as u32, parcel.to_vec());
                }
                sent[kind] += words.len() as u64;
                words.clear();
            }
        }
        sent
    }
}

/// The next parcel that comes, as long as `until` says.
pub(super) fn received(
    exchange: &dyn Exchange,
    until: Until,
    token: &Cancellation,
) -> Result<Option<Parcel>, Halt> {
    match exchange.receive(until, token) {
        Received::Parcel(parcel) => Ok(Some(parcel)),
        Received::Nothing => Ok(None),
        Received::Ended => Err(ended(token)),
    }
}

/// The words of every process, by process; those of this one are `here`.
pub(super) fn gathered(
    exchange: &dyn Exchange,
    here: &[u64],
    token: &Cancellation,
) -> Result<Vec<Vec<u64>>, Halt> {
    gather(exchange, here, token).ok_or_else(|| ended(token))
}

/// Sends `words` to every process, this one included.
pub(super) fn say_to_all(exchange: &dyn Exchange, label: u32, words: &[u64]) {
    for process in 0..exchange.processes() {
        exchange.send(process, label, words.to_vec());
    }
}

/// The result `done` of what this process did without the others. If it failed, they are told why,
/// and stop too.
pub(super) fn alone<T>(
    exchange: &dyn Exchange,
    done: std::result::Result<T, impl Into<Halt>>,
) -> Result<T, Halt> {
    done.map_err(|halt| {
        let halt = halt.into();
        if let Halt::Failed(problem) = &halt {
            exchange.stop(problem);
        }
        halt
    })
}
