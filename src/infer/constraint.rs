//! What a type can be asked for: equality, order, to be put into sets, to be input, to be completed to.

use super::dots::Match;
use super::types::{Kind, Type, Types};
use super::unify::{Mismatch, Problem, parts};
use crate::base::stack::deep;

/// A property of types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Constraint {
    /// `==` compares its values.
    Eq,
    /// `<` compares its values.
    Ord,
    /// There are sets of its values: all that can be compared, and processes.
    Set,
    /// A channel can carry its values: no field is missing, and they are no functions.
    Complete,
    /// `{| |}` completes something to its values: events and datatypes.
    Yieldable,
}

impl Constraint {
    /// All of them, as they are listed before a type.
    pub const ALL: [Constraint; 5] = [
        Constraint::Complete,
        Constraint::Eq,
        Constraint::Ord,
        Constraint::Set,
        Constraint::Yieldable,
    ];

    /// As in an annotation.
    pub fn name(self) -> &'static str {
        match self {
            Constraint::Eq => "Eq",
            Constraint::Ord => "Ord",
            Constraint::Set => "Set",
            Constraint::Complete => "Complete",
            Constraint::Yieldable => "Yieldable",
        }
    }

    /// The constraint of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|constraint| constraint.name() == name)
    }
}

/// A set of constraints.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Constraints(u8);

impl Constraints {
    /// None.
    pub const NONE: Self = Self(0);

    /// One.
    pub fn of(constraint: Constraint) -> Self {
        Self(1 << constraint as u8)
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether what satisfies these satisfies `constraint`: what can be compared can be put into sets.
    pub fn imply(self, constraint: Constraint) -> bool {
        let has = |constraint| self.0 & Self::of(constraint).0 != 0;
        has(constraint) || constraint == Constraint::Set && has(Constraint::Eq)
    }

    /// Those that no other of them implies, as they are listed before a type.
    pub fn listed(self) -> impl Iterator<Item = Constraint> {
        let is_listed = move |constraint: &Constraint| {
            let others = Self(self.0 & !Self::of(*constraint).0);
            self.0 != others.0 && !others.imply(*constraint)
        };
        Constraint::ALL.into_iter().filter(is_listed)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_implied_is_not_listed() {
        let both = Constraints::of(Constraint::Eq).and(Constraints::of(Constraint::Set));
        assert_eq!(both.listed().collect::<Vec<_>>(), [Constraint::Eq]);
        assert!(Constraints::of(Constraint::Eq).imply(Constraint::Set));
        assert!(!Constraints::of(Constraint::Set).imply(Constraint::Eq));
    }
}
