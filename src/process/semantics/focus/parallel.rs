//! The transitions that parallels ask of their operands.

use super::{Focus, Focusing, TERMINATION};
use crate::event::{EventId, TICK};
use crate::operator::Operator;
use crate::semantics::Row;
use crate::term::TermId;
use base::diag::Result;

impl Focusing<'_> {
    /// The rows of the operands of a parallel that its rule needs.
    pub(super) fn rows(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        focus: Focus,
    ) -> Result<Vec<Row>> {
        let nothing: Row = Vec::new().into();
        let mut rows = vec![nothing; operands.len()];
        match focus.label {
            Some(label) if label.is_visible() => {
                let events = &self.definitions.terms().events;
                if !operator.joins(events, label) {
                    // Any one operand does the event alone, so each may make the wanted transition.
                    for (row, &operand) in rows.iter_mut().zip(operands) {
                        *row = self.row(operand, focus)?;
                    }
                    return Ok(rows);
                }
                let mut asked = focus;
                for i in operator.together(events, operands.len(), label) {
                    rows[i] = self.row(operands[i], asked)?;
                    // Without this operand the event cannot happen, so the rows of the others are
                    // not needed.
                    if rows[i].is_empty() {
                        break;
                    }
                    // The origin is that of the leftmost operand.
                    asked.origin = None;
                }
            }
            Some(TICK) => {
                for (row, &operand) in rows.iter_mut().zip(operands) {
                    *row = self.row(operand, TERMINATION)?;
                    if row.is_empty() {
                        break;
                    }
                }
            }
            _ => {
                for (row, &operand) in rows.iter_mut().zip(operands) {
                    *row = self.row(operand, focus)?;
                }
                self.partners(operator, operands, focus, &mut rows)?;
            }
        }
        Ok(rows)
    }

    /// Adds to `rows` the transitions by which other operands join the wanted events in them.
    fn partners(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        focus: Focus,
        rows: &mut [Row],
    ) -> Result<()> {
        for i in 0..rows.len() {
            let wanted = rows[i].iter().filter(|step| focus.admits(step));
            let mut labels: Vec<EventId> = wanted.map(|step| step.label).collect();
            labels.retain(|label| label.is_visible());
            labels.dedup();
            for label in labels {
                let events = &self.definitions.terms().events;
                // An event that is done alone needs no partners. A joint event has the origin of
                // its leftmost participant, so the transitions of others with the wanted origin do
                // not count.
                if !operator.joins(events, label) || !operator.leads(events, i, label) {
                    continue;
                }
                let together = operator.together(events, operands.len(), label);
                let asked = Focus {
                    label: Some(label),
                    origin: None,
                };
                for &other in &together[1..] {
                    let more = self.row(operands[other], asked)?;
                    if more.is_empty() {
                        break;
                    }
                    let mut all = [&rows[other][..], &more[..]].concat();
                    all.sort_unstable();
                    all.dedup();
                    rows[other] = all.into();
                }
            }
        }
        Ok(())
    }
}
