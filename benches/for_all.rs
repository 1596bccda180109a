//! The costs of deciding a family of `cspm/` for every number of processes, and of single instances
//! beside it, as two Markdown tables.
//!
//! `cargo bench --bench for_all` prints both, `cargo bench --bench for_all -- NAME` the rows of the
//! families whose names contain NAME. Rows appear as they are done. Each is an ordinary run of the
//! program. The last column of the second table is a ratio: the time of an instance, divided by
//! that of all instances together.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tables are what this program is for"
)]

use std::collections::HashMap;

use serde_json::Value;

use runs::{NONE, print_row};

#[allow(dead_code, reason = "assertions about a process are of no use here")]
#[path = "support/runs.rs"]
mod runs;

/// A refinement of a script in `cspm/` that holds for every value of a constant.
struct Family {
    /// The script, without `cspm/` and `.csp`.
    script: &'static str,
    specification: &'static str,
    implementation: &'static str,
    /// The number of processes.
    constant: &'static str,
    /// Other constants, with spaces between them.
    constants: &'static str,
    /// The sizes of single instances, as far as they are decided in seconds.
    sizes: &'static [u32],
}

/// A family with the constant `N`, whose other constants have their values in the script.
const fn family(
    script: &'static str,
    specification: &'static str,
    implementation: &'static str,
    sizes: &'static [u32],
) -> Family {
    Family {
        script,
        specification,
        implementation,
        constant: "N",
        constants: "",
        sizes,
    }
}

const FAMILIES: &[Family] = &[
    family("fischer/fischer", "SPEC", "FISCHER", &[10, 20, 30]),
    Family {
        constants: "DELTA=2 EPSILON=3",
        ..family("fischer/fischer", "SPEC", "FISCHER", &[10])
    },
    family("fischer/fischer", "SPEC", "LEAN", &[10, 20, 30]),
    family("csma-cd/csma-cd", "SPEC", "CSMA_CD", &[10, 20]),
    Family {
        constants: "SIGMA=1 LAMBDA=31",
        ..family("csma-cd/csma-cd", "SPEC", "CSMA_CD", &[10, 20, 30])
    },
    family("csma-cd/csma-cd", "SPEC", "LEAN", &[10, 20, 30]),
    family("dijkstra/dijkstra", "SpecME", "DIJKSTRA", &[3, 4, 5]),
    family("dijkstra/dijkstra", "SpecME", "DIJKSTRA_L", &[3, 4, 5]),
    Family {
        constant: "WRITERS",
        ..family(
            "readers-writers/readers-writers",
            "SPEC",
            "SYSTEM",
            &[10, 20, 30],
        )
    },
    family(
        "shared-resource/shared-resource",
        "SPEC",
        "LOCKS",
        &[10, 20, 30],
    ),
    family("shared-resource/shared-resource", "SPEC", "DOORS", &[5, 10]),
    family(
        "shared-resource/shared-resource",
        "PAIRS",
        "LOCKS",
        &[5, 10, 20],
    ),
    family("leader/leader", "EACH", "REGISTER", &[10, 20, 30]),
    family("leader/leader", "EACH", "VOTES", &[5, 10]),
    family("cache-coherence/msi", "SPEC", "MSI", &[10, 20, 30]),
    family("cache-coherence/german", "SPEC", "GERMAN", &[5, 6, 7]),
];

/// The headings of the first table.
const ALL: [&str; 7] = [
    "refinement",
    "for all",
    "identities in sight",
    "joined",
    "views",
    "joins",
    "seconds",
];

/// The headings of the second table.
const INSTANCES: [&str; 6] = [
    "refinement",
    "instance",
    "states with symmetry",
    "order of the group",
    "seconds",
    "times all N",
];

/// The time after which a run is given up.
const SECONDS: &str = "60";

/// The number of runs of which the smallest time counts.
const RUNS: usize = 3;

