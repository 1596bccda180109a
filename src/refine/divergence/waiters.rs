//! The τ to states of which it is not known yet if they do τ for ever: the answer may be with
//! another process.
//!
//! A state is given by its *place*, counted from the first of the present search. A state costs 8
//! bytes here, and 12 for each τ to it, as long as the search lasts.

use crate::divided::owner::owner;
use crate::divided::parcels::OutgoingWords;

/// States of this and other processes that wait for states of this process to be left.
pub(crate) struct Waiters {
    process: usize,
    /// By state, the number of τ for which it waits, and one more until it was followed.
    waits: Vec<u32>,
    /// By state, the last edge to it, or [`NONE`].
    last: Vec<u32>,
    edges: Vec<Edge>,
    /// States that are to be followed.
    pub(super) roots: Vec<u32>,
    /// States that wait for nothing any more. The states that wait for them are still to be told.
    pub(super) left: Vec<u32>,
    /// The messages to be sent.
    pub(crate) outgoing: OutgoingWords,
}

/// A τ that leads to a state: the process and the place of the state that it comes from.
#[derive(Clone, Copy, Debug)]
struct Edge {
    process: u32,
    place: u32,
    /// The edge before it, to the same state, or [`NONE`].
    before: u32,
}

const NONE: u32 = u32::MAX;

/// The label of messages with places of states, each followed by the words of a state that a τ
/// leads to.
pub(crate) const TAU: usize = 0;

/// The label of messages with places of states, each of which has a τ to a state that was left.
pub(crate) const LEFT: usize = 1;

impl Waiters {
    /// Knows no states yet; they will have `words` words, in this `process` of several.
    pub(super) fn new(words: usize, process: usize, processes: usize) -> Self {
        Self {
            process,
            waits: Vec::new(),
            last: Vec::new(),
            edges: Vec::new(),
            roots: Vec::new(),
            left: Vec::new(),
            outgoing: OutgoingWords::new(processes, [1 + words, 1]),
        }
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>() + 8 * self.waits.capacity()
    }

    /// The number of states that have numbers, or of τ to them, whichever is larger.
    pub(crate) fn numbers(&self) -> usize {
        self.waits.len().max(self.edges.len())
    }

    /// Forgets everything when the search is over.
    pub(super) fn clear(&mut self) {
        self.waits.clear();
        self.last.clear();
        self.edges.clear();
    }

    /// Adds a new state, which gets the next place.
    pub(super) fn add(&mut self) {
        self.waits.push(1);
        self.last.push(NONE);
    }

    /// Notes that a τ leads from the state at `place` to the state with these words. Returns false
    /// if that is a state of this process; otherwise a message to its owner is kept to be sent.
    pub(super) fn sends(&mut self, place: u32, words: &[u64]) -> bool {
        let owner = owner(words, self.outgoing.processes());
        if owner == self.process {
            return false;
        }
        self.waits[place as usize] += 1;
        let outgoing = self.outgoing.words(owner, TAU);
        outgoing.push(u64::from(place));
        outgoing.extend_from_slice(words);
        true
    }

    /// Lets the state at `from` wait for one more, the state at `to`.
    pub(super) fn wait(&mut self, from: u32, to: u32) {
        self.waits[from as usize] += 1;
        self.add_edge(self.process, from, to);
    }

    /// Notes that the state at `from` of `process`, which waits already, waits for the state at
    /// `to`.
    pub(super) fn add_edge(&mut self, process: usize, from: u32, to: u32) {
        let last = &mut self.last[to as usize];
        self.edges.push(Edge {
            process: process as u32,
            place: from,
            before: *last,
        });
        *last = (self.edges.len() - 1) as u32;
    }

    /// Notes that the state at `place` waits for one thing less.
    pub(super) fn lose(&mut self, place: u32) {
        let waits = &mut self.waits[place as usize];
        *waits -= 1;
        if *waits == 0 {
            self.left.push(place);
        }
    }

    /// Tells all that wait for the state at `place` that it was left.
    pub(super) fn tell(&mut self, place: u32) {
        let mut edge = self.last[place as usize];
        while edge != NONE {
            let Edge {
                process,
                place,
                before,
            } = self.edges[edge as usize];
            self.tell_one(process as usize, place);
            edge = before;
        }
    }

    /// Tells the state at `place` of `process` that one of its τ leads to a state that was left.
    pub(super) fn tell_one(&mut self, process: usize, place: u32) {
        if process == self.process {
            self.lose(place);
        } else {
            self.outgoing.words(process, LEFT).push(u64::from(place));
        }
    }
}
