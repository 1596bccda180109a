//! Events, sets of events and pairs of events, as the operators of processes take them.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::Value;
use crate::diag::Result;
use crate::process::event::{EventId, EventSetId};
use crate::syntax::ast::{ExprId, Ties};

impl Evaluator<'_> {
    /// A set of events that an operator synchronises on; `tock` is in it inside a timed section.
    pub(super) fn sync_set(
        &mut self,
        operator: ExprId,
        events: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<EventSetId> {
        let set = self.event_set(events, environment)?;
        let tock = self.tock(operator, environment)?;
        Ok(self.with_tock(set, tock))
    }

    /// `set` and `tock`, if there is one.
    pub(super) fn with_tock(&mut self, set: EventSetId, tock: Option<EventId>) -> EventSetId {
        let Some(tock) = tock else {
            return set;
        };
        let mut all = self.terms.events.set(set).to_vec();
        all.push(tock);
        self.terms.events.intern_set(all)
    }

    /// An expression that must be a finite set of complete events.
    pub(super) fn event_set(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<EventSetId> {
        let value = self.evaluate(expression, environment)?;
        self.place = self.ast().expressions[expression].span;
        self.event_set_of(&value)
    }

    pub(super) fn event_set_of(&mut self, value: &Value) -> Result<EventSetId> {
        let Value::Set(set) = value else {
            return self.mismatch("a set of events", value).into();
        };
        if let Some(known) = self.event_sets.get(set) {
            return Ok(*known);
        }
        let members = self.members(set)?;
        let mut events = Vec::with_capacity(members.len());
        for member in members.iter() {
            events.push(self.event(member)?);
        }
        let id = self.terms.events.intern_set(events);
        self.event_sets.insert(Rc::new(Set::Finite(members)), id);
        Ok(id)
    }

    /// An expression at the top level that must be a sequence of complete events.
    pub fn trace_of(&mut self, expression: ExprId) -> Result<Vec<EventId>> {
        let frame = Rc::clone(&self.frame);
        let sequence = self.evaluate_sequence(expression, &frame)?;
        self.place = self.ast().expressions[expression].span;
        let mut trace = Vec::new();
        for value in self.sequence_values(&sequence)? {
            let value = self.force_deep(&value)?;
            trace.push(self.event(&value)?);
        }
        Ok(trace)
    }

    /// The number of a complete event.
    pub(super) fn event(&mut self, value: &Value) -> Result<EventId> {
        if let Some(&event) = self.events.get(value) {
            return Ok(event);
        }
        self.expect_event(value)?;
        let name = self.show(value);
        if self.terms.events.find(&name).is_some() {
            // Functions, and processes without a name, are not told apart by their text.
            let mut diagnostic = self.error(
                "ambiguous-event",
                format!("two different events are written `{name}`"),
            );
            diagnostic.severity = crate::diag::Severity::Undecided;
            return diagnostic.into();
        }
        let event = self.terms.events.intern(&name);
        self.events.insert(value.clone(), event);
        self.event_values.insert(event, value.clone());
        Ok(event)
    }

    /// The pairs of a renaming: partial events stand for all their completions.
    pub(super) fn renaming(
        &mut self,
        expression: ExprId,
        ties: &Ties,
        environment: &Rc<Frame>,
    ) -> Result<Vec<(EventId, EventId)>> {
        let mut pairs = Vec::new();
        for frame in self.tie_environments(expression, environment)? {
            for &(from, to) in &ties.pairs {
                self.tie(from, to, &frame, &mut pairs)?;
            }
        }
        Ok(pairs)
    }

    fn tie(
        &mut self,
        from: ExprId,
        to: ExprId,
        environment: &Rc<Frame>,
        pairs: &mut Vec<(EventId, EventId)>,
    ) -> Result<()> {
        let (left, right) = (
            self.evaluate(from, environment)?,
            self.evaluate(to, environment)?,
        );
        self.place = self.ast().expressions[from]
            .span
            .to(self.ast().expressions[to].span);
        for value in [&left, &right] {
            if !matches!(value, Value::Head(_) | Value::Dot(_)) {
                return self.mismatch("an event", value).into();
            }
        }
        for (whole, added) in self.completions(&left)? {
            let mut target = right.clone();
            for part in &added {
                target = self.dot(target, part)?;
            }
            pairs.push((self.event(&whole)?, self.event(&target)?));
        }
        Ok(())
    }

    /// The ties of a linked parallel, which must be one to one.
    pub(super) fn links(
        &mut self,
        expression: ExprId,
        ties: &Ties,
        environment: &Rc<Frame>,
    ) -> Result<Vec<(EventId, EventId)>> {
        let mut pairs = self.renaming(expression, ties, environment)?;
        pairs.sort_unstable();
        pairs.dedup();
        for side in [
            |pair: &(EventId, EventId)| pair.0,
            |pair: &(EventId, EventId)| pair.1,
        ] {
            let mut events: Vec<EventId> = pairs.iter().map(side).collect();
            events.sort_unstable();
            if let Some(twice) = events.windows(2).find(|pair| pair[0] == pair[1]) {
                let name = self.terms.events.name(twice[0]).to_string();
                self.place = self.ast().expressions[expression].span;
                return self
                    .error(
                        "link-not-one-to-one",
                        format!("`{name}` is tied to two different events"),
                    )
                    .note("in a linked parallel an event may occur in one tie of each side only")
                    .into();
            }
        }
        Ok(pairs)
    }
}
