//! Packed states in files: records of a fixed width, one after the other.

use std::cmp::Ordering;
use std::fs::File;
use std::io;
use std::ops::Range;

use super::positional::{read_at, write_at};
use base::digest::Checksum;
use machine::packing::{PackedState, Packing};

/// The form in which a state is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RecordLayout {
    /// Words of a state in memory.
    pub(super) words: usize,
    /// Bytes of a state in a file: the lowest ones of its words, in order.
    pub(super) width: usize,
    /// The bits of the last word that are written.
    last: u64,
}

const WORD: usize = size_of::<u64>();

/// The number of bytes of states that are digested at a time.
const DIGESTED: usize = 1 << 16;

impl RecordLayout {
    pub(super) fn new(packing: &Packing) -> Self {
        let (words, width) = (packing.words(), packing.bytes());
        Self {
            words,
            width,
            last: u64::MAX >> (8 * (words * WORD - width)),
        }
    }

    /// The number of states in these words.
    pub(super) fn count(&self, states: &[u64]) -> usize {
        states.len() / self.words
    }

    /// The number of states that take at most `bytes` bytes in memory, but at least four.
    pub(super) fn states_in(&self, bytes: usize) -> usize {
        (bytes / (self.words * WORD)).max(4)
    }

    /// The number of states that can be held and sorted in `bytes` bytes of memory, but at least
    /// four.
    pub(super) fn sortable_in(&self, bytes: usize) -> usize {
        let words = self.words + usize::from(self.words > MOST_IN_PLACE);
        (bytes / (words * WORD)).max(4)
    }

    /// The bytes that `records` records take, with the word that is read beyond the last.
    pub(super) fn bytes_of(&self, records: usize) -> usize {
        records * self.width + WORD
    }

    /// The number of records that there is room for in `bytes` bytes, with the word that is read
    /// beyond the last.
    pub(super) fn records_in(&self, bytes: usize) -> usize {
        bytes.saturating_sub(WORD) / self.width
    }

    /// Reads the state of a record. After the last record there are eight bytes more.
    #[inline]
    pub(super) fn load<S: PackedState>(&self, bytes: &[u8], record: usize, state: &mut S) {
        let words = state.words_mut();
        let places = bytes[record * self.width..].chunks_exact(WORD);
        for (word, place) in words.iter_mut().zip(places) {
            let mut bytes = [0; WORD];
            bytes.copy_from_slice(place);
            *word = u64::from_le_bytes(bytes);
        }
        if let Some(last) = words.last_mut() {
            *last &= self.last;
        }
    }

    /// Writes a state by whole words from `start` on. Bytes after its record are overwritten.
    #[inline]
    fn store<S: PackedState>(&self, state: &S, bytes: &mut [u8], start: usize) {
        let places = bytes[start..].chunks_exact_mut(WORD);
        for (word, place) in state.words().iter().zip(places) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }

    /// Reads the states of `count` records into `states`. After the records come eight bytes more.
    fn decode(&self, bytes: &[u8], count: usize, states: &mut Vec<u64>) {
        states.clear();
        states.reserve_exact(count * self.words);
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
    pub(super) states: Vec<u64>,
    /// The bytes that were read.
    pub(super) bytes: Vec<u8>,
}

impl Block {
    /// Reads the states at these places.
    pub(super) fn read(
        &mut self,
        file: &File,
        layout: &RecordLayout,
        places: Range<u64>,
    ) -> io::Result<()> {
        let count = (places.end - places.start) as usize;
        let length = count * layout.width;
        self.bytes.resize(layout.bytes_of(count), 0);
        let offset = places.start * layout.width as u64;
        read_at(file, &mut self.bytes[..length], offset)?;
        layout.decode(&self.bytes, count, &mut self.states);
        Ok(())
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.states.capacity() * WORD + self.bytes.capacity()
    }
}

/// Writes states to a file, one after the other.
pub(super) struct RecordWriter<'f> {
    file: &'f File,
    layout: RecordLayout,
    /// The bytes that were not written yet, up to `filled`.
    buffer: &'f mut [u8],
    filled: usize,
    /// The place in the file where the buffer belongs.
    offset: u64,
    /// The number of states that were written.
    pub(super) count: u64,
    /// The checksum of the states that were written.
    pub(super) checksum: Checksum,
}

impl<'f> RecordWriter<'f> {
    /// A writer after the first `before` states. There has to be room for a record in `buffer`, by
    /// [`RecordLayout::bytes_of`].
    pub(super) fn new(
        file: &'f File,
        layout: &RecordLayout,
        before: u64,
        buffer: &'f mut [u8],
    ) -> Self {
        Self {
            file,
            layout: *layout,
            buffer,
            filled: 0,
            offset: before * layout.width as u64,
            count: 0,
            checksum: Checksum::default(),
        }
    }

