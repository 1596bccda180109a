//! The breadth-first search of Check and TwistedCheck, Figure 3 of the paper.
//!
//! Three things differ from the figure. The search starts at the representative of the initial pair, because symmetries may
//! move that. A pair is recorded with its parent only: event and twist of a step are found again when they are
//! wanted, see [`path`]. And compatibility is decided for all events of a pair at once, while its successors are listed;
//! of several things that are wrong with a pair an event counts first, then a refusal. Divergence is looked for when all pairs of
//! a level were found to be compatible, because that may lead to pairs far beyond the level.

use super::check::{CheckOptions, CheckResult, Control, Outcome, Progress, Statistics, StopReason};
use super::divergence::{Answer, Divergence};
use super::path::{self, Wrong};
use super::product::{Allowance, Product};
use super::recent::Recent;
use super::refusals::Offer;
use super::store::{Batch, MOST_STATES, Store, StoredState};
use crate::diag::Result;
use crate::symmetry::representative::{AnyRep, Method, Representative, orbit_count};

/// Orbits of more states are not counted.
const MOST_COUNTED: usize = 1_000_000;

/// Candidates are inserted when there are this many.
const BATCH: usize = 2048;

/// A search for a pair that does what its specification does not allow.
pub(super) struct Search<'a, S: StoredState, R> {
    product: &'a Product<'a>,
    representative: R,
    /// What orbits are counted by, if the representatives turn out not to be unique.
    exact: Option<AnyRep<S>>,
    options: &'a CheckOptions,
    store: Store<S>,
    batch: Batch,
    /// Pairs whose representatives have been in the batch; nothing where each pair represents itself.
    recent: Option<Recent>,
    /// What the state that is expanded offers, where refusals count.
    offer: Option<Offer>,
    /// Where divergences count.
    divergence: Option<Divergence>,
    /// There, the states of the level that can do τ.
    internal: Vec<u32>,
    statistics: Statistics,
}

/// What one state of a level is expanded with.
struct Scratch<S> {
    successor: S,
    twisted: S,
}

