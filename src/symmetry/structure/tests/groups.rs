//! Groups of symmetries of a machine.

use crate::group::Group;
use crate::structure::{Recognised, forest, recognise};
use crate::testing::CopiesCheck;
use base::cancel::at_leisure;
use testkit::copies::{Composition, CopyStep, Shape, SharedPart, Specification};

/// Copies that use a lock; exchanging them moves the lock's states, and the specification's.
fn model(copies: usize) -> CopiesCheck {
    let shape = Shape {
        copies,
        points: 2,
        steps: vec![
            (0, CopyStep::A, 1),
            (1, CopyStep::B, 0),
            (1, CopyStep::Lock, 1),
            (1, CopyStep::Free, 1),
        ],
        remembers: false,
        token: false,
        composition: Composition::Interleaved,
        shared: SharedPart::Mutex { held: false },
        partner: true,
        hidden: Vec::new(),
        specification: Specification::Exclusive { inside: false },
    };
    CopiesCheck::of(&shape).unwrap()
}

/// The group that permutations of the copies generate.
fn group(copies: usize, generators: &[&[usize]]) -> (Group, Recognised) {
    let model = model(copies);
    let generators = generators.iter().map(|ids| model.symmetry(ids).unwrap());
    let states = model.normal_form.state_count();
    let group = Group::new(&model.machine, states, generators.collect());
    let recognised = at_leisure(|token| recognise(&group, token));
    check(&model, &group, &recognised);
    (group, recognised)
}

/// Checks the properties that factors and forests must have.
fn check(model: &CopiesCheck, group: &Group, recognised: &Recognised) {
    let states = model.normal_form.state_count();
    let generated = |generators| Group::new(&model.machine, states, generators);
    let of = |factor: &super::super::Factor| generated(factor.generators.clone());
    let factors: Vec<Group> = recognised.factors.iter().map(of).collect();
    let orders: num_bigint::BigUint = factors.iter().map(Group::order).product();
    assert_eq!(orders, *group.order());
    let all = factors.iter().flat_map(|f| f.generators().to_vec());
    assert_eq!(generated(all.collect()).order(), group.order());
    for (factor, generated_by) in recognised.factors.iter().zip(&factors) {
        for generator in &factor.generators {
            assert!(group.contains(generator) && !generator.is_identity());
        }
        let Some(forest) = &factor.forest else {
            continue;
        };
        let swaps: Vec<_> = forest
            .families
            .iter()
            .flat_map(|f| f.swaps.clone())
            .collect();
        for swap in &swaps {
            assert!(generated_by.contains(swap) && swap.then(swap).pbisim.is_identity());
            assert!(swap.then(swap).fixes_specification());
        }
        assert_eq!(generated(swaps).order(), generated_by.order());
    }
    // Factors commute.
    for (number, left) in factors.iter().enumerate() {
        for right in &factors[number + 1..] {
            for (x, y) in left.generators().iter().zip(right.generators()) {
                assert_eq!(x.then(y), y.then(x));
            }
        }
    }
}

/// By family, the number of its members, and the member (family and position) that it is below.
type Sizes = Vec<(usize, Option<(usize, usize)>)>;

fn sizes(recognised: &Recognised) -> Option<Sizes> {
    let forest = forest(recognised)?;
    let families = forest.families.iter();
    Some(families.map(|f| (f.size(), f.parent)).collect())
}

#[test]
fn copies_that_may_be_exchanged() {
    let (_, all) = group(4, &[&[1, 0, 2, 3], &[1, 2, 3, 0]]);
    assert_eq!(all.structure.to_string(), "S4");
    assert_eq!(sizes(&all), Some(vec![(4, None)]));
    let swaps = &all.factors[0].forest.as_ref().unwrap().families[0].swaps;
    // Two exchanges with the first copy are a turn of three.
    let turn = swaps[0].then(&swaps[2]);
    assert!(!turn.then(&turn).is_identity() && turn.then(&turn).then(&turn).pbisim.is_identity());
}

#[test]
fn factors_of_a_group_whose_generators_mix_them() {
    let mixed: [&[usize]; 3] = [&[1, 0, 3, 2, 4], &[0, 1, 3, 4, 2], &[1, 0, 2, 3, 4]];
    let (_, both) = group(5, &mixed);
    assert_eq!(both.structure.to_string(), "S3 × S2");
    assert_eq!(both.factors.len(), 2);
    assert_eq!(sizes(&both), Some(vec![(3, None), (2, None)]));
    // Without the last generator the two sets of copies move in step.
    let (_, one) = group(5, &mixed[..2]);
    assert_eq!(one.structure.to_string(), "S3");
    assert_eq!(sizes(&one), Some(vec![(3, None)]));
}

#[test]
fn rings_and_blocks() {
    let (_, turns) = group(5, &[&[1, 2, 3, 4, 0]]);
    assert_eq!(turns.structure.to_string(), "C5");
    assert_eq!(sizes(&turns), None);
    let (_, pairs) = group(4, &[&[1, 0, 2, 3], &[2, 3, 0, 1]]);
    assert_eq!(pairs.structure.to_string(), "D4");
    let families = vec![(2, None), (2, Some((0, 0))), (2, Some((0, 1)))];
    assert_eq!(sizes(&pairs), Some(families));
    let (_, trivial) = group(3, &[]);
    assert_eq!(trivial.structure.to_string(), "trivial");
    assert!(trivial.factors.is_empty() && sizes(&trivial) == Some(Vec::new()));
}
