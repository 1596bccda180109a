//! The algorithm for each compression.

use super::bisimulation::minimise;
use super::diamond::diamond;
use super::graph::Lts;
use super::normalise::normalise;
use super::tau_loops::tau_loop_factor;
use super::weak::{delay_bisimulation, weak_bisimulation};
use base::cancel::Cancellation;
use base::diag::Result;
use process::compression::Compression;

/// `lts` compressed. Returns `None` if `compression` makes a normal form with more than `limit`
/// states. Fails if the work is to end, which is asked in proportion to the transitions looked at.
///
/// All compressions keep traces, failures and divergences, alone and below every operator but
/// priorities. The operational semantics has already made the choices of `chase` and `deter`, so
/// there is nothing left to do for them.
pub fn compress(
    compression: Compression,
    lts: &Lts,
    limit: usize,
    token: &Cancellation,
) -> Result<Option<Lts>> {
    Ok(Some(match compression {
        Compression::Explicate | Compression::Sbisim => minimise(lts, token)?.lts,
        Compression::Dbisim => delay_bisimulation(lts, token)?,
        Compression::Wbisim => weak_bisimulation(lts, token)?,
        Compression::TauLoopFactor => tau_loop_factor(lts, token)?.into_owned(),
        Compression::Diamond => diamond(lts, token)?,
        Compression::Normal => return normalise(lts, limit, token),
        Compression::LazyNorm => lazy_norm(lts, token)?,
        Compression::ModelCompress => model_compress(lts, token)?,
        Compression::Chase | Compression::ChaseNoCache | Compression::Deter => lts.clone(),
    }))
}

/// True if no two states of a system made by `compression` are strongly bisimilar.
pub fn is_minimal(compression: Compression) -> bool {
    // Both end with minimising.
    let minimises = matches!(compression, Compression::Explicate | Compression::Sbisim);
    minimises || compression == Compression::Normal
}

/// The system after weak bisimilarity, and diamonds if they leave out more, in turn until nothing
/// becomes smaller.
fn model_compress(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let mut smallest = weak_bisimulation(lts, token)?;
    loop {
        let diamonds = diamond(&smallest, token)?;
        let next = weak_bisimulation(&diamonds, token)?;
        // Diamonds may add transitions, so the result may be larger. Sizes decrease, so the loop
        // ends.
        if size(&next) >= size(&smallest) {
            return Ok(smallest);
        }
        smallest = next;
    }
}

/// The deterministic form or the quotient by bisimilarity, whichever is smaller.
fn lazy_norm(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let weak = weak_bisimulation(lts, token)?;
    // A normal form may be exponentially large; one with more states than this is not wanted.
    match normalise(&weak, weak.state_count(), token)? {
        Some(normal) if size(&normal) < size(&weak) => lazy_norm(&normal, token),
        _ => Ok(weak),
    }
}

/// The compression to use in place of `compression` in a model that sees the events a process does
/// after a rest.
///
/// Weak bisimilarity that respects divergence keeps those events, and everything that any model of
/// CSP sees. Every observation leads from weakly bisimilar states to weakly bisimilar states, and a
/// stable state has a stable one among its partners, which offers exactly the same events (van
/// Glabbeek, *A Branching Time Model of CSP*, 2017, has a coarser equivalence that suffices).
/// States on a cycle of τ are weakly bisimilar. Normal forms and diamonds keep only minimal
/// acceptances, and not the event that is done with each, so the coarsest of the other compressions
/// takes their place. A compression means its operand, so this changes no verdict.
pub fn keeping_observations(compression: Compression) -> Compression {
    match compression {
        Compression::Diamond
        | Compression::Normal
        | Compression::LazyNorm
        | Compression::ModelCompress => Compression::Wbisim,
        Compression::Explicate
        | Compression::Sbisim
        | Compression::Dbisim
        | Compression::Wbisim
        | Compression::TauLoopFactor
        | Compression::Chase
        | Compression::ChaseNoCache
        | Compression::Deter => compression,
    }
}

fn size(lts: &Lts) -> (usize, usize) {
    (lts.state_count(), lts.transition_count())
}

#[cfg(test)]
pub(crate) mod tests;
