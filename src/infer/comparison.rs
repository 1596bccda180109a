//! Comparisons of dotted values without brackets.

use syntax::ast::{Ast, BinaryOp, Expr, ExprId};
use syntax::print::expression_text;

/// The hint for `c.x == d.y`, which is read as `c.(x == d).y`; `None` if `dotted` is not of
/// this kind.
pub(super) fn dotted_comparison(ast: &Ast, dotted: ExprId) -> Option<String> {
    let Expr::Dot(items) = ast.expr(ast.unbracketed(dotted)) else {
        return None;
    };
    let operators: Vec<(usize, BinaryOp, [ExprId; 2])> = items
        .iter()
        .enumerate()
        .filter_map(|(at, &item)| operation(ast, item).map(|(op, sides)| (at, op, sides)))
        .collect();
    let is_comparison = |&&(_, operator, _): &&(usize, BinaryOp, [ExprId; 2])| {
        matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual)
    };
    let &(at, operator, sides) = operators.iter().find(is_comparison)?;
    let operator = operator.text();
    let is_alone = operators.len() == 1 && sides.iter().all(|&s| operation(ast, s).is_none());
    let instead = if is_alone {
        let left = bracketed(ast, items[..at].iter().copied().chain([sides[0]]));
        let rest = items[at + 1..].iter().copied();
        let right = bracketed(ast, [sides[1]].into_iter().chain(rest));
        format!("write `{left} {operator} {right}`")
    } else {
        "put each dotted value into brackets, as in `(c.x) == (d.y)`".to_string()
    };
    Some(format!("a dot binds looser than `{operator}`: {instead}"))
}

/// The operator and the operands of `id`; `None` if it stands in brackets or is no operation.
fn operation(ast: &Ast, id: ExprId) -> Option<(BinaryOp, [ExprId; 2])> {
    match *ast.expr(id) {
        Expr::Binary(operator, left, right) => Some((operator, [left, right])),
        _ => None,
    }
}

/// The text of the items with dots between, in brackets if there are several: `(c.x)`, `c`.
fn bracketed(ast: &Ast, items: impl Iterator<Item = ExprId>) -> String {
    let texts: Vec<String> = items.map(|item| expression_text(ast, item)).collect();
    match &texts[..] {
        [only] => only.clone(),
        _ => format!("({})", texts.join(".")),
    }
}
