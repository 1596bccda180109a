//! Evaluates prefixes: finds the events that a channel and its fields offer.

use std::ops::Range;
use std::rc::Rc;

use super::dot::join;
use super::environment::Frame;
use super::evaluator::Evaluator;
use super::pattern::Matcher;
use super::value::{Lazy, Value};
use base::diag::Result;
use process::event::EventId;
use process::term::TermId;
use syntax::ast::{ExprId, Field, PatternId};

/// A possible beginning of the event, and the environment that its inputs have made.
type Branch = (Value, Rc<Frame>);

/// The largest number of events of a prefix. More would take gigabytes, and are hardly meant.
const MOST_BRANCHES: usize = 1_000_000;

/// A prefix `c f1 .. fn -> P` that is evaluated.
pub(super) struct Prefix<'e, 's> {
    pub(super) evaluator: &'e mut Evaluator<'s>,
    pub(super) expression: ExprId,
    pub(super) fields: &'s [Field],
    pub(super) environment: &'e Rc<Frame>,
}

impl<'s> Prefix<'_, 's> {
    /// The process that begins with `channel` and continues with `body`. Nondeterministic fields
    /// come first, as an internal choice; each of its outcomes is an external choice over the
    /// inputs.
    pub(super) fn process(mut self, channel: ExprId, body: ExprId) -> Result<TermId> {
        let start = self.start(channel)?;
        let is_choice = |field: &Field| matches!(field, Field::Nondeterministic(..));
        let last_choice = self.fields.iter().rposition(is_choice);
        let internal = last_choice.map_or(0, |last| last + 1);
        let (chosen, offered) = (0..internal, internal..self.fields.len());
        let evaluator = &mut *self.evaluator;
        if let Some(Field::Input(pattern, _)) = self.fields[chosen.clone()]
            .iter()
            .find(|field| matches!(field, Field::Input(..)))
        {
            evaluator.at_pattern(*pattern);
            return evaluator
                .work
                .ill_typed("a `$` field after an input")
                .into();
        }
        let mut starts = Vec::new();
        self.each_branch(start, chosen, &mut |_, start| {
            starts.push(start);
            Ok(())
        })?;
        if starts.is_empty() {
            self.evaluator.at(self.expression);
            let message = "there is no value for this `$` field";
            return self
                .evaluator
                .work
                .error("empty-internal-choice", message)
                .into();
        }
        let mut outcomes = Vec::with_capacity(starts.len());
        for start in starts {
            outcomes.push(self.external_choice(start, offered.clone(), body)?);
        }
        let choice = self.evaluator.terms.internal_choice(outcomes);
        Ok(choice.expect("there is an outcome"))
    }

    /// Passes the events of a prefix without `$` fields to `take`, each with the environment of its
    /// continuation.
    pub(super) fn offers(
        mut self,
        channel: ExprId,
        mut take: impl FnMut(&mut Evaluator<'s>, EventId, &Rc<Frame>) -> Result<()>,
    ) -> Result<()> {
        let start = self.start(channel)?;
        let all = 0..self.fields.len();
        self.each_branch(start, all, &mut |evaluator, (value, frame)| {
            let event = evaluator.event(&value)?;
            take(evaluator, event, &frame)
        })
    }

    /// The value to which the fields are added.
    fn start(&mut self, channel: ExprId) -> Result<Branch> {
        let start = self.evaluator.evaluate(channel, self.environment)?;
        self.evaluator.at(channel);
        if matches!(start, Value::Head(_) | Value::Dot(_)) {
            return Ok((start, Rc::clone(self.environment)));
        }
        self.evaluator
            .mismatch("an event or a channel", &start)
            .into()
    }

    /// Passes all that the fields at these positions can make from `start` to `take`, in the order
    /// of the values of the first field, then of the second. One at a time is made: all together
    /// take much more memory than what becomes of them.
    fn each_branch(
        &mut self,
        start: Branch,
        fields: Range<usize>,
        take: &mut dyn FnMut(&mut Evaluator<'s>, Branch) -> Result<()>,
    ) -> Result<()> {
        let mut taken = 0;
        // For each field that is open, what is left of its values after those of earlier fields.
        let mut open = vec![vec![start].into_iter()];
        while let Some(last) = open.last_mut() {
            let Some((value, frame)) = last.next() else {
                open.pop();
                continue;
            };
            let next = fields.start + open.len() - 1;
            if next == fields.end {
                taken += 1;
                self.evaluator.at(self.expression);
                self.check_count(taken)?;
                take(self.evaluator, (value, frame))?;
                continue;
            }
            let (field, is_last) = (&self.fields[next], next + 1 == self.fields.len());
            let mut extended = Vec::new();
            self.evaluator
                .extend(value, &frame, field, is_last, &mut extended)?;
            open.push(extended.into_iter());
        }
        Ok(())
    }

    /// Fails if a choice may not have so many events.
    fn check_count(&self, events: usize) -> Result<()> {
        let work = &self.evaluator.work;
        work.check_choice(events)?;
        if events <= MOST_BRANCHES {
            return Ok(());
        }
        let message = format!("this prefix offers more than {MOST_BRANCHES} events");
        work.limit("set-too-large", message)
            .hint("use smaller types, or restrict the inputs, as in c?x:S")
            .into()
    }

    fn external_choice(
        &mut self,
        start: Branch,
        fields: Range<usize>,
        body: ExprId,
    ) -> Result<TermId> {
        let mut offers = Vec::new();
        let (expression, environment) = (self.expression, self.environment);
        self.each_branch(start, fields, &mut |evaluator, (value, frame)| {
            let event = evaluator.event(&value)?;
            let then = evaluator.continuation(body, &frame)?;
            let then = evaluator.after(expression, event, &value, then, environment)?;
            offers.push((event, then));
            Ok(())
        })?;
        let evaluator = &mut *self.evaluator;
        let prefix = match offers.is_empty() {
            true => evaluator.terms.stop(),
            false => evaluator.terms.prefix(offers),
        };
        evaluator.let_time_pass(prefix, expression, environment)
    }
}

impl Evaluator<'_> {
    /// Appends all values that one field can make from `value`.
    fn extend(
        &mut self,
        value: Value,
        frame: &Rc<Frame>,
        field: &Field,
        last: bool,
        extended: &mut Vec<Branch>,
    ) -> Result<()> {
        match field {
            Field::Output(output) => {
                let part = self.evaluate_part(*output, frame)?;
                self.at(*output);
                extended.push((self.dot(value, &part)?, Rc::clone(frame)));
            }
            Field::Input(pattern, Some(set)) | Field::Nondeterministic(pattern, Some(set)) => {
                let restriction = self.evaluate_set(*set, frame)?;
                self.at(*set);
                for member in self.members(&restriction)?.iter() {
                    if let Some(inner) =
                        self.match_and_bind(*pattern, &Lazy::Value(member.clone()), frame)?
                    {
                        extended.push((self.dot(value.clone(), member)?, inner));
                    }
                }
            }
            Field::Input(pattern, None) | Field::Nondeterministic(pattern, None) => {
                self.at_pattern(*pattern);
                for (whole, parts) in self.inputs(value, *pattern, last, frame)? {
                    let part = join(parts);
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
        let count = Matcher::new(self, environment).field_count(pattern)?;
        let everything = last && self.script.ends_in_variable(pattern);
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

    /// The continuation of a prefix: a name is a call at once; others are evaluated when reached.
    pub(super) fn continuation(&mut self, body: ExprId, environment: &Rc<Frame>) -> Result<TermId> {
        // A name becomes a call without being unfolded. Anything else would be evaluated to its
        // end, along all prefixes in it.
        if self.script.is_named_process(body) {
            self.process(body, environment)
        } else {
            self.call_continuation(body, environment)
        }
    }
}
