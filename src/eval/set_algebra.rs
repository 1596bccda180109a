//! Union, intersection and difference of sets, in symbols where a set is infinite.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::member::ENUMERATION_LIMIT;
use super::set::{Set, different_heads, union_of};
use super::value::Value;
use base::diag::Result;

impl Evaluator<'_> {
    /// The value of `union(a, b)`.
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
            None => union_of(a.parts().iter().chain(b.parts()).cloned().collect()),
        })
    }

    /// The value of `inter(a, b)`.
    pub(super) fn intersection(&mut self, a: &Set, b: &Set) -> Result<Set> {
        // A finite side is filtered, whatever the other is: only two infinite sets need symbols.
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
            // Here the lengths differ. Only different heads make certain that both are disjoint.
            (Set::Dots(x), Set::Dots(y)) if different_heads(x, y) => Set::empty(),
            // Equal ones were taken above.
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

    /// The value of `diff(a, b)`.
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
                self.unordered(&Value::set(b.clone()), "a set of all integers")?;
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
                // The removed integers ascend: without a gap, the one at i is i above the first of
                // the set.
                let contiguous = removed
                    .iter()
                    .enumerate()
                    .all(|(i, n)| *n == from + i as i64);
                if contiguous {
                    let next = from.checked_add(removed.len() as i64);
                    return match next {
                        Some(next) => Ok(Set::IntegersFrom(next)),
                        None => self.work.overflow().into(),
                    };
                }
            }
            (Set::IntegersFrom(x), Set::IntegersFrom(y)) => {
                let count = y.saturating_sub(*x);
                if count > ENUMERATION_LIMIT as i64 {
                    return self.work.too_many(&count.to_string()).into();
                }
                // Below the least integer there is nothing.
                let last = y.checked_sub(1);
                return Ok(last.map_or_else(Set::empty, |last| Set::range(*x, last)));
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
        // Equal items advance both sides, and one of them is pushed.
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged.into()
}
