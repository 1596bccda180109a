//! Options of assertions: each kind once, and the types of a symmetry option.

use super::ast::{AssertionOption, Ast, Collection, Expr, ExprId, Node, SymmetricType};
use base::diag::Diagnostic;

/// The options without their places. A repeated option is reported and dropped.
pub(crate) fn options(
    written: Vec<Node<AssertionOption>>,
) -> (Vec<AssertionOption>, Vec<Diagnostic>) {
    let (mut kept, mut diagnostics): (Vec<Node<AssertionOption>>, Vec<_>) = Default::default();
    for option in written {
        let same = |other: &&Node<AssertionOption>| {
            std::mem::discriminant(&other.kind) == std::mem::discriminant(&option.kind)
        };
        match kept.iter().find(same) {
            Some(first) => diagnostics.push(
                Diagnostic::error("repeated-option", "this option is given twice")
                    .at(option.span, "the second")
                    .at(first.span, "the first"),
            ),
            None => kept.push(option),
        }
    }
    (
        kept.into_iter().map(|option| option.kind).collect(),
        diagnostics,
    )
}

/// Reads each of `types` as `T` or `diff(T, {| c |})`.
pub(crate) fn symmetric_types(
    ast: &Ast,
    types: &[ExprId],
) -> (Vec<SymmetricType>, Vec<Diagnostic>) {
    let (mut read, mut diagnostics) = (Vec::new(), Vec::new());
    for &id in types {
        match symmetric_type(ast, id) {
            Some(symmetric) => read.push(symmetric),
            None => diagnostics.push(
                Diagnostic::error(
                    "bad-symmetric-type",
                    "this is not a type whose values may be swapped",
                )
                .at(ast.expressions[id].span, "")
                .hint("write the name of a type, or `diff(T, {| c |})` to keep the value c fixed"),
            ),
        }
    }
    (read, diagnostics)
}

fn symmetric_type(ast: &Ast, id: ExprId) -> Option<SymmetricType> {
    let span = ast.expressions[id].span;
    match ast.expr(id) {
        Expr::Name(name) => Some(SymmetricType {
            name: name.clone(),
            expression: id,
            fixed: Vec::new(),
            span,
        }),
        Expr::Apply(function, arguments) => {
            let Expr::Name(function) = ast.expr(*function) else {
                return None;
            };
            let [expression, fixed] = arguments[..] else {
                return None;
            };
            let (Expr::Name(name), "diff") =
                (ast.expr(expression), ast.name(function.last().symbol))
            else {
                return None;
            };
            let fixed = match ast.expr(fixed) {
                Expr::Productions(fixed, statements) if statements.is_empty() => fixed.clone(),
                _ => return None,
            };
            Some(SymmetricType {
                name: name.clone(),
                expression,
                fixed,
                span,
            })
        }
        _ => None,
    }
}

/// The items of a plain list; `None` for a range or a comprehension.
pub(crate) fn plain_list(collection: &Collection) -> Option<&[ExprId]> {
    match (&collection.items, &collection.statements[..]) {
        (super::ast::Items::List(items), []) => Some(items),
        _ => None,
    }
}
