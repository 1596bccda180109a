//! Finds the meaning of a name, and suggests another where it has none.

use super::builtin::{Builtin, Visibility};
use super::occurrences::Meaning;
use super::resolved::Reference;
use super::resolver::Resolver;
use super::scope::{Access, NameKind, ScopeEntry};
use base::diag::Diagnostic;
use base::source::{FileId, Span};
use base::suggest::nearest;
use syntax::ast::{Declaration, DeclarationId, Identifier, QualifiedName, Symbol};

/// The number of unknown names that get a suggestion. Each takes time for the whole script.
const SUGGESTIONS: usize = 20;

/// The meaning of a path.
pub(super) struct FoundName {
    pub(super) reference: Reference,
    /// `None` for a built-in.
    pub(super) entry: Option<ScopeEntry>,
}

impl Resolver<'_> {
    /// The meaning of `path` here, seen from frame `depth`. Reports a path without a meaning.
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
                    Some(near) => {
                        let meant = format!("`{owner_text}::{near}`");
                        error.did_you_mean(&meant, name.span, near)
                    }
                    None => error,
                });
                None
            }
        }
    }

    /// Reports `name`, once for each name. It may be a built-in that is not visible here.
    fn not_in_scope(&mut self, name: Identifier, builtin: Option<Builtin>) {
        if let Some((index, again)) = self.unknown.reported.get_mut(&name.symbol) {
            *again += 1;
            let index = *index;
            self.mend_too(index, name.span);
            return;
        }
        // The number that the message will have when it is pushed below.
        let report = (self.diagnostics.len(), 0);
        self.unknown.reported.insert(name.symbol, report);
        let error = match builtin {
            Some(builtin) => self.invisible_builtin(builtin, name.span),
            None => self.unknown_name(name),
        };
        self.diagnostics.push(error);
    }

    /// Adds the use at `span` to the fix of message number `index`, if the replacement for its
    /// first use has a meaning here too.
    fn mend_too(&mut self, index: usize, span: Span) {
        let report = &self.diagnostics[index];
        let first = report.labels.first().map(|label| label.0);
        let mut fix = report.fix().iter();
        let Some(written) = fix.find(|one| Some(one.span) == first) else {
            return;
        };
        let is_builtin = Builtin::ALL.iter().any(|one| one.name() == written.text);
        let name = written.text.split("::").next().unwrap_or_default();
        let is_in_scope = || {
            let symbol = self.ast.symbols.find(name)?;
            let module = self.scopes.lookup_module(symbol);
            module.or_else(|| self.scopes.lookup(symbol))
        };
        if is_builtin || is_in_scope().is_some() {
            let text = written.text.clone();
            self.diagnostics[index].add_replacement(span, text);
        }
    }

    fn unknown_name(&mut self, name: Identifier) -> Diagnostic {
        let text = self.ast.name(name.symbol);
        let message = format!("`{text}` is not defined here");
        let error = Diagnostic::error("unknown-name", message).at(name.span, "");
        if self.unknown.suggested == SUGGESTIONS {
            return error;
        }
        self.unknown.suggested += 1;
        // A module that has the very name is a better guess than a name that is only similar.
        match self.name_in_module(name.symbol) {
            Some((hint, Some(qualified))) => error.hint(hint).replace(name.span, qualified),
            Some((hint, None)) => error.hint(hint),
            None => self.with_similar_name(error, name),
        }
    }

    /// The place of a name in a module, if the name is not in scope itself, and the text that
    /// refers to it, if one can.
    fn name_in_module(&self, symbol: Symbol) -> Option<(String, Option<String>)> {
        let text = self.ast.name(symbol);
        let (module, entry) = self.modules.with_member(symbol).next()?;
        let Declaration::Module { name, .. } = self.ast.declaration(module) else {
            return None;
        };
        let module_name = self.ast.name(name.symbol);
        Some(if entry.access == Access::Private {
            let hint = format!("module `{module_name}` has a `{text}`, but does not export it");
            (hint, None)
        } else if self.parameters(module).is_empty() {
            let qualified = format!("{module_name}::{text}");
            let hint = format!("module `{module_name}` has one: `{qualified}`");
            // A module inside another one is not known by its name alone.
            let is_in_scope = self.scopes.lookup_module(name.symbol).is_some();
            (hint, is_in_scope.then_some(qualified))
        } else {
            let hint = format!(
                "the instances of module `{module_name}` have one: `I::{text}` for an instance `I`"
            );
            (hint, None)
        })
    }

    /// Adds the name most like the unknown `name` to `error`.
    fn with_similar_name(&self, error: Diagnostic, name: Identifier) -> Diagnostic {
        let text = self.ast.name(name.symbol);
        let mut candidates: Vec<&str> = self
            .scopes
            .names()
            .map(|symbol| self.ast.name(symbol))
            .collect();
        candidates.extend(Builtin::ALL.iter().map(|builtin| builtin.name()));
        let Some(near) = nearest(text, candidates.iter().copied()) else {
            return error;
        };
        let error = error.did_you_mean(&format!("`{near}`"), name.span, near);
        let in_scope = self
            .ast
            .symbols
            .find(near)
            .is_some_and(|s| self.scopes.lookup(s).is_some());
        let builtin = Builtin::ALL.iter().find(|builtin| builtin.name() == near);
        // A built-in that is in scope has been imported already.
        if let Some(import) = builtin.and_then(|builtin| importing(*builtin))
            && !in_scope
        {
            let error = error.further_hint(&format!("It has to be declared: `{import}`"));
            return self.with_import(error, name.span.file, &import);
        }
        error
    }

    /// Adds the line `import` to the fix of `error`: behind other imports in `file`, or else at the
    /// beginning of the file.
    fn with_import(&self, error: Diagnostic, file: FileId, import: &str) -> Diagnostic {
        let is_import = |declaration: &Declaration| {
            matches!(
                declaration,
                Declaration::External(_) | Declaration::Transparent(_)
            )
        };
        let top_level = self.ast.script.iter();
        let mut imports = top_level.filter(|&&id| is_import(self.ast.declaration(id)));
        let span = |id: &DeclarationId| self.ast.declarations[*id].span;
        let first = imports.find(|&id| span(id).file == file);
        let at = first.map_or(0, |id| span(id).start as usize);
        error.replace(Span::new(file, at, at), format!("{import}\n"))
    }

    fn invisible_builtin(&self, builtin: Builtin, span: Span) -> Diagnostic {
        let name = builtin.name();
        match importing(builtin) {
            Some(import) => {
                let message = format!("`{name}` is used without being declared");
                let error = Diagnostic::error("undeclared-external", message)
                    .at(span, "")
                    .hint(format!("add the line `{import}` to the script"));
                self.with_import(error, span.file, &import)
            }
            None => Diagnostic::error(
                "timed-only",
                format!("`{name}` is there inside Timed sections only"),
            )
            .at(span, "")
            .hint("put the definition into `Timed { ... }`"),
        }
    }

    /// The text of `path`.
    pub(super) fn path_text(&self, path: &QualifiedName) -> String {
        let names: Vec<&str> = path
            .segments
            .iter()
            .map(|segment| self.ast.name(segment.symbol))
            .collect();
        names.join("::")
    }

    /// The place where the name of a declaration is introduced, or else the whole declaration.
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
