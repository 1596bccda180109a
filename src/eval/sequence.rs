//! Lazy sequences: linked cells whose items and tails are evaluated when needed.

use std::rc::Rc;

use super::evaluator::{Evaluator, SEQUENCE_LIMIT};
use super::value::{Lazy, Thunk, Value, drop_later};
use crate::diag::Result;

/// A sequence; `None` is the empty one.
#[derive(Clone, Debug, Default)]
pub struct Sequence(Option<Rc<Cell>>);

#[derive(Debug)]
struct Cell {
    head: Lazy,
    tail: Tail,
}

#[derive(Clone, Debug)]
enum Tail {
    Known(Sequence),
    /// Evaluates to a `Value::Sequence`.
    Later(Thunk),
}

impl Sequence {
    /// The empty sequence.
    pub(super) fn empty() -> Self {
        Self(None)
    }

    /// `head` before `tail`.
    fn cons(head: Lazy, tail: Sequence) -> Self {
        Self(Some(Rc::new(Cell {
            head,
            tail: Tail::Known(tail),
        })))
    }

    /// `head` before what `tail` will compute.
    fn cons_later(
        head: Lazy,
        tail: impl FnOnce(&mut Evaluator<'_>) -> Result<Value> + 'static,
    ) -> Self {
        let tail = Tail::Later(Thunk::of_computation(tail));
        Self(Some(Rc::new(Cell { head, tail })))
    }

    /// `items` before `rest`.
    pub(super) fn prepend(items: Vec<Lazy>, rest: Sequence) -> Self {
        items
            .into_iter()
            .rev()
            .fold(rest, |tail, head| Self::cons(head, tail))
    }

    /// A finite sequence of evaluated items.
    pub(super) fn from_values(items: impl IntoIterator<Item = Value>) -> Self {
        let items: Vec<Lazy> = items.into_iter().map(Lazy::Value).collect();
        Self::prepend(items, Self::empty())
    }

    /// Whether there is no item.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The items up to the first tail that is not evaluated, and whether that is all.
    pub(super) fn ready_items(&self) -> (Vec<Lazy>, bool) {
        let mut items = Vec::new();
        let mut rest = self.clone();
        while let Some(cell) = rest.0.clone() {
            items.push(cell.head.clone());
            rest = match &cell.tail {
                Tail::Known(tail) => tail.clone(),
                Tail::Later(thunk) => match thunk.done() {
                    Some(Value::Sequence(tail)) => tail,
                    _ => return (items, false),
                },
            };
        }
        (items, true)
    }

    /// The items of a sequence whose every part is evaluated.
    pub(super) fn known_items(&self) -> impl Iterator<Item = Value> {
        let mut rest = self.clone();
        std::iter::from_fn(move || {
            let cell = rest.0.clone()?;
            rest = match &cell.tail {
                Tail::Known(tail) => tail.clone(),
                Tail::Later(thunk) => match thunk.done() {
                    Some(Value::Sequence(tail)) => tail,
                    _ => unreachable!("compared values are evaluated first"),
                },
            };
            Some(cell.head.known())
        })
    }
}

impl Evaluator<'_> {
    /// Splits off the first item.
    pub(super) fn uncons(&mut self, sequence: &Sequence) -> Result<Option<(Lazy, Sequence)>> {
        let Some(cell) = &sequence.0 else {
            return Ok(None);
        };
        let tail = match &cell.tail {
            Tail::Known(tail) => tail.clone(),
            Tail::Later(thunk) => match self.force_thunk(thunk)? {
                Value::Sequence(tail) => tail,
                other => unreachable!("a tail is a sequence, not {}", other.kind()),
            },
        };
        Ok(Some((cell.head.clone(), tail)))
    }

    /// All items, not evaluated. A sequence that goes on and on is taken to be infinite.
    pub(super) fn sequence_items(&mut self, sequence: &Sequence) -> Result<Vec<Lazy>> {
        let mut items = Vec::new();
        let mut rest = sequence.clone();
        while let Some((head, tail)) = self.uncons(&rest)? {
            self.tick()?;
            if items.len() >= SEQUENCE_LIMIT {
                return self.endless_sequence().into();
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

    /// `first ^ second`, lazy in both tails.
    pub(super) fn concatenate(&mut self, first: &Sequence, second: Lazy) -> Result<Value> {
        match self.uncons(first)? {
            None => self.force(&second),
            Some((head, tail)) => {
                let rest =
                    move |evaluator: &mut Evaluator<'_>| evaluator.concatenate(&tail, second);
                Ok(Value::Sequence(Sequence::cons_later(head, rest)))
            }
        }
    }

    /// `<from..>`, or `<from..to>`, lazily.
    pub(super) fn range_sequence(from: i64, to: Option<i64>) -> Sequence {
        if to.is_some_and(|to| from > to) {
            return Sequence::empty();
        }
        let Some(next) = from.checked_add(1) else {
            return Sequence::from_values([Value::Int(from)]);
        };
        Sequence::cons_later(Value::Int(from).into(), move |_| {
            Ok(Value::Sequence(Evaluator::range_sequence(next, to)))
        })
    }
}

/// A long sequence is dropped cell by cell, in constant stack space.
impl Drop for Cell {
    fn drop(&mut self) {
        if let Tail::Known(tail) = &mut self.tail
            && let Some(rest) = tail.0.take()
            && Rc::strong_count(&rest) == 1
        {
            drop_later(Box::new(rest));
        }
    }
}
