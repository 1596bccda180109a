//! Partial order reduction changes no verdict: on random processes beside each other, on random
//! symmetric systems with and without symmetry, and on all shipped scripts.

use crate::generate;
use crate::program;
use crate::text;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use testkit::depth::cases;

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use serde_json::Value;

use crate::harness::{cspsym, in_parallel, scripts};
use crate::oracle::Termination;
use crate::symmetry_systems::case::Case;

/// The number of scripts of random processes for each kind of termination, with 20 systems each.
static SCRIPTS: LazyLock<usize> = LazyLock::new(|| cases(5, 25));

/// The number of symmetric systems.
static SYSTEMS: LazyLock<usize> = LazyLock::new(|| cases(20, 100));

/// The claims about each system.
const CLAIMS: [&str; 7] = [
    "SPEC [T= IMPL",
    "SPEC [F= IMPL",
    "SPEC [FD= IMPL",
    "IMPL :[deadlock free [F]]",
    "IMPL :[deadlock free [FD]]",
    "IMPL :[divergence free]",
    "IMPL :[has trace [F]]: <a, b>",
];

/// The options for reduction: without symmetry, and with all that there is.
const CONFIGURATIONS: [&[&str]; 2] = [
    &["--reduce", "po", "--symmetry", "off"],
    &["--reduce", "po"],
];

/// The number of questions with this verdict, and the numbers of states without and with reduction.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    questions: usize,
    all: u64,
    reduced: u64,
}

#[test]
fn random_processes_have_the_same_verdicts() {
    compare_processes(0, *SCRIPTS);
}

/// This takes some hours in a release build on two threads.
#[test]
#[ignore = "the same as above on many more processes"]
fn many_random_processes_have_the_same_verdicts() {
    compare_processes(*SCRIPTS, 1500);
}

#[test]
fn reduction_is_not_tried_beside_large_specifications() {
    let script = "M = 3\nchannel a\nchannel x : {0..7}.{0..3}\n\
                  COUNT(n) = n < M - 1 & a -> COUNT(n + 1)\n\
                  P(i, n) = n < 4 & x.i.n -> P(i, n + 1)\n\
                  assert COUNT(0) [T= (||| i : {0..7} @ P(i, 0)) \\ {| x |}\n";
    for (states, effort, met) in [
        ("5000", Value::from("precise"), 1),
        ("5001", Value::Null, 390_625),
    ] {
        let size = format!("M={states}");
        let report = reports(
            script,
            &["-D", &size, "--reduce", "auto", "--symmetry", "off"],
        )
        .remove(0);
        assert_eq!(report["partial_order"], effort, "{report}");
        assert_eq!(report["states"], met, "{report}");
        assert_eq!(
            report["remarks"],
            Value::from(Vec::<Value>::new()),
            "{report}"
        );
    }
}

fn compare_processes(first: usize, scripts: usize) {
    for termination in Termination::BOTH {
        let option = format!("--termination={}", termination.name());
        let seeds: Vec<usize> = (first..first + scripts).collect();
        let tallies = in_parallel(&seeds, |&seed| {
            Some(compared(&composed(seed), &[&option], &CONFIGURATIONS[..1]))
        });
        let tallies = summed(tallies.into_iter().flatten());
        println!("{termination:?}: {tallies:?}");
        assert_telling(&tallies);
    }
}

#[test]
fn random_symmetric_systems_have_the_same_verdicts() {
    compare_symmetric(0, *SYSTEMS);
}

/// This takes a quarter of an hour in a release build.
#[test]
#[ignore = "the same as above on many more systems"]
fn many_random_symmetric_systems_have_the_same_verdicts() {
    compare_symmetric(*SYSTEMS, 2000);
}

fn compare_symmetric(first: usize, systems: usize) {
    let seeds: Vec<usize> = (first..first + systems).collect();
    let tallies = in_parallel(&seeds, |&seed| {
        let case = Case::random(seed);
        let mut script = case.script.clone();
        for specification in &case.specifications {
            for claim in &CLAIMS[..3] {
                let name = format!("SPEC{}", specification.number);
                script += &format!("assert {}\n", claim.replace("SPEC", &name));
            }
        }
        script += "assert IMPL :[deadlock free [F]]\nassert IMPL :[deadlock free [FD]]\n";
        script += "assert IMPL \\ Events :[divergence free]\n";
        Some(compared(&script, &[], &CONFIGURATIONS))
    });
    let tallies = summed(tallies.into_iter().flatten());
    println!("{tallies:?}");
    assert_telling(&tallies);
}

#[test]
fn shipped_scripts_have_the_same_verdicts() {
    let files = scripts("cspm");
    let tallies = in_parallel(&files, |file| {
        let script = format!("include \"{}/{file}\"\n", env!("CARGO_MANIFEST_DIR"));
        Some(compared(&script, &["--max-states=100000"], &CONFIGURATIONS))
    });
    let tallies = summed(tallies.into_iter().flatten());
    println!("{tallies:?}");
    assert_telling(&tallies);
}

