//! Runs of the program, and rows of a Markdown table of them.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The cell of a table without a number: the run took too long or too much.
pub(crate) const NONE: &str = "–";

/// The arguments after the name of the bench `name`; `None`, with a note, if this is no bench.
pub(crate) fn arguments(name: &str) -> Option<Vec<String>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says `--bench` for `cargo bench` only: tests of all targets start this program too.
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    arguments.retain(|argument| !argument.starts_with("--"));
    if !is_bench {
        println!("start it by: cargo bench --bench {name}");
    }
    is_bench.then_some(arguments)
}

/// True if `name` is to be measured: it contains one of the arguments, or there are none.
pub(crate) fn is_wanted(arguments: &[String], name: &str) -> bool {
    arguments.is_empty() || arguments.iter().any(|part| name.contains(part))
}

/// The report of `cspsym refine` about `implementation`, with constants such as `N=3` between
/// spaces, or the reason why there is none.
pub(crate) fn refine(
    [specification, implementation]: [&str; 2],
    script: &str,
    constants: &str,
    options: &[&str],
) -> Result<Value, String> {
    let question = ["refine", specification, implementation, script];
    reported(&question, constants, options)
}

/// The report of `cspsym check` about a claim on a process of a script, or the reason why there is
/// none. `_` in the claim is the process.
pub(crate) fn asserted(
    [script, process, claim]: [&str; 3],
    constants: &str,
    options: &[&str],
) -> Result<Value, String> {
    let root = env!("CARGO_MANIFEST_DIR");
    // The name tells the claim from those that the script makes.
    let claim = claim.replace('_', "ASKED_PROCESS");
    let text = format!("include \"{root}/{script}\"\nASKED_PROCESS = {process}\nassert {claim}\n");
    let file = std::env::temp_dir().join(format!("cspsym-bench-{}.csp", std::process::id()));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let name = file.to_string_lossy();
    let question = ["check", &name, "--assertion", "ASKED_PROCESS"];
    let report = reported(&question, constants, options);
    std::fs::remove_file(&file).map_err(|error| error.to_string())?;
    report
}

/// The report of the program, with constants such as `N=3`, or the reason why there is none.
fn reported(question: &[&str], constants: &str, options: &[&str]) -> Result<Value, String> {
    let constants = constants.split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(question)
        .args(["--format", "json"])
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

/// True if a report has a verdict that counts.
pub(crate) fn is_decided(report: &Value) -> bool {
    matches!(report["verdict"].as_str(), Some("pass" | "fail"))
}

/// Prints a row.
pub(crate) fn print_row(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
    // A table that is piped into a file grows with each row too.
    let _ = std::io::stdout().flush();
}

/// Digits in groups of three: `55,022,303`.
pub(crate) fn grouped(digits: &str) -> String {
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join(",")
}
