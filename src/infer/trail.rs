//! The decisions about variables and tails, in order. So types can be looked at as they were
//! before, and attempts can be taken back.

use super::kind::{Tail, Variable};
use super::types::{Change, TailState, Types, VariableState};

/// A moment between two decisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Moment(usize);

impl Types {
    /// The present moment.
    pub(super) fn now(&self) -> Moment {
        Moment(self.trail.len())
    }

    /// Sets the state of `variable`.
    pub(super) fn decide(&mut self, variable: Variable, known: VariableState) {
        let before = std::mem::replace(&mut self.variables[variable], known);
        self.trail.push(Change::Variable(variable, before));
    }

    /// Sets the state of `tail`.
    pub(super) fn decide_tail(&mut self, tail: Tail, fields: TailState) {
        let before = std::mem::replace(&mut self.tails[tail], fields);
        self.trail.push(Change::Tail(tail, before));
    }

    /// The result of `act` as of `moment`. The decisions of `act` are taken back.
    pub(super) fn as_of<T>(&mut self, moment: Moment, act: impl FnOnce(&mut Self) -> T) -> T {
        // Knowledge that later decisions cannot change does not hold of types as they were before.
        let settled = std::mem::take(&mut self.settled);
        let satisfied = std::mem::take(&mut self.satisfied);
        let end = self.trail.len();
        // Backwards: the constraints of a variable can have been decided several times.
        for index in (moment.0..end).rev() {
            self.exchange(index);
        }
        let result = act(self);
        for index in (end..self.trail.len()).rev() {
            self.exchange(index);
        }
        self.trail.truncate(end);
        for index in moment.0..end {
            self.exchange(index);
        }
        self.settled = settled;
        self.satisfied = satisfied;
        result
    }

    /// The variables that were decided between two moments.
    pub(super) fn decided(&self, from: Moment, to: Moment) -> Vec<Variable> {
        let changes = self.trail[from.0..to.0].iter();
        let variables = changes.filter_map(|change| match change {
            Change::Variable(variable, _) => Some(*variable),
            Change::Tail(..) => None,
        });
        variables.collect()
    }

    /// Takes the decision at `index` of the trail back, or makes it again.
    fn exchange(&mut self, index: usize) {
        match &mut self.trail[index] {
            Change::Variable(variable, known) => {
                std::mem::swap(known, &mut self.variables[*variable]);
            }
            Change::Tail(tail, fields) => std::mem::swap(fields, &mut self.tails[*tail]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::constraint::{Constraint, Constraints};
    use super::super::kind::TypeKind;
    use super::*;

    #[test]
    fn types_are_as_they_were_and_then_as_they_are() {
        let mut types = Types::new();
        let (one, two) = (
            types.variable(Constraints::NONE),
            types.variable(Constraints::NONE),
        );
        let pair = types.tuple(&[one, two]);
        let before = types.now();
        types.require_one(Constraint::Eq, one).expect("one is open");
        types.unify(one, two).expect("both are open");
        let between = types.now();
        types.unify(pair, pair).expect("the same");
        types.unify(two, Types::INT).expect("two is open");
        let is_open = |types: &mut Types, ty| matches!(types.kind(ty), TypeKind::Variable(_));
        assert!(types.as_of(before, |types| is_open(types, one) && is_open(types, two)));
        assert!(types.as_of(before, |types| types.unify(one, Types::PROCESS).is_ok()));
        assert!(types.as_of(between, |types| types.unify(one, Types::PROCESS).is_err()));
        assert!(types.as_of(between, |types| types.unify(two, Types::CHAR).is_ok()));
        assert_eq!(types.kind(one), TypeKind::Int);
        // The decisions: one can be compared, two can be compared, and they are equal.
        assert_eq!(types.decided(before, between).len(), 3);
    }
}
