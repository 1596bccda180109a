//! Types of modules with parameters, and of instances.

use super::environment::{FrameId, ModuleScheme, Slot};
use super::inference::Inference;
use super::reason::Reason;
use super::scheme::{Open, Scheme, Substitution};
use super::types::{Datatype, Type};
use crate::base::index::TypedIndex;
use crate::base::stack::deep;
use crate::diag::Result;
use crate::syntax::ast::{DeclarationId, ExprId, Identifier, PatternId};
use crate::types::resolved::Reference;

impl Inference<'_> {
    /// Types a module with parameters once for all instances: in it nothing is known of the parameters but how they are used.
    pub(super) fn module(
        &mut self,
        id: DeclarationId,
        parameters: &[PatternId],
        private: &[DeclarationId],
        exports: &[DeclarationId],
    ) -> Result<()> {
        let (outer, inner) = self.module_frames(id);
        let types = parameters
            .iter()
            .map(|&parameter| self.pattern(parameter, outer));
        let types: Vec<Type> = types.collect::<Result<_>>()?;
        let around = self.fixed.clone();
        for &ty in &types {
            let mut open = Open::default();
            self.types.open(ty, &mut open);
            self.fixed.variables.extend(open.variables);
            self.fixed.tails.extend(open.tails);
        }
        let before = self.types.datatypes.len();
        self.environment.enter(outer);
        self.environment.enter(inner);
        self.declarations(&[private, exports].concat(), true);
        self.environment.leave();
        self.environment.leave();
        self.fixed = around;
        let after = self.types.datatypes.len();
        let scheme = ModuleScheme {
            parameters: types,
            frame: inner,
            datatypes: (before..after).map(Datatype::from_usize).collect(),
        };
        self.modules.insert(id, scheme);
        self.fill_slots(id, 0, Slot::Module(id));
        Ok(())
    }

    /// `instance name = M(arguments)`
    pub(super) fn instance(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        arguments: &[ExprId],
    ) -> Result<()> {
        let resolved = self.resolved;
        let Some(reference) = resolved.instances.get(&id) else {
            return Ok(());
        };
        let Some(module) = self.module_scheme(reference) else {
            // What is wrong with the module was reported; its members fit everywhere.
            return self.each_argument(arguments);
        };
        let mut substitution = Substitution::default();
        let mut open = Open::default();
        for &parameter in &module.parameters {
            self.types.open(parameter, &mut open);
        }
        for variable in open.variables {
            let (constraints, _) = self.types.free(variable);
            let fresh = self.types.variable(constraints);
            substitution.variables.insert(variable, fresh);
        }
        for tail in open.tails {
            let fresh = self.types.tail();
            substitution.tails.insert(tail, fresh);
        }
        for datatype in module.datatypes {
            let info = self.types.datatypes[datatype].clone();
            let last = info.name.rsplit("::").next().unwrap_or_default();
            let own = format!("{}{}::{last}", self.qualifier, self.ast.name(name.symbol));
            let fresh = self.types.datatype(own);
            self.types.datatypes[fresh].is_comparable = info.is_comparable;
            substitution.datatypes.insert(datatype, fresh);
        }
        for (&argument, &parameter) in arguments.iter().zip(&module.parameters) {
            let wanted = self.types.substituted(&substitution, parameter);
            self.expect(
                argument,
                wanted,
                Reason::Taken("an argument of this module"),
            )?;
        }
        let frame = self.copied(module.frame, &substitution);
        self.fill_slots(id, 0, Slot::Instance(frame));
        Ok(())
    }

    fn each_argument(&mut self, arguments: &[ExprId]) -> Result<()> {
        arguments
            .iter()
            .try_for_each(|&argument| self.expression(argument).map(|_| ()))
    }

    /// The datatypes declared in `frame` and in the instances in it.
    fn datatypes_of(&self, frame: FrameId) -> Vec<Datatype> {
        let mut found = self.environment.datatypes(frame).to_vec();
        for slot in self.environment.slots(frame) {
            if let Slot::Instance(inner) = slot {
                found.extend(deep(|| self.datatypes_of(*inner)));
            }
        }
        found
    }

    fn module_scheme(&self, reference: &Reference) -> Option<ModuleScheme> {
        match self.slot_of(reference) {
            Slot::Module(id) => self.modules.get(&id).cloned(),
            Slot::Instance(frame) => Some(ModuleScheme {
                parameters: Vec::new(),
                frame,
                datatypes: self.datatypes_of(frame),
            }),
            _ => None,
        }
    }

    /// A copy of `frame` and of those of the instances in it.
    fn copied(&mut self, frame: FrameId, substitution: &Substitution) -> FrameId {
        let slots = self.environment.slots(frame).to_vec();
        let copy = self.environment.frame(slots.len());
        for datatype in self.environment.datatypes(frame).to_vec() {
            let own = substitution.datatypes.get(&datatype);
            self.environment
                .declare(copy, own.copied().unwrap_or(datatype));
        }
        for (number, slot) in slots.into_iter().enumerate() {
            let slot = match slot {
                Slot::Value(scheme) => Slot::Value(Scheme {
                    ty: self.types.substituted(substitution, scheme.ty),
                    ..scheme
                }),
                Slot::Instance(inner) => Slot::Instance(deep(|| self.copied(inner, substitution))),
                other => other,
            };
            self.environment.fill_in(copy, number as u32, slot);
        }
        copy
    }
}
