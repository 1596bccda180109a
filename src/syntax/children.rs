//! The direct children of an expression, a pattern or a declaration.

use super::ast::{
    Assertion, AssertionKind, AssertionOption, Ast, Clause, Collection, Declaration, DeclarationId,
    Expr, ExprId, Field, Items, Pattern, PatternId, QualifiedName, ReplicatedOp, Statement,
    SymmetricType, Ties, TypeExpr, TypeId,
};

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Child {
    /// A node of [`Ast::expressions`].
    Expression(ExprId),
    /// A node of [`Ast::patterns`].
    Pattern(PatternId),
    /// A node of [`Ast::declarations`].
    Declaration(DeclarationId),
}

/// All nodes in `root`, including `root`, in no particular order.
pub fn descendants(ast: &Ast, root: Child) -> Vec<Child> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        children(ast, node, &mut found);
    }
    found
}

/// Adds the direct children of `node` to `found`, in the order of the text.
pub fn children(ast: &Ast, node: Child, found: &mut Vec<Child>) {
    match node {
        Child::Expression(id) => Children(found).of_expression(ast.expr(id)),
        Child::Pattern(id) => Children(found).of_pattern(ast.pattern(id)),
        Child::Declaration(id) => Children(found).of_declaration(ast.declaration(id)),
    }
}

/// The names in the type `body`, in no particular order.
pub fn type_names(ast: &Ast, body: TypeId) -> Vec<(TypeId, &QualifiedName)> {
    let mut names = Vec::new();
    let mut open = vec![body];
    while let Some(id) = open.pop() {
        match &ast.types[id].kind {
            TypeExpr::Name(path) => names.push((id, path)),
            TypeExpr::Set(inner) | TypeExpr::Sequence(inner) | TypeExpr::Parenthesised(inner) => {
                open.push(*inner)
            }
            TypeExpr::Map(left, right)
            | TypeExpr::Dot(left, right)
            | TypeExpr::Dotable(left, right)
            | TypeExpr::Extendable(left, right) => open.extend([*left, *right]),
            TypeExpr::Tuple(parts) => open.extend(parts),
            TypeExpr::Function(arguments, result) => {
                open.extend(arguments);
                open.push(*result);
            }
        }
    }
    names
}

struct Children<'f>(&'f mut Vec<Child>);

