//! Where names stand in a script, what each means there, and which names are visible at one place:
//! what editors ask for.

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
    /// What sort of thing it stands for.
    pub kind: NameKind,
    /// Where it is introduced.
    pub span: Span,
    /// The declaration that introduces it. `None` for a variable of a parameter, generator or
    /// input.
    pub declaration: Option<DeclarationId>,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A name of the script.
    Defined(DefinedName),
    /// A built-in.
    Builtin(Builtin),
    /// The file of an include.
    File(FileId),
}

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    /// Where it stands.
    pub span: Span,
    /// What it means there.
    pub meaning: Meaning,
    /// The expression that it is, or whose last name it is.
    pub expression: Option<ExprId>,
    /// Whether it is a member of an instance. Such a member has types of its own.
    pub is_of_instance: bool,
}

/// Which names can stand at a place.
#[derive(Clone, Debug)]
pub enum Visible {
    /// The names in scope, the built-ins that are always visible, and inside a `Timed` section
    /// those of such sections.
    InScope {
        /// The names of the script and the imported built-ins.
        names: Vec<Meaning>,
        /// Whether the place is inside a `Timed` section.
        is_timed: bool,
    },
    /// What a module or an instance exports.
    Members(Vec<Meaning>),
    /// The built-ins that a declaration with this word brings in.
    Imports(ImportWord),
}

/// What name resolution notes for editors.
#[derive(Clone, Default, Debug)]
pub struct Occurrences {
    /// By file, then in the order of the text.
    pub all: Vec<Occurrence>,
    /// What is visible at the place that was asked for, if a name stands there.
    pub visible: Option<Visible>,
    /// What is visible at the top level.
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
