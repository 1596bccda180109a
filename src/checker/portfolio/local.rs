//! Groups of a few components, which may show in place of a search that nothing deadlocks.

use base::cancel::Cancellation;
use base::diag::Result;
use lts::model::Model;
use process::event::TAU;
use refine::local::{LocalAnswer, LocalCost, analyse};
use witness::Claim;

use crate::compiled::{Against, Compiled};

/// A local analysis that is tried again with more room until it has an answer.
pub(super) struct LocalAnalysis {
    /// True if it has no answer yet.
    is_open: bool,
    /// The most states and steps of groups, and derived literals, of the next attempt.
    most: u64,
}

/// The states of groups of the first attempt, besides some for each leaf.
const FIRST: u64 = 1 << 16;

/// The states of groups for each leaf of the first attempt.
const FOR_A_LEAF: u64 = 256;

/// The factor from one attempt to the next.
const FACTOR: u64 = 2;

impl LocalAnalysis {
    /// An analysis of `compiled`; none is tried of questions to which it does not apply, or that do
    /// not leave free how they are decided, nor of one component: a search is as fast.
    pub(super) fn of(compiled: &Compiled) -> Self {
        let leaves = compiled.machine.leaves.len();
        Self {
            is_open: leaves > 1 && compiled.dives && is_applicable(compiled),
            most: FIRST + FOR_A_LEAF * leaves as u64,
        }
    }

    /// True if another attempt may find a proof.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Lets the next attempt look at `most` states of groups, if that is more than it may.
    pub(super) fn allow(&mut self, most: u64) {
        self.most = self.most.max(most);
    }

    /// The cost of a proof that nothing deadlocks, if the next attempt finds one.
    pub(super) fn next(
        &mut self,
        compiled: &Compiled,
        token: &Cancellation,
    ) -> Result<Option<LocalCost>> {
        if !self.is_open {
            return Ok(None);
        }
        let answer = analyse(&compiled.machine, self.most, token)?;
        self.most = self.most.saturating_mul(FACTOR);
        self.is_open = answer == LocalAnswer::TooLarge;
        Ok(match answer {
            LocalAnswer::DeadlockFree(cost) => Some(cost),
            _ => None,
        })
    }
}

/// True if the question of `compiled` is about deadlock, and its process may not diverge if that
/// counts: divergence is not looked at.
pub(super) fn is_applicable(compiled: &Compiled) -> bool {
    match &compiled.against {
        Against::NormalForm(form, Claim::DeadlockFree) => {
            let mut rules = compiled.machine.rules.iter();
            form.model() == Model::Failures || rules.all(|rule| rule.result != TAU)
        }
        _ => false,
    }
}
