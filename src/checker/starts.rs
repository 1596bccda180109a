//! Other starts for one member of a replicated parallel.

use syntax::ast::{
    Declaration, DeclarationId, Expr, ExprId, Field, ProcessOp, ReplicatedOp, SetOp,
};
use syntax::print::expression_text;

use super::mutations::{Member, MutationFinder, TextEdit, definition};

/// A change as a sentence, and the edit that makes it.
type OtherStart = (String, TextEdit);

/// The change after which one member begins with another number, truth value or constructor as an
/// argument.
pub(super) fn other_argument(
    finder: &MutationFinder<'_>,
    member: &Member,
    body: ExprId,
) -> Option<OtherStart> {
    let ast = finder.ast();
    let arguments = started(finder, body)
        .into_iter()
        .flat_map(|call| match ast.expr(call) {
            Expr::Apply(_, arguments) => arguments.clone(),
            _ => Vec::new(),
        });
    let Member { variable, value } = member;
    arguments.into_iter().find_map(|argument| {
        let is_member = format!("{variable} == {value}");
        let old = expression_text(ast, argument);
        let (new, text) = match ast.expr(ast.unbracketed(argument)) {
            Expr::Bool(true) => ("false".to_string(), format!("{variable} != {value}")),
            Expr::Bool(false) => ("true".to_string(), is_member),
            Expr::Int(number) => {
                let other = number.checked_add(1)?.to_string();
                let text = format!("if {is_member} then {other} else {old}");
                (other, text)
            }
            Expr::Name(_) => {
                let other = other_constructor(finder, argument)?;
                let text = format!("if {is_member} then {other} else {old}");
                (other, text)
            }
            _ => return None,
        };
        let span = ast.expressions[argument].span;
        let what = format!("the member {value} starts with {new} instead of {old}");
        Some((
            what,
            TextEdit {
                span,
                text: format!("({text})"),
            },
        ))
    })
}

/// The change after which one member begins after its first event, if the text says which that is.
pub(super) fn other_start(
    finder: &MutationFinder<'_>,
    member: &Member,
    body: ExprId,
) -> Option<OtherStart> {
    let ast = finder.ast();
    started(finder, body).into_iter().find_map(|call| {
        let Expr::Apply(function, arguments) = ast.expr(call) else {
            return None;
        };
        let clause = finder.clause(*function)?;
        let [parameters] = &clause.groups[..] else {
            return None;
        };
        let names: Option<Vec<String>> = parameters
            .iter()
            .map(|&pattern| finder.variable(pattern))
            .collect();
        let (event, rest) = after_first_event(finder, clause.body)?;
        let written: Vec<String> = arguments.iter().map(|&a| expression_text(ast, a)).collect();
        let old = expression_text(ast, call);
        let other = format!(
            "(\\ {} @ {})({})",
            names?.join(", "),
            expression_text(ast, rest),
            written.join(", ")
        );
        let Member { variable, value } = member;
        let text = format!("(if {variable} == {value} then {other} else {old})");
        let what = format!("the member {value} starts after `{event}`");
        let span = ast.expressions[call].span;
        Some((what, TextEdit { span, text }))
    })
}

/// The calls with which `body` starts at once, in the order of the text.
fn started(finder: &MutationFinder<'_>, body: ExprId) -> Vec<ExprId> {
    let ast = finder.ast();
    let (mut calls, mut open) = (Vec::new(), vec![body]);
    while let Some(id) = open.pop() {
        match ast.expr(id) {
            Expr::Apply(..) => calls.push(id),
            Expr::Parenthesised(inner) | Expr::Hide(inner, _) | Expr::Rename(inner, _) => {
                open.push(*inner);
            }
            Expr::Process(ProcessOp::Interleave, left, right)
            | Expr::Over(SetOp::GeneralisedParallel, left, _, right)
            | Expr::AlphabetisedParallel { left, right, .. } => open.extend([*right, *left]),
            Expr::Replicated(
                ReplicatedOp::Interleave
                | ReplicatedOp::GeneralisedParallel(_)
                | ReplicatedOp::AlphabetisedParallel(_),
                _,
                inner,
            ) => open.push(*inner),
            _ => {}
        }
    }
    calls
}

/// The first event of `body` and the process after it; `None` if something is received in the
/// event.
fn after_first_event(finder: &MutationFinder<'_>, body: ExprId) -> Option<(String, ExprId)> {
    let ast = finder.ast();
    let mut at = body;
    loop {
        at = match ast.expr(at) {
            Expr::Parenthesised(inner) => *inner,
            Expr::Process(ProcessOp::ExternalChoice, left, _) => *left,
            Expr::Prefix(channel, fields, rest) => {
                let sent = fields.iter().map(|field| match field {
                    Field::Output(value) => Some(format!("!{}", expression_text(ast, *value))),
                    Field::Input(..) | Field::Nondeterministic(..) => None,
                });
                let sent: Option<String> = sent.collect();
                return Some((expression_text(ast, *channel) + &sent?, *rest));
            }
            _ => return None,
        };
    }
}

/// Another constructor without fields of the datatype that has the constructor `argument`.
fn other_constructor(finder: &MutationFinder<'_>, argument: ExprId) -> Option<String> {
    let ast = finder.ast();
    let argument = ast.unbracketed(argument);
    let reference = finder.resolved().names.get(argument)?.as_ref()?;
    let datatype: DeclarationId = definition(reference)?;
    let Declaration::Datatype(_, constructors) = ast.declaration(datatype) else {
        return None;
    };
    let name = expression_text(ast, argument);
    let others = constructors
        .iter()
        .filter(|constructor| constructor.fields.is_none());
    let mut names = others.map(|constructor| ast.name(constructor.name.symbol));
    names.find(|other| *other != name).map(str::to_string)
}
