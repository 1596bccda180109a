//! The roles of values: what expressions ask of them.

use super::roles::Role;
use super::walker::{Found, Unknown, Walker};
use crate::base::stack::deep;
use crate::syntax::ast::{
    BinaryOp, Collection, Declaration, Expr, ExprId, Items, Pattern, PatternId, Statement, UnaryOp,
};
use crate::types::builtin::Builtin;
use crate::types::resolved::{PatternName, Reference};

impl<'s> Walker<'_, 's> {
    /// The role of a value.
    pub(super) fn value(&mut self, expression: ExprId) -> Found<Role> {
        deep(|| self.value_here(expression))
    }

    /// A truth value.
    pub(super) fn condition(&mut self, expression: ExprId) -> Found<()> {
        self.fixed(expression).map(|_| ())
    }

    fn value_here(&mut self, expression: ExprId) -> Found<Role> {
        if self.is_closed(expression) {
            let role = self.roles.any();
            self.closed.push((role, expression));
            return Ok(role);
        }
        let script = self.evaluator.script;
        match script.ast.expr(expression) {
            Expr::Parenthesised(inner) => self.value(*inner),
            Expr::Name(_) => match self.evaluator.reference_of(expression) {
                &Reference::Local {
                    place,
                    definition: None,
                } => self.at(place),
                _ => Err(Unknown),
            },
            Expr::Tuple(parts) => {
                let parts = self.values(parts)?;
                Ok(self.roles.tuple(parts))
            }
            Expr::Set(collection) => self.collection(collection, false),
            Expr::Sequence(collection) => self.collection(collection, true),
            Expr::Unary(UnaryOp::Length, sequence) => {
                self.sequence(*sequence)?;
                Ok(self.roles.fixed())
            }
            Expr::Unary(UnaryOp::Negate | UnaryOp::Not, inner) => self.fixed(*inner),
            Expr::Binary(op, left, right) => self.binary(*op, *left, *right),
            Expr::If(condition, then, otherwise) => {
                self.condition(*condition)?;
                self.same(*then, *otherwise)
            }
            Expr::Apply(function, arguments) => self.application(*function, arguments),
            _ => Err(Unknown),
        }
    }

    fn values(&mut self, expressions: &[ExprId]) -> Found<Vec<Role>> {
        expressions.iter().map(|&part| self.value(part)).collect()
    }

    /// A value that must stay as it is.
    fn fixed(&mut self, expression: ExprId) -> Found<Role> {
        let role = self.value(expression)?;
        self.roles.fix(role)?;
        Ok(role)
    }

    /// Two values of one role.
    fn same(&mut self, left: ExprId, right: ExprId) -> Found<Role> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.roles.unify(left, right)?;
        Ok(left)
    }

    /// The role of the members of a set.
    fn set(&mut self, expression: ExprId) -> Found<Role> {
        let (found, member) = (self.value(expression)?, self.roles.any());
        let wanted = self.roles.set(member);
        self.roles.unify(found, wanted)?;
        Ok(member)
    }

    /// The role of the items of a sequence.
    fn sequence(&mut self, expression: ExprId) -> Found<Role> {
        let (found, item) = (self.value(expression)?, self.roles.any());
        let wanted = self.roles.sequence(item);
        self.roles.unify(found, wanted)?;
        Ok(item)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Found<Role> {
        match op {
            // A bijection keeps what is equal and what is not.
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.same(left, right)?;
                Ok(self.roles.fixed())
            }
            BinaryOp::Concat => {
                let (a, b) = (self.sequence(left)?, self.sequence(right)?);
                self.roles.unify(a, b)?;
                Ok(self.roles.sequence(a))
            }
            _ => {
                self.fixed(left)?;
                self.fixed(right)
            }
        }
    }

    fn application(&mut self, function: ExprId, arguments: &[ExprId]) -> Found<Role> {
        let script = self.evaluator.script;
        if !matches!(script.ast.expr(function), Expr::Name(_)) {
            return Err(Unknown);
        }
        if let &Reference::Builtin(builtin) = self.evaluator.reference_of(function) {
            return self.builtin(builtin, arguments);
        }
        let definition = self.top_level(function).ok_or(Unknown)?;
        let Declaration::Function(_, clauses) = script.ast.declaration(definition) else {
            return Err(Unknown);
        };
        if clauses[0].groups.len() != 1 || script.resolved.processes.contains(&definition) {
            return Err(Unknown);
        }
        let (parameters, result) = self.function(definition)?;
        if parameters.len() != arguments.len() {
            return Err(Unknown);
        }
        for (role, &argument) in parameters.into_iter().zip(arguments) {
            let found = self.value(argument)?;
            self.roles.unify(found, role)?;
        }
        Ok(result)
    }

    /// The built-in functions that do not look into members and items. `seq` is none of them: it puts members in an order.
    fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId]) -> Found<Role> {
        match (builtin, arguments) {
            (Builtin::Union2 | Builtin::Inter2 | Builtin::Diff, &[left, right]) => {
                let (a, b) = (self.set(left)?, self.set(right)?);
                self.roles.unify(a, b)?;
                Ok(self.roles.set(a))
            }
            (Builtin::Member, &[value, set]) => {
                let (a, b) = (self.value(value)?, self.set(set)?);
                self.roles.unify(a, b)?;
                Ok(self.roles.fixed())
            }
            (Builtin::Elem, &[value, sequence]) => {
                let (a, b) = (self.value(value)?, self.sequence(sequence)?);
                self.roles.unify(a, b)?;
                Ok(self.roles.fixed())
            }
            (Builtin::Card | Builtin::Empty, &[set]) => {
                self.set(set)?;
                Ok(self.roles.fixed())
            }
            (Builtin::Length | Builtin::Null, &[sequence]) => {
                self.sequence(sequence)?;
                Ok(self.roles.fixed())
            }
            (Builtin::Head, &[sequence]) => self.sequence(sequence),
            (Builtin::Tail, &[sequence]) => {
                let item = self.sequence(sequence)?;
                Ok(self.roles.sequence(item))
            }
            (Builtin::SetOf, &[sequence]) => {
                let item = self.sequence(sequence)?;
                Ok(self.roles.set(item))
            }
            _ => Err(Unknown),
        }
    }

    fn collection(&mut self, collection: &'s Collection, is_sequence: bool) -> Found<Role> {
        let entered = self.statements(&collection.statements, is_sequence)?;
        let item = match &collection.items {
            Items::List(items) => {
                let item = self.roles.any();
                for role in self.values(items)? {
                    self.roles.unify(role, item)?;
                }
                item
            }
            Items::Range(from, to) => {
                self.fixed(*from)?;
                self.fixed(*to)?
            }
            Items::From(_) => return Err(Unknown),
        };
        self.leave(entered);
        Ok(match is_sequence {
            true => self.roles.sequence(item),
            false => self.roles.set(item),
        })
    }

    /// Goes through statements and stays inside them; how many frames were entered.
    pub(super) fn statements(
        &mut self,
        statements: &'s [Statement],
        is_sequence: bool,
    ) -> Found<usize> {
        let mut entered = 0;
        for statement in statements {
            match statement {
                Statement::Generator(pattern, source) => {
                    let item = match is_sequence {
                        true => self.sequence(*source)?,
                        false => self.set(*source)?,
                    };
                    self.enter();
                    entered += 1;
                    self.pattern(*pattern, item)?;
                }
                Statement::Predicate(condition) => self.condition(*condition)?,
            }
        }
        Ok(entered)
    }

    /// Binds the variables of a pattern for values of this role.
    pub(super) fn pattern(&mut self, pattern: PatternId, role: Role) -> Found<()> {
        deep(|| self.pattern_here(pattern, role))
    }

    fn pattern_here(&mut self, pattern: PatternId, role: Role) -> Found<()> {
        let script = self.evaluator.script;
        match script.ast.pattern(pattern) {
            Pattern::Wildcard => Ok(()),
            Pattern::Parenthesised(inner) => self.pattern(*inner, role),
            Pattern::Name(_) => match &script.resolved.patterns[pattern] {
                Some(PatternName::Variable(slot)) => {
                    self.bind(*slot, role);
                    Ok(())
                }
                _ => Ok(self.roles.fix(role)?),
            },
            Pattern::Int(_) | Pattern::Bool(_) | Pattern::Char(_) => Ok(self.roles.fix(role)?),
            Pattern::Tuple(parts) => {
                let roles: Vec<Role> = parts.iter().map(|_| self.roles.any()).collect();
                let tuple = self.roles.tuple(roles.clone());
                self.roles.unify(role, tuple)?;
                let mut parts = parts.iter().zip(roles);
                parts.try_for_each(|(&part, role)| self.pattern(part, role))
            }
            Pattern::Sequence(parts) => {
                let item = self.roles.any();
                let sequence = self.roles.sequence(item);
                self.roles.unify(role, sequence)?;
                parts.iter().try_for_each(|&part| self.pattern(part, item))
            }
            Pattern::Concat(parts) => {
                let item = self.roles.any();
                let sequence = self.roles.sequence(item);
                self.roles.unify(role, sequence)?;
                parts.iter().try_for_each(|&part| self.pattern(part, role))
            }
            _ => Err(Unknown),
        }
    }

    /// Whether an expression has a value that depends on nothing but definitions at the top level. Only of simple ones that is
    /// asked: the value must be known without evaluating anything.
    fn is_closed(&self, expression: ExprId) -> bool {
        match self.evaluator.script.ast.expr(expression) {
            Expr::Set(collection) if collection.statements.is_empty() => match &collection.items {
                Items::List(items) => items.iter().all(|&item| self.is_simple(item)),
                Items::Range(from, to) => self.is_integer(*from) && self.is_integer(*to),
                Items::From(_) => false,
            },
            _ => self.is_simple(expression),
        }
    }

    fn is_simple(&self, expression: ExprId) -> bool {
        match self.evaluator.script.ast.expr(expression) {
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) => true,
            Expr::Name(_) => self.top_level(expression).is_some(),
            _ => false,
        }
    }

    fn is_integer(&self, expression: ExprId) -> bool {
        match self.evaluator.script.ast.expr(expression) {
            Expr::Parenthesised(inner) => deep(|| self.is_integer(*inner)),
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, left, right) => {
                deep(|| self.is_integer(*left) && self.is_integer(*right))
            }
            _ => self.is_simple(expression),
        }
    }
}
