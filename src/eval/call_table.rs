//! The table of named calls, and the keys by which they are equal.
//!
//! A call is a piece of the script (a definition, or the continuation of a prefix) with the values
//! on which it depends: its arguments and its free variables (`names.rs`). Equal calls are one node
//! of the term, however they were reached; this makes the state space of a recursive process
//! finite.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::environment::Frame;
use super::value::{Lazy, Value};
use base::interner::Interner;
use process::event::EventId;
use process::term::{CallId, TermId};
use syntax::ast::{DeclarationId, ExprId};

/// All calls made so far.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) keys: Interner<CallId, CallKey>,
    /// The body of each call.
    pub(super) bodies: Vec<CallBody>,
    /// The arguments that are being evaluated because a name for them is an operand.
    pub(super) arguments: FxHashSet<ExprId>,
}

/// The key of a call: calls with equal keys are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CallKey {
    pub(super) callee: CalledCode,
    /// The values of the free variables, then the arguments of all groups.
    pub(super) values: Box<[Value]>,
}

/// The piece of the script that is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum CalledCode {
    Constant(DeclarationId),
    Function(DeclarationId),
    /// The continuation of a prefix.
    Continuation(ExprId),
    /// An argument that is a process, met while its own expression is being evaluated.
    Argument(ExprId),
    /// `X = tock -> X [] P`, for the timed sections.
    Waiting(TermId, EventId),
    /// `X = P ; X`
    Loop(TermId),
}

/// The body of a call.
pub(super) enum CallBody {
    /// Not unfolded yet: the frame to unfold it in, and the groups of arguments.
    Folded(Rc<Frame>, Vec<Vec<Lazy>>),
    Unfolded(TermId),
}
