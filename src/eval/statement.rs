//! Statement lists (`x <- s, y : T, x < y`): one environment after another.

use std::rc::Rc;

use super::environment::{Frame, GeneratorKind, Statements, Undrawn};
use super::evaluator::Evaluator;
use super::value::Lazy;
use base::diag::Result;
use syntax::ast::{ExprId, Statement};

impl<'s> Evaluator<'s> {
    /// All environments of `list`.
    pub(super) fn environments(
        &mut self,
        list: &'s [Statement],
        source: GeneratorKind,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Rc<Frame>>> {
        let mut statements = Statements::new(source, environment);
        let mut all = Vec::new();
        while let Some(frame) = self.next_environment(&mut statements, list)? {
            all.push(frame);
        }
        Ok(all)
    }

    /// The next environment of `list`. `statements` is the present position.
    pub(super) fn next_environment(
        &mut self,
        statements: &mut Statements,
        list: &'s [Statement],
    ) -> Result<Option<Rc<Frame>>> {
        let (mut index, mut environment) = match statements.start.take() {
            Some(environment) => (0, environment),
            None => match self.next_choice(statements, list)? {
                Some(position) => position,
                None => return Ok(None),
            },
        };
        loop {
            let position = match list.get(index) {
                None => return Ok(Some(environment)),
                Some(Statement::Predicate(predicate))
                    if self.evaluate_bool(*predicate, &environment)? =>
                {
                    Some((index + 1, environment))
                }
                Some(Statement::Predicate(_)) => self.next_choice(statements, list)?,
                Some(Statement::Generator(_, source)) => {
                    let remaining = self.open_source(*source, statements.source, &environment)?;
                    // Nothing is drawn yet: `next_choice` draws the first value, or goes back to
                    // the generator before if there is none.
                    statements.open.push((index, remaining, environment));
                    self.next_choice(statements, list)?
                }
            };
            match position {
                Some(next) => (index, environment) = next,
                None => return Ok(None),
            }
        }
    }

    fn open_source(
        &mut self,
        source: ExprId,
        kind: GeneratorKind,
        environment: &Rc<Frame>,
    ) -> Result<Undrawn> {
        Ok(match kind {
            GeneratorKind::Sets => {
                let set = self.evaluate_set(source, environment)?;
                self.place = self.ast().expressions[source].span;
                Undrawn::Members(self.members(&set)?, 0)
            }
            GeneratorKind::Sequences => {
                Undrawn::Items(self.evaluate_sequence(source, environment)?)
            }
        })
    }

    /// Moves the innermost open generator to its next value that matches. Closes generators that
    /// have none.
    fn next_choice(
        &mut self,
        statements: &mut Statements,
        list: &'s [Statement],
    ) -> Result<Option<(usize, Rc<Frame>)>> {
        while let Some((index, remaining, environment)) = statements.open.last_mut() {
            self.tick()?;
            let next = match remaining {
                Undrawn::Members(members, position) => {
                    *position += 1;
                    members
                        .get(*position - 1)
                        .map(|value| Lazy::Value(value.clone()))
                }
                Undrawn::Items(sequence) => self.uncons(sequence)?.map(|(head, tail)| {
                    *sequence = tail;
                    head
                }),
            };
            let Some(value) = next else {
                statements.open.pop();
                continue;
            };
            let Statement::Generator(pattern, _) = &list[*index] else {
                unreachable!("only generators are opened");
            };
            if let Some(frame) = self.match_and_bind(*pattern, &value, environment)? {
                return Ok(Some((*index + 1, frame)));
            }
        }
        Ok(None)
    }
}
