//! Several sorted lists of states as one.

use std::cmp::Ordering;
use std::io;

use super::cursor::Cursor;
use super::records::compare;

/// What is left of the lists.
pub(super) struct Merge<'f> {
    lists: Vec<Cursor<'f>>,
    /// The lists that are not at their end, as a heap: none has a lower state than those at twice its place, plus one or two.
    heap: Vec<usize>,
}

impl<'f> Merge<'f> {
    /// All states of the lists.
    pub(super) fn new(lists: Vec<Cursor<'f>>) -> Self {
        let with_states = (0..lists.len()).filter(|&list| lists[list].state().is_some());
        let heap = with_states.collect();
        let mut merge = Self { lists, heap };
        for place in (0..merge.heap.len() / 2).rev() {
            merge.sink(place);
        }
        merge
    }

    /// Takes the least state out of all lists, and copies it to `state`; false if there is none.
    pub(super) fn next(&mut self, state: &mut Vec<u64>) -> io::Result<bool> {
        let Some(least) = self.least() else {
            return Ok(false);
        };
        state.clear();
        state.extend_from_slice(least);
        while self.least() == Some(&state[..]) {
            let list = self.heap[0];
            self.lists[list].advance()?;
            if self.lists[list].state().is_none() {
                self.heap.swap_remove(0);
            }
            self.sink(0);
        }
        Ok(true)
    }

    fn least(&self) -> Option<&[u64]> {
        self.lists[*self.heap.first()?].state()
    }

    /// Puts the list at this place of the heap where it belongs, of those below.
    fn sink(&mut self, mut place: usize) {
        loop {
            let first = 2 * place + 1;
            if first >= self.heap.len() {
                return;
            }
            let second = first + 1;
            let is_second = second < self.heap.len() && self.order(second, first) == Ordering::Less;
            let child = if is_second { second } else { first };
            if self.order(child, place) != Ordering::Less {
                return;
            }
            self.heap.swap(place, child);
            place = child;
        }
    }

    #[inline]
    fn order(&self, one: usize, other: usize) -> Ordering {
        let state = |place: usize| self.lists[self.heap[place]].state();
        match (state(one), state(other)) {
            (Some(one), Some(other)) => compare(one, other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        }
    }
}
