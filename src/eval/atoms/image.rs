//! The images of values, events, calls and terms under a permutation of atoms.
//!
//! A call's image is the call with the images of its values. Its body is the image of the call's
//! body: it is not evaluated, which is what [`super`] allows. Operands whose order means nothing
//! are sorted, so that terms that differ in it alone have one image.

use std::rc::Rc;
use std::sync::Arc;

use im::OrdMap;
use rustc_hash::FxHashMap;

use super::table::AtomSubject;
use crate::atom::{AtomId, AtomPermutation};
use crate::call_table::{CallKey, CalledCode};
use crate::evaluator::Evaluator;
use crate::name_table::NameKey;
use crate::sequence::Sequence;
use crate::set::Set;
use crate::value::{Lazy, NameId, Value};
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, EventSetId};
use process::operator::Operator;
use process::term::{CallId, Operands, Term, TermId};

/// Makes images under one permutation.
pub(crate) struct Image<'i, 's> {
    evaluator: &'i mut Evaluator<'s>,
    permutation: AtomPermutation,
    /// The images of terms made so far.
    terms: FxHashMap<TermId, TermId>,
}

impl<'i, 's> Image<'i, 's> {
    pub(crate) fn under(evaluator: &'i mut Evaluator<'s>, permutation: &AtomPermutation) -> Self {
        Self {
            evaluator,
            permutation: Rc::clone(permutation),
            terms: FxHashMap::default(),
        }
    }

    /// The image of `term`.
    pub(crate) fn term(&mut self, term: TermId) -> Result<TermId> {
        if let Some(&known) = self.terms.get(&term) {
            return Ok(known);
        }
        let image = match self.evaluator.terms.get(term) {
            Term::Call(_) => TermId(self.known(AtomSubject::Term(term))?),
            _ => deep(|| self.new_term(term))?,
        };
        self.terms.insert(term, image);
        Ok(image)
    }

    /// The number of the image of `subject`, which follows from those of the atoms at its ends.
    fn known(&mut self, subject: AtomSubject) -> Result<u32> {
        let ends = self.evaluator.atom_ends(subject)?;
        let atoms = ends.places.iter().map(|end| end.atom);
        let images: Box<[AtomId]> = atoms.clone().map(|atom| self.permutation[atom]).collect();
        if atoms.eq(images.iter().copied()) {
            return Ok(subject.number());
        }
        let key = (subject, images);
        if let Some(&known) = self.evaluator.declared.atoms.images.get(&key) {
            return Ok(known);
        }
        let image = deep(|| self.anew(subject))?.number();
        self.evaluator.declared.atoms.images.insert(key, image);
        Ok(image)
    }

    fn anew(&mut self, subject: AtomSubject) -> Result<AtomSubject> {
        Ok(match subject {
            AtomSubject::Term(term) => AtomSubject::Term(self.new_term(term)?),
            AtomSubject::Set(set) => AtomSubject::Set(self.new_set(set)?),
        })
    }

    /// The image of `term`, without the use of what is known of it.
    pub(super) fn new_term(&mut self, term: TermId) -> Result<TermId> {
        self.evaluator.work.tick()?;
        self.evaluator.declared.atoms.looked_at += 1;
        let shape = self.evaluator.terms.get(term).clone();
        let image = match shape {
            Term::Call(call) => return self.call(call),
            Term::Stop | Term::Skip | Term::Omega | Term::Div => return Ok(term),
            Term::Run(set) => Term::Run(self.set(set)?),
            Term::Chaos(set) => Term::Chaos(self.set(set)?),
            Term::Prefix(branches) => {
                let branches = branches.iter();
                let branches =
                    branches.map(|&(event, next)| Ok((self.event(event)?, self.term(next)?)));
                let mut branches = branches.collect::<Result<Vec<_>>>()?;
                branches.sort_unstable();
                Term::Prefix(branches.into())
            }
            Term::InternalChoice(operands) => {
                let mut operands = self.terms(&operands)?;
                operands.sort_unstable();
                Term::InternalChoice(operands.into())
            }
            Term::Over(operator, operands) => self.over(&operator, &operands)?,
            Term::Watchdog(_) => return self.no_image("a watchdog"),
            Term::Imported(..) => return self.no_image("an imported system"),
            Term::Buffer(..) => return self.no_image("a buffer"),
        };
        Ok(self.evaluator.terms.intern(image))
    }

