//! Walks through an instance and looks for each state among the views.
//!
//! The instance is evaluated by the evaluator of the script (`eval`) and stepped by the operational
//! rules of its terms (`process`): both are independent of views. Each view of each state that is
//! reached has to be covered by a known view. If all known views are met, no instance with more
//! identities has another view.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::arrangement::Arrangement;
use super::closure::{ClosedViews, chosen};
use super::guess::combinations;
use super::instance::InSight;
use super::parameter::IndexSetMembers;
use super::scene::{Built, LocalId};
use super::tree::{ProcessPlace, StructureNode};
use super::value::{Id, Local, LocalCode, PartialValue};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::order::ascending;
use eval::{Evaluator, PlainCall, PlainMember, PlainValue, ResolvedScript};
use process::event::{EventId, TAU};
use process::operator::Operator;
use process::semantics::Semantics;
use process::term::{Definitions, Term, TermId};
use syntax::ast::{Declaration, ExprId};
use types::builtin::Builtin;

/// An instance that is walked through.
#[derive(Clone, Copy)]
pub struct InstanceWalk<'i> {
    /// The script, in which the parameter has its value.
    pub script: &'i ResolvedScript,
    /// The specification, if there is one.
    pub specification: Option<ExprId>,
    /// The implementation.
    pub implementation: ExprId,
    /// The number of identities.
    pub identities: usize,
    /// The largest number of states that are looked at.
    pub most: usize,
}

/// The reason why an instance was not walked through to its end.
pub enum NotWalked {
    /// The instance has an unknown view, and so few identities that the views say nothing about it.
    TooSmall,
    /// The instance has more states than may be looked at, or states that cannot be compared.
    /// Instances with more identities are no different.
    GivenUp,
    /// Something failed.
    Failed(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for NotWalked {
    fn from(problem: Box<Diagnostic>) -> Self {
        NotWalked::Failed(problem)
    }
}

type Walked<T> = std::result::Result<T, NotWalked>;

/// A state: the implementation with the specification, if there is one.
type Pair = (TermId, Option<TermId>);

/// A walk that is going on.
struct InstanceWalker<'w, 's, 'i> {
    views: &'w mut ClosedViews<'s>,
    evaluator: Evaluator<'i>,
    semantics: Semantics,
    /// All identities of the instance.
    ids: Vec<PlainValue>,
    /// The places of the components: those of the implementation, then those of the specification.
    places: Vec<ProcessPlace>,
    /// The local states that views have.
    locals: Vec<LocalId>,
    calls: FxHashMap<TermId, Option<Vec<Component>>>,
    /// For each component and list of identities in sight, the local states that cover it.
    covering: FxHashMap<(TermId, SmallVec<[u8; 4]>), Vec<LocalId>>,
    met: FxHashSet<usize>,
    /// The members of the specification, if it is followed one member at a time.
    members: Vec<PlainMember>,
    /// The number of the followed member, and the place in a view that tells the member.
    member: Option<(usize, usize)>,
}

/// A sequential component.
#[derive(Clone, Debug)]
struct Component {
    term: TermId,
    /// The built-in process that it is equal to, if any: a call may do nothing, like STOP.
    builtin: Option<LocalCode>,
    /// Calls that stand for it, each the body of the call before.
    calls: Vec<PlainCall>,
}

impl<'s> ClosedViews<'s> {
    /// Walks through an instance. Returns the number of known views that it has. Fails if a state
    /// has an unknown view though the views should decide the instance: then they are wrong.
    pub fn walk(
        &mut self,
        walk: &InstanceWalk<'_>,
        token: &Cancellation,
    ) -> std::result::Result<usize, NotWalked> {
        // Views do not decide processes that terminate, so the reading of ✓ does not matter.
        let mut evaluator = Evaluator::new(walk.script, token.clone());
        let implementation = evaluator.process_of(walk.implementation)?;
        let mut semantics = Semantics::new();
        let arrangement = Arrangement::apart(walk.identities as u8, self.model.is_ring);
        let built = self.model.built(&arrangement)?;
        let (mut specification, mut members) = (None, Vec::new());
        match (walk.specification, built.members_of) {
            (Some(process), Some(parallel)) => {
                let mut head = |evaluator: &mut Evaluator<'_>| {
                    let process = evaluator.process_of(process)?;
                    semantics.head(evaluator, process)
                };
                members = evaluator.watching(parallel, &mut head)?.1;
            }
            (Some(process), None) => specification = Some(evaluator.process_of(process)?),
            (None, _) => {}
        }
        let start = (implementation, specification);
        let (places, named) = places(&built);
        let locals = ascending(self.known.keys().flat_map(|view| view.to_vec()));
        let ids = self.identities(walk.identities);
        let mut walker = InstanceWalker {
            views: self,
            evaluator,
            semantics,
            ids,
            places,
            locals,
            calls: FxHashMap::default(),
            covering: FxHashMap::default(),
            met: FxHashSet::default(),
            members,
            member: None,
        };
        walker.run_all(start, named, (walk.most, token))?;
        Ok(walker.met.len())
    }

