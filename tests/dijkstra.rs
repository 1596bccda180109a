//! Counts of a system built by hand: the reachable product of Dijkstra's algorithm and RUN.

#![allow(clippy::print_stdout, reason = "the figures of a long run")]

#[path = "../benches/support/dijkstra.rs"]
mod dijkstra;

use cspsym::cancel::Cancellation;
use cspsym::lts::explore::{LeafLimits, explore};
use cspsym::lts::model::Model;
use cspsym::lts::normal_form::NormalForm;
use cspsym::machine::{CompileOptions, compile};
use cspsym::refine::check::{CheckOptions, CheckResult, Control, Outcome, StopReason, check};

fn run(participants: usize, max_states: Option<u64>, answer: Control) -> CheckResult {
    let mut model = dijkstra::dijkstra(participants);
    let options = CompileOptions {
        limits: LeafLimits::default(),
        minimise: true,
        threads: cspsym::base::threads::Threads::one(),
    };
    let machine =
        compile(&mut model.definitions, model.system, &options).expect("the model is small");
    let visible = explore(&mut model.definitions, model.visible, &options.limits)
        .expect("the model is small");
    let specification = NormalForm::of(&visible.lts, Model::Traces, 1000, Cancellation::never())
        .expect("the model is small");
    let options = CheckOptions {
        max_states,
        ..CheckOptions::default()
    };
    check(&specification, &machine, &options, &mut |_| answer).expect("the model is small")
}

fn check_counts(participants: usize, states: u64) {
    let result = run(participants, None, Control::Continue);
    assert_eq!(result.outcome, Outcome::Holds);
    assert_eq!(
        result.statistics.states, states,
        "{participants} participants"
    );
    // A large search takes at most 28 bytes for each state.
    assert!(states < 1_000_000 || result.statistics.memory_bytes <= 28 * states);
}

#[test]
fn limits_stop_a_search() {
    for most in [1, 100, 11_096] {
        let result = run(3, Some(most), Control::Continue);
        assert_eq!(result.outcome, Outcome::Stopped(StopReason::StateLimit));
        assert_eq!(result.statistics.states, most);
    }
    assert_eq!(
        run(3, Some(11_097), Control::Continue).outcome,
        Outcome::Holds
    );
    let result = run(3, None, Control::Stop);
    assert_eq!(result.outcome, Outcome::Stopped(StopReason::Observer));
}

#[test]
fn small_systems_have_the_expected_states() {
    check_counts(2, 313);
    check_counts(3, 11_097);
}

#[test]
fn four_participants_have_the_expected_states() {
    check_counts(4, 579_733);
}
