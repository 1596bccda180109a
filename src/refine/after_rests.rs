//! The answers of a specification to events after the machine was seen at rest, in the models of
//! refusal testing.

use std::cmp::Ordering;

use super::offence::Offence;
use super::product::{Allowance, Product};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use lts::graph::StateId;
use lts::normal_form::{AfterRest, NormalForm};
use machine::packing::{BitField, PackedState};
use machine::successors::Scratch;
use process::acceptance::is_subset;
use process::event::{EventId, TAU};

/// The targets of events after rests, by state of a specification: only those that differ from the
/// targets without a rest.
pub(super) struct AfterRests {
    states: Vec<StateAfterRests>,
}

/// The targets of events after rests, from one state of a specification.
struct StateAfterRests {
    /// The events of all entries, ascending.
    events: Vec<EventId>,
    /// Sets of offers, ascending, each with the answers to events after rests in which the machine
    /// has offered all of the set. Of the entries that have an event and whose offers the machine
    /// has all offered, the first one counts. In the order of [`by_size`].
    entries: Vec<(Vec<EventId>, Answers)>,
}

/// The answers of a specification to events, the events ascending.
type Answers = Vec<(EventId, Allowance)>;

/// Orders sets of offers: larger ones come first.
fn by_size(one: &[EventId], other: &[EventId]) -> Ordering {
    let by_length = other.len().cmp(&one.len());
    by_length.then_with(|| one.cmp(other))
}

impl AfterRests {
    /// The targets after rests of `specification`, whose state is in `field`; `None` in models that
    /// forget rests.
    pub(super) fn of(
        specification: &NormalForm,
        field: BitField,
        token: &Cancellation,
    ) -> Result<Option<Self>> {
        let of_state = |state: StateId| {
            let after = specification.after_rests(state);
            token.look(1 + after.len())?;
            let answer = |(event, next): (EventId, StateId)| {
                let answer = match specification.is_divergent(next) {
                    true => Allowance::Free,
                    false => Allowance::Allowed(field.word, field.flip(state.0, next.0)),
                };
                (event, answer)
            };
            let rows = after.iter().flat_map(|after| &after.row);
            let mut events: Vec<EventId> = rows.map(|&(event, _)| event).collect();
            token.sort(&mut events)?;
            events.dedup();
            let entries = after.into_iter();
            let entries = entries.map(|AfterRest { offers, row }| {
                let answers = row.into_iter().map(answer).collect();
                (offers, answers)
            });
            let mut entries: Vec<(Vec<EventId>, Answers)> = entries.collect();
            token.sort_by(&mut entries, &|one, other| by_size(&one.0, &other.0))?;
            Ok(StateAfterRests { events, entries })
        };
        if !specification.model().remembers_refusals() {
            return Ok(None);
        }
        let states = (0..specification.state_count()).map(StateId::from_usize);
        let states = states.map(of_state).collect::<Result<_>>()?;
        Ok(Some(Self { states }))
    }
}

impl StateAfterRests {
    /// The answer of the specification to `event` after a rest with these offers, ascending.
    fn answer(&self, offers: &[EventId], event: EventId) -> Allowance {
        let answer = |entry: &(Vec<EventId>, Answers)| {
            let at = entry.1.binary_search_by_key(&event, |answer| answer.0);
            at.ok().map(|at| entry.1[at].1)
        };
        // Most machines rest as the specification does: then the first entry that could count is
        // the one that does.
        let start = self
            .entries
            .partition_point(|entry| by_size(&entry.0, offers) == Ordering::Less);
        let mut inside = self.entries[start..].iter();
        let found = inside.find_map(|entry| answer(entry).filter(|_| is_subset(&entry.0, offers)));
        found.unwrap_or(FORBIDDEN)
    }
}

/// The answer to an event that the machine must not do from the rest in which it is. The rest
/// itself is reported as wrong, so the event is not followed.
const FORBIDDEN: Allowance = Allowance::Free;

/// The answers of the specification to the events of one state of the machine.
pub(super) struct SeenRest {
    /// The answers that differ because the machine is at rest, the events ascending; none if it is
    /// not at rest.
    answers: Answers,
    offers: Vec<EventId>,
    /// True if the search goes on behind states with something wrong.
    passes_wrong: bool,
}

impl SeenRest {
    /// The answers before any state was looked at. `passes_wrong` is true for a search that goes on
    /// behind states with something wrong.
    pub(super) fn new(passes_wrong: bool) -> Self {
        Self {
            answers: Vec::new(),
            offers: Vec::new(),
            passes_wrong,
        }
    }

    /// Finds out the answers at `state`, if rests count: they differ if the machine is at rest
    /// there.
    #[inline]
    pub(super) fn look<S: PackedState>(
        &mut self,
        product: &Product<'_>,
        state: &S,
        scratch: &mut Scratch<S>,
    ) {
        if let Some(after) = &product.after_rests {
            self.look_in(after, product, state, scratch);
        }
    }

    #[inline(never)]
    fn look_in<S: PackedState>(
        &mut self,
        after: &AfterRests,
        product: &Product<'_>,
        state: &S,
        scratch: &mut Scratch<S>,
    ) {
        self.answers.clear();
        let specification = product.specification_state(state);
        let after = &after.states[specification.index()];
        if after.events.is_empty() && !self.passes_wrong {
            return;
        }
        let offers = &mut self.offers;
        offers.clear();
        product
            .successors
            .for_each(state, scratch, &mut |_, event, _: &S| offers.push(event));
        offers.sort_unstable();
        offers.dedup();
        if offers.first() == Some(&TAU) {
            return;
        }
        let events = after.events.iter();
        for &event in events.filter(|event| offers.binary_search(event).is_ok()) {
            let answer = after.answer(offers, event);
            self.answers.push((event, answer));
        }
        if let (Some(refusals), true) = (&product.refusals, self.passes_wrong) {
            let offences = refusals.offences(specification, &self.offers);
            let is_allowed = |event| product.follow(state, event) != Allowance::Refused;
            self.forbid(&offences, is_allowed);
        }
    }

    /// Forbids the events that the machine must not do from this rest. Events that the
    /// specification refuses anyhow are wrong by themselves.
    fn forbid(&mut self, offences: &[Offence], is_allowed: impl Fn(EventId) -> bool) {
        let offers = self.offers.iter();
        let forbidden = offers.filter(|&&event| {
            let wrong = |offence: &Offence| match offence {
                Offence::Revival(other) => *other == event,
                _ => true,
            };
            offences.iter().any(wrong) && is_allowed(event)
        });
        for &event in forbidden {
            match self.answers.binary_search_by_key(&event, |answer| answer.0) {
                Ok(at) => self.answers[at].1 = FORBIDDEN,
                Err(at) => self.answers.insert(at, (event, FORBIDDEN)),
            }
        }
    }

    /// The answer of the specification when the machine does `event` in `state`, the state that was
    /// looked at last.
    #[inline]
    pub(super) fn follow<S: PackedState>(
        &self,
        product: &Product<'_>,
        state: &S,
        event: EventId,
    ) -> Allowance {
        if !self.answers.is_empty()
            && let Ok(at) = self.answers.binary_search_by_key(&event, |answer| answer.0)
        {
            return self.answers[at].1;
        }
        product.follow(state, event)
    }
}

#[cfg(test)]
mod tests;
