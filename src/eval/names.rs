//! The names of arguments and captured values: the values that stand for them in the names of
//! calls.
//!
//! The name is the value, evaluated in full: a process up to the calls in it, which have names of
//! their own, and a function as its code with the values it captures. If there is no value, the
//! name is the code that would find it, with the values that this code captures. Evaluation may
//! fail, and a mistake in a part that no branch uses is none; or the value may depend on its own
//! name. Equal code that captures equal values has equal values, so names are equal only for values
//! that behave alike.
//!
//! Code with its captured values has a number, so that comparing names takes constant time however
//! much they hold.

use std::rc::Rc;

use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::name_table::NameKey;
use super::value::{Closure, Lazy, NameId, Thunk, Value};
use base::diag::Result;
use syntax::ast::ExprId;
use types::resolved::Place;

impl Evaluator<'_> {
    /// The name of `lazy`.
    pub(super) fn name_of(&mut self, lazy: &Lazy) -> Result<Value> {
        match lazy {
            Lazy::Value(value) => self.name_of_value(value),
            // The code counts first: a value of which some part fails has one too.
            Lazy::Thunk(thunk) => match (thunk.code(), thunk.done()) {
                (Some(code), _) => Ok(Value::Code(code)),
                (None, Some(value)) => self.name_of_value(&value),
                (None, None) => self.name_of_thunk(thunk),
            },
        }
    }

    /// The name of the content of a slot of `frame`.
    pub(super) fn name_of_slot(&mut self, frame: &Rc<Frame>, slot: u32) -> Result<Value> {
        match frame.get(slot) {
            Slot::Lazy(lazy) => self.name_of(&lazy),
            _ => {
                let value = self.slot(frame, slot)?;
                self.force_deep(&value)
            }
        }
    }

    /// The name of an argument, and the argument for the function: its value where there is one.
    pub(super) fn named_argument(&mut self, argument: &Lazy) -> Result<(Value, Lazy)> {
        Ok(match self.name_of(argument)? {
            code @ Value::Code(_) => (code, argument.clone()),
            value => (value.clone(), Lazy::Value(value)),
        })
    }

    fn name_of_value(&mut self, value: &Value) -> Result<Value> {
        match self.force_deep(value) {
            // Some part has no value. The others still have names, so that values that differ in
            // them keep different names.
            Err(problem) if self.work.is_lasting(&problem) => {
                let parts = match value {
                    Value::Tuple(parts) => parts.to_vec(),
                    Value::Sequence(sequence) => self.sequence_items(sequence)?,
                    _ => return Err(problem),
                };
                self.name_of_parts(&parts)
            }
            result => result,
        }
    }

    fn name_of_parts(&mut self, parts: &[Lazy]) -> Result<Value> {
        let mut names = Vec::with_capacity(parts.len());
        for part in parts {
            names.push(self.name_of(part)?);
        }
        let key = NameKey::Parts(names.into());
        Ok(Value::Code(self.names.code.intern(key)))
    }

    fn name_of_thunk(&mut self, thunk: &Thunk) -> Result<Value> {
        let Some((expression, environment)) = thunk.expression() else {
            let value = self.force_thunk(thunk)?;
            return self.name_of_value(&value);
        };
        // Recursion makes a new thunk for every round, so it is noticed by the expression. An
        // expression that is open need not depend on itself: it may be another round that ends.
        let is_deep = self.names.code.is_deep();
        if !is_deep && !self.names.code.is_open(expression) {
            let evaluated = self.evaluated_for_name(thunk, expression);
            return self.or_code(evaluated, thunk, expression, &environment);
        }
        // The value may depend on itself.
        let Some(code) = self.code_of(expression, &environment)? else {
            let value = self.force_thunk(thunk)?;
            return self.name_of_value(&value);
        };
        if let Some(known) = self.names.code.known(code) {
            return Ok(known.clone());
        }
        // Equal code that is met while this one is being evaluated gets the number, so a name that
        // contains itself is finite.
        let names = &mut self.names.code;
        names.set_known(code, Some(Value::Code(code)));
        if is_deep {
            return Ok(Value::Code(code));
        }
        let evaluated = self.evaluated_for_name(thunk, expression);
        let name = self.or_code(evaluated, thunk, expression, &environment);
        // A failure is no name: a limit may have ended the evaluation.
        let known = name.as_ref().ok().cloned();
        self.names.code.set_known(code, known);
        name
    }

    /// The value of `thunk` in full.
    fn evaluated_for_name(&mut self, thunk: &Thunk, expression: ExprId) -> Result<Value> {
        self.names.code.open(expression);
        let value = self
            .force_thunk(thunk)
            .and_then(|value| self.force_deep(&value));
        self.names.code.close();
        value
    }

    /// The value of `evaluated`. If a mistake in the script prevents it, the code of the
    /// expression, which stands for it from now on.
    fn or_code(
        &mut self,
        evaluated: Result<Value>,
        thunk: &Thunk,
        expression: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<Value> {
        let problem = match evaluated {
            Err(problem) if self.work.is_mistake(&problem) => problem,
            evaluated => return evaluated,
        };
        let Some(code) = self.code_of(expression, environment)? else {
            return Err(problem);
        };
        thunk.set_code(code);
        Ok(Value::Code(code))
    }

    /// The name of an expression with the values it captures; `None` if these are not known.
    fn code_of(&mut self, expression: ExprId, environment: &Rc<Frame>) -> Result<Option<NameId>> {
        let script = self.script;
        let values = match script.resolved.free_of_argument.get(&expression) {
            Some(free) => self.deeper(|e| e.names_at(free, environment))?,
            // Resolution lists nothing for what stands at the top level, where nothing is free.
            None if Rc::ptr_eq(environment, self.declared.top()) => Vec::new(),
            None => return Ok(None),
        };
        let key = NameKey::Expression(expression, values.into());
        Ok(Some(self.names.code.intern(key)))
    }

    /// The names of the variables at these places.
    pub(super) fn names_at(
        &mut self,
        places: &[Place],
        environment: &Rc<Frame>,
    ) -> Result<Vec<Value>> {
        let mut names = Vec::with_capacity(places.len());
        for place in places {
            let frame = Rc::clone(environment.ancestor(place.up));
            names.push(self.name_of_slot(&frame, place.slot)?);
        }
        Ok(names)
    }

    /// Fills the identity of a closure.
    pub(super) fn identify(&mut self, closure: &Closure) -> Result<()> {
        if closure.identity.get().is_some() {
            return Ok(());
        }
        let mut values = self.free_values(closure.code, &closure.environment)?;
        for argument in closure.groups.iter().flatten() {
            values.push(self.name_of(argument)?);
        }
        let key = NameKey::Function(closure.code, values.into());
        let _ = closure.identity.set(self.names.code.intern(key));
        Ok(())
    }
}