#[test]
fn reduction_that_does_not_pay_is_left_out_and_that_is_said() {
    let options = "check cspm/philosophers/philosophers.csp -D N=7 --assertion 1 \
                   --symmetry off --stats";
    let arguments: Vec<String> = options.split_whitespace().map(str::to_string).collect();
    let output = cspsym(&arguments, &[]);
    let said = "tried in vain  reduced breadth first: ";
    assert!(output.out.contains(said), "{}", output.out);
    assert!(
        output.out.contains("states         86,437 "),
        "{}",
        output.out
    );
}

/// A script with systems of three random processes beside each other, and claims about them.
fn composed(seed: usize) -> String {
    let mut runner = program::runner(seed);
    let strategy = (
        generate::system(),
        vec(generate::process(), 3),
        vec(0..16usize, 3),
        0..5usize,
    );
    let set = |bits: usize| {
        let events = ["a", "b", "c", "d"].iter().enumerate();
        let events = events.filter(|(number, _)| bits & 1 << number != 0);
        let events: Vec<&str> = events.map(|(_, &event)| event).collect();
        format!("{{{}}}", events.join(", "))
    };
    let mut script = "channel a, b, c, d\n".to_string();
    for number in 0..20 {
        let tree = strategy.new_tree(&mut runner).unwrap();
        let ((definitions, first), others, sets, kind) = tree.current();
        let definitions: String = definitions
            .iter()
            .enumerate()
            .map(|(k, body)| format!("    D{k} = {}\n", text::text(body)))
            .collect();
        let within = |body: String| format!("let\n{definitions}  within {body}\n");
        let [second, third, other] = [0, 1, 2].map(|k| text::text(&others[k]));
        let [shared, further, hidden] = [0, 1, 2].map(|k| set(sets[k]));
        let first = text::text(&first);
        let together =
            format!("(({first} [| {shared} |] {second}) [| {further} |] {third}) \\ {hidden}");
        let specification = match kind {
            0 => other,
            1 => format!("({other} |~| IMPL{number})"),
            2 => format!("(({second} [| {shared} |] {first}) ||| {third}) \\ {hidden}"),
            3 => format!("({first} [| {shared} |] {third}) \\ {hidden}"),
            _ => "CHAOS({a, b, c})".to_string(),
        };
        script += &format!("IMPL{number} = {}", within(together));
        script += &format!("SPEC{number} = {}", within(specification));
        for claim in CLAIMS {
            let named = claim.replace("SPEC", &format!("SPEC{number}"));
            let named = named.replace("IMPL", &format!("IMPL{number}"));
            script += &format!("assert {named}\n");
        }
    }
    script
}

/// Compares the verdicts of `script` with those in each configuration. Questions that are not
/// decided without reduction do not count.
fn compared(
    script: &str,
    arguments: &[&str],
    configurations: &[&[&str]],
) -> BTreeMap<String, Tally> {
    let plain = &["--reduce", "off", "--symmetry", "off"];
    let plain = reports(script, &[arguments, plain].concat());
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for configuration in configurations {
        let reduced = reports(script, &[arguments, configuration].concat());
        assert_eq!(reduced.len(), plain.len(), "{script}");
        for (report, plain) in reduced.iter().zip(&plain) {
            let verdict = plain["verdict"].as_str().unwrap_or("none").to_string();
            if !["pass", "fail"].contains(&&verdict[..]) {
                continue;
            }
            let place = || format!("{configuration:?}\n{report}\n{plain}\n{script}");
            assert_eq!(report["verdict"], plain["verdict"], "{}", place());
            let states = |report: &Value| report["states"].as_u64().unwrap_or(0);
            // A trace that is found ends the search, wherever it is met.
            if verdict == "pass" && plain["kind"] != "has trace" {
                assert!(states(report) <= states(plain), "{}", place());
            }
            let tally = tallies.entry(verdict).or_default();
            tally.questions += 1;
            tally.all += states(plain);
            tally.reduced += states(report);
        }
    }
    tallies
}

fn reports(script: &str, arguments: &[&str]) -> Vec<Value> {
    let fixed = ["check", "-", "--format=json", "--max-leaf-states=20000"];
    let arguments = [&fixed, arguments].concat();
    let arguments: Vec<String> = arguments.iter().map(|&a| a.to_string()).collect();
    let outcome = cspsym(&arguments, script.as_bytes());
    let lines = outcome.out.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}\n{script}")))
        .filter(|report: &Value| report["assertion"].is_string())
        .collect()
}

fn summed(tallies: impl Iterator<Item = BTreeMap<String, Tally>>) -> BTreeMap<String, Tally> {
    let mut sums: BTreeMap<String, Tally> = BTreeMap::new();
    for (verdict, tally) in tallies.flatten() {
        let sum = sums.entry(verdict).or_default();
        sum.questions += tally.questions;
        sum.all += tally.all;
        sum.reduced += tally.reduced;
    }
    sums
}

/// Asserts that both verdicts are frequent, and that the searches were reduced.
fn assert_telling(tallies: &BTreeMap<String, Tally>) {
    let questions: usize = tallies.values().map(|tally| tally.questions).sum();
    for verdict in ["pass", "fail"] {
        assert!(tallies[verdict].questions * 6 > questions, "{tallies:?}");
    }
    assert!(tallies["pass"].reduced < tallies["pass"].all, "{tallies:?}");
}
