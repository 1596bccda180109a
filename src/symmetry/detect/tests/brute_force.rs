//! Detection on small random machines, compared with trying all possible symmetries.

use std::collections::BTreeSet;
use std::sync::Arc;

use num_bigint::BigUint;
use pretty_assertions::assert_eq;

use super::super::graph::{SymmetryGraph, Vertex};
use super::super::lift;
use super::super::search::automorphisms;
use super::graphs::permutations;
use super::{BUDGET, Check};
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use crate::start::Start;
use crate::verify::Verifier;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::index::TypedIndex;
use lts::explore::{LeafLimits, explore};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, LeafId, compile};
use process::event::EventId;
use process::term::{Definitions, Term};
use testkit::terms::Generator;

/// The most candidates: checks with more take too long.
const MOST: usize = 4000;

/// A small random check.
fn random_check(seed: u64, has_priorities: bool) -> Option<Check> {
    let mut generator = if has_priorities {
        Generator::with_priorities(seed)
    } else {
        Generator::new(seed)
    };
    let implementation = if seed.is_multiple_of(2) {
        generator.term(2, true)
    } else {
        let operand = generator.term(1, false);
        let twice = generator.table.terms_mut().interleave(vec![operand; 2]);
        if has_priorities {
            let priority = generator.priority();
            generator.table.terms_mut().prioritise(twice, &priority)
        } else {
            twice
        }
    };
    let specification = if seed.is_multiple_of(3) {
        generator.term(1, false)
    } else {
        let events = ["a", "b", "c"].map(|name| generator.table.terms().events.find(name).unwrap());
        let terms = generator.table.terms_mut();
        let set = terms.events.intern_set(events.to_vec());
        terms.intern(Term::Run(set))
    };
    let options = CompileOptions::new(LeafLimits::all(6));
    let machine = compile(&mut generator.table, implementation, &options).ok()?;
    let lts = explore(&mut generator.table, specification, &options.limits).ok()?;
    Some(Check {
        machine,
        specification: NormalForm::of(&lts.lts, Model::Traces, 6, Cancellation::never()).ok()?,
    })
}

/// All candidates of the right shape: permutations of events, of leaves and of the states of each,
/// and of the specification.
fn everything(check: &Check) -> Option<Vec<Symmetry>> {
    let machine = &check.machine;
    let leaves: Vec<LeafId> = machine.leaves.indices().collect();
    let counts: Vec<usize> = machine
        .leaves
        .iter()
        .map(|l| l.state_count() as usize)
        .collect();
    let factorial = |n: usize| (1..=n).product::<usize>();
    let states: usize = counts.iter().map(|&n| factorial(n)).product();
    let others = factorial(check.specification.point_count()) * factorial(3);
    if states
        .saturating_mul(others)
        .saturating_mul(factorial(leaves.len()))
        > MOST
    {
        return None;
    }
    let mut all = Vec::new();
    for images in permutations(leaves.len()) {
        if leaves
            .iter()
            .any(|l| counts[l.index()] != counts[images[l.index()] as usize])
        {
            continue;
        }
        let images: Vec<LeafId> = images.into_iter().map(LeafId).collect();
        let mut states: Vec<Vec<Arc<[u32]>>> = vec![Vec::new()];
        for &count in &counts {
            let longer = states.iter().flat_map(|shorter| {
                permutations(count).into_iter().map(|next| {
                    let next = std::iter::once(Arc::from(next));
                    shorter.iter().cloned().chain(next).collect()
                })
            });
            states = longer.collect();
        }
        for states in states {
            for events in permutations(3) {
                for specification in permutations(check.specification.point_count()) {
                    let pairs = (0..).zip(&events);
                    let pairs = pairs.map(|(from, to)| (EventId(2 + from), EventId(2 + to)));
                    all.push(Symmetry {
                        events: EventPermutation::from_pairs(pairs).unwrap(),
                        pbisim: Pbisim::new(images.clone(), states.clone()),
                        specification: specification.into(),
                    });
                }
            }
        }
    }
    Some(all)
}

/// The moves of the graph's vertices by a symmetry.
fn action(graph: &SymmetryGraph<'_>, symmetry: &Symmetry) -> Vec<(u32, u32)> {
    let image = |&vertex: &Vertex| match vertex {
        Vertex::State(leaf, state) => {
            let to = symmetry.pbisim.states(leaf)[state as usize];
            (symmetry.pbisim.leaf(leaf).0, to)
        }
        Vertex::Specification(state) => (0, symmetry.specification(state).0),
        _ => (0, 0),
    };
    graph.vertices.iter().map(image).collect()
}

#[test]
fn small_machines_have_the_symmetries_that_trying_everything_finds() {
    let [compared, symmetric] = compared_with_everything(900, false);
    assert!(compared > 200 && symmetric > 60, "{compared} {symmetric}");
}

#[test]
fn small_machines_with_priorities_have_the_symmetries_that_trying_everything_finds() {
    let [compared, symmetric] = compared_with_everything(1800, true);
    assert!(compared > 400 && symmetric > 60, "{compared} {symmetric}");
}

/// The number of random checks that were compared, and the number of those that have symmetries.
fn compared_with_everything(seeds: u64, has_priorities: bool) -> [usize; 2] {
    let (mut compared, mut symmetric) = (0, 0);
    for seed in 0..seeds {
        let Some(check) = random_check(seed, has_priorities) else {
            continue;
        };
        let Some(all) = everything(&check) else {
            continue;
        };
        compared += 1;
        let verifier =
            at_leisure(|token| Verifier::new(&check.machine, &check.specification, token));
        let verified = all
            .iter()
            .filter(|symmetry| at_leisure(|token| verifier.verify(symmetry, token)).is_ok());
        let verified: Vec<&Symmetry> = verified.collect();
        for start in [Start::Any, Start::Fixed] {
            let verifier = check.verifier();
            let graph = at_leisure(|token| SymmetryGraph::new(&verifier, start, token));
            let wanted = verified
                .iter()
                .filter(|s| start == Start::Any || s.fixes_initial());
            let actions: BTreeSet<_> = wanted.map(|symmetry| action(&graph, symmetry)).collect();
            // The group also has the symmetries that move only unreachable states.
            let found = at_leisure(|token| automorphisms(&graph.structure, &[], BUDGET, token));
            let identity = Symmetry::identity(&check.machine, check.specification.point_count());
            let generators = found.generators.iter();
            let generators = generators.map(|moves| lift::symmetry(&graph, &identity, moves));
            let group = check.group(generators.collect());
            assert_eq!(*group.order(), BigUint::from(actions.len()), "seed {seed}");
            symmetric += usize::from(actions.len() > 1);
        }
    }
    [compared, symmetric]
}
