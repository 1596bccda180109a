//! Goes through a script scope by scope, and notes what each name means.

use rustc_hash::FxHashMap;

use super::{Definition, DefinitionId, Kind, Names, Occurrence, Origin, Target, Visible};
use crate::base::stack::deep;
use crate::source::{FileId, Span};
use crate::syntax::ast::{
    Ast, Clause, Collection, Constructor, Declaration, DeclarationId, Expr, ExprId, Field,
    Identifier, Items, Path, Pattern, PatternId, ReplicatedOp, Statement, Symbol, Ties,
};
use crate::syntax::children::{Child, children, descendants, type_names};
use crate::types::builtin::Builtin;
use crate::types::resolved::{PatternName, Reference, Resolved};

/// The declarations of a module.
#[derive(Default)]
struct Members {
    all: Vec<DefinitionId>,
    exported: Vec<DefinitionId>,
}

/// The state of one walk.
pub(super) struct Walker<'a> {
    ast: &'a Ast,
    resolved: &'a Resolved,
    names: Names,
    /// By name, what it means in the scopes around, the innermost last.
    scope: FxHashMap<Symbol, Vec<DefinitionId>>,
    /// The names bound in the scopes around, in the order in which they were.
    bound: Vec<Symbol>,
    imported: Vec<Builtin>,
    is_timed: bool,
    modules: FxHashMap<DeclarationId, Members>,
    /// The definitions of the variables of pattern declarations.
    constants: FxHashMap<PatternId, DefinitionId>,
    place: Option<(FileId, u32)>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(ast: &'a Ast, resolved: &'a Resolved, place: Option<(FileId, u32)>) -> Self {
        Self {
            ast,
            resolved,
            names: Names::default(),
            scope: FxHashMap::default(),
            bound: Vec::new(),
            imported: Vec::new(),
            is_timed: false,
            modules: FxHashMap::default(),
            constants: FxHashMap::default(),
            place,
        }
    }

    pub(super) fn script(mut self) -> Names {
        let ast = self.ast;
        self.in_declarations(&ast.script, |walker| {
            let all = walker
                .bound
                .iter()
                .filter_map(|&symbol| walker.lookup(symbol));
            walker.names.top_level = all.collect();
            walker.declarations(&ast.script);
        });
        self.names
    }

    // ---- Scopes

    /// Does something where the names of `declarations` are visible.
    fn in_declarations(&mut self, declarations: &[DeclarationId], act: impl FnOnce(&mut Self)) {
        let imported = self.imported.len();
        let mut defined = Vec::new();
        self.define(declarations, &mut defined);
        self.within(&defined, act);
        self.imported.truncate(imported);
    }

    /// Does something where `definitions` are visible.
    fn within(&mut self, definitions: &[DefinitionId], act: impl FnOnce(&mut Self)) {
        let before = self.bound.len();
        for &id in definitions {
            self.bind(id);
        }
        act(self);
        self.unbind(before);
    }

    fn bind(&mut self, id: DefinitionId) {
        let symbol = self.names.definitions[id].symbol;
        self.scope.entry(symbol).or_default().push(id);
        self.bound.push(symbol);
    }

    fn unbind(&mut self, down_to: usize) {
        for symbol in self.bound.drain(down_to..) {
            if let Some(meanings) = self.scope.get_mut(&symbol) {
                meanings.pop();
            }
        }
    }

    fn lookup(&self, symbol: Symbol) -> Option<DefinitionId> {
        self.scope.get(&symbol)?.last().copied()
    }

    /// What `symbol` means before `::`.
    fn lookup_module(&self, symbol: Symbol) -> Option<DefinitionId> {
        let mut meanings = self.scope.get(&symbol)?.iter().rev();
        let is_module = |id: &&DefinitionId| {
            matches!(
                self.names.definitions[**id].kind,
                Kind::Module | Kind::Instance
            )
        };
        meanings.find(is_module).copied()
    }

    // ---- What declarations introduce

    /// Adds what `declarations` introduce to `found`, and notes what their modules hold.
    fn define(&mut self, declarations: &[DeclarationId], found: &mut Vec<DefinitionId>) {
        for &id in declarations {
            deep(|| self.define_one(id, found));
        }
    }

    fn define_one(&mut self, id: DeclarationId, found: &mut Vec<DefinitionId>) {
        let ast = self.ast;
        let mut add = |walker: &mut Self, name: Identifier, kind| {
            found.push(walker.add(id, name, kind));
        };
        match ast.declaration(id) {
            Declaration::Function(name, _) => add(self, *name, Kind::Function),
            Declaration::Channel(names, _) => {
                names
                    .iter()
                    .for_each(|&name| add(self, name, Kind::Channel));
            }
            Declaration::Datatype(name, constructors) => {
                add(self, *name, Kind::Type);
                for Constructor { name, .. } in constructors {
                    add(self, *name, Kind::Constructor);
                }
            }
            Declaration::Subtype(name, _) | Declaration::Nametype(name, _) => {
                add(self, *name, Kind::Type);
            }
            Declaration::Module {
                name,
                private,
                exports,
                ..
            } => {
                add(self, *name, Kind::Module);
                let mut members = Members::default();
                self.define(exports, &mut members.exported);
                self.define(private, &mut members.all);
                members.all.extend(&members.exported);
                self.modules.insert(id, members);
            }
            Declaration::Instance { name, .. } => add(self, *name, Kind::Instance),
            Declaration::Pattern(pattern, _) => self.define_variables(id, *pattern, found),
            Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                self.define(inner, found);
            }
            Declaration::External(names) | Declaration::Transparent(names) => {
                let builtins = names.iter().filter_map(|name| self.builtin(name.symbol));
                self.imported.extend(builtins.collect::<Vec<_>>());
            }
            Declaration::Print(_) | Declaration::Annotation(..) | Declaration::Assert(_) => {}
        }
    }

    fn add(&mut self, id: DeclarationId, name: Identifier, kind: Kind) -> DefinitionId {
        let definition = self.names.definitions.push(Definition {
            symbol: name.symbol,
            kind,
            span: name.span,
            origin: Origin::Declaration(id),
            pattern: None,
        });
        let introduced = self.names.introduced.entry(id).or_default();
        introduced.push(definition);
        self.note(name.span, Target::Definition(definition), None);
        definition
    }

    fn define_variables(
        &mut self,
        id: DeclarationId,
        pattern: PatternId,
        found: &mut Vec<DefinitionId>,
    ) {
        for (part, name) in self.variables(pattern) {
            let definition = self.add(id, name, Kind::Constant);
            self.names.definitions[definition].pattern = Some(part);
            self.constants.insert(part, definition);
            found.push(definition);
        }
    }

    /// The variables in `pattern`, in the order of the text.
    fn variables(&self, pattern: PatternId) -> Vec<(PatternId, Identifier)> {
        let parts = descendants(self.ast, Child::Pattern(pattern)).into_iter();
        let variables = parts.filter_map(|part| {
            let Child::Pattern(id) = part else {
                return None;
            };
            match (self.ast.pattern(id), &self.resolved.patterns[id]) {
                (Pattern::Name(path), Some(PatternName::Variable(_))) => Some((id, path.last())),
                _ => None,
            }
        });
        let mut variables: Vec<(PatternId, Identifier)> = variables.collect();
        variables.sort_by_key(|(_, name)| name.span.start);
        variables
    }

    fn builtin(&self, symbol: Symbol) -> Option<Builtin> {
        let name = self.ast.name(symbol);
        let mut all = Builtin::ALL.iter().copied();
        all.find(|builtin| builtin.name() == name)
    }

    // ---- Occurrences

    fn note(&mut self, span: Span, target: Target, expression: Option<ExprId>) {
        self.names.occurrences.push(Occurrence {
            span,
            target,
            expression,
            is_of_instance: false,
        });
    }

    fn is_asked_for(&self, span: Span) -> bool {
        self.names.visible.is_none()
            && self
                .place
                .is_some_and(|(file, at)| span.file == file && span.start <= at && at <= span.end)
    }

    /// Notes what the names of `path` mean; `reference` is what resolution found for all of it.
    fn path(&mut self, path: &Path, reference: Option<&Reference>, expression: Option<ExprId>) {
        let Some((first, further)) = path.segments.split_first() else {
            return;
        };
        if self.is_asked_for(first.span) {
            self.names.visible = Some(self.visible());
        }
        let module = || self.lookup_module(first.symbol);
        let module = if further.is_empty() { None } else { module() };
        let mut owner = module.or_else(|| self.lookup(first.symbol));
        let of_last = |is_last: bool| expression.filter(|_| is_last);
        match (owner, reference) {
            (Some(id), _) => {
                self.note(
                    first.span,
                    Target::Definition(id),
                    of_last(further.is_empty()),
                );
            }
            (None, Some(Reference::Builtin(builtin))) => {
                self.note(first.span, Target::Builtin(*builtin), expression);
            }
            (None, _) => {}
        }
        let mut is_of_instance = false;
        for (index, segment) in further.iter().enumerate() {
            is_of_instance |= owner.is_some_and(|id| self.is_instance(id));
            let module = owner.and_then(|id| self.module_behind(id));
            let members = module.and_then(|module| self.modules.get(&module));
            let exported = members.map_or(&[][..], |members| &members.exported);
            if self.is_asked_for(segment.span) {
                self.names.visible = Some(Visible::Members(exported.to_vec()));
            }
            let named = |&&id: &&DefinitionId| self.names.definitions[id].symbol == segment.symbol;
            owner = exported.iter().find(named).copied();
            if let Some(id) = owner {
                self.names.occurrences.push(Occurrence {
                    span: segment.span,
                    target: Target::Definition(id),
                    expression: of_last(index + 1 == further.len()),
                    is_of_instance,
                });
            } else if let Some(Reference::Builtin(builtin)) = reference {
                self.note(segment.span, Target::Builtin(*builtin), expression);
            }
        }
    }

    fn visible(&self) -> Visible {
        let tops = self.scope.values().filter_map(|meanings| meanings.last());
        let mut definitions: Vec<DefinitionId> = tops.copied().collect();
        definitions.sort_unstable();
        Visible::Names {
            definitions,
            imported: self.imported.clone(),
            is_timed: self.is_timed,
        }
    }

    fn is_instance(&self, id: DefinitionId) -> bool {
        self.names.definitions[id].kind == Kind::Instance
    }

    /// The module whose members are reached through `id`.
    fn module_behind(&self, id: DefinitionId) -> Option<DeclarationId> {
        let Origin::Declaration(mut declaration) = self.names.definitions[id].origin else {
            return None;
        };
        // An instance can be one of an instance; circles have been reported.
        for _ in 0..=self.resolved.instances.len() {
            match self.ast.declaration(declaration) {
                Declaration::Module { .. } => return Some(declaration),
                Declaration::Instance { .. } => match self.resolved.instances.get(&declaration)? {
                    Reference::Local { definition, .. } | Reference::Member { definition, .. } => {
                        declaration = (*definition)?;
                    }
                    Reference::Builtin(_) => return None,
                },
                _ => return None,
            }
        }
        None
    }

    // ---- Declarations

    /// Goes through `declarations`, whose own names are visible.
    fn declarations(&mut self, declarations: &[DeclarationId]) {
        for &id in declarations {
            deep(|| self.declaration(id));
        }
    }

    fn declaration(&mut self, id: DeclarationId) {
        let ast = self.ast;
        match ast.declaration(id) {
            Declaration::Pattern(pattern, body) => {
                self.pattern(*pattern);
                self.expression(*body);
            }
            Declaration::Function(name, clauses) => {
                for (index, clause) in clauses.iter().enumerate() {
                    if index > 0 {
                        self.further_clause(*name, clause);
                    }
                    self.clause(&clause.groups, clause.body);
                }
            }
            Declaration::Subtype(_, constructors) => {
                for Constructor { name, fields } in constructors {
                    self.use_of(*name);
                    fields.iter().for_each(|&fields| self.expression(fields));
                }
            }
            Declaration::Module {
                parameters,
                private,
                exports,
                ..
            } => self.module(id, parameters, private, exports),
            Declaration::Instance {
                module, arguments, ..
            } => {
                self.path(module, None, None);
                self.all(arguments);
            }
            Declaration::Include(_, inner) => {
                // Of a file without declarations nothing is known here.
                if let Some(&first) = inner.first() {
                    let file = ast.declarations[first].span.file;
                    self.note(ast.declarations[id].span, Target::File(file), None);
                }
                self.declarations(inner);
            }
            Declaration::Timed(duration, inner) => {
                duration
                    .iter()
                    .for_each(|&duration| self.expression(duration));
                let around = std::mem::replace(&mut self.is_timed, true);
                self.declarations(inner);
                self.is_timed = around;
            }
            Declaration::Annotation(names, scheme) => {
                names.iter().for_each(|&name| self.use_of(name));
                for (ty, path) in type_names(ast, scheme.body) {
                    let is_type = self.resolved.type_names[ty].is_some();
                    if is_type || self.is_asked_for(path.span()) {
                        self.path(path, None, None);
                    }
                }
            }
            Declaration::External(names) => self.imports(names, true),
            Declaration::Transparent(names) => self.imports(names, false),
            Declaration::Channel(..)
            | Declaration::Datatype(..)
            | Declaration::Nametype(..)
            | Declaration::Print(_)
            | Declaration::Assert(_) => self.inside(Child::Declaration(id)),
        }
    }

    /// A name that stands by itself for something in scope.
    fn use_of(&mut self, name: Identifier) {
        let path = Path {
            segments: vec![name],
        };
        self.path(&path, None, None);
    }

    fn imports(&mut self, names: &[Identifier], is_external: bool) {
        for name in names {
            if self.is_asked_for(name.span) {
                self.names.visible = Some(Visible::Imports { is_external });
            }
            if let Some(builtin) = self.builtin(name.symbol) {
                self.note(name.span, Target::Builtin(builtin), None);
            }
        }
    }

    /// Clauses after the first begin with the name too.
    fn further_clause(&mut self, name: Identifier, clause: &Clause) {
        let length = self.ast.name(name.symbol).len() as u32;
        let span = Span {
            end: clause.span.start + length,
            ..clause.span
        };
        self.use_of(Identifier { span, ..name });
    }

    fn clause(&mut self, groups: &[Vec<PatternId>], body: ExprId) {
        let before = self.bound.len();
        for group in groups {
            self.enter(group);
        }
        self.expression(body);
        self.unbind(before);
    }

    fn module(
        &mut self,
        id: DeclarationId,
        parameters: &[PatternId],
        private: &[DeclarationId],
        exports: &[DeclarationId],
    ) {
        let before = self.bound.len();
        self.enter(parameters);
        let members = self.modules.get(&id);
        for member in members.map_or(Vec::new(), |members| members.all.clone()) {
            self.bind(member);
        }
        self.declarations(private);
        self.declarations(exports);
        self.unbind(before);
    }

    // ---- Patterns

    /// Makes the variables of `patterns` visible.
    fn enter(&mut self, patterns: &[PatternId]) {
        for &pattern in patterns {
            self.pattern(pattern);
            for (part, name) in self.variables(pattern) {
                let definition = self.names.definitions.push(Definition {
                    symbol: name.symbol,
                    kind: Kind::Variable,
                    span: name.span,
                    origin: Origin::Pattern,
                    pattern: Some(part),
                });
                self.note(name.span, Target::Definition(definition), None);
                self.bind(definition);
            }
        }
    }

    /// Notes the constructors and channels in `pattern`, from outside its own scope.
    fn pattern(&mut self, pattern: PatternId) {
        for part in descendants(self.ast, Child::Pattern(pattern)) {
            let Child::Pattern(id) = part else { continue };
            let Pattern::Name(path) = self.ast.pattern(id) else {
                continue;
            };
            match &self.resolved.patterns[id] {
                Some(PatternName::Constant(reference)) => self.path(path, Some(reference), None),
                _ if self.is_asked_for(path.span()) => {
                    self.names.visible = Some(self.visible());
                }
                _ => {}
            }
        }
    }

    // ---- Expressions

    fn all(&mut self, expressions: &[ExprId]) {
        for &expression in expressions {
            self.expression(expression);
        }
    }

    fn expression(&mut self, id: ExprId) {
        deep(|| self.any_expression(id));
    }

    fn any_expression(&mut self, id: ExprId) {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Name(path) => {
                let reference = self.resolved.names[id].as_ref();
                self.path(path, reference, Some(id));
            }
            Expr::Let(declarations, body) => self.in_declarations(declarations, |walker| {
                walker.declarations(declarations);
                walker.expression(*body);
            }),
            Expr::Lambda(patterns, body) => {
                let before = self.bound.len();
                self.enter(patterns);
                self.expression(*body);
                self.unbind(before);
            }
            Expr::Sequence(collection) | Expr::Set(collection) => self.collection(collection),
            Expr::Productions(items, statements) => {
                self.statements(statements, |walker| walker.all(items));
            }
            Expr::Rename(process, ties) => {
                self.expression(*process);
                self.ties(ties);
            }
            Expr::LinkedParallel { left, ties, right } => {
                self.all(&[*left, *right]);
                self.ties(ties);
            }
            Expr::Prefix(channel, fields, continuation) => {
                self.prefix(*channel, fields, *continuation);
            }
            Expr::Replicated(operator, statements, body) => {
                self.replicated(operator, statements, *body);
            }
            _ => self.inside(Child::Expression(id)),
        }
    }

    /// The expressions directly in a node that opens no scope.
    fn inside(&mut self, node: Child) {
        let mut found = Vec::new();
        children(self.ast, node, &mut found);
        for child in found {
            if let Child::Expression(id) = child {
                self.expression(id);
            }
        }
    }

    /// Goes through `statements` from left to right, then through what is in their scope.
    fn statements(&mut self, statements: &[Statement], inside: impl FnOnce(&mut Self)) {
        let before = self.bound.len();
        for statement in statements {
            match statement {
                Statement::Generator(pattern, source) => {
                    self.expression(*source);
                    self.enter(&[*pattern]);
                }
                Statement::Predicate(condition) => self.expression(*condition),
            }
        }
        inside(self);
        self.unbind(before);
    }

    fn collection(&mut self, collection: &Collection) {
        self.statements(&collection.statements, |walker| match &collection.items {
            Items::List(items) => walker.all(items),
            Items::From(first) => walker.expression(*first),
            Items::Range(first, last) => walker.all(&[*first, *last]),
        });
    }

    fn ties(&mut self, ties: &Ties) {
        self.statements(&ties.statements, |walker| {
            for &(left, right) in &ties.pairs {
                walker.all(&[left, right]);
            }
        });
    }

    fn prefix(&mut self, channel: ExprId, fields: &[Field], continuation: ExprId) {
        let before = self.bound.len();
        self.expression(channel);
        for field in fields {
            match field {
                Field::Output(value) => self.expression(*value),
                Field::Input(pattern, set) | Field::Nondeterministic(pattern, set) => {
                    set.iter().for_each(|&set| self.expression(set));
                    self.enter(&[*pattern]);
                }
            }
        }
        self.expression(continuation);
        self.unbind(before);
    }

    fn replicated(&mut self, operator: &ReplicatedOp, statements: &[Statement], body: ExprId) {
        if let ReplicatedOp::GeneralisedParallel(events)
        | ReplicatedOp::SynchronisingChoice(events) = operator
        {
            self.expression(*events);
        }
        self.statements(statements, |walker| {
            match operator {
                ReplicatedOp::AlphabetisedParallel(alphabet) => walker.expression(*alphabet),
                ReplicatedOp::LinkedParallel(ties) => walker.ties(ties),
                _ => {}
            }
            walker.expression(body);
        });
    }
}
