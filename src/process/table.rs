//! Definitions as a table of terms, for programs and tests without a script.

use super::term::{CallId, Definitions, Term, TermId, Terms};
use base::diag::{Diagnostic, Result};
use base::index::{IndexVec, TypedIndex};
use base::source::Span;

/// Named terms, which may call each other.
#[derive(Clone, Debug, Default)]
pub struct DefinitionTable {
    terms: Terms,
    names: IndexVec<CallId, String>,
    bodies: IndexVec<CallId, Option<TermId>>,
}

impl DefinitionTable {
    /// A table without definitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The term that calls `name`, which must be defined before it is unfolded.
    pub fn call(&mut self, name: &str) -> TermId {
        let call = self.call_id(name);
        self.terms.intern(Term::Call(call))
    }

    /// Defines `name` as `body`.
    pub fn define(&mut self, name: &str, body: TermId) {
        let call = self.call_id(name);
        self.bodies[call] = Some(body);
    }

    /// The number of the call `name`.
    pub(crate) fn call_id(&mut self, name: &str) -> CallId {
        if let Some(known) = self.names.iter().position(|n| n == name) {
            return CallId::from_usize(known);
        }
        self.bodies.push(None);
        self.names.push(name.to_string())
    }
}

impl Definitions for DefinitionTable {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn body(&mut self, call: CallId) -> Result<TermId> {
        self.bodies[call].ok_or_else(|| {
            let message = format!("`{}` has no definition", self.names[call]);
            Box::new(Diagnostic::error("unknown-name", message))
        })
    }

    fn call_name(&self, call: CallId) -> String {
        self.names[call].clone()
    }

    fn definition_name(&self, call: CallId) -> String {
        let name = &self.names[call];
        name.split('(').next().unwrap_or(name).to_string()
    }

    fn call_span(&self, _call: CallId) -> Option<Span> {
        None
    }
}
