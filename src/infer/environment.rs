//! The frames around the place being typed, with the type of each slot. `types::resolved` defines
//! their layout.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::scheme::Scheme;
use super::types::{Datatype, Type};
use base::define_index;
use base::index::IndexVec;
use syntax::ast::Symbol;
use types::resolved::Place;

define_index! {
    /// A frame of the environment.
    FrameId,
}

/// The content of a slot.
#[derive(Clone, Debug)]
pub(super) enum SlotContent {
    /// Nothing yet.
    Empty,
    /// A value with this type.
    Value(Scheme),
    /// A module with parameters.
    Module(Rc<ModuleScheme>),
    /// The declarations of an instance, or of a module without parameters.
    Instance(FrameId),
}

/// A module with its declarations typed. Instances copy it.
#[derive(Clone, Debug)]
pub(super) struct ModuleScheme {
    /// The types of the parameters.
    pub(super) parameters: Vec<Type>,
    /// The frame of its declarations.
    pub(super) frame: FrameId,
    /// The datatypes of which each instance has its own.
    pub(super) datatypes: Vec<Datatype>,
}

/// All frames, and those around the present place.
#[derive(Default)]
pub(super) struct Environment {
    frames: IndexVec<FrameId, Vec<SlotContent>>,
    /// The datatypes that are declared in each frame.
    datatypes: FxHashMap<FrameId, Vec<Datatype>>,
    /// The names of slots of declarations.
    names: FxHashMap<(FrameId, u32), Symbol>,
    /// The original of each frame that is a copy.
    originals: FxHashMap<FrameId, FrameId>,
    /// The frames around the present place, the innermost last.
    chain: Vec<FrameId>,
}

impl Environment {
    /// Makes a frame that is around nothing yet.
    pub(super) fn frame(&mut self, slots: usize) -> FrameId {
        self.frames.push(vec![SlotContent::Empty; slots])
    }

    /// Makes `frame` the innermost one.
    pub(super) fn enter(&mut self, frame: FrameId) {
        self.chain.push(frame);
    }

    /// Leaves the innermost frame.
    pub(super) fn leave(&mut self) {
        self.chain.pop();
    }

    /// Leaves the innermost frames until `depth` are left.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.chain.truncate(depth);
    }

    /// The frames around the present place, the innermost last.
    pub(super) fn chain(&self) -> &[FrameId] {
        &self.chain
    }

    /// Fills a slot of any frame.
    pub(super) fn fill_in(&mut self, frame: FrameId, slot: u32, value: SlotContent) {
        let slots = &mut self.frames[frame];
        let slot = slot as usize;
        // Frames of patterns begin without slots: inference does not count the variables
        // beforehand.
        if slots.len() <= slot {
            slots.resize(slot + 1, SlotContent::Empty);
        }
        slots[slot] = value;
    }

    /// The content of the slot at `place`.
    pub(super) fn at(&self, place: Place) -> &SlotContent {
        let depth = self.chain.len().checked_sub(1 + place.up as usize);
        depth.map_or(&SlotContent::Empty, |depth| {
            self.slot(self.chain[depth], place.slot)
        })
    }

    /// The content of a slot of any frame.
    pub(super) fn slot(&self, frame: FrameId, slot: u32) -> &SlotContent {
        self.frames[frame]
            .get(slot as usize)
            .unwrap_or(&SlotContent::Empty)
    }

    /// Notes the name of a slot.
    pub(super) fn call(&mut self, frame: FrameId, slot: u32, name: Symbol) {
        self.names.insert((frame, slot), name);
    }

    /// The name of a slot, noted for the frame or for the frame it is a copy of.
    pub(super) fn name(&self, frame: FrameId, slot: u32) -> Option<Symbol> {
        let mut frame = frame;
        loop {
            match self.names.get(&(frame, slot)) {
                Some(&name) => return Some(name),
                None => frame = *self.originals.get(&frame)?,
            }
        }
    }

    /// A copy of `original` without the contents of its slots.
    pub(super) fn copy(&mut self, original: FrameId) -> FrameId {
        let copy = self.frame(self.frames[original].len());
        self.originals.insert(copy, original);
        copy
    }

    /// Notes that `datatype` is declared in `frame`.
    pub(super) fn declare(&mut self, frame: FrameId, datatype: Datatype) {
        self.datatypes.entry(frame).or_default().push(datatype);
    }

    /// The datatypes that are declared in `frame`.
    pub(super) fn datatypes(&self, frame: FrameId) -> &[Datatype] {
        self.datatypes.get(&frame).map_or(&[], Vec::as_slice)
    }

    /// All slots of `frame`.
    pub(super) fn slots(&self, frame: FrameId) -> &[SlotContent] {
        &self.frames[frame]
    }
}
