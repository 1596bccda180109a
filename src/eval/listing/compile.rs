//! Compiles syntax to code.
//!
//! A function of this file returns `None` for syntax that has no form in `code.rs`. Then the
//! process is listed from its terms (`lts/explore.rs`).

use super::code::{
    Argument, Body, ClauseCode, ClauseSelection, EvaluatedPart, PartId, PartKind, ProcessCode,
    Unit, UnitId,
};
use super::code_table::CodeTable;
use super::expression::formula_of;
use super::formula::Formula;
use super::scope::{Register, Scope, ScopedFrame};
use super::unit::unit_at;
use crate::call_table::CalledCode;
use crate::script::ResolvedScript;
use base::stack::deep;
use syntax::ast::{
    Declaration, DeclarationId, Expr, ExprId, Field, Pattern, PatternId, ProcessOp, ReplicatedOp,
    Statement,
};
use types::builtin::Builtin;
use types::resolved::{PatternName, Place, Reference};

/// Makes the code of one unit.
struct Compiler<'c, 'p> {
    script: &'c ResolvedScript,
    code_table: &'p mut CodeTable,
    /// The number of registers in use.
    registers: Register,
}

/// The code of `unit`.
pub(super) fn compile(
    script: &ResolvedScript,
    code_table: &mut CodeTable,
    unit: UnitId,
) -> Option<Body> {
    let Unit {
        callee,
        home,
        width,
        ..
    } = &code_table.units[unit];
    let (callee, home, width) = (*callee, home.clone(), *width);
    let mut compiler = Compiler {
        script,
        code_table,
        registers: width,
    };
    let (selection, clauses) = match callee {
        CalledCode::Function(id) => compiler.function(unit, id, &home)?,
        CalledCode::Constant(id) => match compiler.script.ast.declaration(id) {
            Declaration::Pattern(_, body) => (None, vec![compiler.plain(*body, &home)?]),
            _ => return None,
        },
        CalledCode::Continuation(body) => (None, vec![compiler.plain(body, &home)?]),
        CalledCode::Argument(_) | CalledCode::Waiting(..) | CalledCode::Loop(_) => return None,
    };
    let registers = compiler.registers;
    Some(Body {
        registers,
        selection,
        clauses,
    })
}

