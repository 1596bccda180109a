//! The constraints on types: that values can be compared, ordered, put into sets, carried by
//! channels, or are made by completion.

/// A property of types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Constraint {
    /// `==` compares its values.
    Eq,
    /// `<` compares its values.
    Ord,
    /// There are sets of its values: all that can be compared, and processes.
    Set,
    /// A channel can carry its values: they have all their fields, and are no functions.
    Complete,
    /// `{| |}` can complete a part to its values: it is the type of events or a datatype.
    Yieldable,
}

impl Constraint {
    /// All constraints, in the order in which they are listed before a type.
    pub const ALL: [Constraint; 5] = [
        Constraint::Complete,
        Constraint::Eq,
        Constraint::Ord,
        Constraint::Set,
        Constraint::Yieldable,
    ];

    /// The name of the constraint in an annotation.
    pub fn name(self) -> &'static str {
        match self {
            Constraint::Eq => "Eq",
            Constraint::Ord => "Ord",
            Constraint::Set => "Set",
            Constraint::Complete => "Complete",
            Constraint::Yieldable => "Yieldable",
        }
    }

    /// The constraint with the name `name`, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|constraint| constraint.name() == name)
    }
}

/// A set of constraints.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Constraints(u8);

impl Constraints {
    /// No constraint.
    pub const NONE: Self = Self(0);

    /// The set of one constraint.
    pub fn of(constraint: Constraint) -> Self {
        Self(1 << constraint as u8)
    }

    /// The union of two sets of constraints.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if every type that satisfies these satisfies `constraint`: values that can be compared
    /// can be put into sets.
    pub(crate) fn imply(self, constraint: Constraint) -> bool {
        let has = |constraint| self.0 & Self::of(constraint).0 != 0;
        has(constraint) || constraint == Constraint::Set && has(Constraint::Eq)
    }

    /// The constraints that no other of the set implies, in the order of [`Constraint::ALL`].
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
