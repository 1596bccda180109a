//! Budgets, known symmetries, verification on many models, and symmetries that are not worth
//! finding.

use num_bigint::BigUint;
use pretty_assertions::assert_eq;

use super::super::graph::SymmetryGraph;
use super::super::known::VertexMoves;
use super::super::lift::vertex_moves;
use super::super::reachable::{Reachable, moves_something_reachable};
use super::super::search::automorphisms;
use super::super::weights::keeping_weights;
use super::detect;
use super::graphs::dense;
use super::{BUDGET, Check, hypercube, neighbours};
use crate::events::machine_events;
use crate::frequencies::Frequencies;
use crate::pbisim::Symmetry;
use crate::permutations::PermutationGroup;
use crate::start::Start;
use crate::testing::CopiesCheck;
use crate::verify::product::Products;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::cancel::testing::asked;
use lts::explore::{LeafLimits, explore};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, LeafId, Machine, compile};
use testkit::copies::Shape;
use testkit::terms::Generator;

#[test]
fn what_was_found_within_the_budget_is_returned() {
    let check = neighbours(32, &hypercube(5));
    let all = check.detect(Start::Any);
    let mut orders = vec![BigUint::from(0_u32)];
    for part in 0..=20 {
        let budget = all.steps * part / 20;
        let found = detect(&check.verifier(), Start::Any, &[], budget);
        assert!(part > 15 || !found.is_complete, "{part}");
        // The budget may be exceeded by one cell, or one candidate.
        assert!(found.steps < budget + 2000, "{} {budget}", found.steps);
        let order = check.group(found.generators).order().clone();
        assert!(orders.last().is_some_and(|before| *before <= order));
        orders.push(order);
    }
    orders.dedup();
    // The orders are 0 before any search, 1 if nothing was found, then some, then that of all.
    assert!(
        orders.len() > 3 && orders[1] == BigUint::from(1_u32),
        "{orders:?}"
    );
    assert_eq!(orders.last(), Some(&BigUint::from(3840_u32)));
}

#[test]
fn all_that_is_found_on_random_models_is_verified_and_nothing_that_is_known_is_missed() {
    let (mut models, mut more) = (0, 0);
    for seed in 0..250 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        models += 1;
        let expected = model.group();
        let check = Check {
            machine: model.machine,
            specification: model.normal_form,
        };
        let found = check.detect(Start::Any).generators;
        more += usize::from(check.group(found.clone()).order() > expected.order());
        assert_eq!(check.detect_beyond(Start::Any, &found).generators, []);
        let known = expected.generators();
        let beyond = check.detect_beyond(Start::Any, known).generators;
        let again = check.detect_beyond(Start::Any, &[known, &beyond].concat());
        assert_eq!(again.generators, []);
        check.detect(Start::Fixed);
        assert_complete(&check, known, seed);
    }
    assert!(models > 150 && more > 20, "{models} {more}");
}

/// Asserts that the automorphisms found with nothing known include the known ones, and that as many
/// are found when these are given.
fn assert_complete(check: &Check, known: &[Symmetry], seed: u64) {
    let verifier = check.verifier();
    let graph = at_leisure(|token| SymmetryGraph::new(&verifier, Start::Any, token));
    let size = graph.structure.size();
    let moves = |symmetry| vertex_moves(&graph, &check.machine, symmetry).unwrap();
    let known: Vec<VertexMoves> = known.iter().map(moves).collect();
    let group = |known: &[VertexMoves]| {
        let found =
            at_leisure(|token| automorphisms(&graph.structure, known, BUDGET, token)).generators;
        let all = known.iter().chain(&found);
        PermutationGroup::new(size, all.map(|moves| dense(moves, size)).collect())
    };
    let all = group(&[]);
    assert!(
        known.iter().all(|moves| all.contains(&dense(moves, size))),
        "seed {seed}"
    );
    assert_eq!(all.order(), group(&known).order(), "seed {seed}");
}