    #[inline]
    pub(super) fn push<S: PackedState>(&mut self, state: &S) -> io::Result<()> {
        self.layout.store(state, self.buffer, self.filled);
        self.filled += self.layout.width;
        for &word in state.words() {
            self.checksum.add(word);
        }
        self.count += 1;
        // Room for the next record is kept at any time, with the word that is written beyond it.
        if self.filled + self.layout.bytes_of(1) > self.buffer.len() {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the states that were pushed to the file.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        write_at(self.file, &self.buffer[..self.filled], self.offset)?;
        self.offset += self.filled as u64;
        self.filled = 0;
        Ok(())
    }
}

/// The digest of the first `count` states of a file.
pub(super) fn digest(file: &File, layout: &RecordLayout, count: u64) -> io::Result<Checksum> {
    let mut checksum = Checksum::default();
    add_states(&mut checksum, file, layout, 0..count, &mut Block::default())?;
    Ok(checksum)
}

/// Adds the states at these places of a file to `checksum`; they are read into `block`.
pub(super) fn add_states(
    checksum: &mut Checksum,
    file: &File,
    layout: &RecordLayout,
    places: Range<u64>,
    block: &mut Block,
) -> io::Result<()> {
    let size = layout.states_in(DIGESTED) as u64;
    let mut start = places.start;
    while start < places.end {
        let end = places.end.min(start + size);
        block.read(file, layout, start..end)?;
        block.states.iter().for_each(|&word| checksum.add(word));
        start = end;
    }
    Ok(())
}

/// The most words of a state that is sorted in place; longer states are sorted with one word for
/// each beside them.
const MOST_IN_PLACE: usize = 8;

/// Sorts states and leaves one of each.
pub(super) fn sort(layout: &RecordLayout, states: &mut Vec<u64>) {
    // The usual sizes are sorted in place as numbers and arrays, whose order is that of `compare`.
    match layout.words {
        1 => states.sort_unstable(),
        2 => states.as_chunks_mut::<2>().0.sort_unstable(),
        3 => states.as_chunks_mut::<3>().0.sort_unstable(),
        4 => states.as_chunks_mut::<4>().0.sort_unstable(),
        5 => states.as_chunks_mut::<5>().0.sort_unstable(),
        6 => states.as_chunks_mut::<6>().0.sort_unstable(),
        7 => states.as_chunks_mut::<7>().0.sort_unstable(),
        8 => states.as_chunks_mut::<8>().0.sort_unstable(),
        words => sort_long(words, states),
    }
    if layout.words == 1 {
        states.dedup();
    } else {
        leave_one_of_each(layout.words, states);
    }
}

/// Sorts states of `words` words. This takes one word of memory for each state besides.
fn sort_long(words: usize, states: &mut [u64]) {
    let place = |state: usize| state * words..(state + 1) * words;
    let mut order: Vec<usize> = (0..states.len() / words).collect();
    order.sort_unstable_by(|&one, &other| states[place(one)].cmp(&states[place(other)]));
    // Each cycle of places is gone along once, from one place to that of the state that belongs
    // there.
    let mut first = vec![0; words];
    for start in 0..order.len() {
        first.copy_from_slice(&states[place(start)]);
        let mut at = start;
        loop {
            // A place that has its state points to itself.
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            states.copy_within(place(from), at * words);
            at = from;
        }
        states[place(at)].copy_from_slice(&first);
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
    use std::collections::BTreeSet;

    use super::*;
    use base::mix::mix;

    /// Packings of one byte to many words.
    fn layouts() -> Vec<RecordLayout> {
        let counts: [&[u32]; 5] = [
            &[5],
            &[1 << 20, 1 << 11],
            &[1 << 31, u32::MAX],
            &[1 << 30; 5],
            &[1 << 30; 21],
        ];
        counts
            .map(|counts| RecordLayout::new(&Packing::new(counts)))
            .into()
    }

    fn random(layout: &RecordLayout, count: u64, spread: u64) -> Vec<u64> {
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
            let mut bytes = vec![0xff; layout.bytes_of(100)];
            assert_eq!(layout.records_in(bytes.len()), 100);
            let mut state = vec![0; layout.words];
            for (record, words) in states.chunks_exact(layout.words).enumerate() {
                layout.store(&words.to_vec(), &mut bytes, record * layout.width);
            }
            for (record, words) in states.chunks_exact(layout.words).enumerate() {
                layout.load(&bytes, record, &mut state);
                assert_eq!(state, words);
            }
            let mut read = Vec::new();
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
