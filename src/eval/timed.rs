//! Timed sections: operators with `tock`, which marks the passage of time.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::{Lazy, Value};
use base::diag::Result;
use base::number::thousands;
use process::event::EventId;
use process::term::TermId;
use syntax::ast::ExprId;

/// The largest number of tocks in a row. Each is a state; more are hardly meant.
const MOST_TOCKS: i64 = 1_000_000;

impl Evaluator<'_> {
    /// The event `tock` of the timed section in which `expression` stands, if there is one.
    pub(super) fn tock(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Option<EventId>> {
        // The table is empty in all scripts without timed sections.
        let script = self.script;
        if script.resolved.timed.is_empty() {
            return Ok(None);
        }
        let Some(section) = script.resolved.timed.get(&expression) else {
            return Ok(None);
        };
        let tock = self.reference(&section.tock, environment)?;
        Ok(Some(self.event(&tock)?))
    }

    /// `term`, before which time may pass if `expression` stands in a timed section.
    pub(super) fn let_time_pass(
        &mut self,
        term: TermId,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let tock = self.tock(expression, environment)?;
        Ok(tock.map_or(term, |tock| self.call_waiting(term, tock)))
    }

    /// The process after `event` in the prefix `expression`, which stands in `environment`. First
    /// the time passes that the event takes.
    pub(super) fn after(
        &mut self,
        expression: ExprId,
        event: EventId,
        value: &Value,
        then: TermId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let Some(tock) = self.tock(expression, environment)? else {
            return Ok(then);
        };
        if event == tock {
            return self
                .work
                .error(
                    "timed-tock",
                    "`tock` is no event of a process in a timed section",
                )
                .into();
        }
        let duration = self.duration(expression, value, environment)?;
        Ok((0..duration).fold(then, |then, _| self.terms.prefix(vec![(tock, then)])))
    }

    /// The number of tocks that an event takes: the value of the section's function, or one.
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
        let duration = self.call(function, vec![Lazy::Value(event.clone())])?;
        let event = self.show(event);
        self.tocks(&format!("what `{event}` takes"), &duration)
    }

    /// A number of tocks. Each of them becomes a state.
    pub(super) fn tocks(&mut self, what: &str, value: &Value) -> Result<i64> {
        match value {
            Value::Int(n) if (0..=MOST_TOCKS).contains(n) => Ok(*n),
            Value::Int(n) => {
                let limit = thousands(MOST_TOCKS as u64);
                let what = format!("{what} must be a time from 0 to {limit}");
                self.work.out_of_range(&what, *n).into()
            }
            other => self.mismatch("a time", other).into(),
        }
    }

    /// The process `WAIT(n)`.
    pub(super) fn wait(&mut self, n: i64, tock: EventId) -> TermId {
        let skip = self.terms.skip();
        let end = self.call_waiting(skip, tock);
        (0..n).fold(end, |then, _| self.terms.prefix(vec![(tock, then)]))
    }
}
