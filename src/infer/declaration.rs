//! Types each form of declaration.

use super::inference::Inference;
use super::reason::TypeReason;
use super::types::{Type, Types};
use base::diag::Result;
use syntax::ast::{Declaration, DeclarationId, Identifier};

impl Inference<'_> {
    /// Types the declaration `id`, and unifies the types of its names with those of their
    /// definitions.
    pub(super) fn declaration(&mut self, id: DeclarationId) -> Result<()> {
        let ast = self.script.ast;
        match ast.declaration(id) {
            Declaration::Pattern(pattern, body) => self.constant(id, *pattern, *body),
            Declaration::Function(name, clauses) => self.function(id, *name, clauses),
            Declaration::Channel(names, fields) => self.channels(id, names, *fields),
            Declaration::Datatype(_, constructors) => self.datatype(id, constructors),
            Declaration::Subtype(name, constructors) => self.subtype(id, *name, constructors),
            Declaration::Nametype(name, body) => self.named_type(id, *name, *body),
            Declaration::Module {
                parameters,
                private,
                exports,
                ..
            } => self.module(id, parameters, private, exports),
            Declaration::Instance {
                name, arguments, ..
            } => self.instance(id, *name, arguments),
            Declaration::Print(value) => {
                self.expression(*value);
                Ok(())
            }
            Declaration::Timed(Some(duration), _) => {
                let expected = self.types.function(&[Types::EVENT], Types::INT);
                self.expect(
                    *duration,
                    expected,
                    TypeReason::Taken("what says how long events take"),
                )
            }
            Declaration::Assert(assertion) => self.assertion(assertion),
            Declaration::Timed(None, _)
            | Declaration::Include(..)
            | Declaration::External(_)
            | Declaration::Transparent(_)
            | Declaration::Annotation(..) => Ok(()),
        }
    }

    /// Unifies the type of the `index`th name of `id` with `ty`.
    pub(super) fn introduce(
        &mut self,
        id: DeclarationId,
        index: usize,
        ty: Type,
        name: Identifier,
    ) -> Result<()> {
        if let Some(signature) = self.annotated.signature(id, name.symbol) {
            let annotated = signature.own;
            let reason = TypeReason::Taken("what the annotation speaks of");
            self.check().checked(annotated, ty, name.span, reason)?;
        }
        let Some((frame, slot)) = self.environment.slot_here(id, index) else {
            return Ok(());
        };
        let reason = TypeReason::Taken("what is used before it is known");
        let used = self.environment.frames.type_in(frame, slot);
        self.check().checked(used, ty, name.span, reason)
    }
}
