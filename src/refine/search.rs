//! The breadth-first search of Check and TwistedCheck, Figure 3 of the paper.
//!
//! Four things differ from the figure. The search starts at the representative of the initial pair, because symmetries may
//! move that. A pair is recorded alone: how it was reached, by what event and with what twist, is found again when it is
//! wanted, see [`ancestors`] and [`path`]. And compatibility is decided for all events of a pair at once, while its successors are listed;
//! of several things that are wrong with a pair an event counts first, then a refusal. Divergence is looked for when all pairs of
//! a level were found to be compatible, because that may lead to pairs far beyond the level.
//!
//! A level is explored in rounds. In each, all threads expand stretches of its states, and then all of them look up the successors,
//! each those of its own shard of the store. What is new is numbered in the order of the states that lead to it, so that
//! everything that is found is the same for any number of threads and for rounds of any size.

use std::convert::Infallible;
use std::ops::Range;

use super::ancestors;
use super::divergence::Answer;
use super::outcome::{
    CheckOptions, CheckResult, Control, Outcome, SearchProgress, Statistics, StopReason,
};
use super::path::Wrong;
use super::product::Product;
use super::states::States;
use super::store::{Batch, MOST_STATES, Store};
use super::team::Team;
use super::worker::Stretch;
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::{Method, Representative};

/// Who watches the search.
pub(super) type Observer<'o> = &'o mut dyn FnMut(&SearchProgress) -> Control;

/// A search for a pair that does what its specification does not allow.
pub(super) struct Search<'a, S, R> {
    team: Team<'a, S, R>,
    max_states: Option<u64>,
    store: Store,
    /// Where the levels start.
    levels: Vec<u32>,
    /// Where divergences count, the states of the level that can do τ.
    internal: Vec<u32>,
    statistics: Statistics,
}

impl States for Store {
    #[inline]
    fn load<S: PackedState>(&self, number: u32, state: &mut S) {
        Store::load(self, number, state);
    }
}

