//! Where a name is introduced.

use gen_lsp_types::{Definition, DefinitionResponse};

use crate::source::Span;

use super::analysis::Analysis;
use super::diagnostics::Places;
use super::names::{Occurrence, Target};

/// Where the name `occurrence` is introduced; built-ins are nowhere.
pub(super) fn definition(
    analysis: &Analysis,
    places: &Places<'_>,
    occurrence: &Occurrence,
) -> Option<DefinitionResponse> {
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
