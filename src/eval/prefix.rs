//! Evaluates prefixes: finds the events that a channel and its fields offer.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::{Lazy, Value};
use base::diag::Result;
use process::event::EventId;
use process::term::TermId;
use syntax::ast::{Expr, ExprId, Field, Pattern, PatternId};
use types::resolved::Reference;

/// A possible beginning of the event, and the environment that its inputs have made.
type Branch = (Value, Rc<Frame>);

/// The largest number of events of a prefix. More would take gigabytes, and are hardly meant.
const MOST_BRANCHES: usize = 1_000_000;

impl<'s> Evaluator<'s> {
    /// The process `c f1 .. fn -> P`. Nondeterministic fields come first, as an internal choice;
    /// each of its outcomes is an external choice over the inputs.
    pub(super) fn prefix(
        &mut self,
        expression: ExprId,
        channel: ExprId,
        fields: &'s [Field],
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let start = self.event_start(channel, environment)?;
        let is_choice = |field: &Field| matches!(field, Field::Nondeterministic(..));
        let last_choice = fields.iter().rposition(is_choice);
        let internal = last_choice.map_or(0, |last| last + 1);
        let (chosen, offered) = fields.split_at(internal);
        if let Some(Field::Input(pattern, _)) = chosen
            .iter()
            .find(|field| matches!(field, Field::Input(..)))
        {
            self.place = self.ast().patterns[*pattern].span;
            return self.ill_typed("a `$` field after an input").into();
        }
        let mut starts = vec![(start, Rc::clone(environment))];
        for (i, field) in chosen.iter().enumerate() {
            // The last of all fields is meant, not the last `$` field.
            starts = self.extend_all(starts, field, i + 1 == fields.len())?;
        }
        if starts.is_empty() {
            self.place = self.ast().expressions[expression].span;
            return self
                .error(
                    "empty-internal-choice",
                    "there is no value for this `$` field",
                )
                .into();
        }
        let mut outcomes = Vec::with_capacity(starts.len());
        for start in starts {
            outcomes.push(self.external_prefix(expression, start, offered, body, environment)?);
        }
        Ok(self
            .terms
            .internal_choice(outcomes)
            .expect("there is an outcome"))
    }

    /// The value to which the fields of a prefix are added.
    fn event_start(&mut self, channel: ExprId, environment: &Rc<Frame>) -> Result<Value> {
        let start = self.evaluate(channel, environment)?;
        self.place = self.ast().expressions[channel].span;
        if matches!(start, Value::Head(_) | Value::Dot(_)) {
            return Ok(start);
        }
        self.mismatch("an event or a channel", &start).into()
    }

    /// The events of a prefix without `$` fields, each with the environment of its continuation.
    pub(super) fn offers(
        &mut self,
        expression: ExprId,
        channel: ExprId,
        fields: &'s [Field],
        environment: &Rc<Frame>,
    ) -> Result<Vec<(EventId, Rc<Frame>)>> {
        let start = self.event_start(channel, environment)?;
        let branches = self.branches(expression, (start, Rc::clone(environment)), fields)?;
        let offer = |(value, frame)| Ok((self.event(&value)?, frame));
        branches.into_iter().map(offer).collect()
    }

    /// All events that `fields` can make from `start`.
    fn branches(
        &mut self,
        expression: ExprId,
        start: Branch,
        fields: &'s [Field],
    ) -> Result<Vec<Branch>> {
        let mut branches = vec![start];
        for (i, field) in fields.iter().enumerate() {
            branches = self.extend_all(branches, field, i + 1 == fields.len())?;
        }
        self.place = self.ast().expressions[expression].span;
        Ok(branches)
    }

    fn external_prefix(
        &mut self,
        expression: ExprId,
        start: Branch,
        fields: &'s [Field],
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let branches = self.branches(expression, start, fields)?;
        let mut offers = Vec::with_capacity(branches.len());
        for (value, frame) in branches {
            let event = self.event(&value)?;
            let then = self.continuation(body, &frame)?;
            offers.push((
                event,
                self.after(expression, event, &value, then, environment)?,
            ));
        }
        self.offer(expression, offers, environment)
    }

    fn extend_all(
        &mut self,
        branches: Vec<Branch>,
        field: &'s Field,
        last: bool,
    ) -> Result<Vec<Branch>> {
        let mut extended = Vec::with_capacity(branches.len());
        for (value, frame) in branches {
            self.extend(value, &frame, field, last, &mut extended)?;
            // Asked after every branch: all branches together might not fit in memory.
            if extended.len() > MOST_BRANCHES {
                let message = format!("this prefix offers more than {MOST_BRANCHES} events");
                return self
                    .limit("set-too-large", message)
                    .hint("use smaller types, or restrict the inputs, as in c?x:S")
                    .into();
            }
        }
        Ok(extended)
    }

