//! The variables in patterns, and the slots they fill.

use super::resolved::PatternName;
use super::resolver::Resolver;
use super::scope::{Access, FrameKind, NameKind, ScopeEntry};
use base::diag::Diagnostic;
use base::stack::deep;
use syntax::ast::{
    Declaration, DeclarationId, Identifier, Pattern, PatternId, QualifiedName, Symbol,
};

/// The frame that a pattern binds its variables in.
#[derive(Clone, Copy)]
enum PatternPurpose {
    /// A frame of its own, in a list of frames that begins at this depth: the frames of a prefix,
    /// of generators, or of the groups of parameters of a clause. The frames of a list bind no name
    /// twice, although each is in the scope of those before it.
    Frame(u32),
    /// The frame of a lambda. The slots of this parameter begin at this number. The parameter may
    /// bind a name that an earlier parameter binds, and then hides it.
    Lambda(u32),
    /// The frame of declarations in which this pattern declaration stands.
    Declaration(DeclarationId, Access),
}

impl Resolver<'_> {
    /// Pushes the frame of these patterns. It is one of several; the first of them has depth
    /// `first`.
    pub(super) fn push_patterns(&mut self, patterns: &[PatternId], first: u32) {
        self.scopes.push(FrameKind::Plain, 0);
        for &pattern in patterns {
            self.bind_root(pattern, PatternPurpose::Frame(first));
        }
    }

    /// Pushes the frame of the parameters of a lambda.
    pub(super) fn push_lambda(&mut self, parameters: &[PatternId]) {
        self.scopes.push(FrameKind::Plain, 0);
        for &parameter in parameters {
            self.bind_root(parameter, PatternPurpose::Lambda(self.scopes.slots()));
        }
    }

    /// Binds the variables of these patterns in the innermost frame, which is theirs alone.
    pub(super) fn bind_patterns(&mut self, patterns: &[PatternId]) {
        let first = self.scopes.depth();
        for &pattern in patterns {
            self.bind_root(pattern, PatternPurpose::Frame(first));
        }
    }

    /// Binds the variables of the pattern declarations among `declarations` in the innermost frame.
    /// Returns these declarations.
    pub(super) fn bind_declared_patterns(
        &mut self,
        declarations: &[DeclarationId],
        access: Access,
    ) -> Vec<(Symbol, ScopeEntry)> {
        // The next one at the end: slots are taken in the order of the script.
        let mut pending: Vec<DeclarationId> = declarations.iter().rev().copied().collect();
        let mut bound = Vec::new();
        while let Some(id) = pending.pop() {
            match self.ast.declaration(id) {
                Declaration::Pattern(pattern, _) => {
                    // The constructors and channels in a pattern count as uses by the definition.
                    let around = self.free.enter_definition(id, self.scopes.depth());
                    let from = self.scopes.bound_names();
                    self.bind_root(*pattern, PatternPurpose::Declaration(id, access));
                    bound.extend(self.scopes.bound_since(from));
                    self.free.leave(around);
                }
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                    pending.extend(inner.iter().rev());
                }
                _ => {}
            }
        }
        bound
    }

    fn bind_root(&mut self, pattern: PatternId, purpose: PatternPurpose) {
        let before = self.scopes.slots();
        if let (PatternPurpose::Declaration(..), Pattern::Name(path)) =
            (purpose, self.ast.pattern(pattern))
        {
            self.check_plain_definition(path);
        }
        self.bind_pattern(pattern, purpose);
        self.out
            .variables
            .insert(pattern, self.scopes.slots() - before);
    }

    /// Reports `c = e` where `c` is a constructor or channel, which defines nothing.
    fn check_plain_definition(&mut self, path: &QualifiedName) {
        let [name] = path.segments.as_slice() else {
            return;
        };
        let Some(binding) = self.scopes.lookup(name.symbol) else {
            return;
        };
        if !binding.entry.kind.is_constant_pattern() {
            return;
        }
        if binding.depth == self.scopes.depth() {
            self.duplicate(
                name.symbol,
                binding.entry,
                ScopeEntry {
                    span: name.span,
                    ..binding.entry
                },
            );
            return;
        }
        let text = self.ast.name(name.symbol);
        let kind = binding.entry.kind.noun();
        let message =
            format!("`{text}` is {kind} in scope, so this compares with it and defines nothing");
        let warning = Diagnostic::warning("constructor-pattern", message)
            .at(name.span, "")
            .at(binding.entry.span, "introduced here")
            .hint("use another name");
        self.diagnostics.push(warning);
    }

    fn bind_pattern(&mut self, id: PatternId, purpose: PatternPurpose) {
        let ast = self.ast;
        match ast.pattern(id) {
            Pattern::Name(path) => self.bind_name(id, path, purpose),
            Pattern::Wildcard
            | Pattern::Int(_)
            | Pattern::Bool(_)
            | Pattern::Char(_)
            | Pattern::String(_)
            | Pattern::EmptySet => {}
            Pattern::Tuple(parts)
            | Pattern::Sequence(parts)
            | Pattern::Concat(parts)
            | Pattern::Dot(parts) => {
                for &part in parts {
                    deep(|| self.bind_pattern(part, purpose));
                }
            }
            Pattern::Singleton(inner) | Pattern::Parenthesised(inner) => {
                deep(|| self.bind_pattern(*inner, purpose));
            }
            Pattern::Both(left, right) => {
                deep(|| self.bind_pattern(*left, purpose));
                deep(|| self.bind_pattern(*right, purpose));
            }
        }
    }

    fn bind_name(&mut self, id: PatternId, path: &QualifiedName, purpose: PatternPurpose) {
        let meaning = match path.segments.as_slice() {
            [name] => self.simple_name(*name, purpose),
            _ => self.qualified_constant(path, purpose),
        };
        self.out.patterns[id] = meaning;
    }

    fn simple_name(&mut self, name: Identifier, purpose: PatternPurpose) -> Option<PatternName> {
        // A pattern declaration sees all names of its scope. They are known only once all patterns
        // are bound, so `declaration` records them.
        if !matches!(purpose, PatternPurpose::Declaration(..)) {
            self.record_visible(name.span);
        }
        // A constructor may stand in a pattern several times; only variables may not.
        if let Some(binding) = self.scopes.lookup(name.symbol) {
            if binding.entry.kind.is_constant_pattern() {
                self.record_name(name, binding.entry);
                return Some(PatternName::Constant(
                    self.refer(&binding, self.depth_around(purpose)),
                ));
            }
            let depth = self.scopes.depth();
            let is_bound = match purpose {
                PatternPurpose::Frame(first) => binding.depth >= first,
                PatternPurpose::Lambda(first) => {
                    binding.depth == depth && binding.entry.slot >= first
                }
                PatternPurpose::Declaration(..) => binding.depth == depth,
            };
            if is_bound {
                self.bound_already(name, binding.entry, purpose);
                return None;
            }
        }
        let slot = self.scopes.take_slot();
        let (kind, declaration, access) = match purpose {
            PatternPurpose::Frame(_) | PatternPurpose::Lambda(_) => {
                (NameKind::Variable, None, Access::Private)
            }
            PatternPurpose::Declaration(id, access) => (NameKind::Constant, Some(id), access),
        };
        let entry = ScopeEntry {
            kind,
            slot,
            declaration,
            access,
            span: name.span,
        };
        self.scopes.bind(name.symbol, entry);
        self.record_name(name, entry);
        Some(PatternName::Variable(slot))
    }

    fn qualified_constant(
        &mut self,
        path: &QualifiedName,
        purpose: PatternPurpose,
    ) -> Option<PatternName> {
        let found = self.find(path, self.depth_around(purpose))?;
        if found.entry?.kind.is_constant_pattern() {
            return Some(PatternName::Constant(found.reference));
        }
        let text = self.path_text(path);
        let kind = found.entry?.kind.noun();
        let message =
            format!("`{text}` is {kind}, not a constructor or channel, so it cannot be a pattern");
        self.diagnostics
            .push(Diagnostic::error("not-a-constructor", message).at(path.span(), ""));
        None
    }

    /// The frame from which the constants of a pattern are seen. It is not the frame that the
    /// pattern fills.
    fn depth_around(&self, purpose: PatternPurpose) -> u32 {
        match purpose {
            PatternPurpose::Frame(_) | PatternPurpose::Lambda(_) => self.scopes.depth() - 1,
            PatternPurpose::Declaration(..) => self.scopes.depth(),
        }
    }

    fn bound_already(&mut self, name: Identifier, first: ScopeEntry, purpose: PatternPurpose) {
        match purpose {
            PatternPurpose::Declaration(id, access) if first.declaration != Some(id) => {
                let second = ScopeEntry {
                    kind: NameKind::Constant,
                    declaration: Some(id),
                    access,
                    span: name.span,
                    slot: 0,
                };
                self.duplicate(name.symbol, first, second);
            }
            _ => {
                let text = self.ast.name(name.symbol);
                let message = format!("`{text}` is bound twice by one pattern or parameter list");
                let error = Diagnostic::error("repeated-variable", message)
                    .at(name.span, "bound again here")
                    .at(first.span, "first bound here")
                    .hint("use two names and compare them with `==`");
                self.diagnostics.push(error);
            }
        }
    }
}
