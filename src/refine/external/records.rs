//! Packed states in files: records of a fixed width, one after the other.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use crate::base::digest::Digest;
use crate::machine::packing::Packing;

/// How a state is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Words of a state in memory.
    pub(super) words: usize,
    /// Bytes of a state in a file: the first so many of its words.
    pub(super) width: usize,
    /// What of the last word is written.
    last: u64,
}

const WORD: usize = size_of::<u64>();

/// States are written so many bytes at a time.
const WRITTEN: usize = 1 << 18;

impl Layout {
    pub(super) fn new(packing: &Packing) -> Self {
        let (words, width) = (packing.words(), packing.bytes());
        Self {
            words,
            width,
            last: u64::MAX >> (8 * (words * WORD - width)),
        }
    }

    /// How many states there are in these words.
    pub(super) fn count(&self, states: &[u64]) -> usize {
        states.len() / self.words
    }

    /// How many states take so many bytes in memory; at least a few.
    pub(super) fn states_in(&self, bytes: usize) -> usize {
        (bytes / (self.words * WORD)).max(4)
    }

    /// The records of `states`, in `bytes`.
    fn encode(&self, states: &[u64], bytes: &mut Vec<u8>) {
        bytes.clear();
        let length = self.count(states) * self.width;
        // States are copied by whole words, each over the end of the one before.
        bytes.resize(length + WORD, 0);
        for (state, start) in states
            .chunks_exact(self.words)
            .zip((0..).step_by(self.width))
        {
            for (word, place) in state.iter().zip(bytes[start..].chunks_exact_mut(WORD)) {
                place.copy_from_slice(&word.to_le_bytes());
            }
        }
        bytes.truncate(length);
    }

    /// The states of `count` records, in `states`; after the records come eight bytes more.
    fn decode(&self, bytes: &[u8], count: usize, states: &mut Vec<u64>) {
        states.clear();
        let word = |bytes: &[u8]| {
            let mut word = [0; WORD];
            word.copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        for record in 0..count {
            let words = bytes[record * self.width..].chunks_exact(WORD);
            states.extend(words.take(self.words).map(word));
            if let Some(last) = states.last_mut() {
                *last &= self.last;
            }
        }
    }
}

/// The order of states in files: first by the first word.
#[inline]
pub(super) fn compare(one: &[u64], other: &[u64]) -> Ordering {
    match one[0].cmp(&other[0]) {
        Ordering::Equal if one.len() > 1 => one[1..].cmp(&other[1..]),
        order => order,
    }
}

/// Consecutive states of a file, in memory.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The place of the first in the file.
    pub(super) start: u64,
    pub(super) states: Vec<u64>,
    /// What they were read as.
    pub(super) bytes: Vec<u8>,
}

impl Block {
    /// Reads the states at these places.
    pub(super) fn read(
        &mut self,
        mut file: &File,
        layout: &Layout,
        places: Range<u64>,
    ) -> io::Result<()> {
        let count = (places.end - places.start) as usize;
        let length = count * layout.width;
        self.start = places.start;
        self.bytes.resize(length + WORD, 0);
        file.seek(SeekFrom::Start(places.start * layout.width as u64))?;
        file.read_exact(&mut self.bytes[..length])?;
        layout.decode(&self.bytes, count, &mut self.states);
        Ok(())
    }

    /// The state at this place of the file, if it is here.
    pub(super) fn get(&self, layout: &Layout, place: u64) -> Option<&[u64]> {
        let at = usize::try_from(place.checked_sub(self.start)?).ok()?;
        self.states.chunks_exact(layout.words).nth(at)
    }
}

/// Appends states to a file.
pub(super) struct Writer<'f> {
    file: &'f File,
    layout: Layout,
    pending: Vec<u64>,
    bytes: Vec<u8>,
    /// How many states were written.
    pub(super) count: u64,
    /// Of all states of the file.
    pub(super) digest: Digest,
}

impl<'f> Writer<'f> {
    /// Writes after the first `before` states, of which this is the digest.
    pub(super) fn new(
        mut file: &'f File,
        layout: &Layout,
        before: u64,
        digest: Digest,
    ) -> io::Result<Self> {
        file.seek(SeekFrom::Start(before * layout.width as u64))?;
        Ok(Self {
            file,
            layout: *layout,
            pending: Vec::new(),
            bytes: Vec::new(),
            count: 0,
            digest,
        })
    }

