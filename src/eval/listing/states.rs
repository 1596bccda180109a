//! The states that were met: which calls and terms are the same state.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::head::{CALL, EXTERNAL, HeadToken, INTERNAL, OMEGA, PREFIX, Runner, SKIP, STOP};
use crate::base::stack::deep;
use crate::process::event::{EventId, TAU, TICK};

/// The states of one process, by number.
///
/// A state is a term that is no call. Its tokens are not kept, because a call that leads to it is
/// shorter, and can be unfolded again where two states are compared.
#[derive(Default)]
pub(super) struct ListedStates {
    calls: ListedCalls,
    /// By state, the hash of its tokens, and a call that leads to it.
    hashes: Vec<u64>,
    sources: Vec<Option<u32>>,
    table: HashTable<u32>,
    /// The tokens of states to which no call leads.
    own: FxHashMap<u32, Box<[HeadToken]>>,
    /// The tokens of the states that have no row yet, in order.
    waiting: Waiting,
    /// How many operands of `[]` were unfolded for the present row.
    unfolded: usize,
}

/// The calls that were met, with the state of each.
#[derive(Default)]
struct ListedCalls {
    /// The tokens of all calls, and where those of each begin.
    tokens: Vec<HeadToken>,
    starts: Vec<u32>,
    states: Vec<u32>,
    table: HashTable<u32>,
}

impl ListedCalls {
    fn tokens(&self, call: u32) -> &[HeadToken] {
        let end = self.starts.get(call as usize + 1);
        let end = end.map_or(self.tokens.len(), |&end| end as usize);
        &self.tokens[self.starts[call as usize] as usize..end]
    }

    fn state(&self, call: &[HeadToken]) -> Option<u32> {
        let is_it = |&other: &u32| self.tokens(other) == call;
        let found = self.table.find(FxBuildHasher.hash_one(call), is_it)?;
        Some(self.states[*found as usize])
    }

    /// Adds a call that was not met before; returns its number, or `None` if there are too many.
    fn insert(&mut self, call: &[HeadToken], state: u32) -> Option<u32> {
        let number = self.starts.len() as u32;
        self.starts.push(u32::try_from(self.tokens.len()).ok()?);
        self.tokens.extend_from_slice(call);
        self.states.push(state);
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(FxBuildHasher.hash_one(call), number, |&other| {
            FxBuildHasher.hash_one(self.tokens(other))
        });
        self.table = table;
        Some(number)
    }
}

/// A queue of lists of tokens.
#[derive(Default)]
struct Waiting {
    tokens: Vec<HeadToken>,
    /// Where the next list begins.
    next: usize,
}

impl Waiting {
    fn push(&mut self, tokens: &[HeadToken]) {
        self.tokens.push(tokens.len() as HeadToken);
        self.tokens.extend_from_slice(tokens);
    }

    fn pop(&mut self, into: &mut Vec<HeadToken>) {
        let length = self.tokens[self.next] as usize;
        let start = self.next + 1;
        into.clear();
        into.extend_from_slice(&self.tokens[start..start + length]);
        self.next = start + length;
        // Moving what is left costs no more than what was taken out since the last time.
        if self.next > self.tokens.len() / 2 {
            self.tokens.drain(..self.next);
            self.next = 0;
        }
    }
}

/// More calls than this inside each other, none guarded, are left to the terms, which say so.
pub(super) const MOST_NESTED: usize = 1000;

/// A state with more operands that are calls is left to the terms.
const MOST_OPERANDS: usize = 10_000;

/// A state with more tokens is left to the terms: copying what is nested in it would take time and
/// memory quadratic in its depth.
const MOST_TOKENS: usize = 20_000;

impl ListedStates {
    /// How many states were met.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Puts the transitions of the next state that has no row yet into `row`.
    pub(super) fn next_row(
        &mut self,
        runner: &mut Runner<'_, '_>,
        tokens: &mut Vec<HeadToken>,
        row: &mut Vec<(EventId, u32)>,
    ) -> Option<()> {
        row.clear();
        self.waiting.pop(tokens);
        self.unfolded = 0;
        self.add_steps(runner, tokens, row, 0)
    }

