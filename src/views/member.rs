//! Specifications that are decided one member at a time: `|| d : D @ [B(d)] Q(d)`.
//!
//! Such a process refuses a trace if and only if for some d the events of B(d) in it are no trace
//! of Q(d), or one of its events is in no B(d). So the views follow one member, which may be any:
//! one server is in the state of Q(d), and another one remembers d.

use std::rc::Rc;

use super::comparison::Comparison;
use super::frames::let_frame;
use super::interpreter::Interpreter;
use super::tree::{FamilyStructure, ProcessPlace, StructureNode};
use super::value::{
    Frames, Id, Local, LocalCode, OutOfSight, PartialFrame, PartialSlot, PartialValue, SetValue,
};
use base::diag::Result;
use base::order::ascending;
use eval::ResolvedScript;
use syntax::ast::{Expr, ExprId, ReplicatedOp, Statement};

/// A parallel composition of members, each with its alphabet.
pub(super) struct ParallelOfMembers<'s> {
    /// The composition.
    pub(super) expression: ExprId,
    statements: &'s [Statement],
    alphabet: ExprId,
    body: ExprId,
    /// The place in the script.
    environment: Frames,
}

/// The beginnings of one member.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct OneMember {
    /// The local state that remembers which member it is.
    pub(super) named: Local,
    /// The states in which its process may begin.
    pub(super) states: Vec<Local>,
}

impl OneMember {
    /// The composition of which this is a member.
    pub(super) fn parallel(&self) -> Option<ExprId> {
        match self.named.code {
            LocalCode::Member(parallel) => Some(parallel),
            _ => None,
        }
    }
}

/// The parallel composition that is the specification of a scene, with the alphabets of members
/// that certainly exist.
pub(super) struct KnownMembers<'s> {
    parallel: ParallelOfMembers<'s>,
    alphabets: Vec<Rc<SetValue>>,
}

/// An environment for one member, and true if such a member certainly exists.
type Possible = (Frames, bool);

impl<'s> Interpreter<'s> {
    /// The parallel composition of members that `expression` is, behind names, brackets, `let` and
    /// conditions that can be decided. `None` if it is no such composition.
    pub(super) fn parallel_of_members(
        &mut self,
        expression: ExprId,
        environment: &Frames,
    ) -> Result<Option<ParallelOfMembers<'s>>> {
        self.deeper(|e| {
            e.place.go_to(e.ast().expressions[expression].span);
            e.untimed(expression)?;
            match e.ast().expr(expression) {
                Expr::Parenthesised(inner) => e.parallel_of_members(*inner, environment),
                Expr::Let(declarations, body) => {
                    let frame = let_frame(e.script, expression, declarations, environment);
                    e.parallel_of_members(*body, &frame)
                }
                Expr::Name(_) | Expr::Apply(..) => match e.evaluate(expression, environment)? {
                    PartialValue::Process(local)
                        if !matches!(local.code, LocalCode::Builtin(_)) =>
                    {
                        let (body, frame) = e.opened(&local)?;
                        e.parallel_of_members(body, &frame)
                    }
                    _ => Ok(None),
                },
                Expr::Replicated(
                    ReplicatedOp::AlphabetisedParallel(alphabet),
                    statements,
                    body,
                ) => Ok(Some(ParallelOfMembers {
                    expression,
                    statements,
                    alphabet: *alphabet,
                    body: *body,
                    environment: Rc::clone(environment),
                })),
                _ => Ok(None),
            }
        })
    }

    /// All possible members, with their beginnings.
    pub(super) fn members_of(
        &mut self,
        parallel: &ParallelOfMembers<'s>,
    ) -> Result<Vec<OneMember>> {
        let mut all = Vec::new();
        for (frame, _) in self.possible(parallel)? {
            let code = LocalCode::Member(parallel.expression);
            let values = parallel.values(&frame);
            let named = self.met.state((code, &frame), values, &self.place)?;
            let mut states = Vec::new();
            self.runs(|e| {
                states.extend(e.beginnings_of(parallel.body, &frame)?);
                Ok(())
            })?;
            let states = ascending(states);
            all.push(OneMember { named, states });
        }
        match all.is_empty() {
            true => Err(self.refused("a parallel composition over nobody is not followed")),
            false => Ok(ascending(all)),
        }
    }

    /// The states in which the process of a member may begin.
    fn beginnings_of(&mut self, body: ExprId, frame: &Frames) -> Result<Vec<Local>> {
        let mut alone = FamilyStructure::default();
        match self.node(body, frame, None, &mut alone)? {
            StructureNode::Leaf(ProcessPlace::Server(0)) => Ok(alone.servers.swap_remove(0)),
            _ => Err(self.refused(
                "in the specification a component of a parallel composition is composed itself",
            )),
        }
    }

    /// The composition with the alphabets of its members, which tell the events that are in no
    /// alphabet.
    pub(super) fn known_members(
        &mut self,
        parallel: ParallelOfMembers<'s>,
    ) -> Result<KnownMembers<'s>> {
        let mut alphabets = Vec::new();
        for (frame, is_certain) in self.possible(&parallel)? {
            if !is_certain {
                continue;
            }
            let mut certain = None;
            self.runs(|e| {
                let alphabet = e.set(parallel.alphabet, &frame)?;
                let is_certain = e.oracle.is_certain();
                certain = is_certain.then_some(alphabet);
                Ok(())
            })?;
            alphabets.extend(certain);
        }
        Ok(KnownMembers {
            parallel,
            alphabets,
        })
    }

    /// The environments of all possible members, whatever is out of sight.
    fn possible(&mut self, parallel: &ParallelOfMembers<'s>) -> Result<Vec<Possible>> {
        let mut found = vec![(Rc::clone(&parallel.environment), true)];
        for statement in parallel.statements {
            let mut next: Vec<Possible> = Vec::new();
            for (frame, is_certain) in &found {
                self.runs(|e| {
                    let chosen = e.chosen_by(statement, frame)?;
                    let is_certain = *is_certain && e.oracle.is_certain();
                    next.extend(
                        chosen
                            .into_iter()
                            .map(|(f, exists)| (f, exists && is_certain)),
                    );
                    Ok(())
                })?;
            }
            if next.len() > MOST_MEMBERS {
                return Err(self.refused("the specification has too many components"));
            }
            found = next;
        }
        Ok(found)
    }

    /// The environments to which a statement leads from `frame`, for one member: each identity in
    /// sight, and one out of sight.
    fn chosen_by(&mut self, statement: &'s Statement, frame: &Frames) -> Result<Vec<Possible>> {
        let (pattern, set) = match statement {
            Statement::Predicate(predicate) => {
                let holds = self.truth(*predicate, frame)?;
                return Ok(Vec::from_iter(holds.then(|| (Rc::clone(frame), true))));
            }
            Statement::Generator(pattern, set) => (*pattern, self.set(*set, frame)?),
        };
        let SetValue::Listed(ids, items) = &*set else {
            return Err(
                self.refused("a parallel composition over events is not followed for all sizes")
            );
        };
        if items.iter().any(PartialValue::holds_ids) {
            return Err(self.refused(
                "a parallel composition over values with identities in them is not followed for all sizes",
            ));
        }
        let seen = ids.seen().map(|id| (PartialValue::Id(id), true));
        let mut members: Vec<(PartialValue, bool)> = seen.collect();
        if ids.rest != OutOfSight::None {
            members.push((PartialValue::Id(Id::Other), ids.rest == OutOfSight::All));
        }
        members.extend(items.iter().map(|item| (item.clone(), true)));
        let mut found = Vec::new();
        for (member, exists) in members {
            let inner = self.bound(&[pattern], &[member], frame)?;
            found.extend(inner.map(|inner| (inner, exists)));
        }
        Ok(found)
    }
}

