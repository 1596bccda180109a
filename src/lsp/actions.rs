//! The actions at a place: assertions are checked and processes shown, by lenses above them or, in
//! editors that show no lenses, by actions. Other actions mend the mistakes that messages report.

use std::collections::HashMap;

use gen_lsp_types::{CodeActionContext, CodeActionKind, CodeLens, Command, Range, TextEdit, Uri};
use serde_json::{Value, json};

use base::diag::{Diagnostic, Replacement};
use base::source::Span;
use syntax::ast::DeclarationId;

use super::diagnostics::about;
use super::protocol::{CANCEL, CHECK, GRAPH, STEP};
use super::runs::Runs;
use super::scripts::{Places, ScriptFile};

/// The lenses on the assertions and processes of a script in the file. Each assertion has its
/// verdict, and a command that checks it. Each process has commands that open the page.
pub(crate) fn lenses(asked: &ScriptFile<'_>, runs: &Runs) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for (index, &id) in asked.analysis.assertions.iter().enumerate() {
        let verdict = runs.verdict(asked.script, index);
        let (title, command) = match verdict {
            _ if runs.is_running(asked.script, index) => {
                ("checking … (cancel)".to_string(), CANCEL)
            }
            Some(outcome) => (outcome.title(), CHECK),
            None => ("check".to_string(), CHECK),
        };
        let tooltip = verdict.map(|outcome| outcome.text());
        lenses.extend(lens(asked, id, title, tooltip, (command, json!(index))));
    }
    for &(id, name) in &asked.analysis.processes {
        let name = asked.analysis.ast.name(name);
        for (title, command) in [("step this process", STEP), ("show its graph", GRAPH)] {
            let tooltip = Some(format!("opens the page of this script at {name}"));
            let argument = (command, json!(name));
            lenses.extend(lens(asked, id, title.to_string(), tooltip, argument));
        }
    }
    lenses
}

/// The lens on a declaration, if the declaration is in the file.
fn lens(
    asked: &ScriptFile<'_>,
    id: DeclarationId,
    title: String,
    tooltip: Option<String>,
    (command, argument): (&str, Value),
) -> Option<CodeLens> {
    let span = asked.analysis.ast.declarations[id].span;
    (span.file == asked.file).then(|| {
        let uri = asked.places.documents.uri(asked.script);
        let arguments = Some(vec![json!(uri), argument]);
        let command = Command::new(title, tooltip, command.to_string(), arguments);
        CodeLens::new(asked.places.range(span), Some(command), None)
    })
}

/// The actions for the lines of `range`.
pub(crate) fn actions(
    asked: &ScriptFile<'_>,
    runs: &Runs,
    range: Range,
    context: &CodeActionContext,
) -> Vec<Value> {
    let mut found = match wants_fixes(context) {
        true => fixes(asked, range),
        false => Vec::new(),
    };
    let here = lenses(asked, runs).into_iter().filter(|lens| {
        lens.range.start.line <= range.end.line && range.start.line <= lens.range.end.line
    });
    found.extend(here.filter_map(|lens| lens.command).map(|command| {
        let title = match command.command.as_str() {
            CANCEL => "cancel the check of this assertion",
            STEP => "step this process in the browser",
            GRAPH => "show the graph of this process in the browser",
            _ => "check this assertion",
        };
        let (command, arguments) = (command.command, command.arguments);
        json!({ "title": title, "command": command, "arguments": arguments })
    }));
    found
}

/// True if an editor asks for actions that mend a mistake, or for all actions.
fn wants_fixes(context: &CodeActionContext) -> bool {
    let is_fix =
        |kind: &CodeActionKind| matches!(kind, CodeActionKind::QuickFix | CodeActionKind::Empty);
    let only = context.only.as_deref();
    only.is_none_or(|only| only.iter().any(is_fix))
}

/// The actions that mend mistakes in `range`. A mistake may end where `range` begins, or begin
/// where it ends.
fn fixes(asked: &ScriptFile<'_>, range: Range) -> Vec<Value> {
    let is_here = |span: Span| {
        span.file == asked.file && {
            let place = asked.places.range(span);
            place.start <= range.end && range.start <= place.end
        }
    };
    let problems = asked.analysis.problems.iter().filter(|problem| {
        let primary = problem.labels.first();
        !problem.fix().is_empty() && primary.is_some_and(|(span, _)| is_here(*span))
    });
    let actions = problems.map(|problem| {
        let mut edits: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for Replacement { span, text } in problem.fix() {
            let location = asked.places.location(*span);
            let edit = TextEdit::new(location.range, text.clone());
            edits.entry(location.uri).or_default().push(edit);
        }
        json!({
            "title": title(&asked.places, problem),
            "kind": CodeActionKind::QuickFix,
            "diagnostics": [about(&asked.places, problem, "").1],
            "isPreferred": true,
            "edit": { "changes": edits },
        })
    });
    actions.collect()
}

/// The title of the action that mends `problem`. A change that is made at several places is named
/// once.
fn title(places: &Places<'_>, problem: &Diagnostic) -> String {
    let mut each: Vec<(String, usize)> = Vec::new();
    for Replacement { span, text } in problem.fix() {
        let text = text.trim();
        let words = match places.sources.text(*span) {
            "" => format!("add `{text}`"),
            old => format!("write `{text}` instead of `{old}`"),
        };
        match each.iter_mut().find(|(other, _)| *other == words) {
            Some((_, times)) => *times += 1,
            None => each.push((words, 1)),
        }
    }
    let each = each.into_iter().map(|(words, times)| match times {
        1 => words,
        _ => format!("{words} in {times} places"),
    });
    each.collect::<Vec<_>>().join(" and ")
}
