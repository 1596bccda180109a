//! The pauses of a search, in which its question is looked at in other ways.

use super::outcome::Statistics;
use base::diag::Result;

/// The work that is done while a search pauses.
///
/// Where a search pauses depends on nothing but the numbers of its states, so that the result is
/// the same for every number of threads.
pub trait Pauses {
    /// The number of expanded states at which the search pauses next; `None` if it pauses no more.
    fn next(&self) -> Option<u64>;

    /// Looks at the question in another way, when a search has come as far as `so_far`. Returns
    /// false if the search is not wanted any more; it then ends as
    /// [`Sooner`](super::outcome::StopReason::Sooner).
    fn pause(&mut self, so_far: &Statistics) -> Result<bool>;
}
