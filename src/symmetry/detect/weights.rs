//! Weights of leaf states whose sum no step changes: they show that some states can never be
//! reached.
//!
//! A symmetry may take the initial state to one that has the discs of a tower on no pole, or on all
//! of them: such a symmetry of the rules leads out of the reachable states. Sums of weights that
//! every step keeps, as the place invariants of Petri nets, find most of those. A step by a product
//! changes each participant's weight by a number of its own, whatever the states: so weights are
//! linear conditions on one number for each participant. Without weights `hanoi` with 8 poles and
//! 10 discs has a group of 80,640 instead of 40,320 elements, and sorting whole leaves cannot use
//! that group: the check has as many states, and the check takes 2.7 times as long.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::group::Group;
use crate::pbisim::Symmetry;
use crate::verify::Verifier;
use crate::verify::product::Products;
use crate::verify::relations::RelationId;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use machine::{LeafId, Machine};

/// The prime modulo which numbers are counted. Two sums that are equal only modulo the prime merge
/// two classes, so that more symmetry is kept; a class is never split.
const PRIME: u64 = (1 << 31) - 1;

/// The most additions of one entry of a row. Past that limit all symmetries are kept.
const MOST_STEPS: u64 = 20_000_000;

/// The most classes of states that are followed. Past that limit all symmetries are kept.
const MOST_CLASSES: usize = 24;

/// A linear sum: variables, ascending, each with its coefficient, which is not 0.
type LinearSum = Vec<(u32, u64)>;

/// Returns generators, beside `known`, of the subgroup that keeps the sums of the initial state, in
/// the group that `known` and `found` generate. The other elements take no reachable state to a
/// reachable one. Returns `found` if `known` do not keep the sums, or if a limit is passed.
pub(crate) fn keeping_weights(
    verifier: &Verifier<'_>,
    known: &[Symmetry],
    found: Vec<Symmetry>,
    token: &Cancellation,
) -> Result<Vec<Symmetry>> {
    let machine = verifier.machine;
    let initial = vec![0; machine.leaves.len()];
    if found.is_empty() {
        return Ok(found);
    }
    let Some(mut weights) = Weights::new(machine, &verifier.products, token)? else {
        return Ok(found);
    };
    let Some(home) = weights.class(&initial) else {
        return Ok(found);
    };
    let mut keeps = |symmetry: &Symmetry| {
        let class = weights.class(&symmetry.pbisim.image(&initial));
        class.as_ref() == Some(&home)
    };
    if found.iter().all(&mut keeps) || !known.iter().all(&mut keeps) {
        return Ok(found);
    }
    let kept = weights.stabiliser(machine, home, known, &found, token)?;
    Ok(kept.unwrap_or(found))
}

/// The conditions, as rows that must be 0; and the weights, as sums over the participants' numbers.
#[derive(Default)]
struct Weights {
    /// By leaf and state, its weight minus that of state 0.
    potentials: Vec<Vec<LinearSum>>,
    /// The conditions. By its least variable, a row in which this has coefficient 1.
    basis: FxHashMap<u32, LinearSum>,
    steps: u64,
}

impl Weights {
    /// Makes the conditions and weights. Returns `None` if that takes too long.
    fn new(machine: &Machine, products: &Products, token: &Cancellation) -> Result<Option<Self>> {
        let mut weights = Self::default();
        let mut numbers: FxHashMap<(LeafId, RelationId), u32> = FxHashMap::default();
        let mut relations: Vec<FxHashSet<RelationId>> =
            vec![FxHashSet::default(); machine.leaves.len()];
        for product in products.all() {
            let participants = product.body.participants.iter().map(|&(leaf, relation)| {
                let next = numbers.len() as u32;
                let number = *numbers.entry((leaf, relation)).or_insert(next);
                relations[leaf.index()].insert(relation);
                (number, 1)
            });
            // A step by a product changes the sum by the numbers of its participants: together they
            // must be 0.
            let row = collected(participants);
            let before = weights.steps;
            if weights.insert(row).is_none() {
                return Ok(None);
            }
            token.look(1 + product.body.participants.len() + (weights.steps - before) as usize)?;
        }
        let mut next = numbers.len() as u32;
        for leaf in machine.leaves.indices() {
            let mut relations: Vec<RelationId> = relations[leaf.index()].iter().copied().collect();
            relations.sort_unstable();
            let steps = relations.iter().flat_map(|&relation| {
                let number = numbers[&(leaf, relation)];
                let pairs = products.pairs(relation).iter();
                pairs.map(move |&(from, to)| (from, to, number))
            });
            let states = machine.leaves[leaf].state_count();
            if weights
                .leaf(states, steps.collect(), &mut next, token)?
                .is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some(weights))
    }

