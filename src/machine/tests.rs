//! Machines against the plain semantics of the terms that they were compiled from.

use std::collections::HashMap;

use super::*;
use crate::leaf::Leaf;
use crate::packing::{PackedState, Packing};
use crate::successors::Scratch;
use base::cancel::Cancellation;
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use lts::model::Model;
use lts::normal_form::NormalForm;
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use testkit::terms::Generator;

pub(super) type Rows = Vec<Vec<(EventId, u32)>>;

pub(super) const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(300));

/// All states that the machine can reach, and their transitions.
pub(super) fn machine_rows<S: PackedState>(machine: &Machine, packing: &Packing) -> Rows {
    let successors = machine.successors(packing, Cancellation::never()).unwrap();
    let initial: S = successors.initial(packing.words());
    let mut scratch = Scratch::new(packing.words());
    let mut numbers = HashMap::from([(initial.words().to_vec(), 0)]);
    let mut states = vec![initial];
    let mut rows = Vec::new();
    while let Some(state) = states.get(rows.len()).cloned() {
        assert!(rows.len() < 50_000, "too many states");
        let mut row = Vec::new();
        successors.for_each(&state, &mut scratch, &mut |_, event, next| {
            let number = *numbers.entry(next.words().to_vec()).or_insert_with(|| {
                states.push(next.clone());
                states.len() as u32 - 1
            });
            row.push((event, number));
        });
        rows.push(row);
    }
    rows
}

/// All states that the term can become; `None` if it grows or is too large.
pub(super) fn term_rows(definitions: &mut dyn Definitions, term: TermId) -> Option<Rows> {
    let lts = explore(definitions, term, &OPTIONS.limits).ok()?.lts;
    let row = |state| {
        lts.row(state)
            .iter()
            .map(|&(event, target)| (event, target.0))
            .collect()
    };
    Some(lts.states().map(row).collect())
}

/// True if the first states are strongly bisimilar, by refining the union until it is stable.
pub(super) fn are_bisimilar(left: &Rows, right: &Rows) -> bool {
    let shift = left.len() as u32;
    let mut union = left.clone();
    union.extend(
        right
            .iter()
            .map(|row| row.iter().map(|&(e, t)| (e, t + shift)).collect()),
    );
    let mut classes = vec![0u32; union.len()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<(u32, Vec<(EventId, u32)>), u32> = HashMap::new();
        let mut next = Vec::new();
        for (state, row) in union.iter().enumerate() {
            let mut signature: Vec<(EventId, u32)> = row
                .iter()
                .map(|&(event, target)| (event, classes[target as usize]))
                .collect();
            signature.sort_unstable();
            signature.dedup();
            let fresh = numbers.len() as u32;
            next.push(*numbers.entry((classes[state], signature)).or_insert(fresh));
        }
        classes = next;
        if numbers.len() == count {
            return classes[0] == classes[left.len()];
        }
        count = numbers.len();
    }
}

/// True if two systems have equal meanings in all models.
fn means_the_same(left: Rows, right: Rows) -> bool {
    let step = |(event, target)| (event, StateId(target));
    let lts = |rows: Rows| {
        let rows = rows
            .into_iter()
            .map(|row| row.into_iter().map(step).collect());
        Lts::from_rows(rows.collect())
    };
    let (left, right) = (lts(left), lts(right));
    let models = [Model::Traces, Model::Failures, Model::FailuresDivergences];
    models.into_iter().all(|model| {
        let of = |lts| NormalForm::of(lts, model, 10_000, Cancellation::never()).unwrap();
        of(&left) == of(&right)
    })
}

