//! Evaluates expressions.

use std::rc::Rc;

use super::evaluation_place::EvaluationPlace;
use super::frames::{frame_of, let_frame, some_of};
use super::interpreter::Interpreter;
use super::value::{
    EveryIsOther, Frames, Id, IdSet, Local, LocalCode, OutOfSight, PartialFrame, PartialSlot,
    PartialValue, SetOperator, SetValue,
};
use base::diag::Result;
use base::order::ascending;
use syntax::ast::{
    BinaryOp, Clause, Declaration, DeclarationId, Expr, ExprId, Items, Statement, UnaryOp,
};
use types::builtin::Builtin;
use types::resolved::{Place, Reference};

/// The hint where an operation is not possible on identities.
pub(super) const ONLY_COMPARED: &str =
    "for all sizes identities may only be compared for equality, and be in sets";

impl<'s> Interpreter<'s> {
    /// The value of an expression, in full.
    pub(super) fn evaluate(
        &mut self,
        expression: ExprId,
        environment: &Frames,
    ) -> Result<PartialValue> {
        self.deeper(|e| {
            e.place.go_to(e.ast().expressions[expression].span);
            e.evaluate_here(expression, environment)
        })
    }

    fn evaluate_here(&mut self, expression: ExprId, environment: &Frames) -> Result<PartialValue> {
        if let Some(id) = self.identities.counted_from_last(expression, &self.place)? {
            return Ok(id);
        }
        Ok(match self.ast().expr(expression) {
            Expr::Int(n) => PartialValue::Int(*n),
            Expr::Bool(b) => PartialValue::Bool(*b),
            Expr::Char(c) => PartialValue::Char(*c),
            Expr::Name(_) => self.name(expression, environment)?,
            Expr::Parenthesised(inner) => self.evaluate(*inner, environment)?,
            Expr::Tuple(items) => PartialValue::Tuple(self.all(items, environment)?.into()),
            Expr::Sequence(display) => match (&display.items, display.statements.is_empty()) {
                (Items::List(items), true) => {
                    PartialValue::Sequence(self.all(items, environment)?.into())
                }
                _ => return Err(self.refused("this sequence is not followed for all sizes")),
            },
            Expr::Set(display) => {
                self.set_display(&display.items, &display.statements, environment)?
            }
            Expr::Productions(items, statements) => {
                self.productions(items, statements, environment)?
            }
            Expr::Dot(items) => {
                let parts = self.all(items, environment)?;
                self.dot(parts)?
            }
            Expr::Unary(op, operand) => self.unary(*op, *operand, environment)?,
            Expr::Binary(op, left, right) => self.binary(*op, *left, *right, environment)?,
            Expr::If(condition, then, otherwise) => {
                let next = self.branch(*condition, (*then, *otherwise), environment)?;
                self.evaluate(next, environment)?
            }
            Expr::Let(declarations, body) => {
                let frame = let_frame(self.script, expression, declarations, environment);
                self.evaluate(*body, &frame)?
            }
            Expr::Apply(function, arguments) => {
                self.application(*function, arguments, environment)?
            }
            Expr::Lambda(..) => return Err(self.refused("a lambda is not followed for all sizes")),
            // The other expressions are processes. A process that is an argument is named by its
            // code.
            _ => PartialValue::Process(self.process_argument(expression, environment)?),
        })
    }

