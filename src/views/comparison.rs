//! Comparison of values, and membership of sets.

use super::evaluation_place::EvaluationPlace;
use super::identities::IdentitiesInSight;
use super::oracle::{Oracle, all_known, any_known};
use super::value::{EveryIsOther, Id, IdSet, PartialValue, SetOperator, SetValue};
use base::diag::Result;

/// The parts of an evaluation that compare values and sets.
pub(super) struct Comparison<'e, 's> {
    pub(super) identities: &'e mut IdentitiesInSight<'s>,
    pub(super) oracle: &'e mut Oracle,
    pub(super) place: &'e EvaluationPlace,
}

impl Comparison<'_, '_> {
    /// True if two values are equal; `None` if that is not known.
    pub(super) fn equal(&mut self, a: &PartialValue, b: &PartialValue) -> Result<Option<bool>> {
        let parts = match (a, b) {
            (PartialValue::Id(a), PartialValue::Id(b)) => {
                return Ok(match (a, b) {
                    (Id::Seen(a), Id::Seen(b)) => Some(a == b),
                    (Id::Seen(_), _) | (_, Id::Seen(_)) => Some(false),
                    _ => {
                        self.oracle.mix(*a == Id::Every || *b == Id::Every);
                        None
                    }
                });
            }
            (id @ PartialValue::Id(_), PartialValue::Int(n))
            | (PartialValue::Int(n), id @ PartialValue::Id(_)) => {
                let numbered = PartialValue::Id(self.identities.numbered(*n, self.place)?);
                return self.equal(id, &numbered);
            }
            (PartialValue::Id(_), other) | (other, PartialValue::Id(_))
                if self.identities.parameter.has_constant_in(other) =>
            {
                return Err(self.place.named_identity());
            }
            (PartialValue::Tuple(a), PartialValue::Tuple(b))
            | (PartialValue::Dot(a), PartialValue::Dot(b)) => (a, b),
            (PartialValue::Sequence(a), PartialValue::Sequence(b)) => (a, b),
            (PartialValue::Set(a), PartialValue::Set(b)) => return self.equal_sets(a, b),
            _ if a.holds_ids() || b.holds_ids() => return Ok(None),
            _ => return Ok(Some(a == b)),
        };
        if parts.0.len() != parts.1.len() {
            return Ok(Some(false));
        }
        let pairs = parts.0.iter().zip(parts.1.iter());
        all_known(pairs.map(|(a, b)| self.equal(a, b)))
    }

    fn equal_sets(&mut self, a: &SetValue, b: &SetValue) -> Result<Option<bool>> {
        match (a, b) {
            (SetValue::Listed(ids, items), SetValue::Listed(others, others_items)) => {
                self.unmixed(a, b)?;
                if items
                    .iter()
                    .chain(others_items.iter())
                    .any(PartialValue::holds_ids)
                {
                    return Ok(None);
                }
                if items != others_items {
                    return Ok(Some(false));
                }
                Ok(ids.equals(*others))
            }
            _ => Err(self
                .place
                .refused("sets of events are not compared for all sizes")),
        }
    }

    /// True if `value` is an identity of the set or another member; `None` if unknown.
    fn lists(
        &mut self,
        ids: IdSet,
        items: &[PartialValue],
        value: &PartialValue,
    ) -> Result<Option<bool>> {
        match value {
            PartialValue::Int(n) if ids != IdSet::EMPTY => {
                let numbered = PartialValue::Id(self.identities.numbered(*n, self.place)?);
                self.lists(ids, items, &numbered)
            }
            value if ids != IdSet::EMPTY && self.identities.parameter.may_be_identity(value) => {
                Err(self.place.named_identity())
            }
            PartialValue::Id(id) => {
                let mut ids = ids;
                for item in items {
                    match item {
                        PartialValue::Int(n) => {
                            ids = ids.union(IdSet::only(self.identities.numbered(*n, self.place)?))
                        }
                        item if self.identities.parameter.may_be_identity(item) => {
                            return Err(self.place.named_identity());
                        }
                        _ => {}
                    }
                }
                let known = ids.contains(*id);
                self.oracle.mix(known.is_none() && *id == Id::Every);
                Ok(known)
            }
            value => any_known(items.iter().map(|item| self.covers(item, value))),
        }
    }

