//! Types of modules with parameters, and of instances.

use std::rc::Rc;

use super::environment::{FrameId, ModuleScheme, SlotContent};
use super::inference::Inference;
use super::reason::TypeReason;
use super::scheme::{Generality, OpenVariables, Scheme, Substitution};
use super::types::{Datatype, Type, TypeKind};
use base::diag::Result;
use base::index::TypedIndex;
use base::stack::deep;
use syntax::ast::{DeclarationId, ExprId, Identifier, PatternId};
use types::resolved::Reference;

impl Inference<'_> {
    /// Types a module with parameters once for all instances. Inside it, nothing is known of the
    /// parameters but how they are used.
    pub(super) fn module(
        &mut self,
        id: DeclarationId,
        parameters: &[PatternId],
        private: &[DeclarationId],
        exports: &[DeclarationId],
    ) -> Result<()> {
        let (outer, inner) = self.module_frames(id);
        let types = parameters.iter().map(|&parameter| {
            let ty = self.pattern(parameter, outer);
            self.evaluated(ty, self.ast.patterns[parameter].span)
        });
        let types: Vec<Type> = types.collect::<Result<_>>()?;
        let around = self.parameters.len();
        self.parameters.extend(&types);
        let before = self.types.datatypes.len();
        self.environment.enter(outer);
        self.environment.enter(inner);
        self.declarations(&[private, exports].concat(), Generality::MostGeneral);
        self.environment.leave();
        self.environment.leave();
        self.parameters.truncate(around);
        // Every datatype that was made since `before` stands in this module.
        let after = self.types.datatypes.len();
        let each = parameters.iter().zip(types);
        // The declarations of the module may say more of them.
        let types = each.map(|(&parameter, ty)| {
            let span = self.ast.patterns[parameter].span;
            self.evaluated(ty, span)
        });
        let scheme = ModuleScheme {
            parameters: types.collect::<Result<_>>()?,
            frame: inner,
            datatypes: (before..after).map(Datatype::from_usize).collect(),
        };
        self.fill_slots(id, 0, SlotContent::Module(Rc::new(scheme)));
        Ok(())
    }

    /// Types `instance name = M(arguments)`.
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
            // A mistake in the module was reported; its members fit everywhere.
            self.each(arguments);
            return Ok(());
        };
        // Parameters and datatypes are replaced before the arguments are looked at: an argument is
        // compared with what the parameter is in this instance.
        let mut substitution = self.fresh_parameters(&module.parameters);
        for &datatype in &module.datatypes {
            let info = self.types.datatypes[datatype].clone();
            let last = info.name.rsplit("::").next().unwrap_or_default();
            let own = format!("{}{}::{last}", self.qualifier, self.ast.name(name.symbol));
            let fresh = self.types.datatype(own);
            self.types.datatypes[fresh].is_comparable = info.is_comparable;
            substitution.datatypes.insert(datatype, fresh);
        }
        let mut doubtful = OpenVariables::default();
        for (&argument, &parameter) in arguments.iter().zip(&module.parameters) {
            let wanted = self.types.substituted(&mut substitution, parameter);
            let actual = self.expression(argument);
            // An argument that shares a variable with one that did not fit would seem wrong because
            // of it.
            if self.types.has_any(wanted, &doubtful) {
                continue;
            }
            let reason = TypeReason::Taken("an argument of this module");
            let fits = self.fitting(argument, (wanted, actual), reason);
            if fits.is_err() {
                self.types.open(wanted, &mut doubtful);
            }
            self.report(fits);
        }
        let frame = self.copied(module.frame, &mut substitution);
        let text = self.ast.name(name.symbol).to_string();
        // Only now, because what the arguments have decided is not open any more.
        self.generalise_members(frame, name, &text)?;
        self.fill_slots(id, 0, SlotContent::Instance(frame));
        self.call_slot(id, name);
        Ok(())
    }

    /// Fresh variables for those in the types of the parameters of a module.
    fn fresh_parameters(&mut self, parameters: &[Type]) -> Substitution {
        let mut open = OpenVariables::default();
        for &parameter in parameters {
            self.types.open(parameter, &mut open);
        }
        self.types.fresh(&open.variables, &open.tails)
    }

    /// Generalises the members of an instance: types that the arguments do not decide stay open at
    /// each use, but not in channels and constructors. `path` is the name of the instance.
    fn generalise_members(&mut self, frame: FrameId, name: Identifier, path: &str) -> Result<()> {
        for (number, slot) in self
            .environment
            .slots(frame)
            .to_vec()
            .into_iter()
            .enumerate()
        {
            let member = self.environment.name(frame, number as u32);
            let member = member.map_or("...", |member| self.ast.name(member));
            let member = format!("{path}::{member}");
            match slot {
                SlotContent::Value(scheme) => {
                    let scheme = self.generalised(scheme.ty);
                    let is_open = !scheme.variables.is_empty();
                    // Fields must have one known type, as outside of modules (`check_plain`).
                    if is_open && self.makes_values(scheme.ty) {
                        return self.ambiguous(&member, name.span, scheme.ty).into();
                    }
                    let value = SlotContent::Value(scheme);
                    self.environment.fill_in(frame, number as u32, value);
                }
                SlotContent::Instance(inner) => {
                    deep(|| self.generalise_members(inner, name, &member))?;
                }
                SlotContent::Empty | SlotContent::Module(_) => {}
            }
        }
        Ok(())
    }

    /// True if values of type `ty` lack fields of an event or of a value of a datatype.
    fn makes_values(&mut self, ty: Type) -> bool {
        let (fields, whole) = self.types.fields(ty);
        let whole = self.types.kind(whole);
        !fields.is_empty() && matches!(whole, TypeKind::Event | TypeKind::Datatype(_))
    }

    /// The datatypes declared in `frame` and in the instances in it.
    fn datatypes_of(&self, frame: FrameId) -> Vec<Datatype> {
        let mut found = self.environment.datatypes(frame).to_vec();
        for slot in self.environment.slots(frame) {
            if let SlotContent::Instance(inner) = slot {
                found.extend(deep(|| self.datatypes_of(*inner)));
            }
        }
        found
    }

    fn module_scheme(&self, reference: &Reference) -> Option<Rc<ModuleScheme>> {
        match self.slot_of(reference) {
            SlotContent::Module(module) => Some(module),
            // A module without parameters was typed in its place; a further instance is a copy of
            // its frame.
            SlotContent::Instance(frame) => Some(Rc::new(ModuleScheme {
                parameters: Vec::new(),
                frame,
                datatypes: self.datatypes_of(frame),
            })),
            _ => None,
        }
    }

    /// A copy of `frame` and of the frames of the instances and modules in it.
    fn copied(&mut self, frame: FrameId, substitution: &mut Substitution) -> FrameId {
        let slots = self.environment.slots(frame).to_vec();
        let copy = self.environment.copy(frame);
        for datatype in self.environment.datatypes(frame).to_vec() {
            let own = substitution.datatype(datatype);
            self.environment.declare(copy, own);
        }
        for (number, slot) in slots.into_iter().enumerate() {
            let slot = match slot {
                SlotContent::Value(scheme) => SlotContent::Value(Scheme {
                    ty: self.types.substituted(substitution, scheme.ty),
                    ..scheme
                }),
                SlotContent::Instance(inner) => {
                    SlotContent::Instance(deep(|| self.copied(inner, substitution)))
                }
                SlotContent::Module(module) => {
                    let parameters = module.parameters.iter();
                    SlotContent::Module(Rc::new(ModuleScheme {
                        parameters: parameters
                            .map(|&ty| self.types.substituted(substitution, ty))
                            .collect(),
                        frame: deep(|| self.copied(module.frame, substitution)),
                        datatypes: module
                            .datatypes
                            .iter()
                            .map(|&datatype| substitution.datatype(datatype))
                            .collect(),
                    }))
                }
                SlotContent::Empty => SlotContent::Empty,
            };
            self.environment.fill_in(copy, number as u32, slot);
        }
        copy
    }
}
