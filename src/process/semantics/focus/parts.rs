//! The transitions of its operands from which an operator makes one of its own.

use super::{Focus, Focused, Focusing};
use crate::semantics::{Row, Step};
use crate::term::{Definitions, TermId};
use base::diag::Result;

impl Focused {
    /// The transitions of started operands from which `operator`, which is not a call, makes
    /// `step`, each with the number of its operand, ascending. There are none if the operator does
    /// the step by itself. Returns `None` if it cannot make the step.
    pub fn parts(
        &mut self,
        definitions: &mut dyn Definitions,
        operator: TermId,
        step: Step,
    ) -> Result<Option<Vec<(usize, Step)>>> {
        self.restart();
        let focus = Focus {
            label: Some(step.label),
            origin: Some(step.origin),
        };
        let mut focusing = Focusing {
            focused: self,
            definitions,
        };
        let rows = focusing.operand_rows(operator, focus)?;
        focusing.fewest(operator, step, rows)
    }
}

impl Focusing<'_> {
    /// The fewest transitions among `rows` from which `step` can be made: none, one, or one of each
    /// operand that has any. The rule itself is asked for each attempt, which is less work than
    /// listing all its results.
    fn fewest(
        &mut self,
        operator: TermId,
        step: Step,
        mut rows: Vec<Row>,
    ) -> Result<Option<Vec<(usize, Step)>>> {
        let mut few: Vec<Row> = vec![Row::default(); rows.len()];
        if self.is_made(operator, step, &few)? {
            return Ok(Some(Vec::new()));
        }
        for (i, row) in rows.iter().enumerate() {
            for &part in row.iter() {
                few[i] = [part].into();
                if self.is_made(operator, step, &few)? {
                    return Ok(Some(vec![(i, part)]));
                }
            }
            few[i] = Row::default();
        }
        // No single transition is enough, so all operands with transitions in `rows` take part.
        // Where an operand has several transitions, the first is kept that is enough with the
        // remaining ones of the others.
        for i in 0..rows.len() {
            if rows[i].len() > 1 {
                let all = rows[i].clone();
                for &part in all.iter() {
                    rows[i] = [part].into();
                    if self.is_made(operator, step, &rows)? {
                        break;
                    }
                }
            }
        }
        let is_made = self.is_made(operator, step, &rows)?;
        let parts = rows.iter().enumerate();
        let parts = parts.flat_map(|(i, row)| row.iter().map(move |&part| (i, part)));
        Ok(is_made.then(|| parts.collect()))
    }

    fn is_made(&mut self, operator: TermId, step: Step, rows: &[Row]) -> Result<bool> {
        self.definitions.cancellation().step()?;
        Ok(self.stepper().rule(operator, rows)?.contains(&step))
    }
}
