//! The frames of the environment, with the type of each slot. `types::resolved` defines their
//! layout.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::scheme::{Scheme, Substitution};
use super::types::{Datatype, Type, Types};
use base::define_index;
use base::index::IndexVec;
use base::stack::deep;
use syntax::ast::Symbol;

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

/// All frames.
#[derive(Default)]
pub(super) struct TypeFrames {
    contents: IndexVec<FrameId, Vec<SlotContent>>,
    /// The datatypes that are declared in each frame.
    datatypes: FxHashMap<FrameId, Vec<Datatype>>,
    /// The names of slots of declarations.
    names: FxHashMap<(FrameId, u32), Symbol>,
    /// The original of each frame that is a copy.
    originals: FxHashMap<FrameId, FrameId>,
}

impl TypeFrames {
    /// Makes a frame that is around nothing yet.
    pub(super) fn make(&mut self, slots: usize) -> FrameId {
        self.contents.push(vec![SlotContent::Empty; slots])
    }

    /// Fills a slot of any frame.
    pub(super) fn fill_in(&mut self, frame: FrameId, slot: u32, value: SlotContent) {
        let slots = &mut self.contents[frame];
        let slot = slot as usize;
        // Frames of patterns begin without slots: inference does not count the variables
        // beforehand.
        if slots.len() <= slot {
            slots.resize(slot + 1, SlotContent::Empty);
        }
        slots[slot] = value;
    }

    /// The content of a slot of any frame.
    pub(super) fn slot(&self, frame: FrameId, slot: u32) -> &SlotContent {
        self.contents[frame]
            .get(slot as usize)
            .unwrap_or(&SlotContent::Empty)
    }

    /// The type in a slot, as far as it is known.
    pub(super) fn type_in(&self, frame: FrameId, slot: u32) -> Type {
        match self.slot(frame, slot) {
            SlotContent::Value(scheme) => scheme.ty,
            _ => Types::UNKNOWN,
        }
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

    /// Notes that `datatype` is declared in `frame`.
    pub(super) fn declare(&mut self, frame: FrameId, datatype: Datatype) {
        self.datatypes.entry(frame).or_default().push(datatype);
    }

    /// The datatypes declared in `frame` and in the instances in it.
    pub(super) fn datatypes(&self, frame: FrameId) -> Vec<Datatype> {
        let mut found = self.datatypes.get(&frame).cloned().unwrap_or_default();
        for slot in &self.contents[frame] {
            if let SlotContent::Instance(inner) = slot {
                found.extend(deep(|| self.datatypes(*inner)));
            }
        }
        found
    }

    /// All slots of `frame`.
    pub(super) fn slots(&self, frame: FrameId) -> &[SlotContent] {
        &self.contents[frame]
    }

    /// A copy of `frame` and of the frames of the instances and modules in it, with the
    /// replacements of `by`.
    pub(super) fn copied(
        &mut self,
        types: &mut Types,
        frame: FrameId,
        by: &mut Substitution,
    ) -> FrameId {
        let slots = self.contents[frame].clone();
        let copy = self.make(slots.len());
        self.originals.insert(copy, frame);
        for datatype in self.datatypes.get(&frame).cloned().unwrap_or_default() {
            self.declare(copy, by.datatype(datatype));
        }
        for (number, slot) in slots.into_iter().enumerate() {
            let slot = match slot {
                SlotContent::Value(scheme) => SlotContent::Value(Scheme {
                    ty: types.substituted(by, scheme.ty),
                    ..scheme
                }),
                SlotContent::Instance(inner) => {
                    SlotContent::Instance(deep(|| self.copied(types, inner, by)))
                }
                SlotContent::Module(module) => {
                    let parameters = module.parameters.iter();
                    let datatypes = module.datatypes.iter();
                    SlotContent::Module(Rc::new(ModuleScheme {
                        parameters: parameters.map(|&ty| types.substituted(by, ty)).collect(),
                        frame: deep(|| self.copied(types, module.frame, by)),
                        datatypes: datatypes.map(|&datatype| by.datatype(datatype)).collect(),
                    }))
                }
                SlotContent::Empty => SlotContent::Empty,
            };
            self.fill_in(copy, number as u32, slot);
        }
        copy
    }
}
