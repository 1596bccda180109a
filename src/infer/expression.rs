//! Types of expressions that are no process operators.

use super::constraint::{Constraint, Constraints};
use super::inference::Inference;
use super::reason::{TypeReason, what};
use super::scheme::{Generality, OpenVariables};
use super::types::{Type, TypeKind, Types};
use base::diag::{Diagnostic, Result};
use base::source::Span;
use base::stack::deep;
use syntax::ast::{
    BinaryOp, Collection, Declaration, DeclarationId, Expr, ExprId, Import, Items, Pattern,
    PatternId, Statement, UnaryOp,
};
use types::builtin::Builtin;
use types::resolved::{PatternName, Reference};

/// The kind of collection that generators draw from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GeneratorSource {
    Sets,
    Sequences,
}

impl Inference<'_> {
    /// The type of `id`. A mistake in it is reported, and its type then fits everywhere. So one run
    /// shows all mistakes that do not depend on each other.
    pub(super) fn expression(&mut self, id: ExprId) -> Type {
        let before = self.diagnostics.len();
        let typed = deep(|| self.any_expression(id));
        match typed.and_then(|ty| self.of_bearable_size(ty, self.span(id))) {
            Ok(ty) => {
                // Noted even after a mistake: hints look at the types of parts.
                self.expressions[id] = Some(ty);
                let is_right = self.diagnostics.len() == before;
                if is_right { ty } else { Types::UNKNOWN }
            }
            Err(problem) => {
                self.diagnostics.push(*problem);
                Types::UNKNOWN
            }
        }
    }

    /// Returns `ty`, unless a type became too large while the expression at `span` was typed.
    pub(super) fn of_bearable_size<T>(&mut self, ty: T, span: Span) -> Result<T> {
        if !self.types.was_too_large() {
            return Ok(ty);
        }
        let message = "the type of this is too large";
        Diagnostic::undecided("type-too-large", message)
            .at(
                span,
                "its parts multiply with each definition that it depends on",
            )
            .into()
    }

    fn any_expression(&mut self, id: ExprId) -> Result<Type> {
        let (ast, resolved) = (self.ast, self.resolved);
        Ok(match ast.expr(id) {
            Expr::Int(_) => Types::INT,
            Expr::Bool(_) => Types::BOOL,
            Expr::Char(_) => Types::CHAR,
            Expr::String(_) => self.types.sequence(Types::CHAR),
            Expr::Imported(import) => {
                self.import(import);
                Types::PROCESS
            }
            Expr::Name(_) => {
                self.note_single_use(id);
                self.reference(resolved.names[id].as_ref())
            }
            Expr::Parenthesised(inner) => self.expression(*inner),
            Expr::Tuple(parts) => {
                let parts = self.each(parts);
                self.types.tuple(&parts)
            }
            Expr::Dot(parts) => {
                let before = self.diagnostics.len();
                let parts = self.each(parts);
                self.explain_comparison(id, before);
                self.types.dot(&parts)
            }
            Expr::Sequence(collection) => {
                let element = self.collection(collection, GeneratorSource::Sequences)?;
                self.types.sequence(element)
            }
            Expr::Set(collection) => {
                let element = self.collection(collection, GeneratorSource::Sets)?;
                self.require(Constraint::Set, element, self.span(id))?;
                self.types.set(element)
            }
            Expr::Productions(items, statements) => {
                let whole = self.types.variable(Constraints::of(Constraint::Yieldable));
                self.within(statements, GeneratorSource::Sets, |inference| {
                    inference.completed(items, whole);
                });
                self.types.set(whole)
            }
            Expr::Map(entries) => self.map(entries)?,
            Expr::Unary(operator, operand) => self.unary(*operator, *operand)?,
            Expr::Binary(operator, left, right) => self.binary(*operator, *left, *right)?,
            Expr::If(condition, then, otherwise) => {
                self.expect_all(&[*condition], Types::BOOL, "the condition of `if`");
                self.alike(&[*then, *otherwise], "the branch after `then`")?
            }
            Expr::Let(declarations, body) => self.local(id, declarations, *body),
            Expr::Lambda(parameters, body) => self.lambda(parameters, *body),
            Expr::Apply(function, arguments) => self.application(*function, arguments)?,
            _ => {
                self.process(id);
                Types::PROCESS
            }
        })
    }

    fn import(&mut self, import: &Import) {
        let events = self.types.sequence(Types::EVENT);
        self.expect_all(&[import.labels], events, "`aut`, for its labels,");
        // This expression was read as an import before names had a meaning. A name without a
        // meaning has already been reported.
        let meaning = self.resolved.names[import.function].as_ref();
        if !matches!(meaning, None | Some(Reference::Builtin(Builtin::Aut))) {
            self.report(other_aut(self.span(import.function)));
        }
    }

    fn map(&mut self, entries: &[(ExprId, ExprId)]) -> Result<Type> {
        let (keys, values): (Vec<_>, Vec<_>) = entries.iter().copied().unzip();
        let key = self.alike(&keys, "another key of the map");
        let value = self.alike(&values, "another value of the map");
        match (key, value) {
            (Ok(key), value) => Ok(self.types.make(TypeKind::Map(key, value?))),
            (Err(problem), Ok(_)) => Err(problem),
            (Err(problem), second) => {
                self.report(Err(problem));
                second
            }
        }
    }

    /// The type of each of `parts`.
    pub(super) fn each(&mut self, parts: &[ExprId]) -> Vec<Type> {
        parts.iter().map(|&part| self.expression(part)).collect()
    }

    fn unary(&mut self, operator: UnaryOp, operand: ExprId) -> Result<Type> {
        let (expected, what, result) = match operator {
            UnaryOp::Negate => (Types::INT, "the operand of `-`", Types::INT),
            UnaryOp::Not => (Types::BOOL, "the operand of `not`", Types::BOOL),
            UnaryOp::Length => {
                let element = self.unknown_yet();
                let sequence = self.types.sequence(element);
                (sequence, what::LENGTH_OPERAND, Types::INT)
            }
        };
        self.expect(operand, expected, TypeReason::Taken(what))?;
        Ok(result)
    }

    fn binary(&mut self, operator: BinaryOp, left: ExprId, right: ExprId) -> Result<Type> {
        let operands = [left, right];
        match operator {
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo => {
                self.expect_all(&operands, Types::INT, arithmetic(operator));
                Ok(Types::INT)
            }
            BinaryOp::And | BinaryOp::Or => {
                let what = match operator {
                    BinaryOp::And => "an operand of `and`",
                    _ => "an operand of `or`",
                };
                let types = self.each(&operands);
                for (operand, ty) in operands.into_iter().zip(types) {
                    let fits = self.argument(operand, Types::BOOL, ty, TypeReason::Taken(what));
                    self.report(fits);
                }
                Ok(Types::BOOL)
            }
            BinaryOp::Concat => {
                let element = self.unknown_yet();
                let sequence = self.types.sequence(element);
                self.expect_all(&[left], sequence, "an operand of `^`");
                let place = self.span(left);
                self.expect(
                    right,
                    sequence,
                    TypeReason::Like("the left side of `^`", place),
                )?;
                Ok(sequence)
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => {
                let constraint = match operator {
                    BinaryOp::Equal | BinaryOp::NotEqual => Constraint::Eq,
                    _ => Constraint::Ord,
                };
                let compared = self.compared(left, right, constraint);
                self.report(compared);
                Ok(Types::BOOL)
            }
        }
    }

    fn compared(&mut self, left: ExprId, right: ExprId, constraint: Constraint) -> Result<()> {
        let ty = self.expression(left);
        let place = self.span(left);
        self.expect(
            right,
            ty,
            TypeReason::Like("the left side of the comparison", place),
        )?;
        self.require(constraint, ty, place)
    }

    fn local(&mut self, id: ExprId, declarations: &[DeclarationId], body: ExprId) -> Type {
        let size = self
            .resolved
            .let_frames
            .get(&id)
            .copied()
            .unwrap_or_default();
        let frame = self.environment.frame(size as usize);
        self.environment.enter(frame);
        let before = self.diagnostics.len();
        // As in FDR, what a `let` defines has one type for all its uses.
        self.declarations(declarations, Generality::OneType);
        let after = self.diagnostics.len();
        let ty = self.expression(body);
        self.environment.leave();
        // A constructor in place of a name to be defined stands for that name in the body too.
        if after > before && declarations.iter().any(|&id| self.defines_nothing(id)) {
            self.diagnostics.truncate(after);
        }
        ty
    }

    /// True if the declaration `id` is `c = e` with a constructor or channel c.
    fn defines_nothing(&self, id: DeclarationId) -> bool {
        let Declaration::Pattern(pattern, _) = self.ast.declaration(id) else {
            return false;
        };
        let is_name = matches!(self.ast.pattern(*pattern), Pattern::Name(_));
        is_name
            && matches!(
                self.resolved.patterns[*pattern],
                Some(PatternName::Constant(_))
            )
    }

    fn lambda(&mut self, parameters: &[PatternId], body: ExprId) -> Type {
        let arguments = self.enter_patterns(parameters);
        let result = self.expression(body);
        self.environment.leave();
        self.types.function(&arguments, result)
    }

    fn application(&mut self, function: ExprId, arguments: &[ExprId]) -> Result<Type> {
        let callee = self.expression(function);
        let (parameters, result) = match self.types.kind(callee) {
            TypeKind::Function(parameters, result) if parameters.len() == arguments.len() => {
                (parameters.to_vec(), result)
            }
            TypeKind::Function(parameters, _) => {
                // Mistakes inside the arguments are reported, whatever function they are given to.
                self.each(arguments);
                return self.wrong_arity(function, parameters.len(), arguments.len());
            }
            TypeKind::Unknown => {
                self.each(arguments);
                return Ok(Types::UNKNOWN);
            }
            TypeKind::Variable(_) => {
                let parameters: Vec<Type> = arguments.iter().map(|_| self.unknown_yet()).collect();
                let result = self.unknown_yet();
                let expected = self.types.function(&parameters, result);
                let unified = self.unify_at(self.span(function), callee, expected);
                let reason = TypeReason::Taken("what is applied");
                self.explained(unified, function, (expected, callee), reason)?;
                (parameters, result)
            }
            _ => {
                self.each(arguments);
                return self.not_a_function(function, callee);
            }
        };
        let types = self.each(arguments);
        let mut doubtful = OpenVariables::default();
        for (number, (&argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            if self.types.has_any(parameter, &doubtful) {
                continue;
            }
            let reason = TypeReason::Argument(function, number + 1);
            let fits = self.argument(argument, parameter, types[number], reason);
            if fits.is_err() {
                // Expressions with this type would be wrong for the same reason.
                self.types.open(parameter, &mut doubtful);
            }
            self.report(fits);
        }
        Ok(result)
    }

    /// Unifies the type of an argument with that of the parameter. Dots in it are evaluated first
    /// by the longest match, as they were in the parameters.
    fn argument(
        &mut self,
        argument: ExprId,
        parameter: Type,
        actual: Type,
        reason: TypeReason,
    ) -> Result<()> {
        let unified = self.unify_evaluated(self.span(argument), parameter, actual);
        self.explained(unified, argument, (parameter, actual), reason)
    }

    fn wrong_arity(&mut self, function: ExprId, wanted: usize, given: usize) -> Result<Type> {
        let arguments = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
        let message = format!(
            "this function takes {}, but here it gets {given}",
            arguments(wanted)
        );
        let error = Diagnostic::error("wrong-arity", message).at(self.span(function), "");
        match self.defined_at(function) {
            Some(place) => error.at(place, "declared here").into(),
            None => error.into(),
        }
    }

    fn not_a_function(&mut self, function: ExprId, ty: Type) -> Result<Type> {
        let text = super::text::TypeNames::new(self.ast).ty(&mut self.types, ty);
        let message = "this is no function, so it cannot be applied";
        Diagnostic::error("not-a-function", message)
            .at(self.span(function), format!("this has type {text}"))
            .into()
    }

    /// The type of the items of a collection.
    fn collection(&mut self, collection: &Collection, source: GeneratorSource) -> Result<Type> {
        let what = match source {
            GeneratorSource::Sets => what::ITEM_OF_SET,
            GeneratorSource::Sequences => "another item of the sequence",
        };
        self.within(&collection.statements, source, |inference| {
            let bounds: Vec<ExprId> = match &collection.items {
                Items::List(items) => return inference.alike(items, what),
                Items::From(first) => vec![*first],
                Items::Range(first, last) => vec![*first, *last],
            };
            inference.expect_all(&bounds, Types::INT, "a bound of `..`");
            Ok(Types::INT)
        })
    }

    /// Requires each of `items` to be a `whole` that may lack some fields.
    fn completed(&mut self, items: &[ExprId], whole: Type) {
        for &item in items {
            let lacking = self.types.extendable(whole);
            self.expect_all(&[item], lacking, what::COMPLETED);
        }
    }

    /// Types `statements` from left to right, then runs `inside` in their scope.
    pub(super) fn within<T>(
        &mut self,
        statements: &[Statement],
        source: GeneratorSource,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.environment.chain().len();
        for statement in statements {
            let typed = self.statement(statement, source);
            self.report(typed);
        }
        let typed = inside(self);
        self.environment.leave_to(depth);
        typed
    }

    fn statement(&mut self, statement: &Statement, source: GeneratorSource) -> Result<()> {
        match statement {
            Statement::Predicate(condition) => {
                self.expect(*condition, Types::BOOL, TypeReason::Taken("a condition"))
            }
            Statement::Generator(pattern, values) => {
                // Before the pattern's frame is entered: the values do not see its variables.
                let given = self.expression(*values);
                let element = self.enter_patterns(&[*pattern])[0];
                let expected = match source {
                    GeneratorSource::Sets => self.types.set(element),
                    GeneratorSource::Sequences => self.types.sequence(element),
                };
                let reason = TypeReason::Taken("what values are taken from here");
                self.argument(*values, expected, given, reason)
            }
        }
    }
}

fn arithmetic(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "an operand of `+`",
        BinaryOp::Subtract => "an operand of `-`",
        BinaryOp::Multiply => "an operand of `*`",
        BinaryOp::Divide => "an operand of `/`",
        _ => "an operand of `%`",
    }
}

/// The message about an `aut` of the script's own that is applied to the name of a file.
fn other_aut(span: Span) -> Result<()> {
    Diagnostic::undecided("unsupported-import", "`aut` has another meaning here")
        .at(span, "this is not the function that imports files")
        .hint(
            "give the other one another name: with `external aut`, `aut(\"file\")` always imports",
        )
        .into()
}
