//! What it takes to decide a family of `cspm/` for every number of processes, and to decide single
//! instances beside it: two Markdown tables.
//!
//! `cargo bench --bench for_all` prints both, `cargo bench --bench for_all -- NAME` the rows of the
//! families whose names contain NAME. Rows appear as they are done. Each is a run of the program as
//! anyone would start it. The last column of the second table is a ratio: how many times as long
//! an instance takes as all of them together.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the tables are what this program is for"
)]

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

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

/// A family with the constant `N`, whose other constants are as in the script.
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
    family("leader/leader", "EACH", "REGISTER", &[10, 20, 30]),
    family("leader/leader", "EACH", "VOTES", &[5, 10]),
    family("cache-coherence/msi", "SPEC", "MSI", &[10, 20, 30]),
    family("cache-coherence/german", "SPEC", "GERMAN", &[5, 6, 7]),
];

/// What the columns of the first table say.
const ALL: [&str; 7] = [
    "refinement",
    "for all",
    "identities in sight",
    "joined",
    "views",
    "joins",
    "seconds",
];

/// What the columns of the second table say.
const INSTANCES: [&str; 6] = [
    "refinement",
    "instance",
    "states with symmetry",
    "order of the group",
    "seconds",
    "times all N",
];

/// Where there is no number: the run took too long or too much.
const NONE: &str = "–";

/// A run that takes longer is given up.
const SECONDS: &str = "60";

/// Each number of seconds is the smallest of so many runs.
const RUNS: usize = 3;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says `--bench` for `cargo bench` only: tests of all targets start this program too.
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    arguments.retain(|argument| !argument.starts_with("--"));
    if !is_bench {
        println!("start it by: cargo bench --bench for_all");
        return;
    }
    let wanted = |family: &&Family| {
        arguments.is_empty() || arguments.iter().any(|part| family.script.contains(part))
    };
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

/// The row of all instances together, and how many seconds they take.
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

/// The row of one instance; `all` is how many seconds all of them together take.
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
    /// The refinement as a table says it.
    fn text(&self) -> String {
        let refinement = format!("`{} [T= {}`", self.specification, self.implementation);
        let constants = match self.constants {
            "" => String::new(),
            constants => format!(", `{constants}`"),
        };
        format!("{}: {refinement}{constants}", self.script)
    }

    /// What the program reports about it with these options, or why it does not.
    fn run(&self, options: &[&str]) -> Result<Value, String> {
        let constants = self.constants.split_whitespace();
        let output = Command::new(env!("CARGO_BIN_EXE_cspsym"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["refine", self.specification, self.implementation])
            .arg(format!("cspm/{}.csp", self.script))
            .args(["--format", "json", "--timeout", SECONDS])
            .args(constants.flat_map(|constant| ["-D", constant]))
            .args(options)
            .stderr(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let report: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        match report["verdict"].as_str() {
            Some("error") | None => Err(report["message"].to_string()),
            Some(_) => Ok(report),
        }
    }
}

/// A report, and the smallest number of seconds that several runs took.
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
        // The total of a decision for all is that of no single search.
        let parts = ["load", "compile", "symmetry", "explore"];
        let parts = parts.map(|part| report["seconds"][part].as_f64().unwrap_or(0.0));
        let seconds: f64 = parts.iter().sum();
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

fn print_row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
    // A table that is piped into a file grows with each row too.
    let _ = std::io::stdout().flush();
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
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join(",")
}
