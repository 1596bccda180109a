//! Renaming: another name for the meaning of a name.
//!
//! The new name may be taken. This is not found out by reasoning: the renamed scripts are read
//! again, and each name has to mean in them what it meant before.

use std::collections::{BTreeMap, HashMap};

use gen_lsp_types::{PrepareRenamePlaceholder, TextEdit, Uri};
use serde_json::{Value, json};

use base::diag::{Diagnostic, Severity};
use base::source::{SourceFile, SourceMap, Span};
use syntax::lexemes::{LexemeKind, is_name, lexemes};
use types::builtin::Builtin;
use types::occurrences::{Meaning, Occurrence};

use super::analysis::Analysis;
use super::names::uses;
use super::protocol::{Reply, failed};
use super::scripts::{ScriptFile, Scripts};

/// The range and the text of the name at a place, if it can be renamed.
pub(crate) fn prepare(
    asked: &ScriptFile<'_>,
    occurrence: &Occurrence,
) -> Reply<PrepareRenamePlaceholder> {
    let placeholder = renamable(asked.analysis, occurrence)?.to_string();
    let range = asked.places.range(occurrence.span);
    Ok(PrepareRenamePlaceholder { range, placeholder })
}

/// The name of the script that stands there, if it can be renamed.
fn renamable<'a>(analysis: &'a Analysis, occurrence: &Occurrence) -> Reply<&'a str> {
    match occurrence.meaning {
        Meaning::Defined(name) => Ok(analysis.ast.name(name.symbol)),
        Meaning::Builtin(builtin) => failed(format!("`{}` is built in", builtin.name())),
        Meaning::File(_) => failed("files are not renamed here"),
    }
}

/// The changes that give the meaning of `occurrence` the name `new`, in all open scripts and the
/// files that they include.
pub(crate) fn rename(
    scripts: &Scripts,
    asked: &ScriptFile<'_>,
    occurrence: &Occurrence,
    new: &str,
) -> Reply<Value> {
    let old = renamable(asked.analysis, occurrence)?;
    if !is_name(new) {
        return failed(format!("`{new}` is no name"));
    }
    if Builtin::ALL.iter().any(|builtin| builtin.name() == new) {
        return failed(format!("`{new}` is built in"));
    }
    let mut renaming = Renaming {
        old,
        new,
        places: BTreeMap::new(),
    };
    let mut affected = Vec::new();
    let mut edits: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for script in scripts.iter() {
        let sources = &script.analysis.sources;
        let mut uses = uses(&script.analysis, asked.analysis, occurrence).peekable();
        if uses.peek().is_none() {
            continue;
        }
        affected.push(script);
        readable(&script.analysis, old)?;
        let places = scripts.places(sources);
        for one in uses {
            if renaming.add(sources, one.span) {
                let location = places.location(one.span);
                let edit = TextEdit::new(location.range, new.to_string());
                edits.entry(location.uri).or_default().push(edit);
            }
        }
    }
    let files = affected.iter().map(|script| script.analysis.sources.iter());
    let texts: BTreeMap<String, String> = files
        .flatten()
        .filter_map(|(_, file)| Some((file.name.clone(), renaming.text(file)?)))
        .collect();
    for script in affected {
        let mut files = scripts.documents.files_with(texts.clone());
        let after = Analysis::of(&script.name, &mut files);
        renaming.keeps_meanings(&script.analysis, &after)?;
    }
    Ok(json!({ "changes": edits }))
}

/// Another name, and the places of the old one, by the file that they stand in.
struct Renaming<'a> {
    old: &'a str,
    new: &'a str,
    /// The bytes at which the old name begins, in order.
    places: BTreeMap<String, Vec<usize>>,
}

