//! Goals: what is asked, where in the proof, and what may stop an answer.

use std::sync::Arc;

use super::proof::Proof;
use super::rule::Rule;
use crate::define_index;
use crate::diag::Diagnostic;
use crate::machine::tree::Around;
use crate::process::term::TermId;
use crate::source::Span;
use crate::symmetry::refusal::Why;

define_index! {
    /// A permutation that a prover was asked about, or met below a renaming.
    SigmaId,
}

/// Is `leftσ = right`?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Goal {
    pub(super) left: TermId,
    pub(super) sigma: SigmaId,
    pub(super) right: TermId,
}

/// Where in the proof a goal stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Whether an operand that starts later was entered since the goal that is being settled.
    pub(super) guarded: bool,
    /// Whether the goals are about parts of a process that will be compared as a whole if they are refused.
    pub(super) in_leaf: bool,
    /// How many calls were unfolded on the way.
    pub(super) calls: usize,
    /// Where the innermost named process around P stands.
    pub(super) span: Option<Span>,
    /// Of goals about parts of a machine: what stands above them there.
    pub(super) around: Around,
}

impl Place {
    /// The place of an operand that starts later.
    pub(super) fn waiting(self) -> Self {
        let guarded = true;
        Self { guarded, ..self }
    }
}

/// A refusal before it is written out.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) rule: Rule,
    pub(super) left: TermId,
    pub(super) right: TermId,
    pub(super) span: Option<Span>,
    pub(super) why: Why,
}

/// Why a goal has no proof.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It does not hold, or no rule shows it.
    Refused(Arc<Failure>),
    /// A process is wrong.
    Broken(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Stop::Broken(diagnostic)
    }
}

impl Stop {
    /// A refusal of the goal `bodies` becomes one of the goal `names`, which reads better.
    pub(super) fn named(self, bodies: Goal, names: Goal) -> Self {
        match self {
            Stop::Refused(failure)
                if (failure.left, failure.right) == (bodies.left, bodies.right) =>
            {
                let Goal { left, right, .. } = names;
                let failure = Arc::unwrap_or_clone(failure);
                Stop::Refused(Arc::new(Failure {
                    left,
                    right,
                    ..failure
                }))
            }
            other => other,
        }
    }
}

/// A proof, or what stops it.
pub(super) type Attempt<T = Arc<Proof>> = std::result::Result<T, Stop>;
