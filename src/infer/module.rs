//! Types of modules with parameters, and of instances.

use std::rc::Rc;

use super::frames::{FrameId, ModuleScheme, SlotContent};
use super::inference::Inference;
use super::reason::TypeReason;
use super::scheme::{Generality, OpenVariables};
use super::script::InputScript;
use super::types::{Datatype, Type, TypeKind, Types};
use base::diag::Result;
use base::index::TypedIndex;
use base::stack::deep;
use syntax::ast::{DeclarationId, ExprId, Identifier, PatternId};

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
        let [outer, inner] = self.environment.module_frames(id);
        let types = parameters.iter().map(|&parameter| {
            let ty = self.pattern(parameter, outer);
            let span = self.script.pattern_span(parameter);
            self.check().evaluated(ty, span)
        });
        let types: Vec<Type> = types.collect::<Result<_>>()?;
        let around = self.environment.parameters.len();
        self.environment.parameters.extend(&types);
        let before = self.types.datatypes.len();
        self.environment.enter(outer);
        self.environment.enter(inner);
        self.declarations(&[private, exports].concat(), Generality::MostGeneral);
        self.environment.leave();
        self.environment.leave();
        self.environment.parameters.truncate(around);
        // Every datatype that was made since `before` stands in this module.
        let after = self.types.datatypes.len();
        let each = parameters.iter().zip(types);
        // The declarations of the module may say more of them.
        let types = each.map(|(&parameter, ty)| {
            let span = self.script.pattern_span(parameter);
            self.check().evaluated(ty, span)
        });
        let scheme = ModuleScheme {
            parameters: types.collect::<Result<_>>()?,
            frame: inner,
            datatypes: (before..after).map(Datatype::from_usize).collect(),
        };
        let module = SlotContent::Module(Rc::new(scheme));
        self.environment.fill(id, module);
        Ok(())
    }

    /// Types `instance name = M(arguments)`.
    pub(super) fn instance(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        arguments: &[ExprId],
    ) -> Result<()> {
        let InputScript { ast, resolved } = self.script;
        let Some(reference) = resolved.instances.get(&id) else {
            return Ok(());
        };
        let Some(module) = self.environment.module_scheme(reference) else {
            // A mistake in the module was reported; its members fit everywhere.
            self.each(arguments);
            return Ok(());
        };
        // Parameters and datatypes are replaced before the arguments are looked at: an argument is
        // compared with what the parameter is in this instance.
        let text = ast.name(name.symbol);
        let mut substitution = self.types.fresh_for(&module.parameters);
        for &datatype in &module.datatypes {
            let info = self.types.datatypes[datatype].clone();
            let last = info.name.rsplit("::").next().unwrap_or_default();
            let own = format!("{}{text}::{last}", self.environment.qualifier());
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
            let fits = self.check().fitting(argument, (wanted, actual), reason);
            if fits.is_err() {
                self.types.open(wanted, &mut doubtful);
            }
            self.problems.report(fits);
        }
        let frames = &mut self.environment.frames;
        let frame = frames.copied(&mut self.types, module.frame, &mut substitution);
        // Only now, because what the arguments have decided is not open any more.
        self.generalise_members(frame, name, text)?;
        self.environment.fill_instance(id, name, frame);
        Ok(())
    }

    /// Generalises the members of an instance: types that the arguments do not decide stay open at
    /// each use, but not in channels and constructors. `path` is the name of the instance.
    fn generalise_members(&mut self, frame: FrameId, name: Identifier, path: &str) -> Result<()> {
        let slots = self.environment.frames.slots(frame).to_vec();
        for (number, slot) in (0..).zip(slots) {
            let member = self.environment.frames.name(frame, number);
            let member = member.map_or("...", |member| self.script.ast.name(member));
            let member = format!("{path}::{member}");
            match slot {
                SlotContent::Value(scheme) => {
                    let scheme = self.environment.generalised(&mut self.types, scheme.ty);
                    let is_open = !scheme.variables.is_empty();
                    // Fields must have one known type, as outside of modules (`check_plain`).
                    if is_open && makes_values(&mut self.types, scheme.ty) {
                        return self.check().ambiguous(&member, name.span, scheme.ty).into();
                    }
                    let value = SlotContent::Value(scheme);
                    self.environment.frames.fill_in(frame, number, value);
                }
                SlotContent::Instance(inner) => {
                    deep(|| self.generalise_members(inner, name, &member))?;
                }
                SlotContent::Empty | SlotContent::Module(_) => {}
            }
        }
        Ok(())
    }
}

/// True if values of type `ty` lack fields of an event or of a value of a datatype.
fn makes_values(types: &mut Types, ty: Type) -> bool {
    let (fields, whole) = types.fields(ty);
    let whole = types.kind(whole);
    !fields.is_empty() && matches!(whole, TypeKind::Event | TypeKind::Datatype(_))
}
