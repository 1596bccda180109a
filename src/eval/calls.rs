//! Named calls: what makes two of them equal, and unfolding them.
//!
//! A call is a piece of the script (a definition, or the continuation of a prefix) with the values on
//! which it depends: its arguments and its free variables. Equal calls are the same node of the term,
//! whatever way led there; that is what makes the state space of a recursive process finite.

use std::rc::Rc;
use std::sync::Arc;

use super::environment::Frame;
use super::evaluator::Evaluator;
use super::value::{Code, Lazy, Value};
use crate::base::interner::Interner;
use crate::diag::Result;
use crate::process::event::EventId;
use crate::process::term::{CallId, Definitions, Term, TermId, Terms};
use crate::process::work::{Phase, Watcher};
use crate::source::Span;
use crate::syntax::ast::{DeclarationId, ExprId, Pattern};

/// All calls made so far.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) keys: Interner<CallId, CallKey>,
    /// By call.
    pub(super) bodies: Vec<Body>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CallKey {
    pub(super) callee: Callee,
    /// Free variables first, then the arguments of all groups.
    pub(super) values: Box<[Value]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Callee {
    Constant(DeclarationId),
    Function(DeclarationId),
    /// What follows a prefix.
    Continuation(ExprId),
    /// `X = tock -> X [] P`, for the timed sections.
    Waiting(TermId, EventId),
    /// `X = P ; X`
    Loop(TermId),
}

pub(super) enum Body {
    /// Not unfolded yet: where, and with which argument groups.
    Folded(Rc<Frame>, Vec<Vec<Lazy>>),
    Unfolded(TermId),
}

impl Evaluator<'_> {
    /// A constant that is a process, by name.
    pub(super) fn call_constant(&mut self, id: DeclarationId, frame: &Rc<Frame>) -> Result<TermId> {
        let values = self.free_values_of_definition(id, frame)?;
        Ok(self.intern_call(Callee::Constant(id), values, frame, Vec::new()))
    }

    /// A function that yields a process, by name; `groups` are all its arguments.
    pub(super) fn call_function(
        &mut self,
        id: DeclarationId,
        environment: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> Result<TermId> {
        let mut values = self.free_values(Code::Function(id), environment)?;
        let mut forced_groups = Vec::with_capacity(groups.len());
        for group in &groups {
            let mut forced = Vec::with_capacity(group.len());
            for argument in group {
                let value = self.force(argument)?;
                let value = self.force_deep(&value)?;
                values.push(value.clone());
                forced.push(Lazy::Value(value));
            }
            forced_groups.push(forced);
        }
        Ok(self.intern_call(Callee::Function(id), values, environment, forced_groups))
    }

    /// What follows a prefix, to be evaluated when the prefix has happened.
    pub(super) fn call_continuation(
        &mut self,
        body: ExprId,
        environment: &Rc<Frame>,
    ) -> Result<TermId> {
        let script = self.script;
        let free = script
            .resolved
            .free
            .get(&body)
            .map_or(&[][..], Vec::as_slice);
        let values = self.values_at(free, environment)?;
        Ok(self.intern_call(Callee::Continuation(body), values, environment, Vec::new()))
    }

    /// `X = tock -> X [] term`
    pub(super) fn call_waiting(&mut self, term: TermId, tock: EventId) -> TermId {
        let frame = Rc::clone(&self.frame);
        self.intern_call(Callee::Waiting(term, tock), Vec::new(), &frame, Vec::new())
    }

    /// `X = term ; X`
    pub(super) fn call_loop(&mut self, term: TermId) -> TermId {
        let frame = Rc::clone(&self.frame);
        self.intern_call(Callee::Loop(term), Vec::new(), &frame, Vec::new())
    }

    pub(super) fn intern_call(
        &mut self,
        callee: Callee,
        values: Vec<Value>,
        frame: &Rc<Frame>,
        groups: Vec<Vec<Lazy>>,
    ) -> TermId {
        let call = self.calls.keys.intern(CallKey {
            callee,
            values: values.into(),
        });
        if self.calls.bodies.len() < self.calls.keys.len() {
            // Of equal calls the first one's frame serves all: it differs in nothing that matters.
            self.calls
                .bodies
                .push(Body::Folded(Rc::clone(frame), groups));
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
            Code::Lambda(id) => {
                let script = self.script;
                let free = script.resolved.free.get(&id).map_or(&[][..], Vec::as_slice);
                self.values_at(free, environment)
            }
        }
    }

    fn free_values_of_definition(
        &mut self,
        id: DeclarationId,
        frame: &Rc<Frame>,
    ) -> Result<Vec<Value>> {
        let script = self.script;
        let free = script
            .resolved
            .free_of_definition
            .get(&id)
            .map_or(&[][..], Vec::as_slice);
        self.values_at(free, frame)
    }

    fn values_at(
        &mut self,
        places: &[crate::types::resolved::Place],
        environment: &Rc<Frame>,
    ) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(places.len());
        for place in places {
            let value = self.slot(&Rc::clone(environment.ancestor(place.up)), place.slot)?;
            values.push(self.force_deep(&value)?);
        }
        Ok(values)
    }

    fn unfold(
        &mut self,
        callee: Callee,
        frame: &Rc<Frame>,
        groups: &[Vec<Lazy>],
        call: CallId,
    ) -> Result<TermId> {
        match callee {
            Callee::Constant(id) => match self.ast().declaration(id) {
                crate::syntax::ast::Declaration::Pattern(_, body) => self.process(*body, frame),
                _ => unreachable!("constants are declared by patterns"),
            },
            Callee::Function(id) => {
                self.place = self.ast().declarations[id].span;
                let (body, frame) = self.enter(Code::Function(id), frame, groups)?;
                self.process(body, &frame)
            }
            Callee::Continuation(body) => self.process(body, frame),
            Callee::Waiting(term, tock) => {
                let again = self.terms.intern(Term::Call(call));
                let wait = self.terms.prefix(vec![(tock, again)]);
                Ok(self.terms.external_choice(vec![term, wait]))
            }
            Callee::Loop(term) => {
                let again = self.terms.intern(Term::Call(call));
                Ok(self.terms.sequential(vec![term, again]))
            }
        }
    }

    fn callee_name(&self, callee: Callee) -> String {
        match callee {
            Callee::Constant(id) => match self.ast().declaration(id) {
                crate::syntax::ast::Declaration::Pattern(pattern, _) => self.pattern_text(*pattern),
                _ => unreachable!("constants are declared by patterns"),
            },
            Callee::Function(id) => self.function_name(id).to_string(),
            Callee::Continuation(body) => self.excerpt(self.ast().expressions[body].span),
            Callee::Waiting(term, _) | Callee::Loop(term) => self.show_known(&Value::Process(term)),
        }
    }

    fn pattern_text(&self, pattern: crate::syntax::ast::PatternId) -> String {
        match self.ast().pattern(pattern) {
            Pattern::Name(path) => self.symbol(path.last().symbol).to_string(),
            _ => self.excerpt(self.ast().patterns[pattern].span),
        }
    }

    /// The source text at `span` in one short line.
    fn excerpt(&self, span: Span) -> String {
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
        let (frame, groups) = match &self.calls.bodies[call.0 as usize] {
            Body::Unfolded(term) => return Ok(*term),
            Body::Folded(frame, groups) => (Rc::clone(frame), groups.clone()),
        };
        let callee = self.calls.keys[call].callee;
        let term = match self.renamed_body(call) {
            Some(renamed) if !self.compares_renamed() => renamed,
            renamed => {
                let evaluated = self.deeper(|e| e.unfold(callee, &frame, &groups, call));
                if let Some(renamed) = renamed {
                    self.compare_renamed(call, renamed, evaluated.as_ref().ok().copied());
                }
                evaluated?
            }
        };
        self.calls.bodies[call.0 as usize] = Body::Unfolded(term);
        Ok(term)
    }

    fn call_name(&self, call: CallId) -> String {
        let key = &self.calls.keys[call];
        let name = self.callee_name(key.callee);
        let Callee::Function(id) = key.callee else {
            return name;
        };
        let mut arguments = &key.values[..];
        let counts: Vec<usize> = self.clauses(id)[0].groups.iter().map(Vec::len).collect();
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
            Callee::Constant(id) | Callee::Function(id) => Some(self.ast().declarations[id].span),
            Callee::Continuation(body) => Some(self.ast().expressions[body].span),
            Callee::Waiting(..) | Callee::Loop(_) => None,
        }
    }

    fn enter(&mut self, phase: Phase, name: &str) {
        self.begin(phase, name);
    }

    fn proceed(&mut self) -> Result<()> {
        self.count_step()
    }

    fn watcher(&self) -> Arc<dyn Watcher> {
        self.watcher.clone()
    }
}
