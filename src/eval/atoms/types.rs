//! The types whose values are atoms, and the numbers of the atoms.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::refusal::forget_comparisons;
use crate::evaluator::Evaluator;
use crate::kind::PermutableKind;
use crate::sequence::Sequence;
use crate::set::Set;
use crate::value::{DatatypeId, HeadId, Lazy, Value};
use base::define_index;
use base::diag::Result;
use base::index::IndexVec;

define_index! {
    /// A value of a type of atoms. Those of one type have successive numbers.
    AtomId,
}

/// An atom that is an integer, with the number of its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypedAtom {
    pub(crate) ty: u16,
    pub(crate) id: AtomId,
}

/// A type whose values can be atoms: a finite set of integers that a field ranges over, or the
/// constants of a datatype.
#[derive(Clone, PartialEq, Debug)]
pub struct AtomType {
    /// The set as CSPm, or the name of the datatype.
    pub name: String,
    /// The values, ascending; two or more.
    values: Rc<[Value]>,
}

impl AtomType {
    /// This type of constants without `value`; `None` if it is no type of constants, or fewer than
    /// two values would be left. Integers are made by arithmetic, so that one of them alone cannot
    /// be known from the others.
    pub(super) fn without(&self, value: &Value) -> Option<Self> {
        let left = self.values.iter().filter(|&other| other != value);
        let left: Rc<[Value]> = left.cloned().collect();
        let is_constant = matches!(value, Value::Head(_));
        (is_constant && left.len() >= 2).then(|| Self {
            name: self.name.clone(),
            values: left,
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
}

/// The most atoms of an evaluator. Permutations of more cost more than they save.
pub(super) const MOST_ATOMS: usize = 4096;

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
        let known = |ty: &&AtomType| ty.values.first() == Some(first) && *ty.values == *members;
        let ty = self.types.iter().find(known)?;
        let number = self.types.iter().position(|other| other == ty)?;
        let atoms = self.atoms.indices();
        let atoms = atoms.filter(|&atom| self.type_of(atom) == number);
        Some(atoms.map(|atom| self.value(atom)).collect())
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

impl<'s> Evaluator<'s> {
    /// The types whose values can be atoms: those over which fields of channels range.
    pub fn atom_types(&mut self) -> Result<Vec<AtomType>> {
        let mut types: Vec<AtomType> = Vec::new();
        let mut heads = self.declared.channels();
        let mut seen = FxHashSet::default();
        while let Some(head) = heads.pop() {
            for field in self.fields(head)?.iter() {
                let datatypes = self.add_atom_types(field, &mut types)?;
                let new = datatypes
                    .into_iter()
                    .filter(|&datatype| seen.insert(datatype));
                for datatype in new {
                    heads.extend(&self.declared.datatypes[datatype].constructors);
                }
            }
        }
        let mut count = 0;
        types.retain(|ty| {
            count += ty.values.len();
            count <= MOST_ATOMS
        });
        Ok(types)
    }

    /// Adds the types of atoms over which parts of the members of `set` range. Returns the
    /// datatypes in it.
    fn add_atom_types(&mut self, set: &Set, types: &mut Vec<AtomType>) -> Result<Vec<DatatypeId>> {
        let mut datatypes = Vec::new();
        let inner: &[&Set] = match set {
            Set::Sequences(inner) | Set::Subsets(inner) => &[inner],
            Set::Maps(keys, targets) => &[keys, targets],
            _ => &[],
        };
        for inner in inner {
            datatypes.extend(self.add_atom_types(inner, types)?);
        }
        let values: Rc<[Value]> = match set {
            Set::Tuples(sets) | Set::Dots(sets) | Set::Union(sets) => {
                for set in sets.iter() {
                    datatypes.extend(self.add_atom_types(set, types)?);
                }
                return Ok(datatypes);
            }
            Set::Finite(members) if members.iter().all(|m| matches!(m, Value::Int(_))) => {
                Rc::clone(members)
            }
            Set::Datatype(datatype) => {
                datatypes.push(*datatype);
                let constructors = self.declared.datatypes[*datatype].constructors.iter();
                let constructors = constructors.map(|&head| Value::Head(head));
                let constants =
                    constructors.filter(|value| self.declared.constant_of(value).is_some());
                let mut constants: Vec<Value> = constants.collect();
                constants.sort();
                constants.into()
            }
            _ => return Ok(datatypes),
        };
        if (2..=MOST_ATOMS).contains(&values.len()) {
            let name = match set {
                Set::Finite(_) => {
                    let kind = PermutableKind::Index(Rc::clone(&values));
                    self.text().value_type(kind, Vec::new()).name
                }
                _ => self.text().set(set),
            };
            let ty = AtomType { name, values };
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        Ok(datatypes)
    }

    /// This evaluator, before anything was evaluated, with the values of `types` as atoms.
    #[must_use]
    pub fn with_atoms(mut self, types: Vec<AtomType>) -> Self {
        forget_comparisons();
        self.declared.atoms.types = AtomTypes::new(types);
        self
    }
}
