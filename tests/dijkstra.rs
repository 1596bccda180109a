//! Counts of a system built by hand: the reachable product of Dijkstra's algorithm and RUN.

#[path = "../benches/support/dijkstra.rs"]
mod dijkstra;

use cspsym::lts::explore::{LeafLimits, explore};
use cspsym::lts::normal_form::NormalForm;
use cspsym::machine::{CompileOptions, compile};
use cspsym::refine::check::{CheckOptions, Control, Outcome, check};

fn check_counts(participants: usize, states: u64) {
    let mut model = dijkstra::dijkstra(participants);
    let options = CompileOptions { limits: LeafLimits::default(), minimise: true };
    let machine = compile(&mut model.definitions, model.system, &options).unwrap();
    let visible = explore(&mut model.definitions, model.visible, &options.limits).unwrap();
    let specification = NormalForm::of(&visible.lts, 1000).unwrap();
    let started = std::time::Instant::now();
    let options = CheckOptions { max_states: None };
    let result = check(&specification, &machine, &options, &mut |_| Control::Continue).unwrap();
    eprintln!("{result:?} {:?}", started.elapsed());
    assert_eq!(result.outcome, Outcome::Holds);
    assert_eq!(result.statistics.states, states, "{participants} participants");
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

#[test]
#[ignore = "large"]
fn five_participants_have_the_expected_states() {
    check_counts(5, 55_022_303);
}
