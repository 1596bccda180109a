//! Sets: finite ones as sorted arrays, the others in symbols.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::value::{DatatypeId, Lazy, Value};
use crate::diag::{Diagnostic, Result};

/// A set of fully evaluated values. Two equal sets may be written differently; those that
/// [`Evaluator::canonical_set`] returned are equal iff they are the same set, as far as that is decidable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Set {
    /// Ascending, without repetition.
    Finite(Rc<[Value]>),
    /// `Int`
    Integers,
    /// `{n..}`
    IntegersFrom(i64),
    /// `Char`
    Characters,
    /// `Proc`
    Processes,
    /// All values of a datatype.
    Datatype(DatatypeId),
    /// `Seq(S)`
    Sequences(Rc<Set>),
    /// `Set(S)`
    Subsets(Rc<Set>),
    /// `Map(K, V)`
    Maps(Rc<Set>, Rc<Set>),
    /// Tuples of one member of each set, in order.
    Tuples(Rc<[Set]>),
    /// Dotted values of one member of each set. The first may hold a single channel or constructor.
    Dots(Rc<[Set]>),
    /// The members of all of them.
    Union(Rc<[Set]>),
}

/// More members than this are not listed: the script is taken to have meant something else.
const ENUMERATION_LIMIT: usize = 20_000_000;

impl Set {
    /// The empty set.
    pub(super) fn empty() -> Self {
        Set::Finite(Rc::new([]))
    }

    /// The set of these fully evaluated values.
    pub(super) fn from_values(mut values: Vec<Value>) -> Self {
        if !values.is_sorted_by(|a, b| a < b) {
            values.sort();
            values.dedup();
        }
        Set::Finite(values.into())
    }

    /// The integers from `from` to `to`.
    pub(super) fn range(from: i64, to: i64) -> Self {
        Set::Finite((from..=to).map(Value::Int).collect())
    }

    /// Whether it is a set of processes, which have no equality.
    pub(super) fn holds_processes(&self) -> bool {
        match self {
            Set::Finite(members) => matches!(members.first(), Some(Value::Process(_))),
            other => *other == Set::Processes,
        }
    }

