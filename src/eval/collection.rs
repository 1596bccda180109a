//! Displays: sequences, sets, production sets, maps.

use std::rc::Rc;

use super::environment::{Frame, GeneratorKind, Statements};
use super::evaluator::Evaluator;
use super::sequence::Sequence;
use super::set::Set;
use super::value::{Computation, Lazy, Thunk, Value};
use base::diag::Result;
use syntax::ast::{Collection, Expr, ExprId, Items, Statement};

/// The largest range that is listed.
const RANGE_LIMIT: i64 = 20_000_000;

impl Evaluator<'_> {
    /// The value of `<...>`. Items, ranges and statements are evaluated by need.
    pub(super) fn sequence_display(
        &mut self,
        expression: ExprId,
        collection: &Collection,
        environment: &Rc<Frame>,
    ) -> Result<Sequence> {
        if collection.statements.is_empty() {
            return self.sequence_part(&collection.items, environment);
        }
        let statements = Statements::new(GeneratorKind::Sequences, environment);
        match self.comprehension(expression, statements)? {
            Value::Sequence(sequence) => Ok(sequence),
            other => unreachable!("a comprehension is a sequence, not {}", other.kind()),
        }
    }

    fn sequence_part(&mut self, items: &Items, environment: &Rc<Frame>) -> Result<Sequence> {
        Ok(match items {
            Items::List(items) => Sequence::prepend(
                self.script.delay_each(items, environment),
                Sequence::empty(),
            ),
            Items::From(from) => Sequence::range(self.evaluate_int(*from, environment)?, None),
            Items::Range(from, to) => {
                let (from, to) = (
                    self.evaluate_int(*from, environment)?,
                    self.evaluate_int(*to, environment)?,
                );
                Sequence::range(from, Some(to))
            }
        })
    }

    /// The items of a comprehension from its present position on.
    pub(super) fn comprehension(
        &mut self,
        expression: ExprId,
        mut statements: Statements,
    ) -> Result<Value> {
        let Expr::Sequence(collection) = self.script.ast.expr(expression) else {
            unreachable!("comprehensions of sequences are sequence displays");
        };
        loop {
            let list = &collection.statements;
            let Some(environment) = statements.next(self, list)? else {
                return Ok(Value::Sequence(Sequence::empty()));
            };
            let part = self.sequence_part(&collection.items, &environment)?;
            // A range that ends before it begins has no items. Passing over it here takes no stack.
            if part.is_empty() {
                continue;
            }
            let rest = Computation::Comprehension(expression, Box::new(statements));
            return self.concatenate(&part, Lazy::Thunk(Thunk::of_computation(rest)));
        }
    }

    /// The value of `{...}`.
    pub(super) fn set_display(
        &mut self,
        collection: &Collection,
        environment: &Rc<Frame>,
    ) -> Result<Set> {
        if collection.statements.is_empty() {
            return self.set_part(&collection.items, environment);
        }
        // Listed members are collected and sorted once at the end: a union for each environment
        // would take quadratic time.
        let (mut values, mut infinite) = (Vec::new(), Set::empty());
        let mut statements = Statements::new(GeneratorKind::Sets, environment);
        while let Some(environment) = statements.next(self, &collection.statements)? {
            match &collection.items {
                Items::List(items) => {
                    for &item in items {
                        values.push(self.evaluate_part(item, &environment)?);
                    }
                }
                range => match self.set_part(range, &environment)? {
                    Set::Finite(members) => values.extend_from_slice(&members),
                    part => infinite = self.union(&infinite, &part)?,
                },
            }
        }
        self.union(&Set::from_values(values), &infinite)
    }

    fn set_part(&mut self, items: &Items, environment: &Rc<Frame>) -> Result<Set> {
        match items {
            Items::List(items) => {
                if let Some(constants) = self.set_of_whole_types(items, environment)? {
                    return Ok(constants);
                }
                let items = self.script.delay_each(items, environment);
                let set = self.set_of(&items)?;
                Ok(self.with_atoms_for_integers(set))
            }
            Items::From(from) => Ok(Set::IntegersFrom(self.evaluate_int(*from, environment)?)),
            Items::Range(from, to) => {
                let place = self.work.place();
                let (from, to) = (
                    self.evaluate_int(*from, environment)?,
                    self.evaluate_int(*to, environment)?,
                );
                // The difference of the two ends can be more than 64 bits hold.
                if to.saturating_sub(from) >= RANGE_LIMIT {
                    self.work.go_to(place);
                    let message = format!("the set {{{from}..{to}}} is too large to be listed");
                    return self.work.limit("set-too-large", message).into();
                }
                Ok(self.with_atoms_for_integers(Set::range(from, to)))
            }
        }
    }

    /// The value of `{| ... |}`.
    pub(super) fn productions_display(
        &mut self,
        items: &[ExprId],
        statements: &[Statement],
        environment: &Rc<Frame>,
    ) -> Result<Set> {
        let mut parts = Vec::new();
        for environment in self.environments(statements, GeneratorKind::Sets, environment)? {
            for &item in items {
                let value = self.evaluate(item, &environment)?;
                self.at(item);
                if !matches!(value, Value::Head(_) | Value::Dot(_)) {
                    return self
                        .mismatch("a channel, an event or a datatype value", &value)
                        .into();
                }
                parts.push(self.productions_of(&value)?);
            }
        }
        let all = if parts.len() == 1 {
            parts.remove(0)
        } else {
            Set::Union(parts.into())
        };
        self.listed(all)
    }

    /// The value of `(| k => v |)`. Of equal keys the last one counts.
    pub(super) fn map_display(
        &mut self,
        pairs: &[(ExprId, ExprId)],
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        let mut map = im::OrdMap::new();
        for &(key, value) in pairs {
            let key = self.evaluate_part(key, environment)?;
            map.insert(key, self.evaluate_part(value, environment)?);
        }
        Ok(Value::Map(Rc::new(map)))
    }
}
