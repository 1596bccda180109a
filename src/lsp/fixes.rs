//! What messages say was meant, as changes that an editor can make.

use std::collections::HashMap;

use gen_lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionResponse, Range, TextEdit, Uri,
    WorkspaceEdit,
};

use base::diag::{Diagnostic, Replacement};
use base::source::FileId;

use super::analysis::Analysis;
use super::diagnostics::Places;

/// Whether an editor asks for what mends a mistake, or for all that there is.
pub(super) fn wants_fixes(context: &CodeActionContext) -> bool {
    let only = context.only.as_deref();
    only.is_none_or(|only| {
        let fits = |kind: &CodeActionKind| {
            matches!(kind, CodeActionKind::QuickFix | CodeActionKind::Empty)
        };
        only.iter().any(fits)
    })
}

/// What can be mended in `range` of `file`.
pub(super) fn fixes(
    analysis: &Analysis,
    places: &Places<'_>,
    file: FileId,
    range: Range,
) -> Vec<CodeActionResponse> {
    let problems = analysis.problems.iter().filter(|problem| {
        let primary = problem.labels.first();
        primary.is_some_and(|(span, _)| span.file == file && meet(places.range(*span), range))
    });
    let fixes = problems.filter(|problem| !problem.fix().is_empty());
    let actions = fixes.map(|problem| {
        let mut edits: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for Replacement { span, text } in problem.fix() {
            let location = places.location(*span);
            let edit = TextEdit::new(location.range, text.clone());
            edits.entry(location.uri).or_default().push(edit);
        }
        let (_, diagnostic) = places.diagnostic(problem, "");
        CodeActionResponse::CodeAction(CodeAction {
            title: title(places, problem),
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![diagnostic]),
            is_preferred: Some(true),
            edit: Some(WorkspaceEdit {
                changes: Some(edits),
                ..WorkspaceEdit::default()
            }),
            ..CodeAction::default()
        })
    });
    actions.collect()
}

/// What is done, in words: the same done at several places is said once.
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

/// Whether two ranges have a place in common, if only where one ends and the other begins.
fn meet(one: Range, other: Range) -> bool {
    let place = |at: gen_lsp_types::Position| (at.line, at.character);
    place(one.start) <= place(other.end) && place(other.start) <= place(one.end)
}
