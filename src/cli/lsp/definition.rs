//! Where a name is introduced.

use gen_lsp_types::{Definition, DefinitionResponse};

use crate::source::{FileId, Span};

use super::analysis::Analysis;
use super::diagnostics::Places;
use super::names::Target;

/// Where the name at the byte `at` of `file` is introduced; built-ins are nowhere.
pub(super) fn definition(
    analysis: &Analysis,
    places: &Places<'_>,
    file: FileId,
    at: usize,
) -> Option<DefinitionResponse> {
    let occurrence = analysis.names.at(file, at as u32)?;
    let span = match occurrence.target {
        Target::Definition(id) => analysis.names.definitions[id].span,
        Target::File(file) => Span::new(file, 0, 0),
        Target::Builtin(_) => return None,
    };
    let location = places.location(span);
    Some(DefinitionResponse::Definition(Definition::Location(
        location,
    )))
}
