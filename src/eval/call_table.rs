//! The table of named calls, and the keys by which they are equal.
//!
//! A call is a piece of the script (a definition, or the continuation of a prefix) with the values
//! on which it depends: its arguments and its free variables (`names.rs`). Equal calls are one node
//! of the term, however they were reached; this makes the state space of a recursive process
//! finite.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::atom::AtomPermutation;
use super::environment::Frame;
use super::value::{Lazy, Value};
use base::interner::Interner;
use process::event::EventId;
use process::term::{CallId, TermId};
use syntax::ast::{DeclarationId, ExprId};

/// All calls made so far.
#[derive(Default)]
pub(super) struct Calls {
    keys: Interner<CallId, CallKey>,
    /// The body of each call.
    bodies: Vec<CallBody>,
    /// The arguments that are being evaluated because a name for them is an operand.
    arguments: FxHashSet<ExprId>,
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
    /// The image, under this permutation, of the body of another call.
    Image(CallId, AtomPermutation),
}

impl Calls {
    /// The call with this key, which is unfolded in `frame` with the groups of arguments.
    pub(super) fn intern(
        &mut self,
        key: CallKey,
        frame: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> CallId {
        let call = self.keys.intern(key);
        if self.bodies.len() < self.keys.len() {
            // The frame of the first of equal calls serves all: no difference matters.
            let body = CallBody::Folded(Rc::clone(frame), groups);
            self.bodies.push(body);
        }
        call
    }

    /// The call with this key, whose body is the image of that of `origin`.
    pub(super) fn intern_image(
        &mut self,
        key: CallKey,
        origin: CallId,
        permutation: &AtomPermutation,
    ) -> CallId {
        let call = self.keys.intern(key);
        if self.bodies.len() < self.keys.len() {
            // The image of an image is that of the first origin: bodies are at most one image away
            // from what was evaluated.
            let body = match self.body(origin) {
                CallBody::Image(first, before) => {
                    let both = before.indices().map(|atom| permutation[before[atom]]);
                    CallBody::Image(*first, Rc::new(both.collect()))
                }
                _ => CallBody::Image(origin, Rc::clone(permutation)),
            };
            self.bodies.push(body);
        }
        call
    }

    /// The key of a call.
    pub(super) fn key(&self, call: CallId) -> &CallKey {
        &self.keys[call]
    }

    /// The piece of the script that is called.
    pub(super) fn callee(&self, call: CallId) -> CalledCode {
        self.keys[call].callee
    }

    /// The body of a call.
    pub(super) fn body(&self, call: CallId) -> &CallBody {
        &self.bodies[call.0 as usize]
    }

    /// Notes the term to which a call was unfolded. Its frame and its arguments are not needed from
    /// now on, and are freed.
    pub(super) fn unfolded(&mut self, call: CallId, term: TermId) {
        self.bodies[call.0 as usize] = CallBody::Unfolded(term);
    }

    /// Notes that the evaluation of an argument begins. Returns `false` if it has begun before, and
    /// is still going on.
    pub(super) fn begin_argument(&mut self, argument: ExprId) -> bool {
        self.arguments.insert(argument)
    }

    /// Notes that the evaluation of an argument has ended.
    pub(super) fn end_argument(&mut self, argument: ExprId) {
        self.arguments.remove(&argument);
    }
}
