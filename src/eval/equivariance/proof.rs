//! What is proven of a definition: what may be renamed in its calls, and what must be kept.

use std::cell::{Cell, OnceCell};

use rustc_hash::FxHashMap;

use super::renaming::{Support, skeleton};
use super::roles::Shape;
use crate::eval::call_table::{CallKey, Callee};
use crate::eval::value::{HeadId, Value};
use crate::syntax::ast::ExprId;

/// What a definition does with its values.
pub(super) struct Proof {
    /// Of the values of its calls, in the order of their keys.
    pub(super) shapes: Vec<Shape>,
    /// Of the fields of the channels it speaks of.
    pub(super) channels: FxHashMap<HeadId, Vec<Shape>>,
    pub(super) callees: FxHashMap<Callee, Target>,
    /// Its constants that must be kept.
    pub(super) constants: Vec<(Shape, ExprId)>,
    /// The values of those, and what its channels range over, once they are known.
    pub(super) kept: OnceCell<Vec<(Shape, Value)>>,
    /// How often a body was to be renamed, and how often it was.
    pub(super) tries: Cell<(u32, u32)>,
}

/// What is called, and its values but for their names.
pub(super) type Skeleton = (Callee, Box<[Value]>);

/// After so many tries to rename bodies of a definition it is asked whether half of them led to something.
const FEWEST_TRIES: u32 = 64;

/// What a call in the definition takes.
pub(super) struct Target {
    pub(super) shapes: Vec<Shape>,
    /// How many frames there are around it, inside the frame of the script.
    pub(super) depth: u32,
}

impl Proof {
    /// What is called, and its values but for their names, with those; nothing if there are too many parts to look into.
    pub(super) fn skeleton(&self, key: &CallKey) -> Option<(Skeleton, Support)> {
        let (mut support, mut parts) = (Support::default(), 0);
        let values = self.shapes.iter().zip(&key.values);
        let values = values.map(|(shape, value)| skeleton(shape, value, &mut support, &mut parts));
        let values = values.collect::<Option<Box<[Value]>>>()?;
        Some(((key.callee, values), support))
    }

    /// Whether a bijection may move what is in a value of this shape: only what calls depend on is moved.
    pub(super) fn may_move(&self, shape: &Shape) -> bool {
        shape.holds(&|class| {
            self.shapes
                .iter()
                .any(|own| own.holds(&|other| other == class))
        })
    }

    /// Counts a try to rename a body; whether to go on trying.
    pub(super) fn counts(&self, was_renamed: bool) -> bool {
        let (tries, renamed) = self.tries.get();
        let (tries, renamed) = (tries + 1, renamed + u32::from(was_renamed));
        self.tries.set((tries, renamed));
        tries < FEWEST_TRIES || renamed >= tries / 2
    }
}
