//! Least images against all elements of groups, and against genRep.

use std::collections::HashSet;
use testkit::depth::{cases, seeds};

use super::super::tests::boards::{Board, Holders, hypercube, ring, wreath};
use super::super::tests::{check, pack, states};
use super::super::{GeneralPlan, orbits_of};
use super::*;
use crate::testing::CopiesCheck;
use testkit::copies::Shape;
use testkit::random::RandomNumbers;

type Words = Vec<u64>;

/// Checks that all images of each state have the same least image, with room for stabilisers and
/// without.
fn check_plan(packing: &Packing, group: &Group, states: &[Vec<u32>]) -> usize {
    let plan = MinimalPlan::new(group).unwrap();
    let moved = check::<Words>(packing, group, states, &mut plan.packed(packing));
    if packing.words() == 1 {
        check::<u64>(packing, group, states, &mut plan.packed(packing));
    }
    let cramped = MinimalPlan {
        most_bytes: 0,
        ..plan.clone()
    };
    let few = &states[..states.len().min(20)];
    check::<Words>(packing, group, few, &mut cramped.packed(packing));
    let mut with_room = plan.packed::<Words>(packing);
    for values in few {
        let mut one: Words = pack(packing, values);
        let mut other = one.clone();
        with_room.represent(&mut one);
        cramped.packed(packing).represent(&mut other);
        assert_eq!(one, other);
    }
    moved
}

fn check_holders(leaves: usize, generators: &[Vec<usize>], order: u32, count: usize) {
    let holders = Holders::new(leaves, 2);
    let group = holders.group(generators);
    assert_eq!(*group.order(), order.into());
    let board = &holders.board;
    let states = board.states(count, &mut RandomNumbers(order.into()));
    let moved = check_plan(&board.packing(), &group, &states);
    assert!(moved > count / 3, "{moved}");
}

#[test]
fn a_ring_of_lamps_as_in_the_readme() {
    let board = Board::new(&[2; 4], 1);
    let group = board.group(vec![board.exchange(&[1, 2, 3, 0])]);
    let plan = MinimalPlan::new(&group).unwrap();
    let mut tree = StabiliserTree::new(8, plan.generators.to_vec(), group.order().clone());
    let slots = &plan.points.slots;
    assert_eq!(**slots, [0, 0, 1, 1, 2, 2, 3, 3]);
    let mut least = |set: [u32; 4]| {
        ImageSearch::default()
            .least(&mut tree, slots, &set)
            .to_vec()
    };
    assert_eq!(least([0, 2, 5, 6]), [1, 2, 4, 6]);
    let neighbours = [[1, 3, 4, 6], [0, 3, 5, 6], [0, 2, 5, 7], [1, 2, 4, 7]];
    let image = least(neighbours[0]);
    assert!(neighbours.iter().all(|&set| least(set) == image));
    assert!([[0, 3, 5, 6], [0, 2, 5, 7]].iter().any(|set| image == set));
    let packing = board.packing();
    let states = (0..16u32).map(|lamps| {
        let values = (0..4).map(|lamp| lamps >> lamp & 1).chain([0]);
        pack::<u64>(&packing, &values.collect::<Vec<_>>())
    });
    assert_eq!(orbits_of(states, &mut plan.packed(&packing)).len(), 6);
}

#[test]
fn all_images_in_random_models_have_the_same_least_image() {
    let mut moved = 0;
    let mut refused = 0;
    for seed in seeds(83, 250) {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let states = states(&model, &mut RandomNumbers(seed));
        let count = model.normal_form.state_count() as u32;
        let packing = model.machine.packing(count);
        if group.generators().is_empty() {
            refused += 1;
            assert!(MinimalPlan::new(&group).is_err());
            continue;
        }
        moved += usize::from(check_plan(&packing, &group, &states[..60]) > 0);
    }
    assert!(
        moved > cases(15, 60),
        "{moved} of 250, {refused} without symmetries"
    );
}

#[test]
fn rings_with_names_in_their_states() {
    let [rotation, reflection] = ring(9);
    check_holders(9, std::slice::from_ref(&rotation), 9, 60);
    check_holders(9, &[rotation, reflection], 18, 60);
    let [rotation, reflection] = ring(12);
    check_holders(12, &[rotation, reflection], 24, 60);
}

#[test]
fn hypercubes_with_messages() {
    check_holders(8, &hypercube(3), 48, 60);
    check_holders(16, &hypercube(4), 384, cases(8, 25));
}

#[test]
fn wreath_products_and_interchangeable_leaves() {
    check_holders(6, &wreath(3, 2), 48, 60);
    check_holders(6, &wreath(2, 3), 72, 60);
    check_holders(5, &wreath(1, 5)[..2], 120, 60);
}

