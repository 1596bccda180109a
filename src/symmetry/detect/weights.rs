//! Weights of leaf states whose sum no step changes: they tell that some states can never be reached.
//!
//! A symmetry may take the initial state to one that has the discs of a tower on no pole, or on all of them: a symmetry of
//! the rules that has no part in what can be reached. Sums of weights that every step keeps, as the place invariants of Petri
//! nets, find most of those. A step by a product changes each participant's weight by a number of its own, whatever
//! the states: so weights are linear conditions on one number for each participant.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::machine::{LeafId, Machine};
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::Symmetry;
use crate::symmetry::verify::Verifier;
use crate::symmetry::verify::product::{Products, RelationId};

/// Numbers are counted modulo this prime: conditions that only hold there would merge classes, never part them.
const PRIME: u64 = (1 << 31) - 1;

/// Additions of one entry of a row; beyond it nothing is told apart.
const MOST_STEPS: u64 = 20_000_000;

/// Classes of states are not followed further than this.
const MOST_CLASSES: usize = 24;

/// A sum: variables, ascending, each with its coefficient, which is not 0.
type Row = Vec<(u32, u64)>;

/// Of the group that `known` and `found` generate, generators beside `known` of the part that keeps the sums of the initial
/// state: without the rest the same states are taken to each other, of those that can be reached. Everything, if `known`
/// do not keep them or it takes too long to tell.
pub fn keeping_weights(
    verifier: &Verifier<'_>,
    known: &[Symmetry],
    found: Vec<Symmetry>,
    token: &Cancellation,
) -> Result<Vec<Symmetry>> {
    let machine = verifier.machine();
    let initial = vec![0; machine.leaves.len()];
    if found.is_empty() {
        return Ok(found);
    }
    let Some(mut weights) = Weights::new(machine, verifier.products(), token)? else {
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
    let Some(first) = found.first() else {
        return Ok(found);
    };
    let states = first.specification.len();
    let generators: Vec<Symmetry> = known.iter().chain(&found).cloned().collect();
    // Schreier's lemma: a representative of each class that can be got to, and what leads from one to another.
    let mut representatives = vec![(home, Symmetry::identity(machine, states))];
    let mut kept: Vec<Symmetry> = Vec::new();
    let mut group = Group::new(machine, states, known.to_vec());
    let mut done = 0;
    while done < representatives.len() {
        for generator in &generators {
            token.check()?;
            let product = representatives[done].1.then(generator);
            let Some(class) = weights.class(&product.pbisim.image(&initial)) else {
                return Ok(found);
            };
            let at = representatives.iter().find(|(other, _)| *other == class);
            let Some((_, back)) = at else {
                if representatives.len() == MOST_CLASSES {
                    return Ok(found);
                }
                representatives.push((class, product));
                continue;
            };
            let stays = product.then(&back.inverse());
            if !group.contains(&stays) {
                kept.push(stays);
                let all = known.iter().chain(&kept).cloned().collect();
                group = Group::new(machine, states, all);
            }
        }
        done += 1;
    }
    Ok(kept)
}

/// The conditions, as rows that are 0, and the sums as rows over the participants' numbers.
struct Weights {
    /// By leaf and state, its weight, less that of state 0.
    potentials: Vec<Vec<Row>>,
    /// By its least variable, a row in which that has coefficient 1.
    basis: FxHashMap<u32, Row>,
    steps: u64,
}

impl Weights {
    /// Nothing if it takes too long.
    fn new(machine: &Machine, products: &Products, token: &Cancellation) -> Result<Option<Self>> {
        let mut weights = Self {
            potentials: Vec::new(),
            basis: FxHashMap::default(),
            steps: 0,
        };
        let mut numbers: FxHashMap<(LeafId, RelationId), u32> = FxHashMap::default();
        let mut relations: Vec<FxHashSet<RelationId>> =
            vec![FxHashSet::default(); machine.leaves.len()];
        for product in products.all() {
            let participants = product.participants.iter().map(|&(leaf, relation)| {
                let next = numbers.len() as u32;
                let number = *numbers.entry((leaf, relation)).or_insert(next);
                relations[leaf.index()].insert(relation);
                (number, 1)
            });
            let row = collected(participants);
            let before = weights.steps;
            if weights.insert(row).is_none() {
                return Ok(None);
            }
            token.look(1 + product.participants.len() + (weights.steps - before) as usize)?;
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

    /// Follows the steps (from, to, variable) of a leaf; those that close a circle are conditions. States that no step
    /// connects to others have weights of their own.
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
            by_state[to as usize].push((from, number, PRIME - 1));
        }
        let mut potentials: Vec<Option<Row>> = vec![None; states as usize];
        for root in 0..states as usize {
            if potentials[root].is_some() {
                continue;
            }
            let mut row = Row::new();
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

    /// What all weights of a state vector sum up to: equal for states of which one can be reached from the other.
    fn class(&mut self, state: &[u32]) -> Option<Row> {
        let of_leaf = |(leaf, &value): (usize, &u32)| self.potentials[leaf][value as usize].iter();
        let all = collected(state.iter().enumerate().flat_map(of_leaf).copied());
        self.reduced(all)
    }

    /// Adds a condition.
    fn insert(&mut self, row: Row) -> Option<()> {
        let row = self.reduced(row)?;
        if let Some(&(pivot, value)) = row.first() {
            let inverse = power(value, PRIME - 2);
            self.basis.insert(pivot, sum(&[], &row, inverse));
        }
        Some(())
    }

    /// The same row modulo the conditions, in the one form in which it has no pivot.
    fn reduced(&mut self, mut row: Row) -> Option<Row> {
        let mut at = 0;
        while let Some(&(variable, value)) = row.get(at) {
            let Some(condition) = self.basis.get(&variable) else {
                at += 1;
                continue;
            };
            // The pivot is a condition's least variable: what was passed stays.
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
fn collected(terms: impl Iterator<Item = (u32, u64)>) -> Row {
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
fn sum(first: &[(u32, u64)], second: &[(u32, u64)], factor: u64) -> Row {
    let mut sum = Row::with_capacity(first.len() + second.len());
    let mut rest = first.iter().copied().peekable();
    for &(variable, value) in second {
        while let Some(before) = rest.next_if(|&(other, _)| other < variable) {
            sum.push(before);
        }
        let same = rest.next_if(|&(other, _)| other == variable);
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
#[allow(clippy::unwrap_used, reason = "a failure is a failed test")]
mod tests {
    use super::*;
    use crate::cancel::at_leisure;
    use crate::lts::explore::LeafLimits;
    use crate::lts::model::Model;
    use crate::lts::normal_form::NormalForm;
    use crate::machine::explicit::explicit;
    use crate::machine::{CompileOptions, compile};
    use crate::process::event::EventId;
    use crate::process::table::DefinitionTable;
    use crate::process::term::{Definitions, Term};
    use crate::symmetry::Start;
    use crate::symmetry::detect::detect;

    /// Three places and a token that goes from one to any other: `go.i.j`. And what allows all of that.
    fn places(table: &mut DefinitionTable) -> [Machine; 2] {
        let events: Vec<Vec<EventId>> = (0..3)
            .map(|i| {
                let names = (0..3).map(|j| format!("go.{i}.{j}"));
                let terms = table.terms_mut();
                names.map(|name| terms.events.intern(&name)).collect()
            })
            .collect();
        let mut operands = Vec::new();
        for (i, out) in events.iter().enumerate() {
            let [with, without] = ["WITH", "WITHOUT"].map(|name| format!("{name}({i})"));
            let [has, has_not] = [&with, &without].map(|name| table.call(name));
            let others = (0..3).filter(|&j| j != i);
            let leaves = others.clone().map(|j| (out[j], has_not)).collect();
            let enters = others.clone().map(|j| (events[j][i], has)).collect();
            let [leaves, enters] = [leaves, enters].map(|steps| table.terms_mut().prefix(steps));
            table.define(&with, leaves);
            table.define(&without, enters);
            let concerned = others.flat_map(|j| [out[j], events[j][i]]);
            let concerned = table.terms_mut().events.intern_set(concerned.collect());
            operands.push((concerned, if i == 0 { has } else { has_not }));
        }
        let terms = table.terms_mut();
        let system = terms.alphabetised(operands);
        let all = terms.events.intern_set(events.concat());
        let run = terms.intern(Term::Run(all));
        let limits = LeafLimits { states: 100 };
        let minimise = true;
        let options = CompileOptions {
            limits,
            minimise,
            threads: crate::base::threads::Threads::one(),
        };
        [system, run].map(|term| compile(table, term, &options).unwrap())
    }

    #[test]
    fn a_token_on_all_places_but_one_is_never_reached() {
        let mut table = DefinitionTable::new();
        let [machine, run] = places(&mut table);
        let products = at_leisure(|token| Products::of(&machine, token));
        let weights = at_leisure(|token| Weights::new(&machine, &products, token));
        let mut weights = weights.unwrap();
        // By leaf, the state in which it has the token: the first begins with it.
        let class = |weights: &mut Weights, with: [bool; 3]| {
            let states = with.iter().zip([true, false, false]);
            let states: Vec<u32> = states
                .map(|(has, begins)| u32::from(*has != begins))
                .collect();
            weights.class(&states).unwrap()
        };
        let home = class(&mut weights, [true, false, false]);
        assert_eq!(class(&mut weights, [false, true, false]), home);
        assert_eq!(class(&mut weights, [false, false, true]), home);
        assert_ne!(class(&mut weights, [true, true, false]), home);
        assert_ne!(class(&mut weights, [false, false, false]), home);
        // Having and not having can be exchanged if all goes backwards, but not in what can be reached.
        let normal_form = NormalForm::of(
            &explicit(&run, 100, Cancellation::never()).unwrap(),
            Model::Traces,
            100,
            Cancellation::never(),
        )
        .unwrap();
        let verifier = at_leisure(|token| Verifier::new(&machine, &normal_form, token));
        let all =
            at_leisure(|token| detect(&verifier, Start::Any, &[], u64::MAX, token)).generators;
        let states = normal_form.state_count();
        let keeping = |known: &[Symmetry]| {
            at_leisure(|token| keeping_weights(&verifier, known, all.clone(), token))
        };
        let kept = keeping(&[]);
        let order = |generators: &[Symmetry]| {
            let group = Group::new(&machine, states, generators.to_vec());
            group.order().to_string()
        };
        assert!(
            kept.iter()
                .all(|symmetry| at_leisure(|token| verifier.verify(symmetry, token)).is_ok())
        );
        assert_eq!(
            (order(&all), order(&kept)),
            ("12".to_string(), "6".to_string())
        );
        // What is known and kept already is not given again.
        assert!(keeping(&kept).is_empty());
    }
}
