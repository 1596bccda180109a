//! Detection of symmetries without any hint, as automorphisms of the graph of machine and
//! specification.

mod agreement;
mod classes;
mod graph;
mod known;
mod lift;
mod partition;
mod reachable;
mod refine;
mod relational;
mod search;
pub(crate) mod weights;

use base::cancel::Cancellation;
use base::diag::Result;

use self::graph::SymmetryGraph;
use self::known::VertexMoves;
use self::lift::vertex_moves;
use self::reachable::{Reachable, moves_something_reachable};
use self::search::automorphisms;
use super::pbisim::Symmetry;
use super::start::Start;
use super::verify::Verifier;

/// The result of the search for automorphisms.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Generators. If the search is complete, they generate, together with the known symmetries,
    /// the group of all symmetries, as far as it matters for reachable states. They have still to
    /// be verified.
    pub generators: Vec<Symmetry>,
    /// True if the search came to its end within its budget.
    pub is_complete: bool,
    /// The number of steps that it took, to compare with the budget.
    pub steps: u64,
}

/// Searches for symmetries of the verifier's machine and specification that the verified symmetries
/// `known` do not generate. A step is a look at one place in a tuple of the graph; there are at
/// most `budget`, plus those of the last cell. Returns an error if `token` says that work may not
/// go on.
pub fn detect(
    verifier: &Verifier<'_>,
    start: Start,
    known: &[Symmetry],
    budget: u64,
    token: &Cancellation,
) -> Result<Detection> {
    let machine = verifier.machine;
    let graph = SymmetryGraph::new(verifier, start, token)?;
    let moves = known
        .iter()
        .map(|symmetry| vertex_moves(&graph, machine, symmetry));
    let moves: Vec<VertexMoves> = moves.flatten().collect();
    let found = automorphisms(&graph.structure, &moves, budget, token)?;
    let identity = Symmetry::identity(machine, verifier.specification.point_count());
    let generators = found.generators.iter();
    let mut generators: Vec<Symmetry> = generators
        .map(|moves| lift::symmetry(&graph, &identity, moves))
        .collect();
    let mut reachable = Reachable::by_products(machine, &verifier.products, token)?;
    // Elements that move nothing reachable form a normal subgroup, because the states that count as
    // reachable are closed under all symmetries: leaving them out changes no orbit.
    reachable.close_under(known.iter().chain(&generators), token)?;
    generators.retain(|symmetry| moves_something_reachable(&reachable, symmetry));
    Ok(Detection {
        generators,
        is_complete: found.is_complete,
        steps: found.steps,
    })
}

#[cfg(test)]
mod tests;
