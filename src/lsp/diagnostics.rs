//! Messages as the editor shows them, each in the file that it is about. Messages about included
//! files stand at their `include` too, so that the reader of a script sees that a part of it is
//! wrong.

use std::collections::BTreeMap;
use std::path::Path;

use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Message,
    PublishDiagnosticsParams, Range,
};

use base::diag::{self, Severity};
use base::source::Span;
use report::assertion::Verdict;

use super::outcome::CheckOutcome;
use super::protocol::SOURCE;
use super::runs::Runs;
use super::scripts::{Places, RootScript, Scripts};

/// The number of messages that are listed at an `include`. The file itself has all of them.
const LISTED: usize = 20;

/// The messages that the editor has, by file.
pub(crate) type Published = BTreeMap<String, Vec<Diagnostic>>;

/// Returns the messages to send the editor, which has those in `published`: for each file whose
/// messages have changed, and for each open file in one of the scripts `renewed`, which were read
/// again.
pub(crate) fn update(
    published: &mut Published,
    scripts: &Scripts,
    runs: &Runs,
    renewed: &[String],
) -> Vec<PublishDiagnosticsParams> {
    let documents = &scripts.documents;
    let mut now = Published::default();
    let mut answered: Vec<String> = Vec::new();
    for script in scripts.iter() {
        if renewed.contains(&script.name) {
            let files = script.analysis.sources.iter();
            let open = files.filter(|(_, file)| documents.named(&file.name).is_some());
            answered.extend(open.map(|(_, file)| file.name.clone()));
        }
        for (file, diagnostic) in of_script(scripts, script, runs) {
            let all = now.entry(file).or_default();
            // Two scripts may include one file.
            if !all.contains(&diagnostic) {
                all.push(diagnostic);
            }
        }
    }
    let known = published.keys().chain(now.keys()).chain(&answered);
    let mut known: Vec<&String> = known.collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|&file| answered.contains(file) || published.get(file) != now.get(file));
    let messages = known.into_iter().map(|file| {
        let version = documents.named(file).map(|document| document.version);
        let diagnostics = now.get(file).cloned().unwrap_or_default();
        PublishDiagnosticsParams::new(documents.uri(file), version, diagnostics)
    });
    let messages = messages.collect();
    *published = now;
    messages
}

/// The messages of a script, each with the name of its file: mistakes in the script, results of
/// runs, and mistakes in the files that it includes.
fn of_script(scripts: &Scripts, script: &RootScript, runs: &Runs) -> Vec<(String, Diagnostic)> {
    let RootScript { name, analysis, .. } = script;
    let places = scripts.places(&analysis.sources);
    let said = |problem: &diag::Diagnostic| about(&places, problem, name);
    let mut found: Vec<_> = analysis.problems.iter().map(said).collect();
    for (&index, outcome) in runs.verdicts(name) {
        // The messages of a check have their places in the texts that the check has read.
        let read = scripts.places(&outcome.sources);
        if let Some(&assertion) = analysis.assertions.get(index) {
            let place = analysis.ast.declarations[assertion].span;
            let file = &analysis.sources.file(place.file).name;
            match &outcome.problem {
                Some(problem) if !problem.labels.is_empty() => {
                    found.push(about(&read, problem, file));
                }
                _ => {
                    let verdict = of_verdict(outcome, places.range(place));
                    found.extend(verdict.map(|verdict| (file.clone(), verdict)));
                }
            }
        }
        let warnings = outcome.warnings.iter();
        found.extend(warnings.map(|warning| about(&read, warning, name)));
    }
    let at_includes = at_includes(&places, &analysis.problems);
    found.extend(at_includes.iter().map(said));
    found
}

