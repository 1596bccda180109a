//! The transitions that parallels ask of their operands.

use super::{Focus, Focusing, TERMINATION};
use crate::event::{EventId, TICK};
use crate::semantics::Row;
use crate::term::TermId;
use base::diag::Result;

impl Focusing<'_> {
    /// The transitions that a parallel needs of its operands. The operands `participants` have to
    /// do an event together; if there is no such list, any one of them does it alone.
    pub(super) fn rows(
        &mut self,
        operands: &[TermId],
        focus: Focus,
        participants: impl Fn(&Self, EventId) -> Option<Vec<usize>>,
    ) -> Result<Vec<Row>> {
        let nothing: Row = Vec::new().into();
        let mut rows = vec![nothing; operands.len()];
        match focus.label {
            Some(label) if label.is_visible() => {
                // No list: any one operand does the event alone, so each may make the wanted
                // transition.
                let Some(together) = participants(self, label) else {
                    for (row, &operand) in rows.iter_mut().zip(operands) {
                        *row = self.row(operand, focus)?;
                    }
                    return Ok(rows);
                };
                let mut asked = focus;
                for i in together {
                    rows[i] = self.row(operands[i], asked)?;
                    // Without this operand the event cannot happen, so the others need not be
                    // asked.
                    if rows[i].is_empty() {
                        break;
                    }
                    // The origin is that of the leftmost.
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
                self.partners(operands, focus, participants, &mut rows)?;
            }
        }
        Ok(rows)
    }

    /// Adds to `rows` the transitions by which other operands join the wanted events in them.
    fn partners(
        &mut self,
        operands: &[TermId],
        focus: Focus,
        participants: impl Fn(&Self, EventId) -> Option<Vec<usize>>,
        rows: &mut [Row],
    ) -> Result<()> {
        for i in 0..rows.len() {
            let wanted = rows[i].iter().filter(|step| focus.admits(step));
            let mut labels: Vec<EventId> = wanted.map(|step| step.label).collect();
            labels.retain(|label| label.is_visible());
            labels.dedup();
            for label in labels {
                let together = participants(self, label).unwrap_or_default();
                // An event that is done alone has no list and needs no partners. A joint event has
                // the origin of its leftmost participant, so what others do with a wanted origin
                // does not count.
                if together.first() != Some(&i) {
                    continue;
                }
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
