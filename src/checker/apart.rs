//! What can be said of the names and types of a script of which parts could not be read.

use rustc_hash::FxHashSet;

use crate::diag::Diagnostic;
use crate::source::SourceMap;
use crate::syntax::ast::Ast;
use crate::syntax::unread_names;

/// Where such a mistake is, more is missing than the names that stand there.
const BRINGING_NAMES: [&str; 5] = [
    "cyclic-include",
    "include-not-found",
    "include-outside-root",
    "unclosed-comment",
    "unreadable-file",
];

/// Errors that say that a name is missing.
const MISSING: [&str; 2] = ["unknown-name", "unused-annotation"];

/// Of the errors that were `found` in names and types, those that stand apart from what could not
/// be read, which `problems` say: no name is missing in them that the rest of the script may
/// define.
pub fn apart_from_unread(
    ast: &Ast,
    sources: &SourceMap,
    problems: &[Diagnostic],
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_known = |problem: &Diagnostic| !BRINGING_NAMES.contains(&problem.code);
    let names = problems
        .iter()
        .all(is_known)
        .then(|| unread_names(ast, sources));
    let Some(names) = names.flatten() else {
        return Vec::new();
    };
    // `tock` need not stand where it is missing.
    found.retain(|problem| problem.is_error() && problem.code != "timed-tock");
    let is_missing = |problem: &Diagnostic| MISSING.contains(&problem.code);
    let words = |problem: &Diagnostic| -> Vec<String> {
        let places = problem.labels.iter().map(|label| sources.text(label.0));
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '\'';
        let words = places.flat_map(|text| text.split(move |sign| !is_name(sign)));
        words.map(str::to_string).collect()
    };
    let reports = found.iter().filter(|problem| is_missing(problem));
    let missing: FxHashSet<String> = reports
        .flat_map(words)
        .filter(|word| names.contains(word))
        .collect();
    found.retain(|problem| !words(problem).iter().any(|word| missing.contains(word)));
    found
}
