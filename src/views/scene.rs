//! One arrangement of identities in sight, with all that was evaluated for it.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::arrangement::{Arrangement, Side};
use super::identities::IdentitiesInSight;
use super::interpreter::Interpreter;
use super::member::{KnownMembers, OneMember};
use super::met::MetByScript;
use super::parameter::{IndexSet, Parameter};
use super::process::PartialRun;
use super::tree::{FamilyStructure, StructureNode};
use super::value::{Id, IdMap, Local, PartialValue, SetValue};
use base::define_index;
use base::diag::Result;
use eval::ResolvedScript;
use syntax::ast::{DeclarationId, ExprId};

define_index! {
    /// A state of a sequential process.
    LocalId,
    /// An event.
    EventNumber,
}

/// A question about a parameterised process.
#[derive(Clone, Copy, Debug)]
pub struct FamilyQuestion<'s> {
    /// The script.
    pub script: &'s ResolvedScript,
    /// The constant that is the number of identities, or the set of them.
    pub parameter: DeclarationId,
    /// The set of all identities, if it is not written as a range.
    pub index_set: Option<IndexSet>,
    /// The specification, which the process has to refine in the traces model. Without one, the
    /// process has to be free of deadlocks.
    pub specification: Option<ExprId>,
    /// The implementation.
    pub implementation: ExprId,
}

/// The parallel structure for one arrangement.
pub(super) struct Built {
    pub(super) implementation: StructureNode,
    /// The specification, if there is one.
    pub(super) specification: Option<StructureNode>,
    /// The parallel composition whose members are followed one at a time as the specification, if
    /// it has that form.
    pub(super) members_of: Option<ExprId>,
    pub(super) sets: Vec<Rc<SetValue>>,
    /// The alphabet of the identity with the highest number, for each `|| i : IDS @ [A(i)] P(i)`.
    pub(super) alphabets_of_last: Vec<Rc<SetValue>>,
    /// The beginnings of the processes: one for each identity in sight that may be the first one,
    /// and one with the first identity out of sight. There is only one if the first identity does
    /// not matter.
    pub(super) beginnings: Vec<Beginning>,
    /// The number of places among the values of servers where a server begins with the number of
    /// the first identity.
    pub(super) numbered: u32,
}

/// The states in which processes may begin.
pub(super) struct Beginning {
    /// The states by server.
    pub(super) servers: Vec<Vec<Local>>,
    /// The states by identity and number of the process.
    pub(super) own: Vec<Vec<Vec<Local>>>,
}

/// The answer of a process of the specification to an event: true if it may refuse it, and its next
/// states.
pub(super) type LocalAcceptance = (bool, Rc<[LocalId]>);

/// The arrangements with one more identity in sight, with their structures.
pub(super) type Outside = Rc<[(Arrangement, Rc<Built>)]>;

/// One arrangement, with the evaluation for it.
pub(super) struct Scene<'s> {
    pub(super) arrangement: Arrangement,
    pub(super) interpreter: Interpreter<'s>,
    pub(super) built: Rc<Built>,
    pub(super) offers: FxHashMap<LocalId, Rc<[(EventNumber, LocalId)]>>,
    /// The offers of processes, once for each way to answer the open tests.
    pub(super) runs: FxHashMap<LocalId, Rc<[PartialRun]>>,
    /// The offers of processes of the specification, with internal choices as external ones.
    pub(super) runs_of_specification: FxHashMap<LocalId, Rc<[PartialRun]>>,
    pub(super) accepted: FxHashMap<(LocalId, EventNumber), LocalAcceptance>,
    pub(super) members: FxHashMap<(usize, EventNumber), bool>,
    pub(super) asked_outside: FxHashMap<(usize, EventNumber), bool>,
    /// The arrangements with one more identity in sight; `None` until they are needed.
    pub(super) outside: Option<Outside>,
    /// The members of the specification; `None` until they are needed.
    pub(super) members_known: Option<Rc<KnownMembers<'s>>>,
    /// For each event, true if it is certainly in the alphabet of some member of the specification.
    pub(super) in_some: FxHashMap<EventNumber, bool>,
    /// For a member of the specification and an event: true if it may be in the alphabet, and true
    /// if it may not be in it.
    pub(super) in_member: FxHashMap<(LocalId, EventNumber), (bool, bool)>,
}

