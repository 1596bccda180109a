//! Tests of normal forms.

use super::*;
use crate::compress::tests::exponential;
use crate::testing::lts;
use base::cancel::Cancellation;
use base::cancel::testing::within;

const A: EventId = EventId(2);
const B: EventId = EventId(3);

fn normal_form(rows: &[&[(EventId, u32)]], model: Model) -> NormalForm {
    NormalForm::of(&lts(rows), model, 100, Cancellation::never()).unwrap()
}

fn acceptances(normal_form: &NormalForm, state: u32) -> Option<Vec<Vec<EventId>>> {
    normal_form.acceptances(StateId(state))
}

fn sets(sets: &[&[EventId]]) -> Option<Vec<Vec<EventId>>> {
    Some(sets.iter().map(|set| set.to_vec()).collect())
}

#[test]
fn internal_choices_are_joined() {
    // (a -> a -> STOP) |~| (a -> b -> STOP)
    let choice: &[&[(EventId, u32)]] = &[
        &[(TAU, 1), (TAU, 2)],
        &[(A, 3)],
        &[(A, 4)],
        &[(A, 5)],
        &[(B, 5)],
        &[],
    ];
    let traces = normal_form(choice, Model::Traces);
    assert_eq!(*traces.lts(), lts(&[&[(A, 1)], &[(A, 2), (B, 2)], &[]]));
    assert_eq!(traces.successor(StateId(1), B), Some(StateId(2)));
    assert_eq!(traces.successor(StateId(0), B), None);

    let failures = normal_form(choice, Model::Failures);
    assert_eq!((failures.state_count(), failures.point_count()), (3, 6));
    assert_eq!(acceptances(&failures, 0), sets(&[&[A]]));
    assert_eq!(acceptances(&failures, 1), sets(&[&[A], &[B]]));
    assert_eq!(acceptances(&failures, 2), None);
    assert_eq!(failures.row(StateId(1)).len(), 2);
}

#[test]
fn only_minimal_acceptances_count() {
    // (a -> STOP [] b -> STOP) |~| a -> STOP, which is a -> STOP with b as an option
    let some = normal_form(
        &[&[(TAU, 1), (TAU, 2)], &[(A, 3), (B, 3)], &[(A, 3)], &[]],
        Model::Failures,
    );
    assert_eq!(acceptances(&some, 0), sets(&[&[A]]));
    // a -> STOP [] SKIP offers both.
    let skip = normal_form(&[&[(TICK, 2), (A, 1)], &[], &[]], Model::Failures);
    assert_eq!(acceptances(&skip, 0), sets(&[&[TICK, A]]));
    // a -> STOP [> STOP may refuse all.
    let slides = normal_form(&[&[(TAU, 1), (A, 1)], &[]], Model::Failures);
    assert_eq!(acceptances(&slides, 0), None);
}

#[test]
fn a_divergent_state_allows_everything_where_divergences_count() {
    // a -> (DIV [] a -> STOP)
    let rows: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 1), (A, 2)], &[]];
    let all = normal_form(rows, Model::FailuresDivergences);
    assert_eq!(
        *all.lts(),
        lts(&[
            &[(TAU, 2), (A, 1)],
            &[(TAU, 1)],
            &[(TAU, 3), (A, 2)],
            &[(TICK, 3)]
        ])
    );
    assert!(all.is_divergent(StateId(1)) && !all.is_divergent(StateId(0)));
    assert_eq!(acceptances(&all, 1), None);
    for model in [Model::Traces, Model::Failures] {
        let normal_form = normal_form(rows, model);
        assert_eq!(normal_form.state_count(), 3);
        assert!(!normal_form.is_divergent(StateId(1)));
    }
    let div: &[&[(EventId, u32)]] = &[&[(TAU, 1)], &[(TAU, 0)]];
    assert_eq!(*normal_form(div, Model::Traces).lts(), lts(&[&[]]));
    // The process has no failures at all, so no process that comes to rest refines it.
    let only_diverges = normal_form(div, Model::Failures);
    assert_eq!(only_diverges.state_count(), 1);
    assert_eq!(acceptances(&only_diverges, 0), sets(&[]));
    assert!(!only_diverges.is_divergent(StateId(0)));
    assert_eq!(only_diverges.point_count(), 3);
}

#[test]
fn what_offers_the_same_for_ever_is_no_acceptance() {
    // RUN({a}); and the same beside a divergence, which never comes to rest.
    let run = normal_form(&[&[(A, 0)]], Model::FailuresDivergences);
    assert_eq!((run.state_count(), run.point_count()), (1, 3));
    assert!(!run.is_divergent(StateId(0)));
    assert_eq!(acceptances(&run, 0), sets(&[&[A]]));
    let restless = normal_form(&[&[(TAU, 0), (A, 0)]], Model::Failures);
    assert_eq!((restless.state_count(), restless.point_count()), (1, 3));
    assert_eq!(acceptances(&restless, 0), sets(&[]));
}

#[test]
fn properties_are_specifications() {
    for (termination, after) in [(Termination::Event, sets(&[])), (Termination::Signal, None)] {
        let free = NormalForm::deadlock_free(&[A, B], Model::Failures, termination);
        assert_eq!(free.state_count(), 2);
        assert_eq!(acceptances(&free, 0), sets(&[&[TICK], &[A], &[B]]));
        assert_eq!(acceptances(&free, 1), after);
    }
    let free = NormalForm::divergence_free(&[A]);
    assert_eq!(*free.lts(), lts(&[&[(TICK, 1), (A, 0)], &[]]));
    let all_but = NormalForm::all_but(&[A, B], &[A, B], Model::Traces);
    let expected = lts(&[
        &[(TICK, 1), (A, 2), (B, 1)],
        &[(TAU, 1)],
        &[(TICK, 1), (A, 1)],
    ]);
    assert_eq!(*all_but.lts(), expected);
    assert!(all_but.is_divergent(StateId(1)));
}

#[test]
fn the_limit_counts_sets() {
    let row = lts(&[&[(A, 1)], &[(A, 2)], &[]]);
    let of = |limit| NormalForm::of(&row, Model::Traces, limit, Cancellation::never());
    assert!(of(3).is_ok());
    assert_eq!(of(2).unwrap_err().code, "large-specification");
}

#[test]
fn time_may_run_out_before_all_sets_are_found() {
    let (endless, begun) = within(9999, |token| {
        NormalForm::of(&exponential(40), Model::Failures, 1 << 40, token)
    });
    assert_eq!((endless.unwrap_err().code, begun), ("interrupted", 10_000));
}
