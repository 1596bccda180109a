//! The place of evaluation, at which a construct is refused.

use base::diag::{Diagnostic, Result};
use base::source::Span;

/// The place of evaluation, and how deep it is nested.
pub(super) struct EvaluationPlace {
    span: Span,
    depth: u32,
}

/// The deepest nesting of calls. A deeper one is refused as a recursion with no end in sight.
const MOST_NESTED: u32 = 5_000;

impl EvaluationPlace {
    /// The place `span`, nested in nothing.
    pub(super) fn new(span: Span) -> Self {
        Self { span, depth: 0 }
    }

    /// The place in the script.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Notes that evaluation is at `span` now.
    pub(super) fn go_to(&mut self, span: Span) {
        self.span = span;
    }

    /// Begins an evaluation inside the present one. Returns the place to go back to.
    pub(super) fn enter(&mut self) -> Result<Span> {
        if self.depth >= MOST_NESTED {
            return Err(self.refused("this is nested too deep to be followed for all sizes"));
        }
        self.depth += 1;
        Ok(self.span)
    }

    /// Ends an evaluation that began at `span`.
    pub(super) fn leave(&mut self, span: Span) {
        self.span = span;
        self.depth -= 1;
    }

    /// The message that the script names an identity, so that they are not all alike.
    pub(super) fn named_identity(&self) -> Box<Diagnostic> {
        self.refused_with(
            "an identity is named here",
            "for all sizes identities have to be alike: only the first number may be named, to say how processes begin",
        )
    }

    /// The message that the question cannot be decided for an unknown number of identities.
    pub(super) fn refused(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::undecided("for-all", message).at(self.span, ""))
    }

    /// The message of [`Self::refused`], with a hint.
    pub(super) fn refused_with(
        &self,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Box<Diagnostic> {
        Box::new(self.refused(message).hint(hint))
    }
}
