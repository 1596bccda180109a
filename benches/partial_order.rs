//! The savings by partial order reduction, with and without symmetry: states and seconds, as a
//! Markdown table.
//!
//! `cargo bench --bench partial_order` prints the whole table, with `-- NAME` the rows whose
//! scripts contain NAME. Rows appear as they are done. Each is five ordinary runs of the program,
//! on one thread.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is what this program is for"
)]

use serde_json::Value;

use runs::{NONE, print_row};

#[allow(
    dead_code,
    reason = "refinements of the command line are of no use here"
)]
#[path = "support/runs.rs"]
mod runs;

/// A process of a script, and the claims about it.
struct System {
    script: &'static str,
    constants: &'static str,
    process: &'static str,
    /// The assertions; `_` is the process.
    claims: &'static [&'static str],
}

const fn system(
    [script, constants, process]: [&'static str; 3],
    claims: &'static [&'static str],
) -> System {
    System {
        script,
        constants,
        process,
        claims,
    }
}

const SYSTEMS: &[System] = &[
    system(
        ["cspm/philosophers/philosophers.csp", "N=8", "ASYMMETRIC"],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        ["cspm/philosophers/philosophers.csp", "N=8", "SYSTEM"],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        ["cspm/milner/milner.csp", "N=12", "SYSTEM"],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        ["cspm/milner/milner.csp", "N=12", "SYSTEM \\ {| finish |}"],
        &["ORDER(0) [T= _", "ORDER(0) [F= _", "ORDER(0) [FD= _"],
    ),
    system(
        [
            "cspm/three-tiered/three-tiered.csp",
            "LAYOUT=<3,3,3>",
            "SYSTEM",
        ],
        &["_ :[deadlock free [F]]", "ROUNDS [T= _"],
    ),
    system(
        ["cspm/hypercube/hypercube.csp", "D=3", "SYSTEM"],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        ["cspm/allocator/allocator.csp", "CLASSES=<4,4>", "SYSTEM"],
        &["_ :[deadlock free [F]]", "EXCLUSIVE [T= _", "SPEC [FD= _"],
    ),
    system(
        ["cspm/peterson/peterson.csp", "N=4", "SYSTEM"],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        [
            "cspm/lock-free-queue/lock-free-queue.csp",
            "NODES=4 THREADS=3 VALUES=1",
            "SYSTEM",
        ],
        &["_ :[deadlock free [F]]", "SPEC [T= _"],
    ),
    system(
        ["benches/peers/alloc.csp", "N=6 M=3", "SYSTEM"],
        &["_ :[deadlock free [F]]"],
    ),
    system(
        ["benches/peers/left.csp", "N=8", "SYSTEM"],
        &["_ :[deadlock free [F]]"],
    ),
    system(
        ["benches/peers/dijkstra.csp", "N=4", "SYSTEM"],
        &["_ :[deadlock free [F]]"],
    ),
    system(
        ["benches/peers/hanoi.csp", "N=7 D=6", "SYSTEM"],
        &["_ :[deadlock free [F]]"],
    ),
];

/// The ways to leave out states, with their options.
const WAYS: [(&str, [&str; 4]); 5] = [
    ("none", ["--reduce", "off", "--symmetry", "off"]),
    ("symmetry", ["--reduce", "off", "--symmetry", "auto"]),
    ("partial order", ["--reduce", "po", "--symmetry", "off"]),
    ("both", ["--reduce", "po", "--symmetry", "auto"]),
    ("auto", ["--reduce", "auto", "--symmetry", "off"]),
];

/// The limits of a run, on time and on states, so that memory suffices.
const LIMITS: [&str; 6] = [
    "--timeout",
    "120",
    "--max-states",
    "30000000",
    "--threads",
    "1",
];

fn main() {
    let Some(arguments) = runs::arguments("partial_order") else {
        return;
    };
    let ways = WAYS.map(|(name, _)| name);
    let headings = ["script", "constants", "assertion"].into_iter().chain(ways);
    print_row(&headings.map(str::to_string).collect::<Vec<_>>());
    print_row(&["---", "---", "---", "--:", "--:", "--:", "--:", "--:"].map(str::to_string));
    for system in SYSTEMS {
        if runs::is_wanted(&arguments, system.script) {
            for claim in system.claims {
                print_row(&row(system, claim));
            }
        }
    }
}

/// The states and seconds in each way, with a note if the runs contradict each other.
fn row(system: &System, claim: &str) -> Vec<String> {
    let System {
        script,
        constants,
        process,
        ..
    } = system;
    let shown = claim.replace('_', process);
    let reports = WAYS.map(|(name, options)| {
        let options = [&LIMITS[..], &options].concat();
        let report = runs::asserted([script, process, claim], constants, &options);
        report.unwrap_or_else(|why| {
            eprintln!("{script}, {shown}, {name}: {why}");
            Value::Null
        })
    });
    let verdicts = reports.iter().filter(|report| runs::is_decided(report));
    let mut verdicts: Vec<&Value> = verdicts.map(|report| &report["verdict"]).collect();
    verdicts.dedup();
    if verdicts.len() > 1 {
        eprintln!("{script}, {shown}: reduction changes the verdict, which is a defect");
    }
    let mut cells = [*script, *constants, &shown]
        .map(|cell| format!("`{cell}`"))
        .to_vec();
    cells.extend(reports.iter().map(|report| {
        let states = report["states"]
            .as_u64()
            .filter(|_| runs::is_decided(report));
        match states.zip(report["seconds"]["total"].as_f64()) {
            Some((states, seconds)) => {
                format!("{} in {seconds:.2} s", runs::grouped(&states.to_string()))
            }
            None => NONE.to_string(),
        }
    }));
    cells
}
