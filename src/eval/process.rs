//! Evaluates process expressions to terms. Operands are evaluated; continuations of prefixes wait.

use std::rc::Rc;

use super::environment::{Frame, GeneratorKind};
use super::evaluator::Evaluator;
use super::prefix::Prefix;
use super::value::Value;
use base::diag::Result;
use process::event::{EventId, EventSetId};
use process::term::{Term, TermId};
use syntax::ast::{Expr, ExprId, ProcessOp, ReplicatedOp, SetOp, Ties};
use types::builtin::Builtin;

impl Evaluator<'_> {
    /// The term of an expression that must be a process.
    pub(super) fn process(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        self.deeper(|evaluator| evaluator.process_here(expression, environment))
    }

    fn process_here(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<TermId> {
        self.at(expression);
        match self.script.ast.expr(expression) {
            Expr::Prefix(channel, fields, body) => {
                let prefix = Prefix {
                    evaluator: self,
                    expression,
                    fields,
                    environment,
                };
                prefix.process(*channel, *body)
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
                let pairs = self.renaming(ties, environment)?;
                let process = self.process(*process, environment)?;
                Ok(self.terms.rename(process, pairs))
            }
            Expr::Name(_) => self.process_of_name(expression, environment),
            Expr::Imported(import) => self.imported(import, environment),
            Expr::Replicated(op, statements, body) => {
                let source = match op {
                    ReplicatedOp::Sequential | ReplicatedOp::LinkedParallel(_) => {
                        GeneratorKind::Sequences
                    }
                    _ => GeneratorKind::Sets,
                };
                let environments = self.environments(statements, source, environment)?;
                self.replicated(expression, op, *body, &environments, environment)
            }
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

    /// The process of an infix operator that takes events. The events are evaluated before the
    /// operands, so that a mistake in an alphabet is not hidden behind one in a process. Any other
    /// expression is evaluated to a value.
    fn combination_with_events(
        &mut self,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        match self.script.ast.expr(expression) {
            &Expr::Over(operator, left, events, right) => {
                let events = match operator {
                    SetOp::Exception => self.alphabet(events, environment)?,
                    _ => self.sync_set(expression, events, environment)?,
                };
                let (left, right) = self.operands(left, right, environment)?;
                Ok(match operator {
                    SetOp::GeneralisedParallel => self.terms.parallel(events, vec![left, right]),
                    SetOp::Exception => self.terms.exception(left, events, right),
                    SetOp::SynchronisingChoice => {
                        self.terms.synchronising_choice(events, vec![left, right])
                    }
                    SetOp::SynchronisingInterrupt => {
                        self.terms.synchronising_interrupt(left, events, right)
                    }
                })
            }
            Expr::AlphabetisedParallel { .. } => self.alphabetised(expression, environment),
            Expr::LinkedParallel { left, ties, right } => {
                let pairs = self.links(expression, ties, environment)?;
                let (left, right) = self.operands(*left, *right, environment)?;
                Ok(self.terms.linked(left, pairs, right))
            }
            _ => self.process_of_value(expression, environment),
        }
    }

    /// The process `P [A || B] Q`.
    fn alphabetised(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<TermId> {
        let &Expr::AlphabetisedParallel {
            left,
            left_alphabet,
            right_alphabet,
            right,
        } = self.script.ast.expr(expression)
        else {
            unreachable!("called for alphabetised parallels");
        };
        let left_set = self.sync_set(expression, left_alphabet, environment)?;
        let right_set = self.sync_set(expression, right_alphabet, environment)?;
        let (left, right) = self.operands(left, right, environment)?;
        let sides = vec![(left_set, left), (right_set, right)];
        Ok(self.terms.alphabetised(sides))
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

    /// Combines two processes by an operator that takes no events. In a timed section, three of
    /// these operators synchronise on `tock`.
    fn combine(
        &mut self,
        expression: ExprId,
        op: ProcessOp,
        operands: Vec<TermId>,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let tock = self.tock(expression, environment)?;
        let tocks = tock.map(|tock| self.terms.events.intern_set(vec![tock]));
        let terms = &mut self.terms;
        Ok(match (op, tocks) {
            (ProcessOp::ExternalChoice, None) => terms.external_choice(operands),
            (ProcessOp::ExternalChoice, Some(tocks)) => terms.synchronising_choice(tocks, operands),
            (ProcessOp::Interleave, None) => terms.interleave(operands),
            (ProcessOp::Interleave, Some(tocks)) => terms.parallel(tocks, operands),
            (ProcessOp::Interrupt, None) => terms.interrupt(operands[0], operands[1]),
            (ProcessOp::Interrupt, Some(tocks)) => {
                terms.synchronising_interrupt(operands[0], tocks, operands[1])
            }
            (ProcessOp::Sequential, _) => terms.sequential(operands),
            (ProcessOp::SlidingChoice, _) => terms.sliding_choice(operands[0], operands[1]),
            (ProcessOp::InternalChoice, _) => {
                let choice = terms.internal_choice(operands);
                choice.expect("an internal choice has operands")
            }
        })
    }

    /// A replicated operator over `environments`, one for each of its operands.
    fn replicated(
        &mut self,
        expression: ExprId,
        op: &ReplicatedOp,
        body: ExprId,
        environments: &[Rc<Frame>],
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        if environments.is_empty() {
            self.at(expression);
            return self.empty_replication(expression, op, environment);
        }
        if let ReplicatedOp::AlphabetisedParallel(alphabet) = op {
            // The operator itself stands outside what the statements bind.
            let tock = self.tock(expression, environment)?;
            let all = self.replicated_alphabetised(*alphabet, body, environments, tock)?;
            self.note_members(expression, &all, environments, environment)?;
            return Ok(self.terms.alphabetised(all));
        }
        let mut operands = Vec::with_capacity(environments.len());
        for frame in environments {
            operands.push(self.process(body, frame)?);
        }
        self.at(expression);
        // An operator over one operand is that operand.
        if let [only] = operands[..] {
            return Ok(only);
        }
        let infix = match op {
            ReplicatedOp::ExternalChoice => ProcessOp::ExternalChoice,
            ReplicatedOp::InternalChoice => ProcessOp::InternalChoice,
            ReplicatedOp::Sequential => ProcessOp::Sequential,
            ReplicatedOp::Interleave => ProcessOp::Interleave,
            ReplicatedOp::GeneralisedParallel(events) => {
                let events = self.sync_set(expression, *events, environment)?;
                return Ok(self.terms.parallel(events, operands));
            }
            ReplicatedOp::SynchronisingChoice(events) => {
                let events = self.sync_set(expression, *events, environment)?;
                return Ok(self.terms.synchronising_choice(events, operands));
            }
            ReplicatedOp::LinkedParallel(ties) => {
                return self.chain(expression, ties, operands, environments);
            }
            ReplicatedOp::AlphabetisedParallel(_) => unreachable!("done above"),
        };
        self.combine(expression, infix, operands, environment)
    }

    /// The operands of `|| x:S @ [A] P`: the alphabet, unlike the events of the other operators,
    /// sees the statements.
    fn replicated_alphabetised(
        &mut self,
        alphabet: ExprId,
        body: ExprId,
        environments: &[Rc<Frame>],
        tock: Option<EventId>,
    ) -> Result<Vec<(EventSetId, TermId)>> {
        let mut operands = Vec::new();
        for frame in environments {
            let alphabet = self.alphabet(alphabet, frame)?;
            let alphabet = self.with_tock(alphabet, tock);
            operands.push((alphabet, self.process(body, frame)?));
        }
        Ok(operands)
    }

    /// Linked parallel of neighbours. The ties to the right neighbour may depend on the process
    /// they start from, so each link has its own ties.
    fn chain(
        &mut self,
        expression: ExprId,
        ties: &Ties,
        operands: Vec<TermId>,
        environments: &[Rc<Frame>],
    ) -> Result<TermId> {
        // From the right, so that each link ties one process to the chain of all that follow.
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
                .work
                .error(
                    "empty-internal-choice",
                    "an internal choice over nothing is no process",
                )
                .hint("make sure that the set has a member, or treat the empty case on its own")
                .into(),
            ReplicatedOp::LinkedParallel(_) => self
                .work
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
        self.let_time_pass(term, expression, environment)
    }
}
