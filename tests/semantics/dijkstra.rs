//! Counts of a system built by hand: the reachable product of Dijkstra's algorithm and RUN.

#[path = "../../benches/support/dijkstra.rs"]
mod family;

use base::cancel::Cancellation;
use lts::explore::{LeafLimits, explore};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile};
use refine::check::{CheckOptions, CheckResult, Outcome, ProgressSink, StopReason, check};

fn run(participants: usize, options: &CheckOptions) -> CheckResult {
    let mut model = family::dijkstra(participants);
    let compile_options = CompileOptions::new(LeafLimits::default());
    let machine = compile(&mut model.definitions, model.system, &compile_options)
        .expect("the model is small");
    let visible = explore(
        &mut model.definitions,
        model.visible,
        &compile_options.limits,
    )
    .expect("the model is small");
    let specification = NormalForm::of(&visible.lts, Model::Traces, 1000, Cancellation::never())
        .expect("the model is small");
    check(&specification, &machine, options).expect("the model is small")
}

fn check_counts(participants: usize, states: u64) {
    let result = run(participants, &CheckOptions::default());
    assert_eq!(result.outcome, Outcome::Holds);
    assert_eq!(
        result.statistics.states, states,
        "{participants} participants"
    );
    // A large search takes at most 28 bytes for each state.
    assert!(states < 1_000_000 || result.statistics.memory_bytes <= 28 * states);
}

fn at_most(states: u64) -> CheckOptions {
    CheckOptions {
        max_states: Some(states),
        ..CheckOptions::default()
    }
}

#[test]
fn limits_stop_a_search() {
    for most in [1, 100, 11_096] {
        let result = run(3, &at_most(most));
        assert_eq!(result.outcome, Outcome::Stopped(StopReason::StateLimit));
        assert_eq!(result.statistics.states, most);
    }
    assert_eq!(run(3, &at_most(11_097)).outcome, Outcome::Holds);
    // The listener to the progress ends the work.
    let cancellation = Cancellation::new();
    let ended = cancellation.clone();
    let options = CheckOptions {
        cancellation,
        progress: ProgressSink::new(move |_| ended.cancel()),
        ..CheckOptions::default()
    };
    let result = run(3, &options);
    assert_eq!(result.outcome, Outcome::Stopped(StopReason::Cancelled));
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
