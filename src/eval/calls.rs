//! Makes and unfolds named calls. `call_table.rs` says which calls are equal.

use std::rc::Rc;

use super::call_table::{CallBody, CallKey, CalledCode};
use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::value::{Code, Lazy, Value};
use base::cancel::Cancellation;
use base::diag::Result;
use base::source::Span;
use base::threads::Threads;
use process::event::EventId;
use process::term::{CallId, Definitions, RowSink, Term, TermId, Terms};
use syntax::ast::{Declaration, DeclarationId, ExprId, Pattern, PatternId};
use types::resolved::{Place, Reference};

impl<'s> Evaluator<'s> {
    /// The call by name of a constant that is a process.
    pub(super) fn call_constant(&mut self, id: DeclarationId, frame: &Rc<Frame>) -> Result<TermId> {
        let values = self.free_values_of_definition(id, frame)?;
        Ok(self.intern_call(CalledCode::Constant(id), values, frame, Vec::new()))
    }

    /// The call by name of a function that yields a process. `groups` are all its arguments.
    pub(super) fn call_function(
        &mut self,
        id: DeclarationId,
        environment: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> Result<TermId> {
        // The free variables stand first: `call_name` cuts the arguments off the end.
        let mut values = self.free_values(Code::Function(id), environment)?;
        let mut forced_groups = Vec::with_capacity(groups.len());
        for group in &groups {
            let mut forced = Vec::with_capacity(group.len());
            for argument in group {
                let (name, argument) = self.named_argument(argument)?;
                values.push(name);
                forced.push(argument);
            }
            forced_groups.push(forced);
        }
        Ok(self.intern_call(CalledCode::Function(id), values, environment, forced_groups))
    }

    /// The call of the continuation of a prefix, which is evaluated when the prefix has happened.
    pub(super) fn call_continuation(
        &mut self,
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let values = self.names_at(self.free_of(body), environment)?;
        Ok(self.intern_call(
            CalledCode::Continuation(body),
            values,
            environment,
            Vec::new(),
        ))
    }

    /// The process that a name stands for. An argument whose expression is already being evaluated
    /// may depend on itself, as in `loop(f) = f(loop(f))`: it becomes a call by that expression.
    pub(super) fn process_of_name(
        &mut self,
        name: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let Some((argument, frame)) = self.waiting_argument(name, environment) else {
            return self.process_of_value(name, environment);
        };
        // The mark is one of the expression, not of the thunk: recursion makes a new thunk for
        // every round, and only the expression shows that the round before is still going on.
        if self.calls.arguments.insert(argument) {
            let process = self.process_of_value(name, environment);
            self.calls.arguments.remove(&argument);
            return process;
        }
        let script = self.script;
        match script.resolved.free_of_argument.get(&argument) {
            Some(free) => {
                let values = self.names_at(free, &frame)?;
                Ok(self.intern_call(CalledCode::Argument(argument), values, &frame, Vec::new()))
            }
            None => self.process_of_value(name, environment),
        }
    }

    /// The unevaluated expression that a name stands for, and the frame to evaluate it in.
    fn waiting_argument(
        &self,
        name: ExprId,
        environment: &Rc<Frame>,
    ) -> Option<(ExprId, Rc<Frame>)> {
        let &Reference::Local { place, .. } = self.reference_of(name) else {
            return None;
        };
        match environment.ancestor(place.up).get(place.slot) {
            Slot::Lazy(Lazy::Thunk(thunk)) => thunk.expression(),
            _ => None,
        }
    }

    /// The call of `X = tock -> X [] term`.
    pub(super) fn call_waiting(&mut self, term: TermId, tock: EventId) -> TermId {
        let frame = Rc::clone(&self.frame);
        self.intern_call(
            CalledCode::Waiting(term, tock),
            Vec::new(),
            &frame,
            Vec::new(),
        )
    }

    /// The call of `X = term ; X`.
    pub(super) fn call_loop(&mut self, term: TermId) -> TermId {
        let frame = Rc::clone(&self.frame);
        self.intern_call(CalledCode::Loop(term), Vec::new(), &frame, Vec::new())
    }

    pub(super) fn intern_call(
        &mut self,
        callee: CalledCode,
        values: Vec<Value>,
        frame: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> TermId {
        let call = self.calls.keys.intern(CallKey {
            callee,
            values: values.into(),
        });
        if self.calls.bodies.len() < self.calls.keys.len() {
            // The frame of the first of equal calls serves all: no difference matters.
            self.calls
                .bodies
                .push(CallBody::Folded(Rc::clone(frame), groups));
        }
        self.terms.intern(Term::Call(call))
    }

    /// The values of the free variables of `code`, which stands in `environment`.
    pub(super) fn free_values(
        &mut self,
        code: Code,
        environment: &Rc<Frame>,
    ) -> Result<Vec<Value>> {
        match code {
            Code::Function(id) => self.free_values_of_definition(id, environment),
            Code::Lambda(id) => self.names_at(self.free_of(id), environment),
        }
    }

    /// The free variables of a lambda, or of the continuation of a prefix.
    pub(super) fn free_of(&self, expression: ExprId) -> &'s [Place] {
        let free = self.script.resolved.free.get(&expression);
        free.map_or(&[], Vec::as_slice)
    }

    fn free_values_of_definition(
        &mut self,
        id: DeclarationId,
        frame: &Rc<Frame>,
    ) -> Result<Vec<Value>> {
        let free = self.script.resolved.free_of_definition.get(&id);
        self.names_at(free.map_or(&[], Vec::as_slice), frame)
    }

    fn unfold(
        &mut self,
        callee: CalledCode,
        frame: &Rc<Frame>,
        groups: &[Vec<Lazy>],
        call: CallId,
    ) -> Result<TermId> {
        match callee {
            CalledCode::Constant(id) => match self.ast().declaration(id) {
                Declaration::Pattern(_, body) => self.process(*body, frame),
                _ => unreachable!("constants are declared by patterns"),
            },
            CalledCode::Function(id) => {
                self.place = self.ast().declarations[id].span;
                let (body, frame) = self.enter(Code::Function(id), frame, groups)?;
                self.process(body, &frame)
            }
            CalledCode::Continuation(body) | CalledCode::Argument(body) => {
                self.process(body, frame)
            }
            // The call leads to a term that holds the call itself: that is how the recursion
            // closes.
            CalledCode::Waiting(term, tock) => {
                let again = self.terms.intern(Term::Call(call));
                let wait = self.terms.prefix(vec![(tock, again)]);
                Ok(self.terms.external_choice(vec![term, wait]))
            }
            CalledCode::Loop(term) => {
                let again = self.terms.intern(Term::Call(call));
                Ok(self.terms.sequential(vec![term, again]))
            }
        }
    }

    fn callee_name(&self, callee: CalledCode) -> String {
        match callee {
            CalledCode::Constant(id) => match self.ast().declaration(id) {
                Declaration::Pattern(pattern, _) => self.pattern_text(*pattern),
                _ => unreachable!("constants are declared by patterns"),
            },
            CalledCode::Function(id) => self.function_name(id).to_string(),
            CalledCode::Continuation(body) | CalledCode::Argument(body) => {
                self.excerpt(self.ast().expressions[body].span)
            }
            CalledCode::Waiting(term, _) | CalledCode::Loop(term) => {
                self.show_known(&Value::Process(term))
            }
        }
    }

    fn pattern_text(&self, pattern: PatternId) -> String {
        match self.ast().pattern(pattern) {
            Pattern::Name(path) => self.symbol(path.last().symbol).to_string(),
            _ => self.excerpt(self.ast().patterns[pattern].span),
        }
    }

    /// The source text at `span` in one short line.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let text: Vec<&str> = self.script.sources.text(span).split_whitespace().collect();
        let text = text.join(" ");
        if text.chars().count() <= 40 {
            return text;
        }
        text.chars().take(37).chain("...".chars()).collect()
    }
}

