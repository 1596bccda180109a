//! The names that a list of declarations introduces.

use super::builtin::{Builtin, ImportWord, Visibility};
use super::occurrences::Meaning;
use super::resolver::Resolver;
use super::scope::{Access, NameKind, ScopeEntry, ScopeTable};
use base::diag::Diagnostic;
use base::source::Span;
use base::stack::deep;
use base::suggest::nearest;
use syntax::ast::{Declaration, DeclarationId, Identifier, Symbol};

/// Fills a [`ScopeTable`].
pub(super) struct NameCollector<'r, 'a> {
    pub(super) resolver: &'r mut Resolver<'a>,
    pub(super) table: ScopeTable,
    /// The modules and instances met so far, in order.
    pub(super) modules: Vec<DeclarationId>,
    pub(super) access: Access,
}

impl NameCollector<'_, '_> {
    /// Adds the names that `declarations` introduce.
    pub(super) fn declarations(&mut self, declarations: &[DeclarationId]) {
        for &id in declarations {
            self.declaration(id);
        }
    }

    fn declaration(&mut self, id: DeclarationId) {
        let ast = self.resolver.ast;
        match ast.declaration(id) {
            Declaration::Function(name, _) => {
                self.function_shape(id);
                self.define(id, NameKind::Function, &[*name]);
            }
            Declaration::Channel(names, _) => self.define(id, NameKind::Channel, names),
            Declaration::Datatype(name, constructors) => {
                self.define(id, NameKind::Type, &[*name]);
                // After the name of the type: `Resolved::slots` promises this order.
                let names: Vec<Identifier> = constructors.iter().map(|c| c.name).collect();
                self.define(id, NameKind::Constructor, &names);
            }
            Declaration::Subtype(name, _) | Declaration::Nametype(name, _) => {
                self.define(id, NameKind::Type, &[*name]);
            }
            Declaration::External(names) => self.import(id, names, ImportWord::External),
            Declaration::Transparent(names) => self.import(id, names, ImportWord::Transparent),
            Declaration::Module { name, .. } => {
                self.define(id, NameKind::Module, &[*name]);
                self.modules.push(id);
            }
            Declaration::Instance { name, .. } => {
                self.define(id, NameKind::Instance, &[*name]);
                self.modules.push(id);
            }
            Declaration::Include(_, inner) => deep(|| self.declarations(inner)),
            Declaration::Timed(duration, inner) => {
                if duration.is_some() {
                    let slot = self.take_slot();
                    self.resolver.out.slots.insert(id, vec![slot]);
                }
                deep(|| self.declarations(inner));
            }
            // The names that a pattern binds depend on the constructors and channels in scope,
            // which are being collected: `bind_declared_patterns` looks afterwards.
            Declaration::Pattern(..)
            | Declaration::Print(_)
            | Declaration::Annotation(..)
            | Declaration::Assert(_) => {}
        }
    }

    fn take_slot(&mut self) -> u32 {
        self.table.size += 1;
        self.table.size - 1
    }

    fn define(&mut self, id: DeclarationId, kind: NameKind, names: &[Identifier]) {
        for name in names {
            let slot = self.take_slot();
            self.resolver.out.slots.entry(id).or_default().push(slot);
            let entry = ScopeEntry {
                kind,
                slot,
                declaration: Some(id),
                access: self.access,
                span: name.span,
            };
            self.resolver.record_name(*name, entry);
            self.add(name.symbol, entry);
        }
    }

    fn add(&mut self, symbol: Symbol, entry: ScopeEntry) {
        if let Some(first) = self.table.names.get_mut(&symbol) {
            // To import one built-in twice does no harm.
            if matches!(entry.kind, NameKind::Import(_)) && first.kind == entry.kind {
                first.access = first.access.max(entry.access);
            } else {
                // The first definition keeps the name.
                let first = *first;
                self.resolver.duplicate(symbol, first, entry);
            }
        } else {
            self.table.names.insert(symbol, entry);
        }
    }

