//! Declarations, assertions and types as text.

use super::Printer;
use crate::ast::*;
use base::stack::deep;

/// The indentation of nested declarations, in columns. Deep nesting is not indented further, lest a
/// script nested very deep print as mostly spaces.
const STEP: usize = 2;
const DEEPEST: usize = 40;

impl Printer<'_> {
    pub(super) fn declaration(&mut self, id: DeclarationId) {
        deep(|| self.declaration_here(self.ast.declaration(id)));
    }

    fn declaration_here(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Pattern(p, e) => {
                self.pattern(*p);
                self.infix("=");
                self.expr(*e);
            }
            Declaration::Function(name, clauses) => self.function(name, clauses),
            Declaration::Channel(names, fields) => {
                self.put("channel ");
                self.names(names);
                if let Some(fields) = fields {
                    self.infix(":");
                    self.expr(*fields);
                }
            }
            Declaration::Datatype(name, constructors) => {
                self.datatype("datatype ", name, constructors)
            }
            Declaration::Subtype(name, constructors) => {
                self.datatype("subtype ", name, constructors)
            }
            Declaration::Nametype(name, e) => {
                self.put("nametype ");
                self.name(name);
                self.infix("=");
                self.expr(*e);
            }
            Declaration::External(names) => {
                self.put("external ");
                self.names(names);
            }
            Declaration::Transparent(names) => {
                self.put("transparent ");
                self.names(names);
            }
            Declaration::Module {
                name,
                parameters,
                private,
                exports,
            } => self.module(name, parameters, private, exports),
            Declaration::Instance {
                name,
                module,
                arguments,
            } => self.instance(name, module, arguments),
            Declaration::Include(path, _) => self.put(&format!("include \"{path}\"")),
            Declaration::Print(e) => {
                self.put("print ");
                self.expr(*e);
            }
            Declaration::Timed(duration, members) => self.timed(*duration, members),
            Declaration::Annotation(names, scheme) => self.annotation(names, scheme),
            Declaration::Assert(assertion) => {
                self.put("assert ");
                self.assertion(assertion);
            }
        }
    }

    /// Writes each of `members` on a line of its own, further to the right. Ends on a new line.
    pub(super) fn indented(&mut self, members: &[DeclarationId]) {
        let before = self.indent;
        self.indent = (before + STEP).min(DEEPEST);
        for &member in members {
            self.line();
            self.declaration(member);
        }
        self.indent = before;
        self.line();
    }

    fn function(&mut self, name: &Identifier, clauses: &[Clause]) {
        for (i, clause) in clauses.iter().enumerate() {
            if i > 0 {
                self.line();
            }
            self.name(name);
            for group in &clause.groups {
                self.bracket("(", ")", |p| p.patterns(group));
            }
            self.infix("=");
            self.expr(clause.body);
        }
    }

    fn datatype(&mut self, word: &str, name: &Identifier, constructors: &[Constructor]) {
        self.put(word);
        self.name(name);
        for (i, constructor) in constructors.iter().enumerate() {
            self.infix(if i == 0 { "=" } else { "|" });
            self.name(&constructor.name);
            if let Some(fields) = constructor.fields {
                self.put(".");
                self.expr(fields);
            }
        }
    }

    fn module(
        &mut self,
        name: &Identifier,
        parameters: &[PatternId],
        private: &[DeclarationId],
        exports: &[DeclarationId],
    ) {
        self.put("module ");
        self.name(name);
        if !parameters.is_empty() {
            self.bracket("(", ")", |p| p.patterns(parameters));
        }
        self.indented(private);
        self.put("exports");
        self.indented(exports);
        self.put("endmodule");
    }

    fn instance(&mut self, name: &Identifier, module: &QualifiedName, arguments: &[ExprId]) {
        self.put("instance ");
        self.name(name);
        self.infix("=");
        self.path(module);
        if !arguments.is_empty() {
            self.bracket("(", ")", |p| p.exprs(arguments));
        }
    }

    fn timed(&mut self, duration: Option<ExprId>, members: &[DeclarationId]) {
        self.put("Timed ");
        if let Some(duration) = duration {
            self.bracket("(", ")", |p| p.expr(duration));
            self.space();
        }
        self.put("{");
        self.indented(members);
        self.put("}");
    }

    fn annotation(&mut self, names: &[Identifier], scheme: &TypeScheme) {
        self.names(names);
        self.infix("::");
        if !scheme.constraints.is_empty() {
            self.bracket("(", ")", |p| {
                p.commas(&scheme.constraints, |p, (constraint, variable)| {
                    p.name(&constraint);
                    p.space();
                    p.name(&variable);
                });
            });
            self.infix("=>");
        }
        self.type_expr(scheme.body);
    }

    fn name(&mut self, name: &Identifier) {
        self.put(self.ast.name(name.symbol));
    }

    fn names(&mut self, names: &[Identifier]) {
        self.commas(names, |p, name| p.name(&name));
    }

    pub(super) fn assertion(&mut self, assertion: &Assertion) {
        if assertion.negated {
            self.put("not ");
        }
        match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                model,
                implementation,
            } => {
                self.expr(*specification);
                self.infix(&format!("[{model:?}="));
                self.expr(*implementation);
            }
            AssertionKind::Property {
                process,
                property,
                model,
            } => {
                let words = match property {
                    Property::DeadlockFree => "deadlock free",
                    Property::DivergenceFree => "divergence free",
                    Property::Deterministic => "deterministic",
                };
                self.expr(*process);
                self.space();
                self.property(words, *model);
            }
            AssertionKind::HasTrace {
                process,
                model,
                trace,
            } => {
                self.expr(*process);
                self.space();
                self.property("has trace", *model);
                self.out.push_str(": ");
                self.expr(*trace);
            }
            AssertionKind::Symmetric {
                subject,
                model,
                types,
            } => {
                self.expr(*subject);
                self.space();
                self.property("symmetric", *model);
                self.symmetric_types(types);
            }
            AssertionKind::Unread(text) => self.out.push_str(text),
        }
        assertion
            .options
            .iter()
            .for_each(|option| self.option(option));
    }

    fn property(&mut self, words: &str, model: Option<ModelName>) {
        match model {
            Some(model) => self.out.push_str(&format!(":[{words} [{model:?}]]")),
            None => self.out.push_str(&format!(":[{words}]")),
        }
    }

    fn option(&mut self, option: &AssertionOption) {
        match option {
            AssertionOption::TauPriority(set) => {
                self.out.push_str(" :[tau priority]: ");
                self.expr(*set);
            }
            AssertionOption::PartialOrderReduce(None) => {
                self.out.push_str(" :[partial order reduce]")
            }
            AssertionOption::PartialOrderReduce(Some(word)) => {
                self.out
                    .push_str(&format!(" :[partial order reduce [{word}]]"));
            }
            AssertionOption::SymmetryReduce(types) => {
                self.out.push_str(" :[symmetry reduce]");
                self.symmetric_types(types);
            }
            AssertionOption::ForAll(constant) => {
                self.out.push_str(" :[for all]: ");
                self.expr(*constant);
            }
        }
    }

    fn symmetric_types(&mut self, types: &[SymmetricType]) {
        if types.is_empty() {
            return;
        }
        self.out.push_str(": ");
        let types: Vec<&SymmetricType> = types.iter().collect();
        self.commas(&types, |p, symmetric| {
            if symmetric.fixed.is_empty() {
                return p.path(&symmetric.name);
            }
            p.put("diff(");
            p.path(&symmetric.name);
            p.out.push_str(", {| ");
            p.exprs(&symmetric.fixed);
            p.out.push_str(" |})");
        });
    }

    fn type_expr(&mut self, id: TypeId) {
        deep(|| match &self.ast.types[id].kind {
            TypeExpr::Name(path) => self.path(path),
            TypeExpr::Set(t) => self.bracket("{", "}", |p| p.type_expr(*t)),
            TypeExpr::Sequence(t) => self.bracket("<", ">", |p| p.type_expr(*t)),
            TypeExpr::Tuple(ts) => self.bracket("(", ")", |p| p.commas(ts, |p, t| p.type_expr(t))),
            TypeExpr::Map(k, v) => self.bracket("(| ", " |)", |p| p.type_infix(*k, "=>", *v)),
            TypeExpr::Function(from, to) => {
                self.bracket("(", ")", |p| p.commas(from, |p, t| p.type_expr(t)));
                self.infix("->");
                self.type_expr(*to);
            }
            TypeExpr::Dot(l, r) => {
                self.type_expr(*l);
                self.put(".");
                self.type_expr(*r);
            }
            TypeExpr::Dotable(l, r) => self.type_infix(*l, "=>", *r),
            TypeExpr::Extendable(l, r) => self.type_infix(*l, "=>*", *r),
            TypeExpr::Parenthesised(t) => self.bracket("(", ")", |p| p.type_expr(*t)),
        });
    }

    fn type_infix(&mut self, left: TypeId, operator: &str, right: TypeId) {
        self.type_expr(left);
        self.infix(operator);
        self.type_expr(right);
    }
}