impl Definitions for Evaluator<'_> {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn body(&mut self, call: CallId) -> Result<TermId> {
        // Both are cloned, because unfolding may make new calls and so change the table.
        let (frame, groups) = match &self.calls.bodies[call.0 as usize] {
            CallBody::Unfolded(term) => return Ok(*term),
            CallBody::Folded(frame, groups) => (Rc::clone(frame), groups.clone()),
        };
        let callee = self.calls.keys[call].callee;
        let term = self.deeper(|e| e.unfold(callee, &frame, &groups, call))?;
        // From now on frame and arguments are not needed, and are freed. A call that failed stays
        // folded, and says the same when it is unfolded again.
        self.calls.bodies[call.0 as usize] = CallBody::Unfolded(term);
        Ok(term)
    }

    fn is_sequential_loop(&mut self, call: CallId) -> bool {
        self.is_loop_with_code(call)
    }

    fn list(&mut self, term: TermId, threads: &Threads, sink: RowSink<'_>) -> Result<bool> {
        self.list_from_code(term, threads, sink)
    }

    fn is_piece(&self, call: CallId) -> bool {
        let callee = self.calls.keys[call].callee;
        matches!(
            callee,
            CalledCode::Continuation(_) | CalledCode::Argument(_)
        )
    }

    fn call_name(&self, call: CallId) -> String {
        let key = &self.calls.keys[call];
        let name = self.callee_name(key.callee);
        let CalledCode::Function(id) = key.callee else {
            return name;
        };
        let mut arguments = &key.values[..];
        let counts: Vec<usize> = self.clauses(id)[0].groups.iter().map(Vec::len).collect();
        // The values before the arguments are free variables, which are no part of the name.
        arguments = &arguments[arguments.len() - counts.iter().sum::<usize>()..];
        let mut text = name;
        for count in counts {
            let (group, rest) = arguments.split_at(count);
            arguments = rest;
            let shown: Vec<String> = group.iter().map(|value| self.show(value)).collect();
            text.push_str(&format!("({})", shown.join(", ")));
        }
        text
    }

    fn definition_name(&self, call: CallId) -> String {
        self.callee_name(self.calls.keys[call].callee)
    }

    fn call_span(&self, call: CallId) -> Option<Span> {
        match self.calls.keys[call].callee {
            CalledCode::Constant(id) | CalledCode::Function(id) => {
                Some(self.ast().declarations[id].span)
            }
            CalledCode::Continuation(body) | CalledCode::Argument(body) => {
                Some(self.ast().expressions[body].span)
            }
            CalledCode::Waiting(..) | CalledCode::Loop(_) => None,
        }
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }
}
