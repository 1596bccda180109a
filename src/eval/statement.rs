//! Statement lists (`x <- s, y : T, x < y`): one environment after another.

use std::rc::Rc;

use super::environment::{Frame, Remaining, Source, Statements};
use super::evaluator::Evaluator;
use super::value::Lazy;
use crate::diag::Result;
use crate::syntax::ast::{Expr, ExprId, ReplicatedOp, Statement};

impl<'s> Evaluator<'s> {
    /// The statements that `expression` carries.
    fn statements_of(&self, expression: ExprId) -> &'s [Statement] {
        match self.ast().expr(expression) {
            Expr::Sequence(collection) | Expr::Set(collection) => &collection.statements,
            Expr::Productions(_, statements) => statements,
            Expr::Replicated(_, statements, _) => statements,
            Expr::Rename(_, ties) | Expr::LinkedParallel { ties, .. } => &ties.statements,
            _ => &[],
        }
    }

    /// The statements of the ties of a replicated linked parallel, which has two lists.
    fn tie_statements_of(&self, expression: ExprId) -> &'s [Statement] {
        match self.ast().expr(expression) {
            Expr::Replicated(ReplicatedOp::LinkedParallel(ties), ..) => &ties.statements,
            _ => self.statements_of(expression),
        }
    }

    /// The next environment.
    pub(super) fn next_environment(
        &mut self,
        statements: &mut Statements,
    ) -> Result<Option<Rc<Frame>>> {
        let list = self.statements_of(statements.of);
        self.advance(statements, list)
    }

    /// All environments of the statements of `expression`, with sets as sources.
    pub(super) fn environments(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Rc<Frame>>> {
        self.all_environments(
            expression,
            Source::Sets,
            environment,
            self.statements_of(expression),
        )
    }

    /// The same with sequences as sources.
    pub(super) fn sequence_environments(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Rc<Frame>>> {
        self.all_environments(
            expression,
            Source::Sequences,
            environment,
            self.statements_of(expression),
        )
    }

    /// All environments of the statements of the ties of `expression`.
    pub(super) fn tie_environments(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Rc<Frame>>> {
        self.all_environments(
            expression,
            Source::Sets,
            environment,
            self.tie_statements_of(expression),
        )
    }

    fn all_environments(
        &mut self,
        expression: ExprId,
        source: Source,
        environment: &Rc<Frame>,
        list: &'s [Statement],
    ) -> Result<Vec<Rc<Frame>>> {
        let mut statements = Statements::new(expression, source, environment);
        let mut all = Vec::new();
        while let Some(frame) = self.advance(&mut statements, list)? {
            all.push(frame);
        }
        Ok(all)
    }

    fn advance(
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
        kind: Source,
        environment: &Rc<Frame>,
    ) -> Result<Remaining> {
        Ok(match kind {
            Source::Sets => {
                let set = self.evaluate_set(source, environment)?;
                self.place = self.ast().expressions[source].span;
                Remaining::Members(self.members(&set)?, 0)
            }
            Source::Sequences => Remaining::Items(self.evaluate_sequence(source, environment)?),
        })
    }

    /// Moves the innermost open generator to its next value that matches; closes those that have none.
    fn next_choice(
        &mut self,
        statements: &mut Statements,
        list: &'s [Statement],
    ) -> Result<Option<(usize, Rc<Frame>)>> {
        while let Some((index, remaining, environment)) = statements.open.last_mut() {
            self.tick()?;
            let next = match remaining {
                Remaining::Members(members, position) => {
                    *position += 1;
                    members
                        .get(*position - 1)
                        .map(|value| Lazy::Value(value.clone()))
                }
                Remaining::Items(sequence) => self.uncons(sequence)?.map(|(head, tail)| {
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
