//! Checks that a channel gets the fields that it carries.

use super::check::TypeCheck;
use super::mismatch::TypeMismatch;
use super::reason::TypeReason;
use super::text::{TypeNames, elided};
use super::types::{Type, TypeKind, Types};
use base::diag::{Diagnostic, Result};
use base::source::Span;
use syntax::ast::{ExprId, Field};
use syntax::print::expression_text;

impl TypeCheck<'_, '_> {
    /// Requires that a channel and its fields, whose types are `parts`, form an event.
    pub(super) fn communication(
        &mut self,
        channel: ExprId,
        fields: &[Field],
        parts: &[Type],
    ) -> Result<()> {
        // Asked before unification, which decides variables even where it fails.
        let (wanted, whole) = self.types.fields(parts[0]);
        let dotted = self.types.dot(parts);
        let last = fields.last().map(|field| self.script.field_span(field));
        let place = last.map_or(self.script.span(channel), |last| {
            self.script.span(channel).to(last)
        });
        let Err(mismatch) = self.types.unify_at(place, Types::EVENT, dotted) else {
            return Ok(());
        };
        // A missing constraint on a type variable of an annotation is no mistake in the fields.
        let is_annotated = match mismatch {
            TypeMismatch::Constraint(_, culprit) => self.types.rigid_name(culprit).is_some(),
            _ => false,
        };
        if is_annotated || self.types.kind(whole) != TypeKind::Event {
            let reason = TypeReason::Taken("what stands before `->`");
            return self
                .mismatch(place, (Types::EVENT, dotted), mismatch, reason)
                .into();
        }
        let given = self.types.dot(&parts[1..]);
        let given = self.types.with_evaluated_dots(given).unwrap_or(given);
        // An output such as `c!x.y` counts as the fields it has.
        let given = self.types.fields_of_dotted(given);
        let error = self.wrong_fields(channel, place, &wanted, &given);
        let outputs = fields.iter().filter_map(|field| match field {
            Field::Output(value) if given.len() > wanted.len() => Some(*value),
            _ => None,
        });
        let mut outputs = outputs.collect::<Vec<_>>().into_iter();
        match outputs.find_map(|value| self.whole_too_soon(value)) {
            Some(hint) => error.hint(hint).into(),
            None => error.into(),
        }
    }

    /// The message that `channel` gets fields of types `given`, but carries those of `wanted`.
    fn wrong_fields(
        &mut self,
        channel: ExprId,
        place: Span,
        wanted: &[Type],
        given: &[Type],
    ) -> Diagnostic {
        let name = expression_text(self.script.ast, channel);
        let mut names = TypeNames::new(self.script.ast);
        let mut texts = |types: &[Type]| -> Vec<String> {
            let each = types.iter().map(|&ty| elided(names.ty(self.types, ty)));
            each.collect()
        };
        let (wanted, given) = (texts(wanted), texts(given));
        let carried = match wanted.is_empty() {
            true => "nothing".to_string(),
            false => wanted.join("."),
        };
        let message = format!(
            "`{name}` carries {carried}, but here it gets {}",
            given.join(".")
        );
        let error = Diagnostic::error("communication", message)
            .at(place, format!("the fields have type {}", given.join(".")));
        let error = match self.script.declared_at(channel) {
            Some(declared) => error.at(declared, "declared here"),
            None => error,
        };
        if let Some(hint) = tuple_or_dots(&name, &wanted, &given) {
            return error.hint(hint);
        }
        match (wanted.get(given.len()..), given.get(wanted.len()..)) {
            (Some([]), _) => error,
            (Some([missing]), _) => error.hint(format!(
                "a field of type {missing} is missing: add `!value` to send one, or `?x` to take any"
            )),
            (Some(missing), _) => error.hint(format!(
                "{} fields are missing, {}: add `!value` to send one, or `?x` to take any",
                missing.len(),
                missing.join(" and ")
            )),
            (None, _) if wanted.is_empty() => {
                error.hint(format!("it is an event without fields: write `{name} -> ...`"))
            }
            (None, Some(more)) => {
                let fields = if more.len() == 1 { "field" } else { "fields" };
                error.hint(format!("that is {} {fields} too many", more.len()))
            }
            (None, None) => error,
        }
    }
}

/// A hint, if a tuple, which is one field, stands where dots are wanted or the reverse.
fn tuple_or_dots(name: &str, wanted: &[String], given: &[String]) -> Option<String> {
    let is_tuple = |types: &[String]| types.len() == 1 && types[0].starts_with('(');
    if is_tuple(wanted) && given.len() > 1 {
        Some(format!("a tuple is one field: write `{name}!(x, y)`"))
    } else if is_tuple(given) && wanted.len() > 1 {
        Some(format!(
            "these are several fields, no tuple: write `{name}!x!y`"
        ))
    } else {
        None
    }
}
