//! What a search says to all processes, and hears of them, with the end of the search as an error.

use super::agreement::ended;
use crate::halt::Halt;
use base::cancel::Cancellation;
use base::diag::Result;
use cluster::{Exchange, MOST_WORDS, Parcel, Received, Until, gather};

/// Words that are to be sent in parcels, of two kinds.
pub(crate) struct OutgoingWords {
    /// By process, the words of each kind.
    words: Vec<[Vec<u64>; 2]>,
    /// Of each kind, how many words must not be divided.
    units: [usize; 2],
}

impl OutgoingWords {
    /// None yet, to so many processes.
    pub(crate) fn new(processes: usize, units: [usize; 2]) -> Self {
        Self {
            words: vec![Default::default(); processes],
            units,
        }
    }

    /// How many processes there are.
    pub(crate) fn processes(&self) -> usize {
        self.words.len()
    }

    /// The words of a kind that are to be sent to a process.
    pub(crate) fn words(&mut self, process: usize, kind: usize) -> &mut Vec<u64> {
        &mut self.words[process][kind]
    }

    /// Sends what is to be sent to each process of each kind, if that is at least `least` words.
    /// Returns how many words of each kind were sent.
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

/// What every process says, by process, where this one says `here`.
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

/// What this process did without the others. If it failed, they are told why, and stop too.
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
