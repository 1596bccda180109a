//! Several sorted lists of states as one.

use std::cmp::Ordering;
use std::io;

use super::cursor::Cursor;
use super::records::compare;
use machine::packing::PackedState;

/// A merge of sorted lists: the states that were not taken yet.
pub(super) struct Merge<'f, S> {
    lists: Vec<Cursor<'f, S>>,
    /// The lists that are not at their end, as a heap: none has a lower state than those at twice
    /// its place, plus one or two.
    heap: Vec<ListHead<S>>,
}

/// The present state of a list. It stands in the heap, because states are compared far more often
/// than read.
struct ListHead<S> {
    state: S,
    list: usize,
}

impl<'f, S: PackedState> Merge<'f, S> {
    /// A merge of all states of the lists.
    pub(super) fn new(lists: Vec<Cursor<'f, S>>) -> Self {
        let head = |(list, cursor): (usize, &Cursor<'f, S>)| {
            let state = cursor.state()?.clone();
            Some(ListHead { state, list })
        };
        let heap = lists.iter().enumerate().filter_map(head).collect();
        let mut merge = Self { lists, heap };
        for place in (0..merge.heap.len() / 2).rev() {
            merge.sink(place);
        }
        merge
    }

    /// Takes the least state out of all lists, and copies it to `state`. Returns false if there is
    /// none.
    #[inline]
    pub(super) fn next(&mut self, state: &mut S) -> io::Result<bool> {
        let Some(least) = self.heap.first() else {
            return Ok(false);
        };
        state.clone_from(&least.state);
        // A list has a state at most once, but several lists may have it.
        while let Some(least) = self.heap.first_mut()
            && least.state.words() == state.words()
        {
            let list = &mut self.lists[least.list];
            list.advance()?;
            match list.state() {
                Some(next) => least.state.clone_from(next),
                None => {
                    self.heap.swap_remove(0);
                }
            }
            self.sink(0);
        }
        Ok(true)
    }

    /// Moves the list at this place of the heap down to where it belongs.
    #[inline]
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
        compare(self.heap[one].state.words(), self.heap[other].state.words())
    }
}
