//! Evaluates computations, the parts that are not values of expressions.

use std::rc::Rc;

use super::environment::{Frame, Statements};
use super::evaluator::Evaluator;
use super::pattern::Matcher;
use super::sequence::Sequence;
use super::value::{Computation, Lazy, Value};
use base::diag::Result;
use syntax::ast::{ExprId, PatternId};

impl Evaluator<'_> {
    /// The value of `computation`.
    pub(super) fn compute(&mut self, computation: &Computation) -> Result<Value> {
        match computation {
            &Computation::Match(pattern, body, ref environment) => {
                self.matched(pattern, body, environment)
            }
            Computation::Component(matched, i) => match self.force_thunk(matched)? {
                Value::Tuple(parts) => self.force(&parts[*i]),
                other => unreachable!("a match gives a tuple, not {}", other.kind()),
            },
            Computation::Concatenation(first, second) => self.concatenate(first, second.clone()),
            Computation::Operand(operand, part, rest) => match (self.force(part)?, rest) {
                (Value::Sequence(sequence), Some(rest)) => {
                    self.concatenate(&sequence, rest.clone())
                }
                (sequence @ Value::Sequence(_), None) => Ok(sequence),
                (other, _) => self.mismatch_at(*operand, "a sequence", &other),
            },
            Computation::Range(from, to) => Ok(Value::Sequence(Sequence::range(*from, *to))),
            Computation::Flattening(sequences) => self.flatten(sequences.clone()),
            Computation::Comprehension(expression, statements) => {
                self.comprehension(*expression, Statements::clone(statements))
            }
        }
    }

    /// The values of the variables of `pattern` when it is matched with the value of `body`.
    fn matched(
        &mut self,
        pattern: PatternId,
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        let value = self.evaluate(body, environment)?;
        let mut matcher = Matcher::new(self, environment);
        if !matcher.matches(pattern, &Lazy::Value(value.clone()))? {
            return self.pattern_mismatch(pattern, &value).into();
        }
        // The order of the slots, in which `declare_pattern` counts the components.
        let slots = matcher.bindings().into_iter();
        Ok(Value::Tuple(slots.map(|(_, lazy)| lazy).collect()))
    }
}
