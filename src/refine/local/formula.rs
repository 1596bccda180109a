//! The formula whose solutions are the deadlock candidates of a network.

use super::group::GroupStates;
use super::network::{LocalGroup, Network};
use base::cancel::Cancellation;
use base::diag::Result;

/// A variable with a sign: n is variable n - 1, and -n its negation. Never 0.
pub(super) type Literal = i32;

/// The clauses of a formula.
pub(super) struct CandidateFormula {
    /// The first variable of each leaf, which says that it is in its first state. Those of its
    /// other states follow.
    first: Vec<usize>,
    states: Vec<usize>,
    variables: usize,
    clauses: Vec<Vec<Literal>>,
}

/// The number of states up to which any two of them exclude each other in a clause of their own.
const FEW_STATES: usize = 8;

impl CandidateFormula {
    /// The formula that each leaf is in one state, and that no rule is possible.
    ///
    /// Each action of a leaf has a variable that is true at least where the leaf is in a state in
    /// which the action is possible. Of a rule, one of these is false. So what one state excludes
    /// follows by unit propagation, whatever the number of states.
    pub(super) fn of(network: &Network, token: &Cancellation) -> Result<Self> {
        let states: Vec<usize> = network.leaves.iter().map(|leaf| leaf.states).collect();
        let mut formula = Self {
            first: Vec::with_capacity(states.len()),
            variables: 0,
            states,
            clauses: Vec::new(),
        };
        for leaf in 0..formula.states.len() {
            let states = formula.states[leaf];
            token.look(states)?;
            let first = formula.fresh(states);
            formula.first.push(first);
            let all: Vec<Literal> = (0..states).map(|state| literal(first + state)).collect();
            formula.at_most_one(&all);
            formula.clauses.push(all);
        }
        let mut possible = Vec::with_capacity(network.leaves.len());
        for (number, leaf) in network.leaves.iter().enumerate() {
            let first = formula.fresh(leaf.actions.len());
            possible.push(first);
            for state in 0..leaf.states {
                let here = formula.is_in(number, state);
                token.look(leaf.possible(state).len())?;
                let actions = leaf.possible(state).iter();
                let clauses = actions.map(|&action| vec![-here, literal(first + action)]);
                formula.clauses.extend(clauses);
            }
        }
        for rule in &network.rules {
            token.look(rule.len())?;
            let actions = rule.iter();
            let clause = actions.map(|&(leaf, action)| -literal(possible[leaf] + action));
            formula.clauses.push(clause.collect());
        }
        Ok(formula)
    }

    /// Adds that the leaves of `group` are in states that they can be in `together`.
    pub(super) fn restrict(&mut self, group: &LocalGroup, together: &GroupStates) {
        let Some((&last, others)) = group.split_last() else {
            return;
        };
        for (states, possible) in together.of_last() {
            let possible = possible.iter().map(|&state| self.is_in(last, state));
            let states = others.iter().zip(&states);
            let elsewhere = states.map(|(&leaf, &state)| -self.is_in(leaf, state));
            let clause = possible.chain(elsewhere).collect();
            self.clauses.push(clause);
        }
    }

    /// The formula of these clauses.
    #[cfg(test)]
    pub(super) fn from_clauses(clauses: Vec<Vec<Literal>>) -> Self {
        let literals = clauses.iter().flatten();
        Self {
            first: Vec::new(),
            states: Vec::new(),
            variables: literals
                .map(|n| n.unsigned_abs() as usize)
                .max()
                .unwrap_or(0),
            clauses,
        }
    }

    pub(super) fn variables(&self) -> usize {
        self.variables
    }

    pub(super) fn clauses(&self) -> &[Vec<Literal>] {
        &self.clauses
    }

    /// Adds that at most one of `literals` is true. Of many, groups of them get a variable each
    /// that says that one of the group is true.
    fn at_most_one(&mut self, literals: &[Literal]) {
        if literals.len() <= FEW_STATES {
            for (place, &one) in literals.iter().enumerate() {
                for &other in &literals[place + 1..] {
                    self.clauses.push(vec![-one, -other]);
                }
            }
            return;
        }
        let mut groups = Vec::new();
        for group in literals.chunks(FEW_STATES) {
            let any = literal(self.fresh(1));
            self.at_most_one(group);
            for &one in group {
                self.clauses.push(vec![-one, any]);
            }
            groups.push(any);
        }
        self.at_most_one(&groups);
    }

    /// The literal that says that `leaf` is in `state`.
    fn is_in(&self, leaf: usize, state: usize) -> Literal {
        literal(self.first[leaf] + state)
    }

    /// The first of `count` new variables.
    fn fresh(&mut self, count: usize) -> usize {
        self.variables += count;
        self.variables - count
    }
}

/// The literal that `variable` is true.
fn literal(variable: usize) -> Literal {
    variable as Literal + 1
}
