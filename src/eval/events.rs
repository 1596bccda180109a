//! The table of events: their values, sets of them, and the types of the values in them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::kind::TypedValues;
use super::set::Set;
use super::value::Value;
use base::index::TypedIndex;
use process::event::{EventId, EventSetId};

/// All events that got numbers so far. They are complete.
#[derive(Default)]
pub(super) struct Events {
    numbers: FxHashMap<Value, EventId>,
    /// By number. There is none of τ, of ✓ and of events that no script made.
    values: Vec<Option<Value>>,
    sets: FxHashMap<Rc<Set>, EventSetId>,
    /// The value of `Events`, once it was asked for.
    every: Option<Rc<Set>>,
    /// The types of values that other crates were told of, by number.
    types: Vec<TypedValues>,
}

impl Events {
    /// The number of the event that is `value`, if it has one.
    pub(super) fn number(&self, value: &Value) -> Option<EventId> {
        self.numbers.get(value).copied()
    }

    /// The value of an event. Returns `None` for events that no script made (τ, ✓).
    pub(super) fn value(&self, event: EventId) -> Option<&Value> {
        self.values.get(event.index())?.as_ref()
    }

    /// Adds an event.
    pub(super) fn add(&mut self, value: &Value, event: EventId) {
        self.numbers.insert(value.clone(), event);
        if self.values.len() <= event.index() {
            self.values.resize(event.index() + 1, None);
        }
        self.values[event.index()] = Some(value.clone());
    }

    /// The number of a set of events, if it has one.
    pub(super) fn set(&self, set: &Set) -> Option<EventSetId> {
        self.sets.get(set).copied()
    }

    /// Adds a set of events.
    pub(super) fn add_set(&mut self, set: Set, number: EventSetId) {
        self.sets.insert(Rc::new(set), number);
    }

    /// The value of `Events`, once it was noted.
    pub(super) fn every(&self) -> Option<&Rc<Set>> {
        self.every.as_ref()
    }

    /// Notes the value of `Events`.
    pub(super) fn note_every(&mut self, events: &Rc<Set>) {
        self.every = Some(Rc::clone(events));
    }

    /// The number of a type for other crates.
    pub(super) fn number_type(&mut self, ty: &TypedValues) -> usize {
        let known = self.types.iter().position(|other| other == ty);
        known.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        })
    }

    /// The type with this number.
    pub(super) fn type_with(&self, number: usize) -> &TypedValues {
        &self.types[number]
    }
}
