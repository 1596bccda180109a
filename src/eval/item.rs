//! The items of sequences, one by one or all at once.

use super::evaluator::Evaluator;
use super::sequence::{Sequence, Tail};
use super::value::{Computation, Lazy, Value};
use base::diag::Result;

/// The greatest length of a sequence whose items are all needed. Longer ones count as infinite.
pub(super) const SEQUENCE_LIMIT: usize = 5_000_000;

impl Evaluator<'_> {
    /// Splits off the first item.
    pub(super) fn uncons(&mut self, sequence: &Sequence) -> Result<Option<(Lazy, Sequence)>> {
        let Some((head, tail)) = sequence.first() else {
            return Ok(None);
        };
        let tail = match tail {
            Tail::Known(tail) => tail.clone(),
            Tail::Later(thunk) => match self.force_thunk(thunk)? {
                Value::Sequence(tail) => tail,
                other => unreachable!("a tail is a sequence, not {}", other.kind()),
            },
        };
        Ok(Some((head.clone(), tail)))
    }

    /// All items, not evaluated. A very long sequence counts as infinite and is an error.
    pub(super) fn sequence_items(&mut self, sequence: &Sequence) -> Result<Vec<Lazy>> {
        let mut items = Vec::new();
        let mut rest = sequence.clone();
        while let Some((head, tail)) = self.uncons(&rest)? {
            self.work.tick()?;
            if items.len() >= SEQUENCE_LIMIT {
                return self.work.endless_sequence().into();
            }
            items.push(head);
            rest = tail;
        }
        Ok(items)
    }

    /// All items, each evaluated.
    pub(super) fn sequence_values(&mut self, sequence: &Sequence) -> Result<Vec<Value>> {
        self.sequence_items(sequence)?
            .iter()
            .map(|item| self.force(item))
            .collect()
    }

    /// The value of `first ^ second`, lazy in both tails.
    pub(super) fn concatenate(&mut self, first: &Sequence, second: Lazy) -> Result<Value> {
        match self.uncons(first)? {
            None => self.force(&second),
            Some((head, tail)) => {
                let rest = Computation::Concatenation(tail, second);
                Ok(Value::Sequence(Sequence::cons_later(head, rest)))
            }
        }
    }
}
