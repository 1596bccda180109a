//! Values walked in step with the sets they come from, so that each part is met with its type.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::kind::PermutableKind;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Value};
use base::diag::Result;
use base::stack::deep;

/// The actions of a walk at the ends of a value.
pub(super) trait Visitor {
    /// Visits a `value` of type `kind`. Returns its replacement, or `None` if it stays.
    fn typed(&mut self, kind: &PermutableKind, value: &Value) -> Option<Value>;

    /// Visits a `value` without a type: an integer or character that no finite set is known for, or
    /// a value that the walk does not enter (an infinite set, a function, a process). It stays.
    fn untyped(&mut self, evaluator: &mut Evaluator<'_>, value: &Value) -> Result<()>;

    /// Notes that the parts of a set or map come next, in an order that a permutation changes.
    fn unordered(&mut self) {}

    /// Notes that a field of a channel or constructor got a value that is not in its set.
    fn misplaced(&mut self) {}
}

/// `value` with the replacements of `visitor` for its ends; `None` if nothing changes. `value`
/// is fully evaluated.
///
/// The type of an end depends on the channels and constructors around it and on the shapes of
/// the values on the way to it. A permutation changes neither. So a permutation of the values
/// of a type becomes a permutation of all values, products of permutations become products, and
/// inverses inverses.
pub(super) fn walk(
    evaluator: &mut Evaluator<'_>,
    value: &Value,
    visitor: &mut dyn Visitor,
) -> Result<Option<Value>> {
    Walk { evaluator, visitor }.walk(value, None)
}

/// A walk through values.
struct Walk<'w, 's> {
    evaluator: &'w mut Evaluator<'s>,
    visitor: &'w mut dyn Visitor,
}

impl Walk<'_, '_> {
    /// Walks through `value`, which comes from `set`. `set` is `None` if the set is not known.
    fn walk(&mut self, value: &Value, set: Option<&Set>) -> Result<Option<Value>> {
        deep(|| {
            self.evaluator.work.tick()?;
            self.walk_parts(value, set.and_then(|set| part_for(set, value)))
        })
    }

    fn walk_parts(&mut self, value: &Value, set: Option<&Set>) -> Result<Option<Value>> {
        Ok(match (value, set) {
            (Value::Int(_) | Value::Char(_), Some(Set::Finite(members))) if is_index(members) => {
                self.visitor
                    .typed(&PermutableKind::Index(Rc::clone(members)), value)
            }
            (Value::Bool(_), _) => self.visitor.typed(&PermutableKind::Bool, value),
            (Value::Head(_), _) => {
                self.evaluator
                    .declared
                    .constant_of(value)
                    .and_then(|datatype| {
                        self.visitor
                            .typed(&PermutableKind::Datatype(datatype), value)
                    })
            }
            (Value::Dot(parts), set) => self.walk_dot(parts, set)?,
            (Value::Tuple(parts), set) => {
                let sets: &[Set] = match set {
                    Some(Set::Tuples(sets)) if sets.len() == parts.len() => sets,
                    _ => &[],
                };
                let parts: Vec<Value> = parts.iter().map(Lazy::known).collect();
                let each = |i: usize| sets.get(i);
                self.walk_each(&parts, &each)?.map(Value::tuple)
            }
            (Value::Sequence(items), set) => {
                let within = members_of(set);
                let items: Vec<Value> = items.known_items().collect();
                self.walk_each(&items, &|_| within)?
                    .map(|items| Value::Sequence(Sequence::from_values(items)))
            }
            (Value::Set(members), set) if matches!(**members, Set::Finite(_)) => {
                let within = members_of(set);
                let members = self.evaluator.members(members)?;
                self.visitor.unordered();
                self.walk_each(&members, &|_| within)?
                    .map(|members| Value::set(Set::from_values(members)))
            }
            (Value::Map(map), set) => {
                let (keys, targets) = match set {
                    Some(Set::Maps(keys, targets)) => (Some(&**keys), Some(&**targets)),
                    _ => (None, None),
                };
                self.visitor.unordered();
                // Keys and targets in turn.
                let entries: Vec<Value> = map
                    .iter()
                    .flat_map(|(k, v)| [k.clone(), v.clone()])
                    .collect();
                let within = |i: usize| if i.is_multiple_of(2) { keys } else { targets };
                self.walk_each(&entries, &within)?
                    .map(|entries| Value::Map(Rc::new(pairs(entries))))
            }
            (other, _) => {
                self.visitor.untyped(self.evaluator, other)?;
                None
            }
        })
    }

