//! Recursion in any two terms: decided on transition systems where possible, otherwise by
//! coinduction.
//!
//! A process that calls itself below an operator, such as `P = a -> (P ||| Q)`, may grow without
//! end, so it has no finite transition system to look at. Its goal (P, σ, P) leads to itself.
//! Behind a *guard*, an operand that starts only after a step (a prefix, `|~|`, the right of `;`,
//! ...), such a goal is assumed, and settled later in the same way. If all goals that were ever
//! assumed can be settled, all hold: by the rules, `Pσ` and Q for all settled goals solve the same
//! equations `X = F(X)`, in which every unknown is guarded, and guarded equations have one solution
//! up to strong bisimulation (Milner, *Communication and Concurrency*, 1989, chapter 4; the
//! operators of CSP, hiding included, keep that: none looks at an operand that has not started). If
//! a goal is refused, it was refused although everything else was assumed, so it does not follow by
//! the rules at all. The refusal is remembered, and the proof begins again without this assumption.

use std::sync::Arc;

use super::facts::ProofFacts;
use super::goal::{Attempt, Goal, GoalPlace, RefusedGoal, Unproved};
use super::prover::Prover;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use base::diag::Severity;
use machine::text;
use process::term::TermId;

/// The number of nested calls behind which the next goal is settled later, even if it is not
/// recursive: a goal that is settled later begins on a fresh stack.
const CALLS_AT_ONCE: usize = 5_000;

/// The most goals that a proof may assume, counting repetitions. A proof that assumes more is given
/// up.
const ASSUMPTIONS: usize = 100_000;

impl Prover<'_> {
    /// Proves `goal` and every goal that its proof assumes.
    pub(super) fn settle(&mut self, goal: Goal) -> Attempt {
        loop {
            self.memo.forget_proofs();
            self.recursion.assumed.clear();
            self.recursion.open.clear();
            let whole = GoalPlace {
                around: self.around,
                ..GoalPlace::default()
            };
            let proof = self.goal(goal, whole)?;
            // Otherwise a goal that was assumed is refused. The refusal is kept and proofs are
            // dropped, so each round refuses at least one goal more.
            if self.settle_assumed()? {
                return Ok(proof);
            }
        }
    }

    /// True if every goal that was assumed can be settled. A goal that cannot is remembered as
    /// refused.
    fn settle_assumed(&mut self) -> Attempt<bool> {
        while let Some(goal) = self.recursion.open.pop_front() {
            self.recursion.settled += 1;
            match self.goal(goal, GoalPlace::default()) {
                Ok(_) => {}
                Err(Unproved::Refused(_)) => return Ok(false),
                Err(broken) => return Err(broken),
            }
        }
        Ok(true)
    }

    /// Proves a goal about processes without parallels, or with parallels inside recursion only: by
    /// the rules, and if these do not show it, by comparing the processes as wholes, which decides
    /// it.
    pub(super) fn leaf(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        if self.facts.is_finite_recursion(goal.left) || self.facts.is_finite_recursion(goal.right) {
            return self.facts.operational(goal, at);
        }
        let in_leaf = true;
        match self.by_rules(goal, GoalPlace { in_leaf, ..at }) {
            Err(Unproved::Refused(by_rules)) => match self.facts.operational(goal, at) {
                Err(Unproved::Refused(as_wholes)) => {
                    Err(Unproved::Refused(more_telling(by_rules, as_wholes)))
                }
                decided => decided,
            },
            decided => decided,
        }
    }

    /// Proves a goal of which one side is a call.
    pub(super) fn named(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let facts = &mut self.facts;
        let here = goal.by(ProofRule::Recursion, at);
        let subject = &facts.subject;
        let is_recursive = subject.is_recursive(goal.left) || subject.is_recursive(goal.right);
        // Calls that are not recursive are unfolded at once: they need no assumption.
        if !is_recursive && at.calls < CALLS_AT_ONCE {
            return self.unfold(goal, at);
        }
        if at.in_leaf
            && (facts.is_finite_recursion(goal.left) || facts.is_finite_recursion(goal.right))
        {
            return facts.operational(goal, at);
        }
        if at.guarded {
            return self.assume(goal, at);
        }
        if !self.recursion.unfolding.insert(goal) {
            let name = text::expression(facts.subject.definitions, goal.left);
            let message = format!("`{name}` calls itself before it does any event");
            return facts.refuse(here, Why::Limit(message));
        }
        let proof = self.unfold(goal, at);
        // The goal is removed also where the proof failed, because it may be needed in another
        // place.
        self.recursion.unfolding.remove(&goal);
        proof
    }

    fn assume(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let here = goal.by(ProofRule::Recursion, at);
        if self.recursion.assumed.insert(goal) {
            if self.recursion.settled + self.recursion.open.len() > ASSUMPTIONS {
                let message = format!("the proof takes more than {ASSUMPTIONS} different calls");
                return self.facts.refuse(here, Why::Limit(message));
            }
            self.recursion.open.push_back(goal);
        }
        Ok(self.facts.proof(here, vec![], vec![]))
    }
}

impl ProofFacts<'_> {
    /// True if `term` is a recursive call that can be compared as a whole: no parallel can be
    /// reached from it, and it has finitely many states, as far as can be found within the limit.
    pub(super) fn is_finite_recursion(&mut self, term: TermId) -> bool {
        if !self.subject.is_recursive(term) || self.subject.reaches_parallel(term) {
            return false;
        }
        let graph = self.graphs.any(term, &mut self.subject);
        !graph.is_err_and(|error| error.severity == Severity::Undecided)
    }
}

/// The refusal to show. A set or an event that the rules name is nearer to the cause than a
/// difference of whole processes. Where the rules name neither, the difference of the whole
/// processes tells more.
fn more_telling(by_rules: Arc<RefusedGoal>, as_wholes: Arc<RefusedGoal>) -> Arc<RefusedGoal> {
    let names_an_event = matches!(by_rules.why, Why::Set { .. } | Why::Behaviour(_));
    match as_wholes.why {
        Why::Behaviour(_) if !names_an_event => as_wholes,
        _ => by_rules,
    }
}
