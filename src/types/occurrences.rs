//! The occurrences of names in a script with their meanings, and the names visible at one place,
//! for editors.

use rustc_hash::FxHashMap;

use super::builtin::{Builtin, ImportWord};
use super::scope::NameKind;
use base::source::{FileId, Span};
use syntax::ast::{DeclarationId, ExprId, Symbol};

/// A name of the script, as it is introduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinedName {
    /// Its text.
    pub symbol: Symbol,
    /// The kind of thing it stands for.
    pub kind: NameKind,
    /// The place where it is introduced.
    pub span: Span,
    /// The declaration that introduces it; `None` for a variable of a parameter, generator or
    /// input.
    pub declaration: Option<DeclarationId>,
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A name of the script.
    Defined(DefinedName),
    /// A built-in.
    Builtin(Builtin),
    /// The file of an include.
    File(FileId),
}

/// A name, with its place and its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    /// The place.
    pub span: Span,
    /// The meaning of the name at this place.
    pub meaning: Meaning,
    /// The expression that the name is, or whose last segment it is.
    pub expression: Option<ExprId>,
    /// True for a member of an instance, which has types of its own.
    pub is_of_instance: bool,
}

/// The names that can stand at a place.
#[derive(Clone, Debug)]
pub enum Visible {
    /// The names in scope and the built-ins that are always visible. Inside a `Timed` section, also
    /// the built-ins of such sections.
    InScope {
        /// The names of the script and the imported built-ins.
        names: Vec<Meaning>,
        /// True if the place is inside a `Timed` section.
        is_timed: bool,
    },
    /// The names that a module or an instance exports.
    Members(Vec<Meaning>),
    /// The built-ins that a declaration with this word brings in.
    Imports(ImportWord),
}

/// The notes of name resolution for editors.
#[derive(Clone, Default, Debug)]
pub struct Occurrences {
    /// The occurrences, by file, then in the order of the text.
    pub all: Vec<Occurrence>,
    /// The names visible at the place asked for, if a name stands there.
    pub visible: Option<Visible>,
    /// The names visible at the top level.
    pub top_level: Vec<Meaning>,
    /// The names that each declaration introduces, in the order written.
    introduced: FxHashMap<DeclarationId, Vec<DefinedName>>,
}

impl Occurrences {
    /// Sorts the occurrences by place, as the other functions need them.
    pub(super) fn sort(&mut self) {
        let place = |one: &Occurrence| (one.span.file, one.span.start, one.span.end);
        self.all.sort_by_key(place);
        // After sorting, so that each declaration gets its names in the order written.
        for one in &self.all {
            if let Meaning::Defined(name) = one.meaning
                && let Some(declaration) = name.declaration
                && name.span == one.span
            {
                let introduced = self.introduced.entry(declaration).or_default();
                introduced.push(name);
            }
        }
    }

    /// The name at the byte `at` of `file`, or directly before it.
    pub fn at(&self, file: FileId, at: u32) -> Option<&Occurrence> {
        let starts_by = |one: &Occurrence| (one.span.file, one.span.start) <= (file, at);
        let behind = self.all.partition_point(starts_by);
        let last = self.all[..behind].last()?;
        (last.span.file == file && at <= last.span.end).then_some(last)
    }

    /// The names that the declaration `id` introduces, in the order written.
    pub fn introduced(&self, id: DeclarationId) -> &[DefinedName] {
        self.introduced.get(&id).map_or(&[], Vec::as_slice)
    }
}
