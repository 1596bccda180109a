//! A parameterised process with its specification: partial states, and the steps between them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::interpreter::{IndexSet, Interpreter};
use super::tree::{FamilyStructure, ProcessPlace, StructureNode, is_run};
use super::value::{EveryIsOther, Id, Local, PartialValue, SetValue};
use crate::base::interner::Interner;
use crate::define_index;
use crate::diag::{Diagnostic, Result};
use crate::eval::ResolvedScript;
use crate::syntax::ast::{DeclarationId, ExprId};

define_index! {
    /// A state of a sequential process.
    LocalId,
    /// An event.
    EventNumber,
}

/// What is asked: whether `specification` is refined by `implementation` in the traces model.
#[derive(Clone, Copy, Debug)]
pub struct FamilyRefinement<'s> {
    /// The script.
    pub script: &'s ResolvedScript,
    /// The constant that is the number of identities.
    pub parameter: DeclarationId,
    /// The set of them all, if that is not written as a range.
    pub index_set: Option<IndexSet>,
    /// The specification.
    pub specification: ExprId,
    /// The implementation.
    pub implementation: ExprId,
}

/// A state of what is in sight: the servers, then for each identity its own processes.
pub(super) type Partial = Rc<[LocalId]>;

/// What changes in a step: places in a [`Partial`], with what they become.
pub(super) type Moves = SmallVec<[(usize, LocalId); 4]>;

/// A step of what is in sight.
#[derive(Clone, Debug)]
pub(super) struct PartialStep {
    pub(super) event: EventNumber,
    pub(super) is_visible: bool,
    pub(super) moves: Moves,
}

/// What a specification does at an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Acceptance {
    /// Whether it may refuse the event.
    pub(super) may_refuse: bool,
    /// What may become of it.
    pub(super) moves: Vec<Moves>,
}

/// Whether a process of the specification may refuse an event, and what may become of it.
type LocalAcceptance = (bool, Rc<[LocalId]>);

/// What is known of a parameterised process with `count` identities in sight.
pub(super) struct PartialModel<'s> {
    pub(super) interpreter: Interpreter<'s>,
    pub(super) locals: Interner<LocalId, Local>,
    pub(super) events: Interner<EventNumber, PartialValue>,
    pub(super) count: u8,
    /// How many servers there are.
    pub(super) servers: usize,
    /// How many processes each identity has.
    pub(super) own: usize,
    pub(super) structure: FamilyStructure,
    pub(super) implementation: StructureNode,
    specification: StructureNode,
    offers: FxHashMap<LocalId, Rc<[(EventNumber, LocalId)]>>,
    accepted: FxHashMap<(LocalId, EventNumber), LocalAcceptance>,
    members: FxHashMap<(usize, EventNumber), bool>,
    /// By `|| i : IDS @ [A(i)] P(i)`, the alphabet of one more identity.
    outside: Vec<Rc<SetValue>>,
    asked_outside: FxHashMap<(usize, EventNumber), bool>,
}

impl<'s> PartialModel<'s> {
    pub(super) fn new(refinement: &FamilyRefinement<'s>, count: u8) -> Result<Self> {
        let FamilyRefinement {
            script,
            parameter,
            index_set,
            specification,
            implementation,
        } = *refinement;
        // The alphabets of one who is out of sight are those of one more in sight.
        let mut more = Interpreter::new(script, parameter, index_set);
        more.see(count + 1);
        let mut larger = FamilyStructure::default();
        let node = more.structure(implementation, &mut larger)?;
        let mut outside = vec![None; larger.alphabetised];
        alphabets_of_last(&node, &larger, &mut outside);
        let mut interpreter = Interpreter::new(script, parameter, index_set);
        interpreter.see(count);
        let mut structure = FamilyStructure::default();
        let implementation = interpreter.structure(implementation, &mut structure)?;
        let specification = interpreter.structure(specification, &mut structure)?;
        Ok(Self {
            interpreter,
            locals: Interner::default(),
            events: Interner::default(),
            count,
            servers: structure.servers.len(),
            own: structure.own.first().map_or(0, Vec::len),
            structure,
            implementation,
            specification,
            offers: FxHashMap::default(),
            accepted: FxHashMap::default(),
            members: FxHashMap::default(),
            outside: outside.into_iter().flatten().collect(),
            asked_outside: FxHashMap::default(),
        })
    }

    /// Where the state of the process at `place` is in a [`Partial`].
    pub(super) fn at(&self, place: ProcessPlace) -> usize {
        match place {
            ProcessPlace::Server(number) => number,
            ProcessPlace::Own(id, number) => self.servers + usize::from(id) * self.own + number,
        }
    }