    /// The value of `{| c, d | x <- s |}`.
    fn productions(
        &mut self,
        items: &[ExprId],
        statements: &'s [Statement],
        environment: &Frames,
    ) -> Result<PartialValue> {
        let environment = &some_of(environment, &self.top);
        let mut all = Vec::new();
        let (frames, are_some) = self.watched(|e| e.environments(statements, environment))?;
        for frame in frames {
            let (values, is_mixed) = self.watched(|e| e.all(items, &frame))?;
            if is_mixed {
                return Err(self.refused(
                    "the members of this set depend on which identities are out of sight",
                ));
            }
            all.extend(values.iter().map(|value| match are_some {
                true => value.mapped(&EveryIsOther),
                false => value.clone(),
            }));
        }
        let productions = SetValue::Productions(all.into());
        Ok(PartialValue::Set(Rc::new(productions)))
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        operand: ExprId,
        environment: &Frames,
    ) -> Result<PartialValue> {
        let operand = self.evaluate(operand, environment)?;
        match (op, operand) {
            (UnaryOp::Negate, PartialValue::Int(n)) => Ok(PartialValue::Int(-n)),
            (UnaryOp::Not, PartialValue::Bool(b)) => Ok(PartialValue::Bool(!b)),
            (UnaryOp::Length, PartialValue::Sequence(items)) => {
                Ok(PartialValue::Int(items.len() as i64))
            }
            _ => Err(self.refused("an identity is computed with")),
        }
    }

    pub(super) fn all(
        &mut self,
        items: &[ExprId],
        environment: &Frames,
    ) -> Result<Vec<PartialValue>> {
        items
            .iter()
            .map(|&item| self.evaluate(item, environment))
            .collect()
    }

    /// An expression that is a Boolean.
    pub(super) fn truth(&mut self, expression: ExprId, environment: &Frames) -> Result<bool> {
        match self.evaluate(expression, environment)? {
            PartialValue::Bool(truth) => Ok(truth),
            _ => Err(self.refused("this is no Boolean")),
        }
    }

    /// The first of two expressions if `condition` holds, else the second.
    pub(super) fn branch(
        &mut self,
        condition: ExprId,
        (then, otherwise): (ExprId, ExprId),
        environment: &Frames,
    ) -> Result<ExprId> {
        match self.truth(condition, environment)? {
            true => Ok(then),
            false => Ok(otherwise),
        }
    }

