//! The types whose values are atoms, the numbers of the atoms, and what is known about them.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::atom::{AtomId, TypedAtom};
use crate::sequence::Sequence;
use crate::set::Set;
use crate::value::{HeadId, Lazy, Value};
use base::index::IndexVec;
use base::stack::deep;
use process::event::EventSetId;
use process::term::TermId;

/// The atoms of an evaluator, and what is known about them.
#[derive(Default)]
pub(crate) struct Atoms {
    pub(crate) types: AtomTypes,
    /// The atom that was looked into last.
    pub(super) refused: Cell<Option<AtomId>>,
    /// The places of atoms in terms and in sets of events, as far as they were asked for.
    pub(super) ends: FxHashMap<AtomSubject, Rc<AtomEnds>>,
    /// The number of terms and of parts of them that were looked at for images.
    pub(super) looked_at: usize,
    /// The numbers of images of calls and of sets of events, by the images of the atoms at their
    /// ends, as far as they were asked for.
    pub(super) images: FxHashMap<(AtomSubject, Box<[AtomId]>), u32>,
}

/// A type whose values can be atoms: a finite set of integers that a field ranges over, or the
/// constants of a datatype.
#[derive(Clone, PartialEq, Debug)]
pub struct AtomType {
    /// The set as CSPm, or the name of the datatype.
    pub name: String,
    /// The values, ascending; two or more.
    pub(super) values: Rc<[Value]>,
    /// The constants that were left out of it.
    pub(super) left_out: Vec<Value>,
}

/// The most constants that are left out of a type one by one. Each takes an evaluation.
const MOST_LEFT_OUT: usize = 8;

impl AtomType {
    /// The number of values.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    /// The values as the script writes them, ascending.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }

    /// The values that were left out of it because the script looks into them.
    pub fn left_out(&self) -> impl Iterator<Item = &Value> {
        self.left_out.iter()
    }

    /// This type of constants without `value`; `None` if it is no type of constants, if fewer than
    /// two values would be left, or if many were left out before. Integers are made by arithmetic,
    /// so that one of them alone cannot be known from the others.
    pub(super) fn without(&self, value: &Value) -> Option<Self> {
        let left = self.values.iter().filter(|&other| other != value);
        let left: Rc<[Value]> = left.cloned().collect();
        let is_constant = matches!(value, Value::Head(_));
        (is_constant && left.len() >= 2 && self.left_out.len() < MOST_LEFT_OUT).then(|| Self {
            name: self.name.clone(),
            values: left,
            left_out: self.left_out.iter().chain([value]).cloned().collect(),
        })
    }
}

/// The types of an evaluator whose values are atoms.
#[derive(Default)]
pub(crate) struct AtomTypes {
    types: Vec<AtomType>,
    /// By atom: the number of its type, and the value for which it stands.
    atoms: IndexVec<AtomId, (usize, Value)>,
    /// The atoms that are constants of datatypes.
    constants: FxHashMap<HeadId, AtomId>,
    /// By type, the values of its atoms, once a display of integers was one of these.
    displayed: Vec<OnceCell<Rc<[Value]>>>,
}

impl AtomTypes {
    pub(super) fn new(types: Vec<AtomType>) -> Self {
        let (mut atoms, mut constants) = (IndexVec::default(), FxHashMap::default());
        for (number, ty) in types.iter().enumerate() {
            for value in ty.values.iter() {
                let atom = atoms.push((number, value.clone()));
                if let Value::Head(head) = value {
                    constants.insert(*head, atom);
                }
            }
        }
        Self {
            displayed: vec![OnceCell::new(); types.len()],
            types,
            atoms,
            constants,
        }
    }

    /// True if no value is an atom.
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All atoms, those of each type together.
    pub(super) fn atoms(&self) -> impl Iterator<Item = AtomId> + use<> {
        self.atoms.indices()
    }