    /// Walks through the parts of a dotted value. Fields come from the sets of their head.
    fn walk_dot(&mut self, parts: &[Value], set: Option<&Set>) -> Result<Option<Value>> {
        let Some(head) = self.evaluator.declared.leading_head(parts) else {
            let sets: &[Set] = match set {
                Some(Set::Dots(sets)) if sets.len() == parts.len() => sets,
                _ => &[],
            };
            let each = |i: usize| sets.get(i);
            let parts = self.walk_each(parts, &each)?;
            return Ok(parts.map(|parts| Value::Dot(parts.into())));
        };
        let fields = self.evaluator.fields(head)?;
        let mut changed: Option<Vec<Value>> = None;
        for (i, field) in fields.iter().enumerate().take(parts.len() - 1) {
            let Some(part) = self.walk(&parts[i + 1], Some(field))? else {
                continue;
            };
            // Only a field that changed can be outside its set.
            if !self.evaluator.field_allows(field, &part)? {
                self.visitor.misplaced();
            }
            changed.get_or_insert_with(|| parts.to_vec())[i + 1] = part;
        }
        Ok(changed.map(|parts| Value::Dot(parts.into())))
    }

    /// Walks through `values`; value i comes from the set `within(i)`. `None` if none changes.
    fn walk_each<'s>(
        &mut self,
        values: &[Value],
        within: &dyn Fn(usize) -> Option<&'s Set>,
    ) -> Result<Option<Vec<Value>>> {
        let mut changed: Option<Vec<Value>> = None;
        for (i, value) in values.iter().enumerate() {
            if let Some(value) = self.walk(value, within(i))? {
                changed.get_or_insert_with(|| values.to_vec())[i] = value;
            }
        }
        Ok(changed)
    }
}

/// True if all members are integers, or all are characters; values are ordered by kind.
fn is_index(members: &[Value]) -> bool {
    matches!(
        (members.first(), members.last()),
        (Some(Value::Int(_)), Some(Value::Int(_))) | (Some(Value::Char(_)), Some(Value::Char(_)))
    )
}

/// The only part of a union that values like `value` can come from; `None` if there are several.
/// Membership would not do: value and image could then fall to different ones of overlapping parts.
fn part_for<'s>(set: &'s Set, value: &Value) -> Option<&'s Set> {
    let Set::Union(parts) = set else {
        return Some(set);
    };
    let mut fitting = parts.iter().filter(|part| has_shape(part, value));
    let first = fitting.next()?;
    match fitting.next() {
        None => part_for(first, value),
        Some(_) => None,
    }
}

/// True if members of `set` may have the shape of `value`, which no permutation of constants, truth
/// values and integers changes.
fn has_shape(set: &Set, value: &Value) -> bool {
    match (set, value) {
        (Set::Finite(members), value) => {
            let shape = std::mem::discriminant(value);
            members
                .iter()
                .any(|member| std::mem::discriminant(member) == shape)
        }
        (Set::Integers | Set::IntegersFrom(_), Value::Int(_))
        | (Set::Characters, Value::Char(_))
        | (Set::Sequences(_), Value::Sequence(_))
        | (Set::Subsets(_), Value::Set(_))
        | (Set::Maps(..), Value::Map(_)) => true,
        (Set::Tuples(sets), Value::Tuple(parts)) => sets.len() == parts.len(),
        (Set::Dots(sets), Value::Dot(parts)) => sets.len() == parts.len(),
        (Set::Union(parts), value) => parts.iter().any(|part| has_shape(part, value)),
        _ => false,
    }
}

/// The set of the items of the members of `set`, which are sequences or sets.
fn members_of(set: Option<&Set>) -> Option<&Set> {
    match set {
        Some(Set::Sequences(within) | Set::Subsets(within)) => Some(within),
        _ => None,
    }
}

/// The map of `entries`: each key is followed by its value.
fn pairs(entries: Vec<Value>) -> im::OrdMap<Value, Value> {
    let mut map = im::OrdMap::new();
    let mut entries = entries.into_iter();
    while let (Some(key), Some(target)) = (entries.next(), entries.next()) {
        map.insert(key, target);
    }
    map
}
