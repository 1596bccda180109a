//! Specification and machine side by side.

use super::after_rests::AfterRests;
use super::determinism::pairs::PairSteps;
use super::refusals::Refusals;
use super::steps::SearchSteps;
use super::stubborn::StubbornSets;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use lts::graph::StateId;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::packing::{BitField, PackedState, Packing};
use process::event::{EventId, TAU};

/// Specification and machine side by side: a state is that of the machine with that of the
/// specification as one more field.
pub(super) struct Product<'a> {
    pub(super) machine: &'a Machine,
    pub(super) packing: Packing,
    pub(super) successors: SearchSteps,
    pub(super) specification_states: u64,
    /// True if the specification allows everything from the start.
    pub(super) allows_all: bool,
    /// The model, which says what of a run counts.
    pub(super) model: Model,
    /// The refusals that are allowed, in the models in which refusals count.
    pub(super) refusals: Option<Refusals>,
    /// The targets of events after rests, in the models that remember rests.
    pub(super) after_rests: Option<AfterRests>,
    /// True if the machine must not diverge as long as the specification does not: in the models in
    /// which divergence counts, if the machine has any τ.
    pub(super) forbids_divergence: bool,
    /// The stubborn sets by which a part of the transitions is followed, if not all are.
    pub(super) stubborn: Option<&'a StubbornSets>,
    /// The field of the specification's state.
    field: BitField,
    /// For each event, the place where its column starts.
    column_starts: Vec<u32>,
    /// By column and specification state, the bits to flip, or [`REFUSED`] or [`FREE`].
    columns: Vec<u64>,
}

/// The words of a state: its form wherever a search does not expand states.
pub(super) type StateWords = Vec<u64>;

/// The answer of the specification to an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allowance {
    /// The specification does not allow the event.
    Refused,
    /// The specification allows the event, and everything after it.
    Free,
    /// The specification allows the event; these bits of this word of the state flip.
    Allowed(u32, u64),
}

/// The column entry of an event that the specification does not allow.
const REFUSED: u64 = u64::MAX;

/// The column entry of an event after which the specification allows everything.
const FREE: u64 = u64::MAX - 1;

impl<'a> Product<'a> {
    /// The product of both. Its tables take time, and are made as long as `token` lets work go on.
    pub(super) fn new(
        specification: &NormalForm,
        machine: &'a Machine,
        token: &Cancellation,
    ) -> Result<Self> {
        Self::with_events(specification, machine, results(machine, token)?, token)
    }

    /// The pairs of states of `machine` that one trace leads to ([`PairSteps`]), for finding out
    /// whether the machine is deterministic in `model`. Beside each pair is the first state of
    /// `anything`, which allows all but divergence.
    pub(super) fn of_pairs(
        anything: &NormalForm,
        machine: &'a Machine,
        model: Model,
        token: &Cancellation,
    ) -> Result<Self> {
        let mut events = results(machine, token)?;
        // An event that no machine does says that a pair is wrong.
        let wrong = EventId(events.last().map_or(0, |last| last.0) + 1);
        events.push(wrong);
        let product = Self::with_events(anything, machine, events, token)?;
        let column = product.column_starts[wrong.index()] as usize;
        let mut columns = vec![0; product.columns.len()];
        columns[column..].fill(REFUSED);
        Ok(Self {
            packing: product.packing.twice(),
            successors: product.successors.of_pairs(PairSteps::new(wrong)),
            refusals: product.refusals.filter(|_| model.has_divergences()),
            forbids_divergence: product.forbids_divergence && model.has_divergences(),
            columns,
            ..product
        })
    }

    /// The product of both, if `results` are the events that the machine does, ascending.
    fn with_events(
        specification: &NormalForm,
        machine: &'a Machine,
        results: Vec<EventId>,
        token: &Cancellation,
    ) -> Result<Self> {
        let packing = machine.packing(specification.state_count() as u32);
        let successors = SearchSteps::new(machine.successors(&packing, token)?);
        // `Machine::packing` puts the field of the specification behind those of the leaves.
        let field = packing.fields()[machine.leaves.len()];
        // τ is the least event.
        let has_tau = results.first() == Some(&TAU);
        let event_count = results.last().map_or(0, |event| event.index() + 1);
        let mut column_starts = vec![0; event_count];
        let mut columns = Vec::new();
        let states = specification.state_count() as u32;
        for event in results.into_iter().filter(|&event| event != TAU) {
            column_starts[event.index()] = columns.len() as u32;
            let answer = |state| match specification.successor(StateId(state), event) {
                None => REFUSED,
                Some(next) if specification.is_divergent(next) => FREE,
                // At most 32 bits are set in a flip, so it is neither `REFUSED` nor `FREE`.
                Some(next) => field.flip(state, next.0),
            };
            token.look(1 + states as usize)?;
            columns.extend((0..states).map(answer));
        }
        let model = specification.model();
        let has_failures = model.has_failures();
        let refusals = has_failures.then(|| Refusals::new(specification, event_count, token));
        Ok(Self {
            machine,
            packing,
            successors,
            specification_states: u64::from(states),
            allows_all: specification.is_divergent(NormalForm::INITIAL),
            model,
            refusals: refusals.transpose()?,
            after_rests: AfterRests::of(specification, field, token)?,
            forbids_divergence: model.has_divergences() && has_tau,
            stubborn: None,
            field,
            column_starts,
            columns,
        })
    }

    /// The product, of whose transitions only those are followed that `stubborn` chooses.
    pub(super) fn reduced(mut self, stubborn: Option<&'a StubbornSets>) -> Self {
        let never_diverges = stubborn.is_some_and(StubbornSets::never_diverges);
        self.forbids_divergence &= !never_diverges;
        self.stubborn = stubborn;
        self
    }

    /// The answer of the specification when the machine does `event` in `state`, whatever the
    /// machine refuses there.
    #[inline]
    pub(super) fn follow<S: PackedState>(&self, state: &S, event: EventId) -> Allowance {
        if event == TAU {
            return Allowance::Allowed(self.field.word, 0);
        }
        let column = self.column_starts[event.index()] + self.field.get(state);
        match self.columns[column as usize] {
            REFUSED => Allowance::Refused,
            FREE => Allowance::Free,
            flip => Allowance::Allowed(self.field.word, flip),
        }
    }

    /// The state of the specification in `state`.
    #[inline]
    pub(super) fn specification_state<S: PackedState>(&self, state: &S) -> StateId {
        StateId(self.field.get(state))
    }
}

/// The events that `machine` does, ascending.
fn results(machine: &Machine, token: &Cancellation) -> Result<Vec<EventId>> {
    let mut results: Vec<EventId> = machine.rules.iter().map(|rule| rule.result).collect();
    token.sort(&mut results)?;
    results.dedup();
    Ok(results)
}
