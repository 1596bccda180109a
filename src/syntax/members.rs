//! The members of a scope: the kinds that may stand in it, and the clauses that form one function.

use super::ast::{Ast, Declaration, DeclarationId, Node};
use base::diag::Diagnostic;

/// A scope that does not hold every kind of declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InnerScope {
    Let,
    Timed,
    Module,
}

/// The reason why `member` may not stand in `place`; `None` if it may.
pub(crate) fn forbidden(
    ast: &Ast,
    member: &Node<Declaration>,
    place: InnerScope,
) -> Option<Diagnostic> {
    use Declaration as D;
    let allowed = match (&member.kind, place) {
        (D::Timed(_, members), InnerScope::Let | InnerScope::Module) => {
            // One level only: each inner section was itself checked against `Timed`.
            return members
                .iter()
                .find_map(|&m| base::stack::deep(|| forbidden(ast, &ast.declarations[m], place)));
        }
        (
            D::Pattern(..)
            | D::Function(..)
            | D::External(_)
            | D::Transparent(_)
            | D::Annotation(..),
            _,
        ) => true,
        (_, InnerScope::Let) => false,
        (D::Print(_), _) => false,
        (D::Assert(_), InnerScope::Module) => false,
        _ => true,
    };
    if allowed {
        return None;
    }
    let scope = match place {
        InnerScope::Let => "a `let`",
        InnerScope::Timed => "a `Timed` section",
        InnerScope::Module => "a module",
    };
    let diagnostic = Diagnostic::error(
        "misplaced-declaration",
        format!("{} cannot stand inside {scope}", describe(&member.kind)),
    )
    .at(member.span, "");
    Some(match place {
        InnerScope::Let => {
            diagnostic.note("a `let` holds definitions, annotations, `external` and `transparent`")
        }
        InnerScope::Timed | InnerScope::Module => {
            diagnostic.hint("move it to the top level of the script")
        }
    })
}

fn describe(declaration: &Declaration) -> &'static str {
    match declaration {
        Declaration::Pattern(..) | Declaration::Function(..) => "a definition",
        Declaration::Channel(..) => "`channel`",
        Declaration::Datatype(..) => "`datatype`",
        Declaration::Subtype(..) => "`subtype`",
        Declaration::Nametype(..) => "`nametype`",
        Declaration::External(_) => "`external`",
        Declaration::Transparent(_) => "`transparent`",
        Declaration::Module { .. } => "a module",
        Declaration::Instance { .. } => "`instance`",
        Declaration::Include(..) => "`include`",
        Declaration::Print(_) => "`print`",
        Declaration::Timed(..) => "a `Timed` section",
        Declaration::Annotation(..) => "a type annotation",
        Declaration::Assert(_) => "`assert`",
    }
}

/// Adds a clause to the function right before it in `scope` if the names agree; otherwise returns
/// the declaration.
pub(crate) fn join_clause(
    ast: &mut Ast,
    member: Node<Declaration>,
    scope: &[DeclarationId],
) -> Option<Node<Declaration>> {
    let Declaration::Function(name, _) = &member.kind else {
        return Some(member);
    };
    let Some(&last) = scope.last() else {
        return Some(member);
    };
    let previous = &mut ast.declarations[last];
    match &mut previous.kind {
        Declaration::Function(other, clauses) if other.symbol == name.symbol => {
            previous.span = previous.span.to(member.span);
            // The member is a function: any other was returned above.
            let Declaration::Function(_, new) = member.kind else {
                return None;
            };
            clauses.extend(new);
            None
        }
        _ => Some(member),
    }
}
