//! The state of one resolution, and the notes it takes on the meanings of names.

use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::free::Recorder;
use super::modules::Modules;
use super::record::Record;
use super::resolved::{Reference, Resolved};
use super::scope::{Binding, FrameKind, NameKind, ScopeTable, Scopes};
use super::unknown::UnknownNames;
use base::diag::Diagnostic;
use base::source::Span;
use syntax::ast::{Ast, DeclarationId, Symbol};

/// The state of one resolution.
pub(super) struct Resolver<'a> {
    pub(super) ast: &'a Ast,
    pub(super) scopes: Scopes,
    pub(super) modules: Modules,
    pub(super) free: Recorder,
    /// The Timed section around the present place; `None` outside of all sections.
    pub(super) timed: Option<Section>,
    pub(super) unknown: UnknownNames,
    /// The place of each name's annotation.
    pub(super) annotated: FxHashMap<(DeclarationId, Symbol), Span>,
    /// The places of names, if they are asked for.
    pub(super) record: Option<Record>,
    builtins: Vec<Option<Builtin>>,
    pub(super) out: Resolved,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A Timed section around the present place.
#[derive(Clone, Copy)]
pub(super) struct Section {
    /// The channel `tock`; `None` if the script has no proper one, which has been reported.
    pub(super) tock: Option<Binding>,
    pub(super) duration: Option<Duration>,
}

/// The place of the value of a duration function.
#[derive(Clone, Copy)]
pub(super) struct Duration {
    pub(super) declaration: DeclarationId,
    pub(super) depth: u32,
    pub(super) slot: u32,
}

impl<'a> Resolver<'a> {
    /// The state before anything is resolved.
    pub(super) fn new(ast: &'a Ast) -> Self {
        let by_name: FxHashMap<&str, Builtin> =
            Builtin::ALL.iter().map(|b| (b.name(), *b)).collect();
        let out = Resolved {
            names: ast.expressions.iter().map(|_| None).collect(),
            patterns: ast.patterns.iter().map(|_| None).collect(),
            type_names: ast.types.iter().map(|_| None).collect(),
            ..Resolved::default()
        };
        Self {
            ast,
            scopes: Scopes::new(ast.symbols.len()),
            modules: Modules::default(),
            free: Recorder::default(),
            timed: None,
            unknown: UnknownNames::default(),
            annotated: FxHashMap::default(),
            record: None,
            builtins: ast
                .symbols
                .iter()
                .map(|name| by_name.get(name.as_str()).copied())
                .collect(),
            out,
            diagnostics: Vec::new(),
        }
    }

    /// Pushes the frame of a list of declarations.
    pub(super) fn push_table(&mut self, table: &ScopeTable, kind: FrameKind) {
        self.scopes.push(kind, table.size);
        for (symbol, entry) in &table.names {
            self.scopes.bind(*symbol, *entry);
        }
    }

    /// The built-in called `symbol`, visible or not.
    pub(super) fn builtin_named(&self, symbol: Symbol) -> Option<Builtin> {
        self.builtins[symbol.0 as usize]
    }

    /// The reference to `binding`, seen from frame `depth`.
    pub(super) fn reference(&self, binding: &Binding, depth: u32) -> Reference {
        match binding.entry.kind {
            NameKind::Import(builtin) => Reference::Builtin(builtin),
            _ => Reference::Local {
                place: binding.place_from(depth),
                definition: binding.entry.declaration,
            },
        }
    }

    /// The reference to `binding`, seen from frame `depth`. Notes this use.
    pub(super) fn refer(&mut self, binding: &Binding, depth: u32) -> Reference {
        self.note_use(binding);
        self.reference(binding, depth)
    }

    /// Notes a use of `binding` for the free variables of the sites and definitions around it.
    pub(super) fn note_use(&mut self, binding: &Binding) {
        self.free
            .used(binding, self.scopes.is_module(binding.depth));
    }
}
