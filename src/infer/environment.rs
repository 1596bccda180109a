//! The environment of the place being typed: the frames around it, with what they make of names.

use std::rc::Rc;

use super::builtin::Builtins;
use super::frames::{FrameId, ModuleScheme, SlotContent, TypeFrames};
use super::scheme::{OpenVariables, Scheme};
use super::script::InputScript;
use super::types::{Datatype, Type, TypeKind, Types};
use syntax::ast::{DeclarationId, Identifier};
use types::resolved::{Place, Reference};

/// All frames, and those around the present place.
pub(super) struct Environment<'a> {
    pub(super) script: InputScript<'a>,
    builtins: Builtins,
    pub(super) frames: TypeFrames,
    /// The frames around the present place, the innermost last.
    chain: Vec<FrameId>,
    /// The instances and modules around, as a prefix of the names in them.
    qualifier: String,
    /// The types of the parameters of the modules around, which are not generalised.
    pub(super) parameters: Vec<Type>,
}

impl<'a> Environment<'a> {
    /// The environment of the top level of the script, whose frame is empty.
    pub(super) fn new(script: InputScript<'a>, types: &mut Types) -> Self {
        let mut frames = TypeFrames::default();
        Self {
            script,
            builtins: Builtins::new(types),
            chain: vec![frames.make(script.resolved.script_frame as usize)],
            frames,
            qualifier: String::new(),
            parameters: Vec::new(),
        }
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

    /// The prefix of the names in the instances and modules around.
    pub(super) fn qualifier(&self) -> &str {
        &self.qualifier
    }

    /// Enters `frames`, in which names have the prefix `qualifier`. Returns where to go back to.
    pub(super) fn enter_all(&mut self, frames: &[FrameId], qualifier: &str) -> (usize, String) {
        let depth = self.chain.len();
        self.chain.extend(frames);
        let around = std::mem::replace(&mut self.qualifier, qualifier.to_string());
        (depth, around)
    }

    /// Goes back to a place around the present one.
    pub(super) fn go_back(&mut self, (depth, qualifier): (usize, String)) {
        self.chain.truncate(depth);
        self.qualifier = qualifier;
    }

    /// The type of one use of a name. A name that could not be resolved or typed was reported, and
    /// its type fits everywhere.
    pub(super) fn reference(&self, types: &mut Types, reference: Option<&Reference>) -> Type {
        match reference {
            None => Types::UNKNOWN,
            Some(Reference::Builtin(builtin)) => types.instance(&self.builtins.scheme(*builtin)),
            Some(reference) => match self.slot_of(reference) {
                SlotContent::Value(scheme) => types.instance(scheme),
                // A module or an instance is no value, which name resolution has reported.
                SlotContent::Empty | SlotContent::Module(_) | SlotContent::Instance(_) => {
                    Types::UNKNOWN
                }
            },
        }
    }

    /// The content of the slot that `reference` refers to.
    fn slot_of(&self, reference: &Reference) -> &SlotContent {
        match reference {
            Reference::Local { place, .. } => self.at(*place),
            Reference::Member { place, members, .. } => {
                let mut slot = self.at(*place);
                for &member in members {
                    slot = match slot {
                        SlotContent::Instance(frame) => self.frames.slot(*frame, member),
                        _ => return &SlotContent::Empty,
                    };
                }
                slot
            }
            Reference::Builtin(_) => &SlotContent::Empty,
        }
    }

    /// The content of the slot at `place`.
    fn at(&self, place: Place) -> &SlotContent {
        let depth = self.chain.len().checked_sub(1 + place.up as usize);
        depth.map_or(&SlotContent::Empty, |depth| {
            self.frames.slot(self.chain[depth], place.slot)
        })
    }

    /// The module that `reference` refers to.
    pub(super) fn module_scheme(&self, reference: &Reference) -> Option<Rc<ModuleScheme>> {
        match self.slot_of(reference) {
            SlotContent::Module(module) => Some(Rc::clone(module)),
            // A module without parameters was typed in its place; a further instance is a copy of
            // its frame.
            SlotContent::Instance(frame) => Some(Rc::new(ModuleScheme {
                parameters: Vec::new(),
                frame: *frame,
                datatypes: self.frames.datatypes(*frame),
            })),
            _ => None,
        }
    }

    /// The two frames of a module: that of its parameters, and that of its declarations.
    pub(super) fn module_frames(&mut self, id: DeclarationId) -> [FrameId; 2] {
        let sizes = self.script.resolved.module_frames.get(&id);
        let (parameters, declared) = sizes.copied().unwrap_or_default();
        [parameters, declared].map(|size| self.frames.make(size as usize))
    }

    /// The slot of the `index`th name that `id` introduces, in the innermost frame.
    pub(super) fn slot_here(&self, id: DeclarationId, index: usize) -> Option<(FrameId, u32)> {
        let slot = *self.script.resolved.slots.get(&id)?.get(index)?;
        Some((*self.chain.last()?, slot))
    }

    /// Puts `content` into the slot of the first name that `id` introduces.
    pub(super) fn fill(&mut self, id: DeclarationId, content: SlotContent) {
        if let Some((frame, slot)) = self.slot_here(id, 0) {
            self.frames.fill_in(frame, slot, content);
        }
    }

    /// Puts the declarations in `frame` into the slot of `id`, which `name` is the name of.
    pub(super) fn fill_instance(&mut self, id: DeclarationId, name: Identifier, frame: FrameId) {
        if let Some((around, slot)) = self.slot_here(id, 0) {
            let instance = SlotContent::Instance(frame);
            self.frames.fill_in(around, slot, instance);
            self.frames.call(around, slot, name.symbol);
        }
    }

    /// The datatype of the declaration `id`, whose frame must be the innermost one.
    pub(super) fn datatype_of(&self, types: &mut Types, id: DeclarationId) -> Option<Datatype> {
        let (frame, slot) = self.slot_here(id, 0)?;
        if let TypeKind::Set(values) = types.kind(self.frames.type_in(frame, slot))
            && let TypeKind::Datatype(datatype) = types.kind(values)
        {
            return Some(datatype);
        }
        None
    }

    /// The types of the constructors of the datatype `id`, whose frame must be the innermost one.
    pub(super) fn constructor_types(&self, id: DeclarationId) -> Vec<Type> {
        let slots = self
            .script
            .resolved
            .slots
            .get(&id)
            .into_iter()
            .flatten()
            .skip(1);
        let frame = self.chain.last().copied();
        let types = slots.filter_map(|&slot| match self.frames.slot(frame?, slot) {
            SlotContent::Value(scheme) => Some(scheme.ty),
            _ => None,
        });
        types.collect()
    }

    /// `ty` for all values of its variables, except those in the parameters of the modules around.
    pub(super) fn generalised(&self, types: &mut Types, ty: Type) -> Scheme {
        let mut around = OpenVariables::default();
        for &parameter in &self.parameters {
            types.open(parameter, &mut around);
        }
        types.generalised(ty, &around)
    }
}