    /// What `local` offers, as a process of the implementation.
    pub(super) fn offers(&mut self, local: LocalId) -> Result<Rc<[(EventNumber, LocalId)]>> {
        if let Some(known) = self.offers.get(&local) {
            return Ok(Rc::clone(known));
        }
        let state = self.locals[local].clone();
        let mut all: Vec<(EventNumber, LocalId)> = Vec::new();
        for run in self.interpreter.offers(&state)? {
            for (event, next) in run {
                let event = event.mapped(&EveryIsOther);
                all.push((self.events.intern(event), self.locals.intern(next)));
            }
        }
        all.sort();
        all.dedup();
        let all: Rc<[_]> = all.into();
        self.offers.insert(local, Rc::clone(&all));
        Ok(all)
    }

    /// Whether `event` is in the set of this number.
    pub(super) fn is_member(&mut self, set: usize, event: EventNumber) -> Result<bool> {
        if let Some(known) = self.members.get(&(set, event)) {
            return Ok(*known);
        }
        let (members, value) = (
            Rc::clone(&self.structure.sets[set]),
            self.events[event].clone(),
        );
        let Some(is_member) = self.interpreter.contains(&members, &value)? else {
            return Err(self.interpreter.refused(
                "whether an event is in a set of the parallel structure depends on identities out of sight",
            ));
        };
        self.members.insert((set, event), is_member);
        Ok(is_member)
    }

    /// Whether an identity out of sight that `event` names certainly takes part in it, where the
    /// operands of the node of this number have these alphabets.
    fn asks_outside(&mut self, node: usize, event: EventNumber) -> Result<bool> {
        if let Some(known) = self.asked_outside.get(&(node, event)) {
            return Ok(*known);
        }
        let value = self.events[event].clone();
        let alphabet = Rc::clone(&self.outside[node]);
        let mut asks = false;
        for number in 0..value.others() {
            let mut left = number;
            let named = with_seen(&value, &mut left, self.count);
            asks |= self.interpreter.contains(&alphabet, &named)? == Some(true);
        }
        self.asked_outside.insert((node, event), asks);
        Ok(asks)
    }

    /// All steps of the implementation in which only what is in sight is asked.
    pub(super) fn steps(&mut self, state: &Partial) -> Result<Vec<PartialStep>> {
        let node = std::mem::replace(
            &mut self.implementation,
            StructureNode::Leaf(ProcessPlace::Server(0)),
        );
        let steps = self.steps_of(&node, state);
        self.implementation = node;
        steps
    }

    fn steps_of(&mut self, node: &StructureNode, state: &Partial) -> Result<Vec<PartialStep>> {
        Ok(match node {
            StructureNode::Leaf(place) => {
                let at = self.at(*place);
                let offers = self.offers(state[at])?;
                let step = |&(event, next)| PartialStep {
                    event,
                    is_visible: true,
                    moves: SmallVec::from_slice(&[(at, next)]),
                };
                offers.iter().map(step).collect()
            }
            StructureNode::Hide(set, process) => {
                let mut steps = self.steps_of(process, state)?;
                for step in &mut steps {
                    step.is_visible &= !self.is_member(*set, step.event)?;
                }
                steps
            }
            StructureNode::Sync(set, operands) => {
                self.synchronised(*set, operands, state, false)?
            }
            StructureNode::SyncOfAll(set, operands) => {
                self.synchronised(*set, operands, state, true)?
            }
            StructureNode::Alphabetised(operands) => self.alphabetised(operands, state, None)?,
            StructureNode::AlphabetisedOfAll(number, operands) => {
                self.alphabetised(operands, state, Some(*number))?
            }
        })
    }

    fn synchronised(
        &mut self,
        set: usize,
        operands: &[StructureNode],
        state: &Partial,
        is_of_all: bool,
    ) -> Result<Vec<PartialStep>> {
        let (mut alone, mut together) = (Vec::new(), Together::default());
        for (number, operand) in operands.iter().enumerate() {
            for step in self.steps_of(operand, state)? {
                if !step.is_visible || !self.is_member(set, step.event)? {
                    alone.push(step);
                } else if !is_of_all || self.events[step.event].others() == 0 {
                    together.add(number, step);
                }
                // Whom such an event names is out of sight, and takes part in it: that step is
                // looked at where it is in sight.
            }
        }
        together.join(|_| operands.len(), &mut alone);
        Ok(alone)
    }

