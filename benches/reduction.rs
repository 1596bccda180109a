//! The savings by symmetry on each family of `cspm/`: states and seconds without and with it, as a
//! Markdown table.
//!
//! `cargo bench --bench reduction` prints the whole table, `cargo bench --bench reduction -- NAME`
//! the rows of the families whose names contain NAME. Rows appear as they are done. Each is an
//! ordinary run of the program.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the table is what this program is for"
)]

use std::path::Path;

use serde_json::Value;

use runs::{NONE, print_row};

#[allow(dead_code, reason = "assertions about a process are of no use here")]
#[path = "support/runs.rs"]
mod runs;

/// A family in `cspm/`.
struct Family {
    /// The name of its folder, which is that of its script too unless a script is named behind `/`.
    name: &'static str,
    /// The specification of its `SYSTEM`.
    specification: &'static str,
    /// The constants of each row, with spaces between them.
    sizes: &'static [&'static str],
}

/// A family that is checked against its `SPEC`.
const fn family(name: &'static str, sizes: &'static [&'static str]) -> Family {
    Family {
        name,
        specification: "SPEC",
        sizes,
    }
}

/// The sizes of the paper on TopSPIN.
const LAYOUTS: &[&str] = &[
    "LAYOUT=<3,3>",
    "LAYOUT=<4,4>",
    "LAYOUT=<3,3,3>",
    "LAYOUT=<4,4,4>",
];
const CLASSES: &[&str] = &[
    "CLASSES=<3,3>",
    "CLASSES=<4,4>",
    "CLASSES=<5,5>",
    "CLASSES=<4,4,4>",
    "CLASSES=<5,5,5>",
];

/// All families with sizes at which symmetry matters, those of the papers by their sizes there.
const FAMILIES: &[Family] = &[
    family("three-tiered", LAYOUTS),
    family("allocator", CLASSES),
    // Against its `SPEC`, most of the time is that of the specification.
    Family {
        name: "allocator",
        specification: "RUN({| request, grant, release |})",
        sizes: &["CLASSES=<5,5,5>"],
    },
    // The normal form of its `SPEC` grows with the square of the corners and the messages.
    Family {
        name: "hypercube",
        specification: "RUN({| send, deliver |})",
        sizes: &["D=3", "D=4", "D=5"],
    },
    // The systems of the paper on TopSPIN at its own sizes, of which it explores all states.
    Family {
        name: "three-tiered/queued",
        specification: "RUN({| think, ask, work, answer |})",
        sizes: LAYOUTS,
    },
    Family {
        name: "allocator/queued",
        specification: "RUN({| request, take, start, finish, release |})",
        sizes: CLASSES,
    },
    Family {
        name: "hypercube/busy",
        specification: "RUN({| send, deliver |})",
        sizes: &["D=3", "D=4", "D=5"],
    },
    // Its `SPEC` is refuted on purpose.
    Family {
        name: "hanoi",
        specification: "RUN(Events)",
        sizes: &["POLES=4 DISCS=6", "POLES=5 DISCS=6", "POLES=7 DISCS=7"],
    },
    family("dijkstra", &["N=3", "N=4", "N=5", "N=6"]),
    family("peterson", &["N=3", "N=4"]),
    family("philosophers", &["N=5", "N=7"]),
    family("token-ring", &["N=5", "N=8"]),
    family("milner", &["N=5", "N=8"]),
    family(
        "queue",
        &[
            "NODES=2 THREADS=2 VALUES=2",
            "NODES=3 THREADS=2 VALUES=2",
            "NODES=4 THREADS=2 VALUES=2",
        ],
    ),
    family("abp", &["VALUES=3", "VALUES=6"]),
    family("print-shop", &["N=4", "N=6"]),
    family("workshop", &["N=4 TOOLS=3 KINDS=2", "N=5 TOOLS=3 KINDS=3"]),
    family("readers-writers", &["N=4 WRITERS=2", "N=6 WRITERS=3"]),
    family(
        "load-balancer",
        &[
            "CLIENTS=2 BALANCERS=2 SERVERS=2",
            "CLIENTS=3 BALANCERS=2 SERVERS=3",
        ],
    ),
    family("colouring", &["N=3", "N=4"]),
    family("election-complete", &["N=5", "N=8", "N=12", "N=15"]),
    family("election-tree", &["N=7", "N=11"]),
    family("election-ring", &["N=5", "N=6"]),
    family("token-circulation", &["N=3", "N=5"]),
    family(
        "golfers",
        &["GROUPS=2 SIZE=2 WEEKS=2", "GROUPS=2 SIZE=2 WEEKS=3"],
    ),
    family(
        "lock-free-queue",
        &["NODES=4 THREADS=3 VALUES=1", "NODES=6 THREADS=3 VALUES=1"],
    ),
    family("fischer", &["N=6", "N=10", "N=20", "N=30"]),
    family(
        "csma-cd",
        &[
            "SIGMA=1 LAMBDA=31 N=6",
            "SIGMA=1 LAMBDA=31 N=10",
            "SIGMA=1 LAMBDA=31 N=20",
            "SIGMA=1 LAMBDA=31 N=30",
        ],
    ),
    family("shared-resource", &["N=6", "N=10", "N=20", "N=30"]),
    family("leader", &["N=6", "N=10", "N=20", "N=30"]),
];

/// The headings of the table.
const HEADINGS: [&str; 9] = [
    "system",
    "constants",
    "order of the group",
    "structure",
    "states without",
    "states with",
    "seconds without",
    "seconds with",
    "representative",
];

/// The limits of a run, on time and on states, so that memory suffices.
const LIMITS: [&str; 4] = ["--timeout", "120", "--max-states", "30000000"];

fn main() {
    let Some(arguments) = runs::arguments("reduction") else {
        return;
    };
    print_row(&HEADINGS.map(str::to_string));
    print_row(
        &[
            "---", "---", "--:", "---", "--:", "--:", "--:", "--:", "---",
        ]
        .map(str::to_string),
    );
    let wanted = |family: &&Family| runs::is_wanted(&arguments, family.name);
    for family in FAMILIES.iter().filter(wanted) {
        let name = family.name;
        let script = match name.contains('/') {
            true => format!("cspm/{name}.csp"),
            false => format!("cspm/{name}/{name}.csp"),
        };
        if !Path::new(env!("CARGO_MANIFEST_DIR")).join(&script).exists() {
            eprintln!("{name} is left out: there is no {script}");
            continue;
        }
        let rows = family.sizes.iter();
        for row in rows.filter_map(|constants| row(family, &script, constants)) {
            print_row(&row);
        }
    }
}

/// The row of one size; `None`, with a note, if the script has no such constants or the runs
/// contradict each other.
fn row(family: &Family, script: &str, constants: &str) -> Option<[String; HEADINGS.len()]> {
    let name = family.name;
    let reports = [&["--symmetry", "off"][..], &[]].map(|options| {
        let options = [&LIMITS[..], options].concat();
        let refinement = [family.specification, "SYSTEM"];
        let report = runs::refine(refinement, script, constants, &options);
        report.inspect_err(|why| eprintln!("{name} {constants} is left out: {why}"))
    });
    let [Ok(without), Ok(with)] = reports else {
        return None;
    };
    if runs::is_decided(&without)
        && runs::is_decided(&with)
        && without["verdict"] != with["verdict"]
    {
        eprintln!("{name} {constants}: symmetry changes the verdict, which is a defect");
        return None;
    }
    let number = |report: &Value, cell: fn(&Value) -> Option<String>| {
        let cell = runs::is_decided(report).then(|| cell(report)).flatten();
        cell.unwrap_or(NONE.to_string())
    };
    let states = |report: &Value| {
        report["states"]
            .as_u64()
            .map(|count| runs::grouped(&count.to_string()))
    };
    let seconds = |report: &Value| {
        report["seconds"]["total"]
            .as_f64()
            .map(|s| format!("{s:.2}"))
    };
    let text = |value: &Value| value.as_str().unwrap_or(NONE).to_string();
    Some([
        name.to_string(),
        format!("`{constants}`").replace("``", ""),
        text(&with["symmetry"]["order"]),
        text(&with["symmetry"]["structure"]),
        number(&without, states),
        number(&with, states),
        number(&without, seconds),
        number(&with, seconds),
        text(&with["representative"]),
    ])
}