#[test]
fn all_that_is_found_on_random_terms_is_verified() {
    let (mut checks, mut symmetric) = (0, 0);
    for seed in 5000..5600 {
        let mut generator = Generator::new(seed);
        let implementation = generator.term(3, true);
        let specification = generator.term(1, false);
        let options = CompileOptions {
            minimise: seed.is_multiple_of(2),
            ..CompileOptions::new(LeafLimits::all(100))
        };
        let machine = compile(&mut generator.table, implementation, &options);
        let lts = explore(&mut generator.table, specification, &options.limits);
        let (Ok(machine), Ok(lts)) = (machine, lts) else {
            continue;
        };
        let check = Check {
            machine,
            specification: NormalForm::of(&lts.lts, Model::Traces, 1000, Cancellation::never())
                .unwrap(),
        };
        checks += 1;
        for start in [Start::Any, Start::Fixed] {
            symmetric += usize::from(!check.detect(start).generators.is_empty());
        }
    }
    assert!(checks > 400 && symmetric > 50, "{checks} {symmetric}");
}

/// The states that `machine` can reach from its initial state, at most.
fn reachable_of(machine: &Machine) -> Reachable {
    base::cancel::at_leisure(|token| {
        let products = Products::of(machine, token)?;
        Reachable::by_products(machine, &products, token)
    })
}

#[test]
fn what_moves_nothing_reachable_is_dropped() {
    let step = |from: usize, event: &str, to: usize| (from, event.to_string(), to);
    // The values could be exchanged after `go`, which the second process never does.
    let locked = vec![
        step(0, "go", 1),
        step(1, "in.1", 2),
        step(2, "out.1", 1),
        step(1, "in.2", 3),
        step(3, "out.2", 1),
    ];
    let never = vec![step(0, "stop", 1), step(2, "go", 2)];
    let check = Check::net(&[locked.clone(), never]);
    let reachable = reachable_of(&check.machine);
    let states = |leaf| (0..4).filter(move |&state| reachable.contains(LeafId(leaf), state));
    assert_eq!(states(0).count(), 1);
    assert!(check.detect(Start::Any).generators.is_empty());
    let open = Check::net(&[locked, vec![step(0, "go", 1)]]);
    let reachable = reachable_of(&open.machine);
    let found = open.detect(Start::Any).generators;
    assert_eq!(found.len(), 1);
    assert!(moves_something_reachable(&reachable, &found[0]));
    let states = open.specification.point_count();
    let identity = Symmetry::identity(&open.machine, states);
    assert!(!moves_something_reachable(&reachable, &identity));
}

#[test]
fn long_chains_of_choices_need_no_stack() {
    // 300 pairs that can be exchanged, each on its own.
    let mut process = Vec::new();
    for pair in 0..300 {
        let (before, after) = (3 * pair, 3 * pair + 3);
        for way in 1..=2 {
            process.push((before, format!("in.{pair}.{way}"), before + way));
            process.push((before + way, format!("out.{pair}.{way}"), after));
        }
    }
    let check = Check::net(&[process]);
    let found = detect(&check.verifier(), Start::Any, &[], BUDGET);
    assert!(found.is_complete);
    assert_eq!(found.generators.len(), 300);
}

#[test]
fn whatever_goes_through_all_transitions_asks() {
    // Two equal components of 600 states in a ring.
    let ring = |own: &str| -> Vec<_> {
        let step = |i: usize| (i, format!("{own}.{i}"), (i + 1) % 600);
        (0..600).map(step).collect()
    };
    let check = Check::net(&[ring("a"), ring("b")]);
    let (machine, verifier) = (&check.machine, check.verifier());
    let once = 2 * 600 / 64;
    let reached = |token: &Cancellation| Reachable::by_products(machine, &verifier.products, token);
    assert!(asked(reached) >= 2 * once);
    let counted =
        |token: &Cancellation| Frequencies::of(machine, &check.specification, Start::Any, token);
    assert!(asked(counted) >= once);
    assert!(asked(|token| machine_events(machine, token)) >= once);
    let found = check.detect(Start::Any).generators;
    assert!(!found.is_empty());
    let kept = |token: &Cancellation| keeping_weights(&verifier, &[], found.clone(), token);
    assert!(asked(kept) >= 2 * once);
    let closed = |token: &Cancellation| {
        let mut reachable = Reachable::by_products(machine, &verifier.products, token)?;
        reachable.close_under(&found, token)
    };
    // The token is asked for each state, and for each of its images.
    assert!(asked(closed) >= 3 * once);
}
