//! Goals: the question, its place in the proof, and the results that stop a proof.

use std::sync::Arc;

use super::proof::Derivation;
use crate::permutation::EventPermutation;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use base::define_index;
use base::diag::Diagnostic;
use base::interner::Interner;
use base::source::Span;
use machine::tree::Around;
use process::term::TermId;

define_index! {
    /// A permutation that a prover was given, or that it met below a renaming.
    SigmaId,
}

/// The permutations of goals, by number.
pub(super) type Sigmas = Interner<SigmaId, EventPermutation>;

/// The question if `leftσ = right`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Goal {
    pub(super) left: TermId,
    pub(super) sigma: SigmaId,
    pub(super) right: TermId,
}

impl Goal {
    /// The goal about other terms under the same permutation.
    pub(super) fn about(self, left: TermId, right: TermId) -> Self {
        Self {
            left,
            right,
            ..self
        }
    }

    /// This goal in its place, to be proved by `rule`.
    pub(super) fn by(self, rule: ProofRule, at: GoalPlace) -> Application {
        Application {
            rule,
            goal: self,
            at,
        }
    }
}

/// A rule applied to a goal in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Application {
    pub(super) rule: ProofRule,
    pub(super) goal: Goal,
    pub(super) at: GoalPlace,
}

impl Application {
    /// The goal for operands that take part in the next step, and its place.
    pub(super) fn now(&self, left: TermId, right: TermId) -> (Goal, GoalPlace) {
        (self.goal.about(left, right), self.at)
    }

    /// The goal for operands that start later, and its place.
    pub(super) fn later(&self, left: TermId, right: TermId) -> (Goal, GoalPlace) {
        (self.goal.about(left, right), self.at.waiting())
    }

    /// This application at the place of operands that start later.
    pub(super) fn waiting(self) -> Self {
        let at = self.at.waiting();
        Self { at, ..self }
    }
}

/// The place of a goal in the proof.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GoalPlace {
    /// True if an operand that starts later was entered since the goal that is being settled.
    pub(super) guarded: bool,
    /// True if the goal is about a part of a process that will be compared as a whole if the goal
    /// is refused.
    pub(super) in_leaf: bool,
    /// The number of calls that were unfolded on the way.
    pub(super) calls: usize,
    /// The place in the script of the innermost named process around P.
    pub(super) span: Option<Span>,
    /// The context of the goal, if it is about a part of a machine; else the default.
    pub(super) around: Around,
}

impl GoalPlace {
    /// The place of an operand that starts later.
    pub(super) fn waiting(self) -> Self {
        let guarded = true;
        Self { guarded, ..self }
    }
}

/// A refusal before it is written out.
#[derive(Clone, Debug)]
pub(super) struct RefusedGoal {
    pub(super) rule: ProofRule,
    pub(super) left: TermId,
    pub(super) right: TermId,
    pub(super) span: Option<Span>,
    pub(super) why: Why,
}

/// The reason why a goal has no proof.
#[derive(Clone, Debug)]
pub(super) enum Unproved {
    /// The goal does not hold, or no rule shows it.
    Refused(Arc<RefusedGoal>),
    /// A process cannot be explored because the script is wrong, or there is no more time.
    Broken(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Unproved {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Unproved::Broken(diagnostic)
    }
}

impl Unproved {
    /// Turns a refusal of the goal `bodies` into one of the goal `names`, which reads better.
    pub(super) fn named(self, bodies: Goal, names: Goal) -> Self {
        match self {
            Unproved::Refused(failure)
                // A refusal of a part of the bodies names that part, and stays as it is.
                if (failure.left, failure.right) == (bodies.left, bodies.right) =>
            {
                let mut failure = Arc::unwrap_or_clone(failure);
                (failure.left, failure.right) = (names.left, names.right);
                Unproved::Refused(Arc::new(failure))
            }
            other => other,
        }
    }
}

/// A proof, or the reason why there is none.
pub(super) type Attempt<T = Arc<Derivation>> = std::result::Result<T, Unproved>;