    /// The number of atoms of each type.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        self.types.iter().map(|ty| ty.values.len())
    }

    /// The number of the type of `atom`.
    pub(super) fn type_of(&self, atom: AtomId) -> usize {
        self.atoms[atom].0
    }

    /// The atom that `value` is, if it is one.
    pub(crate) fn atom(&self, value: &Value) -> Option<AtomId> {
        match value {
            Value::Atom(atom) => Some(atom.id),
            Value::Head(head) => self.constants.get(head).copied(),
            _ => None,
        }
    }

    /// The value that stands for `atom` in an evaluation.
    pub(super) fn value(&self, atom: AtomId) -> Value {
        match &self.atoms[atom].1 {
            Value::Int(_) => Value::Atom(self.typed(atom)),
            constant => constant.clone(),
        }
    }

    /// `atom` with its type. There are fewer types than atoms, whose numbers are small.
    fn typed(&self, id: AtomId) -> TypedAtom {
        TypedAtom {
            ty: self.type_of(id) as u16,
            id,
        }
    }

    /// The value of the script for which `atom` stands.
    pub(crate) fn written(&self, atom: AtomId) -> &Value {
        &self.atoms[atom].1
    }

    /// `value`, which stands in an event, with integers in the place of their atoms.
    pub(super) fn without_atoms(&self, value: &Value) -> Value {
        deep(|| self.without_atoms_here(value))
    }

    fn without_atoms_here(&self, value: &Value) -> Value {
        let each = |values: &[Value]| -> Vec<Value> {
            values
                .iter()
                .map(|value| self.without_atoms(value))
                .collect()
        };
        match value {
            Value::Atom(atom) => self.written(atom.id).clone(),
            Value::Dot(parts) => Value::Dot(each(parts).into()),
            Value::Tuple(parts) => {
                let parts: Vec<Value> = parts.iter().map(Lazy::known).collect();
                Value::tuple(each(&parts))
            }
            Value::Sequence(items) => {
                let items: Vec<Value> = items.known_items().collect();
                Value::Sequence(Sequence::from_values(each(&items)))
            }
            Value::Set(set) => match &**set {
                Set::Finite(members) => Value::set(Set::from_values(each(members))),
                _ => value.clone(),
            },
            Value::Map(map) => {
                let entries = map.iter();
                let entries = entries.map(|(k, v)| (self.without_atoms(k), self.without_atoms(v)));
                Value::Map(Rc::new(entries.collect()))
            }
            _ => value.clone(),
        }
    }

    /// The atoms of the integers `members`, if these are all of one type.
    pub(crate) fn of_integers(&self, members: &[Value]) -> Option<Rc<[Value]>> {
        let first = members
            .first()
            .filter(|first| matches!(first, Value::Int(_)))?;
        let known = |ty: &AtomType| ty.values.first() == Some(first) && *ty.values == *members;
        let number = self.types.iter().position(known)?;
        let atoms = self.displayed[number].get_or_init(|| {
            let atoms = self.atoms.indices();
            let atoms = atoms.filter(|&atom| self.type_of(atom) == number);
            atoms.map(|atom| self.value(atom)).collect()
        });
        Some(Rc::clone(atoms))
    }

    /// The names of the types of constants, and of those of integers that were displayed: no others
    /// have values that are atoms.
    pub(super) fn names_of_met(&self) -> Vec<String> {
        let types = self.types.iter().zip(&self.displayed);
        let met = types.filter(|(ty, displayed)| {
            matches!(ty.values.first(), Some(Value::Head(_))) || displayed.get().is_some()
        });
        met.map(|(ty, _)| ty.name.clone()).collect()
    }

    /// The types for which `is_chosen`, by the number of the type, is true.
    pub(super) fn chosen(&self, is_chosen: &[bool]) -> Vec<AtomType> {
        let types = self.types.iter().zip(is_chosen);
        let chosen = types.filter(|&(_, &is_chosen)| is_chosen);
        chosen.map(|(ty, _)| ty.clone()).collect()
    }

    /// True if of each type of constants either all or none are among `members`.
    pub(crate) fn has_whole_types(&self, members: &Set) -> bool {
        let Set::Finite(members) = members else {
            return false;
        };
        (0..self.types.len()).all(|number| {
            let own = |value: &&Value| {
                let atom = self.atom(value);
                atom.is_some_and(|atom| self.type_of(atom) == number)
            };
            let count = members.iter().filter(own).count();
            count == 0 || count == self.types[number].values.len()
        })
    }
}

/// The place of atoms in something, whatever the atoms are.
#[derive(Debug)]
pub(super) struct AtomEnds {
    /// A hash without the atoms.
    pub(super) shape: u64,
    /// The atoms that stand in it, but for those of which all permutations leave it as it is.
    pub(super) places: Box<[AtomEnd]>,
}

/// An atom that stands in something.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtomEnd {
    pub(super) atom: AtomId,
    /// A hash of the places at which it stands.
    pub(super) role: u64,
    /// Exchanging atoms of one class leaves the whole as it is.
    pub(super) class: u32,
}

/// The thing in which atoms stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum AtomSubject {
    Term(TermId),
    Set(EventSetId),
}

impl AtomSubject {
    /// The number of the term or of the set.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Term(TermId(number)) | Self::Set(EventSetId(number)) => number,
        }
    }
}

impl AtomEnds {
    pub(super) fn of(&self, atom: AtomId) -> Option<&AtomEnd> {
        self.places.iter().find(|end| end.atom == atom)
    }
}
