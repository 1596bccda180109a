//! The process that keeps a state.

use crate::store::hash;

/// The number of the process, of `processes`, that keeps the state with these words.
///
/// The low half of the hash decides: the high half chooses the place in a table, and so each share
/// fills its tables evenly.
#[inline]
pub(crate) fn owner(words: &[u64], processes: usize) -> usize {
    let low = u64::from(hash(words) as u32);
    ((low * processes as u64) >> 32) as usize
}
