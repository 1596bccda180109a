//! The members of a set that begin with an incomplete value: a field need not allow every value of
//! a constructor.

use std::cmp::Ordering;
use std::rc::Rc;

use super::evaluator::Evaluator;
use super::set::Set;
use super::value::Value;
use base::diag::Result;
use base::stack::deep;

impl Evaluator<'_> {
    /// The values that can come next, so that `start` can still become a member of `set`; `None` if
    /// `start` is complete.
    fn next_within(&mut self, set: &Set, start: &Value) -> Result<Option<Set>> {
        if let Set::Datatype(_) = set {
            // All that restricts it are the fields of its own constructors.
            return self.next_field(start);
        }
        // A complete value lacks nothing, whatever `set` restricts; below something is missing.
        if self.is_complete(start)? {
            return Ok(None);
        }
        let (head, given) = split(start);
        Ok(Some(match set {
            Set::Finite(members) => {
                let beginning = beginning_with(members, start).iter();
                Set::from_values(beginning.filter_map(|m| next_part(m, start)).collect())
            }
            Set::Dots(sets) if self.begins(sets, head, given)? => self
                .next_after(&sets[1..], given)?
                .unwrap_or_else(Set::empty),
            Set::Union(parts) => {
                let mut all = Set::empty();
                for part in parts.iter() {
                    let next = deep(|| self.next_within(part, start))?;
                    all = self.union(&all, &next.unwrap_or_else(Set::empty))?;
                }
                all
            }
            _ => Set::empty(),
        }))
    }

    /// The values that can come next after `given`, which are fields from the sets `fields`. The
    /// last one may be incomplete. `None` if no field is missing.
    pub(super) fn next_after(&mut self, fields: &[Set], given: &[Value]) -> Result<Option<Set>> {
        if let Some((last, before)) = given.split_last()
            && let Some(field) = fields.get(before.len())
            && let Some(next) = deep(|| self.next_within(field, last))?
        {
            return Ok(Some(next));
        }
        Ok(fields.get(given.len()).cloned())
    }

    /// The members of `set` that begin with `start`.
    fn starting_with(&mut self, set: &Set, start: &Value) -> Result<Set> {
        let (head, given) = split(start);
        Ok(match set {
            Set::Datatype(_) => self.productions_of(start)?,
            Set::Finite(members) => Set::Finite(beginning_with(members, start).into()),
            Set::Dots(sets) if self.begins(sets, head, given)? => {
                self.starting_after(head, &sets[1..], given)?
            }
            Set::Union(parts) => {
                let mut all = Set::empty();
                for part in parts.iter() {
                    let some = deep(|| self.starting_with(part, start))?;
                    all = self.union(&all, &some)?;
                }
                all
            }
            _ => Set::empty(),
        })
    }

    /// The values of `head` with fields from the sets `fields` that begin with `given`. The last of
    /// `given` may be incomplete.
    pub(super) fn starting_after(
        &mut self,
        head: &Value,
        fields: &[Set],
        given: &[Value],
    ) -> Result<Set> {
        let only = |value: &Value| Set::Finite(Rc::new([value.clone()]));
        let mut sets = vec![only(head)];
        sets.extend(given.iter().map(only));
        if let Some((last, before)) = given.split_last()
            && let Some(field) = fields.get(before.len())
            && !self.is_complete(last)?
        {
            sets[given.len()] = deep(|| self.starting_with(field, last))?;
        }
        sets.extend(fields.iter().skip(given.len()).cloned());
        Ok(Set::Dots(sets.into()))
    }

    /// True if `head` and the complete ones of `given` are in the sets at their positions in
    /// `sets`.
    fn begins(&mut self, sets: &[Set], head: &Value, given: &[Value]) -> Result<bool> {
        if sets.len() <= given.len() || !self.contains(&sets[0], head)? {
            return Ok(false);
        }
        for (set, part) in sets[1..].iter().zip(given) {
            if self.is_complete(part)? && !self.contains(set, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The channel or constructor, and the fields that it has.
fn split(value: &Value) -> (&Value, &[Value]) {
    let parts = value.dotted_parts();
    (&parts[0], &parts[1..])
}

/// The members that begin with `start`. `members` ascend, so these stand side by side.
fn beginning_with<'v>(members: &'v [Value], start: &Value) -> &'v [Value] {
    let from = members.partition_point(|member| compare(member, start).is_lt());
    let to = members.partition_point(|member| compare(member, start).is_le());
    &members[from..to]
}

/// Compares a complete value with the values that begin with `start`, which all count as equal.
fn compare(member: &Value, start: &Value) -> Ordering {
    let (Value::Dot(parts), Value::Dot(_) | Value::Head(_)) = (member, start) else {
        return member.cmp(start);
    };
    let (head, given) = split(start);
    let Some((last, before)) = given.split_last() else {
        return parts[0].cmp(head);
    };
    let complete = std::iter::once(head).chain(before);
    // The head and the fields before the last are complete, so they are compared whole. The last
    // field decides by how it begins.
    let order = parts.iter().take(given.len()).cmp(complete);
    order.then_with(|| match parts.get(given.len()) {
        Some(part) => deep(|| compare(part, last)),
        None => Ordering::Less,
    })
}

/// The next part of `member` after `start`, with which it begins.
fn next_part(member: &Value, start: &Value) -> Option<Value> {
    let (Value::Dot(parts), (_, given)) = (member, split(start)) else {
        return None;
    };
    let last = given.last().zip(parts.get(given.len()));
    // The missing fields of the last field come before the next field.
    let inner = last.and_then(|(last, part)| deep(|| next_part(part, last)));
    inner.or_else(|| parts.get(given.len() + 1).cloned())
}