    fn alphabetised(
        &mut self,
        operands: &[(usize, StructureNode)],
        state: &Partial,
        of_all: Option<usize>,
    ) -> Result<Vec<PartialStep>> {
        let (mut alone, mut together) = (Vec::new(), Together::default());
        for (number, (alphabet, operand)) in operands.iter().enumerate() {
            for step in self.steps_of(operand, state)? {
                if !step.is_visible {
                    alone.push(step);
                } else if self.is_member(*alphabet, step.event)? {
                    let asks_outside = match of_all {
                        Some(node) => self.asks_outside(node, step.event)?,
                        None => false,
                    };
                    if !asks_outside {
                        together.add(number, step);
                    }
                }
            }
        }
        let mut counts = FxHashMap::default();
        for &event in together.0.keys() {
            let mut count = 0;
            for (alphabet, _) in operands {
                count += usize::from(self.is_member(*alphabet, event)?);
            }
            counts.insert(event, count);
        }
        together.join(|event| counts[&event], &mut alone);
        Ok(alone)
    }

    /// What the specification does at `event` in `state`.
    pub(super) fn acceptance(&mut self, state: &Partial, event: EventNumber) -> Result<Acceptance> {
        let node = std::mem::replace(
            &mut self.specification,
            StructureNode::Leaf(ProcessPlace::Server(0)),
        );
        let acceptance = self.acceptance_of(&node, state, event);
        self.specification = node;
        acceptance
    }

    fn acceptance_of(
        &mut self,
        node: &StructureNode,
        state: &Partial,
        event: EventNumber,
    ) -> Result<Acceptance> {
        Ok(match node {
            StructureNode::Leaf(place) => {
                let at = self.at(*place);
                let (may_refuse, next) = self.accepted(state[at], event)?;
                Acceptance {
                    may_refuse,
                    moves: next
                        .iter()
                        .map(|&next| SmallVec::from_slice(&[(at, next)]))
                        .collect(),
                }
            }
            StructureNode::Hide(..) => {
                return Err(self
                    .interpreter
                    .refused("a specification that hides events is not followed for all sizes"));
            }
            StructureNode::Sync(set, operands) | StructureNode::SyncOfAll(set, operands) => {
                let all: Result<Vec<Acceptance>> = operands
                    .iter()
                    .map(|operand| self.acceptance_of(operand, state, event))
                    .collect();
                if self.is_member(*set, event)? {
                    return Ok(all_of(all?));
                }
                let all = all?;
                let is_of_all = matches!(node, StructureNode::SyncOfAll(..));
                if is_of_all && !self.only_named(&all, event) {
                    return Err(self.interpreter.refused(
                        "in the specification a process accepts an event that does not name it",
                    ));
                }
                one_of(all)
            }
            StructureNode::Alphabetised(operands)
            | StructureNode::AlphabetisedOfAll(_, operands) => {
                let mut all = Vec::new();
                for (alphabet, operand) in operands {
                    if self.is_member(*alphabet, event)? {
                        all.push(self.acceptance_of(operand, state, event)?);
                    }
                }
                match all.is_empty() {
                    true => one_of(all),
                    false => all_of(all),
                }
            }
        })
    }

    /// Whether of the operands for all identities, in their order, only those whom `event` names
    /// accept it. Otherwise not all views would have to agree which of several did.
    fn only_named(&self, all: &[Acceptance], event: EventNumber) -> bool {
        let named = self.events[event].named();
        let mut numbered = (0u8..).zip(all);
        numbered.all(|(id, one)| one.moves.is_empty() || named.contains(&Id::Seen(id)))
    }

    /// Whether a process of the specification may refuse `event`, and what may become of it.
    fn accepted(&mut self, local: LocalId, event: EventNumber) -> Result<LocalAcceptance> {
        if let Some(known) = self.accepted.get(&(local, event)) {
            return Ok(known.clone());
        }
        let (state, value) = (self.locals[local].clone(), self.events[event].clone());
        let (mut may_refuse, mut next) = (false, Vec::new());
        if let (true, [PartialValue::Set(set)]) = (is_run(&state), &state.values[..]) {
            let set = Rc::clone(set);
            match self.interpreter.contains(&set, &value)? {
                Some(false) => may_refuse = true,
                known => {
                    may_refuse = known.is_none();
                    next.push(local);
                }
            }
        } else {
            for run in self.interpreter.offers(&state)? {
                let mut is_certain = false;
                for (offered, then) in run {
                    let covers = self.interpreter.covers(&offered, &value)?;
                    is_certain |= covers == Some(true);
                    if covers != Some(false) {
                        next.push(self.locals.intern(then));
                    }
                }
                may_refuse |= !is_certain;
            }
        }
        next.sort();
        next.dedup();
        let known: LocalAcceptance = (may_refuse, next.into());
        self.accepted.insert((local, event), known.clone());
        Ok(known)
    }