    fn terms(&mut self, terms: &[TermId]) -> Result<Vec<TermId>> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    fn over(&mut self, operator: &Operator, operands: &[TermId]) -> Result<Term> {
        let mut images = self.terms(operands)?;
        let operator = match operator {
            Operator::Choice(set) => {
                images.sort_unstable();
                Operator::Choice(set.map(|set| self.set(set)).transpose()?)
            }
            Operator::Parallel(set) => {
                images.sort_unstable();
                Operator::Parallel(self.set(*set)?)
            }
            Operator::Alphabetised(alphabets) => {
                let alphabets = alphabets.iter().map(|&set| self.set(set));
                let alphabets = alphabets.collect::<Result<Vec<EventSetId>>>()?;
                let mut both: Vec<_> = images.into_iter().zip(alphabets).collect();
                both.sort_unstable();
                images = both.iter().map(|&(operand, _)| operand).collect();
                Operator::Alphabetised(both.iter().map(|&(_, alphabet)| alphabet).collect())
            }
            Operator::Interrupt(set) => {
                Operator::Interrupt(set.map(|set| self.set(set)).transpose()?)
            }
            Operator::Exception(set) => Operator::Exception(self.set(*set)?),
            Operator::Hide(set) => Operator::Hide(self.set(*set)?),
            Operator::Project(set) => Operator::Project(self.set(*set)?),
            Operator::Linked(pairs) => Operator::Linked(self.pairs(pairs)?),
            Operator::Rename(pairs) => Operator::Rename(self.pairs(pairs)?),
            Operator::Prioritise(_) => return self.no_image("a priority"),
            Operator::Sequential | Operator::SlidingChoice | Operator::Compress(_) => {
                operator.clone()
            }
        };
        Ok(Term::Over(operator, Operands::from_vec(images)))
    }

    fn pairs(&mut self, pairs: &[(EventId, EventId)]) -> Result<Arc<[(EventId, EventId)]>> {
        let pairs = pairs.iter();
        let pairs = pairs.map(|&(from, to)| Ok((self.event(from)?, self.event(to)?)));
        let mut pairs = pairs.collect::<Result<Vec<_>>>()?;
        pairs.sort_unstable();
        Ok(pairs.into())
    }

    fn no_image<T>(&mut self, what: &str) -> Result<T> {
        self.evaluator.no_image(what)
    }

    /// The image of `event`.
    pub(crate) fn event(&mut self, event: EventId) -> Result<EventId> {
        let Some(value) = self.evaluator.events.value(event).cloned() else {
            return Ok(event);
        };
        let image = self.value(&value)?;
        self.evaluator.event(&image)
    }

    /// The image of a set of events.
    fn set(&mut self, set: EventSetId) -> Result<EventSetId> {
        Ok(EventSetId(self.known(AtomSubject::Set(set))?))
    }

    /// A set of whole channels is its own image: a field of atoms ranges over all of its type.
    fn new_set(&mut self, set: EventSetId) -> Result<EventSetId> {
        if self.evaluator.terms.events.is_of_channels(set) {
            return Ok(set);
        }
        let events = self.evaluator.terms.events.set(set).to_vec();
        let images = events.into_iter().map(|event| self.event(event));
        let images = images.collect::<Result<Vec<EventId>>>()?;
        Ok(self.evaluator.terms.events.intern_set(images))
    }

    fn call(&mut self, call: CallId) -> Result<TermId> {
        let key = self.evaluator.names.calls.key(call).clone();
        let callee = match key.callee {
            CalledCode::Waiting(term, tock) => {
                CalledCode::Waiting(self.term(term)?, self.event(tock)?)
            }
            CalledCode::Loop(term) => CalledCode::Loop(self.term(term)?),
            code => code,
        };
        let values = self.values(&key.values)?;
        let key = CallKey { callee, values };
        let permutation = Rc::clone(&self.permutation);
        let calls = &mut self.evaluator.names.calls;
        let image = calls.intern_image(key, call, &permutation);
        Ok(self.evaluator.terms.intern(Term::Call(image)))
    }

