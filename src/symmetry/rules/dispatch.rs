//! The recursion over goals, and the table of the rules by operator.

use super::goal::{Application, Attempt, Goal, GoalPlace};
use super::prover::Prover;
use super::rule::rule_of;
use super::subject::Mode;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use base::stack::deep;
use process::operator::Operator;
use process::term::{Term, TermId};

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
        let subject = &mut self.facts.subject;
        subject.definitions.cancellation().step()?;
        let left = subject.has_parallel(goal.left)?;
        let right = subject.has_parallel(goal.right)?;
        // In a machine, a process without a parallel is a leaf. It is compared as a whole, because
        // a pbisim needs the images of its states, which the other rules do not give.
        match (subject.mode, left, right) {
            (Mode::Machine, false, false) => self.facts.operational(goal, at),
            (Mode::Machine, _, _) if left != right => self.facts.different_operators(goal, at),
            (Mode::Terms, false, false) if !at.in_leaf => self.leaf(goal, at),
            _ => self.by_rules(goal, at),
        }
    }

    /// Proves `goal` by unfolding calls and the rule of the operator.
    pub(super) fn by_rules(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let subject = &self.facts.subject;
        if subject.call(goal.left).is_none() && subject.call(goal.right).is_none() {
            return self.operator(goal, at);
        }
        if subject.mode == Mode::Terms {
            return self.named(goal, at);
        }
        self.unfold(goal, at)
    }

    /// Proves `goal` from the bodies of its calls.
    pub(super) fn unfold(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let (right, _) = self.facts.body(goal.right, at, goal)?;
        let (left, inside) = self.facts.body(goal.left, at, goal)?;
        let bodies = goal.about(left, right);
        let premise = self.operator(bodies, inside);
        let premise = premise.map_err(|stop| stop.named(bodies, goal))?;
        let here = goal.by(ProofRule::Unfold, at);
        Ok(self.facts.proof(here, vec![0], vec![premise]))
    }

    /// The table of rules: applies the rule for two terms with the same outermost operator, which
    /// is no call.
    fn operator(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let subject = &self.facts.subject;
        let (left, right) = (subject.term(goal.left), subject.term(goal.right));
        let here = goal.by(rule_of(&left), subject.inside(at, &left));
        match (&left, &right) {
            (Term::Stop, Term::Stop)
            | (Term::Skip, Term::Skip)
            | (Term::Omega, Term::Omega)
            | (Term::Div, Term::Div) => Ok(self.facts.proof(here, vec![], vec![])),
            (&Term::Run(a), &Term::Run(b)) | (&Term::Chaos(a), &Term::Chaos(b)) => {
                self.facts.universal(here, a, b)
            }
            (Term::Buffer(shape, held), Term::Buffer(other, others)) => {
                self.facts.buffer(here, (shape, held), (other, others))
            }
            (Term::Prefix(p), Term::Prefix(q)) => self.prefix(here, p, q),
            (Term::InternalChoice(p), Term::InternalChoice(q)) => self.internal_choice(here, p, q),
            (Term::Over(operator, p), Term::Over(other, q)) if operator.is_like(other) => {
                self.over(here, (operator, p), (other, q))
            }
            // The two terms have different operators.
            _ => self.facts.refuse(here, Why::Operators),
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
                return self.facts.refuse(here, Why::Operators);
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
            self.facts
                .sets_agree(here, role, (a, &left[..started]), (b, others))?;
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
}