    /// Appends all values that one field can make from `value`.
    fn extend(
        &mut self,
        value: Value,
        frame: &Rc<Frame>,
        field: &'s Field,
        last: bool,
        extended: &mut Vec<Branch>,
    ) -> Result<()> {
        match field {
            Field::Output(output) => {
                let part = self.evaluate_part(*output, frame)?;
                self.place = self.ast().expressions[*output].span;
                extended.push((self.dot(value, &part)?, Rc::clone(frame)));
            }
            Field::Input(pattern, Some(set)) | Field::Nondeterministic(pattern, Some(set)) => {
                let restriction = self.evaluate_set(*set, frame)?;
                self.place = self.ast().expressions[*set].span;
                for member in self.members(&restriction)?.iter() {
                    if let Some(inner) =
                        self.match_and_bind(*pattern, &Lazy::Value(member.clone()), frame)?
                    {
                        extended.push((self.dot(value.clone(), member)?, inner));
                    }
                }
            }
            Field::Input(pattern, None) | Field::Nondeterministic(pattern, None) => {
                self.place = self.ast().patterns[*pattern].span;
                for (whole, parts) in self.inputs(value, *pattern, last, frame)? {
                    let part = Self::join(parts);
                    if let Some(inner) = self.match_and_bind(*pattern, &Lazy::Value(part), frame)? {
                        extended.push((whole, inner));
                    }
                }
            }
        }
        Ok(())
    }

    /// The values of an unrestricted input: one field for each part of its pattern and, if it is
    /// the last field and ends in a variable, everything that is missing.
    fn inputs(
        &mut self,
        value: Value,
        pattern: PatternId,
        last: bool,
        environment: &Rc<Frame>,
    ) -> Result<Vec<(Value, Vec<Value>)>> {
        let count = self.field_count(pattern, environment)?;
        let everything = last && self.ends_in_variable(pattern);
        let mut found = vec![(value, Vec::new())];
        for index in 0..count {
            let mut longer = Vec::new();
            for (value, parts) in found {
                let Some(set) = self.next_field(&value)? else {
                    return self
                        .mismatch("an event with a field for this input", &value)
                        .into();
                };
                // The parts before the last variable take one field each; the variable takes what
                // is left.
                if everything && index + 1 == count {
                    for (whole, added) in self.completions(&value)? {
                        longer.push((whole, [parts.clone(), added].concat()));
                    }
                    continue;
                }
                for member in self.members(&set)?.iter() {
                    let whole = self.dot(value.clone(), member)?;
                    longer.push((whole, [&parts[..], std::slice::from_ref(member)].concat()));
                }
            }
            found = longer;
        }
        Ok(found)
    }

    /// True if the last part of a pattern is a variable, which may stand for several fields.
    fn ends_in_variable(&self, pattern: PatternId) -> bool {
        let mut last = pattern;
        loop {
            last = self.ast().unbracketed_pattern(last);
            match self.ast().pattern(last) {
                Pattern::Dot(parts) => last = parts[parts.len() - 1],
                _ => return self.is_variable(last),
            }
        }
    }

    /// The continuation of a prefix: a name is a call at once; others are evaluated when reached.
    pub(super) fn continuation(&mut self, body: ExprId, environment: &Rc<Frame>) -> Result<TermId> {
        // A name becomes a call without being unfolded. Anything else would be evaluated to its
        // end, along all prefixes in it.
        if self.is_named_process(body) {
            self.process(body, environment)
        } else {
            self.call_continuation(body, environment)
        }
    }

    pub(super) fn is_named_process(&self, expression: ExprId) -> bool {
        let expression = self.ast().unbracketed(expression);
        match self.ast().expr(expression) {
            Expr::Apply(function, _) => {
                matches!(self.ast().expr(*function), Expr::Name(_)) && self.names_process(*function)
            }
            Expr::Name(_) => self.names_process(expression),
            _ => false,
        }
    }

    fn names_process(&self, name: ExprId) -> bool {
        match self.reference_of(name) {
            Reference::Builtin(builtin) => builtin.is_process() && builtin.arity() == 0,
            Reference::Local {
                definition: Some(id),
                ..
            }
            | Reference::Member {
                definition: Some(id),
                ..
            } => self.script.resolved.processes.contains(id),
            _ => false,
        }
    }

    /// The offers of a prefix. In a timed section time may pass before it.
    fn offer(
        &mut self,
        expression: ExprId,
        offers: Vec<(EventId, TermId)>,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let prefix = if offers.is_empty() {
            self.terms.stop()
        } else {
            self.terms.prefix(offers)
        };
        match self.tock(expression, environment)? {
            Some(tock) => Ok(self.call_waiting(prefix, tock)),
            None => Ok(prefix),
        }
    }
}
