//! Built-in functions.

use std::rc::Rc;

use super::comparison::Comparison;
use super::expression::ONLY_COMPARED;
use super::value::{EveryIsOther, IdSet, Local, LocalCode, PartialValue, SetOperator, SetValue};
use base::diag::Result;
use types::builtin::Builtin;

impl Comparison<'_, '_> {
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
                PartialValue::Bool(self.oracle.decided(known))
            }
            (Builtin::Empty, [PartialValue::Set(set)]) => match &**set {
                SetValue::Listed(_, items) if !items.is_empty() => PartialValue::Bool(false),
                SetValue::Listed(ids, _) => PartialValue::Bool(self.oracle.decided(ids.is_empty())),
                _ => {
                    return Err(self
                        .place
                        .refused("whether this set is empty is not known for all sizes"));
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
                return Err(self.place.refused(message));
            }
        })
    }

    /// The union of a set of sets.
    fn union_of(&mut self, sets: &SetValue) -> Result<PartialValue> {
        let mut all = PartialValue::set(IdSet::EMPTY, Vec::new());
        let SetValue::Listed(_, sets) = sets else {
            return Err(self.place.refused("this is no set of sets"));
        };
        for set in sets.iter() {
            match (&all, set) {
                (PartialValue::Set(a), PartialValue::Set(b)) => {
                    self.unmixed(a, b)?;
                    all = joined(SetOperator::Union, a, b);
                }
                _ => return Err(self.place.refused("this is no set of sets")),
            }
        }
        Ok(all)
    }

    fn card(&self, set: &SetValue) -> Result<PartialValue> {
        match set {
            SetValue::Listed(ids, items) if *ids == IdSet::EMPTY && is_plain(items) => {
                Ok(PartialValue::Int(items.len() as i64))
            }
            _ => Err(self
                .place
                .refused_with("identities are counted", ONLY_COMPARED)),
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
