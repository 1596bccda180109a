//! Symmetries without any hint: automorphisms of the graph of machine and specification.

mod agreement;
pub mod classes;
mod graph;
mod known;
mod lift;
mod partition;
pub mod reachable;
mod refine;
mod relational;
mod search;
pub mod weights;

use base::cancel::Cancellation;
use base::diag::Result;

use self::graph::SymmetryGraph;
use self::lift::vertex_moves;
use self::reachable::{Reachable, moves_something_reachable};
use self::search::{VertexMoves, automorphisms};
use super::Start;
use super::pbisim::Symmetry;
use super::verify::Verifier;

/// What the search for automorphisms found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Together with the symmetries that were known they generate the group of all symmetries, as
    /// far as it makes a difference to states that can be reached, if the search is complete. They
    /// have still to be verified.
    pub generators: Vec<Symmetry>,
    /// Whether the search came to its end within its budget.
    pub is_complete: bool,
    /// Steps that it took, to compare with the budget.
    pub steps: u64,
}

/// Searches for symmetries of the verifier's machine and specification that the verified symmetries
/// `known` do not generate. A step is a look at one place in a tuple of the graph; there are at
/// most `budget`, but for the last cell's. Returns an error if `token` says that work may not go
/// on.
pub fn detect(
    verifier: &Verifier<'_>,
    start: Start,
    known: &[Symmetry],
    budget: u64,
    token: &Cancellation,
) -> Result<Detection> {
    let machine = verifier.machine();
    let graph = SymmetryGraph::new(verifier, start, token)?;
    let mut detection = search(&graph, verifier, known, budget, token)?;
    let mut reachable = Reachable::by_products(machine, verifier.products(), token)?;
    // Elements that move nothing reachable are a normal subgroup, because what counts as reachable
    // is closed under all symmetries: leaving them out changes no orbit.
    reachable.close_under(known.iter().chain(&detection.generators), token)?;
    detection
        .generators
        .retain(|symmetry| moves_something_reachable(&reachable, symmetry));
    Ok(detection)
}

/// What the search finds, with the symmetries that move only what can never be reached.
fn search(
    graph: &SymmetryGraph<'_>,
    verifier: &Verifier<'_>,
    known: &[Symmetry],
    budget: u64,
    token: &Cancellation,
) -> Result<Detection> {
    let (machine, specification) = (verifier.machine(), verifier.specification());
    let moves = |symmetry| vertex_moves(graph, machine, symmetry);
    let known: Vec<VertexMoves> = known.iter().filter_map(moves).collect();
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
