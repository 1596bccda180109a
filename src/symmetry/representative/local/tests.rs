//! Local search: the image found is in the orbit, and no step leads lower.

use super::super::tests::boards::{Board, Holders, hypercube, ring, wreath};
use super::super::tests::{pack, states};
use super::super::{MinimalPlan, apply, orbits_of};
use super::*;
use crate::testing::CopiesCheck;
use testkit::copies::Shape;
use testkit::random::RandomNumbers;

/// Checks the image found for each state. Returns the number of states that moved.
fn check_local<S: PackedState>(packing: &Packing, group: &Group, states: &[Vec<u32>]) -> usize {
    let plan = LocalPlan::new(group).unwrap();
    let mut representative = plan.packed::<S>(packing);
    let mut moved = 0;
    for values in states {
        let state: S = pack(packing, values);
        let mut found = state.clone();
        representative.represent(&mut found);
        let twist = representative.twist(&state);
        assert!(group.contains(&twist));
        assert_eq!(apply(packing, &twist, &state).words(), found.words());
        let found_values = packing.unpack(&found);
        assert!(found_values <= *values);
        moved += usize::from(found.words() != state.words());
        for step in plan.steps.iter() {
            assert!(packing.unpack(&apply(packing, step, &found)) >= found_values);
        }
    }
    moved
}

#[test]
fn random_models() {
    let mut moved = 0;
    for seed in 0..200 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        if LocalPlan::new(&group).is_err() {
            let moves = |g: &Symmetry| !g.pbisim.is_identity() || !g.fixes_specification();
            assert!(!group.generators().iter().any(moves), "seed {seed}");
            continue;
        }
        let states = states(&model, &mut RandomNumbers(seed));
        let count = model.normal_form.state_count() as u32;
        let packing = model.machine.packing(count);
        let found = check_local::<Vec<u64>>(&packing, &group, &states);
        if packing.words() == 1 {
            let same = check_local::<u64>(&packing, &group, &states);
            assert_eq!(same, found);
        }
        moved += usize::from(found > 0);
    }
    assert!(moved > 50, "{moved} of 200");
}

#[test]
fn rings_hypercubes_and_wreath_products() {
    for (leaves, generators) in [
        (10, ring(10).to_vec()),
        (8, hypercube(3)),
        (32, hypercube(5)),
        (12, wreath(4, 3)),
    ] {
        let holders = Holders::new(leaves, 2);
        let group = holders.group(&generators);
        let board = &holders.board;
        let states = board.states(100, &mut RandomNumbers(1));
        let moved = check_local::<Vec<u64>>(&board.packing(), &group, &states);
        assert!(moved > 50, "{moved} of {leaves} leaves");
    }
}

#[test]
fn steps_are_different_elements_that_move_states() {
    let holders = Holders::new(16, 1);
    let group = holders.group(&hypercube(4));
    let plan = LocalPlan::new(&group).unwrap();
    assert_eq!(plan.steps.iter().len(), MOST_STEPS);
    let different: FxHashSet<&Symmetry> = plan.steps.iter().collect();
    assert_eq!(different.len(), MOST_STEPS);
    for step in plan.steps.iter() {
        assert!(group.contains(step) && !step.is_identity());
    }
    for generator in group.generators() {
        assert!(different.contains(generator) && different.contains(&generator.inverse()));
    }
    let nothing = holders.board.group(Vec::new());
    let reason = LocalPlan::new(&nothing).unwrap_err();
    assert_eq!(reason, NO_SYMMETRY);
}

#[test]
fn interchangeable_leaves_are_sorted() {
    // With all swaps of neighbours among the steps, only sorted states are local minima.
    let board = Board::new(&[4; 6], 1);
    let swap = |at: usize| {
        let mut leaves: Vec<usize> = (0..6).collect();
        leaves.swap(at, at + 1);
        board.exchange(&leaves)
    };
    let group = board.group((0..5).map(swap).collect());
    let packing = board.packing();
    let values = |number: u32| (0..6).map(move |leaf| number >> (2 * leaf) & 3);
    let states = (0..1 << 12).map(|number| values(number).chain([0]).collect::<Vec<u32>>());
    let packed = || states.clone().map(|values| pack::<u64>(&packing, &values));
    let exact = MinimalPlan::new(&group).unwrap();
    let plan = LocalPlan::new(&group).unwrap();
    let mut local = plan.packed(&packing);
    let stored: FxHashSet<u64> = packed()
        .map(|mut state| {
            local.represent(&mut state);
            state
        })
        .collect();
    let orbits = orbits_of(packed(), &mut exact.packed(&packing)).len();
    // The expected number counts the multisets of six out of four values.
    assert_eq!([stored.len(), orbits], [84, 84]);
}