    /// All identities of an instance.
    fn identities(&self, count: usize) -> Vec<PlainValue> {
        let interpreter = &self.model.scenes[0].interpreter;
        let parameter = &interpreter.identities.parameter;
        let ast = interpreter.ast();
        let members = parameter.index_set.map(|set| set.members);
        if let Some(IndexSetMembers::Constants(datatype)) = members
            && let Declaration::Datatype(_, constructors) = ast.declaration(datatype)
        {
            let names = constructors.iter().take(count);
            let name = |symbol| PlainValue::Head(ast.name(symbol).to_string());
            return names
                .map(|constructor| name(constructor.name.symbol))
                .collect();
        }
        let first = parameter.first_number().unwrap_or_default();
        (first..).take(count).map(PlainValue::Int).collect()
    }
}

/// The places of the components, from left to right, and the server that tells which member of the
/// specification is followed. That server is no component.
fn places(built: &Built) -> (Vec<ProcessPlace>, Option<usize>) {
    let mut places = Vec::new();
    built.implementation.collect(&mut places);
    match &built.specification {
        Some(StructureNode::Member(member)) => {
            places.push(ProcessPlace::Server(member.state));
            return (places, Some(member.named));
        }
        Some(specification) => specification.collect(&mut places),
        None => {}
    }
    (places, None)
}

