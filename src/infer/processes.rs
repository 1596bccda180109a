//! The definitions that yield processes, by their types.

use rustc_hash::FxHashSet;

use super::Typed;
use super::types::TypeKind;
use syntax::ast::{Ast, Declaration, DeclarationId, Pattern};

impl Typed {
    /// The definitions (functions and plain constants) of `ast` that yield a process when fully
    /// applied, whatever the arguments are.
    pub fn processes(&mut self, ast: &Ast) -> FxHashSet<DeclarationId> {
        let mut found = FxHashSet::default();
        for (id, declaration) in ast.declarations.iter_enumerated() {
            // All clauses of a function have one type.
            let body = match &declaration.kind {
                Declaration::Function(_, clauses) => clauses.first().map(|clause| clause.body),
                Declaration::Pattern(pattern, body) => {
                    matches!(ast.pattern(*pattern), Pattern::Name(_)).then_some(*body)
                }
                _ => None,
            };
            let Some(ty) = body.and_then(|body| self.expressions[body]) else {
                continue;
            };
            if self.types.kind(ty) == TypeKind::Process {
                found.insert(id);
            }
        }
        found
    }
}
