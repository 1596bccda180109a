//! Timed sections: the same operators with `tock` marking the passage of time.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::{Lazy, Value};
use crate::diag::Result;
use crate::process::event::EventId;
use crate::process::term::TermId;
use crate::syntax::ast::{ExprId, ProcessOp};

impl Evaluator<'_> {
    /// The event `tock`, if `expression` stands in a timed section.
    pub(super) fn tock(&mut self, expression: ExprId) -> Result<Option<EventId>> {
        // The table is empty in all scripts without timed sections.
        if self.script.resolved.timed.is_empty()
            || !self.script.resolved.timed.contains_key(&expression)
        {
            return Ok(None);
        }
        Ok(Some(self.tock_event()?))
    }

    pub(super) fn tock_event(&mut self) -> Result<EventId> {
        let frame = Rc::clone(&self.frame);
        let name = self
            .ast()
            .symbols
            .find("tock")
            .and_then(|symbol| self.script.resolved.top_level.get(&symbol));
        let Some(reference) = name else {
            return self
                .error("no-tock", "a timed section needs `channel tock`")
                .into();
        };
        let tock = self.reference(reference, &frame)?;
        self.event(&tock)
    }

    /// The operators that synchronise on `tock` in a timed section.
    pub(super) fn combine_timed(
        &mut self,
        op: ProcessOp,
        operands: Vec<TermId>,
        tock: EventId,
    ) -> TermId {
        let tocks = self.terms.events.intern_set(vec![tock]);
        match op {
            ProcessOp::ExternalChoice => self.terms.synchronising_choice(tocks, operands),
            ProcessOp::Interleave => self.terms.parallel(tocks, operands),
            ProcessOp::Interrupt => {
                self.terms
                    .synchronising_interrupt(operands[0], tocks, operands[1])
            }
            untimed => self.combine_untimed(untimed, operands),
        }
    }

    /// What follows `event` in the prefix `expression`, which stands in `environment`: first the time
    /// that the event takes.
    pub(super) fn after(
        &mut self,
        expression: ExprId,
        event: EventId,
        value: &Value,
        then: TermId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let Some(tock) = self.tock(expression)? else {
            return Ok(then);
        };
        if event == tock {
            return self
                .error(
                    "timed-tock",
                    "`tock` is no event of a process in a timed section",
                )
                .into();
        }
        let duration = self.duration(expression, value, environment)?;
        Ok((0..duration).fold(then, |then, _| self.terms.prefix(vec![(tock, then)])))
    }

    /// How many tocks an event takes: what the section's function says, or one.
    fn duration(
        &mut self,
        expression: ExprId,
        event: &Value,
        environment: &Rc<Frame>,
    ) -> Result<i64> {
        let Some(place) = self.script.resolved.timed[&expression].duration else {
            return Ok(1);
        };
        let function = self.slot(&Rc::clone(environment.ancestor(place.up)), place.slot)?;
        match self.call(function, vec![Lazy::Value(event.clone())])? {
            Value::Int(n) if n >= 0 => Ok(n),
            other => self
                .mismatch("a duration, an integer of 0 or more,", &other)
                .into(),
        }
    }

    /// `WAIT(n)`
    pub(super) fn wait(&mut self, n: i64, tock: EventId) -> TermId {
        let skip = self.terms.skip();
        let end = self.call_waiting(skip, tock);
        (0..n).fold(end, |then, _| self.terms.prefix(vec![(tock, then)]))
    }
}
