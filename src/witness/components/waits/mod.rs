//! The components that wait for each other when a process has come to rest.
//!
//! From each event that a component offers, the operators above it are climbed. If an operator
//! needs other operands that do not offer to take part, the components in these are searched
//! downwards. Of operands that interleave, only those count that could ever do the event, which is
//! found by exploring them. If that takes too long, nothing is reported, because it is no part of
//! the verdict.

mod blockers;
mod climber;
pub mod ways;

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use self::climber::who_waits;
use super::tree::RunningNode;
use base::diag::Result;
use process::event::EventId;
use process::term::Definitions;

/// The largest number of components from which shortest cycles are looked for.
const MOST_STARTS: usize = 2_000;

/// The components that wait for others.
#[derive(Default)]
pub struct Waits {
    /// A component, its own event, and the components that prevent it; ascending.
    pub found: Vec<(usize, EventId, Vec<usize>)>,
}

impl Waits {
    /// The components that wait for others in `node`.
    pub fn at(definitions: &mut dyn Definitions, node: &RunningNode) -> Result<Self> {
        let found = who_waits(definitions, node)?;
        let found = found.into_iter().map(|((component, event), on)| {
            let on = on.into_iter().filter(|&other| other != component);
            (component, event, on.collect::<Vec<_>>())
        });
        Ok(Self {
            found: found.filter(|(.., on)| !on.is_empty()).collect(),
        })
    }

    /// A shortest cycle of components, each of which waits for the next, each with the event it
    /// waits to do.
    pub fn cycle(&self) -> Vec<(usize, EventId)> {
        let mut edges: BTreeMap<usize, Vec<(usize, EventId)>> = BTreeMap::new();
        for (component, event, on) in &self.found {
            let to = on.iter().map(|&other| (other, *event));
            edges.entry(*component).or_default().extend(to);
        }
        let mut shortest: Vec<(usize, EventId)> = Vec::new();
        for &start in edges.keys().take(MOST_STARTS) {
            let cycle = cycle_from(&edges, start);
            if !cycle.is_empty() && (shortest.is_empty() || cycle.len() < shortest.len()) {
                shortest = cycle;
            }
        }
        shortest
    }
}

/// A shortest way from `start` back to it, breadth first; empty if there is none.
fn cycle_from(
    edges: &BTreeMap<usize, Vec<(usize, EventId)>>,
    start: usize,
) -> Vec<(usize, EventId)> {
    // By component, the component before it, and the event that the latter waits to do.
    let mut from: FxHashMap<usize, (usize, EventId)> = FxHashMap::default();
    // `start` itself is not in `from` yet, so that coming back to it closes the cycle.
    let mut open = VecDeque::from([start]);
    while let Some(component) = open.pop_front() {
        for &(other, event) in edges.get(&component).into_iter().flatten() {
            if from.contains_key(&other) {
                continue;
            }
            from.insert(other, (component, event));
            open.push_back(other);
        }
        if from.contains_key(&start) {
            break;
        }
    }
    let mut cycle = Vec::new();
    let mut at = start;
    while let Some(&(before, event)) = from.get(&at) {
        cycle.push((before, event));
        at = before;
        if at == start {
            cycle.reverse();
            return cycle;
        }
    }
    Vec::new()
}
