//! Proves that a machine never deadlocks by looking at two or three of its leaves at a time,
//! without a search.
//!
//! Source: Antonino, Gibson-Robinson, Roscoe, *Efficient deadlock-freedom checking using local
//! analysis and SAT solving* (iFM 2016). A *deadlock candidate* is a choice of one state for each
//! leaf such that no rule is possible, and such that the leaves of each group can be in their
//! states at once, as far as the rules that move these leaves tell. The groups are pairs of leaves
//! that take part in a rule together; if these leave a candidate, also triples one leaf of which is
//! in a pair with both others. Triples know, for example, which of two neighbours holds a fork that
//! does not know itself. A solver looks for a candidate (`local/formula.rs`).
//!
//! *If there is no candidate, the machine never deadlocks.* Let x be a reachable state of the
//! machine, and G a group. The run to x, without the steps in which no leaf of G takes part and
//! with only the parts of G of the others, is a run of the group: a rule moves the leaves of G as
//! the group's steps do, whatever the other leaves are. So the states of G in x are among those
//! found for the group. If no rule is possible in x, the states of x are a candidate. ∎ A candidate
//! need not be reachable: then nothing is decided. Divergences are not looked at.
//!
//! The solver is not trusted: its clauses are checked one by one (`local/proof.rs`).

mod formula;
mod group;
mod network;
mod proof;
mod solver;
#[cfg(test)]
mod tests;

use base::cancel::Cancellation;
use base::diag::Result;
use machine::Machine;
use process::event::TICK;

use self::formula::CandidateFormula;
use self::group::reachable;
use self::network::{LocalGroup, Network, each_triple};
use self::proof::refutes;
use self::solver::{Solved, solve};

/// The answer of local analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalAnswer {
    /// The machine never deadlocks.
    DeadlockFree(LocalCost),
    /// There is a deadlock candidate, which may not be reachable; or the solver was not believed.
    Candidate,
    /// More states or derived clauses would be needed.
    TooLarge,
    /// Leaves do not tell which rules are possible, or the machine terminates.
    Inapplicable,
}

/// The numbers of a local analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LocalCost {
    /// The pairs and triples of leaves that were looked at.
    pub groups: u64,
    /// The states of all these groups.
    pub states: u64,
    /// The clauses that the solver got.
    pub clauses: u64,
    /// The clauses that it derived from them.
    pub derived: u64,
}

/// The most states of a group, reachable or not: larger ones are left out, so that there may be
/// more candidates.
const LARGE_GROUP: u64 = 1 << 16;

/// The number of participants of a rule from which on it makes no pairs.
const WIDE_RULE: usize = 16;

/// The number of leaves that are in a pair with a leaf from which on that leaf makes no triples.
const MANY_PARTNERS: usize = 16;

/// Looks for a deadlock candidate of `machine`. At most `most` states and steps of leaves, states
/// and steps of groups, and literals of derived clauses are looked at.
pub fn analyse(machine: &Machine, most: u64, token: &Cancellation) -> Result<LocalAnswer> {
    // After a ✓ nothing is possible, which is a deadlock or not as termination is read.
    let terminates = machine.rules.iter().any(|rule| rule.result == TICK);
    if !machine.gates.is_empty() || terminates || machine.follows_chases() {
        return Ok(LocalAnswer::Inapplicable);
    }
    let leaves = machine.leaves.iter();
    let sizes = leaves.map(|leaf| leaf.state_count() as usize + leaf.transition_count());
    if sizes.sum::<usize>() as u64 > most {
        return Ok(LocalAnswer::TooLarge);
    }
    let network = Network::of(machine, token)?;
    let pairs = network.pairs(WIDE_RULE, token)?;
    let mut candidates = Candidates {
        formula: CandidateFormula::of(&network, token)?,
        network: &network,
        cost: LocalCost::default(),
        most,
        left: most,
        token,
    };
    for (pair, joint) in &pairs {
        if !candidates.restrict(pair, joint)? {
            return Ok(LocalAnswer::TooLarge);
        }
    }
    let by_pairs = candidates.answer()?;
    if by_pairs != LocalAnswer::Candidate {
        return Ok(by_pairs);
    }
    let mut restrict = |triple: LocalGroup, joint: Vec<u32>| candidates.restrict(&triple, &joint);
    let are_all = each_triple(&pairs, MANY_PARTNERS, &mut restrict)?;
    match are_all {
        true => candidates.answer(),
        false => Ok(LocalAnswer::TooLarge),
    }
}

/// The deadlock candidates of a network, as far as they were looked for.
struct Candidates<'n> {
    network: &'n Network,
    formula: CandidateFormula,
    cost: LocalCost,
    most: u64,
    /// The states and steps of groups that may still be looked at.
    left: u64,
    token: &'n Cancellation,
}

impl Candidates<'_> {
    /// Leaves out those in which the leaves of `group` are in states that they cannot be in
    /// together. Returns false if more would have to be looked at than is allowed.
    fn restrict(&mut self, group: &LocalGroup, joint: &[u32]) -> Result<bool> {
        if self.network.states_of(group) > LARGE_GROUP {
            return Ok(true);
        }
        let reached = reachable((self.network, group), joint, &mut self.left, self.token)?;
        let Some(together) = reached else {
            return Ok(false);
        };
        self.cost.groups += 1;
        self.cost.states += together.count();
        self.formula.restrict(group, &together);
        Ok(true)
    }

    /// The answer after all that was left out.
    fn answer(&mut self) -> Result<LocalAnswer> {
        let solved = solve(&self.formula, self.most, self.token);
        self.token.check()?;
        Ok(match solved {
            Solved::Refuted(derived) if refutes(&self.formula, &derived, self.token)? => {
                self.cost.clauses = self.formula.clauses().len() as u64;
                self.cost.derived = derived.len() as u64;
                LocalAnswer::DeadlockFree(self.cost)
            }
            Solved::Refuted(_) | Solved::Solution => LocalAnswer::Candidate,
            Solved::Stopped => LocalAnswer::TooLarge,
        })
    }
}
