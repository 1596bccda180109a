//! The speed of deciding determinism, in states per second, for compressed components that run side
//! by side: without and with symmetry.

use checker::{Options, Script, Symmetries, Task};
use symmetry::choice::Algorithm;

/// Cells that go round between three places, with an internal step on the way that compression
/// keeps: it makes a choice that the environment sees.
fn cells(count: usize) -> String {
    format!(
        "transparent sbisim
ID = {{1..{count}}}
channel go, rest, back : ID
channel settle : ID
CELL(i) = go.i -> settle.i -> (rest.i -> CELL(i) [] back.i -> CELL(i))
assert ||| i : ID @ sbisim(CELL(i) \\ {{settle.i}}) :[deterministic [FD]]
"
    )
}

fn main() {
    for count in [8, 10, 12] {
        measure(count, None, Symmetries::Off);
    }
    for count in [8, 10, 12, 16] {
        measure(count, Some(Algorithm::SymCheck2), Symmetries::Found);
    }
}

fn measure(count: usize, algorithm: Option<Algorithm>, symmetries: Symmetries) {
    let script = Script::parse("cells.csp", &cells(count)).expect("it is a script");
    let options = Options {
        algorithm,
        symmetries,
        profile: true,
        ..Options::default()
    };
    let report = script.check(0, &options, &Task::default()).report;
    assert!(report.counterexample.is_none(), "it is deterministic");
    let states = report.states.expect("it was searched");
    let seconds = report.seconds.explore;
    let how = match algorithm {
        None => "without symmetry",
        Some(_) => "with symmetry",
    };
    print_rate(&format!("{count} cells, {how}"), states, seconds);
}

#[allow(clippy::print_stdout, reason = "that is what a bench is for")]
fn print_rate(what: &str, states: u64, seconds: f64) {
    let rate = states as f64 / seconds;
    println!("{what}: {states} states in {seconds:.3} s, {rate:.0} a second");
}