    fn import(&mut self, id: DeclarationId, names: &[Identifier], word: ImportWord) {
        for name in names {
            let builtin = self.resolver.builtin_named(name.symbol);
            self.resolver.record_imports(name.span, word);
            if let Some(builtin) = builtin {
                self.resolver.record(name.span, Meaning::Builtin(builtin));
            }
            match builtin {
                Some(builtin) if word.imports(builtin) => {
                    let kind = NameKind::Import(builtin);
                    let entry = ScopeEntry {
                        kind,
                        slot: 0,
                        declaration: Some(id),
                        access: self.access,
                        span: name.span,
                    };
                    self.add(name.symbol, entry);
                }
                _ => self.resolver.unknown_import(*name, builtin, word),
            }
        }
    }

    /// Reports clauses of one function that have different groups of parameters.
    fn function_shape(&mut self, id: DeclarationId) {
        let Declaration::Function(name, clauses) = self.resolver.ast.declaration(id) else {
            return;
        };
        let Some((first, others)) = clauses.split_first() else {
            return;
        };
        let shape = |groups: &[Vec<_>]| groups.iter().map(Vec::len).collect::<Vec<usize>>();
        let expected = shape(&first.groups);
        for clause in others {
            let found = shape(&clause.groups);
            if found != expected {
                let text = self.resolver.ast.name(name.symbol);
                let message = format!(
                    "the clauses of `{text}` take different parameters: {} and {}",
                    groups_text(&expected),
                    groups_text(&found)
                );
                let error = Diagnostic::error("clause-arity", message)
                    .at(
                        clause.span,
                        format!("this clause takes {}", groups_text(&found)),
                    )
                    .at(
                        first.span,
                        format!("the first clause takes {}", groups_text(&expected)),
                    );
                self.resolver.diagnostics.push(error);
                return;
            }
        }
    }
}

/// The groups of a clause in words: `2 parameters`, `1 parameter and then 3`.
fn groups_text(groups: &[usize]) -> String {
    let mut text = String::new();
    for (i, n) in groups.iter().enumerate() {
        match i {
            0 => text = format!("{n} parameter{}", if *n == 1 { "" } else { "s" }),
            _ => text += &format!(" and then {n}"),
        }
    }
    text
}

impl Resolver<'_> {
    /// Reports a second definition of `symbol` in one scope.
    pub(super) fn duplicate(&mut self, symbol: Symbol, first: ScopeEntry, second: ScopeEntry) {
        let text = self.ast.name(symbol);
        let mut error = Diagnostic::error(
            "duplicate-definition",
            format!("`{text}` is defined twice in one scope"),
        )
        .at(second.span, "defined again here")
        .at(first.span, "first defined here");
        if first.kind == NameKind::Function && second.kind == NameKind::Function {
            error = error.hint(
                "if these are clauses of one function, put them next to each other, in the same file",
            );
        }
        self.diagnostics.push(error);
    }

    fn unknown_import(&mut self, name: Identifier, builtin: Option<Builtin>, word: ImportWord) {
        let text = self.ast.name(name.symbol);
        let (this, other) = (word.text(), word.other().text());
        let error = Diagnostic::error(
            "unknown-external",
            format!("there is no {this} function `{text}`"),
        )
        .at(name.span, "");
        let error = match builtin {
            Some(b) if word.other().imports(b) => {
                error.hint(format!("`{text}` is brought in by `{other} {text}`"))
            }
            Some(b) if b.visibility() == Visibility::Always => {
                error.hint(format!("`{text}` is always there; leave it out here"))
            }
            Some(_) => error.hint(format!("`{text}` is there inside Timed sections only")),
            None => {
                let names = Builtin::ALL.iter().filter(|b| word.imports(**b));
                match nearest(text, names.map(|b| b.name())) {
                    Some(near) => error.did_you_mean(&format!("`{near}`"), name.span, near),
                    None => error,
                }
            }
        };
        self.diagnostics.push(error);
    }

    /// The names of one `let` or of the script, without those that patterns bind.
    pub(super) fn collect(
        &mut self,
        declarations: &[DeclarationId],
    ) -> (ScopeTable, Vec<DeclarationId>) {
        let mut collector = NameCollector {
            resolver: self,
            table: ScopeTable::default(),
            modules: Vec::new(),
            access: Access::Private,
        };
        collector.declarations(declarations);
        (collector.table, collector.modules)
    }

    /// The span of the declaration `id`.
    pub(super) fn declaration_span(&self, id: DeclarationId) -> Span {
        self.ast.declarations[id].span
    }
}
