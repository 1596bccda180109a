//! Where a name is introduced.

use gen_lsp_types::{Definition, DefinitionResponse};

use base::source::Span;
use types::occurrences::{Meaning, Occurrence};

use super::diagnostics::Places;

/// Where the name `occurrence` is introduced; built-ins are nowhere.
pub(super) fn definition(
    places: &Places<'_>,
    occurrence: &Occurrence,
) -> Option<DefinitionResponse> {
    let span = match occurrence.meaning {
        Meaning::Defined(name) => name.span,
        Meaning::File(file) => Span::new(file, 0, 0),
        Meaning::Builtin(_) => return None,
    };
    let location = places.location(span);
    Some(DefinitionResponse::Definition(Definition::Location(
        location,
    )))
}
