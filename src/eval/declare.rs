//! Fills the slots of frames from declarations.

use std::rc::Rc;

use super::declared::{Datatype, HeadKind, ScriptDeclarations};
use super::environment::{Frame, Slot};
use super::script::ResolvedScript;
use super::set::Set;
use super::value::{Computation, DatatypeId, Lazy, Thunk, Value};
use syntax::ast::{Constructor, Declaration, DeclarationId, ExprId, PatternId};

impl ScriptDeclarations {
    /// Fills the slots of `frame` for `declarations`. `prefix` goes before the names of channels
    /// and constructors: `I::` inside an instance.
    pub(super) fn declare(
        &mut self,
        script: &ResolvedScript,
        declarations: &[DeclarationId],
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        for &id in declarations {
            let slots = script.resolved.slots.get(&id);
            let slots = slots.map_or(&[][..], Vec::as_slice);
            match script.ast.declaration(id) {
                Declaration::Pattern(pattern, body) => {
                    declare_pattern(script, id, *pattern, *body, frame)
                }
                Declaration::Function(..) => frame.set(slots[0], Slot::Definition(id)),
                Declaration::Channel(names, fields) => {
                    for (name, &slot) in names.iter().zip(slots) {
                        let name = format!("{prefix}{}", script.ast.name(name.symbol));
                        let head = self.add_head(name, HeadKind::Channel, *fields, frame);
                        frame.set_value(slot, Value::Head(head));
                    }
                }
                Declaration::Datatype(name, constructors) => {
                    let name = format!("{prefix}{}", script.ast.name(name.symbol));
                    self.declare_datatype(script, name, constructors, slots, frame, prefix);
                }
                Declaration::Subtype(..) | Declaration::Nametype(..) => {
                    frame.set(slots[0], Slot::Definition(id))
                }
                Declaration::Module { parameters, .. } if parameters.is_empty() => {
                    self.declare_module(script, id, slots[0], frame, prefix);
                }
                Declaration::Module { .. } => {
                    frame.set_value(slots[0], Value::Module(id, Rc::clone(frame)));
                }
                Declaration::Instance { .. } => {
                    frame.set(slots[0], Slot::Definition(id));
                    self.add_instance(frame, slots[0], prefix);
                }
                Declaration::Timed(duration, inner) => {
                    if let (Some(duration), Some(&slot)) = (duration, slots.first()) {
                        let thunk = Thunk::of_expression(*duration, frame);
                        frame.set(slot, Slot::Lazy(Lazy::Thunk(thunk)));
                    }
                    self.declare(script, inner, frame, prefix);
                }
                Declaration::Include(_, inner) => self.declare(script, inner, frame, prefix),
                Declaration::External(_)
                | Declaration::Transparent(_)
                | Declaration::Print(_)
                | Declaration::Annotation(..)
                | Declaration::Assert(_) => {}
            }
        }
    }

    fn declare_datatype(
        &mut self,
        script: &ResolvedScript,
        name: String,
        constructors: &[Constructor],
        slots: &[u32],
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        // The number that the datatype gets when it is pushed below; its constructors need it
        // before.
        let datatype = DatatypeId(self.datatypes.len() as u32);
        let mut heads = Vec::with_capacity(constructors.len());
        // The first slot is that of the type's own name.
        for (constructor, &slot) in constructors.iter().zip(&slots[1..]) {
            let name = format!("{prefix}{}", script.ast.name(constructor.name.symbol));
            let head = self.add_head(
                name,
                HeadKind::Constructor(datatype),
                constructor.fields,
                frame,
            );
            frame.set_value(slot, Value::Head(head));
            heads.push(head);
        }
        self.datatypes.push(Datatype {
            name,
            constructors: heads,
            members: None,
            finite: None,
        });
        frame.set_value(slots[0], Value::set(Set::Datatype(datatype)));
    }

    /// The frame of a `let` with its declarations in force.
    pub(super) fn let_frame(
        &mut self,
        script: &ResolvedScript,
        expression: ExprId,
        declarations: &[DeclarationId],
        environment: &Rc<Frame>,
    ) -> Rc<Frame> {
        let size = script.resolved.let_frames[&expression];
        let frame = Frame::new(size, Some(environment));
        self.declare(script, declarations, &frame, "");
        frame
    }
}

/// Declares a pattern. `x = e` waits as a definition; the variables of any other pattern share
/// the value of `e` and match it when one of them is needed.
fn declare_pattern(
    script: &ResolvedScript,
    id: DeclarationId,
    pattern: PatternId,
    body: ExprId,
    frame: &Rc<Frame>,
) {
    if let Some(slot) = script.plain_variable(pattern) {
        frame.set(slot, Slot::Definition(id));
        return;
    }
    let matched = Computation::Match(pattern, body, Rc::clone(frame));
    let matched = Thunk::of_computation(matched);
    let mut slots = Vec::new();
    script.pattern_slots(pattern, &mut slots);
    // The order in which `matched` lists the components.
    slots.sort_unstable();
    for (i, slot) in slots.into_iter().enumerate() {
        let part = Thunk::of_computation(Computation::Component(matched.clone(), i));
        frame.set(slot, Slot::Lazy(Lazy::Thunk(part)));
    }
}