    /// An expression that is a process.
    pub(super) fn process_value(
        &mut self,
        expression: ExprId,
        environment: &Frames,
    ) -> Result<Local> {
        match self.evaluate(expression, environment)? {
            PartialValue::Process(local) => Ok(local),
            _ => Err(self.refused("this is no process")),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        environment: &Frames,
    ) -> Result<PartialValue> {
        if op == BinaryOp::Modulo && self.identities.parameter.is_named(right) {
            return self.in_ring(left, environment);
        }
        let a = self.evaluate(left, environment)?;
        match (op, &a) {
            (BinaryOp::And, PartialValue::Bool(false))
            | (BinaryOp::Or, PartialValue::Bool(true)) => {
                return Ok(a);
            }
            (BinaryOp::And | BinaryOp::Or, _) => return self.evaluate(right, environment),
            _ => {}
        }
        let b = self.evaluate(right, environment)?;
        if let Some(id) = self.identities.counted_on((op, &a, &b), &self.place)? {
            return Ok(id);
        }
        let (x, y) = match (op, &a, &b) {
            (BinaryOp::Equal | BinaryOp::NotEqual, ..) => {
                let equal = self.comparison().equal(&a, &b)?;
                let equal = self.oracle.decided(equal);
                return Ok(PartialValue::Bool(equal == (op == BinaryOp::Equal)));
            }
            (BinaryOp::Concat, PartialValue::Sequence(a), PartialValue::Sequence(b)) => {
                return Ok(PartialValue::Sequence(
                    a.iter().chain(b.iter()).cloned().collect(),
                ));
            }
            (_, PartialValue::Int(x), PartialValue::Int(y)) => (*x, *y),
            _ => {
                let what = format!("`{}` is applied to identities", op.text());
                return Err(self.place.refused_with(what, ONLY_COMPARED));
            }
        };
        let number = |n: Option<i64>| n.map(PartialValue::Int);
        let value = match op {
            BinaryOp::Add => number(x.checked_add(y)),
            BinaryOp::Subtract => number(x.checked_sub(y)),
            BinaryOp::Multiply => number(x.checked_mul(y)),
            // Division rounds down, as in the evaluator. The Euclidean one does so only for y > 0.
            BinaryOp::Divide if y > 0 => number(x.checked_div_euclid(y)),
            BinaryOp::Modulo if y > 0 => number(x.checked_rem_euclid(y)),
            BinaryOp::Less => Some(PartialValue::Bool(x < y)),
            BinaryOp::LessEqual => Some(PartialValue::Bool(x <= y)),
            BinaryOp::Greater => Some(PartialValue::Bool(x > y)),
            BinaryOp::GreaterEqual => Some(PartialValue::Bool(x >= y)),
            _ => None,
        };
        value.ok_or_else(|| self.refused("this has no value"))
    }

    /// The value of `f(x, y)`.
    fn application(
        &mut self,
        function: ExprId,
        arguments: &[ExprId],
        environment: &Frames,
    ) -> Result<PartialValue> {
        let place = self.place.span();
        // A function of a `let` is applied where its definition stands: it is no value.
        let plain = self.ast().unbracketed(function);
        if let Some(Reference::Local {
            place: at,
            definition: Some(id),
        }) = &self.script.resolved.names[plain]
            && let Declaration::Function(_, clauses) = self.ast().declaration(*id)
            && clauses[0].groups.len() == 1
        {
            let arguments = self.all(arguments, environment)?;
            self.place.go_to(place);
            let frame = frame_of(*at, environment, &self.place)?;
            return self.apply(*id, &frame, vec![arguments]);
        }
        let function = self.evaluate(function, environment)?;
        let arguments = self.all(arguments, environment)?;
        self.place.go_to(place);
        match function {
            PartialValue::Builtin(builtin) => self.comparison().apply_builtin(builtin, &arguments),
            PartialValue::Function(id, given) => {
                let mut groups: Vec<Vec<PartialValue>> =
                    given.iter().map(|group| group.to_vec()).collect();
                groups.push(arguments);
                let top = Rc::clone(&self.top);
                self.apply(id, &top, groups)
            }
            _ => Err(self.refused("this function is not followed for all sizes")),
        }
    }

    /// Applies the function `id`, which is defined in `frame`.
    fn apply(
        &mut self,
        id: DeclarationId,
        frame: &Frames,
        groups: Vec<Vec<PartialValue>>,
    ) -> Result<PartialValue> {
        let Declaration::Function(_, clauses) = self.ast().declaration(id) else {
            return Err(self.refused("this is no function"));
        };
        if groups.len() < clauses[0].groups.len() {
            let groups = groups.into_iter().map(Into::into).collect();
            return Ok(PartialValue::Function(id, groups));
        }
        if self.script.resolved.processes.contains(&id) {
            return Ok(PartialValue::Process(self.call(
                id,
                frame,
                &groups.concat(),
            )?));
        }
        let (body, frame) = self.enter(clauses, frame, &groups)?;
        self.evaluate(body, &frame)
    }

    /// The body of the first clause that matches, with the frame of its parameters.
    pub(super) fn enter(
        &mut self,
        clauses: &'s [Clause],
        environment: &Frames,
        groups: &[Vec<PartialValue>],
    ) -> Result<(ExprId, Frames)> {
        'clauses: for clause in clauses {
            let mut frame = Rc::clone(environment);
            for (patterns, arguments) in clause.groups.iter().zip(groups) {
                match self.bound(patterns, arguments, &frame)? {
                    Some(inner) => frame = inner,
                    None => continue 'clauses,
                }
            }
            return Ok((clause.body, frame));
        }
        Err(self.refused("no clause of this function matches"))
    }

    /// The state of a call of the definition `id`, which stands in `frame`.
    pub(super) fn call(
        &mut self,
        id: DeclarationId,
        frame: &Frames,
        arguments: &[PartialValue],
    ) -> Result<Local> {
        let script = self.script;
        let code = LocalCode::Definition(id);
        let mut values = self.values_at(code.places(script), frame)?;
        values.extend_from_slice(arguments);
        self.met.state((code, frame), values, &self.place)
    }

