//! Counterexamples: paths of the search become behaviours, replayed before they are believed.

#![doc = include_str!("README.md")]

pub mod after;
pub mod components;
mod counterexample;
pub mod followed;
mod found;
mod implementation;
mod lasso;
mod lassos;
pub mod listed;
mod moves;
mod nondeterminism;
mod observations;
pub mod replay;
mod specification;

use base::diag::Result;
use machine::{CompileOptions, Machine};
use process::term::{Definitions, TermId};
use refine::path::Path;

pub use self::counterexample::{Claim, Refutation, WitnessStep, Wrong};
use self::found::FoundPath;
use self::implementation::replayed;
pub use self::nondeterminism::{explain_divergence, explain_refusable};
use self::observations::explain_observations;
use self::replay::not_reproduced;
use self::specification::refutes;

/// Replays `path`, which was found in `machine` or without one, on the terms. If the machine has
/// other τ than `implementation`, the replay may have other τ than the path. Both sides were
/// compiled with `options`. A path that is no run of `implementation`, or one that does not refute
/// the claim, is an `internal-replay` diagnostic.
pub fn explain(
    definitions: &mut dyn Definitions,
    claim: &Claim,
    (implementation, machine): (TermId, Option<&Machine>),
    path: &Path,
    options: &CompileOptions,
) -> Result<Refutation> {
    let found = FoundPath::new(machine, path);
    if let Claim::Refines(specification, model) = *claim
        && model.sees_revivals()
    {
        let sides = (specification, implementation);
        return explain_observations(definitions, sides, model, found, options);
    }
    let Some(found) = replayed(definitions, claim, implementation, found, options)? else {
        return not_reproduced("the implementation cannot do what was found").into();
    };
    refutes(definitions, claim, found, options)
}

#[cfg(test)]
mod tests;
