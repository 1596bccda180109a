//! Names in expressions, and the frames that expressions push.

use super::builtin::Builtin;
use super::free::SiteKind;
use super::instances::count;
use super::resolved::Reference;
use super::resolver::Resolver;
use super::scope::{Access, FrameKind, NameKind};
use base::diag::Diagnostic;
use base::source::Span;
use base::stack::deep;
use syntax::ast::{
    Collection, Declaration, DeclarationId, Expr, ExprId, Field, Items, QualifiedName,
    ReplicatedOp, Statement, Symbol, Ties,
};
use syntax::children::{Child, children};

/// An expression as the head of an application: a name, with the number of groups of arguments that
/// it has so far.
#[derive(Clone, Copy)]
pub(super) struct CallHead {
    name: CalleeName,
    groups: usize,
}

#[derive(Clone, Copy)]
enum CalleeName {
    Builtin(Builtin),
    Function(DeclarationId),
    /// A name that is certainly no function.
    Value(NameKind, Symbol),
}

impl Resolver<'_> {
    /// Resolves the names in `id`.
    pub(super) fn expression(&mut self, id: ExprId) -> Option<CallHead> {
        deep(|| {
            let callee = self.any_expression(id);
            // Afterwards, because it asks what the name that the expression may be was resolved to.
            self.note_timed(id);
            callee
        })
    }

    fn any_expression(&mut self, id: ExprId) -> Option<CallHead> {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Name(path) => return self.name(id, path),
            Expr::Parenthesised(inner) => return self.expression(*inner),
            Expr::Apply(function, arguments) => {
                let callee = self.expression(*function);
                // Resolved in any case: what is wrong in the arguments does not depend on the
                // function.
                self.delayed(arguments);
                return self.application(callee?, ast.expressions[*function].span, arguments.len());
            }
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_) => {}
            Expr::Imported(import) => self.all(&[import.function, import.labels]),
            Expr::Tuple(parts) => self.delayed(parts),
            Expr::Dot(parts) => self.all(parts),
            Expr::Sequence(collection) | Expr::Set(collection) => self.collection(collection),
            Expr::Productions(items, statements) => self.within(statements, |r| r.all(items)),
            Expr::Map(pairs) => self.pairs(pairs),
            Expr::Unary(_, inner) => self.all(&[*inner]),
            Expr::If(condition, yes, no) => {
                self.part(*condition, |resolver| {
                    resolver.expression(*condition);
                });
                self.all(&[*yes, *no]);
            }
            Expr::Binary(_, left, right) => self.all(&[*left, *right]),
            Expr::Let(declarations, body) => self.local(id, declarations, *body),
            Expr::Lambda(patterns, body) => {
                let around = self
                    .free
                    .enter_site(id, SiteKind::Code, self.scopes.depth());
                self.push_lambda(patterns);
                self.expression(*body);
                self.scopes.pop();
                self.free.leave(around);
            }
            _ => self.process(id),
        }
        None
    }

    fn process(&mut self, id: ExprId) {
        let ast = self.ast;
        self.check_timed(id);
        match ast.expr(id) {
            Expr::LinkedParallel { left, ties, right } => {
                self.all(&[*left, *right]);
                self.ties(ties);
            }
            Expr::Rename(process, ties) => {
                self.all(&[*process]);
                self.ties(ties);
            }
            Expr::Prefix(channel, fields, continuation) => {
                self.prefix(id, *channel, fields, *continuation);
            }
            Expr::Replicated(operator, statements, body) => {
                self.replicated(id, operator, statements, *body);
            }
            Expr::Guard(condition, body) => {
                self.part(*condition, |resolver| {
                    resolver.expression(*condition);
                });
                self.expression(*body);
            }
            _ => self.inside(Child::Expression(id)),
        }
    }

    /// Resolves the expressions directly in a node that opens no scope.
    pub(super) fn inside(&mut self, node: Child) {
        let mut found = Vec::new();
        children(self.ast, node, &mut found);
        for child in found {
            if let Child::Expression(id) = child {
                self.expression(id);
            }
        }
    }

    pub(super) fn all(&mut self, expressions: &[ExprId]) {
        for &expression in expressions {
            self.expression(expression);
        }
    }

    /// Resolves arguments and parts, which are evaluated by need. Notes the variables on which each
    /// depends, unless it is a literal.
    fn delayed(&mut self, expressions: &[ExprId]) {
        let depth = self.scopes.depth();
        for &expression in expressions {
            let is_literal = matches!(
                self.ast.expr(expression),
                Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_)
            );
            // Nothing is free at the top level, nor in a literal.
            if depth == 0 || is_literal {
                self.expression(expression);
                continue;
            }
            let around = self.free.enter_site(expression, SiteKind::Argument, depth);
            self.expression(expression);
            self.free.leave(around);
        }
    }

    /// Runs `resolve`, and notes under `id` the variables on which the resolved names depend.
    fn part(&mut self, id: ExprId, resolve: impl FnOnce(&mut Self)) {
        let depth = self.scopes.depth();
        // Nothing is free at the top level.
        if depth == 0 {
            return resolve(self);
        }
        let around = self.free.enter_site(id, SiteKind::Part, depth);
        resolve(self);
        self.free.leave(around);
    }

    fn pairs(&mut self, pairs: &[(ExprId, ExprId)]) {
        for &(left, right) in pairs {
            self.all(&[left, right]);
        }
    }

    fn collection(&mut self, collection: &Collection) {
        self.within(&collection.statements, |resolver| match &collection.items {
            Items::List(items) => resolver.delayed(items),
            Items::From(first) => resolver.all(&[*first]),
            Items::Range(first, last) => resolver.all(&[*first, *last]),
        });
    }

    fn ties(&mut self, ties: &Ties) {
        self.within(&ties.statements, |resolver| resolver.pairs(&ties.pairs));
    }

    /// Resolves `statements` from left to right, then runs `inside` in their scope.
    fn within(&mut self, statements: &[Statement], inside: impl FnOnce(&mut Self)) {
        let frames = self.statements(statements);
        inside(self);
        for _ in 0..frames {
            self.scopes.pop();
        }
    }

    /// Resolves `statements` from left to right. Returns the number of frames they have pushed.
    fn statements(&mut self, statements: &[Statement]) -> u32 {
        let (first, mut frames) = (self.scopes.depth() + 1, 0);
        for statement in statements {
            match statement {
                Statement::Generator(pattern, source) => {
                    // The source comes first: it does not see the variables of its own pattern.
                    self.expression(*source);
                    self.push_patterns(&[*pattern], first);
                    frames += 1;
                }
                Statement::Predicate(condition) => {
                    self.expression(*condition);
                }
            }
        }
        frames
    }

    fn replicated(
        &mut self,
        id: ExprId,
        operator: &ReplicatedOp,
        statements: &[Statement],
        body: ExprId,
    ) {
        if let ReplicatedOp::GeneralisedParallel(events)
        | ReplicatedOp::SynchronisingChoice(events) = operator
        {
            self.expression(*events);
        }
        let mut frames = 0;
        self.part(id, |resolver| frames = resolver.statements(statements));
        match operator {
            ReplicatedOp::AlphabetisedParallel(alphabet) => {
                self.expression(*alphabet);
            }
            ReplicatedOp::LinkedParallel(ties) => self.ties(ties),
            _ => {}
        }
        self.expression(body);
        for _ in 0..frames {
            self.scopes.pop();
        }
    }

    fn prefix(&mut self, id: ExprId, channel: ExprId, fields: &[Field], continuation: ExprId) {
        let mut frames = 0;
        self.part(id, |resolver| frames = resolver.event(channel, fields));
        let depth = self.scopes.depth();
        // Only the continuation waits: the channel and the fields are evaluated with the prefix.
        let around = self.free.enter_site(continuation, SiteKind::Code, depth);
        self.expression(continuation);
        self.free.leave(around);
        for _ in 0..frames {
            self.scopes.pop();
        }
    }

    /// Resolves the event of a prefix. Returns the number of frames its inputs have pushed.
    fn event(&mut self, channel: ExprId, fields: &[Field]) -> u32 {
        let known = self.diagnostics.len();
        self.expression(channel);
        self.explain_unknown(known, channel, |name| {
            format!("events are declared: `channel {name}`, or `channel {name} : {{0..3}}` if it has a field")
        });
        let (first, mut frames) = (self.scopes.depth() + 1, 0);
        for field in fields {
            match field {
                Field::Output(value) => {
                    let known = self.diagnostics.len();
                    self.expression(*value);
                    self.explain_unknown(known, *value, |name| {
                        format!("`!{name}` sends a value that is known; to receive one and call it `{name}`, write `?{name}`")
                    });
                }
                Field::Input(pattern, set) | Field::Nondeterministic(pattern, set) => {
                    // The set comes first: it does not see the variables of its own pattern.
                    if let Some(set) = set {
                        self.expression(*set);
                    }
                    self.push_patterns(&[*pattern], first);
                    frames += 1;
                }
            }
        }
        frames
    }

    /// Adds a hint to the message about the first name of `expression`, if that name is unknown,
    /// was reported since there were `known` messages, and no similar name was suggested. The
    /// closure `hint` makes the text from the name.
    fn explain_unknown(
        &mut self,
        known: usize,
        expression: ExprId,
        hint: impl FnOnce(&str) -> String,
    ) {
        let first = match self.ast.expr(expression) {
            Expr::Dot(parts) => parts[0],
            _ => expression,
        };
        let Expr::Name(path) = self.ast.expr(first) else {
            return;
        };
        let name = path.segments[0];
        let is_about = |report: &Diagnostic| {
            let place = report.labels.first().map(|label| label.0);
            report.code == "unknown-name" && report.hint.is_none() && place == Some(name.span)
        };
        let mut reports = self.diagnostics[known..].iter_mut();
        if let Some(report) = reports.find(|report| is_about(report)) {
            report.set_hint(hint(self.ast.name(name.symbol)));
        }
    }

    fn local(&mut self, id: ExprId, declarations: &[DeclarationId], body: ExprId) {
        let (table, _) = self.collect(declarations);
        self.push_table(&table, FrameKind::Plain);
        // All names of a `let` are bound before any definition is resolved: each may use all.
        self.bind_declared_patterns(declarations, Access::Private);
        self.declarations(declarations);
        self.expression(body);
        let size = self.scopes.pop();
        self.out.let_frames.insert(id, size);
    }

    fn name(&mut self, id: ExprId, path: &QualifiedName) -> Option<CallHead> {
        let found = self.find(path, self.scopes.depth())?;
        self.record_expression(id);
        let name = match (&found.reference, found.entry) {
            (Reference::Builtin(builtin), _) => Some(CalleeName::Builtin(*builtin)),
            (_, Some(entry)) => {
                if !entry.kind.is_value() {
                    self.not_a_value(path, entry.kind);
                    return None;
                }
                match (entry.kind, entry.declaration) {
                    (NameKind::Function, Some(declaration)) => {
                        Some(CalleeName::Function(declaration))
                    }
                    // These may be functions, which only their types tell.
                    (NameKind::Variable | NameKind::Constant, _) => None,
                    (kind, _) => Some(CalleeName::Value(kind, path.last().symbol)),
                }
            }
            (_, None) => None,
        };
        self.out.names[id] = Some(found.reference);
        Some(CallHead {
            name: name?,
            groups: 0,
        })
    }

    fn not_a_value(&mut self, path: &QualifiedName, kind: NameKind) {
        let text = self.path_text(path);
        let message = format!("`{text}` is {}, which is not a value", kind.noun());
        self.diagnostics.push(
            Diagnostic::error("not-a-value", message)
                .at(path.span(), "")
                .hint(format!("its members are `{text}::...`")),
        );
    }

    /// Checks one more group of arguments of `callee`, whose text is at `span`.
    fn application(&mut self, callee: CallHead, span: Span, given: usize) -> Option<CallHead> {
        let ast = self.ast;
        let (wanted, name, declared) = match callee.name {
            CalleeName::Function(declaration) => {
                let Declaration::Function(name, clauses) = ast.declaration(declaration) else {
                    return None;
                };
                // Arguments after the last group of parameters are given to the value of the body.
                let group = clauses.first()?.groups.get(callee.groups)?;
                (group.len(), ast.name(name.symbol), Some(name.span))
            }
            // The further arguments of a curried built-in are left to its type.
            CalleeName::Builtin(_) if callee.groups > 0 => return None,
            CalleeName::Builtin(builtin) if builtin.arity() > 0 => {
                (builtin.arity(), builtin.name(), None)
            }
            CalleeName::Builtin(builtin) => {
                let hint = format!("write `{}` without brackets", builtin.name());
                self.not_a_function(span, builtin.name(), "no function", Some(hint));
                return None;
            }
            CalleeName::Value(kind, name) => {
                let (text, what) = (ast.name(name), format!("{}, no function", kind.noun()));
                let hint = (kind == NameKind::Channel)
                    .then(|| format!("the fields of an event stand behind dots: `{text}.1.2`"));
                self.not_a_function(span, text, &what, hint);
                return None;
            }
        };
        if wanted != given {
            let group = match callee.groups {
                0 => String::new(),
                n => format!(" in pair {} of its parentheses", n + 1),
            };
            let message = format!(
                "`{name}` takes {}{group}, but here it gets {given}",
                count(wanted)
            );
            let error = Diagnostic::error("wrong-arity", message).at(span, "");
            self.diagnostics.push(match declared {
                Some(declared) => error.at(declared, "declared here"),
                None => error,
            });
        }
        Some(CallHead {
            groups: callee.groups + 1,
            ..callee
        })
    }

    fn not_a_function(&mut self, span: Span, name: &str, what: &str, hint: Option<String>) {
        let message = format!("`{name}` is {what}, so it cannot be applied");
        let error = Diagnostic::error("not-a-function", message).at(span, "");
        self.diagnostics.push(match hint {
            Some(hint) => error.hint(hint),
            None => error,
        });
    }
}
