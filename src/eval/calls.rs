//! Makes and unfolds named calls. `call_table.rs` says which calls are equal.

use std::rc::Rc;

use super::call_table::{CallBody, CallKey, CalledCode};
use super::environment::Frame;
use super::evaluator::Evaluator;
use super::listing::{is_loop_with_code, list_from_code};
use super::value::{Code, Lazy, Value};
use base::cancel::Cancellation;
use base::diag::Result;
use base::source::Span;
use base::threads::Threads;
use process::event::EventId;
use process::listing::{EndedListing, ListingEnd, RowSink};
use process::term::{CallId, Definitions, Term, TermId, Terms};
use syntax::ast::{Declaration, DeclarationId, ExprId};

impl Evaluator<'_> {
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
        let values = self.names_at(self.script.free_of(body), environment)?;
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
        let Some((argument, frame)) = self.script.waiting_argument(name, environment) else {
            return self.process_of_value(name, environment);
        };
        // The mark is one of the expression, not of the thunk: recursion makes a new thunk for
        // every round, and only the expression shows that the round before is still going on.
        if self.names.calls.begin_argument(argument) {
            let process = self.process_of_value(name, environment);
            self.names.calls.end_argument(argument);
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

    /// The call of `X = tock -> X [] term`.
    pub(super) fn call_waiting(&mut self, term: TermId, tock: EventId) -> TermId {
        let frame = self.top();
        self.intern_call(
            CalledCode::Waiting(term, tock),
            Vec::new(),
            &frame,
            Vec::new(),
        )
    }

    /// The call of `X = term ; X`.
    pub(super) fn call_loop(&mut self, term: TermId) -> TermId {
        let frame = self.top();
        self.intern_call(CalledCode::Loop(term), Vec::new(), &frame, Vec::new())
    }

    pub(super) fn intern_call(
        &mut self,
        callee: CalledCode,
        values: Vec<Value>,
        frame: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> TermId {
        let values = values.into();
        let key = CallKey { callee, values };
        let call = self.names.calls.intern(key, frame, groups);
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
            Code::Lambda(id) => self.names_at(self.script.free_of(id), environment),
        }
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
            CalledCode::Constant(id) => match self.script.ast.declaration(id) {
                Declaration::Pattern(_, body) => self.process(*body, frame),
                _ => unreachable!("constants are declared by patterns"),
            },
            CalledCode::Function(id) => {
                self.work.go_to(self.script.ast.declarations[id].span);
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
        let (frame, groups) = match self.names.calls.body(call) {
            CallBody::Unfolded(term) => return Ok(*term),
            CallBody::Image(origin, permutation) => {
                let (origin, permutation) = (*origin, Rc::clone(permutation));
                let term = self.deeper(|e| e.body_of_image(origin, &permutation))?;
                self.names.calls.unfolded(call, term);
                return Ok(term);
            }
            CallBody::Folded(frame, groups) => (Rc::clone(frame), groups.clone()),
        };
        let callee = self.names.calls.callee(call);
        let term = self.deeper(|e| e.unfold(callee, &frame, &groups, call))?;
        self.check_atoms()?;
        // A call that failed stays folded, and says the same when it is unfolded again.
        self.names.calls.unfolded(call, term);
        Ok(term)
    }

    fn is_sequential_loop(&mut self, call: CallId) -> bool {
        // The code for listing knows no atoms.
        self.declared.atoms.types.is_empty()
            && is_loop_with_code(self.script, &self.names.calls, &mut self.code_table, call)
    }

    fn list(
        &mut self,
        term: TermId,
        from: Option<EndedListing>,
        threads: &Threads,
        sink: &mut dyn RowSink,
    ) -> Result<ListingEnd> {
        match self.declared.atoms.types.is_empty() {
            true => list_from_code(self, (term, from), threads, sink),
            false => Ok(ListingEnd::Impossible),
        }
    }

    fn has_orbits(&self) -> bool {
        !self.declared.atoms.types.is_empty()
    }

    fn represent(&mut self, terms: &mut Vec<TermId>) -> Result<usize> {
        self.replace_by_representative(terms)
    }

    fn limit_choices(&mut self, most: usize) {
        self.work.limit_choices(most);
    }

    fn is_piece(&self, call: CallId) -> bool {
        let callee = self.names.calls.callee(call);
        matches!(
            callee,
            CalledCode::Continuation(_) | CalledCode::Argument(_)
        )
    }

    fn call_name(&self, call: CallId) -> String {
        self.text().call(call)
    }

    fn definition_name(&self, call: CallId) -> String {
        self.text().callee(self.names.calls.callee(call))
    }

    fn call_span(&self, call: CallId) -> Option<Span> {
        match self.names.calls.callee(call) {
            CalledCode::Constant(id) | CalledCode::Function(id) => {
                Some(self.script.ast.declarations[id].span)
            }
            CalledCode::Continuation(body) | CalledCode::Argument(body) => {
                Some(self.script.span(body))
            }
            CalledCode::Waiting(..) | CalledCode::Loop(_) => None,
        }
    }

    fn cancellation(&self) -> &Cancellation {
        self.work.cancellation()
    }
}
