//! The errors in names and types that still count where parts of a script could not be read.

use rustc_hash::FxHashSet;

use base::diag::Diagnostic;
use base::source::SourceMap;
use syntax::UnreadParts;
use syntax::ast::Ast;

/// Mistakes because of which others may be reported anywhere: names or types are missing that need
/// not stand where the mistake is.
const FAR_REACHING: [&str; 6] = [
    "cyclic-include",
    "empty-type",
    "include-not-found",
    "include-outside-root",
    "unclosed-comment",
    "unreadable-file",
];

/// Errors that say that a name is missing.
const MISSING: [&str; 2] = ["unknown-name", "unused-annotation"];

/// The errors among `found`, which are in names and types, that do not come from the parts that
/// could not be read; `problems` say which parts these are. Such an error is in another
/// declaration, and no name is missing in it that an unread part may define.
pub fn apart_from_unread(
    ast: &Ast,
    sources: &SourceMap,
    problems: &[Diagnostic],
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_near = |problem: &Diagnostic| !FAR_REACHING.contains(&problem.code);
    let parts = problems
        .iter()
        .all(is_near)
        .then(|| UnreadParts::of(ast, sources));
    let Some(parts) = parts.flatten() else {
        return Vec::new();
    };
    let declaration = |problem: &Diagnostic| parts.declaration(problem.labels.first()?.0);
    let errors = problems.iter().filter(|problem| problem.is_error());
    let spoilt: FxHashSet<_> = errors.filter_map(declaration).collect();
    found.retain(|problem| {
        let is_spoilt = declaration(problem).is_some_and(|at| spoilt.contains(&at));
        // `tock` need not stand where it is missing.
        problem.is_error() && !is_spoilt && problem.code != "timed-tock"
    });
    let is_missing = |problem: &&Diagnostic| MISSING.contains(&problem.code);
    let missing: FxHashSet<String> = found
        .iter()
        .filter(is_missing)
        .flat_map(|problem| words(sources, problem))
        .filter(|word| parts.names.contains(*word))
        .map(str::to_string)
        .collect();
    found.retain(|problem| !words(sources, problem).any(|word| missing.contains(word)));
    found
}

/// The words in all places of `problem`.
fn words<'a>(sources: &'a SourceMap, problem: &'a Diagnostic) -> impl Iterator<Item = &'a str> {
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '\'';
    let places = problem.labels.iter().map(|label| sources.text(label.0));
    places.flat_map(move |text| text.split(move |sign| !is_name(sign)))
}
