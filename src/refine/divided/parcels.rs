//! What a search says to all processes, and hears of them, with the end of the search as an error.

use super::agreement::ended;
use crate::cancel::Cancellation;
use crate::cluster::{Exchange, Parcel, Received, Until, gather};
use crate::diag::Result;
use crate::refine::halt::Halt;

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
