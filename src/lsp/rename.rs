//! Another name for what a name means.
//!
//! Whether the new name is free is not reasoned about: the renamed scripts are read again, and each
//! name has to mean in them what it meant before.

use std::collections::{BTreeMap, HashMap};

use gen_lsp_types::{PrepareRenamePlaceholder, PrepareRenameResult, TextEdit, Uri, WorkspaceEdit};
use lsp_server::ErrorCode;

use base::diag::{Diagnostic, Severity};
use base::source::{SourceMap, Span};
use syntax::lexemes::{LexemeKind, is_name, lexemes};
use types::builtin::Builtin;
use types::occurrences::{DefinedName, Meaning, Occurrence};

use super::analysis::Analysis;
use super::answer::{Reply, RequestRefusal};
use super::diagnostics::Places;
use super::documents::Documents;
use super::positions::Encoding;
use super::references::{Target, uses};
use super::scripts::Scripts;

/// What can be renamed at a place: the name that stands there.
pub(super) fn prepare(
    analysis: &Analysis,
    places: &Places<'_>,
    occurrence: &Occurrence,
) -> Reply<PrepareRenameResult> {
    let name = renamable(occurrence)?;
    Ok(PrepareRenameResult::PrepareRenamePlaceholder(
        PrepareRenamePlaceholder {
            range: places.range(occurrence.span),
            placeholder: analysis.ast.name(name.symbol).to_string(),
        },
    ))
}

/// The name of the script that stands there.
fn renamable(occurrence: &Occurrence) -> Reply<DefinedName> {
    match occurrence.meaning {
        Meaning::Defined(name) => Ok(name),
        Meaning::Builtin(builtin) => refused(format!("`{}` is built in", builtin.name())),
        Meaning::File(_) => refused("files are not renamed here".to_string()),
    }
}

fn refused<T>(message: String) -> Reply<T> {
    Err(RequestRefusal {
        code: ErrorCode::RequestFailed,
        message,
    })
}

/// The places of one name, by the file that they stand in.
struct Renaming {
    /// The bytes at which the old name begins, in order.
    places: BTreeMap<String, Vec<usize>>,
    old: usize,
    new: usize,
}

/// The changes of each file.
type Edits = HashMap<Uri, Vec<TextEdit>>;

impl Renaming {
    /// Adds a place; whether it was not known.
    fn add(&mut self, sources: &SourceMap, span: Span) -> bool {
        let file = sources.file(span.file).name.clone();
        let places = self.places.entry(file).or_default();
        let start = span.start as usize;
        let found = places.binary_search(&start);
        if let Err(at) = found {
            places.insert(at, start);
        }
        found.is_err()
    }

    /// The files in which something is renamed, with their texts afterwards.
    fn texts(&self, scripts: &[(&str, &Analysis)], new: &str) -> BTreeMap<String, String> {
        let files = scripts.iter().flat_map(|(_, script)| script.sources.iter());
        let renamed = files.filter_map(|(_, file)| {
            let mut text = file.text.clone();
            for &start in self.places.get(&file.name)?.iter().rev() {
                text.replace_range(start..start + self.old, new);
            }
            Some((file.name.clone(), text))
        });
        renamed.collect()
    }

    /// Where the byte `at` of `file` is when the name is another one.
    fn moved(&self, file: &str, at: usize) -> usize {
        let before = self
            .places
            .get(file)
            .map_or(0, |places| places.partition_point(|&place| place < at));
        at + before * self.new - before * self.old
    }

    fn span(&self, sources: &SourceMap, span: Span) -> (usize, usize) {
        let file = &sources.file(span.file).name;
        let range = span.range();
        (self.moved(file, range.start), self.moved(file, range.end))
    }

    /// Whether `after` in a renamed script stands and means what `before` did.
    fn keeps(&self, sources: &SourceMap, before: &Occurrence, after: &Occurrence) -> bool {
        let bytes = |span: Span| (span.start as usize, span.end as usize);
        let is_there = before.span.file == after.span.file
            && self.span(sources, before.span) == bytes(after.span);
        is_there
            && match (before.meaning, after.meaning) {
                (Meaning::Defined(one), Meaning::Defined(other)) => {
                    one.kind == other.kind
                        && one.span.file == other.span.file
                        && self.span(sources, one.span) == bytes(other.span)
                }
                (one, other) => one == other,
            }
    }
}

