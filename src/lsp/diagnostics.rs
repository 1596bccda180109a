//! Messages as the editor shows them, each in the file that it is about.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message,
    PublishDiagnosticsParams, Range,
};

use base::diag::{self, Severity};
use base::index::TypedIndex;
use base::source::{SourceMap, Span};
use syntax::ast::DeclarationId;

use super::analysis::Analysis;
use super::documents::Documents;
use super::included::at_includes;
use super::outcome::CheckOutcome;
use super::positions::{Encoding, Lines};
use super::protocol::SOURCE;
use super::runs::Runs;
use super::scripts::Scripts;

/// What turns places of a script into places of the editor.
pub(super) struct Places<'a> {
    pub(super) documents: &'a Documents,
    pub(super) sources: &'a SourceMap,
    encoding: Encoding,
    /// The lines of each file in which a place was looked for: finding them takes time in
    /// proportion to the file.
    lines: Vec<OnceCell<Lines>>,
}

impl<'a> Places<'a> {
    /// The places of a script with these `sources`.
    pub(super) fn new(
        documents: &'a Documents,
        sources: &'a SourceMap,
        encoding: Encoding,
    ) -> Self {
        Self {
            documents,
            sources,
            encoding,
            lines: sources.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// Where `span` is in its file.
    pub(super) fn range(&self, span: Span) -> Range {
        let text = &self.sources.file(span.file).text;
        let lines = self.lines[span.file.index()].get_or_init(|| Lines::of(text));
        lines.range(text, span.range(), self.encoding)
    }

    /// Where `span` is.
    pub(super) fn location(&self, span: Span) -> Location {
        Location {
            uri: self.documents.uri(&self.sources.file(span.file).name),
            range: self.range(span),
        }
    }

    /// `problem` and the name of the file that it is about: `otherwise` if it has no place.
    pub(super) fn diagnostic(
        &self,
        problem: &diag::Diagnostic,
        otherwise: &str,
    ) -> (String, Diagnostic) {
        let mut labels = problem.labels.iter();
        let (file, range, label) = match labels.next() {
            Some((span, text)) => {
                let file = self.sources.file(span.file).name.clone();
                (file, self.range(*span), text.as_str())
            }
            None => (otherwise.to_string(), Range::default(), ""),
        };
        let related = labels.map(|(span, text)| DiagnosticRelatedInformation {
            location: self.location(*span),
            message: match text.as_str() {
                "" => "this belongs to it".to_string(),
                text => text.to_string(),
            },
        });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity(problem)),
            code: Some(Code::String(problem.code.to_string())),
            source: Some(SOURCE.to_string()),
            message: Message::String(message(problem, label)),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        };
        (file, diagnostic)
    }
}

/// How bad `problem` is.
pub(super) fn severity(problem: &diag::Diagnostic) -> DiagnosticSeverity {
    match problem.severity {
        Severity::Error | Severity::Undecided => DiagnosticSeverity::Error,
        Severity::Warning | Severity::Latent => DiagnosticSeverity::Warning,
    }
}

/// The message with what stands at its place, further facts and the hint, a line each.
fn message(problem: &diag::Diagnostic, label: &str) -> String {
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
    text
}

/// The messages that the editor has, by file.
#[derive(Default)]
pub(super) struct Published {
    files: BTreeMap<String, Vec<Diagnostic>>,
}

impl Published {
    /// What to send the editor now: the messages of each file for which they have changed, and of
    /// each open file in one of the scripts `renewed`, which were read again.
    pub(super) fn update(
        &mut self,
        documents: &Documents,
        scripts: &Scripts,
        runs: &Runs,
        encoding: Encoding,
        renewed: &[String],
    ) -> Vec<PublishDiagnosticsParams> {
        let mut now: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        let mut answered: Vec<String> = Vec::new();
        for (name, analysis) in scripts.iter() {
            if renewed.iter().any(|one| one == name) {
                let files = analysis.sources.iter().map(|(_, file)| file.name.clone());
                answered.extend(files.filter(|file| documents.named(file).is_some()));
            }
            let places = Places::new(documents, &analysis.sources, encoding);
            let problems = analysis.problems.iter();
            let problems = problems.map(|problem| places.diagnostic(problem, name));
            let verdicts = runs.verdicts(name);
            let verdicts = verdicts.flat_map(|(index, outcome)| {
                let assertion = analysis.assertions.get(index);
                let verdict = assertion
                    .and_then(|&assertion| of_verdict(analysis, &places, assertion, outcome));
                // What a check warns of has its places in what the check has read.
                let read = Places::new(documents, &outcome.sources, encoding);
                let warnings = outcome.warnings.iter();
                let warnings = warnings.map(|warning| read.diagnostic(warning, name));
                verdict.into_iter().chain(warnings.collect::<Vec<_>>())
            });
            let further = at_includes(&places, &analysis.problems);
            for (file, diagnostic) in problems.chain(verdicts).chain(further) {
                let all = now.entry(file).or_default();
                // Two scripts may include one file.
                if !all.contains(&diagnostic) {
                    all.push(diagnostic);
                }
            }
        }
        let known = self.files.keys().chain(now.keys()).chain(&answered);
        let mut known: Vec<String> = known.cloned().collect();
        known.sort_unstable();
        known.dedup();
        let changed = known
            .into_iter()
            .filter(|file| answered.contains(file) || self.files.get(file) != now.get(file));
        let messages = changed.map(|file| PublishDiagnosticsParams {
            uri: documents.uri(&file),
            version: documents.named(&file).map(|document| document.version),
            diagnostics: now.get(&file).cloned().unwrap_or_default(),
        });
        let messages = messages.collect();
        self.files = now;
        messages
    }
}

/// The message of an outcome, and its file: the problem at its place or, if it has none, at the
/// assertion.
fn of_verdict(
    analysis: &Analysis,
    places: &Places<'_>,
    assertion: DeclarationId,
    outcome: &CheckOutcome,
) -> Option<(String, Diagnostic)> {
    let place = analysis.ast.declarations[assertion].span;
    let file = analysis.sources.file(place.file).name.clone();
    match &outcome.problem {
        Some(problem) if !problem.labels.is_empty() => {
            let places = Places::new(places.documents, &outcome.sources, places.encoding);
            Some(places.diagnostic(problem, &file))
        }
        _ => Some((file, outcome.diagnostic(places.range(place))?)),
    }
}