impl Children<'_> {
    fn expression(&mut self, id: ExprId) {
        self.0.push(Child::Expression(id));
    }

    fn expressions(&mut self, ids: &[ExprId]) {
        self.0.extend(ids.iter().copied().map(Child::Expression));
    }

    fn patterns(&mut self, ids: &[PatternId]) {
        self.0.extend(ids.iter().copied().map(Child::Pattern));
    }

    fn declarations(&mut self, ids: &[DeclarationId]) {
        self.0.extend(ids.iter().copied().map(Child::Declaration));
    }

    fn of_expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_) | Expr::Name(_) => {}
            Expr::Imported(import) => self.expressions(&[import.function, import.labels]),
            Expr::Parenthesised(inner) | Expr::Unary(_, inner) => self.expression(*inner),
            Expr::Tuple(parts) | Expr::Dot(parts) => self.expressions(parts),
            Expr::Sequence(collection) | Expr::Set(collection) => self.collection(collection),
            Expr::Productions(items, statements) => {
                self.expressions(items);
                self.statements(statements);
            }
            Expr::Map(entries) => {
                for &(key, value) in entries {
                    self.expressions(&[key, value]);
                }
            }
            Expr::Binary(_, left, right) => self.expressions(&[*left, *right]),
            Expr::If(condition, then, otherwise) => {
                self.expressions(&[*condition, *then, *otherwise]);
            }
            Expr::Let(declarations, body) => {
                self.declarations(declarations);
                self.expression(*body);
            }
            Expr::Lambda(parameters, body) => {
                self.patterns(parameters);
                self.expression(*body);
            }
            Expr::Apply(function, arguments) => {
                self.expression(*function);
                self.expressions(arguments);
            }
            _ => self.of_process(expression),
        }
    }

    /// The children of an expression that is a process.
    fn of_process(&mut self, expression: &Expr) {
        match expression {
            Expr::Guard(left, right)
            | Expr::Process(_, left, right)
            | Expr::Hide(left, right)
            | Expr::Project(left, right) => self.expressions(&[*left, *right]),
            Expr::Prefix(channel, fields, process) => {
                self.expression(*channel);
                fields.iter().for_each(|field| self.field(field));
                self.expression(*process);
            }
            Expr::Over(_, left, events, right) => self.expressions(&[*left, *events, *right]),
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            } => self.expressions(&[*left, *left_alphabet, *right_alphabet, *right]),
            Expr::LinkedParallel { left, ties, right } => {
                self.expression(*left);
                self.ties(ties);
                self.expression(*right);
            }
            Expr::Rename(process, ties) => {
                self.expression(*process);
                self.ties(ties);
            }
            Expr::Replicated(operator, statements, process) => {
                self.operator(operator);
                self.statements(statements);
                self.expression(*process);
            }
            _ => unreachable!("the caller goes through the other expressions"),
        }
    }

    fn operator(&mut self, operator: &ReplicatedOp) {
        match operator {
            ReplicatedOp::GeneralisedParallel(events)
            | ReplicatedOp::AlphabetisedParallel(events)
            | ReplicatedOp::SynchronisingChoice(events) => self.expression(*events),
            ReplicatedOp::LinkedParallel(ties) => self.ties(ties),
            ReplicatedOp::ExternalChoice
            | ReplicatedOp::InternalChoice
            | ReplicatedOp::Sequential
            | ReplicatedOp::Interleave => {}
        }
    }

    fn collection(&mut self, collection: &Collection) {
        match &collection.items {
            Items::List(items) => self.expressions(items),
            Items::From(first) => self.expression(*first),
            Items::Range(first, last) => self.expressions(&[*first, *last]),
        }
        self.statements(&collection.statements);
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Generator(pattern, source) => {
                    self.patterns(&[*pattern]);
                    self.expression(*source);
                }
                Statement::Predicate(condition) => self.expression(*condition),
            }
        }
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Output(value) => self.expression(*value),
            Field::Input(pattern, set) | Field::Nondeterministic(pattern, set) => {
                self.patterns(&[*pattern]);
                set.iter().for_each(|&set| self.expression(set));
            }
        }
    }

    fn ties(&mut self, ties: &Ties) {
        for &(left, right) in &ties.pairs {
            self.expressions(&[left, right]);
        }
        self.statements(&ties.statements);
    }

    fn of_pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(_)
            | Pattern::Wildcard
            | Pattern::Int(_)
            | Pattern::Bool(_)
            | Pattern::Char(_)
            | Pattern::String(_)
            | Pattern::EmptySet => {}
            Pattern::Tuple(parts)
            | Pattern::Sequence(parts)
            | Pattern::Concat(parts)
            | Pattern::Dot(parts) => self.patterns(parts),
            Pattern::Singleton(part) | Pattern::Parenthesised(part) => self.patterns(&[*part]),
            Pattern::Both(left, right) => self.patterns(&[*left, *right]),
        }
    }

    fn of_declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Pattern(pattern, body) => {
                self.patterns(&[*pattern]);
                self.expression(*body);
            }
            Declaration::Function(_, clauses) => {
                for Clause { groups, body, .. } in clauses {
                    groups.iter().for_each(|group| self.patterns(group));
                    self.expression(*body);
                }
            }
            Declaration::Channel(_, fields) => {
                fields.iter().for_each(|&fields| self.expression(fields));
            }
            Declaration::Datatype(_, constructors) | Declaration::Subtype(_, constructors) => {
                let fields = constructors.iter().filter_map(|c| c.fields);
                fields.for_each(|fields| self.expression(fields));
            }
            Declaration::Nametype(_, body) | Declaration::Print(body) => self.expression(*body),
            Declaration::External(_)
            | Declaration::Transparent(_)
            | Declaration::Annotation(..) => {}
            Declaration::Module {
                parameters,
                private,
                exports,
                ..
            } => {
                self.patterns(parameters);
                self.declarations(private);
                self.declarations(exports);
            }
            Declaration::Instance { arguments, .. } => self.expressions(arguments),
            Declaration::Include(_, inner) => self.declarations(inner),
            Declaration::Timed(duration, inner) => {
                duration
                    .iter()
                    .for_each(|&duration| self.expression(duration));
                self.declarations(inner);
            }
            Declaration::Assert(assertion) => self.of_assertion(assertion),
        }
    }

    fn of_assertion(&mut self, assertion: &Assertion) {
        match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                implementation,
                ..
            } => self.expressions(&[*specification, *implementation]),
            AssertionKind::Property { process, .. } => self.expression(*process),
            AssertionKind::HasTrace { process, trace, .. } => {
                self.expressions(&[*process, *trace]);
            }
            AssertionKind::Symmetric { subject, types, .. } => {
                self.expression(*subject);
                self.symmetric_types(types);
            }
            AssertionKind::Unread(_) => {}
        }
        for option in &assertion.options {
            match option {
                AssertionOption::TauPriority(expression) | AssertionOption::ForAll(expression) => {
                    self.expression(*expression);
                }
                AssertionOption::PartialOrderReduce(_) => {}
                AssertionOption::SymmetryReduce(types) => self.symmetric_types(types),
            }
        }
    }

    fn symmetric_types(&mut self, types: &[SymmetricType]) {
        for SymmetricType {
            expression, fixed, ..
        } in types
        {
            self.expression(*expression);
            self.expressions(fixed);
        }
    }
}