impl<'a, S: PackedState, R: Representative<S>> Search<'a, S, R> {
    pub(super) fn new(product: &'a Product<'a>, representative: R, options: &CheckOptions) -> Self {
        Self {
            team: Team::new(product, representative, options),
            max_states: options.max_states,
            store: Store::new(&product.packing, options.threads.count()),
            levels: Vec::new(),
            internal: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.team.count_by(exact);
        self
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn in_stretches_of(mut self, successors: u64) -> Self {
        self.team.shorten(successors);
        self
    }

    /// Breadth first, level by level.
    pub(super) fn run(mut self, observer: Observer<'_>) -> Result<CheckResult> {
        if !self.team.product.allows_all {
            self.start();
        }
        let mut level = 0..self.store.len() as u32;
        let outcome = loop {
            if level.is_empty() {
                break Outcome::Holds;
            }
            self.statistics.levels += 1;
            self.levels.push(level.start);
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
            statistics.extra_states = self.extra_states(observer);
        }
        Ok(CheckResult {
            outcome,
            statistics,
        })
    }

    /// Enters the representative of the initial pair.
    fn start(&mut self) {
        let initial = self.team.initial();
        let mut batch = Batch::new(initial.words().len());
        batch.push(&initial);
        batch.route(self.store.shards());
        self.store
            .insert(&mut [&mut batch], MOST_STATES, &self.team.threads);
    }

    /// Expands the states of one level in order; says so if that decides the search.
    fn expand(&mut self, level: Range<u32>, observer: Observer<'_>) -> Result<Option<Outcome>> {
        self.team.begin(level.clone());
        loop {
            let expanded = level.end - self.team.left();
            let successors = self.statistics.transitions / u64::from(expanded.max(1));
            let (store, shards) = (&self.store, self.store.shards());
            let route = |stretch: &mut Stretch| stretch.batch.route(shards);
            let Some(count) = self.team.round(store, successors, route) else {
                return Ok(None);
            };
            // Asked before, because all that the tables grow by is taken in one step.
            let growth = self.growth(count);
            if growth > 0 && self.is_stopped(&level, growth, observer) {
                return Ok(Some(Outcome::Stopped(StopReason::Observer)));
            }
            if let Some(reason) = self.enter(count) {
                return Ok(Some(Outcome::Stopped(reason)));
            }
            if let Some((_, number, wrong)) = self.team.wrong(count) {
                return self.violated(number, wrong, observer).map(Some);
            }
            if self.is_stopped(&level, 0, observer) {
                return Ok(Some(Outcome::Stopped(StopReason::Observer)));
            }
        }
    }

    /// How many bytes entering what the first `count` stretches lead to, up to the first wrong state, may take at once.
    fn growth(&self, count: usize) -> u64 {
        let count = self
            .team
            .wrong(count)
            .map_or(count, |(place, ..)| place + 1);
        let stretches = self.team.stretches[..count].iter();
        self.store.growth(stretches.map(|stretch| &stretch.batch)) as u64
    }

    /// Whether whoever watches says to stop, before `growth` bytes are taken at once.
    fn is_stopped(&self, level: &Range<u32>, growth: u64, observer: Observer<'_>) -> bool {
        let waiting = self.store.len() as u64 - u64::from(level.end - self.team.left());
        observer(&self.progress(waiting, growth)) == Control::Stop
    }

    /// Enters what the first `count` stretches lead to, up to the first wrong state; says so if that is too much.
    fn enter(&mut self, count: usize) -> Option<StopReason> {
        let wrong = self.team.wrong(count);
        let count = wrong.map_or(count, |(place, ..)| place + 1);
        let round = &mut self.team.stretches[..count];
        let most = self.max_states.unwrap_or(u64::MAX).min(MOST_STATES as u64) as usize;
        let mut batches: Vec<&mut Batch> = round.iter_mut().map(|s| &mut s.batch).collect();
        let excess = self.store.insert(&mut batches, most, &self.team.threads);
        let whole = excess.map_or(round.len(), |(stretch, _)| stretch);
        for stretch in &mut round[..whole] {
            self.statistics.transitions += stretch.transitions;
            self.internal.append(&mut stretch.internal);
        }
        let (stretch, candidate) = excess?;
        self.statistics.transitions += round[stretch].transitions_before(candidate);
        Some(if most < MOST_STATES {
            StopReason::StateLimit
        } else {
            StopReason::Numbers
        })
    }

    /// What to say about a state with something wrong.
    fn violated(&mut self, number: u32, wrong: Wrong, observer: Observer<'_>) -> Result<Outcome> {
        let progress = self.progress(0, 0);
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let mut last = S::zero(self.team.product.packing.words());
        self.store.load(number, &mut last);
        let (team, store, levels) = (&mut self.team, &self.store, &self.levels);
        let stored = ancestors::path(levels.len() - 1, last, |level, target: &S| {
            let numbers = levels[level]..levels[level + 1];
            let found = team.first_parent(store, numbers, target, &mut is_stopped);
            Ok::<_, Infallible>(found.map(|parent| {
                let mut state = target.clone();
                store.load(parent, &mut state);
                state
            }))
        });
        match stored {
            Ok(Some(stored)) => self.team.violated(&stored, wrong),
            Ok(None) if is_stopped() => Ok(Outcome::Stopped(StopReason::Observer)),
            Ok(None) => ancestors::no_parent().into(),
        }
    }

    /// Looks for a state of the level that can do τ for ever; says so if that decides the search.
    fn diverge(&mut self, observer: Observer<'_>) -> Result<Option<Outcome>> {
        let (statistics, stored) = (self.statistics_so_far(), self.store.memory_bytes() as u64);
        let mut ask = |followed, memory_bytes: u64, _: u64| {
            let progress = SearchProgress {
                statistics: Statistics {
                    memory_bytes: stored + memory_bytes,
                    ..statistics
                },
                waiting: 0,
                expanded: statistics.states,
                followed,
                ..SearchProgress::default()
            };
            observer(&progress)
        };
        let mut state = S::zero(self.team.product.packing.words());
        for number in std::mem::take(&mut self.internal) {
            self.store.load(number, &mut state);
            match self.team.diverges(&state, &mut ask) {
                None | Some(Answer::Rests) => {}
                Some(Answer::Stopped(reason)) => {
                    // So that it is known how far it was.
                    ask(self.team.followed(), self.team.memory_bytes() as u64, 0);
                    return Ok(Some(Outcome::Stopped(reason)));
                }
                Some(Answer::Diverges) => {
                    return self.violated(number, Wrong::Divergence, observer).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// How many states more than orbits were stored, unless whoever watches says to stop.
    fn extra_states(&mut self, observer: Observer<'_>) -> Option<u64> {
        let progress = self.progress(0, 0);
        let mut state = S::zero(self.team.product.packing.words());
        let store = &self.store;
        let states = (0..store.len() as u32).map(|number| {
            store.load(number, &mut state);
            state.clone()
        });
        let mut is_stopped = || observer(&progress) == Control::Stop;
        self.team
            .extra_states(store.len() as u64, states, &mut is_stopped)
    }

    fn progress(&self, waiting: u64, growth: u64) -> SearchProgress {
        SearchProgress {
            statistics: self.statistics_so_far(),
            waiting,
            expanded: self.store.len() as u64 - waiting,
            growth,
            spare: 0,
            followed: self.team.followed(),
        }
    }

    fn statistics_so_far(&self) -> Statistics {
        Statistics {
            states: self.store.len() as u64,
            specification_states: self.team.product.specification_states,
            memory_bytes: (self.store.memory_bytes() + self.team.memory_bytes()) as u64,
            ..self.statistics
        }
    }
}
