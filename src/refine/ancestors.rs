//! How the search got to a state.
//!
//! No state keeps its parent: that would be four bytes for each, of which a path needs a few. The states of each level are together,
//! and a state of the next was entered by the first of them that leads to it. So going back one level takes expanding
//! its states up to that one, without looking anything up: all levels together cost less than the search did.

use std::ops::Range;

use super::store::Store;
use super::worker::Worker;
use crate::base::threads::Threads;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::Representative;

/// States that one thread looks at before it takes others.
const STRETCH: usize = 1024;

/// As many stretches for each thread are looked at before it is asked whether one was found.
const STRETCHES: usize = 8;

/// Consecutive states, and the first of them that leads to the wanted one.
type Searched = (Range<u32>, Option<u32>);

/// The states by which the search first got to state `last`, that at the end. `levels` are where the levels start that it explored,
/// of which the last has that state. Nothing if `is_stopped` now and then says to give up, or a state has no
/// parent, which cannot be.
pub(super) fn path<S: PackedState, R: Representative<S>>(
    workers: &mut [Worker<'_, S, R>],
    threads: &Threads,
    store: &Store,
    levels: &[u32],
    last: S,
    is_stopped: &mut dyn FnMut() -> bool,
) -> Option<Vec<S>> {
    let mut path = vec![last];
    for level in levels.windows(2).rev() {
        let mut states = level[0]..level[1];
        let target = &path[path.len() - 1];
        let parent = loop {
            if states.is_empty() || is_stopped() {
                return None;
            }
            let mut round = round(&mut states, threads.count());
            threads.share(workers, &mut round, |worker, _, (numbers, found)| {
                *found = numbers
                    .clone()
                    .find(|&number| worker.leads_to(store, number, target));
            });
            if let Some(parent) = round.into_iter().find_map(|(_, found)| found) {
                break parent;
            }
        };
        let mut state = target.clone();
        store.load(parent, &mut state);
        path.push(state);
    }
    path.reverse();
    Some(path)
}

/// Takes the next of `states` to look at.
fn round(states: &mut Range<u32>, threads: usize) -> Vec<Searched> {
    let mut round = Vec::new();
    while states.start < states.end && round.len() < threads * STRETCHES {
        let end = states.end.min(states.start + STRETCH as u32);
        round.push((states.start..end, None));
        states.start = end;
    }
    round
}
