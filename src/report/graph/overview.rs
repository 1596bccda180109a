//! An overview of a graph: states that are put together, and drawn as one node.

use std::collections::VecDeque;
use std::convert::Infallible;

use super::StateGraph;
use base::components::strong_components;

/// What puts states together.
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

impl GraphOverview {
    /// The overview of `graph` where nobody asks for a certain one: each state is drawn if they are
    /// few. Else the states are put together by components where that makes some, and by layers.
    pub fn fitting(graph: &StateGraph, expanded: Vec<usize>) -> Self {
        let count = |by: GraphGrouping| {
            groups(graph, by)
                .into_iter()
                .max()
                .map_or(0, |last| last + 1)
        };
        let ways = [GraphGrouping::Components, GraphGrouping::Layers];
        // One component with a few states before it is no overview.
        let is_fitting = |by: &GraphGrouping| (4..=MOST_GROUPS).contains(&count(*by));
        let grouping = match graph.states.len() > MOST_SINGLE {
            true => ways.into_iter().find(is_fitting),
            false => None,
        };
        Self { grouping, expanded }
    }
}

/// By state, the number of its group. Groups are numbered by their first states.
pub(super) fn groups(graph: &StateGraph, grouping: GraphGrouping) -> Vec<usize> {
    let key = match grouping {
        GraphGrouping::Layers => depths(graph),
        GraphGrouping::Components => components(graph),
        GraphGrouping::Orbits => {
            // Orbits are numbered below the number of states, so that the others have no number yet.
            let alone = graph.states.len();
            let states = graph.states.iter().enumerate();
            let keys = states.map(|(number, state)| state.orbit.unwrap_or(alone + number));
            keys.collect()
        }
    };
    let mut number = vec![None; 2 * key.len()];
    let mut count = 0;
    let numbered = key.into_iter().map(|key| {
        *number[key].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    });
    numbered.collect()
}

/// By state, the number of steps from the initial one. All states can be reached from it.
pub(super) fn depths(graph: &StateGraph) -> Vec<usize> {
    let after = after(graph);
    let mut depth = vec![None; graph.states.len()];
    let mut open = VecDeque::new();
    if let Some(first) = depth.first_mut() {
        *first = Some(0);
        open.push_back((0, 0));
    }
    while let Some((state, at)) = open.pop_front() {
        for &next in &after[state] {
            if depth[next].is_none() {
                depth[next] = Some(at + 1);
                open.push_back((next, at + 1));
            }
        }
    }
    depth.into_iter().map(Option::unwrap_or_default).collect()
}

fn after(graph: &StateGraph) -> Vec<Vec<usize>> {
    let mut after = vec![Vec::new(); graph.states.len()];
    for transition in &graph.transitions {
        after[transition.from].push(transition.to);
    }
    after
}

/// By state, a number that it has in common with the states that it reaches and that reach it.
fn components(graph: &StateGraph) -> Vec<usize> {
    let after = after(graph).into_iter();
    let after: Vec<Vec<u32>> = after
        .map(|row| row.into_iter().map(|state| state as u32).collect())
        .collect();
    let Ok(found) = strong_components(after.as_slice(), &mut |_| Ok::<(), Infallible>(()));
    found
        .into_iter()
        .map(|component| component as usize)
        .collect()
}
