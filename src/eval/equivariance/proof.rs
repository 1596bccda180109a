//! What is proven of a definition: what may be renamed in its calls, and what must be kept.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::renamer::{Images, nothing_around};
use super::renaming::Bijection;
use super::roles::{Role, Roles, Shape};
use super::walker::{Found, Unknown, Walker};
use super::{MOST_BIJECTIONS, MOST_KEPT};
use crate::eval::calls::{Body, CallKey, Callee};
use crate::eval::environment::Frame;
use crate::eval::evaluator::Evaluator;
use crate::eval::set::Set;
use crate::eval::value::{HeadId, Value};
use crate::process::term::CallId;
use crate::syntax::ast::{Declaration, ExprId};
use crate::types::resolved::Place;

/// What a definition does with its values.
pub(super) struct Proof {
    /// Of the values of its calls, in the order of their keys.
    pub(super) shapes: Vec<Shape>,
    /// Of the fields of the channels it speaks of.
    pub(super) channels: FxHashMap<HeadId, Vec<Shape>>,
    pub(super) callees: FxHashMap<Callee, Target>,
    /// Its constants that must be kept, with how many frames there are around each.
    constants: Vec<(Shape, ExprId, u32)>,
    /// The values of those, and what its channels range over, once they were asked for; nothing if they are not to be had.
    kept: OnceCell<Option<Vec<(Shape, Value)>>>,
}

/// What a call in the definition takes.
pub(super) struct Target {
    pub(super) shapes: Vec<Shape>,
    /// How many frames there are around it, inside the frame of the script.
    pub(super) depth: u32,
}

impl Evaluator<'_> {
    /// What is proven about what `call` calls; nothing if no value of its may be renamed.
    pub(super) fn proof(&mut self, key: &CallKey, call: CallId) -> Option<Rc<Proof>> {
        if let Some(known) = self.equivariance.proofs.get(&key.callee) {
            return known.clone();
        }
        let Body::Folded(frame, _) = &self.calls.bodies[call.0 as usize] else {
            return None;
        };
        let frame = Rc::clone(frame);
        let depth = self.depth_of(&frame);
        let place = self.place;
        let proof = depth.and_then(|depth| self.prove(key.callee, depth).ok());
        self.place = place;
        let proof = proof.map(Rc::new);
        self.equivariance.proofs.insert(key.callee, proof.clone());
        proof
    }

    /// How many frames there are from `frame` to that of the script.
    fn depth_of(&self, frame: &Rc<Frame>) -> Option<u32> {
        let mut chain = std::iter::successors(Some(frame), |frame| frame.parent());
        let depth = chain.position(|frame| Rc::ptr_eq(frame, &self.frame));
        depth.map(|depth| depth as u32)
    }

    fn prove(&mut self, callee: Callee, depth: u32) -> Found<Proof> {
        let script = self.script;
        let mut roles = Roles::default();
        let (walker, own) = match callee {
            Callee::Function(id) if depth == 0 => {
                let Declaration::Function(_, clauses) = script.ast.declaration(id) else {
                    return Err(Unknown);
                };
                let parameters = clauses[0].groups.first().ok_or(Unknown)?;
                let own: Vec<_> = parameters.iter().map(|_| roles.any()).collect();
                let mut walker = Walker::new(self, 0, FxHashMap::default(), roles);
                walker.clauses(clauses, &own, &mut |walker, body| walker.process(body))?;
                (walker, own)
            }
            Callee::Continuation(body) => {
                let free = script
                    .resolved
                    .free
                    .get(&body)
                    .map_or(&[][..], Vec::as_slice);
                let own: Vec<_> = free.iter().map(|_| roles.any()).collect();
                let around = free.iter().copied().zip(own.iter().copied());
                let around: FxHashMap<Place, _> = around.collect();
                let mut walker = Walker::new(self, depth, around, roles);
                walker.process(body)?;
                (walker, own)
            }
            _ => return Err(Unknown),
        };
        let shape = |role: &Role| walker.roles.shape(*role).map_err(Unknown::from);
        let shapes_of = |own: &[Role]| own.iter().map(shape).collect::<Found<Vec<_>>>();
        let shapes = shapes_of(&own)?;
        if shapes.iter().all(Shape::is_fixed) {
            return Err(Unknown);
        }
        let channels = walker.channels.iter();
        let callees = walker.callees.iter().map(|(&callee, target)| {
            let shapes = shapes_of(&target.roles)?;
            let depth = target.depth;
            Ok((callee, Target { shapes, depth }))
        });
        let constants = walker.closed.iter();
        let constants =
            constants.map(|(role, constant, depth)| Ok((shape(role)?, *constant, *depth)));
        let constants = constants
            .filter(|found: &Found<_>| !matches!(found, Ok((shape, ..)) if Shape::is_fixed(shape)));
        Ok(Proof {
            shapes,
            channels: channels
                .map(|(&head, fields)| Ok((head, shapes_of(fields)?)))
                .collect::<Found<_>>()?,
            callees: callees.collect::<Found<_>>()?,
            constants: constants.collect::<Found<_>>()?,
            kept: OnceCell::new(),
        })
    }

    /// The events that are renamed already, if the bijection keeps all that the definition speaks of.
    pub(super) fn kept_renaming(
        &mut self,
        callee: Callee,
        proof: &Proof,
        bijection: &Bijection,
    ) -> Option<Images> {
        let known = self.equivariance.renamings.entry(callee).or_default();
        if let Some(renaming) = known.0.get_mut(bijection) {
            return renaming.take();
        }
        if known.0.len() >= MOST_BIJECTIONS || self.equivariance.images >= MOST_KEPT {
            return None;
        }
        known.0.insert(bijection.clone(), None);
        let place = self.place;
        let is_kept = self.keeps(proof, bijection);
        self.place = place;
        is_kept.then(Images::default)
    }

    fn keeps(&mut self, proof: &Proof, bijection: &Bijection) -> bool {
        let kept = proof.kept.get_or_init(|| self.kept(proof));
        kept.as_ref().is_some_and(|kept| {
            kept.iter()
                .all(|(shape, value)| bijection.keeps(shape, value))
        })
    }

    /// The values that must be kept; nothing if they are not to be had.
    fn kept(&mut self, proof: &Proof) -> Option<Vec<(Shape, Value)>> {
        let mut kept = Vec::new();
        for (shape, constant, depth) in &proof.constants {
            let frame = nothing_around(self, *depth);
            let value = self.evaluate(*constant, &frame).ok()?;
            kept.push((shape.clone(), self.force_deep(&value).ok()?));
        }
        for (&head, shapes) in &proof.channels {
            for (field, shape) in self.fields(head).ok()?.iter().zip(shapes) {
                if !self.is_finite(field).ok()? {
                    return None;
                }
                let members = self.members(field).ok()?;
                // A dotted value would be spread over several parts of a prefix.
                if members.iter().any(|value| matches!(value, Value::Dot(_))) {
                    return None;
                }
                if !shape.is_fixed() {
                    let set = Value::set(Set::Finite(members));
                    kept.push((Shape::Set(Box::new(shape.clone())), set));
                }
            }
        }
        Some(kept)
    }
}
