//! Fills the slots of frames from declarations.

use std::rc::Rc;

use super::datatypes::Datatype;
use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::heads::HeadKind;
use super::set::Set;
use super::value::{Code, Computation, DatatypeId, Lazy, Thunk, Value};
use base::diag::Result;
use syntax::ast::{Constructor, Declaration, DeclarationId, ExprId, PatternId};

impl Evaluator<'_> {
    /// Fills the slots of `frame` for `declarations`. `prefix` goes before the names of channels
    /// and constructors: `I::` inside an instance.
    pub(super) fn declare(
        &mut self,
        declarations: &[DeclarationId],
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        let ast = self.ast();
        for &id in declarations {
            let slots: &[u32] = self
                .script
                .resolved
                .slots
                .get(&id)
                .map_or(&[], Vec::as_slice);
            match ast.declaration(id) {
                Declaration::Pattern(pattern, body) => {
                    self.declare_pattern(id, *pattern, *body, frame)
                }
                Declaration::Function(..) => frame.set(slots[0], Slot::Definition(id)),
                Declaration::Channel(names, fields) => {
                    for (name, &slot) in names.iter().zip(slots) {
                        let name = format!("{prefix}{}", self.symbol(name.symbol));
                        let head = self.heads.add(name, HeadKind::Channel, *fields, frame);
                        frame.set_value(slot, Value::Head(head));
                    }
                }
                Declaration::Datatype(name, constructors) => {
                    let name = format!("{prefix}{}", self.symbol(name.symbol));
                    self.declare_datatype(name, constructors, slots, frame, prefix);
                }
                Declaration::Subtype(..) | Declaration::Nametype(..) => {
                    frame.set(slots[0], Slot::Definition(id))
                }
                Declaration::Module { parameters, .. } if parameters.is_empty() => {
                    self.declare_module(id, slots[0], frame, prefix);
                }
                Declaration::Module { .. } => {
                    frame.set_value(slots[0], Value::Module(id, Rc::clone(frame)));
                }
                Declaration::Instance { .. } => {
                    frame.set(slots[0], Slot::Definition(id));
                    self.pending_instances
                        .push((Rc::clone(frame), slots[0], prefix.to_string()));
                }
                Declaration::Timed(duration, inner) => {
                    if let (Some(duration), Some(&slot)) = (duration, slots.first()) {
                        let thunk = Thunk::of_expression(*duration, frame);
                        frame.set(slot, Slot::Lazy(Lazy::Thunk(thunk)));
                    }
                    self.declare(inner, frame, prefix);
                }
                Declaration::Include(_, inner) => self.declare(inner, frame, prefix),
                Declaration::External(_)
                | Declaration::Transparent(_)
                | Declaration::Print(_)
                | Declaration::Annotation(..)
                | Declaration::Assert(_) => {}
            }
        }
    }

    /// Declares a pattern. `x = e` waits as a definition; the variables of any other pattern share
    /// the value of `e` and match it when one of them is needed.
    fn declare_pattern(
        &mut self,
        id: DeclarationId,
        pattern: PatternId,
        body: ExprId,
        frame: &Rc<Frame>,
    ) {
        if let Some(slot) = self.plain_variable(pattern) {
            frame.set(slot, Slot::Definition(id));
            return;
        }
        let matched = Computation::Match(pattern, body, Rc::clone(frame));
        let matched = Thunk::of_computation(matched);
        let mut slots = Vec::new();
        self.pattern_slots(pattern, &mut slots);
        // The order in which `matched` lists the components.
        slots.sort_unstable();
        for (i, slot) in slots.into_iter().enumerate() {
            let part = Thunk::of_computation(Computation::Component(matched.clone(), i));
            frame.set(slot, Slot::Lazy(Lazy::Thunk(part)));
        }
    }

    fn declare_datatype(
        &mut self,
        name: String,
        constructors: &[Constructor],
        slots: &[u32],
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        // The number that the datatype gets when it is pushed below; its constructors need it
        // before.
        let datatype = DatatypeId(self.datatypes.0.len() as u32);
        let mut heads = Vec::with_capacity(constructors.len());
        // The first slot is that of the type's own name.
        for (constructor, &slot) in constructors.iter().zip(&slots[1..]) {
            let name = format!("{prefix}{}", self.symbol(constructor.name.symbol));
            let head = self.heads.add(
                name,
                HeadKind::Constructor(datatype),
                constructor.fields,
                frame,
            );
            frame.set_value(slot, Value::Head(head));
            heads.push(head);
        }
        self.datatypes.0.push(Datatype {
            name,
            constructors: heads,
            members: None,
            finite: None,
        });
        frame.set_value(slots[0], Value::set(Set::Datatype(datatype)));
    }

    /// The value of a definition that has not been evaluated. Constants are kept, except processes,
    /// which stay calls by name.
    pub(super) fn definition(
        &mut self,
        frame: &Rc<Frame>,
        slot: u32,
        id: DeclarationId,
    ) -> Result<Value> {
        if let Declaration::Function(..) = self.ast().declaration(id) {
            return Ok(Value::function(Code::Function(id), frame, Vec::new()));
        }
        // A process is named, not evaluated, so the slot does not become `Running`: a process that
        // refers to itself is no cycle.
        if self.script.resolved.processes.contains(&id) {
            return Ok(Value::Process(self.call_constant(id, frame)?));
        }
        frame.set(slot, Slot::Running(id));
        let result = self.deeper(|e| match e.ast().declaration(id) {
            Declaration::Instance { .. } => {
                e.instantiate(id, frame, &e.instance_prefix(frame, slot))
            }
            _ => e.evaluate_definition(id, frame),
        });
        match &result {
            Ok(value) => frame.set_value(slot, value.clone()),
            // Left as `Running`, the slot would report a cycle the next time instead of this
            // failure.
            Err(_) => frame.set(slot, Slot::Definition(id)),
        }
        result
    }

    /// The prefix of the names inside the instance in `slot` of `frame`.
    fn instance_prefix(&self, frame: &Rc<Frame>, slot: u32) -> String {
        let declared = self
            .pending_instances
            .iter()
            .find(|(f, s, _)| Rc::ptr_eq(f, frame) && *s == slot);
        declared
            .map(|(_, _, prefix)| prefix.clone())
            .unwrap_or_default()
    }

    /// Makes all instances, including those that nothing has named yet, because their channels
    /// belong to `Events`.
    pub(super) fn make_instances(&mut self) -> Result<()> {
        // An instance may declare further instances, which are appended while this loop runs.
        let mut done = 0;
        while let Some((frame, slot, _)) = self.pending_instances.get(done).cloned() {
            self.slot(&frame, slot)?;
            done += 1;
        }
        Ok(())
    }

    fn evaluate_definition(&mut self, id: DeclarationId, frame: &Rc<Frame>) -> Result<Value> {
        match self.ast().declaration(id) {
            Declaration::Pattern(_, body) => self.evaluate(*body, frame),
            Declaration::Nametype(_, body) => Ok(Value::set(self.type_set(*body, frame)?)),
            Declaration::Subtype(_, constructors) => {
                let mut all = Set::empty();
                let script = self.script;
                for (constructor, reference) in
                    constructors.iter().zip(&script.resolved.constructors[&id])
                {
                    let part = self.subtype_part(constructor, reference, frame)?;
                    all = self.union(&all, &part)?;
                }
                Ok(Value::set(all))
            }
            _ => unreachable!("only constants wait as definitions"),
        }
    }
}