#[test]
fn products_of_groups_that_move_different_leaves() {
    let board = Board::new(&[3, 3, 3, 2, 2, 2, 2, 4, 4, 5], 2);
    let group = board.group(vec![
        board.exchange(&[1, 2, 0, 3, 4, 5, 6, 7, 8, 9]),
        board.exchange(&[0, 1, 2, 4, 5, 6, 3, 7, 8, 9]),
        // Exchanges two leaves, reverses the values of both, and moves the states of the
        // specification.
        board.symmetry(
            &[0, 1, 2, 3, 4, 5, 6, 8, 7, 9],
            |leaf, value| {
                if leaf == 7 || leaf == 8 {
                    3 - value
                } else {
                    value
                }
            },
            |state| 1 - state,
        ),
        // Turns the values of the last leaf.
        board.symmetry(
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            |leaf, value| if leaf == 9 { (value + 1) % 5 } else { value },
            |state| state,
        ),
    ]);
    assert_eq!(*group.order(), 120u32.into());
    let states = board.states(80, &mut RandomNumbers(5));
    let moved = check_plan(&board.packing(), &group, &states);
    assert!(moved > 40, "{moved}");
}

/// Checks images under random products of generators, for a group that is too large for brute
/// force.
fn check_large(board: &Board, group: &Group, count: usize) {
    let packing = board.packing();
    let plan = MinimalPlan::new(group).unwrap();
    let mut representative = plan.packed::<Words>(&packing);
    let random = &mut RandomNumbers(11);
    for values in board.states(count, random) {
        let state = pack::<Words>(&packing, &values);
        let twist = representative.twist(&state);
        assert!(group.contains(&twist));
        let mut least = state.clone();
        representative.represent(&mut least);
        assert_eq!(super::super::apply(&packing, &twist, &state), least);
        let mut image = state;
        for _ in 0..20 {
            let generators = group.generators();
            let generator = &generators[random.below(generators.len())];
            image = super::super::apply(&packing, generator, &image);
            let mut other = image.clone();
            representative.represent(&mut other);
            assert_eq!(other, least, "{values:?}");
        }
    }
}

#[test]
fn groups_too_large_to_list() {
    let board = Board::new(&[6; 12], 1);
    let turned: Vec<usize> = (0..12).map(|i| (i + 1) % 12).collect();
    let mut swapped: Vec<usize> = (0..12).collect();
    swapped.swap(0, 1);
    let generators = [turned, swapped].map(|leaves| board.exchange(&leaves));
    let group = board.group(generators.to_vec());
    assert_eq!(*group.order(), 479_001_600u32.into());
    check_large(&board, &group, 30);

    let board = Board::new(&[4; 15], 1);
    let blocks = (0..3).flat_map(|block| {
        let mut turned: Vec<usize> = (0..15).collect();
        turned[5 * block..][..5].rotate_left(1);
        let mut swapped: Vec<usize> = (0..15).collect();
        swapped.swap(5 * block, 5 * block + 1);
        [turned, swapped]
    });
    let group = board.group(blocks.map(|leaves| board.exchange(&leaves)).collect());
    assert_eq!(*group.order(), 1_728_000u32.into());
    check_large(&board, &group, 50);

    let holders = Holders::new(12, 1);
    let group = holders.group(&wreath(4, 3));
    assert_eq!(*group.order(), 31_104u32.into());
    check_large(&holders.board, &group, 40);
}

#[test]
fn a_group_may_be_too_large_and_that_is_said() {
    let board = Board::new(&[2; 24], 1);
    let mut swapped: Vec<usize> = (0..24).collect();
    swapped.swap(0, 1);
    let turned: Vec<usize> = (0..24).map(|i| (i + 1) % 24).collect();
    let group = board.group(vec![board.exchange(&swapped), board.exchange(&turned)]);
    assert_eq!(
        MinimalPlan::new(&group).unwrap_err(),
        "the group has 620448401733239439360000 elements, and least images are searched for with 18446744073709551616 at most"
    );
    let nothing = board.group(Vec::new());
    let reason = MinimalPlan::new(&nothing).unwrap_err();
    assert_eq!(reason, NO_SYMMETRY);
}

#[test]
fn orbits_are_counted() {
    let holders = Holders::new(8, 1);
    let group = holders.group(&hypercube(3));
    let packing = holders.board.packing();
    let general = GeneralPlan::new(&group).unwrap();
    let plan = MinimalPlan::new(&group).unwrap();
    let random = &mut RandomNumbers(3);
    let states = holders.board.states(40, random);
    let elements = general.elements();
    // Each state, and some of its images.
    let mut images: Vec<Words> = Vec::new();
    for values in &states {
        let state: Words = pack(&packing, values);
        for _ in 0..5 {
            let element = &elements[random.below(elements.len())];
            images.push(super::super::apply(&packing, element, &state));
        }
    }
    let different: HashSet<Vec<Words>> = states
        .iter()
        .map(|values| {
            let state: Words = pack(&packing, values);
            let images = elements.iter();
            let mut orbit: Vec<Words> = images
                .map(|e| super::super::apply(&packing, e, &state))
                .collect();
            orbit.sort();
            orbit
        })
        .collect();
    let expected = different.len();
    assert!(expected > 20);
    let images = images.into_iter();
    assert_eq!(
        orbits_of(images.clone(), &mut plan.packed(&packing)).len(),
        expected
    );
    assert_eq!(
        orbits_of(images, &mut general.packed(&packing)).len(),
        expected
    );
}