impl InstanceWalker<'_, '_, '_> {
    /// Walks from `start`, once for each member of the specification if one is followed.
    fn run_all(
        &mut self,
        start: Pair,
        named: Option<usize>,
        (most, token): (usize, &Cancellation),
    ) -> Walked<()> {
        let Some(named) = named else {
            self.run(start, most, token)?;
            return Ok(());
        };
        let mut left = most;
        for number in 0..self.members.len() {
            self.member = Some((number, named));
            let start = (start.0, Some(self.members[number].process));
            left -= self.run(start, left, token)?;
        }
        Ok(())
    }

    /// Walks from `start`. Returns the number of states, at most `most`.
    fn run(&mut self, start: Pair, most: usize, token: &Cancellation) -> Walked<usize> {
        let mut known: FxHashSet<Pair> = [start].into_iter().collect();
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            token.step()?;
            if known.len() > most {
                return Err(NotWalked::GivenUp);
            }
            self.look_at(state)?;
            let next = self.next(state)?;
            open.extend(next.into_iter().filter(|next| known.insert(*next)));
        }
        Ok(known.len())
    }

    /// The successors of a state. Gives up if the implementation makes a choice itself, because
    /// views have both choices in one.
    fn next(&mut self, (implementation, specification): Pair) -> Walked<Vec<Pair>> {
        let mut next = Vec::new();
        for step in self.semantics.steps(&mut self.evaluator, implementation)? {
            if step.origin == TAU {
                return Err(NotWalked::GivenUp);
            }
            if step.label == TAU {
                next.push((step.target, specification));
                continue;
            }
            let Some(specification) = specification else {
                next.push((step.target, None));
                continue;
            };
            for after in self.after(specification, step.label)? {
                next.push((step.target, Some(after)));
            }
        }
        Ok(next)
    }

    /// The states of the specification after `event`.
    fn after(&mut self, specification: TermId, event: EventId) -> Result<Vec<TermId>> {
        if let Some((number, _)) = self.member {
            let alphabet = self.members[number].alphabet;
            if !self.evaluator.terms().events.contains(alphabet, event) {
                return Ok(vec![specification]);
            }
        }
        self.after_of(specification, event)
    }

    /// The states of `term`, a part of the specification, after `event`. A component that takes no
    /// part stays in its state, whatever it could choose itself: section 1 of the proofs lets
    /// components of the specification move by visible events only. A specification that hides
    /// events, or has priorities, is decided by no views.
    fn after_of(&mut self, term: TermId, event: EventId) -> Result<Vec<TermId>> {
        let head = self.semantics.head(&mut self.evaluator, term)?;
        match self.evaluator.terms().get(head).clone() {
            Term::Over(
                operator @ (Operator::Parallel(_) | Operator::Alphabetised(_)),
                operands,
            ) => {
                let events = &self.evaluator.terms().events;
                // All operands do it at once, or each by itself.
                let parties = match operator.joins(events, event) {
                    true => vec![operator.together(events, operands.len(), event)],
                    false => (0..operands.len()).map(|one| vec![one]).collect(),
                };
                let mut after = Vec::new();
                for party in parties.into_iter().filter(|party| !party.is_empty()) {
                    for operands in self.after_party(&operands, &party, event)? {
                        let terms = self.evaluator.terms_mut();
                        after.push(terms.over(operator.clone(), operands));
                    }
                }
                Ok(after)
            }
            _ => self.after_component(term, event),
        }
    }

    /// The states of `operands` after the operands with these numbers do `event` together.
    fn after_party(
        &mut self,
        operands: &[TermId],
        party: &[usize],
        event: EventId,
    ) -> Result<Vec<Vec<TermId>>> {
        let mut found = vec![operands.to_vec()];
        for &number in party {
            let next = self.after_of(operands[number], event)?;
            let with = |operands: Vec<TermId>| {
                next.iter().map(move |&next| {
                    let mut operands = operands.clone();
                    operands[number] = next;
                    operands
                })
            };
            found = found.into_iter().flat_map(with).collect();
        }
        Ok(found)
    }

    /// The states of a component after `event`, before which it may make a choice itself.
    fn after_component(&mut self, component: TermId, event: EventId) -> Result<Vec<TermId>> {
        let (mut open, mut known) = (vec![component], FxHashSet::default());
        let mut after = Vec::new();
        while let Some(term) = open.pop() {
            for step in self.semantics.steps(&mut self.evaluator, term)? {
                if step.label == event {
                    after.push(step.target);
                } else if step.label == TAU && known.insert(step.target) {
                    open.push(step.target);
                }
            }
        }
        Ok(after)
    }

    /// Looks for all views of a state.
    fn look_at(&mut self, (implementation, specification): Pair) -> Walked<()> {
        let mut components = Vec::new();
        for process in [Some(implementation), specification].into_iter().flatten() {
            components.extend(self.components(process)?.ok_or(NotWalked::GivenUp)?);
        }
        if components.len() != self.places.len() {
            return Err(NotWalked::GivenUp);
        }
        let size = self.views.summary.size;
        for seen in chosen(self.ids.len(), size) {
            if !self.is_covered(&components, &seen) {
                // The views decide no instances that have no more identities than a step has in
                // sight, or than were brought into sight.
                let summary = &self.views.summary;
                if self.ids.len() as i64 + summary.missing <= summary.instances as i64 {
                    return Err(NotWalked::TooSmall);
                }
                let count = self.ids.len();
                let message = format!("the views miss a state of {count} identities");
                return Err(Box::new(Diagnostic::error("internal-error", message)).into());
            }
        }
        Ok(())
    }

    /// True if a known view covers a state with these identities in sight. Notes these views.
    fn is_covered(&mut self, components: &[Component], seen: &[u8]) -> bool {
        let (servers, own) = (self.views.model.servers, self.views.model.own);
        let mut options: Vec<Vec<LocalId>> = vec![Vec::new(); servers + seen.len() * own];
        for (at, component) in components.iter().enumerate() {
            let place = match self.places[at] {
                ProcessPlace::Server(number) => number,
                ProcessPlace::Own(id, number) => match seen.iter().position(|&seen| seen == id) {
                    Some(order) => servers + order * own + number,
                    None => continue,
                },
            };
            options[place] = self.covering(component, seen);
        }
        if let Some((number, named)) = self.member {
            let member = &self.members[number];
            let covers =
                |in_sight: InSight<'_>, local: &Local| in_sight.covers_member(local, member);
            options[named] = self.locals_in_sight(seen, covers);
        }
        if self.views.model.has_marks {
            for (order, &id) in seen.iter().enumerate() {
                options[servers + (order + 1) * own - 1] = vec![self.neighbours(id, seen)];
            }
        }
        let found = combinations(options.into_iter());
        let known = found
            .iter()
            .filter_map(|view| self.views.known.get(&view[..]));
        let covering: Vec<usize> = known.copied().collect();
        self.met.extend(&covering);
        !covering.is_empty()
    }

    /// The neighbours that identity `id` of the ring remembers, with `seen` in sight.
    fn neighbours(&mut self, id: u8, seen: &[u8]) -> LocalId {
        let count = self.ids.len() as u8;
        let neighbour = |other: u8| {
            let order = seen.iter().position(|&seen| seen == other);
            PartialValue::Id(order.map_or(Id::Other, |order| Id::Seen(order as u8)))
        };
        self.views.model.locals.intern(Local {
            code: LocalCode::Neighbours,
            values: match self.views.model.is_ring {
                true => [
                    neighbour((id + 1) % count),
                    neighbour((id + count - 1) % count),
                ]
                .into(),
                false => [].into(),
            },
        })
    }

    /// The local states of views for which `covers` is true, with these identities in sight.
    fn locals_in_sight(
        &self,
        seen: &[u8],
        covers: impl Fn(InSight<'_>, &Local) -> bool,
    ) -> Vec<LocalId> {
        let places: Vec<usize> = seen.iter().map(|&id| usize::from(id)).collect();
        let model = &self.views.model;
        let in_sight = InSight {
            ast: model.scenes[0].interpreter.ast(),
            all: &self.ids,
            seen: &places,
        };
        let locals = self.locals.iter().copied();
        locals
            .filter(|&local| covers(in_sight, &model.locals[local]))
            .collect()
    }

    /// The local states of views that cover `component`.
    fn covering(&mut self, component: &Component, seen: &[u8]) -> Vec<LocalId> {
        let key = (component.term, SmallVec::from_slice(seen));
        if let Some(known) = self.covering.get(&key) {
            return known.clone();
        }
        let found = self.locals_in_sight(seen, |in_sight, local| {
            let mut calls = component.calls.iter();
            component.builtin == Some(local.code) || calls.any(|call| in_sight.covers(local, call))
        });
        self.covering.insert(key, found.clone());
        found
    }

    /// The sequential components of a term, from left to right. Returns `None` if one has no name.
    fn components(&mut self, term: TermId) -> Result<Option<Vec<Component>>> {
        if let Some(known) = self.calls.get(&term) {
            return Ok(known.clone());
        }
        let found = self.components_of(term)?;
        self.calls.insert(term, found.clone());
        Ok(found)
    }

    fn components_of(&mut self, term: TermId) -> Result<Option<Vec<Component>>> {
        let head = self.semantics.head(&mut self.evaluator, term)?;
        let operands: Vec<TermId> = match self.evaluator.terms().get(head) {
            Term::Over(
                Operator::Hide(_)
                | Operator::Prioritise(_)
                | Operator::Parallel(_)
                | Operator::Alphabetised(_),
                operands,
            ) => operands.to_vec(),
            head => {
                let builtin = match head {
                    Term::Stop => Some(LocalCode::Builtin(Builtin::Stop)),
                    Term::Run(_) => Some(LocalCode::Builtin(Builtin::Run)),
                    _ => None,
                };
                let component = Component {
                    term,
                    builtin,
                    calls: self.calls_of(term)?,
                };
                let has_name = builtin.is_some() || !component.calls.is_empty();
                return Ok(has_name.then(|| vec![component]));
            }
        };
        let mut all = Vec::new();
        for operand in operands {
            match self.components(operand)? {
                Some(components) => all.extend(components),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// Calls that stand for `term`, each the body of the call before.
    fn calls_of(&mut self, term: TermId) -> Result<Vec<PlainCall>> {
        let mut calls = Vec::new();
        let mut at = term;
        while let Term::Call(call) = *self.evaluator.terms().get(at) {
            calls.extend(self.evaluator.plain_call(call)?);
            at = self.evaluator.body(call)?;
        }
        Ok(calls)
    }
}
