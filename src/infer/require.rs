//! Requires types to satisfy constraints, by constraining their variables.

use super::constraint::{Constraint, Constraints};
use super::dots::Match;
use super::kind::{Type, TypeKind, parts};
use super::mismatch::{TypeMismatch, Unified};
use super::types::Types;
use base::stack::deep;

impl Types {
    /// Makes `ty` satisfy `constraints`, by constraining its variables.
    pub(super) fn require(&mut self, constraints: Constraints, ty: Type) -> Unified {
        let mut listed = constraints.listed();
        listed.try_for_each(|constraint| self.require_one(constraint, ty))
    }

    /// Makes `ty` satisfy `constraint`, by constraining its variables.
    pub(crate) fn require_one(&mut self, constraint: Constraint, ty: Type) -> Unified {
        let told = self.requiring(|types| types.require_and_tell(constraint, ty));
        told.map(|_| ())
    }

    /// Makes `ty` satisfy `constraint`. Returns true if it does so whatever is found out later.
    /// Such types are not asked again: otherwise sets in sets would take quadratic time. A
    /// constraint on a variable applies to every type that the variable becomes.
    fn require_and_tell(&mut self, constraint: Constraint, ty: Type) -> Unified<bool> {
        let head = self.head(ty);
        if self.satisfied.contains(&(constraint, head)) {
            return Ok(true);
        }
        deep(|| {
            let Some(parts) = self.asked_of_parts(constraint, ty)? else {
                return Err(TypeMismatch::Constraint(constraint, ty));
            };
            let kind = self.kind(ty);
            if self.is_required(constraint, head, &kind) {
                // This part came up before in the present question, which noted if it is settled.
                return Ok(false);
            }
            // Dots can still become something else.
            let mut is_settled = !matches!(
                kind,
                TypeKind::Dot(_) | TypeKind::Dotable(..) | TypeKind::Extendable(..)
            );
            for (constraint, part) in parts {
                is_settled &= self.require_and_tell(constraint, part)?;
            }
            if is_settled {
                self.satisfied.insert((constraint, head));
            }
            Ok(is_settled)
        })
    }

    /// The constraints on the parts of `ty` under which `constraint` holds of it; `None` if it
    /// cannot hold.
    fn asked_of_parts(
        &mut self,
        constraint: Constraint,
        ty: Type,
    ) -> Unified<Option<Vec<(Constraint, Type)>>> {
        let all = |constraint: Constraint, parts: &[Type]| {
            Some(parts.iter().map(|&part| (constraint, part)).collect())
        };
        let kind = self.kind(ty);
        if let TypeKind::Variable(variable) = kind {
            let (known, name) = self.free(variable);
            // A type that an annotation lets be any type satisfies only the constraints in the
            // annotation.
            if name.is_some() && !known.imply(constraint) {
                return Ok(None);
            }
            self.constrain(variable, Constraints::of(constraint));
            return Ok(Some(Vec::new()));
        }
        Ok(match (constraint, kind) {
            (_, TypeKind::Unknown) => Some(Vec::new()),
            (_, TypeKind::Function(..)) => None,
            (Constraint::Ord, TypeKind::Int | TypeKind::Char) => Some(Vec::new()),
            (Constraint::Ord, TypeKind::Sequence(part) | TypeKind::Set(part)) => {
                all(Constraint::Eq, &[part])
            }
            (Constraint::Ord, TypeKind::Tuple(parts)) => all(constraint, &parts),
            (Constraint::Ord, TypeKind::Map(key, value)) => all(constraint, &[key, value]),
            (Constraint::Ord, _) => None,
            (Constraint::Yieldable, TypeKind::Event | TypeKind::Datatype(_)) => Some(Vec::new()),
            // No field may be missing.
            (Constraint::Complete | Constraint::Yieldable, TypeKind::Extendable(tail, result)) => {
                self.end_tail(tail)?;
                all(constraint, &[result])
            }
            (Constraint::Complete | Constraint::Yieldable, TypeKind::Dot(parts)) => {
                let parts = self.evaluate(&parts, Match::Longest)?;
                if constraint == Constraint::Yieldable && parts.len() > 1 {
                    return Ok(None);
                }
                all(constraint, &parts)
            }
            (Constraint::Yieldable, _) | (Constraint::Complete, TypeKind::Dotable(..)) => None,
            (Constraint::Complete, _) => Some(Vec::new()),
            (Constraint::Eq, TypeKind::Process) => None,
            (Constraint::Eq, TypeKind::Datatype(datatype)) => {
                self.datatypes[datatype].is_comparable.then(Vec::new)
            }
            // A type that is completed to an event or a datatype can be compared if that type can.
            (Constraint::Eq | Constraint::Set, TypeKind::Extendable(..)) => Some(Vec::new()),
            (Constraint::Eq | Constraint::Set, kind) => all(constraint, &parts(&kind)),
        })
    }
}