    fn add_steps(
        &mut self,
        runner: &mut Runner<'_, '_>,
        tokens: &[HeadToken],
        row: &mut Vec<(EventId, u32)>,
        depth: usize,
    ) -> Option<()> {
        match tokens[0] {
            STOP | OMEGA => {}
            SKIP => row.push((TICK, self.of_term(runner, &[OMEGA])?)),
            PREFIX => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = runner.after(tokens, at + 1);
                    let target = self.of_term(runner, &tokens[at + 1..end])?;
                    row.push((EventId(tokens[at]), target));
                    at = end;
                }
            }
            INTERNAL if depth == 0 => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = runner.after(tokens, at);
                    row.push((TAU, self.of_term(runner, &tokens[at..end])?));
                    at = end;
                }
            }
            // An operand that can do τ stays in the choice: such states are left to the terms.
            INTERNAL => return None,
            EXTERNAL => {
                let mut at = 2;
                for _ in 0..tokens[1] {
                    let end = runner.after(tokens, at);
                    self.operand_steps(runner, &tokens[at..end], row, depth)?;
                    at = end;
                }
            }
            _ => unreachable!("a state is no call"),
        }
        Some(())
    }

    /// The steps of an operand of `[]`, which may be a call.
    fn operand_steps(
        &mut self,
        runner: &mut Runner<'_, '_>,
        operand: &[HeadToken],
        row: &mut Vec<(EventId, u32)>,
        depth: usize,
    ) -> Option<()> {
        if operand[0] < CALL {
            return deep(|| self.add_steps(runner, operand, row, depth + 1));
        }
        // Each operand may have several that are calls again.
        self.unfolded += 1;
        if depth > MOST_NESTED || self.unfolded > MOST_OPERANDS {
            return None;
        }
        let mut tokens = Vec::new();
        unfold_fully(runner, operand, &mut tokens, |_| {})?;
        deep(|| self.add_steps(runner, &tokens, row, depth + 1))
    }

    /// The state of a term; a new one if it was not met before.
    pub(super) fn of_term(
        &mut self,
        runner: &mut Runner<'_, '_>,
        term: &[HeadToken],
    ) -> Option<u32> {
        if term[0] < CALL {
            return self.of_head(runner, term, None);
        }
        if let Some(state) = self.calls.state(term) {
            return Some(state);
        }
        let (mut head, mut calls) = (Vec::new(), vec![term.to_vec()]);
        unfold_fully(runner, term, &mut head, |call| calls.push(call.to_vec()))?;
        let state = self.of_head(runner, &head, Some(term))?;
        for call in calls {
            if self.calls.state(&call).is_none() {
                self.calls.insert(&call, state)?;
            }
        }
        Some(state)
    }

    /// The state whose tokens are `head`, to which `call` leads.
    fn of_head(
        &mut self,
        runner: &mut Runner<'_, '_>,
        head: &[HeadToken],
        call: Option<&[HeadToken]>,
    ) -> Option<u32> {
        if head.len() > MOST_TOKENS {
            return None;
        }
        let hash = FxBuildHasher.hash_one(head);
        let candidates: Vec<u32> = {
            let same_hash = self.table.iter_hash(hash).copied();
            same_hash
                .filter(|&s| self.hashes[s as usize] == hash)
                .collect()
        };
        for state in candidates {
            if self.is_state(runner, state, head)? {
                return Some(state);
            }
        }
        let state = u32::try_from(self.len()).ok()?;
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.table
            .insert_unique(hash, state, |&other| hashes[other as usize]);
        match call {
            Some(call) => {
                let number = self.calls.insert(call, state)?;
                self.sources.push(Some(number));
            }
            None => {
                self.sources.push(None);
                self.own.insert(state, head.into());
            }
        }
        self.waiting.push(head);
        Some(state)
    }

    /// Whether `state` has these tokens.
    fn is_state(
        &self,
        runner: &mut Runner<'_, '_>,
        state: u32,
        head: &[HeadToken],
    ) -> Option<bool> {
        let Some(call) = self.sources[state as usize] else {
            return Some(*self.own[&state] == *head);
        };
        let mut tokens = Vec::new();
        unfold_fully(runner, self.calls.tokens(call), &mut tokens, |_| {})?;
        Some(tokens == head)
    }
}

/// Unfolds `call` until `tokens` are no call; passes on the calls on the way.
fn unfold_fully(
    runner: &mut Runner<'_, '_>,
    call: &[HeadToken],
    tokens: &mut Vec<HeadToken>,
    mut on_the_way: impl FnMut(&[HeadToken]),
) -> Option<()> {
    runner.unfold(call, tokens)?;
    for _ in 0..MOST_NESTED {
        if tokens[0] < CALL {
            return Some(());
        }
        on_the_way(tokens);
        let call = std::mem::take(tokens);
        runner.unfold(&call, tokens)?;
    }
    None
}
