//! Pairs that need not be looked at, because a pair that was met decides them.
//!
//! Let a pair (U, q) be a set U of states of the specification and a state q of the process. If (V,
//! q) was met and V ⊆ U, then (U, q) is left out: the pairs kept for each q are an *antichain*.
//!
//! *Nothing is lost.* V forbids whatever U does: an event that no state of U has, no state of V
//! has; the acceptances of V are among those of U; and if U cannot diverge, V cannot. For each
//! event e the set after V by e is within the set after U by e. So by induction on its length a run
//! of the process that violates U, or a part of it, violates V. V was met, and is either looked at
//! or has a smaller set in its turn, which was met before; sets are finite, so at the end of this
//! chain is a pair that is looked at. ∎ The pair (V, q) is not further from the start than (U, q),
//! because the search is breadth first and (V, q) was met earlier. So the first violation that it
//! finds is as near as without antichains.
//!
//! This holds in all models here because what is compared with V and U is monotone in them, and a
//! set that can diverge is never a part of a pair: everything after it is allowed. Laveaux, Groote
//! and Willemse, *Correct and efficient antichain algorithms for refinement checking* (LMCS 17(1),
//! 2021), show where earlier algorithms for failures and divergences went wrong. With one pair of
//! each orbit (`unlisted/orbits.rs`) all this is about representatives: those of (V, q) and (U, q)
//! may have different states of the process, and then neither is left out.

use lts::graph::StateId;
use rustc_hash::FxHashMap;

use super::requirement::RequirementStates;

/// The least requirements that were met with each state of the process.
#[derive(Default)]
pub(super) struct Antichains {
    least: FxHashMap<StateId, Vec<u32>>,
}

/// The most requirements that are kept for one state. Leaving out is never necessary, and each new
/// pair is compared with all of them.
const MOST: usize = 64;

impl Antichains {
    /// Adds a new pair. Returns false if one that was added before decides it.
    pub(super) fn add(
        &mut self,
        states: &RequirementStates<'_>,
        requirement: u32,
        process: StateId,
    ) -> bool {
        let least = self.least.entry(process).or_default();
        if least.iter().any(|&met| states.is_within(met, requirement)) {
            return false;
        }
        least.retain(|&met| !states.is_within(requirement, met));
        if least.len() < MOST {
            least.push(requirement);
        }
        true
    }
}