impl<'c> Compiler<'c, '_> {
    /// Allocates `count` new registers. Returns the first of them.
    fn allocate(&mut self, count: usize) -> Register {
        let first = self.registers;
        self.registers += count as Register;
        first
    }

    fn part(&mut self, kind: PartKind, scope: &Scope, free: Vec<Register>) -> PartId {
        self.code_table.part(EvaluatedPart {
            kind,
            scope: scope.clone(),
            free,
        })
    }

    /// A clause without patterns.
    fn plain(&mut self, body: ExprId, scope: &Scope) -> Option<ClauseCode> {
        Some(ClauseCode {
            patterns: Vec::new(),
            first: 0,
            code: self.process(body, scope)?,
        })
    }

    fn function(
        &mut self,
        unit: UnitId,
        id: DeclarationId,
        home: &Scope,
    ) -> Option<(Option<ClauseSelection>, Vec<ClauseCode>)> {
        let clauses = self.script.clauses(id);
        let width = clauses[0].groups.iter().map(Vec::len).sum::<usize>();
        // Free variables come before the arguments.
        let first = self.registers - width as Register;
        let is_tested = |position: &usize| {
            let pattern = |groups: &'c [Vec<PatternId>]| groups.iter().flatten().nth(*position);
            let patterns = clauses.iter().filter_map(|clause| pattern(&clause.groups));
            patterns
                .into_iter()
                .any(|&pattern| self.binds(pattern).is_none())
        };
        let tested: Vec<usize> = (0..width).filter(is_tested).collect();
        let mut made = Vec::new();
        for clause in clauses {
            let mut scope = home.clone();
            let mut patterns = Vec::new();
            let bound = self.registers;
            for group in &clause.groups {
                let mut slots = Vec::new();
                for &pattern in group {
                    let position = made_position(&clause.groups, pattern);
                    if tested.contains(&position) {
                        let count = self.variables(pattern);
                        let register = self.allocate(count);
                        slots.extend((0..count as u32).map(|i| Some(register + i)));
                        patterns.push(pattern);
                    } else if self.binds(pattern)? {
                        slots.push(Some(first + position as Register));
                    }
                }
                scope = scope.with(ScopedFrame::Variables(slots));
            }
            made.push(ClauseCode {
                patterns,
                first: bound,
                code: self.process(clause.body, &scope)?,
            });
            if tested.is_empty() {
                // The clause matches whatever the arguments are.
                return Some((None, made));
            }
        }
        let tested: Vec<Register> = tested.iter().map(|&i| first + i as Register).collect();
        let part = self.part(PartKind::Clause(unit), home, tested.clone());
        Some((Some(ClauseSelection { tested, part }), made))
    }

    /// True if a pattern that matches every value binds it to a variable. Returns `None` for any
    /// other pattern.
    fn binds(&self, pattern: PatternId) -> Option<bool> {
        match self.script.ast.pattern(pattern) {
            Pattern::Wildcard => Some(false),
            Pattern::Name(_) => match self.script.pattern_name(pattern) {
                PatternName::Variable(_) => Some(true),
                PatternName::Constant(_) => None,
            },
            _ => None,
        }
    }

    /// The number of variables that a pattern binds.
    fn variables(&self, pattern: PatternId) -> usize {
        let variables = &self.script.resolved.variables;
        variables.get(&pattern).map_or(0, |&count| count as usize)
    }

    fn process(&mut self, expression: ExprId, scope: &Scope) -> Option<ProcessCode> {
        deep(|| self.process_here(expression, scope))
    }

    fn process_here(&mut self, expression: ExprId, scope: &Scope) -> Option<ProcessCode> {
        let ast = &self.script.ast;
        match ast.expr(expression) {
            Expr::Parenthesised(inner) => self.process(*inner, scope),
            Expr::Let(_, body) => self.process(*body, &scope.with(ScopedFrame::Let(expression))),
            Expr::If(condition, then, otherwise) => {
                let condition = self.condition(*condition, scope)?;
                let branches = [
                    self.process(*then, scope)?,
                    self.process(*otherwise, scope)?,
                ];
                Some(ProcessCode::If(condition, Box::new(branches)))
            }
            Expr::Guard(condition, body) => {
                let condition = self.condition(*condition, scope)?;
                let branches = [self.process(*body, scope)?, ProcessCode::Stop];
                Some(ProcessCode::If(condition, Box::new(branches)))
            }
            Expr::Process(op @ (ProcessOp::ExternalChoice | ProcessOp::InternalChoice), ..) => {
                self.choice(*op, expression, scope)
            }
            Expr::Prefix(_, fields, body) => self.prefix(expression, fields, *body, scope),
            Expr::Replicated(op, statements, body) => {
                self.replicated(expression, op, statements, *body, scope)
            }
            Expr::Name(_) | Expr::Apply(..) => self.call(expression, scope),
            _ => None,
        }
    }

    fn choice(&mut self, op: ProcessOp, expression: ExprId, scope: &Scope) -> Option<ProcessCode> {
        let Expr::Process(_, left, right) = self.script.ast.expr(expression) else {
            return None;
        };
        let operands = vec![self.process(*left, scope)?, self.process(*right, scope)?];
        Some(match op {
            ProcessOp::ExternalChoice => ProcessCode::ExternalChoice(operands),
            _ => ProcessCode::InternalChoice(operands),
        })
    }

    fn condition(&mut self, expression: ExprId, scope: &Scope) -> Option<Argument> {
        let free = self.script.resolved.free_of_part.get(&expression);
        self.argument(expression, free.map_or(&[], Vec::as_slice), scope)
    }

    /// The argument for an expression whose value depends on the variables at `free`.
    fn argument(&mut self, expression: ExprId, free: &[Place], scope: &Scope) -> Option<Argument> {
        let formula = formula_of(self.script, expression, scope);
        if let Some(Formula::Register(register)) = formula {
            return Some(Argument::Register(register));
        }
        let free = scope.registers(free)?;
        let part = self.part(PartKind::Value(expression), scope, free);
        Some(match formula {
            Some(formula) => Argument::Formula(formula, part),
            None => Argument::Part(part),
        })
    }

    fn prefix(
        &mut self,
        expression: ExprId,
        fields: &'c [Field],
        body: ExprId,
        scope: &Scope,
    ) -> Option<ProcessCode> {
        let free = self.free_of_part(expression, scope)?;
        let offers = self.part(PartKind::Offers(expression), scope, free);
        let first = self.registers;
        let mut scope = scope.clone();
        for field in fields {
            match field {
                Field::Output(_) => {}
                Field::Input(pattern, _) => scope = self.binding(*pattern, &scope),
                Field::Nondeterministic(..) => return None,
            }
        }
        let width = self.registers - first;
        let then = if self.script.is_named_process(body) {
            self.process(body, &scope)?
        } else {
            let callee = CalledCode::Continuation(body);
            let (unit, captured) = unit_at(self.script, self.code_table, callee, &scope)?;
            ProcessCode::Call(unit, captured.into_iter().map(Argument::Register).collect())
        };
        Some(ProcessCode::Prefix {
            offers,
            first,
            width,
            then: Box::new(then),
        })
    }

    fn free_of_part(&self, expression: ExprId, scope: &Scope) -> Option<Vec<Register>> {
        let free = self.script.resolved.free_of_part.get(&expression);
        scope.registers(free.map_or(&[], Vec::as_slice))
    }

    /// `scope` with the frame of a pattern, whose variables get new registers.
    fn binding(&mut self, pattern: PatternId, scope: &Scope) -> Scope {
        let count = self.variables(pattern);
        let first = self.allocate(count);
        let slots = (first..first + count as Register).map(Some).collect();
        scope.with(ScopedFrame::Variables(slots))
    }

    fn replicated(
        &mut self,
        expression: ExprId,
        op: &ReplicatedOp,
        statements: &[Statement],
        body: ExprId,
        scope: &Scope,
    ) -> Option<ProcessCode> {
        let is_external = match op {
            ReplicatedOp::ExternalChoice => true,
            ReplicatedOp::InternalChoice => false,
            _ => return None,
        };
        let free = self.free_of_part(expression, scope)?;
        let environments = self.part(PartKind::Environments(expression), scope, free);
        let first = self.registers;
        let mut scope = scope.clone();
        for statement in statements {
            if let Statement::Generator(pattern, _) = statement {
                scope = self.binding(*pattern, &scope);
            }
        }
        let width = self.registers - first;
        Some(ProcessCode::Replicated {
            is_external,
            environments,
            first,
            width,
            operand: Box::new(self.process(body, &scope)?),
        })
    }

    /// The call of a name, or of a function applied to all its groups of arguments.
    fn call(&mut self, expression: ExprId, scope: &Scope) -> Option<ProcessCode> {
        let ast = &self.script.ast;
        let (mut head, mut groups) = (expression, Vec::new());
        while let Expr::Apply(function, arguments) = ast.expr(head) {
            groups.push(arguments);
            head = *function;
        }
        if !matches!(ast.expr(head), Expr::Name(_)) {
            return None;
        }
        let (place, id) = match *self.script.reference_of(head) {
            Reference::Builtin(Builtin::Stop) => return Some(ProcessCode::Stop),
            Reference::Builtin(Builtin::Skip) => return Some(ProcessCode::Skip),
            Reference::Local {
                place,
                definition: Some(id),
            } => (place, id),
            _ => return None,
        };
        if !self.script.resolved.processes.contains(&id) {
            return None;
        }
        let callee = match ast.declaration(id) {
            Declaration::Function(_, clauses) if clauses[0].groups.len() == groups.len() => {
                CalledCode::Function(id)
            }
            Declaration::Pattern(..) if groups.is_empty() => CalledCode::Constant(id),
            _ => return None,
        };
        let home = scope.outwards(place.up)?;
        let (unit, captured) = unit_at(self.script, self.code_table, callee, &home)?;
        let mut arguments: Vec<Argument> = captured.into_iter().map(Argument::Register).collect();
        for &argument in groups.into_iter().rev().flatten() {
            let free = &self.script.resolved.free_of_argument;
            let free = free.get(&argument).map_or(&[][..], Vec::as_slice);
            arguments.push(self.argument(argument, free, scope)?);
        }
        Some(ProcessCode::Call(unit, arguments))
    }
}

/// The position of `pattern` among all parameters.
fn made_position(groups: &[Vec<PatternId>], pattern: PatternId) -> usize {
    let position = groups.iter().flatten().position(|&other| other == pattern);
    position.expect("the pattern is one of a group")
}
