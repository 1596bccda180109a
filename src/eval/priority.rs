//! The functions that give events priority over others.

use std::sync::Arc;

use super::evaluator::Evaluator;
use super::value::Lazy;
use base::diag::{Diagnostic, Result};
use process::event::EventId;
use process::priority::{NotAnOrder, Priority};
use process::term::TermId;
use syntax::ast::ExprId;

impl Evaluator<'_> {
    /// The process `prioritise(process, levels)`.
    pub(super) fn prioritise(&mut self, process: &Lazy, levels: &Lazy) -> Result<TermId> {
        let sets = self.sequence_argument(levels)?;
        let sets = self.sequence_items(&sets)?;
        if sets.is_empty() {
            return self
                .work.error("empty-priority", "`prioritise` needs at least one set of events")
                .hint("the first set has the highest priority, and τ and ✓ go with it: `<{}, {tock}>` puts them above tock")
                .into();
        }
        let mut levels = Vec::with_capacity(sets.len());
        for set in &sets {
            levels.push(self.events_argument(set)?);
        }
        let process = self.process_argument(process)?;
        let priority = Arc::new(Priority::levels(&levels));
        Ok(self.terms.prioritise(process, &priority))
    }

    /// The process `prioritisepo(process, events, order, maximal)`.
    pub(super) fn prioritise_by_order(
        &mut self,
        process: &Lazy,
        events: &Lazy,
        order: &Lazy,
        maximal: &Lazy,
    ) -> Result<TermId> {
        let events = self.events_argument(events)?;
        let order = self.force_part(order)?;
        let mut pairs = Vec::new();
        for (higher, lower) in self.pairs(&order)? {
            pairs.push((self.event(&higher)?, self.event(&lower)?));
        }
        let maximal = self.events_argument(maximal)?;
        let process = self.process_argument(process)?;
        match Priority::partial(&events, &pairs, &maximal) {
            Ok(priority) => Ok(self.terms.prioritise(process, &Arc::new(priority))),
            Err(problem) => self.not_an_order(&problem).into(),
        }
    }

    /// `process` with priority of τ and ✓ over `events`.
    pub(super) fn internal_events_first(&mut self, process: TermId, events: &[EventId]) -> TermId {
        let priority = Arc::new(Priority::of_internal_events(events));
        self.terms.prioritise(process, &priority)
    }

    /// The process of an expression at the top level. If a set of events is given, τ and ✓ have
    /// priority over its events.
    pub fn process_with_tau_priority(
        &mut self,
        expression: ExprId,
        over: Option<ExprId>,
    ) -> Result<TermId> {
        let mut process = self.process_of(expression)?;
        if let Some(over) = over {
            let set = self.value_of(over)?;
            let set = self.event_set_of(&set)?;
            let events = self.terms.events.set(set).to_vec();
            process = self.internal_events_first(process, &events);
        }
        Ok(self.terms.seen(process))
    }

    fn events_argument(&mut self, argument: &Lazy) -> Result<Vec<EventId>> {
        let set = self.event_set_argument(argument)?;
        Ok(self.terms.events.set(set).to_vec())
    }

    fn not_an_order(&self, problem: &NotAnOrder) -> Diagnostic {
        let name = |event: EventId| self.terms.events.name(event);
        match problem {
            NotAnOrder::Cycle(events) => {
                let all = events.iter().chain(events.first());
                let names: Vec<&str> = all.map(|&event| name(event)).collect();
                self.work
                    .error("cyclic-priority", "the order of `prioritisepo` has a cycle")
                    .note(format!(
                        "each is to be above the next: {}",
                        names.join(", ")
                    ))
            }
            NotAnOrder::Stranger(event) => {
                let message = format!(
                    "`{}` is not among the events that are prioritised",
                    name(*event)
                );
                self.work.error("unordered-event", message)
                    .note("the order and the maximal events of `prioritisepo` speak of the events of its second argument alone")
            }
            NotAnOrder::NotMaximal(event, above) => {
                let message = format!(
                    "`{}` is said to be maximal, but `{}` is above it",
                    name(*event),
                    name(*above)
                );
                self.work
                    .error("not-maximal", message)
                    .hint("take it out of the last argument, or the pair out of the order")
            }
        }
    }
}
