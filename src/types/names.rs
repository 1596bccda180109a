//! Finding what a name means, and helping where it means nothing.

use super::builtin::{Builtin, Visibility};
use super::occurrences::Meaning;
use super::resolved::Reference;
use super::resolver::Resolver;
use super::scope::{Access, NameKind, ScopeEntry};
use crate::base::suggest::nearest;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Declaration, DeclarationId, Identifier, QualifiedName, Symbol};

/// How many unknown names get a suggestion: looking for one takes time in proportion to the script.
const SUGGESTIONS: usize = 20;

/// What a path means.
pub(super) struct FoundName {
    pub(super) reference: Reference,
    /// `None` for a built-in.
    pub(super) entry: Option<ScopeEntry>,
}

impl Resolver<'_> {
    /// What `path` means here, seen from frame `depth`. If it means nothing, that is reported.
    pub(super) fn find(&mut self, path: &QualifiedName, depth: u32) -> Option<FoundName> {
        self.record_visible(path.segments.first()?.span);
        match path.segments.as_slice() {
            [name] => self.find_simple(*name, depth),
            _ => self.find_member(path, depth),
        }
    }

    fn find_simple(&mut self, name: Identifier, depth: u32) -> Option<FoundName> {
        if let Some(binding) = self.scopes.lookup(name.symbol) {
            let reference = self.refer(&binding, depth);
            self.record_name(name, binding.entry);
            let entry = match binding.entry.kind {
                NameKind::Import(_) => None,
                _ => Some(binding.entry),
            };
            return Some(FoundName { reference, entry });
        }
        // Names of the script come before built-ins, and so hide them.
        let builtin = self.builtin_named(name.symbol);
        match builtin.map(Builtin::visibility) {
            Some(Visibility::Always) => {}
            Some(Visibility::Timed) if self.timed.is_some() => {}
            _ => {
                self.not_in_scope(name, builtin);
                return None;
            }
        }
        let builtin = builtin?;
        self.record(name.span, Meaning::Builtin(builtin));
        Some(FoundName {
            reference: Reference::Builtin(builtin),
            entry: None,
        })
    }

    fn find_member(&mut self, path: &QualifiedName, depth: u32) -> Option<FoundName> {
        let (&first, further) = path.segments.split_first()?;
        let module = self.scopes.lookup_module(first.symbol);
        // A value of that name has no members; it is found for the message alone.
        let Some(binding) = module.or_else(|| self.scopes.lookup(first.symbol)) else {
            self.not_in_scope(first, None);
            return None;
        };
        // Only the outermost instance is in scope: what its members depend on is found there.
        self.note_use(&binding);
        self.record_name(first, binding.entry);
        let mut owner = first;
        let mut entry = binding.entry;
        let mut members = Vec::new();
        let mut is_of_instance = false;
        for &segment in further {
            is_of_instance |= entry.kind == NameKind::Instance;
            self.record_member(entry, segment, is_of_instance);
            let module = self.module_behind(entry, owner)?;
            entry = self.exported_member(module, owner, segment)?;
            members.push(entry.slot);
            owner = segment;
        }
        if let NameKind::Import(builtin) = entry.kind {
            return Some(FoundName {
                reference: Reference::Builtin(builtin),
                entry: None,
            });
        }
        let place = binding.place_from(depth);
        let reference = Reference::Member {
            place,
            members,
            definition: entry.declaration,
        };
        Some(FoundName {
            reference,
            entry: Some(entry),
        })
    }

    fn exported_member(
        &mut self,
        module: DeclarationId,
        owner: Identifier,
        name: Identifier,
    ) -> Option<ScopeEntry> {
        let (text, owner_text) = (self.ast.name(name.symbol), self.ast.name(owner.symbol));
        match self.modules.member(module, name.symbol) {
            Some(entry) if entry.access == Access::Exported => Some(entry),
            Some(entry) => {
                let message = format!("`{text}` is private to the module behind `{owner_text}`");
                let error = Diagnostic::error("private-name", message)
                    .at(name.span, "")
                    .at(entry.span, "introduced here, before `exports`")
                    .hint("move its definition below `exports`");
                self.diagnostics.push(error);
                None
            }
            None => {
                let message = format!("`{owner_text}` has no member `{text}`");
                let error = Diagnostic::error("unknown-name", message).at(name.span, "");
                let exports = self
                    .modules
                    .exports(module)
                    .map(|(symbol, _)| self.ast.name(symbol));
                let near = nearest(text, exports);
                self.diagnostics.push(match near {
                    Some(near) => error.hint(format!("did you mean `{owner_text}::{near}`?")),
                    None => error,
                });
                None
            }
        }
    }

    /// Reports `name`, which may be a built-in that is not visible here; once for each name.
    fn not_in_scope(&mut self, name: Identifier, builtin: Option<Builtin>) {
        if let Some((_, again)) = self.unknown.reported.get_mut(&name.symbol) {
            *again += 1;
            return;
        }
        // The number that the message will have when it is pushed below.
        let report = (self.diagnostics.len(), 0);
        self.unknown.reported.insert(name.symbol, report);
        let error = match builtin {
            Some(builtin) => invisible_builtin(builtin, name.span),
            None => self.unknown_name(name),
        };
        self.diagnostics.push(error);
    }

    fn unknown_name(&mut self, name: Identifier) -> Diagnostic {
        let text = self.ast.name(name.symbol);
        let message = format!("`{text}` is not defined here");
        let mut error = Diagnostic::error("unknown-name", message).at(name.span, "");
        if self.unknown.suggested < SUGGESTIONS {
            self.unknown.suggested += 1;
            error.hint = self
                // A module that has the very name is a better guess than a name that is only
                // similar.
                .name_in_module(name.symbol)
                .or_else(|| self.similar_name(text));
        }
        error
    }

    /// Where a module has a name that is not in scope itself.
    fn name_in_module(&self, symbol: Symbol) -> Option<String> {
        let text = self.ast.name(symbol);
        let (module, entry) = self.modules.with_member(symbol).next()?;
        let Declaration::Module { name, .. } = self.ast.declaration(module) else {
            return None;
        };
        let module_name = self.ast.name(name.symbol);
        Some(if entry.access == Access::Private {
            format!("module `{module_name}` has a `{text}`, but does not export it")
        } else if self.parameters(module).is_empty() {
            format!("module `{module_name}` has one: `{module_name}::{text}`")
        } else {
            format!(
                "the instances of module `{module_name}` have one: `I::{text}` for an instance `I`"
            )
        })
    }

    fn similar_name(&self, text: &str) -> Option<String> {
        let mut candidates: Vec<&str> = self
            .scopes
            .names()
            .map(|symbol| self.ast.name(symbol))
            .collect();
        candidates.extend(Builtin::ALL.iter().map(|builtin| builtin.name()));
        let near = nearest(text, candidates.iter().copied())?;
        let in_scope = self
            .ast
            .symbols
            .find(near)
            .is_some_and(|s| self.scopes.lookup(s).is_some());
        let builtin = Builtin::ALL.iter().find(|builtin| builtin.name() == near);
        Some(match builtin.and_then(|builtin| importing(*builtin)) {
            // A built-in that is in scope has been imported already.
            Some(import) if !in_scope => {
                format!("did you mean `{near}`? It has to be declared: `{import}`")
            }
            _ => format!("did you mean `{near}`?"),
        })
    }

    /// `path` as it is written.
    pub(super) fn path_text(&self, path: &QualifiedName) -> String {
        let names: Vec<&str> = path
            .segments
            .iter()
            .map(|segment| self.ast.name(segment.symbol))
            .collect();
        names.join("::")
    }

    /// Where the name of a declaration is introduced, or else the whole declaration.
    pub(super) fn declaration_name_span(&self, id: DeclarationId) -> Span {
        match self.ast.declaration(id) {
            Declaration::Function(name, _)
            | Declaration::Module { name, .. }
            | Declaration::Instance { name, .. }
            | Declaration::Datatype(name, _)
            | Declaration::Subtype(name, _)
            | Declaration::Nametype(name, _) => name.span,
            _ => self.ast.declarations[id].span,
        }
    }
}

fn invisible_builtin(builtin: Builtin, span: Span) -> Diagnostic {
    let name = builtin.name();
    match importing(builtin) {
        Some(import) => Diagnostic::error(
            "undeclared-external",
            format!("`{name}` is used without being declared"),
        )
        .at(span, "")
        .hint(format!("add the line `{import}` to the script")),
        None => Diagnostic::error(
            "timed-only",
            format!("`{name}` is there inside Timed sections only"),
        )
        .at(span, "")
        .hint("put the definition into `Timed { ... }`"),
    }
}

/// The declaration that brings `builtin` into scope.
fn importing(builtin: Builtin) -> Option<String> {
    let name = builtin.name();
    match builtin.visibility() {
        Visibility::External => Some(format!("external {name}")),
        Visibility::Transparent | Visibility::ExternalOrTransparent => {
            Some(format!("transparent {name}"))
        }
        Visibility::Always | Visibility::Timed => None,
    }
}
