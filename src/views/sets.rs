//! Built-in functions, and membership of sets.

use std::rc::Rc;

use super::expression::ONLY_COMPARED;
use super::interpreter::Interpreter;
use super::oracle::{all_known, any_known};
use super::value::{
    EveryIsOther, Id, IdSet, Local, LocalCode, PartialValue, SetOperator, SetValue,
};
use base::diag::Result;
use types::builtin::Builtin;

impl Interpreter<'_> {
    pub(super) fn apply_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[PartialValue],
    ) -> Result<PartialValue> {
        if let [PartialValue::Set(a), PartialValue::Set(b)] = arguments {
            self.unmixed(a, b)?;
        }
        let operator = match builtin {
            Builtin::Union2 => SetOperator::Union,
            Builtin::Inter2 => SetOperator::Inter,
            Builtin::Diff => SetOperator::Diff,
            _ => return self.apply_other(builtin, arguments),
        };
        match arguments {
            [PartialValue::Set(a), PartialValue::Set(b)] => Ok(joined(operator, a, b)),
            _ => self.apply_other(builtin, arguments),
        }
    }

    /// Applies a built-in other than the operators on two sets.
    fn apply_other(
        &mut self,
        builtin: Builtin,
        arguments: &[PartialValue],
    ) -> Result<PartialValue> {
        Ok(match (builtin, arguments) {
            (Builtin::UnionAll, [PartialValue::Set(sets)]) => self.union_of(sets)?,
            (Builtin::Member, [value, PartialValue::Set(set)]) => {
                let known = self.contains(set, value)?;
                PartialValue::Bool(self.decided(known))
            }
            (Builtin::Empty, [PartialValue::Set(set)]) => match &**set {
                SetValue::Listed(_, items) if !items.is_empty() => PartialValue::Bool(false),
                SetValue::Listed(ids, _) => PartialValue::Bool(self.decided(ids.is_empty())),
                _ => {
                    return Err(
                        self.refused("whether this set is empty is not known for all sizes")
                    );
                }
            },
            (Builtin::SetOf, [PartialValue::Sequence(items)]) => set_of(items),
            (Builtin::Card, [PartialValue::Set(set)]) => self.card(set)?,
            (Builtin::Null, [PartialValue::Sequence(items)]) => {
                PartialValue::Bool(items.is_empty())
            }
            (Builtin::Length, [PartialValue::Sequence(items)]) => {
                PartialValue::Int(items.len() as i64)
            }
            (Builtin::Head, [PartialValue::Sequence(items)]) if !items.is_empty() => {
                items[0].clone()
            }
            (Builtin::Tail, [PartialValue::Sequence(items)]) if !items.is_empty() => {
                PartialValue::Sequence(items[1..].into())
            }
            (Builtin::Run, [PartialValue::Set(set)]) if !set.hides_ids() => {
                PartialValue::Process(Local {
                    code: LocalCode::Builtin(builtin),
                    values: arguments.into(),
                })
            }
            _ => {
                let message = format!("`{}` is not followed for all sizes here", builtin.name());
                return Err(self.refused(message));
            }
        })
    }

    /// The union of a set of sets.
    fn union_of(&mut self, sets: &SetValue) -> Result<PartialValue> {
        let mut all = PartialValue::set(IdSet::EMPTY, Vec::new());
        let SetValue::Listed(_, sets) = sets else {
            return Err(self.refused("this is no set of sets"));
        };
        for set in sets.iter() {
            match (&all, set) {
                (PartialValue::Set(a), PartialValue::Set(b)) => {
                    self.unmixed(a, b)?;
                    all = joined(SetOperator::Union, a, b);
                }
                _ => return Err(self.refused("this is no set of sets")),
            }
        }
        Ok(all)
    }

    fn card(&self, set: &SetValue) -> Result<PartialValue> {
        match set {
            SetValue::Listed(ids, items) if *ids == IdSet::EMPTY && is_plain(items) => {
                Ok(PartialValue::Int(items.len() as i64))
            }
            _ => Err(self.refused_with("identities are counted", ONLY_COMPARED)),
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
                let numbered = PartialValue::Id(self.numbered(*n)?);
                self.lists(ids, items, &numbered)
            }
            value if ids != IdSet::EMPTY && self.may_be_identity(value) => {
                Err(self.named_identity())
            }
            PartialValue::Id(id) => {
                let mut ids = ids;
                for item in items {
                    match item {
                        PartialValue::Int(n) => ids = ids.union(IdSet::only(self.numbered(*n)?)),
                        item if self.may_be_identity(item) => return Err(self.named_identity()),
                        _ => {}
                    }
                }
                let known = ids.contains(*id);
                self.is_mixed |= known.is_none() && *id == Id::Every;
                Ok(known)
            }
            value => any_known(items.iter().map(|item| self.covers(item, value))),
        }
    }

    /// True if a value that is no identity here may be one in an instance: a number, or a constant
    /// of the datatype of the identities.
    fn may_be_identity(&self, value: &PartialValue) -> bool {
        match value {
            PartialValue::Int(_) => true,
            PartialValue::Head(id, _) => self.is_of_identities(*id),
            _ => false,
        }
    }

    /// Fails if one set has identities and the other has values that may be equal to them.
    pub(super) fn unmixed(&self, a: &SetValue, b: &SetValue) -> Result<()> {
        let has = |set: &SetValue| match set {
            SetValue::Listed(ids, items) => {
                let named = items.iter().any(|item| self.may_be_identity(item));
                (*ids != IdSet::EMPTY, named)
            }
            _ => (false, false),
        };
        let ((ids, named), (other_ids, other_named)) = (has(a), has(b));
        match ids && other_named || other_ids && named || ids && named {
            true => Err(self.named_identity()),
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

/// The set of the items of a sequence. An item for all identities stands for any one of them.
fn set_of(items: &[PartialValue]) -> PartialValue {
    let (mut ids, mut others) = (IdSet::EMPTY, Vec::new());
    for item in items {
        match item.mapped(&EveryIsOther) {
            PartialValue::Id(id) => ids = ids.union(IdSet::only(id)),
            item => others.push(item),
        }
    }
    PartialValue::set(ids, others)
}

/// The number of times that a value stands for all identities out of sight.
fn drawn(value: &PartialValue) -> usize {
    let named = value.named().into_iter();
    named.filter(|id| *id == Id::Every).count()
}

fn is_plain(items: &[PartialValue]) -> bool {
    !items.iter().any(PartialValue::holds_ids)
}

/// The set that `operator` makes of two sets: listed by its members where these are known.
fn joined(operator: SetOperator, a: &Rc<SetValue>, b: &Rc<SetValue>) -> PartialValue {
    let joined = match (operator, &**a, &**b) {
        (SetOperator::Union, SetValue::Productions(xs), SetValue::Productions(ys)) => {
            SetValue::Productions(xs.iter().chain(ys.iter()).cloned().collect())
        }
        (SetOperator::Union, SetValue::Listed(x, xs), SetValue::Listed(y, ys)) => {
            let all = xs.iter().chain(ys.iter()).cloned();
            return PartialValue::set(x.union(*y), all.collect());
        }
        (_, SetValue::Listed(x, xs), SetValue::Listed(y, ys)) if is_plain(xs) && is_plain(ys) => {
            let (ids, is_left) = match operator {
                SetOperator::Diff => (x.diff(*y), false),
                _ => (x.inter(*y), true),
            };
            let left = xs.iter().filter(|value| ys.contains(value) == is_left);
            return PartialValue::set(ids, left.cloned().collect());
        }
        _ => SetValue::Joined(operator, Rc::clone(a), Rc::clone(b)),
    };
    PartialValue::Set(Rc::new(joined))
}
