//! Expressions and patterns as text.

use super::Printer;
use crate::ast::*;
use base::stack::deep;

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        match self.texts.get(&id).cloned() {
            Some(text) => self.put(&text),
            None => deep(|| self.expr_here(self.ast.expr(id))),
        }
    }

    fn expr_here(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(value) => self.put(&value.to_string()),
            Expr::Bool(value) => self.put(&value.to_string()),
            Expr::Char(value) => self.character(*value),
            Expr::String(value) => self.string(value),
            Expr::Imported(import) => self.import(import),
            Expr::Name(path) => self.path(path),
            // The tree keeps the brackets that matter, so that the printer need not add any.
            Expr::Parenthesised(e) => self.bracket("(", ")", |p| p.expr(*e)),
            Expr::Tuple(es) => self.bracket("(", ")", |p| p.exprs(es)),
            Expr::Sequence(Collection {
                items: Items::List(items),
                statements,
            }) if items.is_empty() && statements.is_empty() => {
                self.put("<>");
            }
            Expr::Sequence(c) => self.bracket("<", ">", |p| p.collection(c)),
            Expr::Set(c) => self.bracket("{", "}", |p| p.collection(c)),
            Expr::Productions(es, statements) => self.bracket("{| ", " |}", |p| {
                p.exprs(es);
                p.guards(statements);
            }),
            // The opening bracket of a map is one only with white space behind it.
            Expr::Map(pairs) => self.bracket("(| ", " |)", |p| p.pairs(pairs, "=>")),
            Expr::Dot(es) => self.joined(es, ".", |p, e| p.expr(e)),
            Expr::Unary(op, e) => {
                self.put(match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Not => "not ",
                    UnaryOp::Length => "#",
                });
                self.expr(*e);
            }
            Expr::Binary(op, l, r) => self.infix_expr(*l, op.text(), *r),
            Expr::If(c, t, e) => {
                self.put("if ");
                self.expr(*c);
                self.infix("then");
                self.expr(*t);
                self.infix("else");
                self.expr(*e);
            }
            Expr::Let(members, body) => self.let_expr(members, *body),
            Expr::Lambda(parameters, body) => {
                self.put("\\ ");
                self.patterns(parameters);
                self.infix("@");
                self.expr(*body);
            }
            Expr::Apply(function, arguments) => {
                self.expr(*function);
                self.bracket("(", ")", |p| p.exprs(arguments));
            }
            _ => self.process_here(expr),
        }
    }

    fn process_here(&mut self, expr: &Expr) {
        match expr {
            Expr::Prefix(channel, fields, body) => {
                self.expr(*channel);
                fields.iter().for_each(|field| self.field(field));
                self.infix("->");
                self.expr(*body);
            }
            Expr::Guard(l, r) => self.infix_expr(*l, "&", *r),
            Expr::Process(op, l, r) => self.infix_expr(*l, op.text(), *r),
            Expr::GeneralisedParallel {
                left,
                events,
                right,
            } => self.around(*left, "[|", *events, "|]", *right),
            Expr::Exception {
                left,
                events,
                right,
            } => self.around(*left, "[|", *events, "|>", *right),
            Expr::SynchronisingChoice {
                left,
                events,
                right,
            } => self.around(*left, "[+", *events, "+]", *right),
            Expr::SynchronisingInterrupt {
                left,
                events,
                right,
            } => {
                self.around(*left, "/+", *events, "+\\", *right);
            }
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => self.bracketed_operator(*left, *right, |p| {
                p.infix_expr(*left_alphabet, "||", *right_alphabet)
            }),
            Expr::LinkedParallel { left, ties, right } => {
                self.bracketed_operator(*left, *right, |p| p.ties(ties, "<->"));
            }
            Expr::Hide(l, r) => self.infix_expr(*l, "\\", *r),
            Expr::Project(l, r) => self.infix_expr(*l, "|\\", *r),
            Expr::Rename(e, ties) => {
                self.expr(*e);
                self.free.push(self.out.len());
                self.out.push_str("[[");
                self.inside("]]", |p| p.ties(ties, "<-"));
            }
            Expr::Replicated(op, statements, body) => self.replicated(op, statements, *body),
            _ => unreachable!("the caller prints the other expressions"),
        }
    }

    fn infix_expr(&mut self, left: ExprId, operator: &str, right: ExprId) {
        self.expr(left);
        self.infix(operator);
        self.expr(right);
    }

    fn around(&mut self, left: ExprId, open: &str, events: ExprId, close: &str, right: ExprId) {
        self.expr(left);
        self.infix(open);
        self.expr(events);
        self.infix(close);
        self.expr(right);
    }

    /// Writes an infix operator that consists of the output of `inside` in square brackets.
    fn bracketed_operator(&mut self, left: ExprId, right: ExprId, inside: impl FnOnce(&mut Self)) {
        self.expr(left);
        self.space();
        self.bracket("[", "]", inside);
        self.space();
        self.expr(right);
    }

    fn replicated(&mut self, op: &ReplicatedOp, statements: &[Statement], body: ExprId) {
        match op {
            ReplicatedOp::ExternalChoice => self.put("[]"),
            ReplicatedOp::InternalChoice => self.put("|~|"),
            ReplicatedOp::Sequential => self.put(";"),
            ReplicatedOp::Interleave => self.put("|||"),
            ReplicatedOp::AlphabetisedParallel(_) => self.put("||"),
            ReplicatedOp::GeneralisedParallel(events) => {
                self.bracket("[| ", " |]", |p| p.expr(*events))
            }
            ReplicatedOp::SynchronisingChoice(events) => {
                self.bracket("[+ ", " +]", |p| p.expr(*events))
            }
            ReplicatedOp::LinkedParallel(ties) => self.bracket("[", "]", |p| p.ties(ties, "<->")),
        }
        self.space();
        self.statements(statements);
        self.infix("@");
        if let ReplicatedOp::AlphabetisedParallel(alphabet) = op {
            self.bracket("[", "]", |p| p.expr(*alphabet));
            self.space();
        }
        self.expr(body);
    }

    fn let_expr(&mut self, members: &[DeclarationId], body: ExprId) {
        self.put("let");
        self.indented(members);
        self.put("within ");
        self.expr(body);
    }

    pub(super) fn exprs(&mut self, es: &[ExprId]) {
        self.commas(es, |p, e| p.expr(e));
    }

    pub(super) fn patterns(&mut self, ps: &[PatternId]) {
        self.commas(ps, |p, pattern| p.pattern(pattern));
    }

    fn pairs(&mut self, pairs: &[(ExprId, ExprId)], operator: &str) {
        self.commas(pairs, |p, (l, r)| p.infix_expr(l, operator, r));
    }

    fn ties(&mut self, ties: &Ties, operator: &str) {
        self.pairs(&ties.pairs, operator);
        self.guards(&ties.statements);
    }

    fn collection(&mut self, collection: &Collection) {
        match &collection.items {
            Items::List(es) => self.exprs(es),
            Items::From(e) => {
                self.expr(*e);
                self.put("..");
            }
            Items::Range(l, r) => {
                self.expr(*l);
                self.put("..");
                self.expr(*r);
            }
        }
        self.guards(&collection.statements);
    }

    fn guards(&mut self, statements: &[Statement]) {
        if !statements.is_empty() {
            self.infix("|");
            self.statements(statements);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        let statements: Vec<&Statement> = statements.iter().collect();
        self.commas(&statements, |p, statement| match statement {
            Statement::Generator(pattern, e) => {
                p.pattern(*pattern);
                p.infix("<-");
                p.expr(*e);
            }
            Statement::Predicate(e) => p.expr(*e),
        });
    }

    fn field(&mut self, field: &Field) {
        let (mark, pattern, set) = match field {
            Field::Output(e) => {
                self.put("!");
                return self.expr(*e);
            }
            Field::Input(pattern, set) => ("?", pattern, set),
            Field::Nondeterministic(pattern, set) => ("$", pattern, set),
        };
        self.put(mark);
        self.pattern(*pattern);
        if let Some(set) = set {
            self.put(":");
            self.expr(*set);
        }
    }

    pub(super) fn pattern(&mut self, id: PatternId) {
        deep(|| match self.ast.pattern(id) {
            Pattern::Name(path) => self.path(path),
            Pattern::Wildcard => self.put("_"),
            Pattern::Int(value) => self.put(&value.to_string()),
            Pattern::Bool(value) => self.put(&value.to_string()),
            Pattern::Char(value) => self.character(*value),
            Pattern::String(value) => self.string(value),
            Pattern::Tuple(ps) => self.bracket("(", ")", |p| p.patterns(ps)),
            Pattern::Sequence(ps) if ps.is_empty() => self.put("<>"),
            Pattern::Sequence(ps) => self.bracket("<", ">", |p| p.patterns(ps)),
            Pattern::Concat(ps) => self.joined(ps, " ^ ", |p, part| p.pattern(part)),
            Pattern::EmptySet => self.put("{}"),
            Pattern::Singleton(p) => self.bracket("{", "}", |s| s.pattern(*p)),
            Pattern::Dot(ps) => self.joined(ps, ".", |p, part| p.pattern(part)),
            Pattern::Both(l, r) => {
                self.pattern(*l);
                self.infix("@@");
                self.pattern(*r);
            }
            Pattern::Parenthesised(p) => self.bracket("(", ")", |s| s.pattern(*p)),
        });
    }

    pub(super) fn path(&mut self, path: &QualifiedName) {
        for (i, segment) in path.segments.iter().enumerate() {
            let name = self.ast.name(segment.symbol);
            if i == 0 {
                self.put(name);
            } else {
                // Module scope takes no spaces.
                self.out.push_str("::");
                self.out.push_str(name);
            }
        }
    }

    fn character(&mut self, value: char) {
        match value {
            '\'' => self.put("'\\''"),
            '\\' => self.put("'\\\\'"),
            other => {
                let text = escaped(other);
                self.put(&format!("'{text}'"));
            }
        }
    }

    fn import(&mut self, import: &Import) {
        self.expr(import.function);
        self.bracket("(", ")", |p| p.string(&import.path));
    }

    pub(super) fn string(&mut self, value: &str) {
        // A string holds no backslash: the only escapes are those of `escaped` and the quote.
        let inner: String = value
            .chars()
            .map(|c| {
                if c == '"' {
                    "\\\"".to_string()
                } else {
                    escaped(c)
                }
            })
            .collect();
        self.put(&format!("\"{inner}\""));
    }
}

fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_string(),
        '\r' => "\\r".to_string(),
        '\t' => "\\t".to_string(),
        other => other.to_string(),
    }
}
