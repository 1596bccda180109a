//! Types of expressions that are no process operators.

use super::check::TypeCheck;
use super::comparison::dotted_comparison;
use super::constraint::{Constraint, Constraints};
use super::inference::Inference;
use super::reason::{TypeReason, what};
use super::scheme::{Generality, OpenVariables};
use super::script::InputScript;
use super::text::TypeNames;
use super::types::{Type, TypeKind, Types};
use base::diag::{Diagnostic, Result};
use base::source::Span;
use base::stack::deep;
use syntax::ast::{
    BinaryOp, Collection, DeclarationId, Expr, ExprId, Import, Items, PatternId, Statement, UnaryOp,
};
use types::builtin::Builtin;
use types::resolved::Reference;

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
        let before = self.problems.count();
        let typed = deep(|| self.any_expression(id));
        let span = self.script.span(id);
        let typed = typed.and_then(|ty| self.types.of_bearable_size(ty, span));
        if let Ok(ty) = typed {
            // Noted even after a mistake: hints look at the types of parts.
            self.expressions[id] = Some(ty);
            if self.problems.count() > before {
                return Types::UNKNOWN;
            }
        }
        self.problems.typed(typed)
    }

    fn any_expression(&mut self, id: ExprId) -> Result<Type> {
        let (ast, resolved) = (self.script.ast, self.script.resolved);
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
                self.singles.note_use(self.script, id);
                let (types, name) = (&mut self.types, resolved.names[id].as_ref());
                self.environment.reference(types, name)
            }
            Expr::Parenthesised(inner) => self.expression(*inner),
            Expr::Tuple(parts) => {
                let parts = self.each(parts);
                self.types.tuple(&parts)
            }
            Expr::Dot(parts) => {
                let before = self.problems.count();
                let parts = self.each(parts);
                self.problems.explain(before, || dotted_comparison(ast, id));
                self.types.dot(&parts)
            }
            Expr::Sequence(collection) => {
                let element = self.collection(collection, GeneratorSource::Sequences)?;
                self.types.sequence(element)
            }
            Expr::Set(collection) => {
                let element = self.collection(collection, GeneratorSource::Sets)?;
                let place = self.script.span(id);
                self.check().require(Constraint::Set, element, place)?;
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
        let meaning = self.script.resolved.names[import.function].as_ref();
        if !matches!(meaning, None | Some(Reference::Builtin(Builtin::Aut))) {
            let place = self.script.span(import.function);
            self.problems.report(other_aut(place));
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
                self.problems.report(Err(problem));
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
                let element = self.types.unknown_yet();
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
                    let (types, reason) = ((Types::BOOL, ty), TypeReason::Taken(what));
                    let fits = self.check().argument(operand, types, reason);
                    self.problems.report(fits);
                }
                Ok(Types::BOOL)
            }
            BinaryOp::Concat => {
                let element = self.types.unknown_yet();
                let sequence = self.types.sequence(element);
                self.expect_all(&[left], sequence, "an operand of `^`");
                let place = self.script.span(left);
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
                self.problems.report(compared);
                Ok(Types::BOOL)
            }
        }
    }

    fn compared(&mut self, left: ExprId, right: ExprId, constraint: Constraint) -> Result<()> {
        let ty = self.expression(left);
        let place = self.script.span(left);
        self.expect(
            right,
            ty,
            TypeReason::Like("the left side of the comparison", place),
        )?;
        self.check().require(constraint, ty, place)
    }

    fn local(&mut self, id: ExprId, declarations: &[DeclarationId], body: ExprId) -> Type {
        let size = self.script.resolved.let_frames.get(&id);
        let size = size.copied().unwrap_or_default();
        let frame = self.environment.frames.make(size as usize);
        self.environment.enter(frame);
        let before = self.problems.count();
        // As in FDR, what a `let` defines has one type for all its uses.
        self.declarations(declarations, Generality::OneType);
        let after = self.problems.count();
        let ty = self.expression(body);
        self.environment.leave();
        // A constructor in place of a name to be defined stands for that name in the body too.
        let script = self.script;
        if after > before && declarations.iter().any(|&id| script.defines_nothing(id)) {
            self.problems.truncate(after);
        }
        ty
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
                let (wanted, given) = (parameters.len(), arguments.len());
                return self.script.wrong_arity(function, wanted, given);
            }
            TypeKind::Unknown => {
                self.each(arguments);
                return Ok(Types::UNKNOWN);
            }
            TypeKind::Variable(_) => {
                let parameters = arguments.iter().map(|_| self.types.unknown_yet());
                let parameters: Vec<Type> = parameters.collect();
                let result = self.types.unknown_yet();
                let expected = self.types.function(&parameters, result);
                let place = self.script.span(function);
                let unified = self.types.unify_at(place, callee, expected);
                let reason = TypeReason::Taken("what is applied");
                self.check()
                    .explained(unified, function, (expected, callee), reason)?;
                (parameters, result)
            }
            _ => {
                self.each(arguments);
                return self.check().not_a_function(function, callee);
            }
        };
        let types = self.each(arguments);
        let mut doubtful = OpenVariables::default();
        for (number, (&argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            if self.types.has_any(parameter, &doubtful) {
                continue;
            }
            let reason = TypeReason::Argument(function, number + 1);
            let types = (parameter, types[number]);
            let fits = self.check().argument(argument, types, reason);
            if fits.is_err() {
                // Expressions with this type would be wrong for the same reason.
                self.types.open(parameter, &mut doubtful);
            }
            self.problems.report(fits);
        }
        Ok(result)
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
            self.problems.report(typed);
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
                self.check().argument(*values, (expected, given), reason)
            }
        }
    }
}

impl TypeCheck<'_, '_> {
    /// The message that `function`, of type `ty`, is no function.
    fn not_a_function(&mut self, function: ExprId, ty: Type) -> Result<Type> {
        let text = TypeNames::new(self.script.ast).ty(self.types, ty);
        let message = "this is no function, so it cannot be applied";
        Diagnostic::error("not-a-function", message)
            .at(self.script.span(function), format!("this has type {text}"))
            .into()
    }
}

impl InputScript<'_> {
    /// The message that `function` takes `wanted` arguments, but is given `given` of them.
    fn wrong_arity(self, function: ExprId, wanted: usize, given: usize) -> Result<Type> {
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