    pub(super) fn values_at(
        &mut self,
        places: &[Place],
        environment: &Frames,
    ) -> Result<Vec<PartialValue>> {
        let value = |place: &Place| self.at(*place, environment);
        places.iter().map(value).collect()
    }

    /// A process that is an argument.
    fn process_argument(&mut self, expression: ExprId, environment: &Frames) -> Result<Local> {
        let script = self.script;
        let Some(places) = script.resolved.free_of_argument.get(&expression) else {
            return Err(self.refused("a process stands where no value is followed for all sizes"));
        };
        let values = self.values_at(places, environment)?;
        let code = LocalCode::Continuation(expression);
        self.met.state((code, environment), values, &self.place)
    }

    /// The value of a set display.
    fn set_display(
        &mut self,
        items: &'s Items,
        statements: &'s [Statement],
        environment: &Frames,
    ) -> Result<PartialValue> {
        let items = match items {
            Items::List(items) => items,
            Items::Range(first, last) if statements.is_empty() => {
                if let Some(ids) = self.index_range(*first, *last, environment)? {
                    return Ok(PartialValue::set(ids, Vec::new()));
                }
                let first = self.evaluate(*first, environment)?;
                let last = self.evaluate(*last, environment)?;
                return match (first, last) {
                    (PartialValue::Int(first), PartialValue::Int(last))
                        if last.saturating_sub(first) < 1 << 16 =>
                    {
                        Ok(PartialValue::set(
                            IdSet::EMPTY,
                            (first..=last).map(PartialValue::Int).collect(),
                        ))
                    }
                    _ => Err(self.refused("this range is not followed for all sizes")),
                };
            }
            _ => return Err(self.refused("this set is not followed for all sizes")),
        };
        // A variable for all identities stands for one of them in the display.
        let environment = &some_of(environment, &self.top);
        let (mut ids, mut others) = (IdSet::EMPTY, Vec::new());
        let (frames, are_some) = self.watched(|e| e.environments(statements, environment))?;
        for frame in frames {
            let (values, is_mixed) = self.watched(|e| e.all(items, &frame))?;
            for value in values {
                // Each of several identities out of sight may give another member. Without
                // statements the set is that of one identity; an evaluation that uses it for
                // several finds `is_mixed` set.
                let is_of_several = is_mixed || are_some && !value.holds_ids();
                if is_of_several && !statements.is_empty() {
                    return Err(self.refused(
                        "the members of this set depend on which identities are out of sight",
                    ));
                }
                let value = match are_some {
                    true => value.mapped(&EveryIsOther),
                    false => value,
                };
                match value {
                    PartialValue::Id(id) => ids = ids.union(IdSet::only(id)),
                    value => others.push(value),
                }
            }
        }
        Ok(PartialValue::set(ids, others))
    }

    /// All environments of a list of statements. A variable that stands for all identities out of
    /// sight has [`Id::Every`]; if a predicate does not hold for all of them, it has [`Id::Other`].
    pub(super) fn environments(
        &mut self,
        statements: &'s [Statement],
        environment: &Frames,
    ) -> Result<Vec<Frames>> {
        let mut found = vec![Rc::clone(environment)];
        for statement in statements {
            let mut next = Vec::new();
            for frame in &found {
                match statement {
                    Statement::Generator(pattern, set) => {
                        let set = self.set(*set, frame)?;
                        for member in self.members(&set)? {
                            let bound = self.bound(&[*pattern], &[member], frame)?;
                            next.extend(bound);
                        }
                    }
                    Statement::Predicate(predicate) => {
                        let (holds, is_mixed) = self.watched(|e| e.truth(*predicate, frame))?;
                        match (holds, is_mixed) {
                            (false, _) => {}
                            (true, false) => next.push(Rc::clone(frame)),
                            // The predicate holds for some of them.
                            (true, true) => next.push(some_of(frame, environment)),
                        }
                    }
                }
            }
            found = next;
        }
        Ok(found)
    }