/// `problem` as the editor shows it, and the name of its file: `otherwise` if it has no place.
pub(crate) fn about(
    places: &Places<'_>,
    problem: &diag::Diagnostic,
    otherwise: &str,
) -> (String, Diagnostic) {
    let mut labels = problem.labels.iter();
    let (file, range, label) = match labels.next() {
        Some((span, text)) => (
            &places.sources.file(span.file).name[..],
            places.range(*span),
            &text[..],
        ),
        None => (otherwise, Range::default(), ""),
    };
    let mut text = problem.message.clone();
    if !label.is_empty() {
        text += &format!("\n{label}");
    }
    for note in &problem.notes {
        text += &format!("\nnote: {note}");
    }
    if let Some(hint) = &problem.hint {
        text += &format!("\nhelp: {hint}");
    }
    let related = labels.map(|(span, text)| {
        let text = if text.is_empty() {
            "this belongs to it"
        } else {
            text
        };
        DiagnosticRelatedInformation::new(places.location(*span), text.to_string())
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    let diagnostic = Diagnostic {
        related_information: (!related.is_empty()).then_some(related),
        ..shown(range, severity(problem), problem.code, text)
    };
    (file.to_string(), diagnostic)
}

/// A message for the editor with the words `text`.
fn shown(range: Range, severity: DiagnosticSeverity, code: &str, text: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(Code::String(code.to_string())),
        source: Some(SOURCE.to_string()),
        message: Message::String(text),
        ..Diagnostic::default()
    }
}

/// The severity of `problem` for the editor.
fn severity(problem: &diag::Diagnostic) -> DiagnosticSeverity {
    match problem.severity {
        Severity::Error | Severity::Undecided => DiagnosticSeverity::Error,
        Severity::Warning | Severity::Latent => DiagnosticSeverity::Warning,
    }
}

/// The message at an assertion, whose place is `range`. Returns `None` if the assertion holds and
/// there is nothing more to tell.
fn of_verdict(outcome: &CheckOutcome, range: Range) -> Option<Diagnostic> {
    let severity = match outcome.report.verdict {
        Verdict::Pass if outcome.report.counterexample.is_none() => return None,
        Verdict::Pass => DiagnosticSeverity::Information,
        Verdict::Fail | Verdict::Unknown => DiagnosticSeverity::Warning,
        Verdict::Error => DiagnosticSeverity::Error,
    };
    Some(shown(range, severity, &outcome.code(), outcome.text()))
}

/// The problems of one severity at one include, each with its place.
type IncludeGroup<'p> = (
    (Span, DiagnosticSeverity),
    Vec<(&'p diag::Diagnostic, Span)>,
);

/// The messages at the includes of a script with these `problems`. There is one for each include
/// and severity, with the number of problems in the files that it brings in, the text of the first,
/// and the places.
fn at_includes(places: &Places<'_>, problems: &[diag::Diagnostic]) -> Vec<diag::Diagnostic> {
    let mut groups: Vec<IncludeGroup<'_>> = Vec::new();
    for problem in problems {
        let Some(&(span, _)) = problem.labels.first() else {
            continue;
        };
        for place in places.sources.includes(span.file) {
            let key = (place, severity(problem));
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, group)) => group.push((problem, span)),
                None => groups.push((key, vec![(problem, span)])),
            }
        }
    }
    let each = groups.into_iter().map(|((place, severity), group)| {
        // A group begins with its first message.
        let (first, span) = group[0];
        let path = Path::new(&places.sources.file(span.file).name);
        let name = path.file_name().unwrap_or(path.as_os_str());
        let (name, line) = (name.to_string_lossy(), places.range(span).start.line + 1);
        let at = format!("in `{name}`, line {line}: {}", first.message);
        let text = match (group.len(), severity) {
            (1, _) => at,
            (count, DiagnosticSeverity::Error) => format!("{count} mistakes; the first {at}"),
            (count, _) => format!("{count} warnings; the first {at}"),
        };
        let problem = match severity {
            DiagnosticSeverity::Error => diag::Diagnostic::error(first.code, text),
            _ => diag::Diagnostic::warning(first.code, text),
        };
        let listed = group.into_iter().take(LISTED);
        listed.fold(problem.at(place, ""), |problem, (one, span)| {
            problem.at(span, one.message.clone())
        })
    });
    each.collect()
}
