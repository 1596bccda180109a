//! Representative functions against the definition: the least of all images, one for each orbit.

pub(crate) mod boards;

use std::collections::BTreeMap;

use super::decisions::{Decisions, ElementActions};
use super::*;
use crate::group::Group;
use crate::pbisim::Symmetry;
use crate::testing::{CopiesCheck, sorted};
use machine::LeafId;
use machine::packing::{PackedState, Packing};
use testkit::copies::{Composition, CopyStep, Shape, SharedPart, Specification};
use testkit::random::RandomNumbers;

/// The words of a state with these values.
pub(crate) fn pack<S: PackedState>(packing: &Packing, values: &[u32]) -> S {
    let mut state = S::zero(packing.words());
    for (field, &value) in packing.fields().iter().zip(values) {
        state.flip(field.word, field.flip(0, value));
    }
    state
}

/// The image of a state, which is given by its leaves and last the specification.
pub(crate) fn image(element: &Symmetry, values: &[u32]) -> Vec<u32> {
    let (specification, leaves) = values.split_last().unwrap();
    let mut image = element.pbisim.image(leaves);
    image.push(element.specification[*specification as usize]);
    image
}

/// Random states of leaves and specification, reachable or not.
pub(crate) fn states(model: &CopiesCheck, random: &mut RandomNumbers) -> Vec<Vec<u32>> {
    let leaves = model.machine.leaves.iter();
    let mut counts: Vec<usize> = leaves.map(|leaf| leaf.state_count() as usize).collect();
    counts.push(model.normal_form.state_count());
    let mut states = vec![vec![0; counts.len()]];
    for _ in 0..200 {
        states.push(counts.iter().map(|&n| random.below(n) as u32).collect());
    }
    states
}

/// Compares a representative function with the orbits of `group`. Returns the number of states that
/// moved.
pub(crate) fn check<S: PackedState>(
    packing: &Packing,
    group: &Group,
    states: &[Vec<u32>],
    representative: &mut impl Representative<S>,
) -> usize {
    let elements = group.closure(10_000).unwrap();
    let mut moved = 0;
    let mut source: S = pack(packing, &states[0]);
    representative.represent(&mut source);
    for values in states {
        let state: S = pack(packing, values);
        let twist = representative.twist(&state);
        assert!(elements.contains(&twist));
        let mut found = state.clone();
        representative.represent(&mut found);
        moved += usize::from(found.words() != state.words());
        assert_eq!(apply(packing, &twist, &state).words(), found.words());
        for element in &elements {
            let mut other: S = pack(packing, &image(element, values));
            representative.represent(&mut other);
            assert_eq!(packing.unpack(&other), packing.unpack(&found));
        }
        check_successors(packing, &source, values, representative);
        source = found;
    }
    moved
}

/// Checks that a successor of a representative gets the same representative as by itself. The
/// successor is `source` with these values of its first components.
fn check_successors<S: PackedState>(
    packing: &Packing,
    source: &S,
    values: &[u32],
    representative: &mut impl Representative<S>,
) {
    let mut next = source.clone();
    for (&field, &value) in packing.fields().iter().zip(values) {
        next.flip(field.word, field.flip(field.get(&next), value));
        let (mut found, mut expected) = (next.clone(), next.clone());
        representative.set_source(source);
        representative.represent_successor(&mut found);
        representative.represent(&mut expected);
        assert_eq!(packing.unpack(&found), packing.unpack(&expected));
    }
}

