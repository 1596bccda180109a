//! The way by which the search got to a state.
//!
//! No state keeps its parent: that would be four bytes for each, of which a path needs a few. The
//! states of each level are together, and each state of the next level was entered from one of
//! them. So going back one level takes expanding its states up to the first that leads to the
//! wanted state, without looking anything up: all levels together cost at most about what the
//! search did.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::crew::Crew;
use super::frontier::Frontier;
use super::halt::Halt;
use super::path::not_recovered;
use super::product::StateWords;
use base::cancel::Cancellation;
use base::diag::Result;

/// The number of states that one thread looks at before it takes others, at first, when it is not
/// known how long that takes.
const STRETCH: u32 = 64;

/// The number of stretches for each thread that are looked at before it is asked whether a parent
/// was found.
const STRETCHES: usize = 8;

/// The time that a round of stretches should take, about.
const ROUND: Duration = Duration::from_millis(50);

/// Consecutive states, and the first of them that leads to the wanted one.
pub(super) type SearchedStates = (Range<u32>, Option<u32>);

/// The states by which the search got to state `last` of level `level`, with `last` at the end.
/// `parent` takes a level and a state of the next one, and returns a state of the level that leads
/// to that state.
pub(super) fn path(
    level: usize,
    last: StateWords,
    mut parent: impl FnMut(usize, &StateWords) -> Result<StateWords, Halt>,
) -> Result<Vec<StateWords>, Halt> {
    let mut path = vec![last];
    for level in (0..level).rev() {
        let state = parent(level, &path[path.len() - 1])?;
        path.push(state);
    }
    path.reverse();
    Ok(path)
}

/// The first of the states with these numbers of which `target` represents a successor; `None` if
/// there is none. `crew` looks for it on `threads` threads.
pub(super) fn first_parent(
    (crew, threads): (&mut (dyn Crew + '_), usize),
    frontier: &dyn Frontier,
    mut numbers: Range<u32>,
    target: &[u64],
    token: &Cancellation,
) -> Result<Option<u32>, Halt> {
    let mut stretch = STRETCH;
    while !numbers.is_empty() {
        Halt::check(token)?;
        let started = Instant::now();
        let mut round = round(&mut numbers, threads, stretch);
        crew.find_parents(frontier, &mut round, target);
        // The round is in the order of the states, so which thread was faster has no effect.
        if let Some(parent) = round.into_iter().find_map(|(_, found)| found) {
            return Ok(Some(parent));
        }
        stretch = match started.elapsed() < ROUND {
            true => stretch.saturating_mul(2),
            false => (stretch / 2).max(1),
        };
    }
    Ok(None)
}

/// The problem that no state of a level leads to a state of the next one, which cannot be.
pub(super) fn no_parent() -> Halt {
    let problem = not_recovered("no state of a level leads to one of the next");
    Halt::Failed(Box::new(problem))
}

/// Takes the next of `states` to look at, in stretches.
fn round(states: &mut Range<u32>, threads: usize, stretch: u32) -> Vec<SearchedStates> {
    let mut round = Vec::new();
    while states.start < states.end && round.len() < threads * STRETCHES {
        let end = states.end.min(states.start.saturating_add(stretch));
        round.push((states.start..end, None));
        states.start = end;
    }
    round
}
