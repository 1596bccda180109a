//! Looks for the types whose values can be atoms.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::table::{AtomType, AtomTypes};
use crate::atom::take_compared;
use crate::evaluator::Evaluator;
use crate::kind::PermutableKind;
use crate::set::Set;
use crate::value::{DatatypeId, Value};
use base::diag::Result;

/// The most atoms of an evaluator. Permutations of more cost more than they save.
const MOST_ATOMS: usize = 4096;

impl<'s> Evaluator<'s> {
    /// The types whose values can be atoms: those over which fields of channels range. Channels
    /// whose fields have mistakes are left out.
    pub fn atom_types(&mut self) -> Result<Vec<AtomType>> {
        let mut types: Vec<AtomType> = Vec::new();
        let mut heads = self.declared.channels();
        let mut seen = FxHashSet::default();
        while let Some(head) = heads.pop() {
            let fields = match self.fields(head) {
                // The channel may be one that no process uses.
                Err(problem) if self.work.is_mistake(&problem) => continue,
                fields => fields?,
            };
            for field in fields.iter() {
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
            let ty = AtomType {
                name,
                values,
                left_out: Vec::new(),
            };
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        Ok(datatypes)
    }

    /// This evaluator, before anything was evaluated, with the values of `types` as atoms.
    #[must_use]
    pub fn with_atoms(mut self, types: Vec<AtomType>) -> Self {
        // What other evaluators of this thread have compared does not count.
        take_compared();
        self.declared.atoms.types = AtomTypes::new(types);
        self
    }
}
