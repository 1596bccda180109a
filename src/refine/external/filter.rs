//! A filter for states that were candidates lately, so that most of those that come again are
//! dropped before they are sorted.

use std::hint::black_box;

use super::records::RecordLayout;
use crate::store::hash;
use machine::packing::PackedState;

/// Some of the states that were candidates, each at the place that its hash gives. Whole states are
/// compared.
pub(super) struct Filter {
    layout: RecordLayout,
    /// States with their first word inverted, which is not 0 then: 0 is a free place. Free places
    /// take no memory before they are used.
    places: Vec<u64>,
    /// The number of words that the filter takes.
    capacity: usize,
    /// The number of states that were entered.
    entered: usize,
}

/// The most states that are looked up at a time, after all their places were loaded.
pub(super) const GROUP: usize = 64;

impl Filter {
    /// An empty filter that takes at most `bytes` bytes.
    pub(super) fn new(layout: &RecordLayout, bytes: usize) -> Self {
        Self {
            layout: *layout,
            places: Vec::new(),
            capacity: layout.states_in(bytes) * layout.words,
            entered: 0,
        }
    }

    /// Forgets all states. The filter takes no memory until a state is entered, and then at most
    /// `bytes` bytes.
    pub(super) fn release(&mut self, bytes: usize) {
        *self = Self::new(&self.layout, bytes);
    }

    /// Takes the memory of the filter, if it has none.
    pub(super) fn prepare(&mut self) {
        if self.places.is_empty() {
            self.places = vec![0; self.capacity];
        }
    }

    /// Bytes of memory held, those of free places not counted.
    pub(super) fn memory_bytes(&self) -> usize {
        self.places.len().min(self.entered * self.layout.words) * size_of::<u64>()
    }

    /// Enters `candidates` in order, not more than [`GROUP`], and appends to `kept` those that may
    /// not have been entered before.
    #[inline]
    pub(super) fn enter<S: PackedState>(&mut self, candidates: &[u64], kept: &mut Vec<u64>) {
        self.prepare();
        let mut state = S::zero(self.layout.words);
        // The compiler knows this number where states have one word or two, so that nothing is
        // called to compare and to copy them.
        let words = state.words().len();
        let count = (self.places.len() / words) as u128;
        let mut starts = [0; GROUP];
        for (start, words) in starts.iter_mut().zip(candidates.chunks_exact(words)) {
            state.load(words);
            let place = (u128::from(hash(state.words())) * count) >> u64::BITS;
            *start = place as usize * words.len();
        }
        // There are always some places (`RecordLayout::states_in`), so the first one can be loaded
        // too.
        let loaded = starts.iter().map(|&start| self.places[start]);
        black_box(loaded.fold(0, u64::wrapping_add));
        for (&start, candidate) in starts.iter().zip(candidates.chunks_exact(words)) {
            state.load(candidate);
            // The first word is inverted, as it is in its place.
            state.flip(0, u64::MAX);
            let place = &mut self.places[start..start + words];
            if place == state.words() {
                continue;
            }
            place.copy_from_slice(state.words());
            state.flip(0, u64::MAX);
            kept.extend_from_slice(state.words());
            self.entered += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use base::mix::mix;
    use machine::packing::Packing;

    #[test]
    fn only_what_was_entered_before_is_dropped() {
        for counts in [&[1 << 20][..], &[1 << 30; 5]] {
            let layout = RecordLayout::new(&Packing::new(counts));
            let mut filter = Filter::new(&layout, 1 << 12);
            let mut entered: HashSet<Vec<u64>> = HashSet::new();
            let mut dropped = 0;
            for number in 0..20_000 {
                let value = mix(number) % 700;
                let mut states: Vec<u64> = vec![value; layout.words];
                states.extend(vec![value / 3; layout.words]);
                let mut kept = Vec::new();
                filter.enter::<Vec<u64>>(&states, &mut kept);
                for state in states.chunks(layout.words) {
                    let is_kept = kept.chunks(layout.words).any(|other| other == state);
                    assert!(is_kept || entered.contains(state));
                    dropped += usize::from(!is_kept);
                    entered.insert(state.to_vec());
                }
            }
            assert!(dropped > 1000, "{dropped}");
        }
    }
}
