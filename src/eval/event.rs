//! Events, sets of events and pairs of events, as the operators of processes take them.

use std::rc::Rc;

use super::declared::HeadKind;
use super::environment::{Frame, GeneratorKind};
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{HeadId, Value};
use base::diag::Result;
use process::event::{EventId, EventSetId};
use syntax::ast::{Declaration, Expr, ExprId, Pattern, Ties};
use types::resolved::Reference;

/// The longest chain of names for a set that is followed. A longer one may be circular.
const MOST_NAMES: usize = 16;

impl Evaluator<'_> {
    /// A set of events that an operator synchronises on. Inside a timed section it contains `tock`.
    pub(super) fn sync_set(
        &mut self,
        operator: ExprId,
        events: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<EventSetId> {
        let set = self.alphabet(events, environment)?;
        let tock = self.tock(operator, environment)?;
        Ok(self.with_tock(set, tock))
    }

    /// `set` and `tock`, if there is one.
    pub(super) fn with_tock(&mut self, set: EventSetId, tock: Option<EventId>) -> EventSetId {
        match tock {
            Some(tock) => self.terms.events.with(set, tock),
            None => set,
        }
    }

    /// The set of events that is the value of an expression, for operators that only ask whether
    /// events of processes are in it. If it would have very many events, whole channels stand for
    /// them, because processes do hardly any of them. A small set is listed, which numbers its
    /// events in the order of the script, in which people read them.
    pub(super) fn alphabet(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<EventSetId> {
        match self.channels_of(expression, environment, MOST_NAMES)? {
            Some(channels) if self.have_many_events(&channels)? => {
                let names = channels
                    .iter()
                    .map(|&head| self.declared.heads[head].name.to_string());
                Ok(self.terms.events.intern_channels(names.collect()))
            }
            _ => {
                let value = self.evaluate(expression, environment)?;
                self.at(expression);
                self.event_set_of(&value)
            }
        }
    }

    fn have_many_events(&mut self, channels: &[HeadId]) -> Result<bool> {
        const MANY: usize = 10_000;
        Ok(self.count_events(channels, MANY)?.is_none())
    }

    /// The number of events of all channels of the script; `None` if it is more than `most`.
    pub fn event_count(&mut self, most: usize) -> Result<Option<usize>> {
        self.make_instances()?;
        let channels = self.declared.channels();
        self.count_events(&channels, most)
    }

    fn count_events(&mut self, channels: &[HeadId], most: usize) -> Result<Option<usize>> {
        let mut all = 0_usize;
        for &channel in channels {
            let mut events = 1_usize;
            for field in self.fields(channel)?.iter() {
                // Before the members are asked for: those of an infinite field cannot be counted.
                if !self.is_finite(field)? {
                    return Ok(None);
                }
                events = events.saturating_mul(self.members(field)?.len());
            }
            all = all.saturating_add(events);
            if all > most {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    /// The channels of `expression` if it is `{| c, d |}` of whole channels, or a name for that. At
    /// most `names` names in a row are followed.
    fn channels_of(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
        names: usize,
    ) -> Result<Option<Vec<HeadId>>> {
        let script = self.script;
        let expression = script.ast.unbracketed(expression);
        match script.ast.expr(expression) {
            Expr::Productions(items, statements) if statements.is_empty() => {
                let mut channels = Vec::new();
                for &item in items {
                    match self.evaluate(item, environment)? {
                        Value::Head(head)
                            if self.declared.heads[head].kind == HeadKind::Channel =>
                        {
                            channels.push(head);
                        }
                        _ => return Ok(None),
                    }
                }
                Ok(Some(channels))
            }
            Expr::Name(_) if names > 0 => {
                let Some(Reference::Local {
                    place,
                    definition: Some(definition),
                }) = &script.resolved.names[expression]
                else {
                    return Ok(None);
                };
                // The expression behind the name is looked at, not its value: evaluating it would
                // list the events.
                match script.ast.declaration(*definition) {
                    Declaration::Pattern(pattern, body)
                        if matches!(script.ast.pattern(*pattern), Pattern::Name(_)) =>
                    {
                        let frame = Rc::clone(environment.ancestor(place.up));
                        self.channels_of(*body, &frame, names - 1)
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// The set of events that is `value`; fails unless it is a finite set of complete events. It
    /// leaves out those with a field outside its set, which no process does.
    pub(super) fn event_set_of(&mut self, value: &Value) -> Result<EventSetId> {
        let Value::Set(set) = value else {
            return self.mismatch("a set of events", value).into();
        };
        if let Some(known) = self.events.set(set) {
            return Ok(known);
        }
        let members = self.members(set)?;
        let mut events = Vec::with_capacity(members.len());
        for member in members.iter() {
            if self.can_happen(member)? {
                events.push(self.event(member)?);
            }
        }
        let id = self.terms.events.intern_set(events);
        // The listed form is remembered: different ways to write one set come to the same list.
        self.events.add_set(Set::Finite(members), id);
        Ok(id)
    }

    /// The events of an expression at the top level that must be a sequence of complete events.
    pub fn trace_of(&mut self, expression: ExprId) -> Result<Vec<EventId>> {
        let frame = self.top();
        let sequence = self.evaluate_sequence(expression, &frame)?;
        self.at(expression);
        let mut trace = Vec::new();
        for value in self.sequence_values(&sequence)? {
            let value = self.force_deep(&value)?;
            trace.push(self.event(&value)?);
        }
        Ok(trace)
    }

    /// True if all fields of the complete event `value` are in their sets.
    fn can_happen(&mut self, value: &Value) -> Result<bool> {
        if self.events.number(value).is_some() {
            return Ok(true);
        }
        self.expect_event(value)?;
        Ok(self.outside(value)?.is_none())
    }

    /// The number of a complete event.
    pub(super) fn event(&mut self, value: &Value) -> Result<EventId> {
        // Only events that can happen were entered, so a known one need not be checked again.
        if let Some(event) = self.events.number(value) {
            return Ok(event);
        }
        self.expect_event(value)?;
        if let Some((head, index, field)) = self.outside(value)? {
            return self.refuse_field(head, index, &field);
        }
        let name = self.show(value);
        if self.terms.events.find(&name).is_some() {
            // Functions, and processes without a name, are not told apart by their text; but they
            // are no fields.
            let what = format!("two different events are written `{name}`");
            return self.work.ill_typed(&what).into();
        }
        let event = self.terms.events.intern(&name);
        self.events.add(value, event);
        Ok(event)
    }

    /// The pairs of a renaming. Partial events stand for all their completions.
    pub(super) fn renaming(
        &mut self,
        ties: &Ties,
        environment: &Rc<Frame>,
    ) -> Result<Vec<(EventId, EventId)>> {
        let mut pairs = Vec::new();
        for frame in self.environments(&ties.statements, GeneratorKind::Sets, environment)? {
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
        self.work
            .go_to(self.script.span(from).to(self.script.span(to)));
        for value in [&left, &right] {
            if !matches!(value, Value::Head(_) | Value::Dot(_)) {
                return self.mismatch("an event", value).into();
            }
        }
        // The fields that the left side lacked are added to the right side as well.
        for (whole, added) in self.completions(&left)? {
            if !self.can_happen(&whole)? {
                continue;
            }
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
        let mut pairs = self.renaming(ties, environment)?;
        // The same tie written twice is one tie.
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
                self.at(expression);
                return self
                    .work
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
