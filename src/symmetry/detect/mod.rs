//! Symmetries without any hint: automorphisms of the graph of machine and specification.

mod agreement;
pub mod classes;
mod effective;
mod graph;
mod known;
mod lift;
mod partition;
pub mod reachable;
mod refine;
mod relational;
mod search;
pub mod weights;

use crate::cancel::Cancellation;
use crate::diag::Result;

use self::effective::effective;
use self::graph::Graph;
use self::lift::vertex_moves;
use self::reachable::Reachable;
use self::search::{Moves, automorphisms};
use super::Start;
use super::pbisim::Symmetry;
use super::verify::Verifier;

/// What the search for automorphisms found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Together with the symmetries that were known they generate the group of all symmetries, as far as it makes a
    /// difference to states that can be reached, if the search is complete. They have still to be verified.
    pub generators: Vec<Symmetry>,
    /// Whether the search came to its end within its budget.
    pub is_complete: bool,
    /// Steps that it took, to compare with the budget.
    pub steps: u64,
}

/// Searches for symmetries of the verifier's machine and specification that the verified symmetries `known` do not
/// generate. A step is a place in a tuple of the graph that is looked at; there are no more than `budget`, give or take
/// one cell's. Fails where that may not go on.
pub fn detect(
    verifier: &Verifier<'_>,
    start: Start,
    known: &[Symmetry],
    budget: u64,
    token: &Cancellation,
) -> Result<Detection> {
    let machine = verifier.machine();
    let graph = Graph::new(verifier, start, token)?;
    let mut detection = search(&graph, verifier, known, budget, token)?;
    let reachable = Reachable::by_products(machine, verifier.products(), token)?;
    let found = std::mem::take(&mut detection.generators);
    detection.generators = effective(machine, reachable, known, found, token)?;
    Ok(detection)
}

/// The same with those that move only what can never be reached.
fn search(
    graph: &Graph<'_>,
    verifier: &Verifier<'_>,
    known: &[Symmetry],
    budget: u64,
    token: &Cancellation,
) -> Result<Detection> {
    let (machine, specification) = (verifier.machine(), verifier.specification());
    let moves = |symmetry| vertex_moves(graph, machine, symmetry);
    let known: Vec<Moves> = known.iter().filter_map(moves).collect();
    let found = automorphisms(&graph.structure, &known, budget, token)?;
    let identity = Symmetry::identity(machine, specification.point_count());
    let generators = found.generators.iter();
    Ok(Detection {
        generators: generators
            .map(|moves| lift::symmetry(graph, &identity, moves))
            .collect(),
        is_complete: found.is_complete,
        steps: found.steps,
    })
}

#[cfg(test)]
mod tests;
