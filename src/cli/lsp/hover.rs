//! What is known of a name: its type, and the comment above its definition.

use gen_lsp_types::{Contents, Hover, MarkupContent, MarkupKind};

use super::analysis::{Analysis, builtin_type};
use super::comments;
use super::diagnostics::Places;
use super::names::{Definition, Kind, Occurrence, Origin, Target};

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
    match occurrence.target {
        Target::Builtin(builtin) => format!("{} :: {}", builtin.name(), builtin_type(builtin)),
        Target::File(file) => format!("-- {}", analysis.sources.file(file).name),
        Target::Definition(id) => {
            let definition = &analysis.names.definitions[id];
            let name = analysis.name(definition);
            match (definition.kind, definition.origin) {
                (Kind::Module | Kind::Instance, Origin::Declaration(id)) => {
                    analysis.first_line(id).to_string()
                }
                _ => match type_at(analysis, definition, occurrence) {
                    Some(ty) => format!("{name} :: {ty}"),
                    None => name.to_string(),
                },
            }
        }
    }
}

/// The type of a name for all its uses. Of a member of an instance that would be the one inside of the module, so there it is that
/// of this use; and also where a mistake keeps the other from being known.
fn type_at(
    analysis: &Analysis,
    definition: &Definition,
    occurrence: &Occurrence,
) -> Option<String> {
    let of_use = || analysis.type_of_use(occurrence.expression?);
    let of_all = || analysis.type_of(definition);
    match occurrence.is_of_instance {
        true => of_use().or_else(of_all),
        false => of_all().or_else(of_use),
    }
}

/// The comment above a name or, if it has none of its own, above all of its declaration.
fn comment(analysis: &Analysis, occurrence: &Occurrence) -> Option<String> {
    let Target::Definition(id) = occurrence.target else {
        return None;
    };
    let definition = &analysis.names.definitions[id];
    let Origin::Declaration(declaration) = definition.origin else {
        return None;
    };
    let text = &analysis.sources.file(definition.span.file).text;
    let span = analysis.ast.declarations[declaration].span;
    comments::above(text, definition.span.start as usize)
        .or_else(|| comments::above(text, span.start as usize))
}