impl<'s> FamilyQuestion<'s> {
    pub(super) fn interpreter(
        &self,
        arrangement: &Arrangement,
        met: &Rc<MetByScript>,
    ) -> Interpreter<'s> {
        let parameter = Parameter::new(self.script, self.parameter, self.index_set, &met.range);
        let identities = IdentitiesInSight::new(parameter, arrangement.clone());
        let mut interpreter = Interpreter::new(self.script, identities, met);
        interpreter.resolves = self.specification.is_none();
        interpreter
    }

    /// The structure for `arrangement`. The mask `named` selects, among the places where servers
    /// begin with the number of the first identity, those that mean that identity.
    pub(super) fn built(
        &self,
        arrangement: &Arrangement,
        named: u32,
        met: &Rc<MetByScript>,
    ) -> Result<Built> {
        // The first identity is taken to be out of sight, and then each identity in sight.
        let (mut built, names_first) = self.built_with(Id::Other, arrangement, named, met)?;
        if names_first {
            for id in 0..arrangement.count() {
                let first = Id::Seen(id);
                let (other, _) = self.built_with(first, arrangement, named, met)?;
                if !other.has_structure_of(&built) {
                    let interpreter = self.interpreter(arrangement, met);
                    return Err(
                        interpreter.refused("the parallel structure depends on the first identity")
                    );
                }
                built.beginnings.extend(other.beginnings);
            }
        }
        Ok(built)
    }

    /// The structure if `first` is the first identity, and true if this makes a difference.
    fn built_with(
        &self,
        first: Id,
        arrangement: &Arrangement,
        named: u32,
        met: &Rc<MetByScript>,
    ) -> Result<(Built, bool)> {
        // This evaluation has its own interpreter: values of constants may depend on the first
        // identity.
        let mut interpreter = self.interpreter(arrangement, met);
        interpreter.identities.begin_with(first);
        let mut structure = FamilyStructure::default();
        let implementation = interpreter.structure(self.implementation, &mut structure)?;
        let specification = match self.specification {
            Some(process) => Some(interpreter.specification(process, &mut structure)?),
            None => None,
        };
        let mut alphabets_of_last = vec![None; structure.alphabetised];
        structure.alphabets_of_last(&implementation, &mut alphabets_of_last);
        let identities = &interpreter.identities;
        let number = identities.parameter.first_number();
        let number = number.map(PartialValue::Int);
        let numbered = number.map_or(0, |number| structure.read_as_first(&number, first, named));
        let names_first = identities.names_first() || named != 0;
        let members_of = structure.members.as_ref().map(|(_, members)| members);
        let members_of = members_of.and_then(|members| members.first()?.parallel());
        let beginnings = structure.beginnings();
        let built = Built {
            implementation,
            specification,
            members_of,
            sets: structure.sets,
            alphabets_of_last: alphabets_of_last.into_iter().flatten().collect(),
            beginnings,
            numbered,
        };
        Ok((built, names_first))
    }
}

impl FamilyStructure {
    /// The beginnings of the processes: one for each member, if the specification is followed one
    /// member at a time.
    fn beginnings(&mut self) -> Vec<Beginning> {
        let (servers, own) = (
            std::mem::take(&mut self.servers),
            std::mem::take(&mut self.own),
        );
        let Some((places, members)) = self.members.take() else {
            return vec![Beginning { servers, own }];
        };
        let beginning = |member: OneMember| {
            let mut servers = servers.clone();
            servers[places.named] = vec![member.named];
            servers[places.state] = member.states;
            let own = own.clone();
            Beginning { servers, own }
        };
        members.into_iter().map(beginning).collect()
    }

    /// Reads `number` as the identity `first` in the places of the mask `named`, counted among the
    /// places where servers begin with it. Returns the number of such places.
    fn read_as_first(&mut self, number: &PartialValue, first: Id, named: u32) -> u32 {
        let mut places = 0;
        for states in &mut self.servers {
            let most = states.iter().map(|state| state.values.len()).max();
            for place in 0..most.unwrap_or(0) {
                let begins = |state: &&mut Local| state.values.get(place) == Some(number);
                let mut states = states.iter_mut().filter(begins).peekable();
                if states.peek().is_none() {
                    continue;
                }
                if named.checked_shr(places).is_some_and(|bits| bits & 1 == 1) {
                    states.for_each(|state| {
                        state.values = state.with(place, PartialValue::Id(first));
                    });
                }
                places += 1;
            }
        }
        places
    }
}

impl Built {
    /// True if the two differ at most in the beginnings of processes.
    fn has_structure_of(&self, other: &Built) -> bool {
        let counts = |built: &Built| {
            let beginning = &built.beginnings[0];
            let own: Vec<usize> = beginning.own.iter().map(Vec::len).collect();
            (beginning.servers.len(), own)
        };
        self.sets == other.sets
            && self.implementation == other.implementation
            && self.specification == other.specification
            && counts(self) == counts(other)
    }
}

