//! The time to replay a long counterexample of a system whose parts are compressed: every step of
//! it is found again on the terms, with the internal steps that compression took away.

use checker::{Options, Script, Symmetries, Task};

/// Bits that a counter sets in turn, each with an internal step after each change. The counter
/// violates its specification when it has counted to the end.
const BITS: &str = "
transparent wbisim
N = 12
channel set : {0..N - 1}.{0, 1}
channel settle : {0..N - 1}
channel overflow
power(i) = if i == 0 then 1 else 2 * power(i - 1)
bit(n, i) = (n / power(i)) % 2
BIT(i, b) = set.i.b -> settle.i -> BIT(i, 1 - b)
COUNTER(n) = if n == power(N) - 1 then overflow -> STOP else CARRY(n, 0)
CARRY(n, i) = set.i!bit(n, i) -> (if bit(n, i) == 1 then CARRY(n, i + 1) else COUNTER(n + 1))
";

/// The system with the process `bit` as each bit.
fn system(bit: &str) -> String {
    let parts = "(||| i : {0..N - 1} @ PART(i)) [| {| set |} |] COUNTER(0)";
    format!("{BITS}PART(i) = {bit}\nassert RUN({{| set |}}) [T= {parts}\n")
}

fn main() {
    let bits = [
        (
            "each hides an event of its own",
            "wbisim(BIT(i, 0) \\ {settle.i})",
        ),
        (
            "all hide one event",
            "wbisim(BIT(i, 0)[[settle.j <- settle.0 | j <- {0..N - 1}]] \\ {settle.0})",
        ),
    ];
    for (name, bit) in bits {
        let script = Script::parse("replay.csp", &system(bit)).expect("it is a script");
        let options = Options {
            symmetries: Symmetries::Off,
            profile: true,
            ..Options::default()
        };
        let report = script.check(0, &options, &Task::default()).report;
        let found = report.counterexample.expect("it overflows");
        let rows = report.profile.expect("it was asked for");
        let replays = rows.iter().filter(|row| row.work == "replay");
        print_time(
            name,
            found.trace_with_taus.len(),
            replays.map(|row| row.seconds).sum(),
        );
    }
}

#[allow(clippy::print_stdout, reason = "that is what a bench is for")]
fn print_time(name: &str, steps: usize, seconds: f64) {
    println!("{name}: {steps} steps in {seconds:.3} s");
}
