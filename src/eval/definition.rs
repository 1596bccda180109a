//! The values of definitions.

use std::rc::Rc;

use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::set::Set;
use super::value::{Code, Value};
use base::diag::Result;
use syntax::ast::{Declaration, DeclarationId};

impl Evaluator<'_> {
    /// The value of a definition that has not been evaluated. Constants are kept, except processes,
    /// which stay calls by name.
    pub(super) fn definition(
        &mut self,
        frame: &Rc<Frame>,
        slot: u32,
        id: DeclarationId,
    ) -> Result<Value> {
        if let Declaration::Function(..) = self.script.ast.declaration(id) {
            return Ok(Value::function(Code::Function(id), frame, Vec::new()));
        }
        // A process is named, not evaluated, so the slot does not become `Running`: a process that
        // refers to itself is no cycle.
        if self.script.resolved.processes.contains(&id) {
            return Ok(Value::Process(self.call_constant(id, frame)?));
        }
        frame.set(slot, Slot::Running(id));
        let result = self.deeper(|e| match e.script.ast.declaration(id) {
            Declaration::Instance { .. } => {
                e.instantiate(id, frame, &e.declared.instance_prefix(frame, slot))
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

    /// Makes all instances, including those that nothing has named yet, because their channels
    /// belong to `Events`.
    pub(super) fn make_instances(&mut self) -> Result<()> {
        // An instance may declare further instances, which are appended while this loop runs.
        let mut done = 0;
        while let Some((frame, slot)) = self.declared.instance(done) {
            self.slot(&frame, slot)?;
            done += 1;
        }
        Ok(())
    }

    fn evaluate_definition(&mut self, id: DeclarationId, frame: &Rc<Frame>) -> Result<Value> {
        match self.script.ast.declaration(id) {
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
                self.of_whole_types(&all)?;
                Ok(Value::set(all))
            }
            _ => unreachable!("only constants wait as definitions"),
        }
    }
}
