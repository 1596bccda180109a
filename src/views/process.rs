//! The offers of a state of a sequential process.
//!
//! For questions about traces, an internal choice offers the events of all its operands. For
//! deadlocks, or where there are priorities, it is answered like a test: each run has one of the
//! operands.

use std::rc::Rc;

use super::frames::{let_frame, rebuilt, some_of};
use super::guess::combinations;
use super::interpreter::Interpreter;
use super::pattern::no_constructor;
use super::value::{EveryIsOther, Frames, Local, LocalCode, PartialValue};
use base::diag::Result;
use base::order::ascending;
use syntax::ast::{
    Ast, Declaration, Expr, ExprId, Field, Pattern, PatternId, ProcessOp, ReplicatedOp,
};
use types::builtin::Builtin;

/// An event, and the state after it.
pub(super) type PartialOffer = (PartialValue, Local);

/// The offers of a process in one run, which answers each open test in one way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PartialRun {
    pub(super) offers: Vec<PartialOffer>,
    /// True if a test was answered for all identities out of sight at once although they may differ
    /// in it. Then the offers of this run are possible, but none is certain.
    pub(super) is_mixed: bool,
}

impl<'s> Interpreter<'s> {
    /// The offers of `local`, once for each way to answer the open tests.
    pub(super) fn offers(&mut self, local: &Local) -> Result<Vec<PartialRun>> {
        let mut runs = Vec::new();
        self.runs(|e| {
            let mut offers = Vec::new();
            e.unfold(local, &mut offers)?;
            // The answers may differ from one identity out of sight to another.
            if !e.oracle.is_certain() {
                for (event, _) in &mut offers {
                    *event = event.mapped(&EveryIsOther);
                }
            }
            runs.push(PartialRun {
                offers: ascending(offers),
                is_mixed: e.oracle.is_mixed(),
            });
            Ok(())
        })?;
        Ok(ascending(runs))
    }

    /// Runs `f` once for each list of answers.
    pub(super) fn runs(&mut self, mut f: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        for _ in 0..MOST_RUNS {
            self.oracle.unmix();
            f(self)?;
            if !self.oracle.next() {
                return Ok(());
            }
        }
        Err(self.refused("too much here depends on identities that are out of sight"))
    }

    fn unfold(&mut self, local: &Local, offers: &mut Vec<PartialOffer>) -> Result<()> {
        if local.code == LocalCode::Builtin(Builtin::Stop) {
            return Ok(());
        }
        let (body, frame) = self.opened(local)?;
        self.process(body, &frame, offers)
    }

    /// The code of a state that is no built-in process, and its frame.
    pub(super) fn opened(&mut self, local: &Local) -> Result<(ExprId, Frames)> {
        let Some(skeleton) = self.met.skeleton(local.code) else {
            return Err(
                self.refused("RUN and CHAOS are followed for all sizes in specifications only")
            );
        };
        let places = local.code.places(self.script);
        match local.code {
            LocalCode::Definition(id) => {
                let (free, mut arguments) = local.values.split_at(places.len());
                let frame = rebuilt(&skeleton, 0, &self.top, (places, free));
                self.place.go_to(self.ast().declarations[id].span);
                match self.ast().declaration(id) {
                    Declaration::Function(_, clauses) => {
                        let groups = clauses[0].groups.iter().map(|group| {
                            let (given, rest) = arguments.split_at(group.len());
                            arguments = rest;
                            given.to_vec()
                        });
                        let groups: Vec<Vec<PartialValue>> = groups.collect();
                        self.enter(clauses, &frame, &groups)
                    }
                    Declaration::Pattern(_, body) => Ok((*body, frame)),
                    _ => Err(self.refused("this is no process")),
                }
            }
            LocalCode::Continuation(body) => {
                let values = (places, &local.values[..]);
                Ok((body, rebuilt(&skeleton, 0, &self.top, values)))
            }
            LocalCode::Builtin(_) | LocalCode::Neighbours | LocalCode::Member(_) => {
                Err(self.refused("this process is not followed for all sizes"))
            }
        }
    }

    fn process(
        &mut self,
        expression: ExprId,
        environment: &Frames,
        offers: &mut Vec<PartialOffer>,
    ) -> Result<()> {
        self.deeper(|e| {
            e.place.go_to(e.ast().expressions[expression].span);
            e.untimed(expression)?;
            e.process_here(expression, environment, offers)
        })
    }

