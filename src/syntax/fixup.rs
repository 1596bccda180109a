//! Rewriting of trees whose shape binding strengths alone do not give: hiding, dots.

use super::ast::{Ast, Expr, ExprId, Node, ProcessOp};

/// The two weakest operators.
#[derive(Clone, Copy)]
pub(crate) enum Hiding {
    Hide,
    Project,
}

/// Makes the node of `left \ right` or `left |\ right`. The operator binds most weakly of all, so
/// `P \ A ||| Q` first reads as `P \ (A ||| Q)`, though it means `(P \ A) ||| Q`. The hiding moves
/// down the left edge of `right`, to the set.
pub(crate) fn hide(ast: &mut Ast, hiding: Hiding, left: ExprId, right: ExprId) -> ExprId {
    let start = ast.expressions[left].span;
    let (mut at, mut parent) = (right, None);
    while let Some(&mut next) = left_operand(&mut ast.expressions[at].kind) {
        // All of this edge now starts with `left`.
        let span = ast.expressions[at].span;
        ast.expressions[at].span = start.to(span);
        parent = Some(at);
        at = next;
    }
    let span = start.to(ast.expressions[at].span);
    let kind = match hiding {
        Hiding::Hide => Expr::Hide(left, at),
        Hiding::Project => Expr::Project(left, at),
    };
    let hidden = ast.expressions.push(Node { kind, span });
    // Looked up again: the arena could not stay borrowed while the new node was pushed.
    let slot = parent.and_then(|parent| left_operand(&mut ast.expressions[parent].kind));
    match slot {
        Some(slot) => {
            *slot = hidden;
            right
        }
        None => hidden,
    }
}

/// The left operand of an operator that takes part in the rewriting; `None` for other nodes.
fn left_operand(expr: &mut Expr) -> Option<&mut ExprId> {
    use ProcessOp::*;
    match expr {
        Expr::Process(
            ExternalChoice | InternalChoice | Sequential | Interleave | Interrupt | SlidingChoice,
            left,
            _,
        )
        | Expr::GeneralisedParallel { left, .. }
        | Expr::AlphabetisedParallel { left, .. }
        | Expr::Exception { left, .. }
        | Expr::SynchronisingChoice { left, .. }
        | Expr::SynchronisingInterrupt { left, .. } => Some(left),
        _ => None,
    }
}

/// Appends to `out` the parts that `item` contributes to the left of a dot: the parts of a dot such
/// as `(a.b)`, else `item` itself. Parts are moved, because their node is in no tree any more.
pub(crate) fn flatten_dot(ast: &mut Ast, item: ExprId, out: &mut Vec<ExprId>) {
    let mut inner = item;
    while let Expr::Parenthesised(e) = ast.expr(inner) {
        inner = *e;
    }
    let Expr::Dot(parts) = &mut ast.expressions[inner].kind else {
        return out.push(item);
    };
    let mut parts = std::mem::take(parts);
    // The last part of a dot keeps its parentheses there, but here it stands on the left.
    let last = parts.pop();
    if out.is_empty() {
        *out = parts;
    } else {
        out.append(&mut parts);
    }
    if let Some(last) = last {
        base::stack::deep(|| flatten_dot(ast, last, out));
    }
}
