//! Asking types to satisfy constraints, by what is asked of their variables.

use super::constraint::{Constraint, Constraints};
use super::dots::Match;
use super::kind::{Kind, Type, parts};
use super::mismatch::{Mismatch, Problem};
use super::types::Types;
use crate::base::stack::deep;

impl Types {
    /// Makes `ty` satisfy `constraints`, by what is asked of its variables.
    pub(super) fn require(&mut self, constraints: Constraints, ty: Type) -> Result<(), Mismatch> {
        let mut listed = constraints.listed();
        listed.try_for_each(|constraint| self.require_one(constraint, ty))
    }

    /// The same of one.
    pub fn require_one(&mut self, constraint: Constraint, ty: Type) -> Result<(), Mismatch> {
        let told = self.requiring(|types| types.require_and_tell(constraint, ty));
        told.map(|_| ())
    }

    /// The same; whether it satisfies it whatever is found out later. Such types are not asked again: otherwise sets in
    /// sets would take quadratic time. What a variable is asked for is asked of all that it becomes.
    fn require_and_tell(&mut self, constraint: Constraint, ty: Type) -> Result<bool, Mismatch> {
        let head = self.head(ty);
        if self.satisfied.contains(&(constraint, head)) {
            return Ok(true);
        }
        deep(|| {
            let Some(parts) = self.asked_of_parts(constraint, ty)? else {
                return Err(Mismatch::new(Problem::Constraint(constraint, ty)));
            };
            let kind = self.kind(ty);
            if self.is_required(constraint, head, &kind) {
                return Ok(false);
            }
            let mut is_settled = !matches!(
                kind,
                Kind::Dot(_) | Kind::Dotable(..) | Kind::Extendable(..)
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

    /// What has to hold of the parts of `ty` so that `constraint` holds of it; nothing if it cannot hold.
    fn asked_of_parts(
        &mut self,
        constraint: Constraint,
        ty: Type,
    ) -> Result<Option<Vec<(Constraint, Type)>>, Mismatch> {
        let all = |constraint: Constraint, parts: &[Type]| {
            Some(parts.iter().map(|&part| (constraint, part)).collect())
        };
        let kind = self.kind(ty);
        if let Kind::Variable(variable) = kind {
            let (known, name) = self.free(variable);
            if name.is_some() && !known.imply(constraint) {
                return Ok(None);
            }
            self.constrain(variable, Constraints::of(constraint));
            return Ok(Some(Vec::new()));
        }
        Ok(match (constraint, kind) {
            (_, Kind::Unknown) => Some(Vec::new()),
            (_, Kind::Function(..)) => None,
            (Constraint::Ord, Kind::Int | Kind::Char) => Some(Vec::new()),
            (Constraint::Ord, Kind::Sequence(part) | Kind::Set(part)) => {
                all(Constraint::Eq, &[part])
            }
            (Constraint::Ord, Kind::Tuple(parts)) => all(constraint, &parts),
            (Constraint::Ord, Kind::Map(key, value)) => all(constraint, &[key, value]),
            (Constraint::Ord, _) => None,
            (Constraint::Yieldable, Kind::Event | Kind::Datatype(_)) => Some(Vec::new()),
            // No field may be missing.
            (Constraint::Complete | Constraint::Yieldable, Kind::Extendable(tail, result)) => {
                self.end_tail(tail)?;
                all(constraint, &[result])
            }
            (Constraint::Complete | Constraint::Yieldable, Kind::Dot(parts)) => {
                let parts = self.evaluate(&parts, Match::Longest)?;
                if constraint == Constraint::Yieldable && parts.len() > 1 {
                    return Ok(None);
                }
                all(constraint, &parts)
            }
            (Constraint::Yieldable, _) | (Constraint::Complete, Kind::Dotable(..)) => None,
            (Constraint::Complete, _) => Some(Vec::new()),
            (Constraint::Eq, Kind::Process) => None,
            (Constraint::Eq, Kind::Datatype(datatype)) => {
                self.datatypes[datatype].is_comparable.then(Vec::new)
            }
            // What is completed to an event or a value of a datatype can be compared if that can, in the end.
            (Constraint::Eq | Constraint::Set, Kind::Extendable(..)) => Some(Vec::new()),
            (Constraint::Eq | Constraint::Set, kind) => all(constraint, &parts(&kind)),
        })
    }
}
