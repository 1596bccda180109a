//! Divergence: which states of the search can do τ for ever.
//!
//! Depth first along τ from each state of a level that the search has expanded, remembering for all searches which states were left for
//! good: so each state is left once, and all of them together cost as much as the search itself at most. With symmetry it runs on
//! representatives. A cycle of those is a divergence too: going round it takes a state to its image under a symmetry, which
//! has a finite order, so going round as often comes back to the state itself.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::check::{Control, StopReason};
use super::product::Product;
use super::store::MOST_STATES;
use crate::machine::packing::PackedState;
use crate::machine::successors::Scratch;
use crate::process::event::TAU;
use crate::symmetry::representative::Representative;

/// What is known about divergence so far.
pub(super) struct Divergence {
    words: usize,
    /// States that τ leads from or to, one after the other.
    states: Vec<u64>,
    /// By state, whether the depth-first search has left it.
    is_left: Vec<bool>,
    numbers: HashTable<u32>,
    /// States still to be entered, those of each open state together.
    waiting: Vec<u64>,
    open: Vec<Open>,
    /// More states than this are not entered.
    limit: usize,
    /// States that were entered.
    entered: usize,
    /// The first number of the present search.
    first: usize,
    /// How many states were forgotten.
    forgotten: u64,
}

/// What is found out about one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Diverges,
    Rests,
    /// It was not found out.
    Stopped(StopReason),
}

/// Whoever watches the search is asked again when so many states more were entered.
const PATIENCE: usize = 4096;

/// Bytes of a number in the table, about.
const SLOT: usize = 5;

/// A state that the depth-first search has entered and not left.
struct Open {
    number: u32,
    /// Where what it leads to starts among the waiting states.
    waiting: usize,
}

impl Divergence {
    /// Nothing known yet; states have this many words, and not more than `limit` of them are entered.
    pub(super) fn new(words: usize, limit: Option<u64>) -> Self {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Self {
            limit: limit.unwrap_or(MOST_STATES).min(MOST_STATES),
            words,
            states: Vec::new(),
            is_left: Vec::new(),
            numbers: HashTable::new(),
            waiting: Vec::new(),
            open: Vec::new(),
            entered: 0,
            first: 0,
            forgotten: 0,
        }
    }

    /// Forgets all, between two searches. What was found out is still so: forgetting costs time only.
    pub(super) fn forget(&mut self) {
        self.first = self.is_left.len();
        self.forget_others();
    }

    /// Forgets what was found out before the present search. None of its own states, so that it ends as soon as it would else.
    fn forget_others(&mut self) {
        let first = std::mem::take(&mut self.first);
        self.forgotten += first as u64;
        // What is left goes to memory of its own, as little as it needs.
        self.states = self.states.split_off(first * self.words);
        self.is_left = self.is_left.split_off(first);
        self.open
            .iter_mut()
            .for_each(|open| open.number -= first as u32);
        let hash = |&number: &u32| {
            let start = number as usize * self.words;
            FxBuildHasher.hash_one(&self.states[start..start + self.words])
        };
        self.numbers = HashTable::with_capacity(self.is_left.len());
        for number in 0..self.is_left.len() as u32 {
            self.numbers.insert_unique(hash(&number), number, hash);
        }
    }

    /// States that were followed along τ; those that were forgotten and followed again count again.
    pub(super) fn followed(&self) -> u64 {
        self.forgotten + self.is_left.len() as u64
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        (self.states.capacity() + self.waiting.capacity()) * size_of::<u64>()
            + self.open.capacity() * size_of::<Open>()
            + self.is_left.capacity()
            + self.numbers.capacity() * SLOT
    }

    /// How many bytes the next state may take at once.
    fn growth(&self) -> u64 {
        let states = self.states.len() + self.words > self.states.capacity();
        let states = if states { self.states.capacity() } else { 0 };
        let numbers = self.numbers.len() == self.numbers.capacity();
        // For a while the old table is there too.
        let numbers = if numbers { self.numbers.capacity() } else { 0 };
        (states * size_of::<u64>() + 2 * numbers * SLOT) as u64
    }

    /// Whether `state`, a representative, can do τ for ever, unless `ask`, told now and then the states followed, the bytes held,
    /// and how many more are about to be taken at once, says to stop. Once it can, or that is not known, nothing more can be asked.
    pub(super) fn diverges<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        state: &S,
        ask: &mut dyn FnMut(u64, u64, u64) -> Control,
    ) -> Answer {
        self.first = self.is_left.len();
        let (number, is_new) = self.number(state.words());
        if !is_new {
            return Answer::Rests;
        }
        let mut current = state.clone();
        let mut scratch = Scratch::new(self.words);
        self.enter(product, representative, number, &current, &mut scratch);
        while let Some(open) = self.open.last() {
            if self.waiting.len() == open.waiting {
                self.is_left[open.number as usize] = true;
                self.open.pop();
                continue;
            }
            let start = self.waiting.len() - self.words;
            current.load(&self.waiting[start..]);
            self.waiting.truncate(start);
            if self.growth() > 0 && self.is_stopped(ask) {
                return Answer::Stopped(StopReason::Observer);
            }
            match self.number(current.words()) {
                (number, true) => {
                    self.enter(product, representative, number, &current, &mut scratch);
                }
                (number, false) if self.is_left[number as usize] => {}
                (_, false) => return Answer::Diverges,
            }
            if self.is_left.len() > self.limit {
                return Answer::Stopped(StopReason::StateLimit);
            }
            self.entered += 1;
            if self.entered.is_multiple_of(PATIENCE) && self.is_stopped(ask) {
                return Answer::Stopped(StopReason::Observer);
            }
        }
        Answer::Rests
    }

    /// Whether `ask` says to stop; if it says to hold less, as much as can be is forgotten first.
    fn is_stopped(&mut self, ask: &mut dyn FnMut(u64, u64, u64) -> Control) -> bool {
        let mut ask = |now: &Self| ask(now.followed(), now.memory_bytes() as u64, now.growth());
        let mut control = ask(self);
        if control == Control::Less {
            self.forget_others();
            control = ask(self);
        }
        control == Control::Stop
    }

    fn enter<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        number: u32,
        state: &S,
        scratch: &mut Scratch<S>,
    ) {
        let Self { waiting, open, .. } = self;
        open.push(Open {
            number,
            waiting: waiting.len(),
        });
        product
            .successors
            .for_each(state, scratch, &mut |_, event, next: &S| {
                if event != TAU {
                    return;
                }
                if R::IS_IDENTITY {
                    waiting.extend_from_slice(next.words());
                } else {
                    let mut next = next.clone();
                    representative.represent(&mut next);
                    waiting.extend_from_slice(next.words());
                }
            });
    }

    /// The number of the state with these words, and whether it is new.
    fn number(&mut self, words: &[u64]) -> (u32, bool) {
        let hash = |words: &[u64]| FxBuildHasher.hash_one(words);
        let states = &self.states;
        let of = |number: u32| {
            let start = number as usize * self.words;
            &states[start..start + self.words]
        };
        let same = |&number: &u32| of(number) == words;
        if let Some(&number) = self.numbers.find(hash(words), same) {
            return (number, false);
        }
        let number = self.is_left.len() as u32;
        let rehash = |&number: &u32| hash(of(number));
        self.numbers.insert_unique(hash(words), number, rehash);
        self.states.extend_from_slice(words);
        self.is_left.push(false);
        (number, true)
    }
}
