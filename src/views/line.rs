//! Identities as numbers counted from either end: `i - 1`, `N - 2`, and the numbers of the first
//! ones. Views do not use these expressions; links of a chain do.
//!
//! Everything here is exact: an expression that would lead out of sight is refused, so no answer
//! depends on the number of identities.

use std::rc::Rc;

use super::arrangement::Side;
use super::evaluation_place::EvaluationPlace;
use super::identities::IdentitiesInSight;
use super::interpreter::Interpreter;
use super::value::{Id, IdSet, PartialValue, SetValue};
use base::diag::{Diagnostic, Result};
use syntax::ast::{BinaryOp, ExprId};

impl IdentitiesInSight<'_> {
    /// The identity that is the parameter with a number added or subtracted, counted from the last.
    /// Returns `None` if `expression` is no such identity, or if identities are not counted.
    pub(super) fn counted_from_last(
        &self,
        expression: ExprId,
        place: &EvaluationPlace,
    ) -> Result<Option<PartialValue>> {
        let offset = match self.are_counted() {
            true => self.parameter.offset(expression),
            false => None,
        };
        let Some(offset) = offset else {
            return Ok(None);
        };
        let (Some(first), Some(last)) = (self.first(), self.parameter.last_offset()) else {
            return Err(out_of_sight(place));
        };
        let Id::Seen(first) = first else {
            return Err(out_of_sight(place));
        };
        // In the ring the last identity comes before the first one.
        let last_one = self.arrangement.neighbour(first, Side::Previous);
        let last_one = last_one.ok_or_else(|| out_of_sight(place))?;
        match offset.checked_sub(last) {
            Some(by @ ..=0) => Ok(Some(PartialValue::Id(self.moved(last_one, by, place)?))),
            _ => Err(place.refused("this is more than the last identity")),
        }
    }

    /// The sum or difference of an identity and a number. Returns `None` if the operands are
    /// others, or if identities are not counted.
    pub(super) fn counted_on(
        &self,
        (op, left, right): (BinaryOp, &PartialValue, &PartialValue),
        place: &EvaluationPlace,
    ) -> Result<Option<PartialValue>> {
        let (id, by) = match (op, left, right) {
            _ if !self.are_counted() => return Ok(None),
            (BinaryOp::Add, PartialValue::Id(id), PartialValue::Int(by))
            | (BinaryOp::Add, PartialValue::Int(by), PartialValue::Id(id)) => (id, Some(*by)),
            (BinaryOp::Subtract, PartialValue::Id(id), PartialValue::Int(by)) => {
                (id, by.checked_neg())
            }
            _ => return Ok(None),
        };
        match (id, by) {
            (Id::Seen(id), Some(by)) => Ok(Some(PartialValue::Id(self.moved(*id, by, place)?))),
            _ => Err(out_of_sight(place)),
        }
    }

    /// The identity with a number that is `by` more than that of `id`. Fails before the first
    /// identity and after the last.
    pub(super) fn moved(&self, id: u8, by: i64, place: &EvaluationPlace) -> Result<Id> {
        let first = match self.first() {
            Some(Id::Seen(first)) => Some(first),
            _ => None,
        };
        let (side, mut at) = (if by < 0 { Side::Previous } else { Side::Next }, id);
        for _ in 0..by.unsigned_abs() {
            let next = self.arrangement.neighbour(at, side);
            let next = next.ok_or_else(|| out_of_sight(place))?;
            let is_across = match side {
                Side::Next => first == Some(next),
                Side::Previous => first == Some(at),
            };
            if is_across {
                return Err(place.refused("this is no number of an identity"));
            }
            at = next;
        }
        Ok(Id::Seen(at))
    }
}

impl Interpreter<'_> {
    /// `event` with identities where its fields have their numbers.
    pub(super) fn with_identities(&mut self, event: PartialValue) -> Result<PartialValue> {
        let (Some((id, number, _)), parts @ [_, ..]) = (event.head(), event.parts()) else {
            return Ok(event);
        };
        let fields = self.fields(id, number)?;
        let mut named = vec![parts[0].clone()];
        for (field, part) in fields.iter().zip(&parts[1..]) {
            let is_of_ids = matches!(&**field, SetValue::Listed(ids, _) if *ids != IdSet::EMPTY);
            named.push(match part {
                PartialValue::Int(n) if is_of_ids => {
                    PartialValue::Id(self.identities.numbered(*n, &self.place)?)
                }
                part => part.clone(),
            });
        }
        Ok(PartialValue::Dot(named.into()))
    }
}

fn out_of_sight(place: &EvaluationPlace) -> Box<Diagnostic> {
    place.refused("this is too far from either end, or from a link of the chain")
}

impl PartialValue {
    /// The value with `number` applied to each identity in sight.
    pub(super) fn with_numbers(&self, number: &dyn Fn(u8) -> i64) -> PartialValue {
        let all = |parts: &Rc<[PartialValue]>| -> Rc<[PartialValue]> {
            parts.iter().map(|part| part.with_numbers(number)).collect()
        };
        match self {
            PartialValue::Id(Id::Seen(id)) => PartialValue::Int(number(*id)),
            PartialValue::Dot(parts) => PartialValue::Dot(all(parts)),
            PartialValue::Tuple(parts) => PartialValue::Tuple(all(parts)),
            PartialValue::Sequence(parts) => PartialValue::Sequence(all(parts)),
            plain => plain.clone(),
        }
    }
}