    /// Fails if one set has identities and the other has values that may be equal to them.
    pub(super) fn unmixed(&self, a: &SetValue, b: &SetValue) -> Result<()> {
        let parameter = &self.identities.parameter;
        let has = |set: &SetValue| match set {
            SetValue::Listed(ids, items) => {
                let named = items.iter().any(|item| parameter.may_be_identity(item));
                (*ids != IdSet::EMPTY, named)
            }
            _ => (false, false),
        };
        let ((ids, named), (other_ids, other_named)) = (has(a), has(b));
        match ids && other_named || other_ids && named || ids && named {
            true => Err(self.place.named_identity()),
            false => Ok(()),
        }
    }

    /// True if `value` is in `set`; `None` if that is not known.
    pub(super) fn contains(
        &mut self,
        set: &SetValue,
        value: &PartialValue,
    ) -> Result<Option<bool>> {
        Ok(match set {
            SetValue::Listed(ids, items) => self.lists(*ids, items, value)?,
            SetValue::Productions(prefixes) => {
                any_known(prefixes.iter().map(|prefix| self.begins(prefix, value)))?
            }
            SetValue::Events => Some(true),
            SetValue::Joined(operator, a, b) => {
                // Both sets are evaluated, whatever the first answer is.
                let (a, b) = (self.contains(a, value)?, self.contains(b, value)?);
                match operator {
                    SetOperator::Union => any_known([Ok(a), Ok(b)].into_iter())?,
                    SetOperator::Inter => all_known([Ok(a), Ok(b)].into_iter())?,
                    SetOperator::Diff => all_known([Ok(a), Ok(b.map(|known| !known))].into_iter())?,
                }
            }
        })
    }

    /// True if `value` begins with `prefix`, whose last part may be incomplete; `None` if unknown.
    fn begins(&mut self, prefix: &PartialValue, value: &PartialValue) -> Result<Option<bool>> {
        if drawn(prefix) > 1 {
            // Fields that stand for all identities may depend on each other, so that not all
            // combinations are meant.
            let some = prefix.mapped(&EveryIsOther);
            return self.begins(&some, value);
        }
        match (prefix, value) {
            (PartialValue::Dot(prefix), PartialValue::Dot(parts))
                if prefix.len() <= parts.len() =>
            {
                let last = prefix.len() - 1;
                let pairs = prefix.iter().zip(parts.iter()).enumerate();
                all_known(pairs.map(|(at, (part, value))| match at == last {
                    true => self.begins(part, value),
                    false => self.covers(part, value),
                }))
            }
            (PartialValue::Head(..), PartialValue::Dot(parts)) => self.equal(prefix, &parts[0]),
            _ => self.covers(prefix, value),
        }
    }

    /// True if `value` is `item`, or one of the values for which `item` stands: [`Id::Every`] in it
    /// stands for each identity out of sight. `None` if that is not known.
    pub(super) fn covers(
        &mut self,
        item: &PartialValue,
        value: &PartialValue,
    ) -> Result<Option<bool>> {
        match (item, value) {
            (PartialValue::Id(Id::Every), PartialValue::Id(Id::Other | Id::Every)) => {
                Ok(Some(true))
            }
            (PartialValue::Dot(a), PartialValue::Dot(b)) if a.len() == b.len() => {
                // Two fields that stand for all identities may depend on each other, so that only
                // equal ones, or only different ones, are meant.
                if drawn(item) > 1 {
                    let some = item.mapped(&EveryIsOther);
                    return self.equal(&some, value);
                }
                let pairs = a.iter().zip(b.iter());
                all_known(pairs.map(|(item, value)| self.covers(item, value)))
            }
            (PartialValue::Dot(_), _) | (_, PartialValue::Dot(_)) => Ok(Some(false)),
            _ => self.equal(item, value),
        }
    }
}

/// The number of times that a value stands for all identities out of sight.
fn drawn(value: &PartialValue) -> usize {
    let named = value.named().into_iter();
    named.filter(|id| *id == Id::Every).count()
}
