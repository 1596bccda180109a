//! Messages about included files, shown at their `include` too: who looks at a script sees that
//! something is wrong with what it is made of.

use std::path::Path;

use gen_lsp_types::{Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Message};

use base::diag;
use base::source::Span;

use super::diagnostics::{Places, severity};
use super::protocol::SOURCE;

/// How many messages are listed at an `include`. In the file itself all of them stand.
const LISTED: usize = 20;

/// The messages of one severity about what one `include` brings in.
struct AtInclude<'a> {
    place: Span,
    severity: DiagnosticSeverity,
    /// With their places.
    problems: Vec<(&'a diag::Diagnostic, Span)>,
}

/// What to show at the includes of a script with these `problems`, with the name of the file.
pub(super) fn at_includes(
    places: &Places<'_>,
    problems: &[diag::Diagnostic],
) -> Vec<(String, Diagnostic)> {
    let mut found: Vec<AtInclude<'_>> = Vec::new();
    for problem in problems {
        let Some(&(span, _)) = problem.labels.first() else {
            continue;
        };
        let severity = severity(problem);
        for place in places.sources.includes(span.file) {
            let same = |one: &&mut AtInclude<'_>| one.place == place && one.severity == severity;
            match found.iter_mut().find(same) {
                Some(one) => one.problems.push((problem, span)),
                None => found.push(AtInclude {
                    place,
                    severity,
                    problems: vec![(problem, span)],
                }),
            }
        }
    }
    let each = found.iter().map(|one| one.diagnostic(places));
    each.collect()
}

impl AtInclude<'_> {
    fn diagnostic(&self, places: &Places<'_>) -> (String, Diagnostic) {
        let related = self.problems.iter().take(LISTED);
        let related = related.map(|(problem, span)| DiagnosticRelatedInformation {
            location: places.location(*span),
            message: problem.message.clone(),
        });
        // A group begins with its first message.
        let (first, span) = self.problems[0];
        let diagnostic = Diagnostic {
            range: places.range(self.place),
            severity: Some(self.severity),
            code: Some(Code::String(first.code.to_string())),
            source: Some(SOURCE.to_string()),
            message: Message::String(self.message(places, first, span)),
            related_information: Some(related.collect()),
            ..Diagnostic::default()
        };
        let file = places.sources.file(self.place.file).name.clone();
        (file, diagnostic)
    }

    fn message(&self, places: &Places<'_>, first: &diag::Diagnostic, span: Span) -> String {
        let path = Path::new(&places.sources.file(span.file).name);
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy();
        let line = places.range(span).start.line + 1;
        let message = &first.message;
        match self.problems.len() {
            1 => format!("in `{name}`, line {line}: {message}"),
            count => {
                let kind = match self.severity {
                    DiagnosticSeverity::Error => "mistakes",
                    _ => "warnings",
                };
                format!("{count} {kind}; the first in `{name}`, line {line}: {message}")
            }
        }
    }
}