    fn name(&mut self, name: NameId) -> Result<NameId> {
        let image = match self.evaluator.names.code.key(name).clone() {
            NameKey::Function(code, values) => NameKey::Function(code, self.values(&values)?),
            NameKey::Expression(code, values) => NameKey::Expression(code, self.values(&values)?),
            NameKey::Parts(values) => NameKey::Parts(self.values(&values)?),
        };
        Ok(self.evaluator.names.code.intern(image))
    }

    fn values(&mut self, values: &[Value]) -> Result<Box<[Value]>> {
        values.iter().map(|value| self.value(value)).collect()
    }

    /// The image of a fully evaluated value.
    pub(super) fn value(&mut self, value: &Value) -> Result<Value> {
        if let Some(atom) = self.evaluator.declared.atoms.types.atom(value) {
            let image = self.permutation[atom];
            return Ok(self.evaluator.declared.atoms.types.value(image));
        }
        deep(|| self.compound(value))
    }

    fn compound(&mut self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::Tuple(parts) => {
                let parts: Vec<Value> = parts.iter().map(Lazy::known).collect();
                Value::tuple(self.values(&parts)?.into_vec())
            }
            Value::Sequence(items) => {
                let items: Vec<Value> = items.known_items().collect();
                Value::Sequence(Sequence::from_values(self.values(&items)?))
            }
            Value::Set(set) => Value::set(self.value_set(set)?),
            Value::Map(map) => {
                let entries = map.iter();
                let entries =
                    entries.map(|(key, value)| Ok((self.value(key)?, self.value(value)?)));
                Value::Map(Rc::new(entries.collect::<Result<OrdMap<Value, Value>>>()?))
            }
            Value::Dot(parts) => Value::Dot(self.values(parts)?.into()),
            Value::Process(term) => Value::Process(self.term(*term)?),
            Value::Function(closure) => {
                let name = self.name(closure.key())?;
                let top = self.evaluator.top();
                Value::known_function(closure.code, &top, name)
            }
            Value::Code(name) => Value::Code(self.name(*name)?),
            Value::Builtin(builtin, given) => Value::Builtin(*builtin, self.values(given)?.into()),
            Value::Instance(..) | Value::Module(..) => return self.no_image("a module"),
            Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Head(_) | Value::Atom(_) => {
                value.clone()
            }
        })
    }

    fn value_set(&mut self, set: &Set) -> Result<Set> {
        let each = |image: &mut Self, sets: &[Set]| {
            let sets = sets.iter().map(|set| image.value_set(set));
            sets.collect::<Result<Rc<[Set]>>>()
        };
        Ok(match set {
            Set::Finite(members) => Set::from_values(self.values(members)?.into_vec()),
            Set::Sequences(inner) => Set::Sequences(Rc::new(self.value_set(inner)?)),
            Set::Subsets(inner) => Set::Subsets(Rc::new(self.value_set(inner)?)),
            Set::Maps(keys, targets) => Set::Maps(
                Rc::new(self.value_set(keys)?),
                Rc::new(self.value_set(targets)?),
            ),
            Set::Tuples(sets) => Set::Tuples(each(self, sets)?),
            Set::Dots(sets) => Set::Dots(each(self, sets)?),
            Set::Union(sets) => Set::Union(each(self, sets)?),
            Set::Integers
            | Set::IntegersFrom(_)
            | Set::Characters
            | Set::Processes
            | Set::Datatype(_) => set.clone(),
        })
    }
}

impl Evaluator<'_> {
    /// The message that images of `what` are not made.
    fn no_image<T>(&mut self, what: &str) -> Result<T> {
        let message = format!("{what} has no image under a permutation of values");
        self.work.limit(super::refusal::NOT_AN_ATOM, message).into()
    }

    /// The body of a call that is the image of the call `of`: the image of the body of `of`.
    pub(crate) fn body_of_image(
        &mut self,
        of: CallId,
        permutation: &AtomPermutation,
    ) -> Result<TermId> {
        let body = process::term::Definitions::body(self, of)?;
        Image::under(self, permutation).term(body)
    }
}
