//! Resolutions against the definition of determinism.

use std::cell::Cell;

use super::*;
use crate::compress::tests::random_systems;
use crate::tau::divergent_states;
use crate::testing::lts;
use base::cancel::at_leisure;
use process::acceptance::is_subset;
use process::event::{TAU, TICK};

const A: EventId = EventId(2);
const B: EventId = EventId(3);

fn of(rows: &[&[(EventId, u32)]], model: Model) -> NormalForm {
    resolution(&lts(rows), model, 100, &Cancellation::new()).expect("it is small")
}

#[test]
fn of_several_branches_one_is_followed() {
    // a -> b -> STOP [] a -> STOP, its first a after two internal choices.
    let process = of(
        &[&[(A, 1), (A, 4)], &[(TAU, 2)], &[(TAU, 3)], &[(B, 4)], &[]],
        Model::FailuresDivergences,
    );
    let expected = of(&[&[(A, 1)], &[(B, 2)], &[]], Model::FailuresDivergences);
    assert_eq!(process, expected);
}

#[test]
fn a_normal_form_that_is_too_large_is_that_of_the_process() {
    let rows: &[&[(EventId, u32)]] = &[&[(TAU, 0), (A, 1)], &[(A, 2)], &[(B, 3)], &[]];
    let of = |model| resolution(&lts(rows), model, 2, &Cancellation::new());
    let error = of(Model::Failures).expect_err("two are too few");
    assert_eq!(error.code, "large-process");
    assert!(of(Model::FailuresDivergences).is_ok());
}

#[test]
fn termination_is_offered_beside_other_events() {
    let process = of(&[&[(TAU, 1)], &[(TICK, 2), (A, 2)], &[]], Model::Failures);
    assert_eq!(process, of(&[&[(TICK, 1), (A, 1)], &[]], Model::Failures));
}

#[test]
fn a_cycle_that_can_be_left_is_left() {
    let process = of(
        &[&[(TAU, 1)], &[(TAU, 0), (TAU, 2), (B, 2)], &[(A, 0)]],
        Model::Failures,
    );
    assert_eq!(process, of(&[&[(A, 0)]], Model::Failures));
}

#[test]
fn what_never_rests_allows_nothing_or_only_itself() {
    let rows: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 1), (B, 0)]];
    let process = of(rows, Model::FailuresDivergences);
    let after = process.successor(NormalForm::INITIAL, A);
    let after = after.expect("a is possible");
    assert_eq!(process.acceptances(after), Some(Vec::new()));
    assert!(process.row(after).is_empty());
    let process = of(rows, Model::Failures);
    let after = process.successor(NormalForm::INITIAL, A);
    let after = after.expect("a is possible");
    assert_eq!(process.acceptances(after), Some(Vec::new()));
    assert_eq!(process.row(after), [(B, NormalForm::INITIAL)]);
}

/// Determinism by the definition, on the normal form, which has everything that the process can do
/// and refuse after each trace.
fn is_deterministic(process: &Lts, model: Model) -> bool {
    let normal =
        NormalForm::of(process, model, 10_000, Cancellation::never()).expect("it is small");
    let states = (0..normal.state_count()).map(StateId::from_usize);
    states.into_iter().all(|state| {
        let mut events = normal.row(state).iter().map(|&(event, _)| event);
        !normal.is_divergent(state)
            && match normal.acceptances(state) {
                None => events.next().is_none(),
                Some(sets) => events.all(|event| sets.iter().all(|set| set.contains(&event))),
            }
    })
}

/// True if `process` does nothing, state by state, that `resolution` forbids.
fn refines(process: &Lts, resolution: &NormalForm) -> bool {
    let mut found = vec![(Lts::INITIAL, NormalForm::INITIAL)];
    let mut next = 0;
    let divergent = at_leisure(|token| divergent_states(process, token));
    while let Some(&(state, allowed)) = found.get(next) {
        next += 1;
        let sets = resolution.acceptances(allowed);
        let offers = process.acceptance(state);
        let may_refuse = match (&offers, sets) {
            (Some(offers), Some(sets)) => sets.iter().any(|set| is_subset(set, offers)),
            _ => true,
        };
        let diverges = resolution.model().has_divergences() && divergent[state.index()];
        if !may_refuse || diverges {
            return false;
        }
        for &(event, target) in process.row(state) {
            let after = match event {
                TAU => Some(allowed),
                _ => resolution.successor(allowed, event),
            };
            let Some(after) = after else { return false };
            if !found.contains(&(target, after)) {
                found.push((target, after));
            }
        }
    }
    true
}

#[test]
fn a_process_is_deterministic_exactly_if_it_refines_its_resolution() {
    const MODELS: [Model; 2] = [Model::Failures, Model::FailuresDivergences];
    const CASES: u32 = 20_000;
    let deterministic = MODELS.map(|_| Cell::new(0));
    random_systems(CASES, |process| {
        for (model, count) in MODELS.into_iter().zip(&deterministic) {
            let expected = is_deterministic(process, model);
            let resolution = resolution(process, model, 10_000, &Cancellation::new());
            let resolution = resolution.expect("it is small");
            assert_eq!(refines(process, &resolution), expected, "{model:?}");
            count.set(count.get() + u32::from(expected));
        }
    });
    for count in deterministic {
        assert!((CASES / 20..CASES - CASES / 20).contains(&count.get()));
    }
}
