//! Types of which an assertion claims that their values may be permuted.

use std::collections::BTreeSet;

use super::declared::HeadKind;
use super::evaluator::Evaluator;
use super::kind::{PermutableKind, TypedValues};
use super::set::Set;
use super::value::{DatatypeId, Value};
use base::diag::{Diagnostic, Result};
use process::event::EventId;
use syntax::ast::{ExprId, SymmetricType};

/// A type of which the user says that its values may be permuted freely.
#[derive(Clone, Debug)]
pub struct ClaimedType {
    /// The type with all values that the claim names, including those that stay fixed.
    pub ty: TypedValues,
    /// The values that stay fixed: ascending indices into `ty.values`.
    pub fixed: Vec<usize>,
}

/// Values that can be permuted among each other, as far as the value itself shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Constant(DatatypeId),
    Bool,
    Integer,
    Character,
}

/// The members of the set of a claim: the sort that they all share, and those that can be permuted.
#[derive(Default)]
struct Members {
    sort: Option<Sort>,
    values: BTreeSet<Value>,
}

impl ClaimedType {
    /// The types of `types` (as [`Evaluator::permutable_types`] finds them) that the claim is
    /// about, as indices, each with the indices of its values that may be permuted. A claimed set
    /// of integers is about the fields with an equal set; if there are none, about those whose set
    /// includes it.
    pub(crate) fn select(&self, types: &[TypedValues]) -> Vec<(usize, Vec<usize>)> {
        let all = 0..types.len();
        let mut chosen: Vec<usize> = all
            .clone()
            .filter(|&i| types[i].is_same(&self.ty))
            .collect();
        // Only a claimed set of integers or characters can get further: `indexes` is false for
        // every other kind.
        if chosen.is_empty() {
            chosen = all
                .filter(|&i| types[i].kind.indexes(&self.ty.values))
                .collect();
        }
        let free = |value: &Value| {
            let at = self.ty.values.binary_search(value);
            at.is_ok_and(|at| !self.fixed.contains(&at))
        };
        let free_values = |ty: &TypedValues| {
            let values = ty.values.iter().enumerate();
            let free = values.filter(|(_, value)| free(value));
            free.map(|(i, _)| i).collect()
        };
        let chosen = chosen.into_iter();
        chosen.map(|i| (i, free_values(&types[i]))).collect()
    }

    /// The indices into `ty.values` of the values that may be permuted, ascending.
    pub fn free(&self) -> Vec<usize> {
        let all = 0..self.ty.values.len();
        all.filter(|value| !self.fixed.contains(value)).collect()
    }
}

