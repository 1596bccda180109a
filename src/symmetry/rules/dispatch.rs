//! The recursion over goals: which rule is asked.

use std::sync::Arc;

use super::goal::{Attempt, Failure, Goal, Place, Stop};
use super::proof::Proof;
use super::prover::{Mode, Prover};
use super::rule::{Rule, rule_of};
use crate::base::stack::deep;
use crate::machine::skeleton::Part;
use crate::process::term::{CallId, Term, TermId};
use crate::symmetry::refusal::Why;

/// A chain of calls longer than this, none behind an event, is taken to go on for ever.
const NESTED_CALLS: usize = 100_000;

impl Prover<'_> {
    /// Proves `goal`, or finds the innermost place where that fails.
    pub(super) fn goal(&mut self, goal: Goal, at: Place) -> Attempt {
        if let Some(known) = self.memo.get(goal, at) {
            return known;
        }
        let result = deep(|| self.fresh_goal(goal, at));
        self.memo.remember(goal, at, &result);
        result
    }

    fn fresh_goal(&mut self, goal: Goal, at: Place) -> Attempt {
        self.definitions
            .cancellation()
            .step()
            .map_err(Stop::Broken)?;
        let left = self.has_parallel(goal.left)?;
        let right = self.has_parallel(goal.right)?;
        match (self.mode, left, right) {
            (Mode::Machine, false, false) => self.operational(goal, at),
            (Mode::Machine, _, _) if left != right => self.different_operators(goal, at),
            (Mode::Terms, false, false) if !at.in_leaf => self.leaf(goal, at),
            _ => self.by_rules(goal, at),
        }
    }

    /// Proves `goal` by unfolding calls and the rule of the operator.
    pub(super) fn by_rules(&mut self, goal: Goal, at: Place) -> Attempt {
        if self.call(goal.left).is_none() && self.call(goal.right).is_none() {
            return self.operator(goal, at);
        }
        if self.mode == Mode::Terms {
            return self.named(goal, at);
        }
        self.unfold(goal, at)
    }

    /// Proves `goal` from the bodies of its calls.
    pub(super) fn unfold(&mut self, goal: Goal, at: Place) -> Attempt {
        let (right, _) = self.body(goal.right, at, goal)?;
        let (left, inside) = self.body(goal.left, at, goal)?;
        let bodies = Goal {
            left,
            right,
            ..goal
        };
        let premise = self.operator(bodies, inside);
        let premise = premise.map_err(|stop| stop.named(bodies, goal))?;
        Ok(self.proof(Rule::Unfold, goal, vec![0], vec![premise]))
    }

    /// `term` without its outermost calls, and the place inside them.
    fn body(&mut self, term: TermId, at: Place, goal: Goal) -> Attempt<(TermId, Place)> {
        let (mut term, mut inside) = (term, at);
        while let Some(call) = self.call(term) {
            inside.calls += 1;
            if inside.calls > NESTED_CALLS {
                let message = format!("more than {NESTED_CALLS} named processes inside each other");
                return self.refuse(Rule::Unfold, goal, at, Why::Limit(message));
            }
            inside.span = self.definitions.call_span(call).or(inside.span);
            term = match self.definitions.body(call) {
                Ok(body) => body,
                // Perhaps it is never reached. If it is, exploring it says so.
                Err(error) => {
                    return self.refuse(Rule::Unfold, goal, at, Why::Limit(error.message));
                }
            };
        }
        Ok((term, inside))
    }

    /// The rule of the outermost operator, which is no call on either side.
    fn operator(&mut self, goal: Goal, at: Place) -> Attempt {
        let (left, right) = (self.term(goal.left), self.term(goal.right));
        let at = self.inside(at, &left);
        match (left, right) {
            (Term::Stop, Term::Stop)
            | (Term::Skip, Term::Skip)
            | (Term::Omega, Term::Omega)
            | (Term::Div, Term::Div) => Ok(self.proof(Rule::Constant, goal, vec![], vec![])),
            (Term::Run(a), Term::Run(b)) | (Term::Chaos(a), Term::Chaos(b)) => {
                self.universal(goal, at, a, b)
            }
            (Term::Buffer(shape, held), Term::Buffer(other, others)) => {
                self.buffer(goal, at, (&shape, &held), (&other, &others))
            }
            (Term::Prefix(left), Term::Prefix(right)) => self.prefix(goal, at, &left, &right),
            (Term::ExternalChoice(left), Term::ExternalChoice(right)) => {
                self.external_choice(goal, at, &left, &right)
            }
            (Term::InternalChoice(left), Term::InternalChoice(right)) => {
                self.internal_choice(goal, at, &left, &right)
            }
            (Term::SynchronisingChoice(a, left), Term::SynchronisingChoice(b, right)) => {
                self.synchronising_choice(goal, at, (a, &left), (b, &right))
            }
            (Term::Parallel(a, _), Term::Parallel(b, _)) => self.parallel(goal, at, a, b),
            (Term::Alphabetised(left), Term::Alphabetised(right)) => {
                self.alphabetised(goal, at, &left, &right)
            }
            (Term::Linked(p, ties, q), Term::Linked(p2, ties2, q2)) => {
                self.linked(goal, at, (p, &ties, q), (p2, &ties2, q2))
            }
            (Term::Hide(p, a), Term::Hide(q, b)) => self.hide(goal, at, (p, a), (q, b)),
            (Term::Project(p, a), Term::Project(q, b)) => self.project(goal, at, (p, a), (q, b)),
            (Term::Rename(p, a), Term::Rename(q, b)) => self.rename(goal, at, (p, &a), (q, &b)),
            (Term::Prioritise(p, a), Term::Prioritise(q, b)) => {
                self.prioritise(goal, at, (p, &a), (q, &b))
            }
            (Term::Compress(c, p), Term::Compress(d, q))
                if c.keeps_meaning() && d.keeps_meaning() =>
            {
                self.compress(goal, at, p, q)
            }
            (left, right) => self.handing_over(goal, at, &left, &right),
        }
    }

    /// The place of the operands of `term`, which is no call, in the same place.
    fn inside(&self, at: Place, term: &Term) -> Place {
        let around = match self.mode {
            Mode::Machine => at.around.of_operands(term),
            Mode::Terms => at.around,
        };
        Place { around, ..at }
    }

    /// The refusal of two terms that are not alike.
    pub(super) fn different_operators<T>(&mut self, goal: Goal, at: Place) -> Attempt<T> {
        let (left, _) = self.body(goal.left, at, goal)?;
        let rule = rule_of(self.definitions.terms().get(left));
        self.refuse(rule, goal, at, Why::Operators)
    }

    pub(super) fn refuse<T>(&self, rule: Rule, goal: Goal, at: Place, why: Why) -> Attempt<T> {
        let Goal { left, right, .. } = goal;
        let own = self
            .call(left)
            .and_then(|call| self.definitions.call_span(call));
        Err(Stop::Refused(Arc::new(Failure {
            rule,
            left,
            right,
            span: own.or(at.span),
            why,
        })))
    }

    pub(super) fn proof(
        &self,
        rule: Rule,
        goal: Goal,
        partners: Vec<usize>,
        premises: Vec<Arc<Proof>>,
    ) -> Arc<Proof> {
        Arc::new(Proof {
            rule,
            left: goal.left,
            sigma: self.sigma(goal.sigma).clone(),
            right: goal.right,
            partners,
            premises,
            states: None,
        })
    }

    pub(super) fn call(&self, term: TermId) -> Option<CallId> {
        match self.definitions.terms().get(term) {
            &Term::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Whether there is a parallel above all recursion of `term`. Of any two terms the rules look for them
    /// inside compressions too; to a machine these are leaves.
    pub(super) fn has_parallel(&mut self, term: TermId) -> Attempt<bool> {
        let part = self.skeleton.part(self.definitions, term)?;
        Ok(part == Part::Inner || part == Part::Compressed && self.mode == Mode::Terms)
    }
}
