//! The values that a search finds, for groups that are known.

use std::collections::BTreeSet;

use super::*;

/// All permutations that `generators` generate.
fn closure(count: usize, generators: &[Vec<usize>]) -> BTreeSet<Vec<usize>> {
    let mut elements: BTreeSet<Vec<usize>> = BTreeSet::from([(0..count).collect()]);
    let mut open: Vec<Vec<usize>> = elements.iter().cloned().collect();
    while let Some(element) = open.pop() {
        for generator in generators {
            let next: Vec<usize> = element.iter().map(|&image| generator[image]).collect();
            if elements.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    elements
}

/// Searches with the group of `generators` as the truth. Returns the values found, and the number
/// of attempts.
fn found(count: usize, generators: &[Vec<usize>]) -> (PermutableValues, u32) {
    let group = closure(count, generators);
    let search = |profile: &[u64]| {
        let mut budget = 1000;
        let mut attempt = |images: &[usize]| Ok(group.contains(images));
        let outcome = search(profile, &mut budget, &mut attempt).unwrap();
        (outcome, 1000 - budget)
    };
    let (outcome, attempts) = search(&vec![0; count]);
    let generated = closure(count, &outcome.generators);
    assert!(generated.is_subset(&group));
    // With profiles that tell orbits apart, the same is found in no more attempts.
    let orbit = |value: usize| group.iter().map(|element| element[value] as u64).min();
    let orbits: Option<Vec<u64>> = (0..count).map(orbit).collect();
    let told = search(&orbits.unwrap());
    assert_eq!(told.0, outcome);
    assert!(told.1 <= attempts);
    (outcome, attempts)
}

/// Searches with the group of `generators` as the truth, and checks that the whole group was found.
fn all_found(count: usize, generators: &[Vec<usize>]) -> (PermutableValues, u32) {
    let (outcome, attempts) = found(count, generators);
    assert_eq!(
        closure(count, &outcome.generators),
        closure(count, generators)
    );
    (outcome, attempts)
}

#[test]
fn two_attempts_find_that_all_are_alike() {
    let (outcome, attempts) = all_found(6, &generating(6, &[0, 1, 2, 3, 4, 5]));
    assert_eq!(outcome.free, [[0, 1, 2, 3, 4, 5]]);
    assert_eq!((outcome.fixed.len(), attempts), (0, 2));
    let (outcome, attempts) = all_found(2, &generating(2, &[0, 1]));
    assert_eq!((outcome.free, attempts), (vec![vec![0, 1]], 1));
    assert_eq!(all_found(1, &[]).0.fixed, [0]);
}

#[test]
fn a_value_that_differs_is_fixed() {
    let (outcome, attempts) = all_found(5, &generating(5, &[0, 1, 3, 4]));
    assert_eq!(
        (outcome.free, outcome.fixed),
        (vec![vec![0, 1, 3, 4]], vec![2])
    );
    assert!(attempts <= 12, "{attempts}");
}

#[test]
fn what_tells_values_apart_saves_attempts() {
    let group = closure(7, &generating(7, &[1, 2, 3, 4, 5, 6]));
    let mut profile = [7; 7];
    profile[0] = 8;
    let mut budget = 2;
    let mut attempt = |images: &[usize]| Ok(group.contains(images));
    let outcome = search(&profile, &mut budget, &mut attempt).unwrap();
    assert_eq!(outcome.free, [[1, 2, 3, 4, 5, 6]]);
    assert_eq!((outcome.fixed, outcome.is_cut_short), (vec![0], false));
}

#[test]
fn several_blocks_are_told_apart() {
    let blocks = [generating(7, &[0, 2, 5]), generating(7, &[1, 3, 4, 6])].concat();
    let (outcome, _) = all_found(7, &blocks);
    assert_eq!(outcome.free, [vec![0, 2, 5], vec![1, 3, 4, 6]]);
    // The group permutes three pairs, which can be exchanged as well.
    let pairs = [
        vec![1, 0, 2, 3, 4, 5],
        vec![2, 3, 0, 1, 4, 5],
        vec![2, 3, 4, 5, 0, 1],
    ];
    let (outcome, _) = all_found(6, &pairs);
    assert_eq!(outcome.free, [[0, 1], [2, 3], [4, 5]]);
}

#[test]
fn rings_turn_and_turn_over() {
    let ring: Vec<usize> = (0..6).collect();
    let (outcome, attempts) = all_found(6, &[turned(6, &[&ring])]);
    assert_eq!(attempts, 5);
    assert_eq!((outcome.turning, outcome.fixed.len()), (vec![ring], 0));
    let (outcome, _) = all_found(5, &[vec![1, 2, 3, 4, 0], vec![4, 3, 2, 1, 0]]);
    assert_eq!(outcome.generators.len(), 2);
    // All values but one are in a ring.
    let (outcome, _) = all_found(5, &[turned(5, &[&[0, 1, 3, 4]])]);
    assert_eq!(
        (outcome.turning, outcome.fixed),
        (vec![vec![0, 1, 3, 4]], vec![2])
    );
}

#[test]
fn nothing_is_found_where_nothing_holds() {
    let (outcome, attempts) = found(6, &[]);
    assert_eq!(outcome.fixed, [0, 1, 2, 3, 4, 5]);
    assert!(outcome.generators.is_empty());
    assert_eq!(attempts, 15 + 7);
}

#[test]
fn the_budget_is_kept() {
    let group = closure(5, &generating(5, &[0, 1, 2, 3, 4]));
    for mut budget in 0..4 {
        let given = budget;
        let mut attempts = 0;
        let mut attempt = |images: &[usize]| {
            attempts += 1;
            Ok(group.contains(images))
        };
        let outcome = search(&[0; 5], &mut budget, &mut attempt).unwrap();
        assert_eq!(attempts + budget, given);
        // Two attempts, a transposition and a cycle, are enough.
        assert_eq!(outcome.is_cut_short, given < 2);
        assert_eq!(outcome.free.is_empty(), given == 0, "{given}: {outcome:?}");
    }
}

#[test]
fn many_values_that_are_all_different_take_no_attempt() {
    let profile: Vec<u64> = (0..50_000).collect();
    let mut budget = 100;
    let mut attempt = |_: &[usize]| unreachable!("their profiles say that none can move");
    let outcome = search(&profile, &mut budget, &mut attempt).unwrap();
    let told = (outcome.fixed.len(), outcome.is_cut_short, budget);
    assert_eq!(told, (profile.len(), false, 100));
}

#[test]
fn many_values_that_only_look_alike_take_no_more_than_the_budget() {
    let mut budget = 100;
    let mut attempt = |_: &[usize]| Ok(false);
    let outcome = search(&[0; 20_000], &mut budget, &mut attempt).unwrap();
    let told = (outcome.fixed.len(), outcome.is_cut_short, budget);
    assert_eq!(told, (20_000, true, 0));
}
