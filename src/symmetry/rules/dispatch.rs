//! The recursion over goals, and the table of the rules by operator.

use std::sync::Arc;

use super::goal::{Application, Attempt, Goal, GoalPlace, RefusedGoal, Unproved};
use super::proof::Derivation;
use super::prover::{Mode, Prover};
use super::rule::rule_of;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use base::stack::deep;
use machine::skeleton::MachinePart;
use process::operator::Operator;
use process::term::{CallId, Term, TermId};

/// The longest chain of calls. A longer one, none behind an event, is taken to go on for ever.
const NESTED_CALLS: usize = 100_000;

/// The role of the sets of several operators.
pub(super) const SYNCHRONISED: &str = "synchronisation set";

impl Prover<'_> {
    /// Proves `goal`, or finds the innermost place where that fails.
    pub(super) fn goal(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        if let Some(known) = self.memo.get(goal, at) {
            return known;
        }
        let result = deep(|| self.fresh_goal(goal, at));
        self.memo.remember(goal, at, &result);
        result
    }

    fn fresh_goal(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        self.definitions.cancellation().step()?;
        let left = self.has_parallel(goal.left)?;
        let right = self.has_parallel(goal.right)?;
        // In a machine, a process without a parallel is a leaf. It is compared as a whole, because
        // a pbisim needs the images of its states, which the other rules do not give.
        match (self.mode, left, right) {
            (Mode::Machine, false, false) => self.operational(goal, at),
            (Mode::Machine, _, _) if left != right => self.different_operators(goal, at),
            (Mode::Terms, false, false) if !at.in_leaf => self.leaf(goal, at),
            _ => self.by_rules(goal, at),
        }
    }

    /// Proves `goal` by unfolding calls and the rule of the operator.
    pub(super) fn by_rules(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        if self.call(goal.left).is_none() && self.call(goal.right).is_none() {
            return self.operator(goal, at);
        }
        if self.mode == Mode::Terms {
            return self.named(goal, at);
        }
        self.unfold(goal, at)
    }

    /// Proves `goal` from the bodies of its calls.
    pub(super) fn unfold(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let (right, _) = self.body(goal.right, at, goal)?;
        let (left, inside) = self.body(goal.left, at, goal)?;
        let bodies = goal.about(left, right);
        let premise = self.operator(bodies, inside);
        let premise = premise.map_err(|stop| stop.named(bodies, goal))?;
        Ok(self.proof(goal.by(ProofRule::Unfold, at), vec![0], vec![premise]))
    }

    /// `term` without its outermost calls, and the place inside them.
    fn body(&mut self, term: TermId, at: GoalPlace, goal: Goal) -> Attempt<(TermId, GoalPlace)> {
        let here = goal.by(ProofRule::Unfold, at);
        let (mut term, mut inside) = (term, at);
        while let Some(call) = self.call(term) {
            inside.calls += 1;
            if inside.calls > NESTED_CALLS {
                let message = format!("more than {NESTED_CALLS} named processes inside each other");
                return self.refuse(here, Why::Limit(message));
            }
            inside.span = self.definitions.call_span(call).or(inside.span);
            term = match self.definitions.body(call) {
                Ok(body) => body,
                // The body may never be reached. If it is, exploring it reports the error.
                Err(error) => return self.refuse(here, Why::Limit(error.message)),
            };
        }
        Ok((term, inside))
    }

    /// The table of rules: applies the rule for two terms with the same outermost operator, which
    /// is no call.
    fn operator(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let (left, right) = (self.term(goal.left), self.term(goal.right));
        let here = goal.by(rule_of(&left), self.inside(at, &left));
        match (&left, &right) {
            (Term::Stop, Term::Stop)
            | (Term::Skip, Term::Skip)
            | (Term::Omega, Term::Omega)
            | (Term::Div, Term::Div) => Ok(self.proof(here, vec![], vec![])),
            (&Term::Run(a), &Term::Run(b)) | (&Term::Chaos(a), &Term::Chaos(b)) => {
                self.universal(here, a, b)
            }
            (Term::Buffer(shape, held), Term::Buffer(other, others)) => {
                self.buffer(here, (shape, held), (other, others))
            }
            (Term::Prefix(p), Term::Prefix(q)) => self.prefix(here, p, q),
            (Term::InternalChoice(p), Term::InternalChoice(q)) => self.internal_choice(here, p, q),
            (Term::Over(operator, p), Term::Over(other, q)) if operator.is_like(other) => {
                self.over(here, (operator, p), (other, q))
            }
            // The two terms have different operators.
            _ => self.refuse(here, Why::Operators),
        }
    }

    /// The part of the table for operators over processes that run.
    fn over(
        &mut self,
        here: Application,
        (operator, left): (&Operator, &[TermId]),
        (other, right): (&Operator, &[TermId]),
    ) -> Attempt {
        match (operator, other) {
            (&Operator::Parallel(a), &Operator::Parallel(b)) => return self.parallel(here, a, b),
            (Operator::Alphabetised(a), Operator::Alphabetised(b)) => {
                return self.alphabetised(here, (a, left), (b, right));
            }
            (Operator::Linked(ties), Operator::Linked(others)) => {
                return self.linked(here, (left, ties), (right, others));
            }
            (Operator::Rename(a), Operator::Rename(b)) => {
                return self.rename(here, (left[0], a), (right[0], b));
            }
            (Operator::Prioritise(a), Operator::Prioritise(b)) => {
                return self.prioritise(here, (left[0], a), (right[0], b));
            }
            // A compression that keeps the meaning steps as its operand does. (In a machine it is a
            // leaf, and compared as such.)
            (Operator::Compress(c), Operator::Compress(d))
                if !c.keeps_meaning() || !d.keeps_meaning() =>
            {
                return self.refuse(here, Why::Operators);
            }
            _ => {}
        }
        let started = operator.started(left);
        if let (Some(a), Some(b)) = (operator.set(), other.set()) {
            let role = match operator {
                Operator::Hide(_) => "hidden set",
                // The events outside the set matter: they are preserved if those in the set are.
                Operator::Project(_) => "projection set",
                Operator::Exception(_) => "exception set",
                _ => SYNCHRONISED,
            };
            let others = &right[..other.started(right)];
            self.sets_agree(here, role, (a, &left[..started]), (b, others))?;
        }
        if let Operator::Choice(_) = operator {
            return self.matched(here, left, right);
        }
        // The first operand goes to the first one, and the second to the second.
        let pairs = left.iter().zip(right).enumerate();
        let goals = pairs.map(|(i, (&p, &q))| match i < started {
            true => here.now(p, q),
            false => here.later(p, q),
        });
        self.each(here, &goals.collect::<Vec<_>>())
    }

    /// The place of the operands of `term`, which is no call and has the place `at`.
    fn inside(&self, at: GoalPlace, term: &Term) -> GoalPlace {
        let around = match self.mode {
            Mode::Machine => at.around.of_operands(term),
            Mode::Terms => at.around,
        };
        GoalPlace { around, ..at }
    }

    /// The refusal of two terms with different outermost operators.
    fn different_operators(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let (left, _) = self.body(goal.left, at, goal)?;
        let rule = rule_of(self.definitions.terms().get(left));
        self.refuse(goal.by(rule, at), Why::Operators)
    }

    pub(super) fn refuse<T>(&self, here: Application, why: Why) -> Attempt<T> {
        let Goal { left, right, .. } = here.goal;
        let own = self.call(left);
        let own = own.and_then(|call| self.definitions.call_span(call));
        Err(Unproved::Refused(Arc::new(RefusedGoal {
            rule: here.rule,
            left,
            right,
            span: own.or(here.at.span),
            why,
        })))
    }

    pub(super) fn proof(
        &self,
        here: Application,
        partners: Vec<usize>,
        premises: Vec<Arc<Derivation>>,
    ) -> Arc<Derivation> {
        Arc::new(Derivation {
            rule: here.rule,
            left: here.goal.left,
            sigma: self.sigma(here.goal.sigma).clone(),
            right: here.goal.right,
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

    /// True if there is a parallel above all recursion of `term`. Between any two terms the rules
    /// look for parallels inside compressions too; in a machine, compressions are leaves.
    pub(super) fn has_parallel(&mut self, term: TermId) -> Attempt<bool> {
        let part = self.skeleton.part(self.definitions, term)?;
        Ok(part == MachinePart::Inner
            || part == MachinePart::Compressed && self.mode == Mode::Terms)
    }
}
