//! Which states were candidates lately, so that most of those that come again are dropped before they are sorted.

use std::hint::black_box;

use super::records::Layout;
use crate::refine::store::hash;

/// Some of the states that were candidates, each at the place that its hash gives. What is compared is the whole state.
pub(super) struct Filter {
    words: usize,
    /// States with their first word inverted, which is not 0 then: 0 is a free place. Free places take no memory before they are used.
    places: Vec<u64>,
    /// How many states were entered.
    entered: usize,
}

/// How many places are looked up at a time, after all of them were loaded.
const GROUP: usize = 64;

impl Filter {
    /// None yet; it takes so many bytes.
    pub(super) fn new(layout: &Layout, bytes: usize) -> Self {
        Self {
            words: layout.words,
            places: vec![0; layout.states_in(bytes) * layout.words],
            entered: 0,
        }
    }

    /// Bytes of memory held, those of free places not counted.
    pub(super) fn memory_bytes(&self) -> usize {
        self.places.len().min(self.entered * self.words) * size_of::<u64>()
    }

    /// Enters `candidates` in order, and appends to `kept` those that may not have been entered before.
    pub(super) fn enter(&mut self, candidates: &[u64], kept: &mut Vec<u64>) {
        let words = self.words;
        let mut starts = [0; GROUP];
        for group in candidates.chunks(GROUP * words) {
            for (start, state) in starts.iter_mut().zip(group.chunks_exact(words)) {
                *start = self.place(state);
            }
            let loaded = starts.iter().map(|&start| self.places[start]);
            black_box(loaded.fold(0, u64::wrapping_add));
            for (&start, state) in starts.iter().zip(group.chunks_exact(words)) {
                let place = &mut self.places[start..start + words];
                if place[0] == !state[0] && place[1..] == state[1..] {
                    continue;
                }
                place.copy_from_slice(state);
                place[0] = !state[0];
                kept.extend_from_slice(state);
                self.entered += 1;
            }
        }
    }

    /// Where the state is if it is anywhere.
    #[inline]
    fn place(&self, state: &[u64]) -> usize {
        let places = (self.places.len() / self.words) as u128;
        ((u128::from(hash(state)) * places) >> u64::BITS) as usize * self.words
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::base::mix::mix;
    use crate::machine::packing::Packing;

    #[test]
    fn only_what_was_entered_before_is_dropped() {
        for counts in [&[1 << 20][..], &[1 << 30; 5]] {
            let layout = Layout::new(&Packing::new(counts));
            let mut filter = Filter::new(&layout, 1 << 12);
            let mut entered: HashSet<Vec<u64>> = HashSet::new();
            let mut dropped = 0;
            for number in 0..20_000 {
                let value = mix(number) % 700;
                let mut states: Vec<u64> = vec![value; layout.words];
                states.extend(vec![value / 3; layout.words]);
                let mut kept = Vec::new();
                filter.enter(&states, &mut kept);
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
