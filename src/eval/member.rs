//! The members of sets, and the question whether there are finitely many.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::quantify::{all, any};
use super::sequence::Sequence;
use super::set::{Set, union_of};
use super::value::{Lazy, Value};
use base::diag::Result;

/// The largest number of members that are listed. Larger sets are hardly meant to be.
pub(super) const ENUMERATION_LIMIT: usize = 20_000_000;

impl Evaluator<'_> {
    /// True if `set` has finitely many members.
    pub(super) fn is_finite(&mut self, set: &Set) -> Result<bool> {
        Ok(match set {
            Set::Finite(_) => true,
            Set::Integers | Set::IntegersFrom(_) | Set::Characters | Set::Processes => false,
            Set::Datatype(datatype) => self.datatype_is_finite(*datatype)?,
            // Over no items there is one sequence, the empty one; over one item there are
            // infinitely many.
            Set::Sequences(members) => self.is_empty_set(members)?,
            Set::Subsets(members) => self.is_finite(members)?,
            Set::Maps(keys, values) => {
                self.allow_no_entry(keys, values)?
                    || self.is_finite(keys)? && self.is_finite(values)?
            }
            Set::Tuples(parts) | Set::Dots(parts) => {
                // One empty part makes the product empty, even if other parts are infinite.
                let (mut finite, mut empty) = (true, false);
                for part in parts.iter() {
                    finite &= self.is_finite(part)?;
                    empty |= self.is_empty_set(part)?;
                }
                finite || empty
            }
            Set::Union(parts) => all(parts.iter(), |part| self.is_finite(part))?,
        })
    }

    /// True if a map from `keys` to `targets` can only be empty: one of the two has no member,
    /// however many the other has.
    fn allow_no_entry(&mut self, keys: &Set, targets: &Set) -> Result<bool> {
        Ok(self.is_empty_set(keys)? || self.is_empty_set(targets)?)
    }

    /// True if `set` has no member.
    pub(super) fn is_empty_set(&mut self, set: &Set) -> Result<bool> {
        Ok(match set {
            Set::Finite(members) => members.is_empty(),
            Set::Tuples(parts) | Set::Dots(parts) => {
                any(parts.iter(), |part| self.is_empty_set(part))?
            }
            Set::Union(parts) => all(parts.iter(), |part| self.is_empty_set(part))?,
            Set::Datatype(_) => self.is_finite(set)? && self.members(set)?.is_empty(),
            // Sequences, subsets and maps are never without a member: the empty one is there.
            _ => false,
        })
    }

    /// All members, ascending. Fails if there are infinitely many.
    pub(super) fn members(&mut self, set: &Set) -> Result<Rc<[Value]>> {
        if let Set::Finite(members) = set {
            return Ok(Rc::clone(members));
        }
        if !self.is_finite(set)? {
            return self
                .work
                .error(
                    "infinite-set",
                    "the members of an infinite set are needed here",
                )
                .note(format!("the set is {}", self.text().set(set)))
                .hint("restrict it to a finite set, for example by a comprehension over {0..N}")
                .into();
        }
        if let Set::Datatype(datatype) = set {
            return self.datatype_members(*datatype);
        }
        let mut values = Vec::new();
        self.enumerate(set, &mut values)?;
        match Set::from_values(values) {
            Set::Finite(members) => Ok(members),
            _ => unreachable!("from_values makes a finite set"),
        }
    }

    /// `set` with its members listed, if it is finite.
    pub(super) fn listed(&mut self, set: Set) -> Result<Set> {
        Ok(match self.is_finite(&set)? {
            true => Set::Finite(self.members(&set)?),
            false => set,
        })
    }

    /// Appends the members of a set that is finite, in any order.
    fn enumerate(&mut self, set: &Set, values: &mut Vec<Value>) -> Result<()> {
        match set {
            // `members` has refused infinite sets, so there are no items.
            Set::Sequences(_) => values.push(Value::Sequence(Sequence::empty())),
            Set::Subsets(members) => {
                let members = self.members(members)?;
                self.enumerate_subsets(&members, values)?;
            }
            Set::Maps(keys, targets) if self.allow_no_entry(keys, targets)? => {
                values.push(Value::Map(Rc::default()));
            }
            Set::Maps(keys, targets) => {
                let (keys, targets) = (self.members(keys)?, self.members(targets)?);
                self.enumerate_maps(&keys, &targets, values)?;
            }
            Set::Tuples(parts) => {
                for tuple in self.products(parts)? {
                    values.push(Value::tuple(tuple));
                }
            }
            Set::Dots(parts) => {
                for dotted in self.products(parts)? {
                    values.push(self.dot_all(dotted)?);
                }
            }
            Set::Union(parts) => {
                for part in parts.iter() {
                    values.extend_from_slice(&self.members(part)?);
                }
            }
            other => values.extend_from_slice(&self.members(other)?),
        }
        Ok(())
    }

    fn enumerate_subsets(&mut self, members: &[Value], values: &mut Vec<Value>) -> Result<()> {
        // 2^24 is the largest power of two within `ENUMERATION_LIMIT`.
        if members.len() >= 25 {
            return self.work.too_many(&format!("2^{}", members.len())).into();
        }
        for choice in 0..1_u32 << members.len() {
            self.work.tick()?;
            let subset = members
                .iter()
                .enumerate()
                .filter(|(i, _)| choice >> i & 1 == 1);
            // `members` ascends, so what is left of it does too: there is nothing to sort.
            values.push(Value::set(Set::Finite(
                subset.map(|(_, v)| v.clone()).collect(),
            )));
        }
        Ok(())
    }

    fn enumerate_maps(
        &mut self,
        keys: &[Value],
        targets: &[Value],
        values: &mut Vec<Value>,
    ) -> Result<()> {
        // Each key has one of the targets, or none.
        let choices = targets.len() + 1;
        if choices.saturating_pow(keys.len() as u32) > ENUMERATION_LIMIT {
            let count = format!("{choices}^{}", keys.len());
            return self.work.too_many(&count).into();
        }
        let mut maps = vec![im::OrdMap::new()];
        for key in keys {
            // A map need not have the key: those without it stay as they are.
            let mut more = maps.clone();
            for map in &maps {
                self.work.tick()?;
                more.extend(
                    targets
                        .iter()
                        .map(|target| map.update(key.clone(), target.clone())),
                );
            }
            maps = more;
        }
        values.extend(maps.into_iter().map(|map| Value::Map(Rc::new(map))));
        Ok(())
    }

    /// The Cartesian product, first component slowest.
    fn products(&mut self, parts: &[Set]) -> Result<Vec<Vec<Value>>> {
        // Before any part is listed: beside an empty one others may be infinite.
        if any(parts, |part| self.is_empty_set(part))? {
            return Ok(Vec::new());
        }
        let mut products: Vec<Vec<Value>> = vec![Vec::new()];
        for part in parts {
            let members = self.members(part)?;
            if products.len().saturating_mul(members.len()) > ENUMERATION_LIMIT {
                let count = products.len() as u128 * members.len() as u128;
                return self.work.too_many(&count.to_string()).into();
            }
            let mut longer = Vec::with_capacity(products.len() * members.len());
            for product in &products {
                self.work.tick()?;
                for member in members.iter() {
                    let mut next = Vec::with_capacity(parts.len());
                    next.extend_from_slice(product);
                    next.push(member.clone());
                    longer.push(next);
                }
            }
            products = longer;
        }
        Ok(products)
    }

    /// `set` as a finite array, if it is finite; otherwise in symbols.
    pub(super) fn canonical_set(&mut self, set: &Set) -> Result<Set> {
        if self.is_finite(set)? {
            return Ok(Set::Finite(self.members(set)?));
        }
        Ok(match set {
            Set::Sequences(members) => Set::Sequences(Rc::new(self.canonical_set(members)?)),
            Set::Subsets(members) => Set::Subsets(Rc::new(self.canonical_set(members)?)),
            Set::Maps(keys, targets) => Set::Maps(
                Rc::new(self.canonical_set(keys)?),
                Rc::new(self.canonical_set(targets)?),
            ),
            Set::Tuples(parts) => Set::Tuples(self.canonical_parts(parts)?.into()),
            Set::Dots(parts) => Set::Dots(self.canonical_parts(parts)?.into()),
            Set::Union(parts) => {
                let mut parts = self.canonical_parts(parts)?;
                // Unions are compared part by part, and their parts come in the order in which they
                // were written.
                parts.sort();
                parts.dedup();
                union_of(parts)
            }
            other => other.clone(),
        })
    }

    fn canonical_parts(&mut self, parts: &[Set]) -> Result<Vec<Set>> {
        parts.iter().map(|part| self.canonical_set(part)).collect()
    }

    /// The members of a finite set for which `keep` is true.
    pub(super) fn filter(
        &mut self,
        set: &Set,
        mut keep: impl FnMut(&mut Self, &Value) -> Result<bool>,
    ) -> Result<Set> {
        let mut kept = Vec::new();
        for value in self.members(set)?.iter() {
            if keep(self, value)? {
                kept.push(value.clone());
            }
        }
        Ok(Set::Finite(kept.into()))
    }

    /// The set of the values of these parts, evaluated in full.
    pub(super) fn set_of(&mut self, items: &[Lazy]) -> Result<Set> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            values.push(self.force_part(item)?);
        }
        Ok(Set::from_values(values))
    }
}