/// Checks all plans for one random model. Returns the plans that applied, and the number of states
/// that moved.
fn check_random(seed: u64) -> Option<(Option<&'static str>, usize, usize)> {
    let model = CopiesCheck::of(&Shape::random(seed))?;
    let group = model.group();
    let packing = model
        .machine
        .packing(model.normal_form.state_count() as u32);
    let states = states(&model, &mut RandomNumbers(seed));
    let general = GeneralPlan::new(&group).unwrap();
    for values in &states {
        // The definition is the least image under any element.
        let images = general
            .elements()
            .iter()
            .map(|element| image(element, values));
        let by_position = |state: &Vec<u32>| -> Vec<u32> {
            let value = |&component: &usize| state[component];
            general.positions.iter().map(value).collect()
        };
        let least = images.min_by_key(by_position).unwrap();
        let mut state: Vec<u64> = pack(&packing, values);
        general.packed(&packing).represent(&mut state);
        assert_eq!(packing.unpack(&state), least, "seed {seed}");
    }
    let general_moved = check::<Vec<u64>>(&packing, &group, &states, &mut general.packed(&packing));
    if packing.words() == 1 {
        check::<u64>(&packing, &group, &states, &mut general.packed(&packing));
    }
    let Ok(sort) = sorted(&model.machine, &group) else {
        return Some((None, general_moved, general.elements().len()));
    };
    let sort_moved = check::<Vec<u64>>(&packing, &group, &states, &mut sort.packed(&packing));
    if packing.words() == 1 {
        check::<u64>(&packing, &group, &states, &mut sort.packed(&packing));
    }
    assert_eq!(
        sort_moved > 0,
        general_moved > 0,
        "seed {seed}: {:?}",
        model.shape
    );
    Some((Some(sort.name()), general_moved, general.elements().len()))
}

#[test]
fn representatives_are_unique_and_least() {
    let mut kinds: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for (kind, moved, size) in (0..600).filter_map(check_random) {
        // Where each leaf has one state, nothing can move.
        if moved > 0 {
            *kinds.entry(kind).or_default() += 1;
            *sizes.entry(size).or_default() += 1;
        }
    }
    assert!(kinds[&Some("sortRep")] > 30, "{kinds:?}");
    assert!(kinds[&Some("sortRep, simultaneous")] > 10, "{kinds:?}");
    assert!(kinds[&None] > 100, "{kinds:?}");
    for size in [2, 3, 4, 6, 24] {
        assert!(sizes[&size] > 5, "{sizes:?}");
    }
}

/// Copies of one or two leaves that take a lock and give it back.
fn locks(copies: usize, leaves: usize, shared: SharedPart) -> Shape {
    Shape {
        copies,
        points: 3,
        steps: vec![
            (0, CopyStep::Lock, 1),
            (1, CopyStep::A, 2),
            (2, CopyStep::B, 1),
            (1, CopyStep::Free, 0),
        ],
        remembers: false,
        token: false,
        composition: Composition::Interleaved,
        shared,
        partner: leaves == 2,
        hidden: vec!["lock", "free"],
        specification: Specification::All,
    }
}

fn recognised(shape: &Shape) -> std::result::Result<SortPlan, String> {
    let model = CopiesCheck::of(shape).unwrap();
    sorted(&model.machine, &model.group())
}

/// By family, the leaves of its blocks.
fn leaves(plan: &SortPlan) -> Vec<Vec<&[LeafId]>> {
    let families = plan.families.iter();
    let blocks = families.map(|family| family.blocks.iter().map(|block| &*block.leaves));
    blocks.map(Iterator::collect).collect()
}

