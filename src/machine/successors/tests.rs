//! Both variants of tables, compared with each other and with the rules, on random machines.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::*;
use crate::{CompileOptions, compile};
use base::index::TypedIndex;
use lts::explore::LeafLimits;
use process::table::DefinitionTable;
use process::term::Definitions;
use testkit::terms::Generator;

type Transition = (RuleId, EventId, Vec<u64>);

fn listed<S: PackedState>(successors: &Successors, words: &[u64]) -> Vec<Transition> {
    let mut state = S::zero(words.len());
    state.load(words);
    let mut scratch = Scratch::new(words.len());
    let mut listed = Vec::new();
    successors.for_each(&state, &mut scratch, &mut |rule, event, next: &S| {
        listed.push((rule, event, next.words().to_vec()));
    });
    listed
}

/// The transitions by the rules without priorities, found rule by rule from the transitions of the
/// leaves.
fn by_rules(machine: &Machine, packing: &Packing, words: &[u64]) -> BTreeSet<Transition> {
    let mut found = BTreeSet::new();
    let leaves = packing.unpack(&words.to_vec());
    let rules = machine.rules.iter_enumerated();
    for (id, rule) in rules.filter(|(_, rule)| rule.passes.is_empty()) {
        let mut targets = vec![words.to_vec()];
        for &(leaf, action) in &rule.participants {
            let (at, field) = (leaves[leaf.index()], packing.fields()[leaf.index()]);
            let pairs = machine.leaves[leaf].transitions(action);
            let steps = pairs.into_iter().filter(|&(from, _)| from == at);
            let flips: Vec<u64> = steps.map(|(from, to)| field.flip(from, to)).collect();
            let flipped = |target: Vec<u64>| {
                let flips = flips.clone().into_iter();
                flips.map(move |flip| {
                    let mut target = target.clone();
                    target[field.word as usize] ^= flip;
                    target
                })
            };
            targets = targets.into_iter().flat_map(flipped).collect();
        }
        found.extend(targets.into_iter().map(|target| (id, rule.result, target)));
    }
    found
}

/// Compares the first `most` states, breadth first, and counts transitions.
fn compare(machine: &Machine, beside: u32, most: usize) -> usize {
    let packing = machine.packing(beside);
    let of = |variant| Successors::of_variant(machine, &packing, variant).unwrap();
    let (triggers, bitsets) = (of(Variant::Triggers), of(Variant::Bitsets));
    let has_gates = machine.rules.iter().any(|rule| !rule.passes.is_empty());
    let initial = vec![0; packing.words()];
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut count = 0;
    while let Some(words) = queue.pop_front() {
        let transitions = listed::<Vec<u64>>(&triggers, &words);
        assert_eq!(transitions, listed::<Vec<u64>>(&bitsets, &words));
        match words.len() {
            1 => assert_eq!(transitions, listed::<u64>(&bitsets, &words)),
            2 => assert_eq!(transitions, listed::<[u64; 2]>(&bitsets, &words)),
            _ => {}
        }
        if !has_gates {
            let all: BTreeSet<Transition> = transitions.iter().cloned().collect();
            assert_eq!(all, by_rules(machine, &packing, &words));
            assert_eq!(all.len(), transitions.len(), "each once");
        }
        count += transitions.len();
        for (_, _, next) in transitions {
            if seen.len() < most && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    count
}

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(300));

fn random_machines(generator: fn(u64) -> Generator, seeds: u64) -> usize {
    let mut count = 0;
    for seed in 0..seeds {
        let mut generator = generator(seed);
        let mut term = generator.term(3, true);
        // Several such processes beside each other have states of several words.
        if seed % 4 == 0 {
            let more = (0..seed % 13).map(|_| generator.term(2, true)).collect();
            let terms = generator.table.terms_mut();
            let more = terms.interleave(more);
            term = terms.interleave(vec![term, more]);
        }
        if let Ok(machine) = compile(&mut generator.table, term, &OPTIONS) {
            count += compare(&machine, 1 + seed as u32 % 40, 300);
        }
    }
    count
}

#[test]
fn all_variants_list_the_same_transitions_in_the_same_order() {
    assert!(random_machines(Generator::new, 600) > 50_000);
}

#[test]
fn all_variants_list_the_same_transitions_with_priorities() {
    assert!(random_machines(Generator::with_priorities, 600) > 20_000);
}

/// A ring in which `tokens` of `n` processes have a token at first. Some processes have no quiet
/// state.
fn ring(n: usize, tokens: usize) -> Machine {
    let mut table = DefinitionTable::new();
    let mut members = Vec::new();
    for i in 0..n {
        let (idle, holds) = (format!("IDLE({i})"), format!("HOLDS({i})"));
        let (idle_call, holds_call) = (table.call(&idle), table.call(&holds));
        let terms = table.terms_mut();
        let [take, pass, step] = [
            format!("t.{i}"),
            format!("t.{}", (i + 1) % n),
            format!("s.{i}"),
        ]
        .map(|name| terms.events.intern(&name));
        let alphabet = terms.events.intern_set(vec![take, pass, step]);
        let wait = terms.prefix(vec![(take, holds_call)]);
        let idle_body = if i % 7 == 3 {
            terms.prefix(vec![(take, holds_call), (step, idle_call)])
        } else {
            wait
        };
        let hold = terms.prefix(vec![(pass, idle_call), (step, holds_call)]);
        table.define(&idle, idle_body);
        table.define(&holds, hold);
        members.push((alphabet, if i < tokens { holds_call } else { idle_call }));
    }
    let system = table.terms_mut().alphabetised(members);
    compile(&mut table, system, &OPTIONS).unwrap()
}

#[test]
fn many_leaves_of_which_few_do_something() {
    for (n, tokens) in [(47, 1), (60, 2), (130, 1), (200, 3)] {
        assert!(compare(&ring(n, tokens), 3, 400) > 400, "{n}");
    }
}
