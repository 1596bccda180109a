//! Lazy sequences: linked cells whose items and tails are evaluated when needed.

use std::rc::Rc;

use super::value::{Computation, Lazy, Thunk, Value, drop_later};

/// A sequence; `None` is the empty one.
#[derive(Clone, Debug, Default)]
pub struct Sequence(Option<Rc<Cell>>);

#[derive(Debug)]
struct Cell {
    head: Lazy,
    tail: Tail,
}

/// The sequence behind an item.
#[derive(Clone, Debug)]
pub(super) enum Tail {
    Known(Sequence),
    /// A computation whose value is a `Value::Sequence`.
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

    /// `head` before the sequence that `tail` computes.
    pub(super) fn cons_later(head: Lazy, tail: Computation) -> Self {
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

    /// The sequence `<from..>` or `<from..to>`, evaluated by need.
    pub(super) fn range(from: i64, to: Option<i64>) -> Self {
        if to.is_some_and(|to| from > to) {
            return Sequence::empty();
        }
        let Some(next) = from.checked_add(1) else {
            return Sequence::from_values([Value::Int(from)]);
        };
        Sequence::cons_later(Value::Int(from).into(), Computation::Range(next, to))
    }

    /// True if there is no item.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The first item, and the tail behind it.
    pub(super) fn first(&self) -> Option<(&Lazy, &Tail)> {
        self.0.as_ref().map(|cell| (&cell.head, &cell.tail))
    }

    /// The items up to the first tail that is not evaluated, and true if these are all items.
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

/// A long sequence is dropped cell by cell, in constant stack space.
impl Drop for Cell {
    fn drop(&mut self) {
        if let Tail::Known(tail) = &mut self.tail
            && let Some(rest) = tail.0.take()
            && Rc::strong_count(&rest) == 1
        {
            // This is the last owner of the rest. Dropped here, it would drop the next cell, and so
            // on.
            drop_later(Box::new(rest));
        }
    }
}
