//! Pairs of terms by orbits: only one of those that permutations of values take to each other is
//! looked at.
//!
//! *Nothing is lost.* Let σ be a permutation under which the definitions are symmetric
//! ([`Definitions::represent`]), and (U, q) a pair: a set U of states of the specification and a
//! state q of the process. The steps of σ(q) are the images of those of q, and so are those of the
//! states of U. So (U, q) is wrong, in traces, rests or divergences, exactly if (σU, σq) is, and
//! each pair that follows one of them has an image that follows the other. By induction on its
//! length a run that violates the requirement from (U, q) has an image that violates it from
//! (σU, σq). ∎ A requirement that is no refinement has to be one that no permutation changes: to
//! be free of deadlocks or of divergences is, to have a trace is not.
//!
//! Representatives need not be unique for this: the search then meets more of them.

use lts::graph::StateId;
use rustc_hash::FxHashMap;

use super::requirement::{RequiredNext, RequirementStates};
use super::side::{MetRow, SideRows};
use base::diag::Result;
use process::event::TAU;
use process::term::Definitions;

/// A state of the requirement, and one of the process.
pub(super) type StatePair = (u32, StateId);

/// The work, as of [`SideRows::charge`], of looking at a part of a term to choose the image that
/// represents the term. Measured on Peterson's algorithm and on queues of 20 identities.
const WORK_OF_PART: u64 = 8;

/// The representatives of the pairs that were met.
#[derive(Default)]
pub(super) struct PairOrbits {
    representatives: FxHashMap<StatePair, StatePair>,
    /// By state of the process, the representatives of what follows by τ.
    taus: Vec<Vec<StateId>>,
}

impl PairOrbits {
    /// The representative of `pair`; `None` if finding it takes more work than may be done.
    pub(super) fn representative(
        &mut self,
        definitions: &mut dyn Definitions,
        (process, beside): (&mut SideRows<'_>, &mut RequirementStates<'_>),
        pair: StatePair,
    ) -> Result<Option<StatePair>> {
        if let Some(&known) = self.representatives.get(&pair) {
            return Ok(Some(known));
        }
        let (requirement, state) = pair;
        let Some(term) = process.term(state) else {
            return Ok(Some(pair));
        };
        let mut terms = vec![term];
        terms.extend(beside.terms(requirement));
        let parts = definitions.represent(&mut terms)?;
        if !process.charge(WORK_OF_PART * parts as u64) {
            return Ok(None);
        }
        let state = process.state_of(definitions, terms[0])?;
        let required = beside.of_terms(definitions, requirement, &terms[1..])?;
        let RequiredNext::Allowed(requirement) = required else {
            return Ok(None);
        };
        let representative = (requirement, state);
        self.representatives.insert(pair, representative);
        // What represents others represents itself, even if another image were found for it.
        self.representatives.insert(representative, representative);
        Ok(Some(representative))
    }

    /// Notes that τ leads from one state of the process to another, which is a representative. The
    /// state of the requirement is left out: each τ noted is one of the first state with its atoms
    /// permuted, and a state from which τ go on for ever is met with some requirement, which is
    /// looked at or is decided by a smaller one that is met with the same state.
    pub(super) fn add_tau(&mut self, from: StateId, to: StateId) {
        let from = from.0 as usize;
        if self.taus.len() <= from {
            self.taus.resize(from + 1, Vec::new());
        }
        if !self.taus[from].contains(&to) {
            self.taus[from].push(to);
        }
    }

    /// The τ between representatives. A cycle of them is a run of τ without end: each step of it
    /// is one of the process with its atoms permuted.
    pub(super) fn tau_rows(&self) -> Vec<Option<MetRow>> {
        let rows = self.taus.iter();
        let rows = rows.map(|row| row.iter().map(|&target| (TAU, target)).collect());
        rows.map(Some).collect()
    }
}
