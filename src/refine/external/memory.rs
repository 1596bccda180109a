//! How much memory each part of a search on disk takes, and the memory that files are read and
//! written through.
//!
//! What is large is taken once and kept, and what must be held at the same time adds up to less
//! than is allowed. So a search needs the same from its first level to its last, however much it
//! finds, and whether it was resumed or not; only how often files are merged depends on how much
//! that is.

use super::records::RecordLayout;

/// How many bytes each part may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shares {
    /// Of each thread: states that were lately candidates.
    pub(super) filter: usize,
    /// Of each thread: candidates that are in no file yet.
    pub(super) candidates: usize,
    /// Of each thread: what is read of files that are merged.
    pub(super) read: usize,
    /// Of each thread: what is to be written to one.
    pub(super) written: usize,
    /// What is expanded at a time.
    pub(super) piece: usize,
    /// The states that are in no run yet.
    pub(super) young: usize,
    /// What a round of states leads to.
    pub(super) round: usize,
}

/// With less than this, searches would do little but read and write files again and again.
pub(super) const LEAST: usize = 1 << 20;

/// Divides a budget: first what is for the states and the files, second what is for what is known
/// about divergence, if that is looked for. The second is larger: with little memory files are read
/// and written more often, but in order, while states that were forgotten are followed again one by
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

/// More bytes of states are not expanded at a time.
const PIECE: usize = 1 << 20;

/// More bytes of the last levels are not kept in memory: a level of ten states should not cost much
/// more than that.
const YOUNG: usize = 1 << 19;

/// More bytes are not written at a time.
const WRITTEN: usize = 1 << 18;

/// Not more bytes of a file are read at a time.
const READ: usize = 1 << 18;

/// Not fewer should be: more files than can be read so are merged before.
const LEAST_READ: usize = 1 << 12;

/// About how many files of known states are read beside the files of candidates.
const RUNS: usize = 12;

/// All threads together may have this many files of candidates.
const MOST_FILES: usize = 64;

/// Each thread may have this many files, however many threads there are.
const FEW_FILES: usize = 6;

/// Each thread may have this many files, however little memory there is.
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

    /// How many files of candidates each thread may have, where all of them are read at once with
    /// those of known states, by each thread.
    pub(super) fn most_files(&self, threads: usize) -> usize {
        let readable = (self.read / LEAST_READ).saturating_sub(RUNS);
        let most = (MOST_FILES / threads).max(FEW_FILES);
        most.min(readable / threads).max(LEAST_FILES)
    }
}

/// What one thread reads and writes files through.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    read: Vec<u8>,
    written: Vec<u8>,
    /// How much of that was ever used: the rest takes no memory.
    used: usize,
}

impl Workspace {
    /// As large as the shares say, or a few bytes larger: there is room for records in any case.
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

    /// What is written through.
    pub(super) fn written(&mut self) -> &mut [u8] {
        &mut self.written
    }
}
