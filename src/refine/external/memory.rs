//! The memory of each part of a search on disk, and the memory that files are read and written
//! through.
//!
//! Large memory is taken once and kept, and all memory that must be held at the same time adds up
//! to less than is allowed. So a search needs the same from its first level to its last, however
//! much it finds, and resumed or not. The amount only decides how often files are merged.

use super::records::RecordLayout;

/// The bytes that each part may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shares {
    /// For each thread: states that were candidates lately.
    pub(super) filter: usize,
    /// For each thread: candidates that are in no file yet.
    pub(super) candidates: usize,
    /// For each thread: buffers for files that are read to be merged.
    pub(super) read: usize,
    /// For each thread: the buffer for a file that is written.
    pub(super) written: usize,
    /// The states that are expanded at a time.
    pub(super) piece: usize,
    /// The states that are in no run yet.
    pub(super) young: usize,
    /// The candidates of a round.
    pub(super) round: usize,
}

/// The least budget: with less, searches would do little but read and write files again and again.
pub(super) const LEAST: usize = 1 << 20;

/// Divides a budget. The first part is for the states and the files, the second for findings about
/// divergence, if that is looked for. The second is larger: with little memory files are read and
/// written more often, but in order, while states that were forgotten are followed again one by
/// one.
pub(super) fn divided(budget: usize, follows: bool) -> (usize, usize) {
    match follows {
        true => (
            (budget / 3).max(LEAST.min(budget)),
            (budget / 3 * 2).max(LEAST),
        ),
        false => (budget, 0),
    }
}

/// The most bytes of states that are expanded at a time.
const PIECE: usize = 1 << 20;

/// The most bytes of the last levels that are kept in memory: a level of ten states should not cost
/// much more than going through these.
const YOUNG: usize = 1 << 19;

/// The most bytes that are written at a time.
const WRITTEN: usize = 1 << 18;

/// The most bytes of a file that are read at a time.
const READ: usize = 1 << 18;

/// The least bytes of a file that should be read at a time: if there are too many files for that,
/// some are merged before.
const LEAST_READ: usize = 1 << 12;

/// The number of files of known states, about, that are read beside the files of candidates.
const RUNS: usize = 12;

/// The most files of candidates of all threads together.
const MOST_FILES: usize = 64;

/// The number of files that each thread may have, however many threads there are.
const FEW_FILES: usize = 6;

/// The number of files that each thread may have, however little memory there is.
const LEAST_FILES: usize = 2;

impl Shares {
    /// The shares of a budget of `budget` bytes. A sixteenth is left for what is small.
    pub(super) fn of(budget: usize, threads: usize) -> Self {
        // 8 + 12 + 4 + 1 + 2 + 1 + 2 parts make 30 of 32; each thread has its part of the first
        // four.
        let part = budget / 32;
        Self {
            filter: 8 * part / threads,
            candidates: 12 * part / threads,
            read: 4 * part / threads,
            written: WRITTEN.min(part / threads),
            piece: PIECE.min(2 * part),
            young: YOUNG.min(part),
            round: 2 * part,
        }
    }

    /// The most files of candidates that each thread may have, where each thread reads all of them
    /// at once, with those of known states.
    pub(super) fn most_files(&self, threads: usize) -> usize {
        let readable = (self.read / LEAST_READ).saturating_sub(RUNS);
        let most = (MOST_FILES / threads).max(FEW_FILES);
        most.min(readable / threads).max(LEAST_FILES)
    }
}

/// The memory through which one thread reads and writes files.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    read: Vec<u8>,
    written: Vec<u8>,
    /// The bytes of both that were ever used: the rest takes no memory.
    used: usize,
}

impl Workspace {
    /// A workspace as large as the shares say, or a few bytes larger: there is room for records in
    /// any case.
    pub(super) fn new(shares: &Shares, layout: &RecordLayout) -> Self {
        Self {
            read: vec![0; shares.read],
            written: vec![0; shares.written.max(layout.bytes_of(4))],
            used: 0,
        }
    }

    /// Bytes of memory held, those that were never used not counted.
    pub(super) fn memory_bytes(&self) -> usize {
        self.used
    }

    /// A buffer for each of `files` files that are read, which have `states` states together, and a
    /// buffer for one file that is written.
    pub(super) fn buffers<'w>(
        &'w mut self,
        files: usize,
        states: u64,
        layout: &RecordLayout,
    ) -> (impl Iterator<Item = &'w mut [u8]> + use<'w>, &'w mut [u8]) {
        let least = layout.bytes_of(4);
        let bytes = usize::try_from(states).map_or(usize::MAX, |states| states * layout.width);
        if self.read.len() < files * least {
            self.read.resize(files * least, 0);
        }
        let size = (self.read.len() / files.max(1)).min(READ).max(least);
        // No more is touched than all states take, and what is not touched takes no memory.
        let used = bytes.min(files * size) + bytes.min(self.written.len());
        self.used = self.used.max(used);
        (self.read.chunks_exact_mut(size), &mut self.written)
    }

    /// The buffer through which files are written.
    pub(super) fn written(&mut self) -> &mut [u8] {
        &mut self.written
    }
}
