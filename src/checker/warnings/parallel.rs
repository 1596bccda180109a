//! Parallels in the script that keep an event from happening.

use std::sync::Arc;

use base::diag::{Diagnostic, Result};
use base::number::plain;
use base::source::Span;
use machine::Machine;
use machine::tree::NodeId;
use machine::unjoined::{Unjoined, unjoined};
use process::event::EventTable;
use process::operator::Operator;
use process::term::{Definitions, Term, TermId};
use syntax::ast::{Ast, Expr, ExprId, ReplicatedOp, SetOp};
use syntax::print::expression_text;

use super::super::decision::Decision;

/// The largest number of such messages about one process. Further ones are counted.
const MOST: usize = 5;

/// The largest number of such events that are looked at.
const MOST_LOOKED_AT: usize = 100;

/// The largest number of names in a message. Further ones are counted.
const NAMES: usize = 4;

/// Notes the events that parallels of `machine`, the process `expression`, keep from happening.
pub(super) fn note_unjoined(
    run: &mut Decision<'_, '_>,
    machine: &Arc<Machine>,
    expression: ExprId,
) -> Result<()> {
    let all = unjoined(run.evaluator, machine)?;
    let asked = run.script.ast.expressions[expression].span;
    let (mut found, mut places) = (Vec::new(), Vec::new());
    for one in all.iter().take(MOST_LOOKED_AT) {
        let around = definition(run, machine, one.node)?.unwrap_or(asked);
        let place = place(&run.script.ast, machine, one, around);
        // Of a definition that is called several times, one call is enough.
        if places.contains(&place) {
            continue;
        }
        places.push(place);
        if found.len() < MOST {
            let events = &run.evaluator.terms().events;
            found.push(never_joins(machine, one, events, place));
        }
    }
    let more = places.len() - found.len();
    if let (Some(last), 1..) = (found.last_mut(), more) {
        let more = plain(more, "more place");
        last.notes
            .push(format!("this process has {more} of this kind"));
    }
    run.warnings.extend(found);
    Ok(())
}

/// The message for an event that a parallel keeps from happening.
fn never_joins(
    machine: &Machine,
    unjoined: &Unjoined,
    events: &EventTable,
    place: Span,
) -> Diagnostic {
    let names = |all: &[_]| listed(events.names(all));
    let operands = unjoined.operands.iter();
    let operands = listed(
        operands
            .map(|&id| machine.nodes[id].expression.clone())
            .collect(),
    );
    let event = match unjoined.events.len() {
        1 => "never happens",
        _ => "never happen",
    };
    let (it, them) = match unjoined.events.len() {
        1 => ("it", "it"),
        _ => ("one", "them"),
    };
    let (has, lets) = match unjoined.operands.len() {
        1 => ("has", "does"),
        _ => ("have", "do"),
    };
    let happen = names(&unjoined.events);
    let message =
        format!("{happen} {event}: {operands} {has} to join {them} and never {lets} {it}");
    let problem = Diagnostic::warning("never-joins", message).at(place, "");
    let problem = match &unjoined.instead[..] {
        [] => problem,
        instead => {
            let first = &machine.nodes[unjoined.operands[0]].expression;
            problem.note(format!("of that channel `{first}` does {}", names(instead)))
        }
    };
    problem.hint(format!(
        "let {operands} do {them}, or leave {them} out of what is done together"
    ))
}

/// A list in words: `` `a`, `b` and 3 more ``.
fn listed(names: Vec<String>) -> String {
    let shown = names.iter().take(NAMES).map(|name| format!("`{name}`"));
    let mut shown: Vec<String> = shown.collect();
    if names.len() > NAMES {
        shown.push(format!("{} more", names.len() - NAMES));
    }
    match shown.split_last() {
        Some((last, before @ [_, ..])) => format!("{} and {last}", before.join(", ")),
        _ => shown.concat(),
    }
}

/// The place of the definition in which the parallel `node` is written, if it is in one.
fn definition(run: &mut Decision<'_, '_>, machine: &Machine, node: NodeId) -> Result<Option<Span>> {
    let mut at = Some(node);
    while let Some(id) = at {
        if let Some(span) = last_call(run, machine.nodes[id].term)? {
            return Ok(Some(span));
        }
        let parent = machine.nodes.iter_enumerated();
        let mut parent = parent.skip(id.0 as usize + 1);
        at = parent
            .find(|(_, node)| node.operands.contains(&id))
            .map(|(id, _)| id);
    }
    Ok(None)
}

/// The place of the last definition by which `term` is called.
fn last_call(run: &mut Decision<'_, '_>, term: TermId) -> Result<Option<Span>> {
    let mut span = None;
    let mut at = term;
    while let &Term::Call(call) = run.evaluator.terms().get(at) {
        run.evaluator.cancellation().step()?;
        span = run.evaluator.call_span(call).or(span);
        at = run.evaluator.body(call)?;
    }
    Ok(span)
}

/// The place of the parallel's set in the text `around`, or of the operand's alphabet, if there is
/// just one that it can be; else `around`.
fn place(ast: &Ast, machine: &Machine, unjoined: &Unjoined, around: Span) -> Span {
    let inside = ast.expressions.iter().filter(|expression| {
        let span = expression.span;
        span.file == around.file && around.start <= span.start && span.end <= around.end
    });
    let parallels = inside.filter_map(|expression| parallel(machine, unjoined, &expression.kind));
    let parallels: Vec<(ExprId, Vec<ExprId>)> = parallels.collect();
    // By the names of operands one may be found among several.
    let lacking = unjoined.operands.iter();
    let lacking = lacking.map(|&id| name(&machine.nodes[id].expression));
    let lacking: Vec<&str> = lacking.collect();
    let has_them = |(_, operands): &&(ExprId, Vec<ExprId>)| {
        let texts = operands.iter().map(|&id| expression_text(ast, id));
        let texts: Vec<String> = texts.collect();
        let mut lacking = lacking.iter();
        lacking.all(|lacking| texts.iter().any(|text| name(text) == *lacking))
    };
    let named: Vec<&(ExprId, Vec<ExprId>)> = parallels.iter().filter(has_them).collect();
    match (&parallels[..], &named[..]) {
        ([(set, _)], _) | (_, [(set, _)]) => ast.expressions[*set].span,
        _ => around,
    }
}

/// The set, or the alphabet of the operand, and the operands of `expression`, if that is a parallel
/// of the kind that is `unjoined`.
fn parallel(
    machine: &Machine,
    unjoined: &Unjoined,
    expression: &Expr,
) -> Option<(ExprId, Vec<ExprId>)> {
    let node = &machine.nodes[unjoined.node];
    Some(match (node.operator()?, expression) {
        (Operator::Parallel(_), Expr::Over(SetOp::GeneralisedParallel, left, events, right)) => {
            (*events, vec![*left, *right])
        }
        (
            Operator::Parallel(_),
            Expr::Replicated(ReplicatedOp::GeneralisedParallel(events), _, body),
        )
        | (
            Operator::Alphabetised(_),
            Expr::Replicated(ReplicatedOp::AlphabetisedParallel(events), _, body),
        ) => (*events, vec![*body]),
        (
            Operator::Alphabetised(_),
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            },
        ) => {
            let is_left = node.operands.first() == unjoined.operands.first();
            let alphabet = if is_left {
                left_alphabet
            } else {
                right_alphabet
            };
            (*alphabet, vec![*left, *right])
        }
        _ => return None,
    })
}

/// The name that a process begins with, without its arguments.
fn name(text: &str) -> &str {
    let text = text.trim_start_matches('(');
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    &text[..end.unwrap_or(text.len())]
}
