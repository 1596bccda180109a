//! The meaning of a name: its type and comment, the place where it is introduced, and its other
//! places.

use std::ops::Range;

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};
use serde_json::{Value, json};

use base::source::{SourceMap, Span};
use types::occurrences::{DefinedName, Meaning, Occurrence};
use types::scope::NameKind;

use super::analysis::{Analysis, builtin_type};
use super::scripts::{ScriptFile, Scripts};

/// The place where the name `occurrence` is introduced; built-ins have none.
pub(crate) fn definition(asked: &ScriptFile<'_>, occurrence: &Occurrence) -> Option<Location> {
    let span = match occurrence.meaning {
        Meaning::Defined(name) => name.span,
        Meaning::File(file) => Span::new(file, 0, 0),
        Meaning::Builtin(_) => return None,
    };
    Some(asked.places.location(span))
}

/// True if this occurrence introduces the name.
pub(crate) fn is_introduced(occurrence: &Occurrence) -> bool {
    matches!(occurrence.meaning, Meaning::Defined(name) if name.span == occurrence.span)
}

/// The places of the names in `script` with the meaning that `occurrence` has in the script
/// `asked`. Places are compared by the names of files: two scripts may include one file, and one
/// script may include it twice.
pub(crate) fn uses<'a>(
    script: &'a Analysis,
    asked: &'a Analysis,
    occurrence: &'a Occurrence,
) -> impl Iterator<Item = &'a Occurrence> {
    let (sources, others) = (&script.sources, &asked.sources);
    let all = script.names.all.iter();
    all.filter(move |one| match (one.meaning, occurrence.meaning) {
        (Meaning::Defined(one), Meaning::Defined(other)) => {
            place(sources, one.span) == place(others, other.span)
        }
        (Meaning::File(one), Meaning::File(other)) => {
            sources.file(one).name == others.file(other).name
        }
        (one, other) => one == other,
    })
}

fn place(sources: &SourceMap, span: Span) -> (&str, Range<usize>) {
    (&sources.file(span.file).name, span.range())
}

/// The places of all names with the meaning of `occurrence`, in all open scripts and the files that
/// they include, by file.
pub(crate) fn references(
    scripts: &Scripts,
    asked: &ScriptFile<'_>,
    occurrence: &Occurrence,
    with_declaration: bool,
) -> Vec<Location> {
    let mut found = Vec::new();
    for script in scripts.iter() {
        let places = scripts.places(&script.analysis.sources);
        for one in uses(&script.analysis, asked.analysis, occurrence) {
            if with_declaration || !is_introduced(one) {
                found.push(places.location(one.span));
            }
        }
    }
    found.sort_by(|one, other| (&one.uri.0, one.range).cmp(&(&other.uri.0, other.range)));
    found.dedup();
    found
}

/// The places in the file of all names with the meaning of `occurrence`.
pub(crate) fn highlights(
    asked: &ScriptFile<'_>,
    occurrence: &Occurrence,
) -> Vec<DocumentHighlight> {
    let analysis = asked.analysis;
    let found = uses(analysis, analysis, occurrence);
    let here = found.filter(|one| one.span.file == asked.file);
    let highlights = here.map(|one| {
        let kind = match is_introduced(one) {
            true => DocumentHighlightKind::Write,
            false => DocumentHighlightKind::Read,
        };
        DocumentHighlight::new(asked.places.range(one.span), Some(kind))
    });
    highlights.collect()
}

/// The text to show about the name `occurrence`.
pub(crate) fn hover(asked: &ScriptFile<'_>, occurrence: &Occurrence) -> Value {
    let headline = headline(asked.analysis, occurrence);
    let mut value = format!("```cspm\n{headline}\n```");
    if let Some(comment) = comment(asked.analysis, occurrence) {
        // Line breaks of a comment are kept: it may hold a table, or an example.
        value += &format!("\n\n---\n\n{}", comment.replace('\n', "  \n"));
    }
    let range = asked.places.range(occurrence.span);
    json!({ "contents": { "kind": "markdown", "value": value }, "range": range })
}

