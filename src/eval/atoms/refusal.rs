//! Refusals to look at anything of atoms but if two are equal.

use std::rc::Rc;

use super::table::AtomType;
use crate::atom::{AtomId, TypedAtom, take_compared};
use crate::environment::Frame;
use crate::evaluator::Evaluator;
use crate::set::Set;
use crate::value::Value;
use base::diag::{Diagnostic, Result};
use process::event::EventId;
use syntax::ast::{Expr, ExprId};

/// The code of a message that an atom was looked into.
pub const NOT_AN_ATOM: &str = "looked-into";

impl Evaluator<'_> {
    /// The message that `atom` was looked into by `what`.
    pub(crate) fn looked_into(&self, atom: AtomId, what: &str) -> Diagnostic {
        let atoms = &self.declared.atoms;
        atoms.refused.set(Some(atom));
        let shown = self.show(&self.declared.atoms.types.value(atom));
        let message = format!("{what} tells {shown} from the other values of its type");
        self.work.limit(NOT_AN_ATOM, message)
    }

    /// Fails if `value`, a constant that the script names, is an atom.
    pub(crate) fn not_by_name(&self, value: &Value) -> Result<()> {
        match self.declared.atoms.types.atom(value) {
            Some(atom) => self.looked_into(atom, "its name").into(),
            None => Ok(()),
        }
    }

    /// The set `{...}` of `items` if they name constants that are atoms, and all of their types.
    pub(crate) fn set_of_whole_types(
        &mut self,
        items: &[ExprId],
        environment: &Rc<Frame>,
    ) -> Result<Option<Set>> {
        let types = &self.declared.atoms.types;
        let script = self.script;
        let is_name = |&item: &ExprId| matches!(script.ast.expr(item), Expr::Name(_));
        if types.is_empty() || items.is_empty() || !items.iter().all(is_name) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(items.len());
        for &item in items {
            let reference = script.reference_of(item);
            if !script.names_constructor(reference) {
                return Ok(None);
            }
            values.push(self.reference(reference, environment)?);
        }
        let set = Set::from_values(values);
        let is_whole = self.declared.atoms.types.has_whole_types(&set);
        Ok(is_whole.then_some(set))
    }

    /// `set`, with atoms in the place of integers if these are all of one type of atoms. This is
    /// where atoms come from: a set of integers that means something else is mostly another set,
    /// and where it is not, a refusal follows from what is done with its members.
    pub(crate) fn with_atoms_for_integers(&self, set: Set) -> Set {
        match &set {
            Set::Finite(members) if !self.declared.atoms.types.is_empty() => {
                let atoms = self.declared.atoms.types.of_integers(members);
                atoms.map_or(set, Set::Finite)
            }
            _ => set,
        }
    }

    /// Fails if an atom stands in `value`, fully evaluated, whose parts come in an order of their
    /// own because of `what`.
    pub(crate) fn unordered(&mut self, value: &Value, what: &str) -> Result<()> {
        if self.declared.atoms.types.is_empty() {
            return Ok(());
        }
        match self.atoms_in(value).first() {
            Some(&atom) => self.looked_into(atom, what).into(),
            None => Ok(()),
        }
    }

    /// Fails if an atom is in `set` but not all of its type. Subtypes are such sets.
    pub(crate) fn of_whole_types(&mut self, set: &Set) -> Result<()> {
        if self.declared.atoms.types.is_empty() || self.declared.atoms.types.has_whole_types(set) {
            return Ok(());
        }
        self.unordered(&Value::set(set.clone()), "a subtype")
    }

    /// Fails if an atom was compared with an integer, or with an atom of another type, since this
    /// was asked last.
    pub fn check_atoms(&mut self) -> Result<()> {
        if self.declared.atoms.types.is_empty() {
            return Ok(());
        }
        match take_compared() {
            Some(atom) => self.looked_into(atom.id, ACROSS_KINDS).into(),
            None => Ok(()),
        }
    }

    /// The names of the types of which values were atoms in what was evaluated.
    pub fn types_of_atoms(&self) -> Vec<String> {
        self.declared.atoms.types.names_of_met()
    }

    /// The event of this evaluator that `other`, of one script with it, knows as `event`.
    pub fn event_of(&mut self, other: &Evaluator<'_>, event: EventId) -> Result<EventId> {
        match other.events.value(event) {
            Some(value) => {
                let value = other.declared.atoms.types.without_atoms(value);
                self.event(&value)
            }
            // τ and ✓ have their numbers in every evaluator.
            None => Ok(event),
        }
    }

    /// Leaves out of `types`, those that were given, what was looked into before an evaluation
    /// ended with `problem`: a constant by itself, and else all of a type. Returns how it was
    /// looked into; `problem` as an error if nothing was.
    pub fn leave_out_looked_into(
        &self,
        types: &mut Vec<AtomType>,
        problem: Box<Diagnostic>,
    ) -> Result<Box<Diagnostic>> {
        // An error may be what a comparison that is of no worth has led to.
        let (atom, refused) = match take_compared() {
            Some(TypedAtom { id, .. }) => {
                let mut refused = self.looked_into(id, ACROSS_KINDS);
                refused.labels = problem.labels;
                (id, Box::new(refused))
            }
            None => match self.declared.atoms.refused.get() {
                Some(atom) => (atom, problem),
                None => return Err(problem),
            },
        };
        let number = self.declared.atoms.types.type_of(atom);
        match types[number].without(self.declared.atoms.types.written(atom)) {
            Some(fewer) => types[number] = fewer,
            None => drop(types.remove(number)),
        }
        Ok(refused)
    }
}

/// The words for a comparison with something of another kind.
const ACROSS_KINDS: &str = "a comparison with an integer of no type or of another";
