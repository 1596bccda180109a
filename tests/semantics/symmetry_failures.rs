//! Failures, divergences and properties under symmetry: on random symmetric systems, every
//! algorithm agrees with plain search.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::harness::in_parallel;
use crate::symmetry_systems::case::{Case, run};
use testkit::depth::cases;

/// The number of systems.
static SYSTEMS: LazyLock<usize> = LazyLock::new(|| cases(60, 120));

const CONFIGURATIONS: [&[&str]; 4] = [
    &[],
    &["--algorithm", "symcheck2"],
    &["--algorithm", "symcheck3"],
    &["--fix-initial"],
];

/// Assertions in which refusals or divergences count. Hidden, the systems diverge wherever they
/// could go on.
fn assertions(case: &Case) -> String {
    let mut text = String::new();
    for specification in &case.specifications {
        let number = specification.number;
        text += &format!("assert SPEC{number} [F= IMPL\nassert SPEC{number} [FD= IMPL\n");
        text += &format!("assert SPEC{number} |~| DIV [F= IMPL\n");
        text += &format!("assert CHAOS(Events) [FD= IMPL |~| SPEC{number}\n");
    }
    text + "assert IMPL :[deadlock free]\nassert IMPL :[deadlock free [FD]]\n"
        + "assert IMPL \\ Events :[divergence free]\nassert IMPL \\ Events :[deadlock free [FD]]\n"
}

/// The part of a report that must not depend on symmetry: the verdict, and the number of levels to
/// a violation. The violation itself may differ.
fn essence(report: &Value) -> (&str, Option<u64>) {
    let verdict = report["verdict"].as_str().unwrap_or("none");
    let levels = report["levels"].as_u64().filter(|_| verdict == "fail");
    (verdict, levels)
}

/// The key under which reports with components in normal form are counted.
const NORMAL: &str = "normal";

/// True if components were put into normal form for the sake of symmetries.
fn has_normal_components(report: &Value) -> bool {
    let remarks = report["remarks"].as_array().into_iter().flatten();
    let mut remarks = remarks.filter_map(Value::as_str);
    remarks.any(|remark| remark.contains("normal form"))
}

#[test]
fn algorithms_agree_on_failures_and_divergences() {
    let seeds: Vec<usize> = (0..*SYSTEMS).collect();
    let tallies = in_parallel(&seeds, |&seed| {
        let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
        let case = Case::random(seed);
        let script = format!("{}{}", case.script, assertions(&case));
        let plain = run(&script, &["--symmetry", "off"]);
        for arguments in CONFIGURATIONS {
            for (report, plain) in run(&script, arguments).iter().zip(&plain) {
                let message = report["message"].as_str().unwrap_or("");
                if message.starts_with("algorithm-inapplicable:") {
                    continue;
                }
                let (found, mut expected) = (essence(report), essence(plain));
                // Normal forms have other τ, so that a violation is on another level.
                if has_normal_components(report) {
                    expected.1 = found.1;
                    let kind = (NORMAL.to_string(), found.0.to_string());
                    *kinds.entry(kind).or_default() += 1;
                }
                assert_eq!(
                    found, expected,
                    "system {seed}: {report}\n{plain}\n{script}"
                );
                assert!(["pass", "fail"].contains(&found.0), "{report}\n{script}");
                let algorithm = report["algorithm"].as_str().unwrap_or("none");
                let kind = report["counterexample"]["kind"].as_str().unwrap_or("none");
                let kind = (algorithm.to_string(), kind.to_string());
                *kinds.entry(kind).or_default() += 1;
            }
        }
        Some(kinds)
    });
    let mut kinds: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (kind, count) in tallies.into_iter().flatten().flatten() {
        *kinds.entry(kind).or_default() += count;
    }
    println!("{kinds:?}");
    for verdict in ["pass", "fail"] {
        let count = kinds.get(&(NORMAL.to_string(), verdict.to_string()));
        assert!(count > Some(&1), "{count:?} with normal forms: {verdict}");
    }
    for algorithm in ["SymCheck1", "SymCheck2", "SymCheck3"] {
        for kind in ["none", "trace", "refusal", "deadlock", "divergence"] {
            // With a specification that symmetries move, divergences are rare.
            let count = kinds.get(&(algorithm.to_string(), kind.to_string()));
            let least = if kind == "divergence" { 1 } else { 5 };
            assert!(count >= Some(&least), "{algorithm}: {count:?} of {kind}");
        }
    }
}

/// Questions of determinism. A choice between two equal processes is deterministic if they are, and
/// has states at rest that only behave alike; if events are hidden, τ leads to them.
fn determinism(case: &Case) -> String {
    let mut text = case.script.clone();
    for process in [
        "IMPL",
        "IMPL |~| IMPL",
        "IMPL [] IMPL",
        "IMPL [> IMPL",
        "IMPL ; IMPL",
        "diamond(IMPL) |~| diamond(IMPL)",
    ] {
        text += &format!("assert {process} :[deterministic [F]]\n");
        text += &format!("assert {process} :[deterministic [FD]]\n");
    }
    format!("transparent diamond\n{text}")
}

#[test]
fn algorithms_agree_on_determinism() {
    let seeds: Vec<usize> = (0..*SYSTEMS).collect();
    let tallies = in_parallel(&seeds, |&seed| {
        let mut verdicts: BTreeMap<(bool, String), usize> = BTreeMap::new();
        let script = determinism(&Case::random(seed));
        // In `[F]` a process that never comes to rest may need a normal form of exponential size.
        let decided = |arguments: &[&str]| {
            let limits = ["--max-states", "20000", "--max-leaf-states", "1000"];
            run(&script, &[arguments, &limits].concat())
        };
        let plain = decided(&["--symmetry", "off"]);
        for arguments in CONFIGURATIONS {
            for (report, plain) in decided(arguments).iter().zip(&plain) {
                let message = report["message"].as_str().unwrap_or("");
                let is_refused = message.starts_with("algorithm-inapplicable:");
                if is_refused || [report, plain].iter().any(|r| r["verdict"] == "unknown") {
                    continue;
                }
                let [found, expected] = [report, plain].map(|report| {
                    let trace = report["counterexample"]["trace"].as_array().map(Vec::len);
                    (report["verdict"].as_str(), trace)
                });
                assert_eq!(
                    found, expected,
                    "system {seed}: {report}\n{plain}\n{script}"
                );
                let is_reduced = report["symmetry"].is_object();
                let verdict = found.0.unwrap_or("none").to_string();
                *verdicts.entry((is_reduced, verdict)).or_default() += 1;
            }
        }
        Some(verdicts)
    });
    let mut verdicts: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for (verdict, count) in tallies.into_iter().flatten().flatten() {
        *verdicts.entry(verdict).or_default() += count;
    }
    println!("{verdicts:?}");
    for kind in [(true, "pass"), (false, "pass"), (false, "fail")] {
        let count = verdicts.get(&(kind.0, kind.1.to_string()));
        assert!(count >= Some(&100), "{count:?} of {kind:?}");
    }
}
