//! Refinement in rounds: splits all classes at once by the transitions of their states, as long as
//! that pays.
//!
//! A round (Blom and Orzan, *Distributed state space minimization*, 2005) gives two states of a
//! class the same new class if their *signatures*, the labels and classes of their transitions, are
//! equal. A round takes time linear in the transitions and walks through memory in order. Where the
//! number of classes doubles from round to round, a few rounds do work for which partition
//! refinement takes ten times as long. Where one class is split off at a time, as along a chain,
//! rounds are quadratic: then the rest is left to partition refinement.
//!
//! Signatures are compared by their hashes. If two different signatures have equal hashes, classes
//! are too large, never too small. That is noticed, because the last partition is checked to be
//! stable.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::graph::{Lts, StateId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;

/// The classes that rounds find in a transition system.
pub(super) struct Rounds {
    /// The class of each state; the numbers have no gaps. Bisimilar states are in one class.
    pub(super) class_of: Vec<u32>,
    /// True if states of one class are bisimilar.
    pub(super) stable: bool,
}

/// The inverse of the least share of new classes after a round. With fewer, that round is the last.
const LEAST_GROWTH: usize = 4;

/// Refines the states of `lts`. Only the bits of `mask` are used of the hashes.
pub(super) fn refine(lts: &Lts, mask: u64, token: &Cancellation) -> Result<Rounds> {
    let mut class_of = vec![0; lts.state_count()];
    let mut count = 1;
    loop {
        let refined = round(lts, &class_of, mask, token)?;
        let refined_count = refined.iter().max().map_or(0, |&last| last as usize + 1);
        let added = refined_count - count;
        class_of = refined;
        count = refined_count;
        let discrete = count == lts.state_count();
        if discrete || added < count.div_ceil(LEAST_GROWTH) {
            let stable = discrete || is_stable(lts, &class_of, token)?;
            return Ok(Rounds { class_of, stable });
        }
    }
}

/// The classes of states with equal classes in `class_of` and equal signatures.
fn round(lts: &Lts, class_of: &[u32], mask: u64, token: &Cancellation) -> Result<Vec<u32>> {
    let mut numbers: FxHashMap<(u32, u64), u32> = FxHashMap::default();
    let mut signature = Vec::new();
    let number = |state: StateId| {
        token.look(1 + lts.row(state).len())?;
        write_signature(lts, class_of, state, &mut signature);
        let mut hasher = FxHasher::default();
        signature.iter().for_each(|&step| hasher.write_u64(step));
        // The old class is a part of the key, so classes are only ever split, whatever the hashes
        // are.
        let key = (class_of[state.index()], hasher.finish() & mask);
        let next = numbers.len() as u32;
        Ok(*numbers.entry(key).or_insert(next))
    };
    lts.states().map(number).collect()
}

/// True if all states of each class have equal signatures.
fn is_stable(lts: &Lts, class_of: &[u32], token: &Cancellation) -> Result<bool> {
    let mut first: Vec<Option<StateId>> = vec![None; class_of.len()];
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for state in lts.states() {
        token.look(1 + lts.row(state).len())?;
        let first = *first[class_of[state.index()] as usize].get_or_insert(state);
        if first == state {
            continue;
        }
        write_signature(lts, class_of, first, &mut one);
        write_signature(lts, class_of, state, &mut other);
        if one != other {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the signature of `state`: the label and the class of each transition in one word,
/// ascending, without repetition.
fn write_signature(lts: &Lts, class_of: &[u32], state: StateId, signature: &mut Vec<u64>) {
    let row = lts.row(state).iter();
    signature.clear();
    signature.extend(
        row.map(|&(event, target)| u64::from(event.0) << 32 | u64::from(class_of[target.index()])),
    );
    signature.sort_unstable();
    signature.dedup();
}