    /// The result of `f`, and true if a test in it was answered for all identities out of sight at
    /// once although they may differ in it.
    fn watched<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<(R, bool)> {
        let before = self.oracle.unmix();
        let given = self.oracle.given();
        let found = f(self)?;
        let is_mixed = self.oracle.is_mixed() || self.oracle.given() > given;
        self.oracle.mix(before);
        Ok((found, is_mixed))
    }

    /// An expression that is a set.
    pub(super) fn set(&mut self, expression: ExprId, environment: &Frames) -> Result<Rc<SetValue>> {
        match self.evaluate(expression, environment)? {
            PartialValue::Set(set) => Ok(set),
            _ => Err(self.refused("this is no set")),
        }
    }

    /// The members of a set. Those out of sight count as one.
    pub(super) fn members(&mut self, set: &SetValue) -> Result<Vec<PartialValue>> {
        let members = self.all_members(set)?;
        let parameter = &self.identities.parameter;
        match members
            .iter()
            .any(|member| parameter.has_constant_in(member))
        {
            // The value would be an identity that may not be among those in sight.
            true => Err(self.place.named_identity()),
            false => Ok(members),
        }
    }

    fn all_members(&mut self, set: &SetValue) -> Result<Vec<PartialValue>> {
        match set {
            SetValue::Listed(ids, items) => {
                let mut all: Vec<PartialValue> = ids.seen().map(PartialValue::Id).collect();
                match ids.rest {
                    OutOfSight::None => {}
                    OutOfSight::Some => {
                        // There may be several such members, or none. Results for them may differ.
                        if self.oracle.answer() {
                            self.oracle.mix(true);
                            all.push(PartialValue::Id(Id::Every));
                        }
                    }
                    OutOfSight::All => all.push(PartialValue::Id(Id::Every)),
                }
                // A value that names an identity out of sight may stand for several.
                self.oracle.mix(items.iter().any(PartialValue::holds_ids));
                all.extend(items.iter().cloned());
                Ok(all)
            }
            SetValue::Productions(prefixes) => {
                let mut all = Vec::new();
                for prefix in prefixes.iter() {
                    all.extend(self.completions(prefix.clone())?);
                }
                Ok(ascending(all))
            }
            SetValue::Joined(SetOperator::Union, a, b) => {
                let mut all = self.members(a)?;
                all.extend(self.members(b)?);
                Ok(ascending(all))
            }
            _ => Err(self.refused("the members of this set are not listed for all sizes")),
        }
    }

    /// The frame of these patterns; `None` if one does not match.
    pub(super) fn bound(
        &mut self,
        patterns: &[syntax::ast::PatternId],
        values: &[PartialValue],
        environment: &Frames,
    ) -> Result<Option<Frames>> {
        let script = self.script;
        let count = |pattern| script.resolved.variables.get(pattern).copied().unwrap_or(0);
        let size: u32 = patterns.iter().map(count).sum();
        let mut slots = vec![PartialSlot::Empty; size as usize];
        for (pattern, value) in patterns.iter().zip(values) {
            if !self.matches(*pattern, value, environment, &mut slots)? {
                return Ok(None);
            }
        }
        Ok(Some(PartialFrame::new(slots, Some(environment))))
    }
}

/// The value of a built-in that is no function.
pub(super) fn builtin_constant(builtin: Builtin, place: &EvaluationPlace) -> Result<PartialValue> {
    Ok(match builtin {
        Builtin::True => PartialValue::Bool(true),
        Builtin::False => PartialValue::Bool(false),
        Builtin::Bool => PartialValue::set(
            IdSet::EMPTY,
            vec![PartialValue::Bool(false), PartialValue::Bool(true)],
        ),
        Builtin::Events => PartialValue::Set(Rc::new(SetValue::Events)),
        Builtin::Stop => PartialValue::Process(Local {
            code: LocalCode::Builtin(Builtin::Stop),
            values: Rc::new([]),
        }),
        Builtin::Skip | Builtin::Div => {
            return Err(place.refused("this process is not followed for all sizes"));
        }
        function => PartialValue::Builtin(function),
    })
}
