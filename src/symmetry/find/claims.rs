//! Symmetries that a user or script claims: each must hold.

use crate::candidates::{PermutableValues, generating};
use crate::findings::{SymmetrySource, TypeFinding};
use crate::notation::cycles_text;
use crate::refusal::Refusal;
use base::diag::{Diagnostic, Result};
use base::source::Span;
use process::values::{UserPermutation, ValueType};

use super::Finder;
use super::attempt::SymmetryAttempt;

/// A permutation that is claimed to be a symmetry.
#[derive(Clone, Debug)]
pub struct ClaimedPermutation {
    /// The text of the permutation, as it was written.
    pub text: String,
    /// The permutation, of values or events.
    pub permutation: UserPermutation,
    /// The place of the claim.
    pub span: Span,
}

impl Finder<'_> {
    /// Checks that the `free` values of `ty` are fully symmetric.
    pub(super) fn claimed_type(
        &mut self,
        ty: &ValueType,
        free: &[usize],
        span: Span,
    ) -> Result<()> {
        let values = &ty.values;
        // Symmetries form a group, so two permutations that generate all are enough.
        for images in generating(values.len(), free) {
            let attempt = self.attempt(ty, &images)?;
            self.claimed(attempt, cycles_text(values, &images), span)?;
        }
        let fixed = (0..values.len()).filter(|value| !free.contains(value));
        self.findings.types.push(TypeFinding {
            name: ty.name.clone(),
            values: values.clone(),
            permutable: PermutableValues {
                fixed: fixed.collect(),
                free: Vec::from_iter((free.len() >= 2).then(|| free.to_vec())),
                ..PermutableValues::default()
            },
        });
        Ok(())
    }

    pub(super) fn claimed_permutation(&mut self, claimed: &ClaimedPermutation) -> Result<()> {
        let attempt = match &claimed.permutation {
            UserPermutation::Events(pairs) => self.attempt_events(pairs, &claimed.text)?,
            UserPermutation::Values(parts) => self.attempt_values(parts)?,
        };
        self.claimed(attempt, claimed.text.clone(), claimed.span)
    }

    /// Handles the result of the attempt with the symmetry called `name`, which is claimed at
    /// `span`.
    fn claimed(&mut self, attempt: SymmetryAttempt, name: String, span: Span) -> Result<()> {
        match attempt {
            Ok(symmetry) => {
                self.add(symmetry, name, SymmetrySource::Claim);
                Ok(())
            }
            Err(why) => self.false_claim(&name, &why, span).into(),
        }
    }

    fn false_claim(&self, name: &str, why: &Refusal, span: Span) -> Diagnostic {
        let events = &self.values.terms().events;
        let message = format!("{name} is claimed to be a symmetry, but it is none");
        let mut diagnostic = Diagnostic::error("false-symmetry", message)
            .at(span, "claimed here")
            .note(why.text(events));
        if let Some(place) = why.span {
            diagnostic = diagnostic.at(place, "what breaks it");
        }
        diagnostic.hint("leave the claim out: the symmetries that hold are found without it")
    }
}
