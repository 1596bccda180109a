//! A parameterised process with its specification: partial states, and the steps between them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::interpreter::{IndexSet, Interpreter};
use super::tree::{Node, Place, Structure, is_run};
use super::value::{EveryIsOther, Id, Local, SetValue, Value};
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
pub struct Refinement<'s> {
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
pub(super) struct Step {
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

/// What is known of a parameterised process with `count` identities in sight.
pub(super) struct Model<'s> {
    pub(super) interpreter: Interpreter<'s>,
    pub(super) locals: Interner<LocalId, Local>,
    pub(super) events: Interner<EventNumber, Value>,
    pub(super) count: u8,
    /// How many servers there are.
    pub(super) servers: usize,
    /// How many processes each identity has.
    pub(super) own: usize,
    pub(super) structure: Structure,
    pub(super) implementation: Node,
    specification: Node,
    offers: FxHashMap<LocalId, Rc<[(EventNumber, LocalId)]>>,
    accepted: FxHashMap<(LocalId, EventNumber), (bool, Rc<[LocalId]>)>,
    members: FxHashMap<(usize, EventNumber), bool>,
    /// By `|| i : IDS @ [A(i)] P(i)`, the alphabet of one more identity.
    outside: Vec<Rc<SetValue>>,
    asked_outside: FxHashMap<(usize, EventNumber), bool>,
}