    pub(super) fn push(&mut self, state: &[u64]) -> io::Result<()> {
        self.pending.extend_from_slice(state);
        for &word in state {
            self.digest.add(word);
        }
        self.count += 1;
        if self.pending.len() * WORD >= WRITTEN {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what was pushed.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.layout.encode(&self.pending, &mut self.bytes);
        self.pending.clear();
        self.file.write_all(&self.bytes)
    }
}

/// The digest of the first `count` states of a file.
pub(super) fn digest(file: &File, layout: &Layout, count: u64) -> io::Result<Digest> {
    let mut digest = Digest::new(0);
    let mut block = Block::default();
    let size = layout.states_in(WRITTEN) as u64;
    let mut start = 0;
    while start < count {
        let end = count.min(start + size);
        block.read(file, layout, start..end)?;
        block.states.iter().for_each(|&word| digest.add(word));
        start = end;
    }
    Ok(digest)
}

/// Sorts states and leaves one of each.
pub(super) fn sort(layout: &Layout, states: &mut Vec<u64>) {
    // The usual sizes are sorted in place as numbers and arrays.
    match layout.words {
        1 => states.sort_unstable(),
        2 => states.as_chunks_mut::<2>().0.sort_unstable(),
        3 => states.as_chunks_mut::<3>().0.sort_unstable(),
        4 => states.as_chunks_mut::<4>().0.sort_unstable(),
        5 => states.as_chunks_mut::<5>().0.sort_unstable(),
        6 => states.as_chunks_mut::<6>().0.sort_unstable(),
        7 => states.as_chunks_mut::<7>().0.sort_unstable(),
        8 => states.as_chunks_mut::<8>().0.sort_unstable(),
        words => {
            let mut order: Vec<&[u64]> = states.chunks_exact(words).collect();
            order.sort_unstable();
            *states = order.concat();
        }
    }
    if layout.words == 1 {
        states.dedup();
    } else {
        leave_one_of_each(layout.words, states);
    }
}

fn leave_one_of_each(words: usize, states: &mut Vec<u64>) {
    let mut kept = 0;
    for start in (0..states.len()).step_by(words) {
        let state = start..start + words;
        if kept == 0 || states[kept - words..kept] != states[state.clone()] {
            states.copy_within(state, kept);
            kept += words;
        }
    }
    states.truncate(kept);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

    use std::collections::BTreeSet;

    use super::*;
    use crate::base::mix::mix;

    /// Packings of one byte to many words.
    fn layouts() -> Vec<Layout> {
        let counts: [&[u32]; 5] = [
            &[5],
            &[1 << 20, 1 << 11],
            &[1 << 31, u32::MAX],
            &[1 << 30; 5],
            &[1 << 30; 21],
        ];
        counts
            .map(|counts| Layout::new(&Packing::new(counts)))
            .into()
    }

    fn random(layout: &Layout, count: u64, spread: u64) -> Vec<u64> {
        let mut states = Vec::new();
        for number in 0..count {
            let value = mix(number) % spread;
            states.extend((0..layout.words).map(|word| mix(value + word as u64 / 2) >> 1));
            *states.last_mut().unwrap() &= layout.last;
        }
        states
    }

    #[test]
    fn records_are_the_states() {
        for layout in layouts() {
            let states = random(&layout, 100, 1000);
            let (mut bytes, mut read) = (Vec::new(), Vec::new());
            layout.encode(&states, &mut bytes);
            assert_eq!(bytes.len(), 100 * layout.width);
            bytes.resize(bytes.len() + WORD, 0xff);
            layout.decode(&bytes, 100, &mut read);
            assert_eq!(read, states);
        }
    }

    #[test]
    fn sorting_leaves_one_of_each() {
        for layout in layouts() {
            for spread in [1, 7, 1000] {
                let mut states = random(&layout, 500, spread);
                let expected: BTreeSet<Vec<u64>> = states
                    .chunks_exact(layout.words)
                    .map(<[u64]>::to_vec)
                    .collect();
                sort(&layout, &mut states);
                let expected: Vec<u64> = expected.into_iter().flatten().collect();
                assert_eq!(states, expected);
            }
        }
    }
}