    fn process_here(
        &mut self,
        expression: ExprId,
        environment: &Frames,
        offers: &mut Vec<PartialOffer>,
    ) -> Result<()> {
        match self.ast().expr(expression) {
            Expr::Parenthesised(inner) => self.process(*inner, environment, offers),
            Expr::Prefix(channel, fields, body) => {
                self.prefix(*channel, fields, *body, environment, offers)
            }
            Expr::Guard(condition, _) if !self.truth(*condition, environment)? => Ok(()),
            Expr::Guard(_, body) => self.process(*body, environment, offers),
            Expr::If(condition, then, otherwise) => {
                let next = self.branch(*condition, (*then, *otherwise), environment)?;
                self.process(next, environment, offers)
            }
            Expr::Let(declarations, body) => {
                let frame = let_frame(self.script, expression, declarations, environment);
                self.process(*body, &frame, offers)
            }
            Expr::Process(
                op @ (ProcessOp::InternalChoice | ProcessOp::SlidingChoice),
                left,
                right,
            ) if self.resolves => self.chosen(*op, *left, *right, environment, offers),
            Expr::Process(
                ProcessOp::ExternalChoice | ProcessOp::InternalChoice | ProcessOp::SlidingChoice,
                left,
                right,
            ) => {
                self.process(*left, environment, offers)?;
                self.process(*right, environment, offers)
            }
            Expr::Replicated(ReplicatedOp::InternalChoice, statements, body) if self.resolves => {
                let frames = self.environments(statements, environment)?;
                self.chosen_among(&frames, *body, offers)
            }
            Expr::Replicated(
                ReplicatedOp::ExternalChoice | ReplicatedOp::InternalChoice,
                statements,
                body,
            ) => {
                for frame in self.environments(statements, environment)? {
                    self.process(*body, &frame, offers)?;
                }
                Ok(())
            }
            Expr::Name(_) | Expr::Apply(..) => {
                let local = self.process_value(expression, environment)?;
                self.unfold(&local, offers)
            }
            _ => Err(self.refused(
                "this operator is not followed for all sizes inside a sequential process",
            )),
        }
    }

    /// The offers of a process that chooses one of these environments itself: each answer takes the
    /// next environment or leaves it. An environment for all identities out of sight is chosen for
    /// one of them.
    fn chosen_among(
        &mut self,
        frames: &[Frames],
        body: ExprId,
        offers: &mut Vec<PartialOffer>,
    ) -> Result<()> {
        let Some((last, others)) = frames.split_last() else {
            // No instance has a choice among no environments, so the offers of this run are not
            // certain.
            self.oracle.mix(true);
            return Ok(());
        };
        let mut taken = last;
        for frame in others {
            if self.oracle.answer() {
                taken = frame;
                break;
            }
        }
        let taken = some_of(taken, &self.top);
        self.process(body, &taken, offers)
    }

    /// The offers of a process that chooses by itself: the choice is answered like a test.
    fn chosen(
        &mut self,
        op: ProcessOp,
        left: ExprId,
        right: ExprId,
        environment: &Frames,
        offers: &mut Vec<PartialOffer>,
    ) -> Result<()> {
        let is_left = self.oracle.answer();
        if is_left {
            self.process(left, environment, offers)?;
        }
        // `P [> Q` offers what P does until it comes to rest as Q.
        match is_left && op == ProcessOp::InternalChoice {
            true => Ok(()),
            false => self.process(right, environment, offers),
        }
    }

    fn prefix(
        &mut self,
        channel: ExprId,
        fields: &'s [Field],
        body: ExprId,
        environment: &Frames,
        offers: &mut Vec<PartialOffer>,
    ) -> Result<()> {
        let start = self.evaluate(channel, environment)?;
        let mut branches = vec![(start, Rc::clone(environment))];
        for (number, field) in fields.iter().enumerate() {
            let is_last = number + 1 == fields.len();
            let mut next = Vec::new();
            for (start, frame) in branches {
                self.extend(start, &frame, field, is_last, &mut next)?;
            }
            branches = next;
        }
        for (event, frame) in branches {
            if !self.is_event(&event)? {
                return Err(self.refused("this event is not complete"));
            }
            let event = match self.identities.are_counted() {
                true => self.with_identities(event)?,
                false => event,
            };
            let then = self.continuation(body, &frame)?;
            offers.push((event, then));
        }
        Ok(())
    }