impl Evaluator<'_> {
    /// The types of fields of `events` that `claim` is about. Each has all values of the claim,
    /// whether they occur or not, and comes with the indices of those that may be permuted.
    pub(super) fn whole_types(
        &mut self,
        claim: &ClaimedType,
        events: &[EventId],
    ) -> Result<Vec<(TypedValues, Vec<usize>)>> {
        let occurring = self.occurring_types(events)?;
        let chosen = claim.select(&occurring).into_iter();
        let whole = chosen.map(|(at, _)| {
            let values = claim.ty.values.iter().cloned();
            let ty = self.text().value_type(occurring[at].kind.clone(), values);
            (ty, claim.free())
        });
        Ok(whole.collect())
    }

    /// The values that the type of a symmetry option names, and those that it keeps fixed. They are
    /// the constants of a datatype, or the members of a set of constants of one datatype, of
    /// integers, characters or truth values. Constructors with fields do not count as values, and
    /// always stay.
    pub fn claimed_type(&mut self, claim: &SymmetricType) -> Result<ClaimedType> {
        let frame = self.top();
        let value = self.evaluate(claim.expression, &frame)?;
        self.work.go_to(claim.span);
        let Value::Set(set) = &value else {
            return self.mismatch("a set", &value).into();
        };
        let mut members = Members::default();
        self.members_of_claim(set, claim, &mut members)?;
        let Members { sort, values } = members;
        let kind = match sort {
            Some(Sort::Constant(datatype)) => PermutableKind::Datatype(datatype),
            Some(Sort::Bool) => PermutableKind::Bool,
            Some(Sort::Integer | Sort::Character) => {
                PermutableKind::Index(values.iter().cloned().collect())
            }
            None => return self.not_permutable(claim, "there are none").into(),
        };
        // A `BTreeSet` ascends, as binary searches in `ty.values` and in index sets expect.
        let ty = self.text().value_type(kind, values);
        let mut fixed = BTreeSet::new();
        for &expression in &claim.fixed {
            // A value that the claim does not name is not permuted anyway, so nothing is noted for
            // it.
            fixed.extend(self.fixed_value(expression, &ty, sort)?);
        }
        Ok(ClaimedType {
            ty,
            fixed: fixed.into_iter().collect(),
        })
    }

    /// Adds the members of `set` to those found so far.
    fn members_of_claim(
        &mut self,
        set: &Set,
        claim: &SymmetricType,
        found: &mut Members,
    ) -> Result<()> {
        match set {
            Set::Datatype(datatype) => {
                // The constructors are looked at instead of the members: a recursive datatype has
                // infinitely many members, and only its constants are permuted.
                let heads = self.declared.datatypes[*datatype].constructors.clone();
                for head in heads {
                    self.member_of_claim(&Value::Head(head), claim, found)?;
                }
            }
            Set::Union(parts) => {
                for part in parts.iter() {
                    self.members_of_claim(part, claim, found)?;
                }
            }
            // The values of a constructor with fields, perhaps infinitely many.
            Set::Dots(parts) if self.starts_with_one_head(parts) => {
                self.members_of_claim(&parts[0], claim, found)?;
            }
            set if self.is_finite(set)? => {
                for member in self.members(set)?.iter() {
                    self.member_of_claim(member, claim, found)?;
                }
            }
            _ => {
                return self
                    .not_permutable(claim, "there are infinitely many")
                    .into();
            }
        }
        Ok(())
    }

    fn starts_with_one_head(&self, parts: &[Set]) -> bool {
        match &parts[0] {
            Set::Finite(first) => first.len() == 1 && self.declared.leading_head(first).is_some(),
            _ => false,
        }
    }

    fn member_of_claim(
        &mut self,
        member: &Value,
        claim: &SymmetricType,
        found: &mut Members,
    ) -> Result<()> {
        let Some(sort) = self.sort(member) else {
            let why = format!("among them is {}", self.text().brief(member));
            return self.not_permutable(claim, &why).into();
        };
        if *found.sort.get_or_insert(sort) != sort {
            return self.mismatch("values of one type", member).into();
        }
        let has_fields =
            matches!(sort, Sort::Constant(_)) && self.declared.constant_of(member).is_none();
        if !has_fields {
            found.values.insert(member.clone());
        }
        Ok(())
    }

    /// The sort of a value. A constructor has the sort of its datatype's constants, with or without
    /// fields.
    fn sort(&self, value: &Value) -> Option<Sort> {
        match value {
            Value::Bool(_) => Some(Sort::Bool),
            Value::Int(_) => Some(Sort::Integer),
            Value::Char(_) => Some(Sort::Character),
            _ => match self.declared.heads[self.declared.head_of(value)?].kind {
                HeadKind::Constructor(datatype) => Some(Sort::Constant(datatype)),
                HeadKind::Channel => None,
            },
        }
    }

    fn not_permutable(&self, claim: &SymmetricType, why: &str) -> Diagnostic {
        let name = claim.name.segments.iter();
        let name: Vec<&str> = name
            .map(|segment| self.script.ast.name(segment.symbol))
            .collect();
        let message = format!(
            "the values of `{}` cannot be permuted: {why}",
            name.join("::")
        );
        Diagnostic::error("not-a-type", message)
            .at(claim.name.span(), "")
            .hint(
                "name a datatype, or a finite set of its constants, of integers or of truth values",
            )
    }

    /// The index of a value that a claim keeps fixed; `None` for another value of this sort, which
    /// stays anyway.
    fn fixed_value(
        &mut self,
        fixed: ExprId,
        ty: &TypedValues,
        sort: Option<Sort>,
    ) -> Result<Option<usize>> {
        let value = self.value_of(fixed)?;
        if self.sort(&value) == sort {
            return Ok(ty.values.binary_search(&value).ok());
        }
        self.at(fixed);
        let expected = format!("a value of {}", ty.name);
        self.mismatch(&expected, &value).into()
    }
}
