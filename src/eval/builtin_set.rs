//! The built-in functions on sets.

use std::rc::Rc;

use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Lazy, Value};
use base::diag::Result;
use types::builtin::Builtin;

impl Evaluator<'_> {
    /// Applies a function on sets; `None` if `builtin` is no such function.
    pub(super) fn set_function(
        &mut self,
        builtin: Builtin,
        arguments: &[Lazy],
    ) -> Result<Option<Value>> {
        Ok(Some(Value::set(match (builtin, arguments) {
            (Builtin::Union2, [a, b]) => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(b)?);
                self.union(&x, &y)?
            }
            (Builtin::Inter2, [a, b]) => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(b)?);
                self.intersection(&x, &y)?
            }
            (Builtin::Diff, [a, b]) => {
                let (x, y) = (self.set_argument(a)?, self.set_argument(b)?);
                self.difference(&x, &y)?
            }
            (Builtin::UnionAll, [a]) => self.union_of_all(a)?,
            (Builtin::InterAll, [a]) => {
                let mut sets = self.sets_argument(a)?.into_iter();
                let first = sets.next().map_or_else(Set::empty, |set| (*set).clone());
                sets.try_fold(first, |common, set| self.intersection(&common, &set))?
            }
            (Builtin::SetOf, [a]) => {
                let sequence = self.sequence_argument(a)?;
                let items = self.sequence_items(&sequence)?;
                self.set_of(&items)?
            }
            (Builtin::PowerSet, [a]) => Set::Subsets(Rc::new(self.set_argument(a)?)),
            (Builtin::Sequences, [a]) => Set::Sequences(Rc::new(self.set_argument(a)?)),
            (Builtin::Maps, [a, b]) => {
                let (keys, values) = (self.set_argument(a)?, self.set_argument(b)?);
                Set::Maps(Rc::new(keys), Rc::new(values))
            }
            (Builtin::Extensions, [a]) => {
                let value = self.force(a)?;
                self.extensions_of(&value)?
            }
            (Builtin::Productions, [a]) => {
                let value = self.force(a)?;
                self.productions_of(&value)?
            }
            _ => return self.set_question(builtin, arguments),
        })))
    }

    /// The answer to a question about a set; `None` if `builtin` asks no such question.
    fn set_question(&mut self, builtin: Builtin, arguments: &[Lazy]) -> Result<Option<Value>> {
        Ok(Some(match (builtin, arguments) {
            (Builtin::Member, [value, set]) => {
                let (value, set) = (self.force_part(value)?, self.set_argument(set)?);
                Value::Bool(self.contains(&set, &value)?)
            }
            (Builtin::Card, [set]) => {
                let set = self.set_argument(set)?;
                Value::Int(self.members(&set)?.len() as i64)
            }
            (Builtin::Empty, [set]) => {
                let set = self.set_argument(set)?;
                Value::Bool(self.is_empty_set(&set)?)
            }
            (Builtin::SeqOf, [set]) => {
                let set = self.set_argument(set)?;
                let members = self.members(&set)?;
                self.unordered(&Value::set(Set::Finite(Rc::clone(&members))), "`seq`")?;
                Value::Sequence(Sequence::from_values(members.iter().cloned()))
            }
            _ => return Ok(None),
        }))
    }

    /// The value of `Union(sets)`. The listed sets are sorted once all together, because merging
    /// them one by one would take quadratic time.
    fn union_of_all(&mut self, sets: &Lazy) -> Result<Set> {
        let (mut all, mut symbolic) = (Vec::new(), Set::empty());
        for set in self.sets_argument(sets)? {
            match &*set {
                Set::Finite(members) => all.extend_from_slice(members),
                other => symbolic = self.union(&symbolic, other)?,
            }
        }
        self.union(&Set::from_values(all), &symbolic)
    }
}
