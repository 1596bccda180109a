//! Resolves the right-hand sides of declarations: bodies, types, assertions.

use super::builtin::Builtin;
use super::names::FoundName;
use super::resolved::Reference;
use super::resolver::Resolver;
use super::scope::{FrameKind, NameKind, ScopeEntry};
use base::diag::Diagnostic;
use base::stack::deep;
use syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Clause, Constructor, Declaration, DeclarationId,
    Identifier, PatternId, SymmetricType, TypeId,
};
use syntax::children::{Child, type_names};

impl Resolver<'_> {
    /// Resolves the names in `declarations`, which must already be in scope.
    pub(super) fn declarations(&mut self, declarations: &[DeclarationId]) {
        for &id in declarations {
            self.declaration(id);
        }
    }

    fn declaration(&mut self, id: DeclarationId) {
        let ast = self.ast;
        match ast.declaration(id) {
            Declaration::Pattern(pattern, body) => {
                self.record_visible(self.ast.patterns[*pattern].span);
                let around = self.free.enter_definition(id, self.scopes.depth());
                self.expression(*body);
                self.free.leave(around);
            }
            Declaration::Function(name, clauses) => {
                self.record_clauses(*name, clauses);
                let around = self.free.enter_definition(id, self.scopes.depth());
                for clause in clauses {
                    self.clause(clause);
                }
                self.free.leave(around);
            }
            Declaration::Channel(..) | Declaration::Datatype(..) | Declaration::Nametype(..) => {
                self.inside(Child::Declaration(id));
            }
            Declaration::Subtype(_, constructors) => {
                self.subtype_constructors(id, constructors);
                self.inside(Child::Declaration(id));
            }
            Declaration::Print(body) => self.separately(|own| {
                own.expression(*body);
            }),
            Declaration::Module {
                parameters,
                private,
                exports,
                ..
            } if self.modules.contains(id) => {
                deep(|| self.module(id, parameters, private, exports));
            }
            // The parser has reported a module in a `let`, where none may stand: it was not
            // collected.
            Declaration::External(_) | Declaration::Transparent(_) | Declaration::Module { .. } => {
            }
            Declaration::Instance {
                module, arguments, ..
            } => {
                self.all(arguments);
                self.instance(id, module, arguments.len());
            }
            Declaration::Include(_, inner) => {
                self.record_include(id, inner);
                deep(|| self.declarations(inner));
            }
            Declaration::Timed(duration, inner) => {
                deep(|| self.timed_section(id, *duration, inner))
            }
            Declaration::Annotation(names, scheme) => {
                self.annotation(names);
                self.type_names(scheme.body);
            }
            Declaration::Assert(assertion) => self.separately(|own| own.assertion(assertion)),
        }
    }

    /// Resolves a part of the script whose mistakes do not refuse the script. A name that is
    /// unknown in it is reported for this part, and once more if it is used elsewhere.
    fn separately(&mut self, look: impl FnOnce(&mut Self)) {
        let elsewhere = std::mem::take(&mut self.unknown.reported);
        look(self);
        self.unknown.count_repetitions(&mut self.diagnostics);
        self.unknown.reported = elsewhere;
    }

    fn clause(&mut self, clause: &Clause) {
        let first = self.scopes.depth() + 1;
        for group in &clause.groups {
            self.push_patterns(group, first);
        }
        self.expression(clause.body);
        for _ in &clause.groups {
            self.scopes.pop();
        }
    }

    fn module(
        &mut self,
        id: DeclarationId,
        parameters: &[PatternId],
        private: &[DeclarationId],
        exports: &[DeclarationId],
    ) {
        // Slot 0 is taken: it holds the number of the instance.
        self.scopes.push(FrameKind::Plain, 1);
        self.bind_patterns(parameters);
        self.enter_module(id);
        self.declarations(private);
        self.declarations(exports);
        let declared = self.scopes.pop();
        let parameters = self.scopes.pop();
        self.out.module_frames.insert(id, (parameters, declared));
    }

    /// Resolves the constructors of a datatype that a subtype names.
    fn subtype_constructors(&mut self, id: DeclarationId, constructors: &[Constructor]) {
        let mut references = Vec::new();
        for Constructor { name, .. } in constructors {
            references.extend(self.subtype_constructor(*name));
        }
        self.out.constructors.insert(id, references);
    }

    fn subtype_constructor(&mut self, name: Identifier) -> Option<Reference> {
        let path = syntax::ast::QualifiedName {
            segments: vec![name],
        };
        let found = self.find(&path, self.scopes.depth())?;
        if matches!(
            found.entry,
            Some(ScopeEntry {
                kind: NameKind::Constructor,
                ..
            })
        ) {
            return Some(found.reference);
        }
        let text = self.ast.name(name.symbol);
        let kind = found.entry.map_or("a built-in", |entry| entry.kind.noun());
        let message = format!("`{text}` is {kind}, not a constructor of a datatype");
        self.diagnostics.push(
            Diagnostic::error("not-a-constructor", message)
                .at(name.span, "")
                .hint("a subtype lists constructors of an existing datatype"),
        );
        None
    }

    /// Resolves an annotation, which is about names of its own scope. Each name has at most one.
    fn annotation(&mut self, names: &[Identifier]) {
        for name in names {
            self.record_use(*name);
            let text = self.ast.name(name.symbol);
            let binding = self.scopes.lookup(name.symbol);
            let here = binding.filter(|binding| binding.depth == self.scopes.depth());
            let Some(declaration) = here.and_then(|binding| binding.entry.declaration) else {
                let message = format!("`{text}` has a type here, but is not defined in this scope");
                self.diagnostics
                    .push(Diagnostic::error("unused-annotation", message).at(name.span, ""));
                continue;
            };
            if let Some(first) = self.annotated.insert((declaration, name.symbol), name.span) {
                let message = format!("the type of `{text}` is given twice");
                let error = Diagnostic::error("duplicate-annotation", message)
                    .at(name.span, "given again here")
                    .at(first, "first given here");
                self.diagnostics.push(error);
            }
        }
    }

    /// Resolves the names of datatypes in the type `body`. Others are type variables, or unknown.
    fn type_names(&mut self, body: TypeId) {
        for (id, path) in type_names(self.ast, body) {
            self.out.type_names[id] = match path.segments.as_slice() {
                [name] => self.type_name(*name),
                _ => {
                    let found = self.find(path, self.scopes.depth());
                    found.map(|found| found.reference)
                }
            };
        }
    }

    fn type_name(&mut self, name: Identifier) -> Option<Reference> {
        self.record_visible(name.span);
        // A name that is not in scope, or is no type, is no mistake yet: it may be a type variable.
        let binding = self.scopes.lookup(name.symbol)?;
        if binding.entry.kind != NameKind::Type {
            return None;
        }
        self.record_name(name, binding.entry);
        Some(self.reference(&binding, self.scopes.depth()))
    }

    fn assertion(&mut self, assertion: &Assertion) {
        match &assertion.kind {
            AssertionKind::Refinement {
                specification: first,
                implementation: second,
                ..
            }
            | AssertionKind::HasTrace {
                process: first,
                trace: second,
                ..
            } => self.all(&[*first, *second]),
            AssertionKind::Property { process, .. } => self.all(&[*process]),
            AssertionKind::Symmetric { subject, types, .. } => {
                self.all(&[*subject]);
                self.symmetric_types(types);
            }
            AssertionKind::Unread(_) => {}
        }
        for option in &assertion.options {
            match option {
                AssertionOption::TauPriority(expression) | AssertionOption::ForAll(expression) => {
                    self.all(&[*expression]);
                }
                AssertionOption::PartialOrderReduce(_) => {}
                AssertionOption::SymmetryReduce(types) => self.symmetric_types(types),
            }
        }
    }

    fn symmetric_types(&mut self, types: &[SymmetricType]) {
        for SymmetricType {
            name,
            expression,
            fixed,
            ..
        } in types
        {
            self.all(fixed);
            let Some(found) = self.find(name, self.scopes.depth()) else {
                continue;
            };
            self.record_expression(*expression);
            if may_be_type(&found) {
                self.out.names[*expression] = Some(found.reference);
                continue;
            }
            let text = self.path_text(name);
            let kind = found.entry.map_or("a built-in", |entry| entry.kind.noun());
            let message = format!("`{text}` is {kind}, not a type");
            self.diagnostics
                .push(Diagnostic::error("not-a-type", message).at(name.span(), ""));
        }
    }
}

/// True if a name may stand for a set of values. Its contents show only when it is evaluated.
fn may_be_type(found: &FoundName) -> bool {
    match found.entry {
        Some(entry) => matches!(entry.kind, NameKind::Type | NameKind::Constant),
        None => matches!(
            found.reference,
            Reference::Builtin(Builtin::Bool | Builtin::Char | Builtin::Int | Builtin::Proc)
        ),
    }
}