impl<'a, S: StoredState, R: Representative<S>> Search<'a, S, R> {
    pub(super) fn new(
        product: &'a Product<'a>,
        representative: R,
        options: &'a CheckOptions,
    ) -> Self {
        let words = product.packing.words();
        Self {
            product,
            representative,
            exact: None,
            options,
            store: Store::new(words),
            batch: Batch::new(words),
            recent: (!R::IS_IDENTITY).then(|| Recent::new(words)),
            offer: product.refusals.as_ref().map(Offer::new),
            divergence: product
                .forbids_divergence
                .then(|| Divergence::new(words, options.max_states)),
            internal: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.exact = exact.map(|method| method.packed(&self.product.packing));
        self
    }

    /// Breadth first, level by level.
    pub(super) fn run(
        mut self,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<CheckResult> {
        let mut initial = S::zero(self.product.packing.words());
        if !self.product.allows_all {
            self.representative.represent(&mut initial);
            self.batch.push(&initial, 0);
            self.store.insert(&mut self.batch);
        }
        let mut level = 0..self.store.len() as u32;
        let outcome = loop {
            if level.is_empty() {
                break Outcome::Holds;
            }
            self.statistics.levels += 1;
            if let Some(outcome) = self.expand(level.clone(), observer)? {
                break outcome;
            }
            if let Some(outcome) = self.diverge(observer)? {
                break outcome;
            }
            level = level.end..self.store.len() as u32;
        };
        let mut statistics = self.statistics_so_far();
        if outcome == Outcome::Holds {
            statistics.extra_states = self.extra_states();
        }
        Ok(CheckResult {
            outcome,
            statistics,
        })
    }

    /// Expands the states of one level in order; says so if that decides the search.
    fn expand(
        &mut self,
        level: std::ops::Range<u32>,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<Option<Outcome>> {
        let mut state = S::zero(self.product.packing.words());
        let mut scratch = Scratch {
            successor: state.clone(),
            twisted: state.clone(),
        };
        let last = level.end - 1;
        for number in level {
            self.store.load(number, &mut state);
            if let Some(wrong) = self.expand_state(number, &state, &mut scratch) {
                let (product, representative) = (self.product, &mut self.representative);
                let path = path::recover(product, &self.store, representative, number, wrong)?;
                return Ok(Some(Outcome::Violated(path)));
            }
            if self.batch.len() >= BATCH
                && let Some(reason) = self.insert(number, observer)
            {
                return Ok(Some(Outcome::Stopped(reason)));
            }
        }
        Ok(self.insert(last, observer).map(Outcome::Stopped))
    }

    /// Stores what was found up to the state `expanded`, unless there is no room or time for it.
    fn insert(
        &mut self,
        expanded: u32,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Option<StopReason> {
        // Asked before, because all that the tables grow by is taken in one step.
        if self.store.growth(self.batch.len()) > 0
            && let Some(reason) = self.stops(expanded, observer)
        {
            return Some(reason);
        }
        self.store.insert(&mut self.batch);
        self.stops(expanded, observer)
    }

    /// Looks for a state of the level that can do τ for ever; says so if that decides the search.
    fn diverge(
        &mut self,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<Option<Outcome>> {
        let statistics = self.statistics_so_far();
        let mut is_stopped = |followed, memory_bytes| {
            let statistics = Statistics {
                memory_bytes,
                ..statistics
            };
            let progress = Progress {
                statistics,
                waiting: 0,
                growth: 0,
                followed,
            };
            observer(&progress) == Control::Stop
        };
        let Some(divergence) = &mut self.divergence else {
            return Ok(None);
        };
        let (product, representative) = (self.product, &mut self.representative);
        let mut state = S::zero(product.packing.words());
        for number in self.internal.drain(..) {
            self.store.load(number, &mut state);
            match divergence.diverges(product, representative, &state, &mut is_stopped) {
                Answer::Rests => {}
                Answer::Stopped(reason) => {
                    // So that it is known how far it was.
                    is_stopped(divergence.followed(), divergence.memory_bytes() as u64);
                    return Ok(Some(Outcome::Stopped(reason)));
                }
                Answer::Diverges => {
                    let wrong = Wrong::Divergence;
                    let path = path::recover(product, &self.store, representative, number, wrong)?;
                    return Ok(Some(Outcome::Violated(path)));
                }
            }
        }
        Ok(None)
    }

    /// Puts the representatives of the successors of `state` into the batch; what the specification does not allow, if
    /// there is anything.
    #[inline]
    fn expand_state(&mut self, number: u32, state: &S, scratch: &mut Scratch<S>) -> Option<Wrong> {
        let Self {
            product,
            representative,
            batch,
            recent,
            offer,
            divergence,
            internal,
            statistics,
            ..
        } = self;
        let Scratch { successor, twisted } = scratch;
        let specification = product.specification_state(state);
        let mut offer = offer.as_mut().zip(product.refusals.as_ref());
        if let Some((offer, _)) = &mut offer {
            offer.clear();
        }
        let mut wrong = None;
        product
            .successors
            .for_each(state, successor, &mut |rule, event, next: &S| {
                statistics.transitions += 1;
                if let Some((offer, refusals)) = &mut offer {
                    offer.add(event, refusals, specification);
                }
                match product.follow(state, event) {
                    Allowance::Allowed(word, flip) if R::IS_IDENTITY => {
                        batch.push(next, number);
                        batch.flip_last(word, flip);
                    }
                    Allowance::Allowed(word, flip) => {
                        twisted.clone_from(next);
                        twisted.flip(word, flip);
                        // What was entered before has been in a batch, as its representative.
                        if recent.as_mut().is_none_or(|r| r.enter(twisted.words())) {
                            representative.represent(twisted);
                            batch.push(twisted, number);
                        }
                    }
                    Allowance::Free => {}
                    Allowance::Refused => wrong = wrong.or(Some(Wrong::Event(rule, event))),
                }
            });
        if wrong.is_some() {
            return wrong;
        }
        let (offer, refusals) = offer?;
        if !offer.is_allowed(refusals, specification) {
            return Some(Wrong::Refusal);
        }
        if divergence.is_some() && offer.has_tau() {
            internal.push(number);
        }
        None
    }

    /// How many states more than orbits were stored.
    fn extra_states(&mut self) -> Option<u64> {
        if self.representative.is_unique() {
            return Some(0);
        }
        let exact = self
            .exact
            .as_mut()
            .filter(|_| self.store.len() <= MOST_COUNTED)?;
        let mut state = S::zero(self.product.packing.words());
        let states = (0..self.store.len() as u32).map(|number| {
            self.store.load(number, &mut state);
            state.clone()
        });
        Some(self.store.len() as u64 - orbit_count(states, exact))
    }

    fn stops(
        &self,
        expanded: u32,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Option<StopReason> {
        let statistics = self.statistics_so_far();
        let waiting = statistics.states - u64::from(expanded) - 1;
        if self
            .options
            .max_states
            .is_some_and(|most| statistics.states > most)
        {
            return Some(StopReason::StateLimit);
        }
        // No state has as many successors as this keeps free.
        if self.store.len() > MOST_STATES - (1 << 24) {
            return Some(StopReason::Numbers);
        }
        (observer(&Progress {
            statistics,
            waiting,
            growth: self.store.growth(self.batch.len()) as u64,
            followed: self.divergence.as_ref().map_or(0, Divergence::followed),
        }) == Control::Stop)
            .then_some(StopReason::Observer)
    }

    fn statistics_so_far(&self) -> Statistics {
        let divergence = self.divergence.as_ref();
        let divergence = divergence.map_or(0, Divergence::memory_bytes);
        Statistics {
            states: self.store.len() as u64,
            specification_states: self.product.specification_states,
            memory_bytes: (self.store.memory_bytes() + divergence) as u64,
            ..self.statistics
        }
    }
}
