//! Built-in functions, and membership of sets.

use std::rc::Rc;

use super::interpreter::Interpreter;
use super::value::{EveryIsOther, Id, IdSet, Local, LocalCode, PartialValue, SetValue};
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
        Ok(match (builtin, arguments) {
            (Builtin::Union2, [PartialValue::Set(a), PartialValue::Set(b)]) => union(a, b),
            (Builtin::Inter2, [PartialValue::Set(a), PartialValue::Set(b)]) => match (&**a, &**b) {
                (SetValue::Listed(x, xs), SetValue::Listed(y, ys))
                    if is_plain(xs) && is_plain(ys) =>
                {
                    let both = xs.iter().filter(|value| ys.contains(value));
                    PartialValue::set(x.inter(*y), both.cloned().collect())
                }
                _ => PartialValue::Set(Rc::new(SetValue::Inter(Rc::clone(a), Rc::clone(b)))),
            },
            (Builtin::Diff, [PartialValue::Set(a), PartialValue::Set(b)]) => match (&**a, &**b) {
                (SetValue::Listed(x, xs), SetValue::Listed(y, ys))
                    if is_plain(xs) && is_plain(ys) =>
                {
                    let left = xs.iter().filter(|value| !ys.contains(value));
                    PartialValue::set(x.diff(*y), left.cloned().collect())
                }
                _ => PartialValue::Set(Rc::new(SetValue::Diff(Rc::clone(a), Rc::clone(b)))),
            },
            _ => return self.apply_other(builtin, arguments),
        })
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
                    all = union(a, b);
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
            _ => {
                let refused = *self.refused("identities are counted");
                Err(Box::new(refused.hint(
                    "for all sizes identities may only be compared for equality, and be in sets",
                )))
            }
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
            value => {
                let mut known = Some(false);
                for item in items {
                    match self.covers(item, value)? {
                        Some(true) => return Ok(Some(true)),
                        None => known = None,
                        Some(false) => {}
                    }
                }
                Ok(known)
            }
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

    /// Fails if one set has identities and the other has values that may be the same.
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
                let mut known = Some(false);
                for prefix in prefixes.iter() {
                    let covered = self.begins(prefix, value)?;
                    match covered {
                        Some(true) => return Ok(Some(true)),
                        None => known = None,
                        Some(false) => {}
                    }
                }
                known
            }
            SetValue::Events => Some(true),
            SetValue::Union(a, b) => match (self.contains(a, value)?, self.contains(b, value)?) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            SetValue::Inter(a, b) => match (self.contains(a, value)?, self.contains(b, value)?) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            SetValue::Diff(a, b) => match (self.contains(a, value)?, self.contains(b, value)?) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            },
        })
    }

    /// True if `value` begins with `prefix`, whose last part may be incomplete; `None` if unknown.
    fn begins(&mut self, prefix: &PartialValue, value: &PartialValue) -> Result<Option<bool>> {
        if drawn(prefix) > 1 {
            // The identities may have been drawn together.
            let some = prefix.mapped(&EveryIsOther);
            return self.begins(&some, value);
        }
        match (prefix, value) {
            (PartialValue::Dot(prefix), PartialValue::Dot(parts))
                if prefix.len() <= parts.len() =>
            {
                let last = prefix.len() - 1;
                let mut known = Some(true);
                for (at, (part, value)) in prefix.iter().zip(parts.iter()).enumerate() {
                    let covered = match at == last {
                        true => self.begins(part, value)?,
                        false => self.covers(part, value)?,
                    };
                    match covered {
                        Some(false) => return Ok(Some(false)),
                        None => known = None,
                        Some(true) => {}
                    }
                }
                Ok(known)
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
                // Two fields that stand for all may have been drawn together, so that only equal
                // ones, or only different ones are meant.
                if drawn(item) > 1 {
                    let some = item.mapped(&EveryIsOther);
                    return self.equal(&some, value);
                }
                let mut known = Some(true);
                for (item, value) in a.iter().zip(b.iter()) {
                    match self.covers(item, value)? {
                        Some(false) => return Ok(Some(false)),
                        None => known = None,
                        Some(true) => {}
                    }
                }
                Ok(known)
            }
            (PartialValue::Dot(_), _) | (_, PartialValue::Dot(_)) => Ok(Some(false)),
            _ => self.equal(item, value),
        }
    }
}

/// The set of the items of a sequence. An item for all identities stands for one of them.
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

fn union(a: &Rc<SetValue>, b: &Rc<SetValue>) -> PartialValue {
    match (&**a, &**b) {
        (SetValue::Listed(x, xs), SetValue::Listed(y, ys)) => {
            PartialValue::set(x.union(*y), xs.iter().chain(ys.iter()).cloned().collect())
        }
        (SetValue::Productions(xs), SetValue::Productions(ys)) => {
            let all = xs.iter().chain(ys.iter()).cloned().collect();
            PartialValue::Set(Rc::new(SetValue::Productions(all)))
        }
        _ => PartialValue::Set(Rc::new(SetValue::Union(Rc::clone(a), Rc::clone(b)))),
    }
}
