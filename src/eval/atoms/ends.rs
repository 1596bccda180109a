//! The places at which atoms stand in a term or in a set of events.
//!
//! Marking one atom and hashing tells at which places it stands, whatever the other atoms are: the
//! hash of an image is that of its origin if the mark moves along. Where hashes of different things
//! are equal, atoms are told apart less well, and more images of one term count as different.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;

use super::image::Image;
use super::table::{AtomEnd, AtomEnds, AtomSubject};
use crate::atom::{AtomId, AtomPermutation};
use crate::call_table::CalledCode;
use crate::evaluator::Evaluator;
use crate::name_table::NameKey;
use crate::set::Set;
use crate::value::{Lazy, NameId, Value};
use base::diag::Result;
use base::mix::mix;
use base::stack::deep;
use process::event::{EventId, EventSetId};
use process::operator::Operator;
use process::term::{Term, TermId};

impl Evaluator<'_> {
    /// The places of atoms in `subject`.
    pub(super) fn atom_ends(&mut self, subject: AtomSubject) -> Result<Rc<AtomEnds>> {
        if let Some(known) = self.declared.atoms.ends.get(&subject) {
            return Ok(Rc::clone(known));
        }
        let ends = Rc::new(deep(|| self.new_ends(subject))?);
        self.declared.atoms.ends.insert(subject, Rc::clone(&ends));
        Ok(ends)
    }

    fn new_ends(&mut self, subject: AtomSubject) -> Result<AtomEnds> {
        let AtomRoles {
            shape,
            roles,
            events,
        } = match subject {
            AtomSubject::Term(term) => self.roles_in_term(term)?,
            AtomSubject::Set(set) => self.roles_in_set(set)?,
        };
        let mut places: Vec<AtomEnd> = Vec::with_capacity(roles.len());
        // The first end of each class.
        let mut classes: Vec<AtomEnd> = Vec::new();
        for (atom, role) in roles {
            let mut class = None;
            for first in classes.iter().filter(|first| first.role == role) {
                if self.may_exchange(subject, &events, [first.atom, atom])? {
                    class = Some(first.class);
                    break;
                }
            }
            let is_new = class.is_none();
            let class = class.unwrap_or(classes.len() as u32);
            let end = AtomEnd { atom, role, class };
            places.push(end);
            if is_new {
                classes.push(end);
            }
        }
        self.leave_out_rest(&mut places);
        Ok(AtomEnds {
            shape,
            places: places.into(),
        })
    }

    /// The roles of the atoms in `term`.
    fn roles_in_term(&mut self, term: TermId) -> Result<AtomRoles> {
        let mut reading = Reading::of(self);
        let shape = reading.new_term(term)?;
        let mut roles = Vec::new();
        for atom in std::mem::take(&mut reading.met) {
            reading.mark = Some(atom);
            roles.push((atom, reading.new_term(term)?));
        }
        Ok(AtomRoles {
            shape,
            roles,
            events: EventsOfAtoms::new(),
        })
    }

    /// The roles of the atoms in `set`. Looks at each event once for each atom in it, so that this
    /// takes time in proportion to the text of the set.
    fn roles_in_set(&mut self, set: EventSetId) -> Result<AtomRoles> {
        let mut events = EventsOfAtoms::new();
        // A field of atoms ranges over all of its type.
        if self.terms.events.is_of_channels(set) {
            let shape = hash_of(set);
            return Ok(AtomRoles {
                shape,
                roles: Vec::new(),
                events,
            });
        }
        let mut shape = 2_u64;
        let mut changes: BTreeMap<AtomId, u64> = BTreeMap::new();
        for event in self.terms.events.set(set).to_vec() {
            let mut reading = Reading::of(self);
            let plain = mix(reading.event(event)?);
            shape = shape.wrapping_add(plain);
            for atom in std::mem::take(&mut reading.met) {
                reading.mark = Some(atom);
                let marked = mix(reading.event(event)?);
                let change = changes.entry(atom).or_default();
                *change = change.wrapping_add(marked).wrapping_sub(plain);
                events.entry(atom).or_default().push(event);
            }
        }
        let changes = changes.into_iter();
        let roles = changes.map(|(atom, change)| (atom, shape.wrapping_add(change)));
        Ok(AtomRoles {
            shape,
            roles: roles.collect(),
            events,
        })
    }

    /// True if exchanging the two atoms, of one type, leaves `subject` as it is, in whose `events`
    /// they stand if it is a set.
    fn may_exchange(
        &mut self,
        subject: AtomSubject,
        events: &EventsOfAtoms,
        [one, other]: [AtomId; 2],
    ) -> Result<bool> {
        if self.declared.atoms.types.type_of(one) != self.declared.atoms.types.type_of(other) {
            return Ok(false);
        }
        let identity = self.identity();
        let mut exchange = (*identity).clone();
        (exchange[one], exchange[other]) = (other, one);
        let exchange: AtomPermutation = Rc::new(exchange);
        let term = match subject {
            AtomSubject::Term(term) => term,
            // All other events stay, so the images of these have to be members.
            AtomSubject::Set(set) => {
                for &event in [one, other]
                    .iter()
                    .filter_map(|atom| events.get(atom))
                    .flatten()
                {
                    let image = Image::under(self, &exchange).event(event)?;
                    if !self.terms.events.contains(set, image) {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
        };
        // The order of operands means nothing, and images have them in an order. So two images are
        // compared.
        let exchanged = Image::under(self, &exchange).new_term(term)?;
        Ok(Image::under(self, &identity).new_term(term)? == exchanged)
    }

    /// Leaves the largest class of each type out of `places` if there is one, and all atoms of the
    /// type are there: where the others go then tells where all go.
    fn leave_out_rest(&self, places: &mut Vec<AtomEnd>) {
        let types = &self.declared.atoms.types;
        for (number, size) in types.sizes().enumerate() {
            let own: Vec<u32> = places
                .iter()
                .filter(|end| types.type_of(end.atom) == number)
                .map(|end| end.class)
                .collect();
            if own.len() < size {
                continue;
            }
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            for &class in &own {
                *counts.entry(class).or_default() += 1;
            }
            let Some((&largest, &most)) = counts.iter().max_by_key(|&(_, count)| *count) else {
                continue;
            };
            let is_one = counts.values().filter(|&&count| count == most).count() == 1;
            if is_one {
                places.retain(|end| end.class != largest || types.type_of(end.atom) != number);
            }
        }
    }

    /// The permutation that moves nothing.
    pub(crate) fn identity(&self) -> AtomPermutation {
        Rc::new(self.declared.atoms.types.atoms().collect())
    }

    /// The atoms that stand in a fully evaluated value.
    pub(super) fn atoms_in(&mut self, value: &Value) -> Vec<AtomId> {
        let mut reading = Reading::of(self);
        // A part that cannot be read is one in which atoms may stand.
        match reading.value(value) {
            Ok(_) => reading.met.into_iter().collect(),
            Err(_) => self.declared.atoms.types.atoms().collect(),
        }
    }
}

/// The atoms of something by their roles.
struct AtomRoles {
    /// The hash without the atoms.
    shape: u64,
    /// The role of each atom.
    roles: Vec<(AtomId, u64)>,
    /// If it is a set, the events in which each atom stands.
    events: EventsOfAtoms,
}

/// The events in which each atom stands.
type EventsOfAtoms = BTreeMap<AtomId, Vec<EventId>>;

/// Hashes with a mark on one atom.
struct Reading<'r, 's> {
    evaluator: &'r mut Evaluator<'s>,
    mark: Option<AtomId>,
    /// The atoms met.
    met: BTreeSet<AtomId>,
}

/// The hash of `parts` in their order.
fn in_order(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(1, |hash, part| mix(hash ^ part))
}

/// The hash of a thing without atoms.
pub(super) fn hash_of(thing: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    mix(hasher.finish())
}

impl<'r, 's> Reading<'r, 's> {
    /// A reading without a mark.
    fn of(evaluator: &'r mut Evaluator<'s>) -> Self {
        Self {
            evaluator,
            mark: None,
            met: BTreeSet::new(),
        }
    }

    fn atom(&mut self, atom: AtomId) -> u64 {
        self.met.insert(atom);
        let ty = self.evaluator.declared.atoms.types.type_of(atom);
        hash_of((ty, self.mark == Some(atom)))
    }

    /// The hash of what has these `ends`.
    fn known(&mut self, ends: &AtomEnds) -> u64 {
        self.met.extend(ends.places.iter().map(|end| end.atom));
        let marked = self.mark.and_then(|mark| ends.of(mark));
        marked.map_or(ends.shape, |end| end.role)
    }

    fn term(&mut self, term: TermId) -> Result<u64> {
        let ends = self.evaluator.atom_ends(AtomSubject::Term(term))?;
        Ok(self.known(&ends))
    }

    fn set(&mut self, set: EventSetId) -> Result<u64> {
        let ends = self.evaluator.atom_ends(AtomSubject::Set(set))?;
        Ok(self.known(&ends))
    }

    fn event(&mut self, event: EventId) -> Result<u64> {
        match self.evaluator.events.value(event).cloned() {
            Some(value) => self.value(&value),
            None => Ok(hash_of(event)),
        }
    }

    fn new_term(&mut self, term: TermId) -> Result<u64> {
        self.evaluator.work.tick()?;
        self.evaluator.declared.atoms.looked_at += 1;
        let shape = self.evaluator.terms.get(term).clone();
        let kind = hash_of(std::mem::discriminant(&shape));
        Ok(match shape {
            Term::Call(call) => {
                let key = self.evaluator.names.calls.key(call).clone();
                let callee = match key.callee {
                    CalledCode::Waiting(term, tock) => {
                        in_order([self.term(term)?, self.event(tock)?])
                    }
                    CalledCode::Loop(term) => in_order([3, self.term(term)?]),
                    code => hash_of(code),
                };
                in_order([kind, callee, self.values(&key.values)?])
            }
            Term::Run(set) | Term::Chaos(set) => in_order([kind, self.set(set)?]),
            Term::Prefix(branches) => {
                let mut hash = kind;
                for &(event, next) in branches.iter() {
                    let branch = in_order([self.event(event)?, self.term(next)?]);
                    hash = hash.wrapping_add(mix(branch));
                }
                hash
            }
            Term::InternalChoice(operands) => kind.wrapping_add(self.unordered(&operands)?),
            Term::Over(operator, operands) => {
                let operator_hash = self.operator(&operator)?;
                let operands = match &operator {
                    Operator::Choice(_) | Operator::Parallel(_) => self.unordered(&operands)?,
                    Operator::Alphabetised(alphabets) => {
                        let mut hash = 0_u64;
                        for (&operand, &alphabet) in operands.iter().zip(alphabets.iter()) {
                            let both = in_order([self.term(operand)?, self.set(alphabet)?]);
                            hash = hash.wrapping_add(mix(both));
                        }
                        hash
                    }
                    _ => {
                        let operands = operands.iter().map(|&operand| self.term(operand));
                        in_order(operands.collect::<Result<Vec<u64>>>()?)
                    }
                };
                in_order([kind, operator_hash, operands])
            }
            Term::Stop | Term::Skip | Term::Omega | Term::Div => kind,
            Term::Watchdog(_) | Term::Imported(..) | Term::Buffer(..) => kind,
        })
    }

    fn unordered(&mut self, operands: &[TermId]) -> Result<u64> {
        let mut hash = 0_u64;
        for &operand in operands {
            hash = hash.wrapping_add(mix(self.term(operand)?));
        }
        Ok(hash)
    }

    /// The hash of an operator without operands and without the alphabets that belong to them.
    fn operator(&mut self, operator: &Operator) -> Result<u64> {
        let kind = hash_of(operator.name());
        let set = operator.set().map(|set| self.set(set)).transpose()?;
        let mut pairs = 0_u64;
        if let Operator::Linked(ties) | Operator::Rename(ties) = operator {
            for &(from, to) in ties.iter() {
                let pair = in_order([self.event(from)?, self.event(to)?]);
                pairs = pairs.wrapping_add(mix(pair));
            }
        }
        Ok(in_order([kind, set.unwrap_or(4), pairs]))
    }

    fn name(&mut self, name: NameId) -> Result<u64> {
        Ok(match self.evaluator.names.code.key(name).clone() {
            NameKey::Function(code, values) => in_order([hash_of(code), self.values(&values)?]),
            NameKey::Expression(code, values) => in_order([hash_of(code), self.values(&values)?]),
            NameKey::Parts(values) => in_order([5, self.values(&values)?]),
        })
    }

    fn values(&mut self, values: &[Value]) -> Result<u64> {
        let values = values.iter().map(|value| self.value(value));
        Ok(in_order(values.collect::<Result<Vec<u64>>>()?))
    }

    fn value(&mut self, value: &Value) -> Result<u64> {
        match self.evaluator.declared.atoms.types.atom(value) {
            Some(atom) => Ok(self.atom(atom)),
            None => deep(|| self.compound(value)),
        }
    }

    fn compound(&mut self, value: &Value) -> Result<u64> {
        let kind = hash_of(std::mem::discriminant(value));
        Ok(match value {
            Value::Tuple(parts) => {
                let parts: Vec<Value> = parts.iter().map(Lazy::known).collect();
                in_order([kind, self.values(&parts)?])
            }
            Value::Sequence(items) => {
                let items: Vec<Value> = items.known_items().collect();
                in_order([kind, self.values(&items)?])
            }
            Value::Set(set) => in_order([kind, self.value_set(set)?]),
            Value::Map(map) => {
                let mut hash = kind;
                for (key, value) in map.iter() {
                    let entry = in_order([self.value(key)?, self.value(value)?]);
                    hash = hash.wrapping_add(mix(entry));
                }
                hash
            }
            Value::Dot(parts) => in_order([kind, self.values(parts)?]),
            Value::Builtin(builtin, given) => {
                in_order([kind, hash_of(builtin), self.values(given)?])
            }
            Value::Process(term) => in_order([kind, self.term(*term)?]),
            Value::Function(closure) => in_order([kind, self.name(closure.key())?]),
            Value::Code(name) => in_order([kind, self.name(*name)?]),
            Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Head(_) => hash_of(value),
            // An image is refused of what has modules in it.
            Value::Instance(..) | Value::Module(..) | Value::Atom(_) => kind,
        })
    }

    fn value_set(&mut self, set: &Set) -> Result<u64> {
        let kind = hash_of(std::mem::discriminant(set));
        Ok(match set {
            Set::Finite(members) => {
                let mut hash = kind;
                for member in members.iter() {
                    hash = hash.wrapping_add(mix(self.value(member)?));
                }
                hash
            }
            Set::Sequences(inner) | Set::Subsets(inner) => in_order([kind, self.value_set(inner)?]),
            Set::Maps(keys, targets) => {
                in_order([kind, self.value_set(keys)?, self.value_set(targets)?])
            }
            Set::Tuples(sets) | Set::Dots(sets) | Set::Union(sets) => {
                let sets = sets.iter().map(|set| self.value_set(set));
                in_order(sets.collect::<Result<Vec<u64>>>()?)
            }
            Set::IntegersFrom(from) => in_order([kind, hash_of(from)]),
            Set::Datatype(datatype) => in_order([kind, hash_of(datatype)]),
            Set::Integers | Set::Characters | Set::Processes => kind,
        })
    }
}
