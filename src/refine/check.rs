//! Check: does every trace of a machine belong to its specification?

use super::path::{self, Path};
use super::store::{Batch, MOST_STATES, Store, StoredState};
use crate::base::index::TypedIndex;
use crate::diag::Result;
use crate::lts::graph::StateId;
use crate::lts::normal_form::NormalForm;
use crate::machine::packing::{Field, Packing};
use crate::machine::successors::Successors;
use crate::machine::{Machine, RuleId};
use crate::process::event::{EventId, TAU};

/// What [`check`] found.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The answer.
    pub outcome: Outcome,
    /// What it took.
    pub statistics: Statistics,
}

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The refinement holds.
    Holds,
    /// It does not; the path is as short as any, τ counted, and the same on every run.
    Violated(Path),
    /// The search ended early.
    Stopped(StopReason),
}

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There are more states than the caller allows.
    StateLimit,
    /// There are more states than can be numbered.
    Numbers,
    /// The observer said so.
    Observer,
}

/// What a search took. States and transitions are those of the reachable product of
/// specification and machine, as far as it was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Product states found.
    pub states: u64,
    /// Transitions followed.
    pub transitions: u64,
    /// Breadth-first levels, the initial state's included.
    pub levels: u64,
    /// States of the specification in normal form.
    pub specification_states: u64,
    /// Bytes that the visited states took.
    pub memory_bytes: u64,
}

/// What the observer of a search is told now and then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What the search took so far.
    pub statistics: Statistics,
    /// States found but not yet expanded.
    pub waiting: u64,
}

/// What the observer answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop.
    Stop,
}

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// How many states may be found.
    pub max_states: Option<u64>,
}

/// Whether every trace of `machine` is one of `specification`.
pub fn check(
    specification: &NormalForm,
    machine: &Machine,
    options: &CheckOptions,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<CheckResult> {
    let packing = machine.packing(specification.state_count() as u32);
    let product = Product::new(specification, machine, packing)?;
    Ok(if product.packing.words() == 1 {
        Search::<u64>::new(&product, options).run(observer)
    } else {
        Search::<Vec<u64>>::new(&product, options).run(observer)
    })
}

/// Specification and machine side by side: a state is that of the machine with that of the
/// specification as one more field.
pub(super) struct Product<'a> {
    pub(super) machine: &'a Machine,
    pub(super) packing: Packing,
    pub(super) successors: Successors,
    specification_states: u64,
    /// The specification's state.
    field: Field,
    /// For each event, where its column starts.
    column_starts: Vec<u32>,
    /// By column and specification state, the bits to flip, or [`REFUSED`].
    columns: Vec<u64>,
}

/// The column entry of an event that the specification does not allow.
const REFUSED: u64 = u64::MAX;

impl<'a> Product<'a> {
    fn new(specification: &NormalForm, machine: &'a Machine, packing: Packing) -> Result<Self> {
        let successors = machine.successors(&packing)?;
        let field = packing.fields()[machine.leaves.len()];
        let mut results: Vec<EventId> = machine.rules.iter().map(|rule| rule.result).collect();
        results.sort_unstable();
        results.dedup();
        let event_count = results.last().map_or(0, |event| event.index() + 1);
        let mut column_starts = vec![0; event_count];
        let mut columns = Vec::new();
        for event in results.into_iter().filter(|&event| event != TAU) {
            column_starts[event.index()] = columns.len() as u32;
            columns.extend((0..specification.state_count() as u32).map(|state| {
                let next = specification.successor(StateId(state), event);
                next.map_or(REFUSED, |next| field.flip(state, next.0))
            }));
        }
        let specification_states = specification.state_count() as u64;
        Ok(Self {
            machine,
            packing,
            successors,
            specification_states,
            field,
            column_starts,
            columns,
        })
    }

    /// What to flip in the specification's field when the machine does `event` in `state`;
    /// nothing if the specification does not allow it.
    #[inline]
    pub(super) fn follow<S: StoredState>(&self, state: &S, event: EventId) -> Option<(u32, u64)> {
        if event == TAU {
            return Some((self.field.word, 0));
        }
        let column = self.column_starts[event.index()] + self.field.get(state);
        let flip = self.columns[column as usize];
        (flip != REFUSED).then_some((self.field.word, flip))
    }
}

/// Candidates are inserted when there are this many.
const BATCH: usize = 2048;

struct Search<'a, S: StoredState> {
    product: &'a Product<'a>,
    options: &'a CheckOptions,
    store: Store<S>,
    batch: Batch,
    statistics: Statistics,
}

impl<'a, S: StoredState> Search<'a, S> {
    fn new(product: &'a Product<'a>, options: &'a CheckOptions) -> Self {
        let words = product.packing.words();
        Self {
            product,
            options,
            store: Store::new(words),
            batch: Batch::new(words),
            statistics: Statistics::default(),
        }
    }

    /// Breadth first, level by level.
    fn run(mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> CheckResult {
        self.batch.push(&S::zero(self.product.packing.words()), 0);
        self.store.insert(&mut self.batch);
        let mut level = 0..1;
        let outcome = loop {
            if level.is_empty() {
                break Outcome::Holds;
            }
            self.statistics.levels += 1;
            if let Some(outcome) = self.expand(level.clone(), observer) {
                break outcome;
            }
            level = level.end..self.store.len() as u32;
        };
        CheckResult {
            outcome,
            statistics: self.statistics_so_far(),
        }
    }

    /// Expands the states of one level in order; says so if that decides the search.
    fn expand(
        &mut self,
        level: std::ops::Range<u32>,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Option<Outcome> {
        let mut state = S::zero(self.product.packing.words());
        let mut scratch = state.clone();
        let last = level.end - 1;
        for number in level {
            self.store.load(number, &mut state);
            if let Some((rule, event)) = self.expand_state(number, &state, &mut scratch) {
                let path = path::recover(self.product, &self.store, number, rule, event);
                return Some(Outcome::Violated(path));
            }
            if self.batch.len() >= BATCH {
                self.store.insert(&mut self.batch);
                if let Some(reason) = self.stops(number, observer) {
                    return Some(Outcome::Stopped(reason));
                }
            }
        }
        self.store.insert(&mut self.batch);
        self.stops(last, observer).map(Outcome::Stopped)
    }

    /// Puts the successors of `state` into the batch; the first step that the specification
    /// does not allow, if there is one.
    #[inline]
    fn expand_state(
        &mut self,
        number: u32,
        state: &S,
        scratch: &mut S,
    ) -> Option<(RuleId, EventId)> {
        let Self {
            product,
            batch,
            statistics,
            ..
        } = self;
        let mut violation = None;
        product
            .successors
            .for_each(state, scratch, &mut |rule, event, next: &S| {
                statistics.transitions += 1;
                match product.follow(state, event) {
                    Some((word, flip)) => {
                        batch.push(next, number);
                        batch.flip_last(word, flip);
                    }
                    None => violation = violation.or(Some((rule, event))),
                }
            });
        violation
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
        }) == Control::Stop)
            .then_some(StopReason::Observer)
    }

    fn statistics_so_far(&self) -> Statistics {
        Statistics {
            states: self.store.len() as u64,
            specification_states: self.product.specification_states,
            memory_bytes: self.store.memory_bytes() as u64,
            ..self.statistics
        }
    }
}

pub fn twisted_check(specification: &NormalForm, machine: &Machine, _choice: &crate::symmetry::choice::Choice, options: &CheckOptions, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<CheckResult> { check(specification, machine, options, observer) }
