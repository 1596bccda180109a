//! Built-in functions, and whether something is in a set.

use std::rc::Rc;

use super::interpreter::Interpreter;
use super::value::{EveryIsOther, Id, IdSet, Local, LocalCode, SetValue, Value};
use crate::diag::Result;
use crate::types::builtin::Builtin;

impl Interpreter<'_> {
    pub(super) fn apply_builtin(&mut self, builtin: Builtin, arguments: &[Value]) -> Result<Value> {
        if let [Value::Set(a), Value::Set(b)] = arguments {
            self.unmixed(a, b)?;
        }
        Ok(match (builtin, arguments) {
            (Builtin::Union2, [Value::Set(a), Value::Set(b)]) => union(a, b),
            (Builtin::Inter2, [Value::Set(a), Value::Set(b)]) => match (&**a, &**b) {
                (SetValue::Listed(x, xs), SetValue::Listed(y, ys))
                    if is_plain(xs) && is_plain(ys) =>
                {
                    let both = xs.iter().filter(|value| ys.contains(value));
                    Value::set(x.inter(*y), both.cloned().collect())
                }
                _ => Value::Set(Rc::new(SetValue::Inter(Rc::clone(a), Rc::clone(b)))),
            },
            (Builtin::Diff, [Value::Set(a), Value::Set(b)]) => match (&**a, &**b) {
                (SetValue::Listed(x, xs), SetValue::Listed(y, ys))
                    if is_plain(xs) && is_plain(ys) =>
                {
                    let left = xs.iter().filter(|value| !ys.contains(value));
                    Value::set(x.diff(*y), left.cloned().collect())
                }
                _ => Value::Set(Rc::new(SetValue::Diff(Rc::clone(a), Rc::clone(b)))),
            },
            (Builtin::UnionAll, [Value::Set(sets)]) => {
                let mut all = Value::set(IdSet::EMPTY, Vec::new());
                for set in self.members(sets)? {
                    match (&all, &set) {
                        (Value::Set(a), Value::Set(b)) => all = union(a, b),
                        _ => return Err(self.refused("this is no set of sets")),
                    }
                }
                all
            }
            (Builtin::Member, [value, Value::Set(set)]) => {
                let known = self.contains(set, value)?;
                Value::Bool(self.decided(known))
            }
            (Builtin::Empty, [Value::Set(set)]) => match &**set {
                SetValue::Listed(_, items) if !items.is_empty() => Value::Bool(false),
                SetValue::Listed(ids, _) => Value::Bool(self.decided(ids.is_empty())),
                _ => {
                    return Err(
                        self.refused("whether this set is empty is not known for all sizes")
                    );
                }
            },
            (Builtin::SetOf, [Value::Sequence(items)]) => {
                let ids = items.iter().filter_map(|item| match item {
                    Value::Id(id) => Some(IdSet::only(*id)),
                    _ => None,
                });
                let ids = ids.fold(IdSet::EMPTY, IdSet::union);
                let others = items.iter().filter(|item| !matches!(item, Value::Id(_)));
                Value::set(ids, others.cloned().collect())
            }
            (Builtin::Card, [Value::Set(set)]) => match &**set {
                SetValue::Listed(ids, items) if *ids == IdSet::EMPTY && is_plain(items) => {
                    Value::Int(items.len() as i64)
                }
                _ => {
                    let refused = *self.refused("identities are counted");
                    return Err(Box::new(refused.hint(
                        "for all sizes identities may only be compared for equality, and be in sets",
                    )));
                }
            },
            (Builtin::Null, [Value::Sequence(items)]) => Value::Bool(items.is_empty()),
            (Builtin::Length, [Value::Sequence(items)]) => Value::Int(items.len() as i64),
            (Builtin::Head, [Value::Sequence(items)]) if !items.is_empty() => items[0].clone(),
            (Builtin::Tail, [Value::Sequence(items)]) if !items.is_empty() => {
                Value::Sequence(items[1..].into())
            }
            (Builtin::Run, [Value::Set(_)]) => Value::Process(Local {
                code: LocalCode::Builtin(builtin),
                values: arguments.into(),
            }),
            _ => {
                let message = format!("`{}` is not followed for all sizes here", builtin.name());
                return Err(self.refused(message));
            }
        })
    }

    /// Fails if one set has identities and the other has numbers, which may be the same.
    pub(super) fn unmixed(&self, a: &SetValue, b: &SetValue) -> Result<()> {
        let has = |set: &SetValue| match set {
            SetValue::Listed(ids, items) => {
                let has_numbers = items.iter().any(|item| matches!(item, Value::Int(_)));
                (*ids != IdSet::EMPTY, has_numbers)
            }
            _ => (false, false),
        };
        let ((ids, numbers), (other_ids, other_numbers)) = (has(a), has(b));
        match ids && other_numbers || other_ids && numbers || ids && numbers {
            true => Err(self.named_identity()),
            false => Ok(()),
        }
    }

    /// Whether `value` is in `set`; `None` if nobody knows.
    pub(super) fn contains(&mut self, set: &SetValue, value: &Value) -> Result<Option<bool>> {
        Ok(match set {
            SetValue::Listed(ids, items) => match value {
                Value::Id(_) if items.iter().any(|item| matches!(item, Value::Int(_))) => {
                    return Err(self.named_identity());
                }
                Value::Id(id) => {
                    let known = ids.contains(*id);
                    self.is_mixed |= known.is_none() && *id == Id::Every;
                    known
                }
                value => {
                    let mut known = Some(false);
                    for item in items.iter() {
                        match self.covers(item, value)? {
                            Some(true) => return Ok(Some(true)),
                            None => known = None,
                            Some(false) => {}
                        }
                    }
                    known
                }
            },
            SetValue::Productions(prefixes) => {
                let mut known = Some(false);
                for prefix in prefixes.iter() {
                    let begin = beginning(value, prefix);
                    let covered = match begin {
                        Some(begin) => self.covers(prefix, &begin)?,
                        None => Some(false),
                    };
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

    /// Whether `value` is `item`, or one of those for which it stands: [`Id::Every`] in `item`
    /// stands for each identity out of sight. `None` if nobody knows.
    pub(super) fn covers(&mut self, item: &Value, value: &Value) -> Result<Option<bool>> {
        match (item, value) {
            (Value::Id(Id::Every), Value::Id(Id::Other | Id::Every)) => Ok(Some(true)),
            (Value::Dot(a), Value::Dot(b)) if a.len() == b.len() => {
                // Two fields that stand for all may have been drawn together, so that only equal
                // ones, or only different ones are meant.
                let drawn = a.iter().filter(|part| **part == Value::Id(Id::Every));
                if drawn.count() > 1 {
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
            (Value::Dot(_), _) | (_, Value::Dot(_)) => Ok(Some(false)),
            _ => self.equal(item, value),
        }
    }
}

/// The first parts of `value`, as many as `prefix` has.
fn beginning(value: &Value, prefix: &Value) -> Option<Value> {
    match (value, prefix) {
        (Value::Dot(parts), Value::Dot(prefix)) if parts.len() >= prefix.len() => {
            Some(Value::Dot(parts[..prefix.len()].into()))
        }
        (Value::Dot(parts), Value::Head(..)) => Some(parts[0].clone()),
        (head @ Value::Head(..), Value::Head(..)) => Some(head.clone()),
        _ => None,
    }
}

fn is_plain(items: &[Value]) -> bool {
    !items.iter().any(Value::holds_ids)
}

fn union(a: &Rc<SetValue>, b: &Rc<SetValue>) -> Value {
    match (&**a, &**b) {
        (SetValue::Listed(x, xs), SetValue::Listed(y, ys)) => {
            Value::set(x.union(*y), xs.iter().chain(ys.iter()).cloned().collect())
        }
        (SetValue::Productions(xs), SetValue::Productions(ys)) => {
            let all = xs.iter().chain(ys.iter()).cloned().collect();
            Value::Set(Rc::new(SetValue::Productions(all)))
        }
        _ => Value::Set(Rc::new(SetValue::Union(Rc::clone(a), Rc::clone(b)))),
    }
}
