//! Statement lists (`x <- s, y : T, x < y`): one environment after another.

use std::rc::Rc;

use super::environment::{Frame, GeneratorKind, Statements, Undrawn};
use super::evaluator::Evaluator;
use super::value::Lazy;
use base::diag::Result;
use syntax::ast::{ExprId, Statement};

impl Evaluator<'_> {
    /// All environments of `list`.
    pub(super) fn environments(
        &mut self,
        list: &[Statement],
        source: GeneratorKind,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Rc<Frame>>> {
        let mut statements = Statements::new(source, environment);
        let mut all = Vec::new();
        while let Some(frame) = statements.next(self, list)? {
            all.push(frame);
        }
        Ok(all)
    }
}

impl Statements {
    /// The next environment of `list`.
    pub(super) fn next(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        list: &[Statement],
    ) -> Result<Option<Rc<Frame>>> {
        let (mut index, mut environment) = match self.start.take() {
            Some(environment) => (0, environment),
            None => match self.next_choice(evaluator, list)? {
                Some(position) => position,
                None => return Ok(None),
            },
        };
        loop {
            let position = match list.get(index) {
                None => return Ok(Some(environment)),
                Some(Statement::Predicate(predicate))
                    if evaluator.evaluate_bool(*predicate, &environment)? =>
                {
                    Some((index + 1, environment))
                }
                Some(Statement::Predicate(_)) => self.next_choice(evaluator, list)?,
                Some(Statement::Generator(_, source)) => {
                    let remaining = open_source(evaluator, *source, self.source, &environment)?;
                    // Nothing is drawn yet: `next_choice` draws the first value, or goes back to
                    // the generator before if there is none.
                    self.open.push((index, remaining, environment));
                    self.next_choice(evaluator, list)?
                }
            };
            match position {
                Some(next) => (index, environment) = next,
                None => return Ok(None),
            }
        }
    }

    /// Moves the innermost open generator to its next value that matches. Closes generators that
    /// have none.
    fn next_choice(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        list: &[Statement],
    ) -> Result<Option<(usize, Rc<Frame>)>> {
        while let Some((index, remaining, environment)) = self.open.last_mut() {
            evaluator.work.tick()?;
            let next = match remaining {
                Undrawn::Members(members, position) => {
                    *position += 1;
                    members
                        .get(*position - 1)
                        .map(|value| Lazy::Value(value.clone()))
                }
                Undrawn::Items(sequence) => evaluator.uncons(sequence)?.map(|(head, tail)| {
                    *sequence = tail;
                    head
                }),
            };
            let Some(value) = next else {
                self.open.pop();
                continue;
            };
            let Statement::Generator(pattern, _) = &list[*index] else {
                unreachable!("only generators are opened");
            };
            if let Some(frame) = evaluator.match_and_bind(*pattern, &value, environment)? {
                return Ok(Some((*index + 1, frame)));
            }
        }
        Ok(None)
    }
}

fn open_source(
    evaluator: &mut Evaluator<'_>,
    source: ExprId,
    kind: GeneratorKind,
    environment: &Rc<Frame>,
) -> Result<Undrawn> {
    Ok(match kind {
        GeneratorKind::Sets => {
            let set = evaluator.evaluate_set(source, environment)?;
            evaluator.at(source);
            Undrawn::Members(evaluator.members(&set)?, 0)
        }
        GeneratorKind::Sequences => {
            Undrawn::Items(evaluator.evaluate_sequence(source, environment)?)
        }
    })
}
