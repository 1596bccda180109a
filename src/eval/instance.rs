//! Modules and their instances.

use std::rc::Rc;

use super::declared::ScriptDeclarations;
use super::environment::{Frame, Slot};
use super::evaluator::Evaluator;
use super::pattern::{Bindings, Matcher};
use super::script::ResolvedScript;
use super::value::Value;
use base::diag::Result;
use syntax::ast::{Declaration, DeclarationId};
use types::resolved::Reference;

impl Evaluator<'_> {
    /// The value of `instance I = M(e)`, with new channels and datatypes.
    pub(super) fn instantiate(
        &mut self,
        id: DeclarationId,
        frame: &Rc<Frame>,
        prefix: &str,
    ) -> Result<Value> {
        let Declaration::Instance {
            name, arguments, ..
        } = self.script.ast.declaration(id)
        else {
            unreachable!("called for instances");
        };
        let prefix = format!("{prefix}{}::", self.script.ast.name(name.symbol));
        let script = self.script;
        let (module, home) = self.module_of(&script.resolved.instances[&id], frame)?;
        let Declaration::Module { parameters, .. } = self.script.ast.declaration(module) else {
            unreachable!("instances are of modules");
        };
        let arguments = self.script.delay_each(arguments, frame);
        // The constructors in a parameter are those where the module stands, not where the instance
        // is declared.
        let mut matcher = Matcher::new(self, &home);
        for (pattern, argument) in parameters.iter().zip(&arguments) {
            if !matcher.matches(*pattern, argument)? {
                let value = self.force(argument)?;
                return self.pattern_mismatch(*pattern, &value).into();
            }
        }
        let bindings = matcher.bindings();
        let declared = &mut self.declared;
        Ok(declared.fresh_instance(script, module, bindings, &home, &prefix))
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
}

impl ScriptDeclarations {
    /// The one implicit instance of a module without parameters.
    pub(super) fn declare_module(
        &mut self,
        script: &ResolvedScript,
        module: DeclarationId,
        slot: u32,
        frame: &Rc<Frame>,
        prefix: &str,
    ) {
        let Declaration::Module { name, .. } = script.ast.declaration(module) else {
            unreachable!("called for modules");
        };
        let prefix = format!("{prefix}{}::", script.ast.name(name.symbol));
        let instance = self.fresh_instance(script, module, Vec::new(), frame, &prefix);
        frame.set_value(slot, instance);
    }

    fn fresh_instance(
        &mut self,
        script: &ResolvedScript,
        module: DeclarationId,
        parameters: Bindings,
        home: &Rc<Frame>,
        prefix: &str,
    ) -> Value {
        let Declaration::Module {
            private, exports, ..
        } = script.ast.declaration(module)
        else {
            unreachable!("instances are of modules");
        };
        let number = self.number_instance();
        let (outer_size, inner_size) = script.resolved.module_frames[&module];
        let outer = Frame::new(outer_size, Some(home));
        // Code that uses a name of the module has this number among its free variables, so calls in
        // different instances have different names.
        outer.set_value(0, Value::Int(i64::from(number)));
        for (slot, lazy) in parameters {
            outer.set(slot, Slot::Lazy(lazy));
        }
        let inner = Frame::new(inner_size, Some(&outer));
        self.declare(script, private, &inner, prefix);
        self.declare(script, exports, &inner, prefix);
        Value::Instance(number, inner)
    }
}