/// `name :: type`, or another line about a name without a type.
fn headline(analysis: &Analysis, occurrence: &Occurrence) -> String {
    let name = match occurrence.meaning {
        Meaning::Builtin(builtin) => {
            return format!("{} :: {}", builtin.name(), builtin_type(builtin));
        }
        Meaning::File(file) => return format!("-- {}", analysis.sources.file(file).name),
        Meaning::Defined(name) => name,
    };
    if let (NameKind::Module | NameKind::Instance, Some(id)) = (name.kind, name.declaration) {
        let text = analysis.sources.text(analysis.ast.declarations[id].span);
        return text.lines().next().unwrap_or("").trim_end().to_string();
    }
    let text = analysis.ast.name(name.symbol);
    match type_at(analysis, &name, occurrence) {
        Some(ty) => format!("{text} :: {ty}"),
        None => text.to_string(),
    }
}

/// The type of a name for all its uses. For a member of an instance that would be the type inside
/// the module, so the type of this use is taken. It is taken too where a mistake hides the type for
/// all uses.
fn type_at(analysis: &Analysis, name: &DefinedName, occurrence: &Occurrence) -> Option<String> {
    let of_use = || analysis.type_of_use(occurrence.expression?);
    let of_all = || analysis.type_of(name);
    match occurrence.is_of_instance {
        true => of_use().or_else(of_all),
        false => of_all().or_else(of_use),
    }
}

/// The comment above a name. If it has none of its own, it is the one above its whole declaration.
fn comment(analysis: &Analysis, occurrence: &Occurrence) -> Option<String> {
    let Meaning::Defined(name) = occurrence.meaning else {
        return None;
    };
    let text = &analysis.sources.file(name.span.file).text;
    let span = analysis.ast.declarations[name.declaration?].span;
    let above = |span: Span| comment_above(text, span.start as usize);
    above(name.span).or_else(|| above(span))
}

/// The comment on the lines right above the byte `at` of `text`, without its signs. A row of signs
/// that only draws a line is left out, and so are directives (`--!`).
fn comment_above(text: &str, at: usize) -> Option<String> {
    let (above, _) = text.get(..at)?.rsplit_once('\n')?;
    let above = above.trim_end_matches('\r');
    // A comment is separate if an empty line follows it.
    let lines = match above.trim_end_matches([' ', '\t']).strip_suffix("-}") {
        Some(inner) => block(inner)?,
        None => line_comments(above),
    };
    let text = lines.join("\n");
    let text = text.trim_matches('\n').trim_end();
    (!text.is_empty()).then(|| text.to_string())
}

/// The lines of the comment `{- ...` at the end of `text`, if it begins a line.
fn block(text: &str) -> Option<Vec<String>> {
    let (before, inside) = text.rsplit_once("{-")?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    let lines = inside.lines().map(|line| line.trim().to_string());
    line.trim().is_empty().then(|| lines.collect())
}

/// The lines `-- ...` at the end of `above`.
fn line_comments(above: &str) -> Vec<String> {
    let lines = above.rsplit('\n');
    let comments = lines.map_while(|line| line.trim().strip_prefix("--"));
    let is_text = |comment: &&str| {
        let text = comment.trim();
        let says_something = text.contains(|sign| sign != '-' && sign != '=');
        !comment.starts_with('!') && (text.is_empty() || says_something)
    };
    let text = |comment: &str| {
        let text = comment.strip_prefix(' ').unwrap_or(comment);
        text.trim_end().to_string()
    };
    let mut lines: Vec<String> = comments.filter(is_text).map(text).collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above_p(text: &str) -> Option<String> {
        comment_above(text, text.find("P =").unwrap())
    }

    #[test]
    fn the_lines_right_above_are_the_comment() {
        let text = "-- far away\n\n-- ----\n-- One\r\n--   and two.\nP = STOP\n";
        assert_eq!(above_p(text).as_deref(), Some("One\n  and two."));
        assert_eq!(above_p("-- apart\n\nP = STOP"), None);
        assert_eq!(above_p("P = STOP"), None);
        assert_eq!(above_p("--! check FILE\nP = STOP"), None);
        assert_eq!(above_p("Q = STOP -- of Q\nP = STOP"), None);
    }

    #[test]
    fn a_block_counts_if_it_stands_by_itself() {
        let text = "{- One\n   and two. -}\n  P = STOP";
        assert_eq!(above_p(text).as_deref(), Some("One\nand two."));
        assert_eq!(above_p("Q = STOP {- of Q -}\nP = STOP"), None);
        assert_eq!(above_p("{- apart -}\n\nP = STOP"), None);
    }
}
