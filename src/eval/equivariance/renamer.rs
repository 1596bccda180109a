//! What a bijection makes of terms: of their events, and of the arguments of their calls.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::proof::Proof;
use super::renaming::Bijection;
use super::table::Images;
use crate::base::stack::deep;
use crate::eval::call_table::Callee;
use crate::eval::environment::Frame;
use crate::eval::evaluator::Evaluator;
use crate::eval::value::{Lazy, Value};
use crate::process::event::EventId;
use crate::process::term::{CallId, Term, TermId};
use crate::types::resolved::Place;

/// Puts the images of events and of arguments into terms.
pub(super) struct Renamer<'p> {
    proof: &'p Proof,
    bijection: &'p Bijection,
    events: Images,
    /// Terms that occur more than once.
    known: FxHashMap<TermId, Option<TermId>>,
}

impl<'p> Renamer<'p> {
    /// What is renamed already is known.
    pub(super) fn new(proof: &'p Proof, bijection: &'p Bijection, events: Images) -> Self {
        Self {
            proof,
            bijection,
            events,
            known: FxHashMap::default(),
        }
    }

    /// What is renamed by now.
    pub(super) fn events(self) -> Images {
        self.events
    }

    /// The image of a term; nothing if it has something of which nothing is proven.
    pub(super) fn term(&mut self, evaluator: &mut Evaluator<'_>, term: TermId) -> Option<TermId> {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let image = deep(|| self.term_here(evaluator, term));
        self.known.insert(term, image);
        image
    }

    fn term_here(&mut self, evaluator: &mut Evaluator<'_>, term: TermId) -> Option<TermId> {
        match evaluator.terms.get(term).clone() {
            Term::Stop | Term::Skip => Some(term),
            Term::Call(call) => self.call(evaluator, call),
            Term::Prefix(branches) => {
                let branches = branches.iter().map(|&(event, then)| {
                    Some((self.event(evaluator, event)?, self.term(evaluator, then)?))
                });
                let branches = branches.collect::<Option<Vec<_>>>()?;
                Some(evaluator.terms.prefix(branches))
            }
            Term::ExternalChoice(operands) => {
                let operands = self.terms(evaluator, &operands)?;
                Some(evaluator.terms.external_choice(operands))
            }
            Term::InternalChoice(operands) => {
                let operands = self.terms(evaluator, &operands)?;
                evaluator.terms.internal_choice(operands)
            }
            Term::Sequential(first, then) => {
                let operands = self.terms(evaluator, &[first, then])?;
                Some(evaluator.terms.sequential(operands))
            }
            Term::Interrupt(process, by) => {
                let (process, by) = (self.term(evaluator, process)?, self.term(evaluator, by)?);
                Some(evaluator.terms.interrupt(process, by))
            }
            Term::SlidingChoice(first, then) => {
                let (first, then) = (self.term(evaluator, first)?, self.term(evaluator, then)?);
                Some(evaluator.terms.sliding_choice(first, then))
            }
            _ => None,
        }
    }

    fn terms(&mut self, evaluator: &mut Evaluator<'_>, terms: &[TermId]) -> Option<Vec<TermId>> {
        terms
            .iter()
            .map(|&term| self.term(evaluator, term))
            .collect()
    }

    fn event(&mut self, evaluator: &mut Evaluator<'_>, event: EventId) -> Option<EventId> {
        if let Some(&known) = self.events.get(&event) {
            return Some(known);
        }
        let image = match evaluator.event_values.get(&event)? {
            Value::Head(head) => self.proof.channels.contains_key(head).then_some(event)?,
            Value::Dot(parts) => {
                let Value::Head(head) = parts[0] else {
                    return None;
                };
                let shapes = self.proof.channels.get(&head)?;
                if shapes.len() + 1 != parts.len() {
                    return None;
                }
                let fields = shapes.iter().zip(&parts[1..]);
                let fields = fields.map(|(shape, field)| self.bijection.apply(shape, field));
                let image = std::iter::once(Some(parts[0].clone())).chain(fields);
                let image = Value::Dot(image.collect::<Option<_>>()?);
                evaluator.event(&image).ok()?
            }
            _ => return None,
        };
        self.events.insert(event, image);
        Some(image)
    }

    /// The call with its values renamed.
    fn call(&mut self, evaluator: &mut Evaluator<'_>, call: CallId) -> Option<TermId> {
        let key = evaluator.calls.keys[call].clone();
        if matches!(key.callee, Callee::Constant(_)) && key.values.is_empty() {
            return Some(evaluator.terms.intern(Term::Call(call)));
        }
        let target = self.proof.callees.get(&key.callee)?;
        if target.shapes.len() != key.values.len() {
            return None;
        }
        let values = target.shapes.iter().zip(&key.values);
        let values = values.map(|(shape, value)| self.bijection.apply(shape, value));
        let values: Vec<Value> = values.collect::<Option<_>>()?;
        // Code stands for an argument in a name, but is none.
        if values.iter().any(|value| matches!(value, Value::Code(_))) {
            return None;
        }
        let (frame, groups) = match key.callee {
            Callee::Function(_) => {
                let arguments = values.iter().cloned().map(Lazy::Value).collect();
                (Rc::clone(&evaluator.frame), vec![arguments])
            }
            Callee::Continuation(body) => {
                let free = evaluator.script.resolved.free.get(&body)?;
                let frame = frames_with(evaluator, target.depth, free, &values);
                (frame, Vec::new())
            }
            _ => return None,
        };
        Some(evaluator.intern_call(key.callee, values, &frame, groups))
    }
}

/// As many frames inside that of the script, which hold these values at these places.
fn frames_with(
    evaluator: &Evaluator<'_>,
    depth: u32,
    places: &[Place],
    values: &[Value],
) -> Rc<Frame> {
    let script = Rc::clone(&evaluator.frame);
    (0..depth).rev().fold(script, |around, up| {
        let here = places.iter().zip(values);
        let here = here.filter(|(place, _)| place.up == up);
        let size = here.clone().map(|(place, _)| place.slot + 1).max();
        let frame = Frame::new(size.unwrap_or(0), Some(&around));
        for (place, value) in here {
            frame.set_value(place.slot, value.clone());
        }
        frame
    })
}
