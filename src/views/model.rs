//! A parameterised process with its specification: partial states, and the steps between them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arrangement::{Arrangement, Side};
use super::met::MetByScript;
use super::parameter::has_ring;
use super::scene::{Built, EventNumber, FamilyQuestion, LocalAcceptance, LocalId, Outside, Scene};
use super::show::ShownValues;
use super::tree::{MemberPlaces, ProcessPlace, StructureNode, is_run};
use super::value::{EveryIsOther, Id, Local, PartialValue};
use base::diag::{Diagnostic, Result};
use base::interner::Interner;
use base::order::ascending;

/// A state of the processes in sight: the servers, then for each identity its own processes.
pub(super) type Partial = Rc<[LocalId]>;

/// The changes of a step: places in a [`Partial`], with the new local states.
pub(super) type Moves = SmallVec<[(usize, LocalId); 4]>;

/// A step of the processes in sight.
#[derive(Clone, Debug)]
pub(super) struct PartialStep {
    pub(super) event: EventNumber,
    pub(super) is_visible: bool,
    pub(super) moves: Moves,
}

/// The answer of a specification to an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Acceptance {
    /// True if it may refuse the event.
    pub(super) may_refuse: bool,
    /// The moves that it may make.
    pub(super) moves: Vec<Moves>,
}

/// A parameterised process, for all sets of identities in sight.
pub(super) struct PartialModel<'s> {
    pub(super) question: FamilyQuestion<'s>,
    pub(super) locals: Interner<LocalId, Local>,
    pub(super) events: Interner<EventNumber, PartialValue>,
    /// The number of servers.
    pub(super) servers: usize,
    /// The number of processes of each identity. In a ring the last one stands for its neighbours:
    /// it never does anything, but views then know the neighbours like any value that a process
    /// remembers.
    pub(super) own: usize,
    pub(super) is_ring: bool,
    /// True if each identity has a process that never does anything: its neighbours, or, if it has
    /// no other process, one that shows that it is in sight.
    pub(super) has_marks: bool,
    /// The mask of places where the number with which a server begins means the first identity; the
    /// places are those counted by [`Built::numbered`].
    named: u32,
    pub(super) scenes: Vec<Scene<'s>>,
    /// The only event whose steps are looked for; `None` for all events.
    wanted: Option<EventNumber>,
    by_arrangement: FxHashMap<Arrangement, usize>,
    built: FxHashMap<Arrangement, Rc<Built>>,
    met: Rc<MetByScript>,
}

impl<'s> PartialModel<'s> {
    pub(super) fn new(question: &FamilyQuestion<'s>, named: u32) -> Result<Self> {
        let is_ring = has_ring(question.script, question.parameter);
        let mut model = Self {
            question: *question,
            locals: Interner::default(),
            events: Interner::default(),
            servers: 0,
            own: 0,
            is_ring,
            has_marks: is_ring,
            named,
            scenes: Vec::new(),
            wanted: None,
            by_arrangement: FxHashMap::default(),
            built: FxHashMap::default(),
            met: Rc::default(),
        };
        let built = model.built(&Arrangement::apart(1, is_ring))?;
        let beginning = &built.beginnings[0];
        model.servers = beginning.servers.len();
        let own = beginning.own[0].len();
        model.has_marks = is_ring || own == 0;
        model.own = own + usize::from(model.has_marks);
        Ok(model)
    }

    /// The number of places where a server begins with the number of the first identity.
    pub(super) fn numbered(&mut self) -> Result<u32> {
        let alone = Arrangement::apart(1, self.is_ring);
        Ok(self.built(&alone)?.numbered)
    }

    /// The structure for `arrangement`.
    pub(super) fn built(&mut self, arrangement: &Arrangement) -> Result<Rc<Built>> {
        if let Some(known) = self.built.get(arrangement) {
            return Ok(Rc::clone(known));
        }
        let built = self.question.built(arrangement, self.named, &self.met);
        let built = Rc::new(built?);
        self.built.insert(arrangement.clone(), Rc::clone(&built));
        Ok(built)
    }

