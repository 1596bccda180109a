//! What stands above each assertion, a command that checks it, and its verdict; and above each
//! process, commands that open the page. Editors that show nothing there have the same commands as
//! actions.

use gen_lsp_types::{CodeActionResponse, CodeLens, Command, Range};
use serde_json::json;

use base::source::FileId;

use super::analysis::Analysis;
use super::diagnostics::Places;
use super::protocol::{CANCEL, CHECK, GRAPH, STEP};
use super::runs::Runs;

/// The lenses on the assertions and processes of `script` that stand in `file`.
pub(super) fn lenses(
    analysis: &Analysis,
    places: &Places<'_>,
    script: &str,
    file: FileId,
    runs: &Runs,
) -> Vec<CodeLens> {
    let mut all = on_assertions(analysis, places, script, file, runs);
    all.extend(on_processes(analysis, places, script, file));
    all
}

/// The lenses that open the page of `script` at a process.
fn on_processes(
    analysis: &Analysis,
    places: &Places<'_>,
    script: &str,
    file: FileId,
) -> Vec<CodeLens> {
    let uri = places.documents.uri(script);
    let each = analysis.processes.iter().flat_map(|&(id, name)| {
        let span = analysis.ast.declarations[id].span;
        let range = (span.file == file).then(|| places.range(span));
        let name = analysis.ast.name(name);
        let commands = [("step this process", STEP), ("show its graph", GRAPH)];
        let uri = &uri;
        let lenses = commands.map(|(title, command)| {
            Some(CodeLens {
                range: range?,
                command: Some(Command {
                    title: title.to_string(),
                    tooltip: Some(format!("opens the page of this script at {name}")),
                    command: command.to_string(),
                    arguments: Some(vec![json!(uri), json!(name)]),
                }),
                data: None,
            })
        });
        lenses.into_iter().flatten()
    });
    each.collect()
}

/// The lenses on assertions.
fn on_assertions(
    analysis: &Analysis,
    places: &Places<'_>,
    script: &str,
    file: FileId,
    runs: &Runs,
) -> Vec<CodeLens> {
    let uri = places.documents.uri(script);
    let assertions = analysis.assertions.iter().enumerate();
    let lenses = assertions.filter_map(|(index, &id)| {
        let span = analysis.ast.declarations[id].span;
        if span.file != file {
            return None;
        }
        let verdict = runs.verdict(script, index);
        let (title, command) = match verdict {
            _ if runs.is_running(script, index) => ("checking … (cancel)".to_string(), CANCEL),
            Some(outcome) => (outcome.title(), CHECK),
            None => ("check".to_string(), CHECK),
        };
        Some(CodeLens {
            range: places.range(span),
            command: Some(Command {
                title,
                tooltip: verdict.map(|outcome| outcome.text()),
                command: command.to_string(),
                arguments: Some(vec![json!(uri), json!(index)]),
            }),
            data: None,
        })
    });
    lenses.collect()
}

/// What of `lenses` can be done for the lines of `range`.
pub(super) fn actions(lenses: Vec<CodeLens>, range: Range) -> Vec<CodeActionResponse> {
    let here = lenses.into_iter().filter(|lens| {
        lens.range.start.line <= range.end.line && range.start.line <= lens.range.end.line
    });
    let commands = here.filter_map(|lens| lens.command).map(|command| {
        let title = match command.command.as_str() {
            CANCEL => "cancel the check of this assertion",
            STEP => "step this process in the browser",
            GRAPH => "show the graph of this process in the browser",
            _ => "check this assertion",
        };
        CodeActionResponse::Command(Command {
            title: title.to_string(),
            tooltip: None,
            ..command
        })
    });
    commands.collect()
}
