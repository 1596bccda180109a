//! Dives: searches that go ahead along one order of the steps after the other.

use std::mem;
use std::sync::Arc;

use base::diag::Result;
use refine::check::{CheckOptions, CheckResult, Statistics};
use refine::dive::{ChoiceOrder, DiveEnd, DivePlan, dive};
use refine::stubborn::StubbornSets;

use crate::compiled::{Against, Compiled};

/// The dives through one machine, beside all its searches.
pub(super) struct Dives {
    /// The pairs that each dive may meet in any case.
    least: u64,
    /// The number of dives so far.
    count: u64,
    /// True if no dive can find anything any more.
    are_over: bool,
    /// True if the last dive has met as many pairs as there may be states.
    are_cut: bool,
    promise_much: bool,
    in_vain: Statistics,
    /// The cost of the last dive.
    last: Statistics,
}

/// The pairs that a dive may meet in any case: so many, and so many for each leaf. A path along
/// which each leaf does some steps has to fit.
const FEW: u64 = 256;
const FEW_OF_A_LEAF: u64 = 4;

/// A dive may meet one pair for this many states that were expanded before it. A pair of a dive
/// takes up to ten times as long as a state, so all dives together take up to a sixth of the time.
const EXPANDED_FOR_A_PAIR: u64 = 128;

impl Dives {
    /// The dives through `compiled`.
    pub(super) fn of(compiled: &Compiled) -> Self {
        let leaves = compiled.machine.leaves.len() as u64;
        Self {
            least: FEW + FEW_OF_A_LEAF * leaves,
            count: 0,
            are_over: hindrance(compiled).is_some(),
            are_cut: false,
            promise_much: false,
            in_vain: Statistics::default(),
            last: Statistics::default(),
        }
    }

    /// True if a search with these stubborn sets may be much smaller than one without: the last
    /// dive has left out many transitions, or has met all that there is.
    pub(super) fn promise_much(&self) -> bool {
        self.promise_much
    }

    /// True if no dive can find anything any more.
    pub(super) fn are_over(&self) -> bool {
        self.are_over
    }

    /// True if there were `count` dives, and the last has met as many pairs as there may be states.
    pub(super) fn have_been_cut(&self, count: u64) -> bool {
        self.are_cut && self.count >= count
    }

    /// The cost of the last dive.
    pub(super) fn last(&self) -> Statistics {
        self.last
    }

    /// The cost of the dives that have found nothing since this was last asked.
    pub(super) fn take_in_vain(&mut self) -> Statistics {
        mem::take(&mut self.in_vain)
    }

    /// Dives once, with these stubborn sets if there are any, where a search with these `options`
    /// has `expanded` so many states. Returns the result if it finds a violation.
    pub(super) fn next(
        &mut self,
        compiled: &Compiled,
        sets: Option<&Arc<StubbornSets>>,
        (options, expanded): (&CheckOptions, u64),
    ) -> Result<Option<CheckResult>> {
        if self.are_over {
            return Ok(None);
        }
        let most = self.least.max(expanded / EXPANDED_FOR_A_PAIR);
        let plan = DivePlan {
            stubborn: sets.cloned(),
            order: ChoiceOrder::of_dive(self.count),
            most: most.min(options.max_states.unwrap_or(u64::MAX)),
            cancellation: options.cancellation.clone(),
            progress: options.progress.clone(),
        };
        let result = dive(compiled.form(), &compiled.machine, &plan)?;
        self.count += 1;
        self.last = result.statistics;
        let is_exhausted = matches!(result.end, DiveEnd::Exhausted);
        self.promise_much = sets.is_some() && (result.leaves_out_many || is_exhausted);
        match result.end {
            DiveEnd::Found(path) => {
                self.are_over = true;
                return Ok(Some(CheckResult::violated(path, result.statistics)));
            }
            DiveEnd::Full => self.are_cut = options.max_states.is_some_and(|all| all <= most),
            DiveEnd::Exhausted | DiveEnd::Cancelled => self.are_over = true,
        }
        self.in_vain.states += result.statistics.states;
        self.in_vain.transitions += result.statistics.transitions;
        self.in_vain.levels = self.in_vain.levels.max(result.statistics.levels);
        Ok(None)
    }
}

/// The reason why a dive cannot answer the question of `compiled`, if there is one.
pub(super) fn hindrance(compiled: &Compiled) -> Option<&'static str> {
    match &compiled.against {
        Against::Itself(..) => Some(OF_ALL_STEPS),
        Against::NormalForm(form, _) if form.model().sees_revivals() => {
            Some("this model sees what is done after a rest")
        }
        Against::NormalForm(..) if compiled.machine.follows_chases() => {
            Some("the process has a function that follows one τ of several")
        }
        Against::NormalForm(..) => None,
    }
}

/// The reason why determinism is decided neither by dives nor with partial order reduction.
pub(super) const OF_ALL_STEPS: &str = "determinism is decided from all steps";