    /// Follows the steps (from, to, variable) of a leaf; a step that closes a cycle gives a
    /// condition. States that no step connects to others have weights of their own.
    fn leaf(
        &mut self,
        states: u32,
        steps: Vec<(u32, u32, u32)>,
        next: &mut u32,
        token: &Cancellation,
    ) -> Result<Option<()>> {
        token.look(steps.len())?;
        let mut by_state: Vec<Vec<(u32, u32, u64)>> = vec![Vec::new(); states as usize];
        for &(from, to, number) in &steps {
            by_state[from as usize].push((to, number, 1));
            // A step backwards changes the weight by the opposite number.
            by_state[to as usize].push((from, number, PRIME - 1));
        }
        let mut potentials: Vec<Option<LinearSum>> = vec![None; states as usize];
        for root in 0..states as usize {
            if potentials[root].is_some() {
                continue;
            }
            let mut row = LinearSum::new();
            // Weights are relative to state 0, whose weight is 0. States that are not connected to
            // it get a weight of their own.
            if root > 0 {
                row.push((*next, 1));
                *next += 1;
            }
            potentials[root] = Some(row);
            let mut open = VecDeque::from([root]);
            while let Some(state) = open.pop_front() {
                token.look(1 + by_state[state].len())?;
                for &(to, number, sign) in &by_state[state] {
                    let from = potentials[state].as_deref().unwrap_or_default();
                    let row = sum(from, &[(number, sign)], 1);
                    match &potentials[to as usize] {
                        Some(known) => {
                            // The two ways to this state must give the same weight, so their
                            // difference is a condition.
                            let closes = row == *known;
                            if !closes && self.insert(sum(&row, known, PRIME - 1)).is_none() {
                                return Ok(None);
                            }
                        }
                        None => {
                            let Some(row) = self.reduced(row) else {
                                return Ok(None);
                            };
                            potentials[to as usize] = Some(row);
                            open.push_back(to as usize);
                        }
                    }
                }
            }
        }
        let potentials = potentials.into_iter().flatten();
        self.potentials.push(potentials.collect());
        Ok(Some(()))
    }

    /// The sum of the weights of a state vector: equal for states of which one can be reached from
    /// the other.
    fn class(&mut self, state: &[u32]) -> Option<LinearSum> {
        let of_leaf = |(leaf, &value): (usize, &u32)| self.potentials[leaf][value as usize].iter();
        let all = collected(state.iter().enumerate().flat_map(of_leaf).copied());
        self.reduced(all)
    }

    /// Generators, beside `known`, of the elements that keep the class `home` of the initial state,
    /// in the group that `known`, which keep it, and `found` generate. `None` if a limit is passed.
    fn stabiliser(
        &mut self,
        machine: &Machine,
        home: LinearSum,
        known: &[Symmetry],
        found: &[Symmetry],
        token: &Cancellation,
    ) -> Result<Option<Vec<Symmetry>>> {
        let Some(first) = found.first() else {
            return Ok(None);
        };
        let initial = vec![0; machine.leaves.len()];
        let states = first.specification.len();
        let generators: Vec<Symmetry> = known.iter().chain(found).cloned().collect();
        // Schreier's lemma: there is a representative for each class that can be reached, and the
        // generators are the elements that lead from class to class, divided by representatives.
        let mut representatives = vec![(home, Symmetry::identity(machine, states))];
        let mut kept: Vec<Symmetry> = Vec::new();
        let mut group = Group::new(machine, states, known.to_vec());
        let mut done = 0;
        while done < representatives.len() {
            for generator in &generators {
                token.check()?;
                let product = representatives[done].1.then(generator);
                let Some(class) = self.class(&product.pbisim.image(&initial)) else {
                    return Ok(None);
                };
                let at = representatives.iter().find(|(other, _)| *other == class);
                let Some((_, back)) = at else {
                    if representatives.len() == MOST_CLASSES {
                        return Ok(None);
                    }
                    representatives.push((class, product));
                    continue;
                };
                // Both elements lead from the initial class to the same class, so the quotient
                // keeps the initial class.
                let stays = product.then(&back.inverse());
                if !group.contains(&stays) {
                    kept.push(stays);
                    let all = known.iter().chain(&kept).cloned().collect();
                    group = Group::new(machine, states, all);
                }
            }
            done += 1;
        }
        Ok(Some(kept))
    }

    /// Adds a condition.
    fn insert(&mut self, row: LinearSum) -> Option<()> {
        let row = self.reduced(row)?;
        if let Some(&(pivot, value)) = row.first() {
            // The inverse is found by Fermat's little theorem; the pivot gets coefficient 1.
            let inverse = power(value, PRIME - 2);
            self.basis.insert(pivot, sum(&[], &row, inverse));
        }
        Some(())
    }

    /// `row` modulo the conditions, in the only form that has no pivot; `None` if that takes too
    /// long.
    fn reduced(&mut self, mut row: LinearSum) -> Option<LinearSum> {
        let mut at = 0;
        while let Some(&(variable, value)) = row.get(at) {
            let Some(condition) = self.basis.get(&variable) else {
                at += 1;
                continue;
            };
            // The pivot is its condition's least variable: so the variables before it do not
            // change.
            row = sum(&row, condition, PRIME - value);
            self.steps += condition.len() as u64;
            if self.steps > MOST_STEPS {
                return None;
            }
        }
        Some(row)
    }
}

/// The sum of terms in any order.
fn collected(terms: impl Iterator<Item = (u32, u64)>) -> LinearSum {
    let mut terms: Vec<(u32, u64)> = terms.collect();
    terms.sort_unstable();
    let same = terms.chunk_by(|(one, _), (other, _)| one == other);
    let totals = same.map(|same| {
        (
            same[0].0,
            same.iter().map(|(_, value)| value).sum::<u64>() % PRIME,
        )
    });
    totals.filter(|&(_, total)| total != 0).collect()
}

/// The first row and `factor` times the second.
fn sum(first: &[(u32, u64)], second: &[(u32, u64)], factor: u64) -> LinearSum {
    let mut sum = LinearSum::with_capacity(first.len() + second.len());
    let mut rest = first.iter().copied().peekable();
    for &(variable, value) in second {
        while let Some(before) = rest.next_if(|&(other, _)| other < variable) {
            sum.push(before);
        }
        let same = rest.next_if(|&(other, _)| other == variable);
        // Both factors are below 2³¹, so their product fits.
        let total = (same.map_or(0, |(_, value)| value) + value * factor) % PRIME;
        if total != 0 {
            sum.push((variable, total));
        }
    }
    sum.extend(rest);
    sum
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests;