fn check(mut generator: Generator, seed: u64) -> Option<(usize, usize)> {
    let term = generator.term(3, true);
    let table = &mut generator.table;
    let text = text::expression(table, term);
    let plain = term_rows(table, term)?;
    // A leaf may grow although other leaves would keep it from growing in the machine.
    let machine = compile(table, term, &OPTIONS).ok()?;
    let packing = machine.packing(1);
    let compiled = if packing.words() == 1 && seed.is_multiple_of(2) {
        machine_rows::<u64>(&machine, &packing)
    } else {
        machine_rows::<Vec<u64>>(&machine, &packing)
    };
    // If parts are compressed, the machine has other τ, but an equal meaning.
    let is_same = match machine.taus() {
        Taus::Exact => are_bisimilar(&plain, &compiled),
        Taus::Free => means_the_same(plain.clone(), compiled.clone()),
    };
    assert!(is_same, "seed {seed}: {text}");
    Some((plain.len(), compiled.len()))
}

#[test]
fn machines_are_bisimilar_to_their_terms() {
    let mut compared = 0;
    for seed in 0..2000 {
        let Some((plain, compiled)) = check(Generator::new(seed), seed) else {
            continue;
        };
        compared += 1;
        // Controllers switch off operands that will not be live again, so these multiply no states.
        assert!(
            compiled * 2 <= plain * 3,
            "seed {seed}: {compiled} states against {plain}"
        );
    }
    assert!(
        compared > 1800,
        "only {compared} of the terms were small enough"
    );
}

#[test]
fn machines_with_priorities_are_bisimilar_to_their_terms() {
    let compared = (0..6000)
        .filter(|&seed| check(Generator::with_priorities(seed), seed).is_some())
        .count();
    assert!(compared > 5400, "only {compared} were small enough");
}

#[test]
fn random_priorities_make_gates_inside_each_other() {
    let mut by_level = [0; 4];
    for seed in 0..1000 {
        let mut generator = Generator::with_priorities(seed);
        let term = generator.term(3, true);
        if let Ok(machine) = compile(&mut generator.table, term, &OPTIONS) {
            let levels = machine.gates.iter().map(|gate| gate.level as usize + 1);
            by_level[levels.max().unwrap_or(0).min(3)] += 1;
        }
    }
    let enough = by_level.iter().zip([0, 200, 60, 2]);
    assert!(enough.clone().all(|(&n, least)| n >= least), "{by_level:?}");
}

/// The machine of `Q |~| (first -> (P ||| ... ||| P))`, of `n` times P = a -> b -> P.
fn many(n: usize) -> Machine {
    let mut table = DefinitionTable::new();
    let again = table.call("P");
    let terms = table.terms_mut();
    let [a, b, first] = ["a", "b", "first"].map(|name| terms.events.intern(name));
    let then = terms.prefix(vec![(b, again)]);
    let body = terms.prefix(vec![(a, then)]);
    let skip = terms.skip();
    let all = terms.interleave(vec![again; n]);
    let system = terms.prefix(vec![(first, all)]);
    let system = terms.internal_choice(vec![skip, system]).unwrap();
    table.define("P", body);
    compile(&mut table, system, &OPTIONS).unwrap()
}

#[test]
fn leaves_are_shared_and_counted() {
    let machine = many(3);
    let counts: Vec<u32> = machine.leaves.iter().map(Leaf::state_count).collect();
    assert_eq!(
        counts,
        [4, 2, 2, 2, 2],
        "the controller, SKIP, P three times"
    );
    let rows = machine_rows::<u64>(&machine, &machine.packing(1));
    assert_eq!(rows.len(), 4 + 8);
    assert_eq!(machine.nodes[machine.root()].leaves, 0..5);
}

#[test]
fn thousands_of_components_compile() {
    let machine = many(5000);
    assert_eq!(machine.leaves.len(), 5002);
    assert_eq!(machine.rules.len(), 10_000 + 3);
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, Cancellation::never()).unwrap();
    let state = Vec::<u64>::zero(packing.words());
    let mut scratch = Scratch::new(packing.words());
    let mut count = 0;
    successors.for_each(&state, &mut scratch, &mut |_, _, _| count += 1);
    assert_eq!(count, 2);
}
