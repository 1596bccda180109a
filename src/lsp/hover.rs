//! What is known of a name: its type, and the comment above its definition.

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use types::occurrences::{DefinedName, Meaning, Occurrence};
use types::scope::NameKind;

use super::analysis::{Analysis, builtin_type};
use super::comments;
use super::diagnostics::Places;

/// What to show of the name `occurrence`.
pub(super) fn hover(
    analysis: &Analysis,
    places: &Places<'_>,
    occurrence: &Occurrence,
) -> Option<Hover> {
    let mut text = format!("```cspm\n{}\n```", headline(analysis, occurrence));
    if let Some(comment) = comment(analysis, occurrence) {
        // Line breaks of a comment are kept: it may hold a table, or an example.
        text += &format!("\n\n---\n\n{}", comment.replace('\n', "  \n"));
    }
    let contents = MarkupContent {
        kind: MarkupKind::Markdown,
        value: text,
    };
    Some(Hover {
        contents: Contents::MarkupContent(contents),
        range: Some(places.range(occurrence.span)),
    })
}

/// `name :: type`, or what else says most of it in one line.
fn headline(analysis: &Analysis, occurrence: &Occurrence) -> String {
    match occurrence.meaning {
        Meaning::Builtin(builtin) => format!("{} :: {}", builtin.name(), builtin_type(builtin)),
        Meaning::File(file) => format!("-- {}", analysis.sources.file(file).name),
        Meaning::Defined(name) => match (name.kind, name.declaration) {
            (NameKind::Module | NameKind::Instance, Some(id)) => {
                analysis.first_line(id).to_string()
            }
            _ => {
                let text = analysis.ast.name(name.symbol);
                match type_at(analysis, &name, occurrence) {
                    Some(ty) => format!("{text} :: {ty}"),
                    None => text.to_string(),
                }
            }
        },
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

/// The comment above a name or, if it has none of its own, above all of its declaration.
fn comment(analysis: &Analysis, occurrence: &Occurrence) -> Option<String> {
    let Meaning::Defined(name) = occurrence.meaning else {
        return None;
    };
    let text = &analysis.sources.file(name.span.file).text;
    let span = analysis.ast.declarations[name.declaration?].span;
    comments::above(text, name.span.start as usize)
        .or_else(|| comments::above(text, span.start as usize))
}
