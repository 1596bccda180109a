//! The places at which atoms stand in a term or in a set of events.
//!
//! Marking one atom and hashing tells at which places it stands, whatever the other atoms are: the
//! hash of an image is that of its origin if the mark moves along. Where hashes of different things
//! are equal, atoms are told apart less well, and more images of one term count as different.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;

use super::image::{AtomPermutation, Image};
use super::types::AtomId;
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

/// The place of atoms in something, whatever the atoms are.
#[derive(Debug)]
pub(super) struct Ends {
    /// A hash without the atoms.
    pub(super) shape: u64,
    /// The atoms that stand in it, but for those of which all permutations leave it as it is.
    pub(super) places: Box<[End]>,
}

/// An atom that stands in something.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) atom: AtomId,
    /// A hash of the places at which it stands.
    pub(super) role: u64,
    /// Exchanging atoms of one class leaves the whole as it is.
    pub(super) class: u32,
}

/// The thing in which atoms stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Subject {
    Term(TermId),
    Set(EventSetId),
}

impl Subject {
    /// The number of the term or of the set.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Term(TermId(number)) | Self::Set(EventSetId(number)) => number,
        }
    }
}

impl Ends {
    fn of(&self, atom: AtomId) -> Option<&End> {
        self.places.iter().find(|end| end.atom == atom)
    }
}

impl Evaluator<'_> {
    /// The places of atoms in `subject`.
    pub(super) fn atom_ends(&mut self, subject: Subject) -> Result<Rc<Ends>> {
        if let Some(known) = self.declared.atoms.ends.get(&subject) {
            return Ok(Rc::clone(known));
        }
        let ends = Rc::new(deep(|| self.new_ends(subject))?);
        self.declared.atoms.ends.insert(subject, Rc::clone(&ends));
        Ok(ends)
    }

    fn new_ends(&mut self, subject: Subject) -> Result<Ends> {
        let (shape, met) = self.read(subject, None)?;
        let mut places: Vec<End> = Vec::with_capacity(met.len());
        let mut classes = 0;
        for atom in met {
            let (role, _) = self.read(subject, Some(atom))?;
            let mut alike = None;
            for end in places.iter().filter(|end| end.role == role) {
                if alike == Some(end.class) || !self.may_exchange(subject, end.atom, atom)? {
                    continue;
                }
                alike = Some(end.class);
                break;
            }
            let class = alike.unwrap_or(classes);
            classes = classes.max(class + 1);
            places.push(End { atom, role, class });
        }
        self.leave_out_rest(&mut places);
        Ok(Ends {
            shape,
            places: places.into(),
        })
    }

    /// The hash of `subject` with the mark on an atom, and the atoms in it.
    fn read(&mut self, subject: Subject, mark: Option<AtomId>) -> Result<(u64, BTreeSet<AtomId>)> {
        let mut reading = Reading {
            evaluator: self,
            mark,
            met: BTreeSet::new(),
        };
        let hash = match subject {
            Subject::Term(term) => reading.new_term(term)?,
            Subject::Set(set) => reading.new_set(set)?,
        };
        Ok((hash, reading.met))
    }

    /// True if exchanging the two atoms, of one type, leaves `subject` as it is.
    fn may_exchange(&mut self, subject: Subject, one: AtomId, other: AtomId) -> Result<bool> {
        if self.declared.atoms.types.type_of(one) != self.declared.atoms.types.type_of(other) {
            return Ok(false);
        }
        let identity = self.identity();
        let mut exchange = (*identity).clone();
        (exchange[one], exchange[other]) = (other, one);
        let exchange: AtomPermutation = Rc::new(exchange);
        // The order of operands means nothing, and images have them in an order. So two images are
        // compared.
        let exchanged = Image::under(self, &exchange).anew(subject)?;
        Ok(Image::under(self, &identity).anew(subject)? == exchanged)
    }

    /// Leaves the largest class of each type out of `places` if there is one, and all atoms of the
    /// type are there: where the others go then tells where all go.
    fn leave_out_rest(&self, places: &mut Vec<End>) {
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
            let count = |class: u32| own.iter().filter(|&&other| other == class).count();
            let Some(&largest) = own.iter().max_by_key(|&&class| count(class)) else {
                continue;
            };
            let is_one = own
                .iter()
                .all(|&class| class == largest || count(class) < count(largest));
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
        let mut reading = Reading {
            evaluator: self,
            mark: None,
            met: BTreeSet::new(),
        };
        // A part that cannot be read is one in which atoms may stand.
        match reading.value(value) {
            Ok(_) => reading.met.into_iter().collect(),
            Err(_) => self.declared.atoms.types.atoms().collect(),
        }
    }
}

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

fn hash_of(thing: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    mix(hasher.finish())
}

impl Reading<'_, '_> {
    fn atom(&mut self, atom: AtomId) -> u64 {
        self.met.insert(atom);
        let ty = self.evaluator.declared.atoms.types.type_of(atom);
        hash_of((ty, self.mark == Some(atom)))
    }

    /// The hash of what has these `ends`.
    fn known(&mut self, ends: &Ends) -> u64 {
        self.met.extend(ends.places.iter().map(|end| end.atom));
        let marked = self.mark.and_then(|mark| ends.of(mark));
        marked.map_or(ends.shape, |end| end.role)
    }

    fn term(&mut self, term: TermId) -> Result<u64> {
        let ends = self.evaluator.atom_ends(Subject::Term(term))?;
        Ok(self.known(&ends))
    }

    fn set(&mut self, set: EventSetId) -> Result<u64> {
        let ends = self.evaluator.atom_ends(Subject::Set(set))?;
        Ok(self.known(&ends))
    }

    fn new_set(&mut self, set: EventSetId) -> Result<u64> {
        if self.evaluator.terms.events.is_of_channels(set) {
            return Ok(hash_of(set));
        }
        let mut hash = 2_u64;
        for event in self.evaluator.terms.events.set(set).to_vec() {
            hash = hash.wrapping_add(mix(self.event(event)?));
        }
        Ok(hash)
    }

    fn event(&mut self, event: EventId) -> Result<u64> {
        match self.evaluator.events.value(event).cloned() {
            Some(value) => self.value(&value),
            None => Ok(hash_of(event)),
        }
    }

    fn new_term(&mut self, term: TermId) -> Result<u64> {
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
