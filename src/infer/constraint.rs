//! What a type can be asked for: equality, order, to be put into sets, to be input, to be completed
//! to.

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

    /// Whether what satisfies these satisfies `constraint`: what can be compared can be put into
    /// sets.
    pub(crate) fn imply(self, constraint: Constraint) -> bool {
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
