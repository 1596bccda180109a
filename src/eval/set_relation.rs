//! Relations between sets: membership, inclusion, equality.

use super::evaluator::Evaluator;
use super::quantify::{all, any};
use super::set::{Set, different_heads, union_of};
use super::value::Value;
use base::diag::{Diagnostic, Result};

impl Evaluator<'_> {
    /// True if the fully evaluated `value` is in `set`.
    pub(super) fn contains(&mut self, set: &Set, value: &Value) -> Result<bool> {
        Ok(match (set, value) {
            (Set::Finite(members), value) => members.binary_search(value).is_ok(),
            (Set::Integers, Value::Int(_))
            | (Set::Characters, Value::Char(_))
            | (Set::Processes, Value::Process(_)) => true,
            (Set::IntegersFrom(from), Value::Int(n)) => n >= from,
            (Set::Integers | Set::IntegersFrom(_), Value::Atom(atom)) => {
                return self.looked_into(atom.id, "a set of all integers").into();
            }
            (Set::Datatype(datatype), value) => self.is_of_datatype(*datatype, value)?,
            (Set::Sequences(members), Value::Sequence(items)) => {
                let items = self.sequence_values(items)?;
                all(&items, |item| self.contains(members, item))?
            }
            (Set::Subsets(members), Value::Set(subset)) => self.is_subset(subset, members)?,
            (Set::Maps(keys, targets), Value::Map(map)) => all(map.iter(), |(key, target)| {
                Ok(self.contains(keys, key)? && self.contains(targets, target)?)
            })?,
            (Set::Tuples(sets), Value::Tuple(parts)) if sets.len() == parts.len() => {
                let parts = sets.iter().zip(parts.iter());
                all(parts, |(set, part)| self.contains(set, &part.known()))?
            }
            (Set::Dots(sets), Value::Dot(parts)) if sets.len() == parts.len() => {
                let parts = sets.iter().zip(parts.iter());
                all(parts, |(set, part)| self.contains(set, part))?
            }
            (Set::Dots(sets), value @ Value::Head(_)) if sets.len() == 1 => {
                self.contains(&sets[0], value)?
            }
            (Set::Union(sets), value) => any(sets.iter(), |set| self.contains(set, value))?,
            _ => false,
        })
    }

    /// True if every member of `small` is in `large`. Fails if symbols do not decide it.
    pub(super) fn is_subset(&mut self, small: &Set, large: &Set) -> Result<bool> {
        match self.subset(small, large)? {
            Some(answer) => Ok(answer),
            None => self.undecided_set("comparing", small, large).into(),
        }
    }

    /// True if every member of `small` is in `large`; `None` if symbols do not decide it.
    fn subset(&mut self, small: &Set, large: &Set) -> Result<Option<bool>> {
        if self.is_finite(small)? {
            let members = self.members(small)?;
            return all(members.iter(), |member| self.contains(large, member)).map(Some);
        }
        if self.is_finite(large)? {
            return Ok(Some(false));
        }
        self.infinite_subset(small, large)
    }

    /// True if in every pair the first set is in the second. A pair for which that is false
    /// decides, even if other pairs are undecided.
    fn all_subsets<'s>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'s Set, &'s Set)>,
    ) -> Result<Option<bool>> {
        let mut all = Some(true);
        for (small, large) in pairs {
            match self.subset(small, large)? {
                Some(true) => {}
                Some(false) => return Ok(Some(false)),
                None => all = None,
            }
        }
        Ok(all)
    }

    /// True if every member of the infinite set `small` is in the infinite set `large`; `None` if
    /// symbols do not decide it. An infinite product has no empty part, so it is inside another
    /// product only if each of its parts is inside.
    fn infinite_subset(&mut self, small: &Set, large: &Set) -> Result<Option<bool>> {
        Ok(match (small, large) {
            (a, b) if a == b => Some(true),
            (Set::IntegersFrom(_), Set::Integers) => Some(true),
            (Set::IntegersFrom(a), Set::IntegersFrom(b)) => Some(a >= b),
            (Set::Integers, Set::IntegersFrom(_)) => Some(false),
            (Set::Sequences(a), Set::Sequences(b)) | (Set::Subsets(a), Set::Subsets(b)) => {
                self.subset(a, b)?
            }
            (Set::Maps(k, v), Set::Maps(l, w)) => self.all_subsets([(&**k, &**l), (&**v, &**w)])?,
            (Set::Tuples(a), Set::Tuples(b)) | (Set::Dots(a), Set::Dots(b))
                if a.len() == b.len() =>
            {
                self.all_subsets(a.iter().zip(b.iter()))?
            }
            (Set::Dots(a), Set::Dots(b)) if different_heads(a, b) => Some(false),
            (Set::Datatype(_), Set::Datatype(_)) => Some(false),
            (Set::Union(parts), large) => {
                self.all_subsets(parts.iter().map(|part| (part, large)))?
            }
            (Set::Datatype(datatype), large) => {
                let parts = self.datatype_parts(*datatype)?;
                self.subset(&parts, large)?
            }
            (Set::Integers, Set::Union(parts)) => Some(parts.contains(small)),
            (Set::IntegersFrom(from), Set::Union(parts)) => match union_of(parts.to_vec()) {
                // The integer before `first` is missing.
                Set::Union(parts) => match parts[..] {
                    [Set::Finite(_), Set::IntegersFrom(first)] => Some(*from >= first),
                    _ => None,
                },
                whole => self.subset(small, &whole)?,
            },
            // Sound only one way: the members of `small` may be spread over several parts.
            (small, Set::Union(parts)) => {
                let mut within_one = false;
                for part in parts.iter() {
                    within_one |= self.subset(small, part)? == Some(true);
                }
                within_one.then_some(true)
            }
            (small, Set::Datatype(datatype)) => {
                let parts = self.datatype_parts(*datatype)?;
                self.subset(small, &parts)?
            }
            (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => Some(false),
            _ => None,
        })
    }

    pub(super) fn undecided_set(&mut self, what: &str, a: &Set, b: &Set) -> Diagnostic {
        let (a, b) = (self.text().set(a), self.text().set(b));
        self.work
            .error(
                "infinite-set",
                format!("{what} these infinite sets is not supported"),
            )
            .note(format!("the sets are {a} and {b}"))
    }

    /// True if `a == b`.
    pub(super) fn sets_equal(&mut self, a: &Set, b: &Set) -> Result<bool> {
        match (self.is_finite(a)?, self.is_finite(b)?) {
            (true, true) => Ok(self.members(a)? == self.members(b)?),
            (true, false) | (false, true) => Ok(false),
            (false, false) => Ok(self.is_subset(a, b)? && self.is_subset(b, a)?),
        }
    }
}