    /// The scene of `arrangement`.
    pub(super) fn scene(&mut self, arrangement: Arrangement) -> Result<usize> {
        if let Some(known) = self.by_arrangement.get(&arrangement) {
            return Ok(*known);
        }
        let built = self.built(&arrangement)?;
        let mut interpreter = self.question.interpreter(&arrangement, &self.met);
        interpreter.resolves |= built.implementation.has_priorities();
        self.scenes.push(Scene {
            interpreter,
            built,
            arrangement: arrangement.clone(),
            offers: FxHashMap::default(),
            runs: FxHashMap::default(),
            runs_of_specification: FxHashMap::default(),
            accepted: FxHashMap::default(),
            members: FxHashMap::default(),
            asked_outside: FxHashMap::default(),
            outside: None,
            members_known: None,
            in_some: FxHashMap::default(),
            in_member: FxHashMap::default(),
        });
        let scene = self.scenes.len() - 1;
        self.by_arrangement.insert(arrangement, scene);
        Ok(scene)
    }

    /// The identities in sight of `state`. Returns `None` if they cannot stand in a ring with the
    /// neighbours that they remember.
    pub(super) fn arrangement(&self, state: &[LocalId]) -> Option<Arrangement> {
        let own = &state[self.servers..];
        let count = own.len().checked_div(self.own).unwrap_or_default();
        match self.is_ring {
            false => Some(Arrangement::apart(count as u8, false)),
            true => {
                let remembered = own
                    .chunks(self.own)
                    .map(|own| &self.locals[own[self.own - 1]]);
                Arrangement::of(remembered)
            }
        }
    }

    /// The scene of `state`.
    pub(super) fn scene_of(&mut self, state: &[LocalId]) -> Result<usize> {
        match self.arrangement(state) {
            Some(arrangement) => self.scene(arrangement),
            None => Err(self.refused("identities are put together that stand in no ring")),
        }
    }

    /// The position of the state of the process at `place` in a [`Partial`].
    pub(super) fn at(&self, place: ProcessPlace) -> usize {
        match place {
            ProcessPlace::Server(number) => number,
            ProcessPlace::Own(id, number) => self.servers + usize::from(id) * self.own + number,
        }
    }

    /// The position of the neighbours of `id` in a [`Partial`]; in a ring only.
    pub(super) fn neighbours_of(&self, id: u8) -> usize {
        self.at(ProcessPlace::Own(id, self.own - 1))
    }

    /// The offers of `local` as a process of the implementation.
    pub(super) fn offers(
        &mut self,
        scene: usize,
        local: LocalId,
    ) -> Result<Rc<[(EventNumber, LocalId)]>> {
        let scene = &mut self.scenes[scene];
        if let Some(known) = scene.offers.get(&local) {
            return Ok(Rc::clone(known));
        }
        let state = self.locals[local].clone();
        let mut all: Vec<(EventNumber, LocalId)> = Vec::new();
        for run in scene.runs(local, &state)?.iter() {
            for (event, next) in &run.offers {
                let event = event.mapped(&EveryIsOther);
                all.push((self.events.intern(event), self.locals.intern(next.clone())));
            }
        }
        let all: Rc<[_]> = ascending(all).into();
        scene.offers.insert(local, Rc::clone(&all));
        Ok(all)
    }

    /// True if `event` is in the set with the number `set`.
    pub(super) fn is_member(
        &mut self,
        scene: usize,
        set: usize,
        event: EventNumber,
    ) -> Result<bool> {
        let scene = &mut self.scenes[scene];
        if let Some(known) = scene.members.get(&(set, event)) {
            return Ok(*known);
        }
        let members = Rc::clone(&scene.built.sets[set]);
        let value = self.events[event].clone();
        let Some(is_member) = scene.interpreter.comparison().contains(&members, &value)? else {
            return Err(scene.interpreter.refused(
                "whether an event is in a set of the parallel structure depends on identities out of sight",
            ));
        };
        scene.members.insert((set, event), is_member);
        Ok(is_member)
    }

    /// True if an identity out of sight certainly takes part in `event`. The operands are those of
    /// the node `|| i : IDS @ [A(i)] P(i)` with the number `node`.
    fn asks_outside(&mut self, scene: usize, node: usize, event: EventNumber) -> Result<bool> {
        // Only the identities that the event names are asked, and neighbours in a ring.
        if !self.is_ring && self.events[event].others() == 0 {
            return Ok(false);
        }
        if let Some(known) = self.scenes[scene].asked_outside.get(&(node, event)) {
            return Ok(*known);
        }
        let outside = self.outside(scene)?;
        let asks = self.scenes[scene].asks_outside(node, &self.events[event], &outside)?;
        self.scenes[scene].asked_outside.insert((node, event), asks);
        Ok(asks)
    }

