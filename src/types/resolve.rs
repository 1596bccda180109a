//! Name resolution: finds the meaning of each name in an abstract syntax.

use super::occurrences::Occurrences;
use super::processes::processes;
use super::record::Record;
use super::resolved::Resolved;
use super::resolver::Resolver;
use super::scope::{Access, FrameKind, ScopeTable};
use base::diag::Diagnostic;
use base::source::FileId;
use syntax::ast::{Ast, Declaration, ExprId};

/// The meanings of all names of `ast`, and the messages about them. If a diagnostic is an error,
/// the result lacks the references that could not be found.
pub fn resolve(ast: &Ast) -> (Resolved, Vec<Diagnostic>) {
    resolve_with(ast, &[])
}

/// Resolves the names of `ast` and those of `expressions`. These stand at the top level of the
/// script without being part of it, such as expressions of a command line.
pub fn resolve_with(ast: &Ast, expressions: &[ExprId]) -> (Resolved, Vec<Diagnostic>) {
    let mut resolver = Resolver::new(ast);
    resolver.script(expressions);
    resolver.finish()
}

/// Resolves the names of `ast`, and notes the place of each name. If a name stands at `place`, a
/// byte of a file, the names that are visible at it are noted too.
pub fn resolve_for_editor(
    ast: &Ast,
    place: Option<(FileId, u32)>,
) -> (Resolved, Vec<Diagnostic>, Occurrences) {
    let mut resolver = Resolver::new(ast);
    let found = Occurrences::default();
    resolver.record = Some(Record { found, place });
    resolver.script(&[]);
    let record = resolver.record.take();
    let mut occurrences = record.map(|record| record.found).unwrap_or_default();
    occurrences.sort();
    let (resolved, problems) = resolver.finish();
    (resolved, problems, occurrences)
}

impl Resolver<'_> {
    fn script(&mut self, expressions: &[ExprId]) {
        let script = self.collect_script();
        // Before anything is resolved: what a member of an instance means is found in its module.
        self.find_instances(&script);
        self.enter_script(&script);
        self.declarations(&self.ast.script);
        for &expression in expressions {
            self.expression(expression);
        }
        self.scopes.pop();
    }

    /// The names of the script and of all its modules, without those that patterns bind.
    fn collect_script(&mut self) -> ScopeTable {
        let (script, modules) = self.collect(&self.ast.script);
        self.collect_modules(modules, None);
        script
    }

    /// Brings the script's names into scope, then those that patterns bind, in modules too.
    fn enter_script(&mut self, script: &ScopeTable) {
        self.push_table(script, FrameKind::Plain);
        self.bind_declared_patterns(&self.ast.script, Access::Private);
        self.bind_module_patterns(&self.ast.script);
        self.record_top_level();
        self.out.script_frame = self.scopes.slots();
        for symbol in self.scopes.names().collect::<Vec<_>>() {
            if let Some(binding) = self.scopes.lookup(symbol) {
                let reference = self.reference(&binding, 0);
                self.out.top_level.insert(symbol, reference);
            }
        }
    }

    fn finish(mut self) -> (Resolved, Vec<Diagnostic>) {
        // Before sorting, because repetitions know their messages by number.
        self.unknown.count_repetitions(&mut self.diagnostics);
        let free = self.free.finish();
        self.out.free = free.sites;
        self.out.free_of_argument = free.arguments;
        self.out.free_of_part = free.parts;
        self.out.free_of_definition = free.definitions;
        let ast = self.ast;
        self.out
            .free_of_definition
            // The duration of a Timed section was followed as definitions are, but no call has its
            // name.
            .retain(|id, _| !matches!(ast.declaration(*id), Declaration::Timed(..)));
        self.out.processes = processes(ast, &self.out);
        self.diagnostics
            .sort_by_key(|d| d.labels.first().map(|(span, _)| (span.file, span.start)));
        (self.out, self.diagnostics)
    }
}
