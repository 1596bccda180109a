//! The built-in functions on relations: sets of pairs.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{Lazy, Value};
use base::diag::Result;
use types::builtin::Builtin;

impl Evaluator<'_> {
    /// Applies a function on relations. `given` is the relation of an image that still waits for
    /// the value whose image is asked for.
    pub(super) fn relation_function(
        &mut self,
        builtin: Builtin,
        given: &[Value],
        arguments: &[Lazy],
    ) -> Result<Value> {
        let a = &arguments[0];
        match builtin {
            Builtin::RelationalImage | Builtin::RelationalInverseImage if given.is_empty() => {
                let relation = self.force_part(a)?;
                Ok(Value::Builtin(builtin, Rc::new([relation])))
            }
            Builtin::RelationalImage | Builtin::RelationalInverseImage => {
                let of = self.force_part(a)?;
                let pairs = self.pairs(&given[0])?.into_iter();
                let image: Vec<Value> = if builtin == Builtin::RelationalImage {
                    pairs.filter(|(x, _)| *x == of).map(|(_, y)| y).collect()
                } else {
                    pairs.filter(|(_, y)| *y == of).map(|(x, _)| x).collect()
                };
                Ok(Value::set(Set::from_values(image)))
            }
            Builtin::Transpose => {
                let relation = self.force_part(a)?;
                let swapped = self
                    .pairs(&relation)?
                    .into_iter()
                    .map(|(x, y)| Value::tuple(vec![y, x]));
                Ok(Value::set(Set::from_values(swapped.collect())))
            }
            Builtin::Mtransclose => {
                let (relation, within) = (self.force_part(a)?, self.set_argument(&arguments[1])?);
                let pairs = self.pairs(&relation)?;
                let within = self.members(&within)?;
                let all = Value::set(Set::Finite(Rc::clone(&within)));
                self.unordered(&all, "the least of a class")?;
                Ok(Value::set(Set::from_values(representatives(
                    &pairs, &within,
                ))))
            }
            _ => unreachable!("called for functions on relations"),
        }
    }
}

/// The value of `mtransclose`: each member of `within` but the least of its class, paired with that
/// least one, in the symmetric transitive closure of the pairs inside `within`.
fn representatives(pairs: &[(Value, Value)], within: &[Value]) -> Vec<Value> {
    let mut class: Vec<usize> = (0..within.len()).collect();
    fn find(class: &mut [usize], mut i: usize) -> usize {
        while class[i] != i {
            // Every step halves the path, so that later searches are short.
            class[i] = class[class[i]];
            i = class[i];
        }
        i
    }
    for (x, y) in pairs {
        // A pair of which one side is outside of `within` relates nothing.
        if let (Ok(i), Ok(j)) = (within.binary_search(x), within.binary_search(y)) {
            let (i, j) = (find(&mut class, i), find(&mut class, j));
            // The smaller index stays the root. As `within` ascends, every root is the least of its
            // class.
            class[i.max(j)] = i.min(j);
        }
    }
    (0..within.len())
        .map(|i| (find(&mut class, i), i))
        .filter(|(least, i)| least != i)
        .map(|(least, i)| Value::tuple(vec![within[least].clone(), within[i].clone()]))
        .collect()
}