impl<'s> Scene<'s> {
    /// The members of the specification `process`, which is followed one member at a time.
    pub(super) fn members_known(&mut self, process: ExprId) -> Result<Rc<KnownMembers<'s>>> {
        if let Some(known) = &self.members_known {
            return Ok(Rc::clone(known));
        }
        let top = Rc::clone(&self.interpreter.top);
        let Some(parallel) = self.interpreter.parallel_of_members(process, &top)? else {
            return Err(self.interpreter.refused("the specification has no members"));
        };
        let known = Rc::new(self.interpreter.known_members(parallel)?);
        self.members_known = Some(Rc::clone(&known));
        Ok(known)
    }

    /// True if `event` is certainly in the alphabet of some member of the specification `process`.
    pub(super) fn is_in_some_member(
        &mut self,
        process: ExprId,
        (number, event): (EventNumber, &PartialValue),
    ) -> Result<bool> {
        if let Some(known) = self.in_some.get(&number) {
            return Ok(*known);
        }
        let members = self.members_known(process)?;
        let is_in_some = members.is_in_some(event, &mut self.interpreter.comparison())?;
        self.in_some.insert(number, is_in_some);
        Ok(is_in_some)
    }

    /// Two answers about `event` and the alphabet of the member `local` of the specification
    /// `process`: true if it may be in it, and true if it may not be in it.
    pub(super) fn alphabet_has(
        &mut self,
        process: ExprId,
        (member, local): (LocalId, &Local),
        (number, event): (EventNumber, &PartialValue),
    ) -> Result<(bool, bool)> {
        if let Some(known) = self.in_member.get(&(member, number)) {
            return Ok(*known);
        }
        let members = self.members_known(process)?;
        let known = members.alphabet_has(&mut self.interpreter, local, event)?;
        self.in_member.insert((member, number), known);
        Ok(known)
    }

    /// The offers of `local`, the state with the number `number`, once for each way to answer the
    /// open tests.
    pub(super) fn runs(&mut self, number: LocalId, local: &Local) -> Result<Rc<[PartialRun]>> {
        if let Some(known) = self.runs.get(&number) {
            return Ok(Rc::clone(known));
        }
        let runs: Rc<[_]> = self.interpreter.offers(local)?.into();
        self.runs.insert(number, Rc::clone(&runs));
        Ok(runs)
    }

    /// The offers of `local`, the state with the number `number`, as a process of the
    /// specification, in which an internal choice is an external one.
    pub(super) fn runs_of_specification(
        &mut self,
        number: LocalId,
        local: &Local,
    ) -> Result<Rc<[PartialRun]>> {
        if !self.interpreter.resolves {
            return self.runs(number, local);
        }
        if let Some(known) = self.runs_of_specification.get(&number) {
            return Ok(Rc::clone(known));
        }
        self.interpreter.resolves = false;
        let runs = self.interpreter.offers(local);
        self.interpreter.resolves = true;
        let runs: Rc<[_]> = runs?.into();
        self.runs_of_specification.insert(number, Rc::clone(&runs));
        Ok(runs)
    }

    /// True if an identity out of sight certainly takes part in `event`, which names it or a
    /// neighbour of it. The operands of the node `node` have the alphabets in `outside`.
    pub(super) fn asks_outside(
        &mut self,
        node: usize,
        event: &PartialValue,
        outside: &[(Arrangement, Rc<Built>)],
    ) -> Result<bool> {
        let new = self.arrangement.count();
        let others = event.others();
        if others > MOST_OTHERS {
            return Ok(false);
        }
        // Several identities that the event names out of sight may be one: so each way to read it
        // counts.
        let ways: Vec<(u32, PartialValue)> = (0..1u32 << others)
            .map(|ids| {
                let met = Cell::new(0);
                (ids, event.mapped(&BroughtIn { met, ids, new }))
            })
            .collect();
        for number in 0..others {
            let named = ways.iter().filter(|(ids, _)| ids & (1 << number) != 0);
            if self.is_in_all(node, named, outside.iter())? {
                return Ok(true);
            }
        }
        for id in event.named() {
            let Id::Seen(id) = id else { continue };
            for side in [Side::Next, Side::Previous] {
                let neighbours: Vec<_> = outside
                    .iter()
                    .filter(|(more, _)| more.neighbour(id, side) == Some(new))
                    .collect();
                if !neighbours.is_empty()
                    && self.is_in_all(node, ways.iter(), neighbours.into_iter())?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// True if each of these ways to read an event is certainly in the alphabet of the added
    /// identity, in all of these arrangements.
    fn is_in_all<'o>(
        &mut self,
        node: usize,
        ways: impl Iterator<Item = &'o (u32, PartialValue)> + Clone,
        outside: impl Iterator<Item = &'o (Arrangement, Rc<Built>)>,
    ) -> Result<bool> {
        for (_, built) in outside {
            let alphabet = &built.alphabets_of_last[node];
            for (_, event) in ways.clone() {
                if self.interpreter.comparison().contains(alphabet, event)? != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The most identities out of sight in an event for which taking part is decided.
const MOST_OTHERS: usize = 8;

/// Replaces some of the identities out of sight in an event by the identity `new`: those whose
/// positions are in the mask `ids`.
struct BroughtIn {
    /// The number of identities out of sight met so far.
    met: Cell<u32>,
    ids: u32,
    new: u8,
}

impl IdMap for BroughtIn {
    fn id(&self, id: Id) -> Id {
        if id != Id::Other {
            return id;
        }
        let number = self.met.replace(self.met.get() + 1);
        match self.ids & (1 << number) {
            0 => id,
            _ => Id::Seen(self.new),
        }
    }
}
