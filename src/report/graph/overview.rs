//! An overview of a graph: states that are put together, and drawn as one node.

use std::collections::VecDeque;
use std::convert::Infallible;

use base::components::strong_components;

/// The property by which states are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphGrouping {
    /// The states that are equally many steps away from the initial one.
    Layers,
    /// The states that reach each other: a strongly connected component.
    Components,
    /// The states that symmetries take to each other. A state without an orbit is alone.
    Orbits,
}

/// The states that a drawing of a graph puts together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphOverview {
    /// The groups; `None` if each state is drawn.
    pub grouping: Option<GraphGrouping>,
    /// The numbers of groups whose states are drawn all the same. Groups are numbered from 0 by
    /// their first states.
    pub expanded: Vec<usize>,
}

/// The most states of which each is drawn where nobody asks for an overview.
const MOST_SINGLE: usize = 1_000;
/// The most groups that are an overview.
const MOST_GROUPS: usize = 200;

/// The groups of an overview of a graph of these `successors` where nobody asks for certain ones:
/// none if the states are few, else components where these are some, and else layers.
pub(super) fn fitting(successors: &[Vec<u32>]) -> Option<GraphGrouping> {
    // One component with a few states before it is no overview.
    let is_fitting = |by: &GraphGrouping| {
        let count = groups(successors, &[], *by).into_iter().max();
        count.is_some_and(|last| (4..=MOST_GROUPS).contains(&(last + 1)))
    };
    let ways = [GraphGrouping::Components, GraphGrouping::Layers];
    match successors.len() > MOST_SINGLE {
        true => ways.into_iter().find(is_fitting),
        false => None,
    }
}

/// By state, the number of its group in the graph of these `successors`. Groups are numbered by
/// their first states. By state, `orbits` has the number of its orbit; one without is alone.
pub(super) fn groups(
    successors: &[Vec<u32>],
    orbits: &[Option<usize>],
    grouping: GraphGrouping,
) -> Vec<usize> {
    let count = successors.len();
    let key = match grouping {
        GraphGrouping::Layers => depths(successors),
        GraphGrouping::Components => components(successors),
        GraphGrouping::Orbits => {
            let orbit = |state: usize| orbits.get(state).copied().flatten();
            // Orbits have numbers below that of states, so that the others have none yet.
            let keys = (0..count).map(|state| orbit(state).unwrap_or(count + state));
            keys.collect()
        }
    };
    let mut number = vec![None; 2 * count];
    let mut known = 0;
    let numbered = key.into_iter().map(|key| {
        *number[key].get_or_insert_with(|| {
            known += 1;
            known - 1
        })
    });
    numbered.collect()
}

/// By state, the number of steps from the initial one, from which all can be reached.
pub(super) fn depths(successors: &[Vec<u32>]) -> Vec<usize> {
    let mut depth = vec![None; successors.len()];
    let mut open = VecDeque::new();
    if let Some(first) = depth.first_mut() {
        *first = Some(0);
        open.push_back((0, 0));
    }
    while let Some((state, at)) = open.pop_front() {
        for &next in &successors[state] {
            let next = next as usize;
            if depth[next].is_none() {
                depth[next] = Some(at + 1);
                open.push_back((next, at + 1));
            }
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}

/// By state, a number that it has in common with the states that it reaches and that reach it.
fn components(successors: &[Vec<u32>]) -> Vec<usize> {
    let Ok(found) = strong_components(successors, &mut |_| Ok::<(), Infallible>(()));
    found
        .into_iter()
        .map(|component| component as usize)
        .collect()
}
