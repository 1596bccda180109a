//! The values in events for `symmetry`, which knows their types by numbers that the evaluator
//! gives.

use super::claim::ClaimedType;
use super::evaluator::Evaluator;
use super::kind::{TypePermutation, TypedValues};
use base::diag::Result;
use process::event::EventId;
use process::values::{self, EventValues, Inferred, Lifting, ValueType};

impl EventValues for Evaluator<'_> {
    fn value_types(
        &mut self,
        events: &[EventId],
        weight: &dyn Fn(EventId) -> u64,
    ) -> Result<Vec<(ValueType, Vec<u64>)>> {
        let types = self.all_types(events, weight)?.into_iter();
        Ok(types.map(|(ty, sums)| (self.told(ty), sums)).collect())
    }

    fn lift(&mut self, parts: &[values::PermutedType], events: &[EventId]) -> Result<Lifting> {
        let parts = parts.iter();
        let parts: Vec<TypePermutation> = parts
            .map(|(ty, images)| (self.events.type_with(ty.number).clone(), images.clone()))
            .collect();
        self.lift_parts(&parts, events)
    }

    fn inferred(
        &mut self,
        events: &[EventId],
        types: &[ValueType],
        image: &dyn Fn(EventId) -> EventId,
    ) -> Result<Option<Inferred>> {
        let types = types.iter();
        let types: Vec<TypedValues> = types
            .map(|ty| self.events.type_with(ty.number).clone())
            .collect();
        self.values_inferred(events, &types, image)
    }
}

/// A type with its values that may be permuted: indices into its values, ascending.
pub type FreeValues = (ValueType, Vec<usize>);

impl Evaluator<'_> {
    /// The types with two values or more in `events`, all of which may be permuted.
    pub fn free_types(&mut self, events: &[EventId]) -> Result<Vec<FreeValues>> {
        let types = self.permutable_types(events)?.into_iter();
        let all = |ty: &TypedValues| (0..ty.values.len()).collect();
        Ok(types
            .map(|ty| (all(&ty), self.told(ty)))
            .map(|(free, ty)| (ty, free))
            .collect())
    }

    /// The types with two values or more in `events` that `claim` is about, each with its values
    /// that occur.
    pub fn claimed_free(
        &mut self,
        claim: &ClaimedType,
        events: &[EventId],
    ) -> Result<Vec<FreeValues>> {
        let occurring = self.permutable_types(events)?;
        let chosen = claim.select(&occurring).into_iter();
        Ok(chosen
            .map(|(at, free)| (self.told(occurring[at].clone()), free))
            .collect())
    }

    /// The types in `events` that `claim` is about, each with all values of the claim, whether they
    /// occur or not: a process that uses only one of two values changes when they are exchanged.
    pub fn claimed_whole(
        &mut self,
        claim: &ClaimedType,
        events: &[EventId],
    ) -> Result<Vec<FreeValues>> {
        let whole = self.whole_types(claim, events)?.into_iter();
        Ok(whole.map(|(ty, free)| (self.told(ty), free)).collect())
    }

    /// The number of `ty` for other crates.
    fn told(&mut self, ty: TypedValues) -> ValueType {
        let number = self.events.number_type(&ty);
        ValueType {
            values: ty.values.iter().map(|value| self.show(value)).collect(),
            name: ty.name,
            number,
        }
    }

    /// Each of `parts` with the number of its type for other crates.
    pub(super) fn told_parts(&mut self, parts: Vec<TypePermutation>) -> Vec<values::PermutedType> {
        let parts = parts.into_iter();
        parts.map(|(ty, images)| (self.told(ty), images)).collect()
    }
}
