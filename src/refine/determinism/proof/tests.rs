//! Proofs of determinism against its definition on the normal form, wherever the pairs are, with
//! and without symmetry.

use std::cell::Cell;
use std::num::NonZeroUsize;

use super::*;
use crate::determinism::tests::least;
use crate::divided::tests::proofs;
use crate::external::tests::Directory;
use crate::spill::{Identity, Spill};
use base::cancel::Cancellation;
use base::mix::mix;
use base::threads::Threads;
use lts::explore::LeafLimits;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use symmetry::group::Group;
use symmetry::representative::{GeneralPlan, LocalPlan, MinimalPlan};
use symmetry::testing::{CopiesCheck, sorted};
use testkit::copies::Shape;
use testkit::depth::{cases, seeds};
use testkit::systems::random_systems;

const MODELS: [Model; 2] = [Model::Failures, Model::FailuresDivergences];

fn anything(machine: &Machine) -> NormalForm {
    let results = machine.rules.iter().map(|rule| rule.result);
    let mut events: Vec<EventId> = results.filter(|event| event.is_visible()).collect();
    events.sort_unstable();
    events.dedup();
    NormalForm::divergence_free(&events)
}

fn options(threads: usize, spill: Option<Spill>) -> CheckOptions {
    CheckOptions {
        threads: Threads::new(NonZeroUsize::new(threads).unwrap()),
        spill,
        ..CheckOptions::default()
    }
}

/// The proof that all ways of looking at the pairs of `machine` find, which must be the same.
fn proof(machine: &Machine, method: Option<&Method>, model: Model, seed: u64) -> Proof {
    let form = &anything(machine);
    let alone = |options: &CheckOptions| {
        prove_determinism(machine, (form, method), model, options).unwrap()
    };
    let (expected, statistics) = alone(&options(1, None));
    let same = |(proof, other): (Proof, Statistics)| {
        assert_eq!(proof, expected);
        if proof == Proof::Deterministic {
            let essence = |of: Statistics| (of.states, of.transitions, of.levels);
            assert_eq!(essence(other), essence(statistics));
        }
    };
    same(alone(&options(2, None)));
    if seed.is_multiple_of(4) {
        let directory = Directory::new();
        for resumes in [false, true] {
            let spill = Spill {
                directory: directory.0.clone(),
                resumes,
                identity: Identity::default(),
                budget: 0,
            };
            same(alone(&options(1, Some(spill))));
        }
        let by =
            |options: &CheckOptions| prove_determinism(machine, (form, method), model, options);
        proofs(1 + seed as usize / 4 % 3, seed, &by)
            .into_iter()
            .for_each(same);
    }
    expected
}

/// True if `machine` is deterministic, by the definition; `None` if it is large.
fn is_deterministic(machine: &Machine, model: Model) -> Option<bool> {
    let states = explicit(machine, 300, Cancellation::never()).ok()?;
    let normal = NormalForm::of(&states, model, 1000, Cancellation::never());
    Some(least(&normal.ok()?).is_none())
}

/// The machine of a process with these rows, each state of which is there twice, where steps lead
/// to one copy or both; if `is_double`, of two such processes side by side.
fn machine(rows: &[&[(EventId, u32)]], seed: u64, is_double: bool) -> Option<Machine> {
    let mut table = DefinitionTable::new();
    let mut parts: Vec<TermId> = Vec::new();
    for part in 0..=u64::from(is_double) {
        let labels = |name: &str| format!("{name}{part}");
        let events = ["t", "c", "a", "b"].map(labels);
        let events = events.map(|name| table.terms_mut().events.intern(&name));
        let name = |state: u32, copy: u32| format!("P{part}.{state}.{copy}");
        for (state, row) in rows.iter().enumerate() {
            for copy in 0..2 {
                let mut branches = Vec::new();
                for (number, &(label, to)) in row.iter().enumerate() {
                    let place = (state * 16 + number) as u64 * 2 + u64::from(copy) + part * 999;
                    let copies = match mix(seed ^ mix(place)) % 4 {
                        0 => 0..1,
                        1 => 1..2,
                        _ => 0..2,
                    };
                    let to = copies.map(|copy| table.call(&name(to, copy)));
                    let event = events[label.0 as usize];
                    branches.extend(to.map(|to| (event, to)));
                }
                let stop = table.terms_mut().stop();
                let body = match branches.is_empty() {
                    true => stop,
                    false => table.terms_mut().prefix(branches),
                };
                table.define(&name(state as u32, copy), body);
            }
        }
        let start = table.call(&name(0, 0));
        let hidden = table.terms_mut().events.intern_set(vec![events[0]]);
        parts.push(table.terms_mut().hide(start, hidden));
    }
    let system = table.terms_mut().interleave(parts);
    compile(
        &mut table,
        system,
        &CompileOptions::new(LeafLimits::all(1000)),
    )
    .ok()
}

#[test]
fn exactly_what_is_deterministic_is_proved_to_be() {
    let [proved, unknown, open] = [Cell::new(0), Cell::new(0), Cell::new(0)];
    let count = |of: &Cell<u64>| of.set(of.get() + 1);
    let number = Cell::new(0_u64);
    let most = cases(1500, 40_000);
    random_systems(most, |rows| {
        count(&number);
        let seed = number.get();
        let Some(machine) = machine(rows, mix(seed), seed.is_multiple_of(3)) else {
            return;
        };
        for model in MODELS {
            let Some(expected) = is_deterministic(&machine, model) else {
                continue;
            };
            match (proof(&machine, None, model, seed), expected) {
                (Proof::Deterministic, true) => count(&proved),
                (Proof::Unknown, false) => count(&unknown),
                // A part that never comes to rest.
                (Proof::Unknown, true) if model == Model::Failures => count(&open),
                (proof, expected) => panic!("{seed}, {model:?}: {proof:?}, {expected}"),
            }
        }
    });
    let found = [proved, unknown, open].map(Cell::into_inner);
    let least = u64::from(most);
    assert!(
        found[0] > least / 5 && found[1] > least / 2 && found[2] > 0,
        "{found:?}"
    );
}

/// The group beside the normal form that allows all but divergence, which no symmetry moves.
fn beside_anything(machine: &Machine, group: &Group) -> Group {
    let count = anything(machine).state_count();
    let generators = group.generators().iter().map(|generator| Symmetry {
        specification: (0..count as u32).collect(),
        ..generator.clone()
    });
    Group::new(machine, count, generators.collect())
}

#[test]
fn one_pair_of_each_orbit_is_enough() {
    let mut found = [0; 3];
    for seed in seeds(400, 4000) {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let machine = &model.machine;
        let group = &beside_anything(machine, &model.group());
        let general = GeneralPlan::new(group).map(Method::General);
        let minimal = MinimalPlan::new(group).map(Method::Minimal);
        let methods = [
            general.ok(),
            minimal.ok(),
            sorted(machine, group).map(Method::Sort).ok(),
            LocalPlan::new(group).map(Method::Local).ok(),
        ];
        for semantics in MODELS {
            let Some(expected) = is_deterministic(machine, semantics) else {
                continue;
            };
            for method in methods.iter().flatten() {
                match (proof(machine, Some(method), semantics, seed), expected) {
                    (Proof::Deterministic, true) => found[0] += 1,
                    (Proof::Unknown, false) => found[1] += 1,
                    (Proof::Unknown, true) if semantics == Model::Failures => found[2] += 1,
                    (proof, expected) => panic!("{seed}, {semantics:?}: {proof:?}, {expected}"),
                }
            }
        }
    }
    assert!(found[0] > 100 && found[1] > 100, "{found:?}");
}
