//! Derived pbisims, compared with the transitions of the machine by brute force over all reachable
//! states.

use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::permutation::EventPermutation;
use crate::rules::Prover;
use crate::rules::tests::OPTIONS;
use crate::rules::tests::terms::{EVENTS, Images, ORDERS, Random, permutation_to};
use crate::start::Start;
use machine::{compile, text};
use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::Definitions;
use testkit::terms::Generator;

type State = Vec<u32>;

/// The transitions of `state`, found directly from the rules of the machine.
fn successors(machine: &Machine, state: &[u32]) -> BTreeSet<(EventId, State)> {
    let mut all = BTreeSet::new();
    for rule in machine.rules.iter() {
        let mut reached = vec![state.to_vec()];
        for &(leaf, action) in &rule.participants {
            let pairs = machine.leaves[leaf].transitions(action);
            let from = state[leaf.index()];
            let targets: Vec<u32> = pairs
                .iter()
                .filter(|pair| pair.0 == from)
                .map(|pair| pair.1)
                .collect();
            let moved = |reached: &State| -> Vec<State> {
                let to = targets.iter().map(|&to| {
                    let mut next = reached.clone();
                    next[leaf.index()] = to;
                    next
                });
                to.collect()
            };
            reached = reached.iter().flat_map(moved).collect();
        }
        all.extend(reached.into_iter().map(|next| (rule.result, next)));
    }
    all
}

/// The states that the machine can reach, if they are not too many.
fn reachable(machine: &Machine, limit: usize) -> Option<Vec<State>> {
    let mut states = vec![vec![0; machine.leaves.len()]];
    let mut seen: HashSet<State> = states.iter().cloned().collect();
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        if states.len() > limit {
            return None;
        }
        for (_, target) in successors(machine, &state) {
            if seen.insert(target.clone()) {
                states.push(target);
            }
        }
        next += 1;
    }
    Some(states)
}

/// True if each of `states` and its image have transitions that are images of each other.
fn preserves(
    machine: &Machine,
    states: &[State],
    pbisim: &Pbisim,
    sigma: &EventPermutation,
) -> bool {
    states.iter().all(|state| {
        let there = successors(machine, state).into_iter();
        let images = there.map(|(event, next)| (sigma.apply(event), pbisim.image(&next)));
        images.collect::<BTreeSet<_>>() == successors(machine, &pbisim.image(state))
    })
}

/// Random terms that are symmetric under a permutation, because their parts are combined
/// symmetrically.
struct Symmetric {
    generator: Generator,
    random: Random,
    sigma: EventPermutation,
}

impl Symmetric {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed + 11);
        let order = ORDERS[1 + random.below(5)];
        Self {
            generator: Generator::new(seed),
            random,
            sigma: permutation_to(order),
        }
    }

    fn table(&mut self) -> &mut DefinitionTable {
        &mut self.generator.table
    }

    fn event(&mut self) -> EventId {
        EVENTS[self.random.below(3)]
    }

    /// The orbit of `event` under σ.
    fn orbit_of_event(&self, event: EventId) -> Vec<EventId> {
        let mut orbit = vec![event];
        let mut next = self.sigma.apply(event);
        while next != event {
            orbit.push(next);
            next = self.sigma.apply(next);
        }
        orbit
    }

    fn orbit_of_pair(&self, pair: (EventId, EventId)) -> Vec<(EventId, EventId)> {
        let image = |(a, b)| (self.sigma.apply(a), self.sigma.apply(b));
        let mut orbit = vec![pair];
        let mut next = image(pair);
        while next != pair {
            orbit.push(next);
            next = image(next);
        }
        orbit
    }

    /// A set that σ preserves.
    fn set(&mut self) -> EventSetId {
        let mut events = Vec::new();
        for _ in 0..self.random.below(3) {
            let event = self.event();
            events.extend(self.orbit_of_event(event));
        }
        self.table().terms_mut().events.intern_set(events)
    }

    /// A term and its images under the powers of σ, as many as σ has.
    fn orbit(&mut self, term: TermId) -> Vec<TermId> {
        let mut power = self.sigma.clone();
        let mut orbit = vec![term];
        while !power.is_identity() {
            orbit.push(Images::new(&mut self.generator.table, &power).of(term));
            power = power.then(&self.sigma);
        }
        orbit
    }

    /// A commutative operator over the orbit of a term.
    fn ring(&mut self) -> TermId {
        let term = self.generator.term(2, true);
        let operands = self.orbit(term);
        let set = self.set();
        let event = self.event();
        let events = self.orbit_of_event(event);
        let first = self.table().terms_mut().events.intern_set(vec![event]);
        let alphabets = self.orbit_of_set(first, operands.len());
        let choice = self.random.below(8);
        let terms = self.table().terms_mut();
        match choice {
            0 | 1 => terms.parallel(set, operands),
            2 => terms.alphabetised(alphabets.into_iter().zip(operands).collect()),
            3 => terms.external_choice(operands),
            4 => terms.internal_choice(operands).unwrap(),
            5 => terms.synchronising_choice(set, operands),
            6 if events.len() == operands.len() => {
                terms.prefix(events.into_iter().zip(operands).collect())
            }
            _ => terms.interleave(operands),
        }
    }

    fn orbit_of_set(&mut self, set: EventSetId, count: usize) -> Vec<EventSetId> {
        let mut sets = vec![set];
        for _ in 1..count {
            let events = &mut self.generator.table.terms_mut().events;
            let last = events.set(sets[sets.len() - 1]).iter();
            let images = last.map(|&event| self.sigma.apply(event)).collect();
            sets.push(events.intern_set(images));
        }
        sets
    }

    /// A symmetric term, below `depth` other operators.
    fn term(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.ring();
        }
        let p = self.term(depth - 1);
        let q = self.ring();
        let set = self.set();
        let pair = (self.event(), self.event());
        let pairs = self.orbit_of_pair(pair);
        let choice = self.random.below(10);
        let terms = self.table().terms_mut();
        match choice {
            0 => terms.hide(p, set),
            1 => terms.project(p, set),
            2 => terms.rename(p, pairs),
            3 => terms.sequential(vec![p, q]),
            4 => terms.interrupt(p, q),
            5 => terms.sliding_choice(p, q),
            6 => terms.exception(p, set, q),
            7 => terms.synchronising_interrupt(p, set, q),
            8 => terms.linked(p, pairs, q),
            _ => terms.parallel(set, vec![p, q]),
        }
    }
}