impl Renaming<'_> {
    /// Adds a place. Returns true if it is new.
    fn add(&mut self, sources: &SourceMap, span: Span) -> bool {
        let file = sources.file(span.file).name.clone();
        let places = self.places.entry(file).or_default();
        let start = span.start as usize;
        let found = places.binary_search(&start);
        found.is_err_and(|at| {
            places.insert(at, start);
            true
        })
    }

    /// The text of `file` afterwards, if it has the name.
    fn text(&self, file: &SourceFile) -> Option<String> {
        let mut text = file.text.clone();
        for &start in self.places.get(&file.name)?.iter().rev() {
            text.replace_range(start..start + self.old.len(), self.new);
        }
        Some(text)
    }

    /// True if `after` in a renamed script is the place of `before`.
    fn stays(&self, sources: &SourceMap, before: Span, after: Span) -> bool {
        let places = self.places.get(&sources.file(before.file).name);
        let places = places.map_or(&[][..], Vec::as_slice);
        let moved = |at: u32| {
            let count = places.partition_point(|&place| place < at as usize);
            at as usize + count * self.new.len() - count * self.old.len()
        };
        let range = moved(before.start)..moved(before.end);
        before.file == after.file && range == after.range()
    }

    /// True if `after` in a renamed script has the place and the meaning of `before`.
    fn keeps(&self, sources: &SourceMap, before: &Occurrence, after: &Occurrence) -> bool {
        self.stays(sources, before.span, after.span)
            && match (before.meaning, after.meaning) {
                (Meaning::Defined(one), Meaning::Defined(other)) => {
                    one.kind == other.kind && self.stays(sources, one.span, other.span)
                }
                (one, other) => one == other,
            }
    }

    /// Refuses unless each name of `after` means what it meant `before`.
    fn keeps_meanings(&self, before: &Analysis, after: &Analysis) -> Reply<()> {
        let new = self.new;
        let count = |script: &Analysis, code: &str| {
            let problems = script.problems.iter();
            problems.filter(|one| one.code == code).count()
        };
        let is_new = |one: &&Diagnostic| count(after, one.code) > count(before, one.code);
        if let Some(problem) = after.problems.iter().find(is_new) {
            return failed(format!("with the name `{new}`: {}", problem.message));
        }
        let (known, found, sources) = (&before.names.all, &after.names.all, &before.sources);
        let stays = |(at, one): &(usize, &Occurrence)| {
            let other = found.get(*at);
            other.is_some_and(|other| self.keeps(sources, one, other))
        };
        if let Some((_, other)) = known.iter().enumerate().find(|one| !stays(one)) {
            let (text, file) = (sources.text(other.span), sources.file(other.span.file));
            let (line, file) = (file.line_of(other.span.start as usize) + 1, &file.name);
            return failed(format!(
                "with the name `{new}`, `{text}` in line {line} of `{file}` would mean something else"
            ));
        }
        if before.problems.len() != after.problems.len() || known.len() != found.len() {
            let message = format!("with the name `{new}` the script would mean something else");
            return failed(message);
        }
        Ok(())
    }
}

/// Refuses if the script has a name `name` whose meaning is not known.
fn readable(script: &Analysis, name: &str) -> Reply<()> {
    let mut problems = script.problems.iter();
    // In a script without mistakes all meanings are known.
    if problems.all(|one| one.severity == Severity::Warning) {
        return Ok(());
    }
    for (id, file) in script.sources.iter() {
        let known = |start: usize| {
            let found = script.names.at(id, start as u32);
            found.is_some_and(|found| found.span.start as usize == start)
        };
        let mut words = lexemes(&file.text).into_iter();
        let unknown = words.find(|word| {
            let is_it = word.kind == LexemeKind::Name && &file.text[word.range.clone()] == name;
            is_it && !known(word.range.start)
        });
        if let Some(unknown) = unknown {
            let line = file.line_of(unknown.range.start) + 1;
            let file = &file.name;
            return failed(format!(
                "what `{name}` means in line {line} of `{file}` is not known: mend that first"
            ));
        }
    }
    Ok(())
}