/// The changes that call what `occurrence` of `analysis` means `new`, in all open scripts and what
/// they include.
pub(super) fn rename(
    documents: &Documents,
    scripts: &Scripts,
    encoding: Encoding,
    (analysis, occurrence): (&Analysis, &Occurrence),
    new: &str,
) -> Reply<WorkspaceEdit> {
    let name = renamable(occurrence)?;
    let old = analysis.ast.name(name.symbol);
    if !is_name(new) {
        return refused(format!("`{new}` is no name"));
    }
    if Builtin::ALL.iter().any(|builtin| builtin.name() == new) {
        return refused(format!("`{new}` is built in"));
    }
    let target = Target::of(&analysis.sources, occurrence.meaning);
    let affected = scripts
        .iter()
        .filter(|(_, script)| uses(script, &target).next().is_some());
    let affected: Vec<(&str, &Analysis)> = affected.collect();
    let mut renaming = Renaming {
        places: BTreeMap::new(),
        old: old.len(),
        new: new.len(),
    };
    let mut edits = Edits::default();
    for (_, script) in &affected {
        readable(script, old)?;
        let places = Places::new(documents, &script.sources, encoding);
        for one in uses(script, &target) {
            if renaming.add(&script.sources, one.span) {
                let location = places.location(one.span);
                let edit = TextEdit::new(location.range, new.to_string());
                edits.entry(location.uri).or_default().push(edit);
            }
        }
    }
    let texts = renaming.texts(&affected, new);
    for (script, before) in &affected {
        let open = documents
            .iter()
            .filter(|open| !texts.contains_key(&open.name));
        let open = open.map(|open| (open.name.clone(), open.text.clone()));
        let mut files = documents.files_with(open.chain(texts.clone()));
        let after = Analysis::of(script, &mut files);
        same_meaning(&renaming, before, &after, new)?;
    }
    Ok(WorkspaceEdit {
        changes: Some(edits),
        ..WorkspaceEdit::default()
    })
}

/// Refuses if something in the script may be called `name` of which nobody knows what it means.
fn readable(script: &Analysis, name: &str) -> Reply<()> {
    // Where nothing is wrong everything was understood.
    if script
        .problems
        .iter()
        .all(|one| one.severity == Severity::Warning)
    {
        return Ok(());
    }
    for (id, file) in script.sources.iter() {
        let known = |start: usize| {
            let found = script.names.at(id, start as u32);
            found.is_some_and(|found| found.span.start as usize == start)
        };
        let same = |range: &std::ops::Range<usize>| &file.text[range.clone()] == name;
        let words = lexemes(&file.text).into_iter();
        let mut names = words.filter(|word| word.kind == LexemeKind::Name && same(&word.range));
        if let Some(unknown) = names.find(|word| !known(word.range.start)) {
            let line = file.line_of(unknown.range.start) + 1;
            return refused(format!(
                "what `{name}` means in line {line} of `{}` is not known: mend that first",
                file.name
            ));
        }
    }
    Ok(())
}

/// Refuses unless each name of `after` means what it meant `before`.
fn same_meaning(renaming: &Renaming, before: &Analysis, after: &Analysis, new: &str) -> Reply<()> {
    let codes = |analysis: &Analysis| {
        let codes = analysis.problems.iter().map(|one| one.code);
        codes.collect::<Vec<_>>()
    };
    let (known, found) = (codes(before), codes(after));
    let is_new = |one: &&Diagnostic| {
        let count = |codes: &[&str]| codes.iter().filter(|code| **code == one.code).count();
        count(&found) > count(&known)
    };
    if let Some(problem) = after.problems.iter().find(is_new) {
        return refused(format!("with the name `{new}`: {}", problem.message));
    }
    let (before, after, sources) = (&before.names.all, &after.names.all, &before.sources);
    let mut pairs = before.iter().zip(after);
    let differs = pairs.find(|(one, other)| !renaming.keeps(sources, one, other));
    let missing = || before.get(after.len());
    let other = differs.map(|(one, _)| one).or_else(missing);
    if let Some(other) = other {
        let file = sources.file(other.span.file);
        let line = file.line_of(other.span.start as usize) + 1;
        let text = sources.text(other.span);
        return refused(format!(
            "with the name `{new}`, `{text}` in line {line} of `{}` would mean something else",
            file.name
        ));
    }
    if known.len() != found.len() || before.len() != after.len() {
        return refused(format!(
            "with the name `{new}` the script would mean something else"
        ));
    }
    Ok(())
}