#[test]
fn derived_pbisims_preserve_the_machine() {
    let (mut by_design, mut derived, mut astray) = (0, 0, 0);
    for seed in 0..400 {
        let mut symmetric = Symmetric::new(seed);
        let depth = symmetric.random.below(3);
        let term = symmetric.term(depth);
        let sigma = symmetric.sigma.clone();
        let table = symmetric.table();
        let shown = text::expression(table, term);
        let Ok(machine) = compile(table, term, &OPTIONS) else {
            continue;
        };
        let Some(states) = reachable(&machine, 1500) else {
            continue;
        };
        for start in [Start::Any, Start::Fixed] {
            for order in ORDERS {
                let tried = permutation_to(order);
                let mut prover = Prover::for_machine(table, &OPTIONS, &machine, start);
                let verdict = prover.prove(term, &tried, term).unwrap();
                assert!(verdict.is_ok() || tried != sigma, "seed {seed}: {shown}");
                let Ok(proof) = verdict else {
                    continue;
                };
                by_design += usize::from(tried == sigma);
                let pbisim = match pbisim(&machine, &proof) {
                    Ok(pbisim) => pbisim,
                    Err(_) => {
                        astray += 1;
                        continue;
                    }
                };
                derived += 1;
                assert!(
                    preserves(&machine, &states, &pbisim, &tried),
                    "seed {seed}: {shown} | {tried:?}"
                );
                if start == Start::Fixed {
                    let initial = vec![0; machine.leaves.len()];
                    assert_eq!(pbisim.image(&initial), initial, "seed {seed}: {shown}");
                }
            }
        }
    }
    assert!(by_design > 650 && derived > 2000 && astray * 50 < derived);
}

#[test]
fn equal_operands_can_be_exchanged() {
    let (mut found, mut moved) = (0, 0);
    for seed in 0..250 {
        let mut generator = Generator::new(seed);
        let term = generator.term(2, true);
        let other = generator.term(1, true);
        let mut random = Random(seed);
        let kind = random.below(5);
        let terms = generator.table.terms_mut();
        let set = terms.events.intern_set(EVENTS[..random.below(3)].to_vec());
        let operands = vec![term, other, term, term];
        let whole = match kind {
            0 => terms.parallel(set, operands),
            1 => terms.external_choice(operands),
            2 => terms.synchronising_choice(set, operands),
            3 => terms.alphabetised(operands.into_iter().map(|p| (set, p)).collect()),
            _ => {
                let pair = terms.interleave(vec![term, other]);
                terms.interleave(vec![pair, term])
            }
        };
        let table = &mut generator.table;
        let Ok(machine) = compile(table, whole, &OPTIONS) else {
            continue;
        };
        let Some(states) = reachable(&machine, 1500) else {
            continue;
        };
        let all = equal_operands(&machine);
        for (name, pbisim) in &all {
            let identity = EventPermutation::identity();
            assert!(
                preserves(&machine, &states, pbisim, &identity),
                "seed {seed}: {name}"
            );
            assert!(!pbisim.is_identity());
            assert!(pbisim.then(pbisim).is_identity());
            moved += 1;
        }
        found += usize::from(all.len() >= if kind == 4 { 1 } else { 2 });
    }
    assert!(found > 150 && moved > 300, "{found} {moved}");
}
