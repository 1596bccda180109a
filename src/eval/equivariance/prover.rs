//! Proving of a definition what may be renamed in its calls, and finding what must be kept.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::proof::{Proof, Target};
use super::renaming::Bijection;
use super::roles::{Role, Roles, Shape};
use super::table::{Images, MOST_KEPT};
use super::walker::{Found, Unknown, Walker};
use crate::eval::call_table::{Body, CallKey, Callee};
use crate::eval::environment::Frame;
use crate::eval::evaluator::Evaluator;
use crate::eval::value::Value;
use crate::process::term::CallId;
use crate::syntax::ast::Declaration;
use crate::types::resolved::Place;

/// More bijections are not tried with one definition: each costs more than what few bodies cost to evaluate.
const MOST_BIJECTIONS: usize = 256;

impl Evaluator<'_> {
    /// What is proven about what `call` calls; nothing if no value of its may be renamed.
    ///
    /// Nothing is asked of the first call: then its body was evaluated, and it is known what channels it speaks of. If that was not
    /// enough, it is asked again after twice as many calls.
    pub(super) fn proof(&mut self, key: &CallKey, call: CallId) -> Option<Rc<Proof>> {
        if let Some(known) = self.equivariance.proofs.get(&key.callee) {
            return known.clone();
        }
        let calls = &mut self.equivariance.calls;
        let (first, count) = calls.entry(key.callee).or_insert((call, 0));
        *count += 1;
        if *first == call || !count.is_power_of_two() {
            return None;
        }
        let first = *first;
        let Body::Folded(frame, _) = &self.calls.bodies[call.0 as usize] else {
            return None;
        };
        let depth = self.depth_of(frame)?;
        let proof = Rc::new(self.prove(key.callee, depth).ok()?);
        let known = Some(Rc::clone(&proof));
        self.equivariance.proofs.insert(key.callee, known);
        if let Some((skeleton, support)) = proof.skeleton(&self.calls.keys[first]) {
            self.remember(first, skeleton, support);
        }
        Some(proof)
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
        let mut proof = Proof {
            shapes,
            channels: channels
                .map(|(&head, fields)| Ok((head, shapes_of(fields)?)))
                .collect::<Found<_>>()?,
            callees: callees.collect::<Found<_>>()?,
            constants: Vec::new(),
            kept: OnceCell::new(),
            tries: Cell::default(),
        };
        for (role, constant) in &walker.closed {
            let shape = shape(role)?;
            if proof.may_move(&shape) {
                proof.constants.push((shape, *constant));
            }
        }
        Ok(proof)
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
        let mut kept = proof.kept.get()?.iter();
        let is_kept = kept.all(|(shape, value)| bijection.keeps(shape, value));
        is_kept.then(Images::default)
    }

    /// The values that must be kept, if all of them are known by now: what the definition speaks of was evaluated where it was
    /// needed, and is not evaluated only for this.
    fn kept(&self, proof: &Proof) -> Option<Vec<(Shape, Value)>> {
        let mut kept = Vec::new();
        for (shape, constant) in &proof.constants {
            let value = match self.known_value(*constant)? {
                Value::Set(set) => Value::set(self.comparable(&set)?),
                value => value,
            };
            kept.push((shape.clone(), value));
        }
        for (&head, shapes) in &proof.channels {
            for (field, shape) in self.heads.known_fields(head)?.iter().zip(shapes) {
                if !self.is_undotted(field) {
                    return None;
                }
                if proof.may_move(shape) {
                    let field = Value::set(self.comparable(field)?);
                    kept.push((Shape::Set(Box::new(shape.clone())), field));
                }
            }
        }
        Some(kept)
    }
}

impl Proof {
    /// Whether all that must be kept is known by now.
    pub(super) fn is_ready(&self, evaluator: &Evaluator<'_>) -> bool {
        if self.kept.get().is_none()
            && let Some(kept) = evaluator.kept(self)
        {
            self.kept.get_or_init(|| kept);
        }
        self.kept.get().is_some()
    }
}
