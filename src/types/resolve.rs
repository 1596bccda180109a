//! Name resolution: from an abstract syntax to what each name in it means.

use rustc_hash::FxHashMap;

use super::builtin::Builtin;
use super::declare::Table;
use super::free::Recorder;
use super::modules::Modules;
use super::names::UnknownNames;
use super::processes::processes;
use super::resolved::{Reference, Resolved};
use super::scope::{Binding, FrameKind, Kind, Scopes};
use super::timed::Section;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Ast, Declaration, DeclarationId, ExprId, Symbol};

/// What every name of `ast` means, and what is wrong with the names. If a diagnostic is an
/// error the result lacks the references that could not be found.
pub fn resolve(ast: &Ast) -> (Resolved, Vec<Diagnostic>) {
    resolve_with(ast, &[])
}

/// The same, with `expressions` of `ast` that stand at the top level of the script without
/// being part of it, such as those of a command line.
pub fn resolve_with(ast: &Ast, expressions: &[ExprId]) -> (Resolved, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(ast);
    let script = resolver.collect_script();
    resolver.find_instances(&script);
    resolver.enter_script(&script);
    resolver.declarations(&ast.script);
    for &expression in expressions {
        resolver.expression(expression);
    }
    resolver.scopes.pop();
    resolver.finish()
}

/// The state of one resolution.
pub(super) struct Resolver<'a> {
    pub(super) ast: &'a Ast,
    pub(super) scopes: Scopes,
    pub(super) modules: Modules,
    pub(super) free: Recorder,
    /// The Timed section around the present place.
    pub(super) timed: Option<Section>,
    pub(super) unknown: UnknownNames,
    /// Where each name was annotated.
    pub(super) annotated: FxHashMap<(DeclarationId, Symbol), Span>,
    builtins: Vec<Option<Builtin>>,
    pub(super) out: Resolved,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn new(ast: &'a Ast) -> Self {
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
            builtins: ast
                .symbols
                .iter()
                .map(|name| by_name.get(name.as_str()).copied())
                .collect(),
            out,
            diagnostics: Vec::new(),
        }
    }

    /// The names of the script and of all its modules, without those that patterns bind.
    fn collect_script(&mut self) -> Table {
        let (script, modules) = self.collect(&self.ast.script);
        self.collect_modules(modules, None);
        script
    }

    /// Brings the script's names into scope, then finds those that patterns bind, in modules too.
    fn enter_script(&mut self, script: &Table) {
        self.push_table(script, FrameKind::Plain);
        self.bind_declared_patterns(&self.ast.script, false);
        self.bind_module_patterns(&self.ast.script);
        self.out.script_frame = self.scopes.slots();
        for symbol in self.scopes.names().collect::<Vec<_>>() {
            if let Some(binding) = self.scopes.lookup(symbol) {
                let reference = self.reference(&binding, 0);
                self.out.top_level.insert(symbol, reference);
            }
        }
    }

    fn finish(mut self) -> (Resolved, Vec<Diagnostic>) {
        self.unknown.count_repetitions(&mut self.diagnostics);
        let free = self.free.finish();
        self.out.free = free.sites;
        self.out.free_of_argument = free.arguments;
        self.out.free_of_definition = free.definitions;
        let ast = self.ast;
        self.out
            .free_of_definition
            .retain(|id, _| !matches!(ast.declaration(*id), Declaration::Timed(..)));
        self.out.processes = processes(ast, &self.out);
        self.diagnostics
            .sort_by_key(|d| d.labels.first().map(|(span, _)| (span.file, span.start)));
        (self.out, self.diagnostics)
    }

    /// Pushes the frame of a list of declarations.
    pub(super) fn push_table(&mut self, table: &Table, kind: FrameKind) {
        self.scopes.push(kind, table.size);
        for (symbol, entry) in &table.names {
            self.scopes.bind(*symbol, *entry);
        }
    }

    /// The built-in called `symbol`, visible or not.
    pub(super) fn builtin_named(&self, symbol: Symbol) -> Option<Builtin> {
        self.builtins[symbol.0 as usize]
    }

    /// What `binding` is seen from frame `depth`.
    pub(super) fn reference(&self, binding: &Binding, depth: u32) -> Reference {
        match binding.entry.kind {
            Kind::Import(builtin) => Reference::Builtin(builtin),
            _ => Reference::Local {
                place: binding.place_from(depth),
                definition: binding.entry.declaration,
            },
        }
    }

    /// The same, and notes the use.
    pub(super) fn refer(&mut self, binding: &Binding, depth: u32) -> Reference {
        self.note_use(binding);
        self.reference(binding, depth)
    }

    /// Notes a use of `binding` for the free variables of what is around.
    pub(super) fn note_use(&mut self, binding: &Binding) {
        self.free
            .used(binding, self.scopes.is_module(binding.depth));
    }
}
