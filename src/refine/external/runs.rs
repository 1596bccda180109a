//! The sorted runs of a search: files of states, each of which has more states than all after it
//! together.

use std::fs::File;
use std::io;

use super::failure::damaged;
use super::folder::Folder;
use super::journal::RunEntry;
use super::list::List;
use super::records::{RecordLayout, digest};

/// Sorted states, in a file.
pub(super) struct SortedRun {
    pub(super) entry: RunEntry,
    pub(super) file: File,
    pub(super) is_synced: bool,
}

impl SortedRun {
    /// Opens the run of `entry`, whose file is as long as it was, if the file holds what was
    /// written.
    pub(super) fn open(
        folder: &Folder,
        layout: &RecordLayout,
        entry: &RunEntry,
    ) -> io::Result<Self> {
        let RunEntry { name, states, .. } = entry;
        let Some(file) = folder.open(name)? else {
            return Err(damaged(&format!("the file `{name}` is missing")));
        };
        if digest(&file, layout, *states)?.value() != entry.digest {
            let message = format!("the file `{name}` is not what was written");
            return Err(damaged(&message));
        }
        Ok(Self {
            entry: entry.clone(),
            file,
            is_synced: false,
        })
    }

    /// The number in the name of the run.
    pub(super) fn number(&self) -> Option<u64> {
        self.entry.name.rsplit('-').next()?.parse().ok()
    }

    pub(super) fn list(&self, layout: &RecordLayout) -> List<'_> {
        List::of_file(layout, &self.file, 0..self.entry.states)
    }
}

/// The place of the first run, of runs of these sizes, oldest first, that is merged with all after
/// it and `new` states: it has no more states than those together. So each run has more states than
/// all after it, there are no more runs than the logarithm of their states, and a state is copied
/// about as often, however levels grow and shrink.
pub(super) fn first_merged(sizes: &[u64], new: u64) -> usize {
    let mut after = new;
    let mut first = sizes.len();
    for (at, &size) in sizes.iter().enumerate().rev() {
        if size <= after {
            first = at;
        }
        after += size;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of runs after levels of these sizes, and the number of states that were copied.
    fn runs(levels: impl Iterator<Item = u64>) -> (Vec<u64>, u64) {
        let (mut runs, mut copied) = (Vec::new(), 0);
        for new in levels {
            let kept = first_merged(&runs, new);
            let total = new + runs.drain(kept..).sum::<u64>();
            runs.push(total);
            copied += total;
            let is_larger = |at: usize| runs[at] > runs[at + 1..].iter().sum::<u64>();
            assert!((0..runs.len()).all(is_larger), "{runs:?}");
        }
        (runs, copied)
    }

    #[test]
    fn runs_are_few_however_levels_grow_and_shrink() {
        let cone = (1..1000).chain((1..1000).rev());
        let (runs, copied) = runs(cone);
        let states = runs.iter().sum::<u64>();
        assert_eq!(states, 999_000);
        assert!(
            runs.len() <= 20 && copied < 21 * states,
            "{runs:?} {copied}"
        );
        // Each level is a little smaller than the one before.
        let (runs, _) = self::runs((1..3000).rev());
        assert!(runs.len() <= 23, "{runs:?}");
        assert_eq!(self::runs(std::iter::repeat_n(5, 64)).0, [320]);
    }
}
