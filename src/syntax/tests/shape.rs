//! Trees without their places: the contents of a script, written so that nothing is left implicit.

use std::fmt::Write;

use crate::ast::*;
use base::stack::deep;

/// The whole script, each operator in front of its operands and in parentheses.
pub(super) fn script_shape(ast: &Ast) -> String {
    let mut shape = Shape {
        ast,
        out: String::new(),
    };
    for &id in &ast.script {
        shape.declaration(id);
        shape.out.push('\n');
    }
    shape.out
}

/// One expression, each operator in front of its operands and in parentheses.
pub(super) fn expression_shape(ast: &Ast, id: ExprId) -> String {
    let mut shape = Shape {
        ast,
        out: String::new(),
    };
    shape.expr(id);
    shape.out
}

struct Shape<'a> {
    ast: &'a Ast,
    out: String,
}

impl Shape<'_> {
    /// Writes `(head`, then the output of `rest`, then `)`.
    fn node(&mut self, head: &str, rest: impl FnOnce(&mut Self)) {
        self.out.push('(');
        self.out.push_str(head);
        rest(self);
        self.out.push(')');
    }

    fn gap(&mut self) {
        if !self.out.ends_with(['(', '[']) {
            self.out.push(' ');
        }
    }

    fn exprs(&mut self, ids: &[ExprId]) {
        for &id in ids {
            self.gap();
            self.expr(id);
        }
    }

    fn patterns(&mut self, ids: &[PatternId]) {
        for &id in ids {
            self.gap();
            self.pattern(id);
        }
    }

    fn name(&mut self, name: &Identifier) {
        self.gap();
        self.out.push_str(self.ast.name(name.symbol));
    }

    fn names(&mut self, names: &[Identifier]) {
        for name in names {
            self.name(name);
        }
    }

    fn path(&mut self, path: &QualifiedName) {
        for (i, segment) in path.segments.iter().enumerate() {
            self.out.push_str(if i > 0 { "::" } else { "" });
            self.out.push_str(self.ast.name(segment.symbol));
        }
    }

    fn debug(&mut self, value: &dyn std::fmt::Debug) {
        self.gap();
        let _ = write!(self.out, "{value:?}");
    }

    fn expr(&mut self, id: ExprId) {
        deep(|| match self.ast.expr(id) {
            Expr::Int(value) => drop(write!(self.out, "{value}")),
            Expr::Bool(value) => drop(write!(self.out, "{value}")),
            Expr::Char(value) => drop(write!(self.out, "{value:?}")),
            Expr::String(value) => drop(write!(self.out, "{value:?}")),
            Expr::Imported(import) => drop(write!(self.out, "aut {:?}", import.path)),
            Expr::Name(path) => self.path(path),
            Expr::Parenthesised(e) => self.node("paren", |s| s.exprs(&[*e])),
            Expr::Tuple(es) => self.node("tuple", |s| s.exprs(es)),
            Expr::Sequence(c) => self.node("seq", |s| s.collection(c)),
            Expr::Set(c) => self.node("set", |s| s.collection(c)),
            Expr::Productions(es, statements) => self.node("productions", |s| {
                s.exprs(es);
                s.statements(statements);
            }),
            Expr::Map(pairs) => self.node("map", |s| s.pairs(pairs)),
            Expr::Dot(es) => self.node(".", |s| s.exprs(es)),
            Expr::Unary(op, e) => self.node(unary(*op), |s| s.exprs(&[*e])),
            Expr::Binary(op, l, r) => self.node(op.text(), |s| s.exprs(&[*l, *r])),
            Expr::If(c, t, e) => self.node("if", |s| s.exprs(&[*c, *t, *e])),
            Expr::Let(ds, e) => self.node("let", |s| {
                s.declarations(ds);
                s.exprs(&[*e]);
            }),
            Expr::Lambda(ps, e) => self.node("lambda", |s| {
                s.gap();
                s.node("", |s| s.patterns(ps));
                s.exprs(&[*e]);
            }),
            Expr::Apply(f, es) => self.node("apply", |s| {
                s.exprs(&[*f]);
                s.exprs(es);
            }),
            expr => self.process_expr(expr),
        });
    }

    fn process_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Prefix(channel, fields, body) => self.node("->", |s| {
                s.exprs(&[*channel]);
                for field in fields {
                    s.gap();
                    s.field(field);
                }
                s.exprs(&[*body]);
            }),
            Expr::Guard(l, r) => self.node("&", |s| s.exprs(&[*l, *r])),
            Expr::Process(op, l, r) => self.node(op.text(), |s| s.exprs(&[*l, *r])),
            Expr::Over(op, left, events, right) => {
                let symbol = match op {
                    SetOp::GeneralisedParallel => "[|",
                    SetOp::Exception => "[|>",
                    SetOp::SynchronisingChoice => "[+",
                    SetOp::SynchronisingInterrupt => "/+",
                };
                self.node(symbol, |s| s.exprs(&[*left, *events, *right]));
            }
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => {
                self.node("[||]", |s| {
                    s.exprs(&[*left, *left_alphabet, *right_alphabet, *right])
                });
            }
            Expr::LinkedParallel { left, ties, right } => self.node("[<->]", |s| {
                s.exprs(&[*left]);
                s.ties(ties);
                s.exprs(&[*right]);
            }),
            Expr::Hide(l, r) => self.node("\\", |s| s.exprs(&[*l, *r])),
            Expr::Project(l, r) => self.node("|\\", |s| s.exprs(&[*l, *r])),
            Expr::Rename(e, ties) => self.node("rename", |s| {
                s.exprs(&[*e]);
                s.ties(ties);
            }),
            Expr::Replicated(op, statements, body) => self.replicated(op, statements, *body),
            _ => unreachable!("the other expressions are written by the caller"),
        }
    }

    fn replicated(&mut self, op: &ReplicatedOp, statements: &[Statement], body: ExprId) {
        let (head, argument) = match op {
            ReplicatedOp::ExternalChoice => ("each[]", None),
            ReplicatedOp::InternalChoice => ("each|~|", None),
            ReplicatedOp::Sequential => ("each;", None),
            ReplicatedOp::Interleave => ("each|||", None),
            ReplicatedOp::GeneralisedParallel(e) => ("each[|", Some(*e)),
            ReplicatedOp::AlphabetisedParallel(e) => ("each||", Some(*e)),
            ReplicatedOp::LinkedParallel(_) => ("each[<->]", None),
            ReplicatedOp::SynchronisingChoice(e) => ("each[+", Some(*e)),
        };
        self.node(head, |s| {
            s.exprs(argument.as_slice());
            if let ReplicatedOp::LinkedParallel(ties) = op {
                s.ties(ties);
            }
            s.statements(statements);
            s.exprs(&[body]);
        });
    }

    fn collection(&mut self, collection: &Collection) {
        match &collection.items {
            Items::List(es) => self.exprs(es),
            Items::From(e) => {
                self.exprs(&[*e]);
                self.out.push_str(" ..");
            }
            Items::Range(l, r) => {
                self.exprs(&[*l]);
                self.out.push_str(" ..");
                self.exprs(&[*r]);
            }
        }
        self.statements(&collection.statements);
    }

    fn pairs(&mut self, pairs: &[(ExprId, ExprId)]) {
        for (l, r) in pairs {
            self.gap();
            self.node("", |s| s.exprs(&[*l, *r]));
        }
    }

    fn ties(&mut self, ties: &Ties) {
        self.pairs(&ties.pairs);
        self.statements(&ties.statements);
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.gap();
            match statement {
                Statement::Generator(p, e) => self.node("<-", |s| {
                    s.patterns(&[*p]);
                    s.exprs(&[*e]);
                }),
                Statement::Predicate(e) => self.node("|", |s| s.exprs(&[*e])),
            }
        }
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Output(e) => self.node("!", |s| s.exprs(&[*e])),
            Field::Input(p, set) => self.node("?", |s| {
                s.patterns(&[*p]);
                s.exprs(set.as_slice());
            }),
            Field::Nondeterministic(p, set) => self.node("$", |s| {
                s.patterns(&[*p]);
                s.exprs(set.as_slice());
            }),
        }
    }

    fn pattern(&mut self, id: PatternId) {
        deep(|| match self.ast.pattern(id) {
            Pattern::Name(path) => self.path(path),
            Pattern::Wildcard => self.out.push('_'),
            Pattern::Int(value) => drop(write!(self.out, "{value}")),
            Pattern::Bool(value) => drop(write!(self.out, "{value}")),
            Pattern::Char(value) => drop(write!(self.out, "{value:?}")),
            Pattern::String(value) => drop(write!(self.out, "{value:?}")),
            Pattern::Tuple(ps) => self.node("tuple", |s| s.patterns(ps)),
            Pattern::Sequence(ps) => self.node("seq", |s| s.patterns(ps)),
            Pattern::Concat(ps) => self.node("^", |s| s.patterns(ps)),
            Pattern::EmptySet => self.out.push_str("(set)"),
            Pattern::Singleton(p) => self.node("set", |s| s.patterns(&[*p])),
            Pattern::Dot(ps) => self.node(".", |s| s.patterns(ps)),
            Pattern::Both(l, r) => self.node("@@", |s| s.patterns(&[*l, *r])),
            Pattern::Parenthesised(p) => self.node("paren", |s| s.patterns(&[*p])),
        });
    }

    fn declarations(&mut self, ids: &[DeclarationId]) {
        for &id in ids {
            self.gap();
            self.declaration(id);
        }
    }

    fn declaration(&mut self, id: DeclarationId) {
        deep(|| self.declaration_here(self.ast.declaration(id)));
    }

    fn declaration_here(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Pattern(p, e) => self.node("=", |s| {
                s.patterns(&[*p]);
                s.exprs(&[*e]);
            }),
            Declaration::Function(name, clauses) => self.node("function", |s| {
                s.name(name);
                clauses.iter().for_each(|clause| s.clause(clause));
            }),
            Declaration::Channel(names, fields) => self.node("channel", |s| {
                s.names(names);
                s.out.push_str(if fields.is_some() { " :" } else { "" });
                s.exprs(fields.as_slice());
            }),
            Declaration::Datatype(name, cs) => self.node("datatype", |s| s.constructors(name, cs)),
            Declaration::Subtype(name, cs) => self.node("subtype", |s| s.constructors(name, cs)),
            Declaration::Nametype(name, e) => self.node("nametype", |s| {
                s.name(name);
                s.exprs(&[*e]);
            }),
            Declaration::External(names) => self.node("external", |s| s.names(names)),
            Declaration::Transparent(names) => self.node("transparent", |s| s.names(names)),
            Declaration::Module { .. } => self.node("module", |s| s.module(declaration)),
            Declaration::Instance {
                name,
                module,
                arguments,
            } => self.node("instance", |s| {
                s.name(name);
                s.out.push(' ');
                s.path(module);
                s.exprs(arguments);
            }),
            Declaration::Include(path, ds) => self.node("include", |s| {
                s.debug(path);
                s.declarations(ds);
            }),
            Declaration::Print(e) => self.node("print", |s| s.exprs(&[*e])),
            Declaration::Timed(e, ds) => self.node("Timed", |s| {
                s.out.push_str(if e.is_some() { " by" } else { "" });
                s.exprs(e.as_slice());
                s.declarations(ds);
            }),
            Declaration::Annotation(names, scheme) => self.node("::", |s| {
                s.names(names);
                for (constraint, variable) in &scheme.constraints {
                    s.gap();
                    s.node("", |s| s.names(&[*constraint, *variable]));
                }
                s.out.push_str(" :");
                s.types(&[scheme.body]);
            }),
            Declaration::Assert(assertion) => self.assertion(assertion),
        }
    }

    fn module(&mut self, declaration: &Declaration) {
        if let Declaration::Module {
            name,
            parameters,
            private,
            exports,
        } = declaration
        {
            self.name(name);
            self.patterns(parameters);
            self.out.push_str(" (private");
            self.declarations(private);
            self.out.push_str(") (exports");
            self.declarations(exports);
            self.out.push(')');
        }
    }

    fn clause(&mut self, clause: &Clause) {
        self.gap();
        self.node("clause", |s| {
            for group in &clause.groups {
                s.gap();
                s.node("", |s| s.patterns(group));
            }
            s.exprs(&[clause.body]);
        });
    }

    fn constructors(&mut self, name: &Identifier, constructors: &[Constructor]) {
        self.name(name);
        for constructor in constructors {
            self.gap();
            self.node("", |s| {
                s.name(&constructor.name);
                s.exprs(constructor.fields.as_slice());
            });
        }
    }

    fn assertion(&mut self, assertion: &Assertion) {
        self.node(
            if assertion.negated {
                "assert-not"
            } else {
                "assert"
            },
            |s| {
                match &assertion.kind {
                    AssertionKind::Refinement {
                        specification,
                        model,
                        implementation,
                    } => {
                        s.debug(model);
                        s.exprs(&[*specification, *implementation]);
                    }
                    AssertionKind::Property {
                        process,
                        property,
                        model,
                    } => {
                        s.debug(property);
                        s.debug(model);
                        s.exprs(&[*process]);
                    }
                    AssertionKind::HasTrace {
                        process,
                        model,
                        trace,
                    } => {
                        s.out.push_str(" has-trace");
                        s.debug(model);
                        s.exprs(&[*process, *trace]);
                    }
                    AssertionKind::Symmetric {
                        subject,
                        model,
                        types,
                    } => {
                        s.out.push_str(" symmetric");
                        if model.is_some() {
                            s.debug(model);
                        }
                        s.exprs(&[*subject]);
                        s.symmetric_types(types);
                    }
                    AssertionKind::Unread(text) => {
                        s.out.push_str(" unread");
                        s.debug(text);
                    }
                }
                assertion.options.iter().for_each(|option| s.option(option));
            },
        );
    }

    fn option(&mut self, option: &AssertionOption) {
        self.gap();
        match option {
            AssertionOption::TauPriority(e) => self.node("tau-priority", |s| s.exprs(&[*e])),
            AssertionOption::PartialOrderReduce(word) => {
                self.node("partial-order", |s| s.debug(word))
            }
            AssertionOption::SymmetryReduce(types) => {
                self.node("symmetry", |s| s.symmetric_types(types))
            }
            AssertionOption::ForAll(e) => self.node("for-all", |s| s.exprs(&[*e])),
        }
    }

    fn symmetric_types(&mut self, types: &[SymmetricType]) {
        for symmetric in types {
            self.gap();
            self.node("type ", |s| {
                s.path(&symmetric.name);
                s.exprs(&symmetric.fixed);
            });
        }
    }

    fn types(&mut self, ids: &[TypeId]) {
        for &id in ids {
            self.gap();
            deep(|| self.type_expr(&self.ast.types[id].kind));
        }
    }

    fn type_expr(&mut self, kind: &TypeExpr) {
        match kind {
            TypeExpr::Name(path) => self.path(path),
            TypeExpr::Set(t) => self.node("set", |s| s.types(&[*t])),
            TypeExpr::Sequence(t) => self.node("seq", |s| s.types(&[*t])),
            TypeExpr::Tuple(ts) => self.node("tuple", |s| s.types(ts)),
            TypeExpr::Map(k, v) => self.node("map", |s| s.types(&[*k, *v])),
            TypeExpr::Function(from, to) => self.node("->", |s| {
                s.gap();
                s.node("", |s| s.types(from));
                s.types(&[*to]);
            }),
            TypeExpr::Dot(l, r) => self.node(".", |s| s.types(&[*l, *r])),
            TypeExpr::Dotable(l, r) => self.node("=>", |s| s.types(&[*l, *r])),
            TypeExpr::Extendable(l, r) => self.node("=>*", |s| s.types(&[*l, *r])),
            TypeExpr::Parenthesised(t) => self.node("paren", |s| s.types(&[*t])),
        }
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "neg",
        UnaryOp::Not => "not",
        UnaryOp::Length => "#",
    }
}