#[test]
fn sorting_is_recognised_or_refused_with_the_reason() {
    let plan = recognised(&locks(4, 1, SharedPart::Counter)).unwrap();
    assert_eq!(plan.name(), "sortRep");
    let blocks = [[LeafId(0)], [LeafId(1)], [LeafId(2)], [LeafId(3)]];
    assert_eq!(leaves(&plan), [blocks.each_ref().map(|b| &b[..])]);

    let plan = recognised(&locks(3, 2, SharedPart::Counter)).unwrap();
    assert_eq!(plan.name(), "sortRep, simultaneous");
    let blocks = [0, 2, 4].map(|first| [LeafId(first), LeafId(first + 1)]);
    assert_eq!(leaves(&plan), [blocks.each_ref().map(|b| &b[..])]);

    let refused = |shape: &Shape| recognised(shape).unwrap_err();
    assert_eq!(
        refused(&locks(3, 1, SharedPart::Mutex { held: false })),
        "generator 1 changes states of leaf 4, FREE, without exchanging it"
    );
    let mut ring = locks(4, 1, SharedPart::Nothing);
    ring.steps = vec![
        (0, CopyStep::Pass, 1),
        (1, CopyStep::Receive, 2),
        (2, CopyStep::A, 0),
    ];
    ring.composition = Composition::Alphabetised;
    assert_eq!(
        refused(&ring),
        "the symmetries form no full symmetric group on leaves"
    );
    let mut exclusive = locks(3, 1, SharedPart::Counter);
    exclusive.specification = Specification::Exclusive { inside: false };
    assert_eq!(
        refused(&exclusive),
        "the specification is not universally symmetric: generator 1 moves its states"
    );
}

#[test]
fn swaps_are_found_in_products_of_generators() {
    // None of these generators exchanges just two leaves, but their squares, cubes and products do.
    let model = CopiesCheck::of(&locks(5, 1, SharedPart::Counter)).unwrap();
    let group = |generators: &[[usize; 5]]| {
        let symmetry = |ids: &[usize; 5]| model.symmetry(ids).unwrap();
        let generators = generators.iter().map(symmetry).collect();
        Group::new(&model.machine, model.normal_form.state_count(), generators)
    };
    let sorts = |generators: &[[usize; 5]]| {
        sorted(&model.machine, &group(generators)).map(|plan| plan.families.len())
    };
    assert_eq!(sorts(&[[1, 2, 3, 4, 0], [1, 0, 3, 4, 2]]), Ok(1));
    assert_eq!(sorts(&[[1, 2, 3, 4, 0], [0, 2, 3, 4, 1]]), Ok(1));
    assert_eq!(
        sorts(&[[1, 0, 3, 4, 2]]).ok(),
        None,
        "leaves 3 to 5 only turn"
    );
    assert_eq!(sorts(&[[1, 0, 3, 2, 4]]).ok(), Some(1), "two swaps in step");
    assert_eq!(sorts(&[[1, 0, 3, 2, 4], [1, 0, 2, 3, 4]]), Ok(2));
    assert_eq!(sorts(&[[1, 2, 3, 4, 0]]).ok(), None);
    // All even permutations of five.
    assert_eq!(sorts(&[[1, 2, 3, 4, 0], [1, 2, 0, 3, 4]]).ok(), None);
    // (S2 wr S2) on the first four.
    assert_eq!(sorts(&[[1, 0, 2, 3, 4], [2, 3, 0, 1, 4]]).ok(), None);
}

#[test]
fn least_images_need_no_room() {
    let mut shape = locks(4, 2, SharedPart::Mutex { held: true });
    shape.remembers = true;
    shape.steps.push((0, CopyStep::Give, 0));
    shape.steps.push((0, CopyStep::Take, 1));
    shape.specification = Specification::Exclusive { inside: true };
    let model = CopiesCheck::of(&shape).unwrap();
    let plan = GeneralPlan::new(&model.group()).unwrap();
    assert_eq!(plan.elements().len(), 24);
    let packing = model
        .machine
        .packing(model.normal_form.state_count() as u32);
    let states = states(&model, &mut RandomNumbers(7));
    let least = |room: usize| -> Vec<Vec<u32>> {
        let actions = ElementActions::of_elements(&plan.elements, &plan.positions);
        let mut decisions = Decisions::new(actions, &plan.positions, &plan.states, &packing, room);
        let image = |values: &Vec<u32>| {
            let element = decisions.least(&pack::<Vec<u64>>(&packing, values));
            image(&plan.elements[element as usize], values)
        };
        states.iter().map(image).collect()
    };
    let expected = least(1 << 24);
    for room in [0, 100, 3000, 10_000, 30_000] {
        assert_eq!(least(room), expected, "{room} bytes");
    }
}
