//! Notes of the places and meanings of names during name resolution, if they are asked for.

use super::builtin::ImportWord;
use super::occurrences::{DefinedName, Meaning, Occurrence, Occurrences, Visible};
use super::resolver::Resolver;
use super::scope::{Access, NameKind, ScopeEntry};
use base::source::{FileId, Span};
use syntax::ast::{Clause, DeclarationId, ExprId, Identifier, Symbol};

/// The notes of one resolution.
pub(super) struct Record {
    pub(super) found: Occurrences,
    /// The place, a byte of a file, for which the visible names are wanted.
    pub(super) place: Option<(FileId, u32)>,
}

fn meaning(symbol: Symbol, entry: ScopeEntry) -> Meaning {
    match entry.kind {
        NameKind::Import(builtin) => Meaning::Builtin(builtin),
        kind => Meaning::Defined(DefinedName {
            symbol,
            kind,
            span: entry.span,
            declaration: entry.declaration,
        }),
    }
}

impl Resolver<'_> {
    /// Notes `meaning` as that of the name at `span`.
    pub(super) fn record(&mut self, span: Span, meaning: Meaning) {
        if let Some(record) = &mut self.record {
            record.found.all.push(Occurrence {
                span,
                meaning,
                expression: None,
                is_of_instance: false,
            });
        }
    }

    /// Notes that `name` means `entry`.
    pub(super) fn record_name(&mut self, name: Identifier, entry: ScopeEntry) {
        self.record(name.span, meaning(name.symbol, entry));
    }

    /// Notes a name that stands by itself, with its meaning in scope.
    pub(super) fn record_use(&mut self, name: Identifier) {
        self.record_visible(name.span);
        if let Some(binding) = self.scopes.lookup(name.symbol) {
            self.record_name(name, binding.entry);
        }
    }

    /// Notes the meaning of `name` as a member of `owner` and, if that is asked for, the members
    /// that can stand in its place. An editor also gets the members of a module with parameters,
    /// although only its instances have them: the script may not be finished.
    pub(super) fn record_member(
        &mut self,
        owner: ScopeEntry,
        name: Identifier,
        is_of_instance: bool,
    ) {
        if self.record.is_none() {
            return;
        }
        let module = match owner.kind {
            NameKind::Instance => owner.declaration.and_then(|id| self.modules.target(id)),
            NameKind::Module => owner.declaration,
            _ => None,
        };
        let Some(module) = module else { return };
        let member = self.modules.member(module, name.symbol);
        if let Some(entry) = member.filter(|entry| entry.access == Access::Exported) {
            self.record_name(name, entry);
            if let Some(last) = self.last_recorded() {
                last.is_of_instance = is_of_instance;
            }
        }
        if self.is_asked(name.span) {
            let exports = self.modules.exports(module);
            let members = exports.map(|(symbol, entry)| meaning(symbol, entry));
            self.set_visible(Visible::Members(members.collect()));
        }
    }

    /// Notes that the name recorded last is the last one of `expression`.
    pub(super) fn record_expression(&mut self, expression: ExprId) {
        if let Some(last) = self.last_recorded() {
            last.expression = Some(expression);
        }
    }

    fn last_recorded(&mut self) -> Option<&mut Occurrence> {
        self.record.as_mut()?.found.all.last_mut()
    }

    /// Notes the function `name` as introduced at the beginning of each clause but the first.
    pub(super) fn record_clauses(&mut self, name: Identifier, clauses: &[Clause]) {
        if self.record.is_none() {
            return;
        }
        // The tree keeps the place of the first name only; each further clause begins with it too.
        let length = self.ast.name(name.symbol).len() as u32;
        for clause in clauses.iter().skip(1) {
            let end = clause.span.start + length;
            let span = Span { end, ..clause.span };
            self.record_use(Identifier { span, ..name });
        }
    }

    /// Notes the file that the include `id` brings in, with its declarations `inner`. Nothing is
    /// known of a file without declarations.
    pub(super) fn record_include(&mut self, id: DeclarationId, inner: &[DeclarationId]) {
        if let Some(first) = inner.first() {
            let file = self.declaration_span(*first).file;
            self.record(self.declaration_span(id), Meaning::File(file));
        }
    }

    // ---- The visible names

    /// True if the visible names in `span` are asked for and not noted yet.
    fn is_asked(&self, span: Span) -> bool {
        self.record.as_ref().is_some_and(|record| {
            let is_in = |(file, at)| span.file == file && span.start <= at && at <= span.end;
            // Between two names without space both are at the place; the first one counts.
            record.found.visible.is_none() && record.place.is_some_and(is_in)
        })
    }

    fn set_visible(&mut self, visible: Visible) {
        if let Some(record) = &mut self.record {
            record.found.visible = Some(visible);
        }
    }

    /// Notes the names in scope here, if they are asked for in `span`.
    pub(super) fn record_visible(&mut self, span: Span) {
        if self.is_asked(span) {
            self.set_visible(Visible::InScope {
                names: self.meanings_in_scope(),
                is_timed: self.timed.is_some(),
            });
        }
    }

    /// Notes that only names imported by `word` can stand here, if names are asked for in `span`.
    pub(super) fn record_imports(&mut self, span: Span, word: ImportWord) {
        if self.is_asked(span) {
            self.set_visible(Visible::Imports(word));
        }
    }

    /// Notes the names in scope at the top level, where resolution now is.
    pub(super) fn record_top_level(&mut self) {
        if self.record.is_some() {
            let names = self.meanings_in_scope();
            if let Some(record) = &mut self.record {
                record.found.top_level = names;
            }
        }
    }

    fn meanings_in_scope(&self) -> Vec<Meaning> {
        let names = self.scopes.names();
        let meaning = |symbol| Some(meaning(symbol, self.scopes.lookup(symbol)?.entry));
        names.filter_map(meaning).collect()
    }
}
