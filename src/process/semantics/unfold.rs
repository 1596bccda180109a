//! Unfolds calls, and notices recursion that no operator guards.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{CallId, Definitions, Term, TermId};
use base::diag::{Diagnostic, Result};

/// `term` with its outermost calls unfolded: the first term on the way that is not a call.
pub fn head(definitions: &mut dyn Definitions, term: TermId) -> Result<TermId> {
    Unfolding::default().enter(definitions, term)
}

/// The calls whose bodies are being unfolded, the outermost first, and all bodies seen so far.
#[derive(Debug, Default)]
pub(super) struct Unfolding {
    bodies: FxHashMap<CallId, TermId>,
    calls: Vec<CallId>,
    active: Vec<CallId>,
    is_active: FxHashSet<CallId>,
}

/// The number of nested unguarded calls above which they count as endless.
const NESTED_CALLS: usize = 100_000;

impl Unfolding {
    /// Leaves all calls. Known bodies stay.
    pub(super) fn restart(&mut self) {
        self.leave(0);
    }

    /// The number of calls that are being unfolded.
    pub(super) fn depth(&self) -> usize {
        self.active.len()
    }

    /// The innermost call that is being unfolded.
    pub(super) fn innermost(&self) -> Option<CallId> {
        self.active.last().copied()
    }

    /// All calls ever unfolded, in the order in which that first happened.
    pub(super) fn calls(&self) -> &[CallId] {
        &self.calls
    }

    /// Unfolds the outermost calls of `term`; they stay active until [`Self::leave`].
    pub(super) fn enter(
        &mut self,
        definitions: &mut dyn Definitions,
        mut term: TermId,
    ) -> Result<TermId> {
        while let &Term::Call(call) = definitions.terms().get(term) {
            if !self.is_active.insert(call) {
                return self.unguarded(definitions, call).into();
            }
            self.active.push(call);
            if self.active.len() > NESTED_CALLS {
                return endless(definitions, call).into();
            }
            term = self.body(definitions, call)?;
        }
        Ok(term)
    }

    /// Leaves calls until [`Self::depth`] is `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        for call in self.active.drain(depth..) {
            self.is_active.remove(&call);
        }
    }

    fn body(&mut self, definitions: &mut dyn Definitions, call: CallId) -> Result<TermId> {
        if let Some(&body) = self.bodies.get(&call) {
            return Ok(body);
        }
        let body = definitions.body(call)?;
        self.bodies.insert(call, body);
        self.calls.push(call);
        Ok(body)
    }

    fn unguarded(&self, definitions: &dyn Definitions, call: CallId) -> Diagnostic {
        let name = definitions.call_name(call);
        let message = format!("`{name}` calls itself before it does any event");
        let start = self.active.iter().position(|&c| c == call).unwrap_or(0);
        let cycle = &self.active[start..];
        let mut diagnostic = Diagnostic::error("unguarded-recursion", message);
        if let Some(span) = definitions.call_span(call) {
            diagnostic = diagnostic.at(span, "");
        }
        if let [_, rest @ ..] = cycle
            && !rest.is_empty()
        {
            let through: Vec<String> = rest
                .iter()
                .take(5)
                .map(|&c| format!("`{}`", definitions.call_name(c)))
                .collect();
            let more = if rest.len() > 5 { ", ..." } else { "" };
            diagnostic =
                diagnostic.note(format!("it does so through {}{more}", through.join(", ")));
        }
        diagnostic.hint("put a prefix such as `a ->` before the recursive call")
    }
}

fn endless(definitions: &dyn Definitions, call: CallId) -> Diagnostic {
    let message = format!(
        "`{}` is reached through more than {NESTED_CALLS} calls inside each other before any event",
        definitions.call_name(call)
    );
    let mut diagnostic = Diagnostic::undecided("unguarded-recursion", message);
    if let Some(span) = definitions.call_span(call) {
        diagnostic = diagnostic.at(span, "");
    }
    diagnostic.hint("put a prefix such as `a ->` before the recursive call")
}
