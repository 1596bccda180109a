//! The watch of a search: it may end the search, passes its progress on, and tells if memory is
//! short.

use super::halt::Halt;
use super::outcome::{ProgressSink, SearchProgress};
use base::cancel::Cancellation;
use base::diag::Result;

/// Memory is short when less than one part in this many of the limit is left.
const SHORT: u64 = 16;

/// The watch of a search, which hears how far the search is, and is asked whether to go on.
pub(super) struct SearchWatch {
    pub(super) token: Cancellation,
    progress: ProgressSink,
    /// The bytes of memory that were taken when a shortage of memory was last reported to the
    /// search; 0 if memory is not short.
    told: u64,
}

impl SearchWatch {
    pub(super) fn new(token: &Cancellation, progress: &ProgressSink) -> Self {
        Self {
            token: token.clone(),
            progress: progress.clone(),
            told: 0,
        }
    }

    /// Tells the listener how far the search is.
    pub(super) fn hear(&self, now: &SearchProgress) {
        self.progress.hear(now);
    }

    /// Tells the listener how far the search is. Fails if the search is to end.
    pub(super) fn may_go_on(&self, now: &SearchProgress) -> Result<(), Halt> {
        self.hear(now);
        Halt::check(&self.token)
    }

    /// True if hardly any memory is left, and less than when this was last so.
    pub(super) fn is_memory_short(&mut self) -> bool {
        let bounds = self.token.memory();
        let tightest = bounds.and_then(|bounds| bounds.tightest());
        tightest.is_some_and(|(most, now)| is_short_of(most, now, &mut self.told))
    }
}

/// True if hardly any of `most` bytes is left where `now` are taken, and fewer than when the search
/// was last `told`. Memory that the search gives back may stay with the allocator, to be taken
/// again: so as many bytes taken as before are no news.
fn is_short_of(most: u64, now: u64, told: &mut u64) -> bool {
    let part = most / SHORT;
    if now <= most - part {
        // Twice that much must be free before the next shortage is news: the number of bytes goes
        // up and down by a little.
        if now <= most - 2 * part {
            *told = 0;
        }
        return false;
    }
    // Once more than `most` is taken, every look is news.
    let is_news = now > (*told).min(most);
    *told = now.max(*told);
    is_news
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortage_is_said_once_until_it_is_worse() {
        let most = 1600;
        let mut told = 0;
        let mut said = |now: u64| is_short_of(most, now, &mut told);
        // Memory is given back now and then, and not always to the system.
        assert!(!said(1500) && said(1501) && !said(1501) && said(1510));
        assert!(!said(1490) && !said(1505) && said(1511));
        assert!(!said(1400) && said(1501));
        // Beyond the limit, a search that has anything to spare is always asked for it.
        assert!(said(1700) && said(1650) && !said(1600));
    }
}
