//! Process expressions to terms. Operands are evaluated; what follows a prefix waits.

use std::rc::Rc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::Value;
use crate::diag::Result;
use crate::process::term::{Term, TermId};
use crate::syntax::ast::{Expr, ExprId, ProcessOp, ReplicatedOp, Ties};
use crate::types::builtin::Builtin;

impl<'s> Evaluator<'s> {
    /// The term of an expression that must be a process.
    pub(super) fn process(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        self.deeper(|evaluator| evaluator.process_here(expression, environment))
    }

    fn process_here(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<TermId> {
        self.place = self.ast().expressions[expression].span;
        match self.ast().expr(expression) {
            Expr::Prefix(channel, fields, body) => {
                self.prefix(expression, *channel, fields, *body, environment)
            }
            Expr::Guard(condition, body) => {
                if self.evaluate_bool(*condition, environment)? {
                    self.process(*body, environment)
                } else {
                    self.constant_process(Builtin::Stop, expression, environment)
                }
            }
            Expr::Process(op, left, right) => {
                let (left, right) = self.operands(*left, *right, environment)?;
                self.combine(expression, *op, vec![left, right], environment)
            }
            Expr::Hide(process, events) => {
                let events = self.alphabet(*events, environment)?;
                let process = self.process(*process, environment)?;
                Ok(self.terms.hide(process, events))
            }
            Expr::Project(process, events) => {
                let events = self.alphabet(*events, environment)?;
                let process = self.process(*process, environment)?;
                Ok(self.terms.project(process, events))
            }
            Expr::Rename(process, ties) => {
                let pairs = self.renaming(expression, ties, environment)?;
                let process = self.process(*process, environment)?;
                Ok(self.terms.rename(process, pairs))
            }
            Expr::Name(_) => self.process_of_name(expression, environment),
            Expr::Replicated(op, _, body) => self.replicated(expression, op, *body, environment),
            _ => self.combination_with_events(expression, environment),
        }
    }

    /// Both operands of an infix operator, the left one first.
    fn operands(
        &mut self,
        left: ExprId,
        right: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<(TermId, TermId)> {
        Ok((
            self.process(left, environment)?,
            self.process(right, environment)?,
        ))
    }

    /// The infix operators that take events. Their events are evaluated before their operands, so that a
    /// mistake in an alphabet is not hidden behind one in a process. Anything else is a value.
    fn combination_with_events(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        match self.ast().expr(expression) {
            &Expr::GeneralisedParallel {
                left,
                events,
                right,
            } => {
                let events = self.sync_set(expression, events, environment)?;
                let (left, right) = self.operands(left, right, environment)?;
                Ok(self.terms.parallel(events, vec![left, right]))
            }
            &Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => {
                let left_set = self.sync_set(expression, left_alphabet, environment)?;
                let right_set = self.sync_set(expression, right_alphabet, environment)?;
                let (left, right) = self.operands(left, right, environment)?;
                let sides = vec![(left_set, left), (right_set, right)];
                Ok(self.terms.alphabetised(sides))
            }
            Expr::LinkedParallel { left, ties, right } => {
                let pairs = self.links(expression, ties, environment)?;
                let (left, right) = self.operands(*left, *right, environment)?;
                Ok(self.terms.linked(left, pairs, right))
            }
            &Expr::Exception {
                left,
                events,
                right,
            } => {
                let events = self.alphabet(events, environment)?;
                let (left, right) = self.operands(left, right, environment)?;
                Ok(self.terms.exception(left, events, right))
            }
            &Expr::SynchronisingChoice {
                left,
                events,
                right,
            } => {
                let events = self.sync_set(expression, events, environment)?;
                let (left, right) = self.operands(left, right, environment)?;
                Ok(self.terms.synchronising_choice(events, vec![left, right]))
            }
            &Expr::SynchronisingInterrupt {
                left,
                events,
                right,
            } => {
                let events = self.sync_set(expression, events, environment)?;
                let (left, right) = self.operands(left, right, environment)?;
                Ok(self.terms.synchronising_interrupt(left, events, right))
            }
            _ => self.process_of_value(expression, environment),
        }
    }

    /// The process that is the value of `expression`.
    pub(super) fn process_of_value(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        match self.evaluate(expression, environment)? {
            Value::Process(term) => Ok(term),
            other => self.mismatch_at(expression, "a process", &other),
        }
    }

    fn combine(
        &mut self,
        expression: ExprId,
        op: ProcessOp,
        operands: Vec<TermId>,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        if let Some(tock) = self.tock(expression, environment)? {
            return Ok(self.combine_timed(op, operands, tock));
        }
        Ok(match op {
            ProcessOp::ExternalChoice => self.terms.external_choice(operands),
            ProcessOp::Interleave => self.terms.interleave(operands),
            ProcessOp::Interrupt => self.terms.interrupt(operands[0], operands[1]),
            untimed => self.combine_untimed(untimed, operands),
        })
    }

    /// The operators that mean the same in a timed section.
    pub(super) fn combine_untimed(&mut self, op: ProcessOp, operands: Vec<TermId>) -> TermId {
        match op {
            ProcessOp::Sequential => self.terms.sequential(operands),
            ProcessOp::SlidingChoice => self.terms.sliding_choice(operands[0], operands[1]),
            ProcessOp::InternalChoice => self
                .terms
                .internal_choice(operands)
                .expect("an internal choice has operands"),
            ProcessOp::ExternalChoice | ProcessOp::Interleave | ProcessOp::Interrupt => {
                unreachable!("these three are different in timed sections")
            }
        }
    }

    fn replicated(
        &mut self,
        expression: ExprId,
        op: &'s ReplicatedOp,
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let environments = match op {
            ReplicatedOp::AlphabetisedParallel(alphabet) => {
                return self.replicated_alphabetised(expression, *alphabet, body, environment);
            }
            ReplicatedOp::Sequential | ReplicatedOp::LinkedParallel(_) => {
                self.sequence_environments(expression, environment)?
            }
            _ => self.environments(expression, environment)?,
        };
        let mut operands = Vec::with_capacity(environments.len());
        for frame in &environments {
            operands.push(self.process(body, frame)?);
        }
        self.place = self.ast().expressions[expression].span;
        if operands.is_empty() {
            return self.empty_replication(expression, op, environment);
        }
        if let [only] = operands[..] {
            return Ok(only);
        }
        match op {
            ReplicatedOp::ExternalChoice => {
                self.combine(expression, ProcessOp::ExternalChoice, operands, environment)
            }
            ReplicatedOp::InternalChoice => {
                self.combine(expression, ProcessOp::InternalChoice, operands, environment)
            }
            ReplicatedOp::Sequential => {
                self.combine(expression, ProcessOp::Sequential, operands, environment)
            }
            ReplicatedOp::Interleave => {
                self.combine(expression, ProcessOp::Interleave, operands, environment)
            }
            ReplicatedOp::GeneralisedParallel(events) => {
                let events = self.sync_set(expression, *events, environment)?;
                Ok(self.terms.parallel(events, operands))
            }
            ReplicatedOp::SynchronisingChoice(events) => {
                let events = self.sync_set(expression, *events, environment)?;
                Ok(self.terms.synchronising_choice(events, operands))
            }
            ReplicatedOp::LinkedParallel(ties) => {
                self.chain(expression, ties, operands, &environments)
            }
            ReplicatedOp::AlphabetisedParallel(_) => unreachable!("done above"),
        }
    }

    /// `|| x:S @ [A] P`: the alphabet, unlike the events of the other operators, sees the statements.
    fn replicated_alphabetised(
        &mut self,
        expression: ExprId,
        alphabet: ExprId,
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        // The operator itself stands outside what the statements bind.
        let tock = self.tock(expression, environment)?;
        let mut operands = Vec::new();
        for frame in self.environments(expression, environment)? {
            let alphabet = self.alphabet(alphabet, &frame)?;
            let alphabet = self.with_tock(alphabet, tock);
            operands.push((alphabet, self.process(body, &frame)?));
        }
        if operands.is_empty() {
            return self.constant_process(Builtin::Skip, expression, environment);
        }
        Ok(self.terms.alphabetised(operands))
    }

    /// Linked parallel of neighbours. The ties to the right neighbour may depend on the process they
    /// start from, so each link has its own.
    fn chain(
        &mut self,
        expression: ExprId,
        ties: &Ties,
        operands: Vec<TermId>,
        environments: &[Rc<Frame>],
    ) -> Result<TermId> {
        let mut chain = operands.into_iter().zip(environments).rev();
        let (mut right, _) = chain.next().expect("a chain of nothing was refused");
        for (left, frame) in chain {
            let pairs = self.links(expression, ties, frame)?;
            right = self.terms.linked(left, pairs, right);
        }
        Ok(right)
    }

    fn empty_replication(
        &mut self,
        expression: ExprId,
        op: &ReplicatedOp,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        match op {
            ReplicatedOp::ExternalChoice | ReplicatedOp::SynchronisingChoice(_) => {
                self.constant_process(Builtin::Stop, expression, environment)
            }
            ReplicatedOp::InternalChoice => self
                .error(
                    "empty-internal-choice",
                    "an internal choice over nothing is no process",
                )
                .hint("make sure that the set has a member, or treat the empty case on its own")
                .into(),
            ReplicatedOp::LinkedParallel(_) => self
                .error(
                    "empty-linked-parallel",
                    "a linked parallel over nothing is no process",
                )
                .into(),
            _ => self.constant_process(Builtin::Skip, expression, environment),
        }
    }

    /// `STOP`, `SKIP` or `DIV`, which let time pass inside a timed section.
    pub(super) fn constant_process(
        &mut self,
        builtin: Builtin,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let term = match builtin {
            Builtin::Stop => self.terms.stop(),
            Builtin::Skip => self.terms.skip(),
            _ => return Ok(self.terms.intern(Term::Div)),
        };
        match self.tock(expression, environment)? {
            Some(tock) => Ok(self.call_waiting(term, tock)),
            None => Ok(term),
        }
    }
}