    /// Whether some server remembers an identity out of sight.
    pub(super) fn remembers(&self, state: &Partial) -> bool {
        state[..self.servers].iter().any(|&local| {
            self.locals[local]
                .values
                .iter()
                .any(|value| value.others() > 0)
        })
    }

    /// That this cannot be decided for all sizes, though nothing in the script stands in the way.
    pub(super) fn refused(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::undecided("for-all", message))
    }

    /// The name of `event`.
    pub(super) fn show(&self, event: EventNumber) -> String {
        self.interpreter.show(&self.events[event])
    }
}

/// Operands that do an event together.
#[derive(Default)]
struct Together(FxHashMap<EventNumber, Vec<(usize, Vec<PartialStep>)>>);

impl Together {
    /// Operand `operand` could do `step`. Operands come in order.
    fn add(&mut self, operand: usize, step: PartialStep) {
        let operands = self.0.entry(step.event).or_default();
        match operands.last_mut() {
            Some((last, steps)) if *last == operand => steps.push(step),
            _ => operands.push((operand, vec![step])),
        }
    }

    /// Appends the joint steps of events that as many can do as `wanted` says.
    fn join(self, wanted: impl Fn(EventNumber) -> usize, steps: &mut Vec<PartialStep>) {
        let mut events: Vec<_> = self.0.into_iter().collect();
        events.sort_by_key(|(event, _)| *event);
        for (event, operands) in events {
            if operands.len() < wanted(event) {
                continue;
            }
            let mut joint = vec![Moves::new()];
            for (_, own) in &operands {
                let longer = joint.iter().flat_map(|moves| {
                    own.iter()
                        .map(|step| moves.iter().chain(&step.moves).copied().collect())
                });
                joint = longer.collect();
            }
            steps.extend(joint.into_iter().map(|moves| PartialStep {
                event,
                is_visible: true,
                moves,
            }));
        }
    }
}

/// All of these have to accept.
fn all_of(all: Vec<Acceptance>) -> Acceptance {
    let mut joint = vec![Moves::new()];
    let may_refuse = all.iter().any(|one| one.may_refuse);
    for one in all {
        let longer = joint.iter().flat_map(|moves| {
            one.moves
                .iter()
                .map(|more| moves.iter().chain(more).copied().collect())
        });
        joint = longer.collect();
    }
    Acceptance {
        may_refuse,
        moves: joint,
    }
}

/// One of these has to accept.
fn one_of(all: Vec<Acceptance>) -> Acceptance {
    Acceptance {
        may_refuse: all.iter().all(|one| one.may_refuse),
        moves: all.into_iter().flat_map(|one| one.moves).collect(),
    }
}

/// `value` with identity `id` in place of the one out of sight of number `left`.
fn with_seen(value: &PartialValue, left: &mut usize, id: u8) -> PartialValue {
    match value {
        PartialValue::Id(Id::Other) if *left == 0 => {
            *left = usize::MAX;
            PartialValue::Id(Id::Seen(id))
        }
        PartialValue::Id(Id::Other) => {
            *left = left.saturating_sub(1);
            value.clone()
        }
        PartialValue::Dot(parts) => {
            PartialValue::Dot(parts.iter().map(|part| with_seen(part, left, id)).collect())
        }
        _ => value.clone(),
    }
}

/// By number of the node, the alphabet of the last operand of each `|| i : IDS @ [A(i)] P(i)`.
fn alphabets_of_last(
    node: &StructureNode,
    structure: &FamilyStructure,
    found: &mut Vec<Option<Rc<SetValue>>>,
) {
    match node {
        StructureNode::Leaf(_) => {}
        StructureNode::Hide(_, process) => alphabets_of_last(process, structure, found),
        StructureNode::Sync(_, operands) | StructureNode::SyncOfAll(_, operands) => {
            for operand in operands {
                alphabets_of_last(operand, structure, found);
            }
        }
        StructureNode::Alphabetised(operands) => {
            for (_, operand) in operands {
                alphabets_of_last(operand, structure, found);
            }
        }
        StructureNode::AlphabetisedOfAll(number, operands) => {
            if let Some((alphabet, operand)) = operands.last() {
                found[*number] = Some(Rc::clone(&structure.sets[*alphabet]));
                alphabets_of_last(operand, structure, found);
            }
        }
    }
}
