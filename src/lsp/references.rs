//! Where else a name stands that means the same.

use std::ops::Range as Bytes;

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};

use base::source::{FileId, SourceMap, Span};
use types::builtin::Builtin;
use types::occurrences::{Meaning, Occurrence};

use super::analysis::Analysis;
use super::diagnostics::Places;
use super::documents::Documents;
use super::positions::Encoding;
use super::scripts::Scripts;

/// What a name means, in every script: two scripts may include one file, and one script may include
/// it twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// What is introduced at these bytes of the file with this name.
    Defined(String, Bytes<usize>),
    Builtin(Builtin),
    /// The file with this name.
    File(String),
}

impl Target {
    /// What `meaning` is.
    pub(super) fn of(sources: &SourceMap, meaning: Meaning) -> Self {
        let file = |id: FileId| sources.file(id).name.clone();
        match meaning {
            Meaning::Defined(name) => Self::Defined(file(name.span.file), name.span.range()),
            Meaning::Builtin(builtin) => Self::Builtin(builtin),
            Meaning::File(id) => Self::File(file(id)),
        }
    }
}

/// Where names with the meaning `target` stand in the script.
pub(super) fn uses<'a>(
    analysis: &'a Analysis,
    target: &'a Target,
) -> impl Iterator<Item = &'a Occurrence> {
    let all = analysis.names.all.iter();
    all.filter(move |one| Target::of(&analysis.sources, one.meaning) == *target)
}

/// Whether the name is introduced where it stands.
pub(super) fn is_introduced(occurrence: &Occurrence) -> bool {
    matches!(occurrence.meaning, Meaning::Defined(name) if name.span == occurrence.span)
}

/// All places of `target` in all open scripts and what they include, by file.
pub(super) fn references(
    documents: &Documents,
    scripts: &Scripts,
    encoding: Encoding,
    target: &Target,
    with_declaration: bool,
) -> Vec<Location> {
    let mut found = Vec::new();
    for (_, analysis) in scripts.iter() {
        let places = Places::new(documents, &analysis.sources, encoding);
        for occurrence in uses(analysis, target) {
            if with_declaration || !is_introduced(occurrence) {
                found.push(places.location(occurrence.span));
            }
        }
    }
    let place = |one: &Location| {
        let (start, end) = (one.range.start, one.range.end);
        let uri = one.uri.0.clone();
        (uri, start.line, start.character, end.line, end.character)
    };
    found.sort_by_key(place);
    found.dedup();
    found
}

/// The places in `file` of what `occurrence` means.
pub(super) fn highlights(
    analysis: &Analysis,
    places: &Places<'_>,
    file: FileId,
    occurrence: &Occurrence,
) -> Vec<DocumentHighlight> {
    let target = Target::of(&analysis.sources, occurrence.meaning);
    let here = |span: Span| span.file == file;
    let found = uses(analysis, &target).filter(|one| here(one.span));
    let highlights = found.map(|one| {
        let kind = match is_introduced(one) {
            true => DocumentHighlightKind::Write,
            false => DocumentHighlightKind::Read,
        };
        DocumentHighlight::new(places.range(one.span), Some(kind))
    });
    highlights.collect()
}