    fn is_event(&mut self, event: &PartialValue) -> Result<bool> {
        let Some((id, number, given)) = event.head() else {
            return Ok(false);
        };
        let fields = self.fields(id, number)?;
        if self.identities.parameter.has_constant_in(event) {
            return Err(self.place.named_identity());
        }
        if event.holds_sets_of_ids() {
            return Err(self.refused("an event has a set of identities"));
        }
        if let PartialValue::Dot(parts) = event {
            for (field, part) in fields.iter().zip(&parts[1..]) {
                // A number in a field of identities would name one of them.
                if self.comparison().contains(field, part)? == Some(false) {
                    return Err(self.place.named_identity());
                }
            }
        }
        Ok(fields.len() == given)
    }

    /// All events that `field` can make from `start`.
    fn extend(
        &mut self,
        start: PartialValue,
        frame: &Frames,
        field: &'s Field,
        is_last: bool,
        branches: &mut Vec<(PartialValue, Frames)>,
    ) -> Result<()> {
        let (pattern, members) = match field {
            Field::Output(output) => {
                let value = self.evaluate(*output, frame)?;
                branches.push((self.dot(vec![start, value])?, Rc::clone(frame)));
                return Ok(());
            }
            Field::Nondeterministic(..) if self.resolves => {
                return Err(self.refused(
                    "a choice that is made by itself among several is not followed for deadlocks",
                ));
            }
            Field::Input(pattern, Some(set)) | Field::Nondeterministic(pattern, Some(set)) => {
                let set = self.set(*set, frame)?;
                (*pattern, self.members(&set)?)
            }
            Field::Input(pattern, None) | Field::Nondeterministic(pattern, None) => {
                (*pattern, self.inputs(&start, *pattern, is_last)?)
            }
        };
        for member in members {
            if let Some(inner) = self.bound(&[pattern], std::slice::from_ref(&member), frame)? {
                branches.push((self.dot(vec![start.clone(), member])?, inner));
            }
        }
        Ok(())
    }

    /// The values of an input without a set: one field for each part of its pattern, and all fields
    /// that are left for a variable at the end.
    fn inputs(
        &mut self,
        start: &PartialValue,
        pattern: PatternId,
        is_last: bool,
    ) -> Result<Vec<PartialValue>> {
        let left = self.fields_after(start)?;
        let pattern = self.ast().unbracketed_pattern(pattern);
        let wanted = match self.ast().pattern(pattern) {
            Pattern::Dot(parts) => {
                for part in parts {
                    no_constructor(self.script, *part, &self.place)?;
                }
                parts.len()
            }
            Pattern::Name(_) if is_last => left.len(),
            _ => 1,
        };
        let members = left.iter().take(wanted).map(|field| self.members(field));
        let members: Vec<_> = members.collect::<Result<_>>()?;
        let found = combinations(members.into_iter()).into_iter();
        Ok(found.map(PartialValue::dotted).collect())
    }

    /// The state after a prefix.
    fn continuation(&mut self, body: ExprId, environment: &Frames) -> Result<Local> {
        if ends_in_calls(self.ast(), body) {
            return self.called(body, environment);
        }
        let code = LocalCode::Continuation(body);
        let values = self.values_at(code.places(self.script), environment)?;
        self.met.state((code, environment), values, &self.place)
    }

    /// The call that a call or a conditional of calls leads to. Conditions are decided at once, so
    /// that the state does not remember their values.
    fn called(&mut self, expression: ExprId, environment: &Frames) -> Result<Local> {
        let expression = self.ast().unbracketed(expression);
        if let Expr::If(condition, then, otherwise) = self.ast().expr(expression) {
            let next = self.branch(*condition, (*then, *otherwise), environment)?;
            return self.called(next, environment);
        }
        self.process_value(expression, environment)
    }
}

/// True if an expression is a call, or a conditional of calls.
fn ends_in_calls(ast: &Ast, expression: ExprId) -> bool {
    match ast.expr(ast.unbracketed(expression)) {
        Expr::Name(_) | Expr::Apply(..) => true,
        Expr::If(_, then, otherwise) => ends_in_calls(ast, *then) && ends_in_calls(ast, *otherwise),
        _ => false,
    }
}

/// The largest number of ways in which open tests are answered.
const MOST_RUNS: usize = 4096;