    /// True if an identity out of sight may have `event` in its alphabet. The operands are those of
    /// the node `|| i : IDS @ [A(i)] P(i)` with the number `node`.
    pub(super) fn may_ask_outside(
        &mut self,
        scene: usize,
        node: usize,
        event: EventNumber,
    ) -> Result<bool> {
        let outside = self.outside(scene)?;
        let event = &self.events[event];
        for (_, built) in outside.iter() {
            let interpreter = &mut self.scenes[scene].interpreter;
            if interpreter
                .comparison()
                .contains(&built.alphabets_of_last[node], event)?
                != Some(false)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The arrangements with one more identity in sight.
    fn outside(&mut self, scene: usize) -> Result<Outside> {
        if let Some(known) = &self.scenes[scene].outside {
            return Ok(Rc::clone(known));
        }
        let mut outside = Vec::new();
        for more in self.scenes[scene].arrangement.extensions() {
            let built = self.built(&more)?;
            outside.push((more, built));
        }
        let outside: Outside = outside.into();
        self.scenes[scene].outside = Some(Rc::clone(&outside));
        Ok(outside)
    }

    /// True if the implementation has a step with the visible event `event` that asks only
    /// processes in sight.
    pub(super) fn does(&mut self, state: &Partial, event: EventNumber) -> Result<bool> {
        self.wanted = Some(event);
        let steps = self.steps(state);
        self.wanted = None;
        Ok(steps?.iter().any(|step| step.is_visible))
    }

    /// All steps of the implementation that ask only processes in sight.
    pub(super) fn steps(&mut self, state: &Partial) -> Result<Vec<PartialStep>> {
        let scene = self.scene_of(state)?;
        let built = Rc::clone(&self.scenes[scene].built);
        self.steps_of(scene, &built.implementation, state)
    }

    pub(super) fn steps_of(
        &mut self,
        scene: usize,
        node: &StructureNode,
        state: &Partial,
    ) -> Result<Vec<PartialStep>> {
        Ok(match node {
            StructureNode::Leaf(place) => {
                let at = self.at(*place);
                let offers = self.offers(scene, state[at])?;
                let is_wanted = |event| self.wanted.is_none_or(|wanted| wanted == event);
                let offers = offers.iter().filter(|(event, _)| is_wanted(*event));
                let step = |&(event, next)| PartialStep {
                    event,
                    is_visible: true,
                    moves: SmallVec::from_slice(&[(at, next)]),
                };
                offers.map(step).collect()
            }
            StructureNode::Hide(set, process) => {
                let mut steps = self.steps_of(scene, process, state)?;
                for step in &mut steps {
                    step.is_visible &= !self.is_member(scene, *set, step.event)?;
                }
                steps
            }
            StructureNode::Sync(set, operands) => {
                self.synchronised(scene, *set, operands, state, false)?
            }
            StructureNode::SyncOfAll(set, operands) => {
                self.synchronised(scene, *set, operands, state, true)?
            }
            StructureNode::Alphabetised(operands) => {
                self.alphabetised(scene, operands, state, None)?
            }
            StructureNode::AlphabetisedOfAll(number, operands) => {
                self.alphabetised(scene, operands, state, Some(*number))?
            }
            StructureNode::Prioritise(levels, process) => {
                self.unblocked(scene, levels, process, state)?
            }
            StructureNode::Member(_) => Vec::new(),
        })
    }

    fn synchronised(
        &mut self,
        scene: usize,
        set: usize,
        operands: &[StructureNode],
        state: &Partial,
        is_of_all: bool,
    ) -> Result<Vec<PartialStep>> {
        let (mut alone, mut together) = (Vec::new(), Together::default());
        for (number, operand) in operands.iter().enumerate() {
            for step in self.steps_of(scene, operand, state)? {
                if !step.is_visible || !self.is_member(scene, set, step.event)? {
                    alone.push(step);
                } else if !is_of_all || self.events[step.event].others() == 0 {
                    together.add(number, step);
                }
                // Other events here name identities out of sight, which take part in them. Their
                // steps are found in states with these in sight.
            }
        }
        together.join(|_| operands.len(), &mut alone);
        Ok(alone)
    }

    fn alphabetised(
        &mut self,
        scene: usize,
        operands: &[(usize, StructureNode)],
        state: &Partial,
        of_all: Option<usize>,
    ) -> Result<Vec<PartialStep>> {
        let (mut alone, mut together) = (Vec::new(), Together::default());
        for (number, (alphabet, operand)) in operands.iter().enumerate() {
            for step in self.steps_of(scene, operand, state)? {
                if !step.is_visible {
                    alone.push(step);
                    continue;
                }
                // A step that asks identities out of sight is found in states with all of these in
                // sight.
                let asks_outside = match of_all {
                    Some(node) => self.asks_outside(scene, node, step.event)?,
                    None => false,
                };
                if !asks_outside && self.is_member(scene, *alphabet, step.event)? {
                    together.add(number, step);
                }
            }
        }
        let mut counts = FxHashMap::default();
        for &event in together.0.keys() {
            let mut count = 0;
            for (alphabet, _) in operands {
                count += usize::from(self.is_member(scene, *alphabet, event)?);
            }
            counts.insert(event, count);
        }
        together.join(|event| counts[&event], &mut alone);
        Ok(alone)
    }

    /// The answer of the specification to `event` in `state`.
    pub(super) fn acceptance(&mut self, state: &Partial, event: EventNumber) -> Result<Acceptance> {
        let scene = self.scene_of(state)?;
        let built = Rc::clone(&self.scenes[scene].built);
        match &built.specification {
            Some(specification) => self.acceptance_of(scene, specification, state, event),
            None => Ok(Acceptance {
                may_refuse: false,
                moves: vec![Moves::new()],
            }),
        }
    }

    fn acceptance_of(
        &mut self,
        scene: usize,
        node: &StructureNode,
        state: &Partial,
        event: EventNumber,
    ) -> Result<Acceptance> {
        Ok(match node {
            StructureNode::Leaf(place) => {
                let at = self.at(*place);
                let (may_refuse, next) = self.accepted(scene, state[at], event)?;
                let moves = next.iter().map(|&next| SmallVec::from_slice(&[(at, next)]));
                let moves = moves.collect();
                Acceptance { may_refuse, moves }
            }
            StructureNode::Hide(..) => {
                let message = "a specification that hides events is not followed for all sizes";
                return Err(self.refused_at(scene, message));
            }
            StructureNode::Prioritise(..) => {
                let message = "a specification with priorities is not followed for all sizes";
                return Err(self.refused_at(scene, message));
            }
            StructureNode::Sync(set, operands) | StructureNode::SyncOfAll(set, operands) => {
                let all: Result<Vec<Acceptance>> = operands
                    .iter()
                    .map(|operand| self.acceptance_of(scene, operand, state, event))
                    .collect();
                if self.is_member(scene, *set, event)? {
                    return Ok(all_of(all?));
                }
                let all = all?;
                let is_of_all = matches!(node, StructureNode::SyncOfAll(..));
                if is_of_all && !self.only_named(&all, event) {
                    let message =
                        "in the specification a process accepts an event that does not name it";
                    return Err(self.refused_at(scene, message));
                }
                one_of(all)
            }
            StructureNode::Alphabetised(operands)
            | StructureNode::AlphabetisedOfAll(_, operands) => {
                let mut all = Vec::new();
                for (alphabet, operand) in operands {
                    if self.is_member(scene, *alphabet, event)? {
                        all.push(self.acceptance_of(scene, operand, state, event)?);
                    }
                }
                match all.is_empty() {
                    true => one_of(all),
                    false => all_of(all),
                }
            }
            StructureNode::Member(places) => {
                self.member_acceptance(scene, *places, state, event)?
            }
        })
    }

    /// The answer of one member of the specification to `event`. An event in no member's alphabet
    /// is refused.
    fn member_acceptance(
        &mut self,
        scene: usize,
        places: MemberPlaces,
        state: &Partial,
        event: EventNumber,
    ) -> Result<Acceptance> {
        let Some(process) = self.question.specification else {
            return Ok(Acceptance::default());
        };
        let (named, at) = (state[places.named], places.state);
        let member = (named, &self.locals[named]);
        let numbered = (event, &self.events[event]);
        let is_in_some = self.scenes[scene].is_in_some_member(process, numbered)?;
        let (may_be, may_not_be) = self.scenes[scene].alphabet_has(process, member, numbered)?;
        let mut acceptance = Acceptance {
            may_refuse: !is_in_some,
            moves: Vec::from_iter(may_not_be.then(Moves::new)),
        };
        if may_be {
            let (may_refuse, next) = self.accepted(scene, state[at], event)?;
            acceptance.may_refuse |= may_refuse;
            let moves = next.iter().map(|&next| SmallVec::from_slice(&[(at, next)]));
            acceptance.moves.extend(moves);
        }
        Ok(acceptance)
    }

    /// True if, of the operands for all identities in their order, only those that `event` names
    /// accept it. Otherwise views might disagree about which of several operands accepted it.
    fn only_named(&self, all: &[Acceptance], event: EventNumber) -> bool {
        let named = self.events[event].named();
        let mut numbered = (0u8..).zip(all);
        numbered.all(|(id, one)| one.moves.is_empty() || named.contains(&Id::Seen(id)))
    }

    /// The answer of a process to `event`: true if it may refuse it, and its next states.
    fn accepted(
        &mut self,
        scene: usize,
        local: LocalId,
        event: EventNumber,
    ) -> Result<LocalAcceptance> {
        let scene = &mut self.scenes[scene];
        if let Some(known) = scene.accepted.get(&(local, event)) {
            return Ok(known.clone());
        }
        let (state, value) = (self.locals[local].clone(), self.events[event].clone());
        let (mut may_refuse, mut next) = (false, Vec::new());
        if let (true, [PartialValue::Set(set)]) = (is_run(&state), &state.values[..]) {
            let set = Rc::clone(set);
            match scene.interpreter.comparison().contains(&set, &value)? {
                Some(false) => may_refuse = true,
                known => {
                    may_refuse = known.is_none();
                    next.push(local);
                }
            }
        } else {
            for run in scene.runs_of_specification(local, &state)?.iter() {
                let mut is_certain = false;
                for (offered, then) in &run.offers {
                    let covers = scene.interpreter.comparison().covers(offered, &value)?;
                    is_certain |= covers == Some(true);
                    if covers != Some(false) {
                        next.push(self.locals.intern(then.clone()));
                    }
                }
                may_refuse |= !is_certain;
            }
        }
        let known: LocalAcceptance = (may_refuse, ascending(next).into());
        scene.accepted.insert((local, event), known.clone());
        Ok(known)
    }

    /// A neighbour out of sight, in the ring, of an identity that `event` names.
    pub(super) fn neighbour_of(&self, state: &Partial, event: EventNumber) -> Option<(u8, Side)> {
        let arrangement = self.arrangement(state)?;
        let named = self.events[event].named().into_iter();
        let seen = named.filter_map(|id| match (id, self.is_ring) {
            (Id::Seen(id), true) => Some(id),
            _ => None,
        });
        let mut sides = seen.flat_map(|id| [(id, Side::Next), (id, Side::Previous)]);
        sides.find(|&(id, side)| arrangement.neighbour(id, side).is_none())
    }

    /// The message that the question cannot be decided for all sizes, without a place in the
    /// script.
    pub(super) fn refused(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::undecided("for-all", message))
    }

    fn refused_at(&self, scene: usize, message: &str) -> Box<Diagnostic> {
        self.scenes[scene].interpreter.refused(message)
    }

    /// The name of `event`.
    pub(super) fn show(&self, event: EventNumber) -> String {
        ShownValues(self.question.script).value(&self.events[event])
    }
}

/// The steps of operands by event, to be joined.
#[derive(Default)]
struct Together(FxHashMap<EventNumber, Vec<(usize, Vec<PartialStep>)>>);

impl Together {
    /// Adds `step` of operand `operand`. Operands have to come in order.
    fn add(&mut self, operand: usize, step: PartialStep) {
        let operands = self.0.entry(step.event).or_default();
        match operands.last_mut() {
            Some((last, steps)) if *last == operand => steps.push(step),
            _ => operands.push((operand, vec![step])),
        }
    }

    /// Appends the joint steps of the events that at least `wanted` operands can do.
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

/// The answer of several processes that all have to accept.
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

/// The answer of several processes one of which has to accept.
fn one_of(all: Vec<Acceptance>) -> Acceptance {
    Acceptance {
        may_refuse: all.iter().all(|one| one.may_refuse),
        moves: all.into_iter().flat_map(|one| one.moves).collect(),
    }
}