impl<'s> Model<'s> {
    pub(super) fn new(refinement: &Refinement<'s>, count: u8) -> Result<Self> {
        let Refinement {
            script,
            parameter,
            index_set,
            specification,
            implementation,
        } = *refinement;
        // The alphabets of one who is out of sight are those of one more in sight.
        let mut more = Interpreter::new(script, parameter, index_set);
        more.see(count + 1);
        let mut larger = Structure::default();
        let node = more.structure(implementation, &mut larger)?;
        let mut outside = vec![None; larger.alphabetised];
        alphabets_of_last(&node, &larger, &mut outside);
        let mut interpreter = Interpreter::new(script, parameter, index_set);
        interpreter.see(count);
        let mut structure = Structure::default();
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
    pub(super) fn at(&self, place: Place) -> usize {
        match place {
            Place::Server(number) => number,
            Place::Own(id, number) => self.servers + usize::from(id) * self.own + number,
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
    fn is_member(&mut self, set: usize, event: EventNumber) -> Result<bool> {
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
        for number in 0..others(&value) {
            let mut left = number;
            let named = with_seen(&value, &mut left, self.count);
            asks |= self.interpreter.contains(&alphabet, &named)? == Some(true);
        }
        self.asked_outside.insert((node, event), asks);
        Ok(asks)
    }

    /// All steps of the implementation in which only what is in sight is asked.
    pub(super) fn steps(&mut self, state: &Partial) -> Result<Vec<Step>> {
        let node = std::mem::replace(&mut self.implementation, Node::Leaf(Place::Server(0)));
        let steps = self.steps_of(&node, state);
        self.implementation = node;
        steps
    }

    fn steps_of(&mut self, node: &Node, state: &Partial) -> Result<Vec<Step>> {
        Ok(match node {
            Node::Leaf(place) => {
                let at = self.at(*place);
                let offers = self.offers(state[at])?;
                let step = |&(event, next)| Step {
                    event,
                    is_visible: true,
                    moves: SmallVec::from_slice(&[(at, next)]),
                };
                offers.iter().map(step).collect()
            }
            Node::Hide(set, process) => {
                let mut steps = self.steps_of(process, state)?;
                for step in &mut steps {
                    step.is_visible &= !self.is_member(*set, step.event)?;
                }
                steps
            }
            Node::Sync(set, operands) => self.synchronised(*set, operands, state, false)?,
            Node::SyncOfAll(set, operands) => self.synchronised(*set, operands, state, true)?,
            Node::Alphabetised(operands) => self.alphabetised(operands, state, None)?,
            Node::AlphabetisedOfAll(number, operands) => {
                self.alphabetised(operands, state, Some(*number))?
            }
        })
    }

    fn synchronised(
        &mut self,
        set: usize,
        operands: &[Node],
        state: &Partial,
        is_of_all: bool,
    ) -> Result<Vec<Step>> {
        let (mut alone, mut together) = (Vec::new(), Together::default());
        for (number, operand) in operands.iter().enumerate() {
            for step in self.steps_of(operand, state)? {
                if !step.is_visible || !self.is_member(set, step.event)? {
                    alone.push(step);
                } else if !is_of_all || others(&self.events[step.event]) == 0 {
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
        operands: &[(usize, Node)],
        state: &Partial,
        of_all: Option<usize>,
    ) -> Result<Vec<Step>> {
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
        let node = std::mem::replace(&mut self.specification, Node::Leaf(Place::Server(0)));
        let acceptance = self.acceptance_of(&node, state, event);
        self.specification = node;
        acceptance
    }

    fn acceptance_of(
        &mut self,
        node: &Node,
        state: &Partial,
        event: EventNumber,
    ) -> Result<Acceptance> {
        Ok(match node {
            Node::Leaf(place) => {
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
            Node::Hide(..) => {
                return Err(self
                    .interpreter
                    .refused("a specification that hides events is not followed for all sizes"));
            }
            Node::Sync(set, operands) | Node::SyncOfAll(set, operands) => {
                let all: Result<Vec<Acceptance>> = operands
                    .iter()
                    .map(|operand| self.acceptance_of(operand, state, event))
                    .collect();
                match self.is_member(*set, event)? {
                    true => all_of(all?),
                    false => one_of(all?),
                }
            }
            Node::Alphabetised(operands) | Node::AlphabetisedOfAll(_, operands) => {
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

    /// Whether a process of the specification may refuse `event`, and what may become of it.
    fn accepted(&mut self, local: LocalId, event: EventNumber) -> Result<(bool, Rc<[LocalId]>)> {
        if let Some(known) = self.accepted.get(&(local, event)) {
            return Ok(known.clone());
        }
        let (state, value) = (self.locals[local].clone(), self.events[event].clone());
        let (mut may_refuse, mut next) = (false, Vec::new());
        if let (true, [Value::Set(set)]) = (is_run(&state), &state.values[..]) {
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
        let known: (bool, Rc<[LocalId]>) = (may_refuse, next.into());
        self.accepted.insert((local, event), known.clone());
        Ok(known)
    }

    /// Whether some server that takes part in `event` remembers an identity out of sight.
    pub(super) fn remembers(&self, state: &Partial) -> bool {
        state[..self.servers].iter().any(|&local| {
            self.locals[local]
                .values
                .iter()
                .any(|value| others(value) > 0)
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
struct Together(FxHashMap<EventNumber, Vec<(usize, Vec<Step>)>>);

impl Together {
    /// Operand `operand` could do `step`. Operands come in order.
    fn add(&mut self, operand: usize, step: Step) {
        let operands = self.0.entry(step.event).or_default();
        match operands.last_mut() {
            Some((last, steps)) if *last == operand => steps.push(step),
            _ => operands.push((operand, vec![step])),
        }
    }

    /// Appends the joint steps of events that as many can do as `wanted` says.
    fn join(self, wanted: impl Fn(EventNumber) -> usize, steps: &mut Vec<Step>) {
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
            steps.extend(joint.into_iter().map(|moves| Step {
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

/// How often a value names an identity out of sight.
pub(super) fn others(value: &Value) -> usize {
    let all = |parts: &Rc<[Value]>| parts.iter().map(others).sum();
    match value {
        Value::Id(Id::Other | Id::Every) => 1,
        Value::Dot(parts) | Value::Tuple(parts) | Value::Sequence(parts) => all(parts),
        _ => 0,
    }
}

/// `value` with identity `id` in place of the one out of sight of number `left`.
fn with_seen(value: &Value, left: &mut usize, id: u8) -> Value {
    match value {
        Value::Id(Id::Other) if *left == 0 => {
            *left = usize::MAX;
            Value::Id(Id::Seen(id))
        }
        Value::Id(Id::Other) => {
            *left = left.saturating_sub(1);
            value.clone()
        }
        Value::Dot(parts) => {
            Value::Dot(parts.iter().map(|part| with_seen(part, left, id)).collect())
        }
        _ => value.clone(),
    }
}

/// By number of the node, the alphabet of the last operand of each `|| i : IDS @ [A(i)] P(i)`.
fn alphabets_of_last(node: &Node, structure: &Structure, found: &mut Vec<Option<Rc<SetValue>>>) {
    match node {
        Node::Leaf(_) => {}
        Node::Hide(_, process) => alphabets_of_last(process, structure, found),
        Node::Sync(_, operands) | Node::SyncOfAll(_, operands) => {
            for operand in operands {
                alphabets_of_last(operand, structure, found);
            }
        }
        Node::Alphabetised(operands) => {
            for (_, operand) in operands {
                alphabets_of_last(operand, structure, found);
            }
        }
        Node::AlphabetisedOfAll(number, operands) => {
            if let Some((alphabet, operand)) = operands.last() {
                found[*number] = Some(Rc::clone(&structure.sets[*alphabet]));
                alphabets_of_last(operand, structure, found);
            }
        }
    }
}
