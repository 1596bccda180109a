//! Which process keeps a state.

use crate::store::hash;

/// Which of `processes` keeps the state with these words.
///
/// The low half of the hash decides: what chooses the place in a table is in the high half, and so
/// each share fills its tables evenly.
#[inline]
pub(crate) fn owner(words: &[u64], processes: usize) -> usize {
    let low = u64::from(hash(words) as u32);
    ((low * processes as u64) >> 32) as usize
}