/// The largest number of kinds of members that are looked at.
const MOST_MEMBERS: usize = 10_000;

impl ParallelOfMembers<'_> {
    /// True if its members are those of one set.
    pub(super) fn has_one_generator(&self) -> bool {
        matches!(self.statements, [Statement::Generator(..)])
    }

    /// The values that the statements bind in `frame`, from the outermost one inwards.
    fn values(&self, frame: &Frames) -> Vec<PartialValue> {
        let mut frames = Vec::new();
        let mut at = Some(frame);
        while let Some(frame) = at.filter(|at| !Rc::ptr_eq(at, &self.environment)) {
            frames.push(frame);
            at = frame.parent.as_ref();
        }
        let mut values = Vec::new();
        for frame in frames.into_iter().rev() {
            let slots = frame.slots.borrow();
            values.extend(slots.iter().filter_map(|slot| match slot {
                PartialSlot::Value(value) => Some(value.clone()),
                _ => None,
            }));
        }
        values
    }
}

impl<'s> KnownMembers<'s> {
    /// True if `event` is certainly in the alphabet of some member.
    pub(super) fn is_in_some(
        &self,
        event: &PartialValue,
        values: &mut Comparison<'_, 's>,
    ) -> Result<bool> {
        for alphabet in &self.alphabets {
            if values.contains(alphabet, event)? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Two answers about `event` and the alphabet of the member `named`: true if it may be in it,
    /// and true if it may not be in it.
    pub(super) fn alphabet_has(
        &self,
        interpreter: &mut Interpreter<'s>,
        named: &Local,
        event: &PartialValue,
    ) -> Result<(bool, bool)> {
        let frame = self.environment(interpreter.script, named);
        let (mut may_be, mut may_not_be) = (false, false);
        interpreter.runs(|e| {
            let alphabet = e.set(self.parallel.alphabet, &frame)?;
            let known = e.comparison().contains(&alphabet, event)?;
            may_be |= known != Some(false);
            may_not_be |= known != Some(true);
            Ok(())
        })?;
        Ok((may_be, may_not_be))
    }

    /// The environment of the member `named`.
    fn environment(&self, script: &ResolvedScript, named: &Local) -> Frames {
        let mut frame = Rc::clone(&self.parallel.environment);
        let mut values = named.values.iter().cloned().map(PartialSlot::Value);
        for statement in self.parallel.statements {
            let Statement::Generator(pattern, _) = statement else {
                continue;
            };
            let size = script.resolved.variables.get(pattern);
            let slots = values.by_ref().take(size.map_or(0, |size| *size as usize));
            frame = PartialFrame::new(slots.collect(), Some(&frame));
        }
        frame
    }
}
