//! Every place of a script where a name stands, with what it means; and the names that are visible at a place.
//!
//! Name resolution has decided which names in patterns are variables; what else it finds is numbers of slots, for running. An editor
//! asks for places, so this goes through the scopes once more, in the same order: `tests.rs` compares the two on all scripts.

mod walk;

#[cfg(test)]
pub(super) mod tests;

use rustc_hash::FxHashMap;

use crate::base::index::{IndexVec, TypedIndex};
use crate::source::{FileId, Span};
use crate::syntax::ast::{Ast, DeclarationId, ExprId, PatternId, Symbol};
use crate::types::builtin::Builtin;
use crate::types::resolved::Resolved;
pub(super) use crate::types::scope::Kind;

use walk::Walker;

/// A definition of [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DefinitionId(u32);

impl TypedIndex for DefinitionId {
    fn from_usize(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What introduces a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A declaration.
    Declaration(DeclarationId),
    /// A pattern of parameters, of a generator or of an input.
    Pattern,
}

/// A name where it is introduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// Its text.
    pub(super) symbol: Symbol,
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
    pub(super) origin: Origin,
    /// The pattern, if it is a variable of one.
    pub(super) pattern: Option<PatternId>,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Something of the script.
    Definition(DefinitionId),
    /// A built-in.
    Builtin(Builtin),
    /// The file of an include.
    File(FileId),
}

/// A name where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) span: Span,
    pub(super) target: Target,
    /// The expression that it is, or the last name of.
    pub(super) expression: Option<ExprId>,
    /// Whether it is a member of an instance, which has types of its own.
    pub(super) is_of_instance: bool,
}

/// What could stand at a place.
#[derive(Clone, Debug)]
pub(super) enum Visible {
    /// These names, the imported built-ins, and those that are there in `Timed` sections only.
    Names {
        definitions: Vec<DefinitionId>,
        imported: Vec<Builtin>,
        is_timed: bool,
    },
    /// What a module or an instance exports.
    Members(Vec<DefinitionId>),
    /// What `external`, or else `transparent`, brings in.
    Imports { is_external: bool },
}

/// All names of a script.
#[derive(Default, Debug)]
pub(super) struct Names {
    pub(super) definitions: IndexVec<DefinitionId, Definition>,
    /// By file, then in the order of the text.
    occurrences: Vec<Occurrence>,
    /// What is visible at the place that was asked for.
    pub(super) visible: Option<Visible>,
    /// What is visible at the top level.
    pub(super) top_level: Vec<DefinitionId>,
    /// What each declaration introduces, in the order written.
    introduced: FxHashMap<DeclarationId, Vec<DefinitionId>>,
}

impl Names {
    /// Those of `ast`. What is visible is found for the byte `place` of a file, if a name stands there.
    pub(super) fn of(ast: &Ast, resolved: &Resolved, place: Option<(FileId, u32)>) -> Self {
        let mut names = Walker::new(ast, resolved, place).script();
        let order = |one: &Occurrence| (one.span.file, one.span.start, one.span.end);
        names.occurrences.sort_by_key(order);
        names
    }

    /// The name at the byte `at` of `file`, also directly behind it.
    pub(super) fn at(&self, file: FileId, at: u32) -> Option<&Occurrence> {
        let behind = self
            .occurrences
            .partition_point(|one| (one.span.file, one.span.start) <= (file, at));
        let before = self.occurrences[..behind].last()?;
        (before.span.file == file && at <= before.span.end).then_some(before)
    }

    /// What the declaration `id` introduces, in the order written.
    pub(super) fn introduced(&self, id: DeclarationId) -> &[DefinitionId] {
        self.introduced.get(&id).map_or(&[], Vec::as_slice)
    }

    /// All places where names stand.
    #[cfg(test)]
    pub(super) fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }
}
