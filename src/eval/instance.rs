//! Modules and their instances.

use std::rc::Rc;

use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::pattern::Bindings;
use super::value::Value;
use base::diag::Result;
use syntax::ast::{Declaration, DeclarationId};
use types::resolved::Reference;

impl Evaluator<'_> {
    /// The one implicit instance of a module without parameters.
    pub(super) fn declare_module(
        &mut self,
        module: DeclarationId,
        slot: u32,
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        let Declaration::Module { name, .. } = self.ast().declaration(module) else {
            unreachable!("called for modules");
        };
        let prefix = format!("{prefix}{}::", self.symbol(name.symbol));
        let instance = self.fresh_instance(module, Vec::new(), frame, &prefix);
        frame.set_value(slot, instance);
    }

    /// The value of `instance I = M(e)`, with new channels and datatypes.
    pub(super) fn instantiate(
        &mut self,
        id: DeclarationId,
        frame: &Rc<Frame>,
        prefix: &str,
    ) -> Result<Value> {
        let Declaration::Instance {
            name, arguments, ..
        } = self.ast().declaration(id)
        else {
            unreachable!("called for instances");
        };
        let prefix = format!("{prefix}{}::", self.symbol(name.symbol));
        let script = self.script;
        let (module, home) = self.module_of(&script.resolved.instances[&id], frame)?;
        let Declaration::Module { parameters, .. } = self.ast().declaration(module) else {
            unreachable!("instances are of modules");
        };
        let arguments = self.delay_each(arguments, frame);
        let mut bindings = Vec::new();
        for (pattern, argument) in parameters.iter().zip(&arguments) {
            // The constructors in a parameter are those where the module stands, not where the
            // instance is declared.
            if !self.matches(*pattern, argument, &home, &mut bindings)? {
                let value = self.force(argument)?;
                return self.pattern_mismatch(*pattern, &value).into();
            }
        }
        Ok(self.fresh_instance(module, bindings, &home, &prefix))
    }

    /// The module that a reference names, and the frame in which it is declared.
    fn module_of(
        &mut self,
        reference: &Reference,
        frame: &Rc<Frame>,
    ) -> Result<(DeclarationId, Rc<Frame>)> {
        match reference {
            Reference::Local {
                place,
                definition: Some(module),
            } => Ok((*module, Rc::clone(frame.ancestor(place.up)))),
            Reference::Member {
                place,
                members,
                definition: Some(module),
            } => {
                let around = &members[..members.len() - 1];
                Ok((*module, self.instance_frame(*place, around, frame)?))
            }
            _ => unreachable!("instances were resolved to modules"),
        }
    }

    fn fresh_instance(
        &mut self,
        module: DeclarationId,
        parameters: Bindings,
        home: &Rc<Frame>,
        prefix: &str,
    ) -> Value {
        let Declaration::Module {
            private, exports, ..
        } = self.ast().declaration(module)
        else {
            unreachable!("instances are of modules");
        };
        let number = self.instances;
        self.instances += 1;
        let (outer_size, inner_size) = self.script.resolved.module_frames[&module];
        let outer = Frame::new(outer_size, Some(home));
        // Code that uses a name of the module has this number among its free variables, so calls in
        // different instances have different names.
        outer.set_value(0, Value::Int(i64::from(number)));
        for (slot, lazy) in parameters {
            outer.set(slot, Slot::Lazy(lazy));
        }
        let inner = Frame::new(inner_size, Some(&outer));
        self.declare(private, &inner, prefix);
        self.declare(exports, &inner, prefix);
        Value::Instance(number, inner)
    }
}