fn main() {
    let Some(arguments) = runs::arguments("for_all") else {
        return;
    };
    let wanted = |family: &&Family| runs::is_wanted(&arguments, family.script);
    let families: Vec<&Family> = FAMILIES.iter().filter(wanted).collect();
    print_headings(&ALL);
    let mut seconds = HashMap::new();
    for (number, family) in families.iter().enumerate() {
        if let Some(taken) = print_all(family) {
            seconds.insert(number, taken);
        }
    }
    println!();
    print_headings(&INSTANCES);
    for (number, family) in families.iter().enumerate() {
        for &size in family.sizes {
            print_instance(family, size, seconds.get(&number).copied());
        }
    }
}

/// The row of all instances together, and the seconds they take.
fn print_all(family: &Family) -> Option<f64> {
    let (report, seconds) = quickest(family, &["--for-all", family.constant])?;
    let all = &report["for_all"];
    if report["verdict"] != "pass" || all["views"].is_null() {
        eprintln!("{} is not decided by views", family.text());
        return None;
    }
    print_row(&[
        family.text(),
        format!("`{}`", family.constant),
        text(&all["in_sight"]),
        text(&all["joined"]),
        text(&all["views"]),
        text(&all["joins"]),
        format!("{seconds:.3}"),
    ]);
    Some(seconds)
}

/// The row of one instance; `all` is the time in seconds of all of them together.
fn print_instance(family: &Family, size: u32, all: Option<f64>) {
    let instance = format!("{}={size}", family.constant);
    let Some((report, seconds)) = quickest(family, &["-D", &instance]) else {
        return;
    };
    if report["verdict"] == "fail" {
        eprintln!("{}: {instance} fails, which is a defect", family.text());
        return;
    }
    let is_done = report["verdict"] == "pass";
    let done = |text: String| if is_done { text } else { NONE.to_string() };
    let ratio = all.map_or(NONE.to_string(), |all| format!("{:.1}", seconds / all));
    print_row(&[
        family.text(),
        format!("`{instance}`"),
        done(text(&report["states"])),
        text(&report["symmetry"]["order"]),
        done(format!("{seconds:.3}")),
        done(ratio),
    ]);
}

impl Family {
    /// The refinement as the table shows it.
    fn text(&self) -> String {
        let refinement = format!("`{} [T= {}`", self.specification, self.implementation);
        let constants = match self.constants {
            "" => String::new(),
            constants => format!(", `{constants}`"),
        };
        format!("{}: {refinement}{constants}", self.script)
    }

    /// The report of the program about it with these options, or the reason why there is none.
    fn run(&self, options: &[&str]) -> Result<Value, String> {
        let refinement = [self.specification, self.implementation];
        let script = format!("cspm/{}.csp", self.script);
        let options = [&["--timeout", SECONDS][..], options].concat();
        runs::refine(refinement, &script, self.constants, &options)
    }
}

/// A report, and the smallest time in seconds of several runs.
fn quickest(family: &Family, options: &[&str]) -> Option<(Value, f64)> {
    let mut best: Option<(Value, f64)> = None;
    for _ in 0..RUNS {
        let report = match family.run(options) {
            Ok(report) => report,
            Err(why) => {
                eprintln!("{} is left out: {why}", family.text());
                return None;
            }
        };
        let seconds = report["seconds"]["total"].as_f64().unwrap_or(0.0);
        let is_undecided = report["verdict"] == "unknown";
        if best.as_ref().is_none_or(|&(_, least)| seconds < least) {
            best = Some((report, seconds));
        }
        if is_undecided {
            break;
        }
    }
    best
}

fn print_headings(headings: &[&str]) {
    print_row(
        &headings
            .iter()
            .map(|text| text.to_string())
            .collect::<Vec<_>>(),
    );
    let rules = headings.iter().map(|&heading| match heading {
        "refinement" | "for all" | "instance" => "---".to_string(),
        _ => "--:".to_string(),
    });
    print_row(&rules.collect::<Vec<_>>());
}

/// A number with its digits in groups of three: `55,022,303`; the order of a group is a text.
fn text(value: &Value) -> String {
    let digits = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return NONE.to_string(),
    };
    if digits.len() > 12 {
        return format!("{}.{}e{}", &digits[..1], &digits[1..2], digits.len() - 1);
    }
    runs::grouped(&digits)
}