    /// Splits into the parts of a union.
    fn parts(&self) -> &[Set] {
        match self {
            Set::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

impl Evaluator<'_> {
    /// Whether `set` has finitely many members.
    pub(super) fn is_finite(&mut self, set: &Set) -> Result<bool> {
        Ok(match set {
            Set::Finite(_) => true,
            Set::Integers | Set::IntegersFrom(_) | Set::Characters | Set::Processes => false,
            Set::Datatype(datatype) => self.datatype_is_finite(*datatype)?,
            Set::Sequences(members) => self.is_empty_set(members)?,
            Set::Subsets(members) => self.is_finite(members)?,
            Set::Maps(keys, values) => {
                self.is_empty_set(keys)? || self.is_finite(keys)? && self.is_finite(values)?
            }
            Set::Tuples(parts) | Set::Dots(parts) => {
                let (mut finite, mut empty) = (true, false);
                for part in parts.iter() {
                    finite &= self.is_finite(part)?;
                    empty |= self.is_empty_set(part)?;
                }
                finite || empty
            }
            Set::Union(parts) => {
                for part in parts.iter() {
                    if !self.is_finite(part)? {
                        return Ok(false);
                    }
                }
                true
            }
        })
    }

    /// Whether `set` has no member.
    pub(super) fn is_empty_set(&mut self, set: &Set) -> Result<bool> {
        Ok(match set {
            Set::Finite(members) => members.is_empty(),
            Set::Tuples(parts) | Set::Dots(parts) => {
                for part in parts.iter() {
                    if self.is_empty_set(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            Set::Union(parts) => {
                for part in parts.iter() {
                    if !self.is_empty_set(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Set::Datatype(_) => self.is_finite(set)? && self.members(set)?.is_empty(),
            _ => false,
        })
    }

    /// All members, ascending; an error if there are infinitely many.
    pub(super) fn members(&mut self, set: &Set) -> Result<Rc<[Value]>> {
        if let Set::Finite(members) = set {
            return Ok(Rc::clone(members));
        }
        if !self.is_finite(set)? {
            return self
                .error(
                    "infinite-set",
                    "the members of an infinite set are needed here",
                )
                .note(format!("the set is {}", self.show_set(set)))
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

    /// Appends the members of a set that is finite, in any order.
    fn enumerate(&mut self, set: &Set, values: &mut Vec<Value>) -> Result<()> {
        match set {
            Set::Sequences(_) => values.push(Value::Sequence(Sequence::empty())),
            Set::Subsets(members) => {
                let members = self.members(members)?;
                self.enumerate_subsets(&members, values)?;
            }
            Set::Maps(keys, targets) => {
                let keys = self.members(keys)?;
                let targets = if keys.is_empty() {
                    Rc::new([])
                } else {
                    self.members(targets)?
                };
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
        if members.len() >= 25 {
            return self.too_many(&format!("2^{}", members.len())).into();
        }
        for choice in 0..1_u32 << members.len() {
            self.tick()?;
            let subset = members
                .iter()
                .enumerate()
                .filter(|(i, _)| choice >> i & 1 == 1);
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
        let mut maps = vec![im::OrdMap::new()];
        for key in keys {
            let mut more = maps.clone();
            for map in &maps {
                self.tick()?;
                more.extend(
                    targets
                        .iter()
                        .map(|target| map.update(key.clone(), target.clone())),
                );
            }
            if more.len() > ENUMERATION_LIMIT {
                return self.too_many(&more.len().to_string()).into();
            }
            maps = more;
        }
        values.extend(maps.into_iter().map(|map| Value::Map(Rc::new(map))));
        Ok(())
    }

    /// The Cartesian product, first component slowest.
    fn products(&mut self, parts: &[Set]) -> Result<Vec<Vec<Value>>> {
        let mut products: Vec<Vec<Value>> = vec![Vec::new()];
        for part in parts {
            if products.is_empty() {
                break;
            }
            let members = self.members(part)?;
            if products.len().saturating_mul(members.len()) > ENUMERATION_LIMIT {
                return self
                    .too_many(&format!(
                        "{}",
                        products.len() as u128 * members.len() as u128
                    ))
                    .into();
            }
            let mut longer = Vec::with_capacity(products.len() * members.len());
            for product in &products {
                self.tick()?;
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

    fn too_many(&self, count: &str) -> Diagnostic {
        let mut diagnostic = self.error(
            "set-too-large",
            format!("a set with {count} members or more would have to be listed here"),
        );
        diagnostic.severity = crate::diag::Severity::Undecided;
        diagnostic.hint("use smaller types, or a comprehension that keeps only what is needed")
    }

    /// Whether the fully evaluated `value` is in `set`.
    pub(super) fn contains(&mut self, set: &Set, value: &Value) -> Result<bool> {
        Ok(match (set, value) {
            (Set::Finite(members), value) => members.binary_search(value).is_ok(),
            (Set::Integers, Value::Int(_))
            | (Set::Characters, Value::Char(_))
            | (Set::Processes, Value::Process(_)) => true,
            (Set::IntegersFrom(from), Value::Int(n)) => n >= from,
            (Set::Datatype(datatype), value) => self.is_of_datatype(*datatype, value)?,
            (Set::Sequences(members), Value::Sequence(items)) => {
                for item in self.sequence_values(items)? {
                    if !self.contains(members, &item)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Set::Subsets(members), Value::Set(subset)) => self.is_subset(subset, members)?,
            (Set::Maps(keys, targets), Value::Map(map)) => {
                for (key, target) in map.iter() {
                    if !self.contains(keys, key)? || !self.contains(targets, target)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Set::Tuples(sets), Value::Tuple(parts)) if sets.len() == parts.len() => {
                for (set, part) in sets.iter().zip(parts.iter()) {
                    if !self.contains(set, &part.known())? {
                        return Ok(false);
                    }
                }
                true
            }
            (Set::Dots(sets), Value::Dot(parts)) if sets.len() == parts.len() => {
                for (set, part) in sets.iter().zip(parts.iter()) {
                    if !self.contains(set, part)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Set::Dots(sets), value @ Value::Head(_)) if sets.len() == 1 => {
                self.contains(&sets[0], value)?
            }
            (Set::Union(sets), value) => {
                for set in sets.iter() {
                    if self.contains(set, value)? {
                        return Ok(true);
                    }
                }
                false
            }
            _ => false,
        })
    }

    /// Whether every member of `small` is in `large`; an error where symbols do not decide it.
    pub(super) fn is_subset(&mut self, small: &Set, large: &Set) -> Result<bool> {
        if self.is_finite(small)? {
            for member in self.members(small)?.iter() {
                if !self.contains(large, member)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if self.is_finite(large)? {
            return Ok(false);
        }
        let decided = match (small, large) {
            (a, b) if a == b => Some(true),
            (Set::IntegersFrom(_), Set::Integers) => Some(true),
            (Set::IntegersFrom(a), Set::IntegersFrom(b)) => Some(a >= b),
            (Set::Integers, Set::IntegersFrom(_)) => Some(false),
            (Set::Sequences(a), Set::Sequences(b)) | (Set::Subsets(a), Set::Subsets(b)) => {
                Some(self.is_subset(a, b)?)
            }
            (Set::Maps(k, v), Set::Maps(l, w)) => {
                Some(self.is_subset(k, l)? && self.is_subset(v, w)?)
            }
            (Set::Tuples(a), Set::Tuples(b)) | (Set::Dots(a), Set::Dots(b))
                if a.len() == b.len() =>
            {
                let mut all = true;
                for (a, b) in a.iter().zip(b.iter()) {
                    all &= self.is_subset(a, b)?;
                }
                Some(all)
            }
            (Set::Dots(a), Set::Dots(b)) if different_heads(a, b) => Some(false),
            (Set::Datatype(_), Set::Datatype(_)) => Some(false),
            (Set::Union(parts), large) => {
                let mut all = true;
                for part in parts.iter() {
                    all &= self.is_subset(part, large)?;
                }
                Some(all)
            }
            (Set::Datatype(datatype), large) => {
                let parts = self.datatype_parts(*datatype)?;
                Some(self.is_subset(&parts, large)?)
            }
            // Sound only one way: the members of `small` may be spread over several parts.
            (small, Set::Union(parts)) => {
                let mut within_one = false;
                for part in parts.iter() {
                    within_one |= matches!(self.is_subset(small, part), Ok(true));
                }
                within_one.then_some(true)
            }
            (small, Set::Datatype(datatype)) => {
                let parts = self.datatype_parts(*datatype)?;
                Some(self.is_subset(small, &parts)?)
            }
            (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => Some(false),
            _ => None,
        };
        match decided {
            Some(answer) => Ok(answer),
            None => self.undecided_set("comparing", small, large).into(),
        }
    }

    fn undecided_set(&mut self, what: &str, a: &Set, b: &Set) -> Diagnostic {
        let (a, b) = (self.show_set(a), self.show_set(b));
        self.error(
            "infinite-set",
            format!("{what} these infinite sets is not supported"),
        )
        .note(format!("the sets are {a} and {b}"))
    }

    /// The same set as a finite array, if it is finite; otherwise in symbols.
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
                parts.sort();
                parts.dedup();
                Set::Union(parts.into())
            }
            other => other.clone(),
        })
    }

    fn canonical_parts(&mut self, parts: &[Set]) -> Result<Vec<Set>> {
        parts.iter().map(|part| self.canonical_set(part)).collect()
    }

    /// `a == b`
    pub(super) fn sets_equal(&mut self, a: &Set, b: &Set) -> Result<bool> {
        match (self.is_finite(a)?, self.is_finite(b)?) {
            (true, true) => Ok(self.members(a)? == self.members(b)?),
            (true, false) | (false, true) => Ok(false),
            (false, false) => Ok(self.is_subset(a, b)? && self.is_subset(b, a)?),
        }
    }

    /// `union(a, b)`
    pub(super) fn union(&mut self, a: &Set, b: &Set) -> Result<Set> {
        if let (Set::Finite(x), Set::Finite(y)) = (a, b) {
            return Ok(Set::Finite(merge(x, y)));
        }
        if self.is_finite(a)? && self.is_finite(b)? {
            return Ok(Set::Finite(merge(
                &self.members(a)?.clone(),
                &self.members(b)?,
            )));
        }
        let absorbed = match (a, b) {
            (Set::Integers, Set::IntegersFrom(_)) => Some(a),
            (Set::IntegersFrom(_), Set::Integers) => Some(b),
            (Set::IntegersFrom(x), Set::IntegersFrom(y)) => Some(if x <= y { a } else { b }),
            (x, y) if self.is_finite(x)? && self.is_subset(x, y)? => Some(b),
            (x, y) if self.is_finite(y)? && self.is_subset(y, x)? => Some(a),
            _ => None,
        };
        Ok(match absorbed {
            Some(set) => set.clone(),
            None => Set::Union(a.parts().iter().chain(b.parts()).cloned().collect()),
        })
    }

    /// `inter(a, b)`
    pub(super) fn intersection(&mut self, a: &Set, b: &Set) -> Result<Set> {
        let (finite, other) = match (self.is_finite(a)?, self.is_finite(b)?) {
            (true, _) => (a, b),
            (_, true) => (b, a),
            _ => return self.symbolic_intersection(a, b),
        };
        self.filter(finite, |evaluator, value| evaluator.contains(other, value))
    }

    fn symbolic_intersection(&mut self, a: &Set, b: &Set) -> Result<Set> {
        Ok(match (a, b) {
            (a, b) if a == b => a.clone(),
            (Set::Integers, other @ Set::IntegersFrom(_))
            | (other @ Set::IntegersFrom(_), Set::Integers) => other.clone(),
            (Set::IntegersFrom(x), Set::IntegersFrom(y)) => Set::IntegersFrom(*x.max(y)),
            (Set::Sequences(x), Set::Sequences(y)) => {
                Set::Sequences(Rc::new(self.intersection(x, y)?))
            }
            (Set::Subsets(x), Set::Subsets(y)) => Set::Subsets(Rc::new(self.intersection(x, y)?)),
            (Set::Tuples(x), Set::Tuples(y)) if x.len() == y.len() => {
                Set::Tuples(self.intersect_parts(x, y)?.into())
            }
            (Set::Dots(x), Set::Dots(y)) if x.len() == y.len() => {
                Set::Dots(self.intersect_parts(x, y)?.into())
            }
            (Set::Dots(x), Set::Dots(y)) if different_heads(x, y) => Set::empty(),
            (Set::Datatype(_), Set::Datatype(_)) => Set::empty(),
            (Set::Union(parts), other) | (other, Set::Union(parts)) => {
                let mut all = Set::empty();
                for part in parts.iter() {
                    let common = self.intersection(part, other)?;
                    all = self.union(&all, &common)?;
                }
                all
            }
            (Set::Datatype(datatype), other) | (other, Set::Datatype(datatype)) => {
                let parts = self.datatype_parts(*datatype)?;
                self.intersection(&parts, other)?
            }
            (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => Set::empty(),
            (a, b) => return self.undecided_set("intersecting", a, b).into(),
        })
    }

    fn intersect_parts(&mut self, a: &[Set], b: &[Set]) -> Result<Vec<Set>> {
        a.iter()
            .zip(b)
            .map(|(a, b)| self.intersection(a, b))
            .collect()
    }

    /// `diff(a, b)`
    pub(super) fn difference(&mut self, a: &Set, b: &Set) -> Result<Set> {
        if self.is_finite(a)? {
            return self.filter(a, |evaluator, value| Ok(!evaluator.contains(b, value)?));
        }
        if self.is_empty_set(b)? {
            return Ok(a.clone());
        }
        match (a, b) {
            (Set::IntegersFrom(from), b) if self.is_finite(b)? => {
                let members = self.members(b)?;
                let removed: Vec<i64> = members
                    .iter()
                    .filter_map(|v| {
                        if let Value::Int(n) = v {
                            Some(*n)
                        } else {
                            None
                        }
                    })
                    .filter(|n| n >= from)
                    .collect();
                let contiguous = removed
                    .iter()
                    .enumerate()
                    .all(|(i, n)| *n == from + i as i64);
                if contiguous {
                    return Ok(Set::IntegersFrom(from + removed.len() as i64));
                }
            }
            (Set::IntegersFrom(x), Set::IntegersFrom(y)) => {
                let count = y.saturating_sub(*x);
                if count > ENUMERATION_LIMIT as i64 {
                    return self.too_many(&count.to_string()).into();
                }
                return Ok(Set::range(*x, y.saturating_sub(1)));
            }
            (a, b) if self.is_subset(a, b)? => return Ok(Set::empty()),
            (Set::Union(parts), b) => {
                let mut rest = Set::empty();
                for part in parts.iter() {
                    let kept = self.difference(part, b)?;
                    rest = self.union(&rest, &kept)?;
                }
                return Ok(rest);
            }
            _ => {}
        }
        self.undecided_set("taking the difference of", a, b).into()
    }

    /// The members of a finite set that `keep` keeps.
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
            let value = self.force(item)?;
            values.push(self.force_deep(&value)?);
        }
        Ok(Set::from_values(values))
    }
}

/// Whether two sets of dotted values start with one channel or constructor each, and not the same one.
fn different_heads(a: &[Set], b: &[Set]) -> bool {
    match (&a[0], &b[0]) {
        (Set::Finite(a), Set::Finite(b)) => {
            matches!((&a[..], &b[..]), ([Value::Head(a)], [Value::Head(b)]) if a != b)
        }
        _ => false,
    }
}

/// The union of two ascending arrays without repetition.
fn merge(a: &[Value], b: &[Value]) -> Rc<[Value]> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        merged.push(if order.is_le() {
            a[i].clone()
        } else {
            b[j].clone()
        });
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged.into()
}
