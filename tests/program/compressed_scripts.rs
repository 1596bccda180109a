//! Every assertion of the scripts keeps its verdict when its processes are compressed.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use testkit::depth::cases;

use serde_json::Value;

use crate::harness::directives::parse;
use crate::harness::{cspsym, in_parallel, root, scripts};

/// Compressions that keep the meaning in every model, written as functions around a process.
const KEEPING: [&str; 9] = [
    "sbisim",
    "wbisim",
    "dbisim",
    "tau_loop_factor",
    "diamond",
    "normal",
    "lazynorm",
    "model_compress",
    "sbisim(diamond",
];

/// The compressions that keep every step, for processes below a priority: the effect of a priority
/// depends on the τ that are possible.
const KEEPING_STEPS: [&str; 3] = ["sbisim", "explicate", "lazyenumerate"];

/// The most states of a system. Larger ones are left out, to save time.
static STATES: LazyLock<u64> = LazyLock::new(|| cases(100, 3000));
/// The number of states below which a system is compressed in every way, and others in one way.
static SMALL: LazyLock<u64> = LazyLock::new(|| cases(8, 200));

/// The codes of messages about processes that are too large.
const TOO_LARGE: [&str; 3] = ["state-limit:", "large-specification:", "growing-process:"];

/// A decided assertion of a script, without its `not`.
struct Assertion {
    /// `refinement`, or the name of the property.
    kind: String,
    model: String,
    /// The left side of a refinement; `None` for a property.
    specification: Option<String>,
    process: String,
    /// The text behind the process: a property, or options.
    rest: String,
    holds: bool,
    /// The number of states visited.
    states: u64,
}

impl Assertion {
    /// Reads an assertion from a report; `None` if it was not decided, or is large.
    fn of(report: &Value) -> Option<Self> {
        let (verdict, states) = (report["verdict"].as_str()?, report["states"].as_u64()?);
        let holds = (verdict == "pass") != (report["negated"] == true);
        if !["pass", "fail"].contains(&verdict) || states >= *STATES {
            return None;
        }
        let text = report["assertion"].as_str()?;
        let (kind, model) = (report["kind"].as_str()?, report["model"].as_str()?);
        let sides = text.split_once(&format!(" [{model}= "));
        let (specification, right) = match sides {
            Some((left, right)) if kind == "refinement" => (Some(left.to_string()), right),
            _ => (None, text),
        };
        let end = right.find(" :[").unwrap_or(right.len());
        let (process, rest) = right.split_at(end);
        Some(Self {
            kind: kind.to_string(),
            model: model.to_string(),
            specification,
            process: process.to_string(),
            rest: rest.to_string(),
            holds,
            states,
        })
    }

    /// The compressions to try on assertion `number`.
    fn compressions(&self, number: usize) -> &'static [&'static str] {
        match number % KEEPING.len() {
            _ if self.rest.contains("tau priority") => &KEEPING_STEPS,
            _ if self.states < *SMALL => &KEEPING,
            one => &KEEPING[one..=one],
        }
    }

    /// The assertion about the compressed process.
    fn compressed(&self, by: &str) -> String {
        // A compression around the whole would be left out; beside `SKIP` it is not, and the
        // process is the same.
        let process = format!("({} ||| SKIP)", compressed(by, &self.process));
        match &self.specification {
            Some(left) => {
                let (left, model) = (compressed(by, left), &self.model);
                format!("assert {left} [{model}= {process}{}\n", self.rest)
            }
            None => format!("assert {process}{}\n", self.rest),
        }
    }
}

/// The process in one compression, or in two, written `outer(inner`.
fn compressed(by: &str, process: &str) -> String {
    let names = by.replace('(', ", ");
    let closing = ")".repeat(1 + by.matches('(').count());
    format!("(let transparent {names} within {by}({process}{closing})")
}

fn reports(arguments: &[&str], input: &str) -> Vec<Value> {
    // A compressed process beside `SKIP` has at most a few times as many states.
    let limit = (10 * *STATES).to_string();
    let leaves = cases(500, 5000).to_string();
    let fixed = [
        "check",
        "--symmetry",
        "off",
        "--format",
        "json",
        "--timeout",
        "300",
        "--max-leaf-states",
        &leaves,
        "--max-states",
        &limit,
    ];
    let arguments: Vec<String> = fixed
        .iter()
        .chain(arguments)
        .map(ToString::to_string)
        .collect();
    let outcome = cspsym(&arguments, input.as_bytes());
    let lines = outcome.out.lines().map(serde_json::from_str);
    let reports: Result<Vec<Value>, _> = lines.collect();
    reports.unwrap_or_else(|error| panic!("{error}\n{}", outcome.err))
}

/// The constants of the first quick run on a script that has a long run too, if that run sets
/// nothing else; none for other scripts.
fn smaller_instance(text: &str) -> Vec<String> {
    let runs = parse(text, None).unwrap_or_default();
    if !runs.iter().any(|run| run.long) {
        return Vec::new();
    }
    let quick = runs.into_iter().find(|run| !run.long);
    let arguments = quick.map(|run| run.arguments).unwrap_or_default();
    match arguments.iter().step_by(2).all(|word| word == "-D") {
        true => arguments,
        false => Vec::new(),
    }
}

/// The number of comparisons for each kind of assertion and model, and the differing verdicts.
fn compared(file: &str) -> (BTreeMap<(String, String), usize>, Vec<String>) {
    let mut text = std::fs::read_to_string(root().join(file)).unwrap();
    let smaller = smaller_instance(&text);
    let smaller: Vec<&str> = smaller.iter().map(String::as_str).collect();
    let plain = reports(&[&[file], &smaller[..]].concat(), "");
    let assertions: Vec<Assertion> = plain.iter().filter_map(Assertion::of).collect();
    // The changed script comes in by standard input, so from another folder.
    text = text.replace("../../specs/", "specs/");
    text.push('\n');
    let mut expected = Vec::new();
    for (number, assertion) in assertions.iter().enumerate() {
        for by in assertion.compressions(number) {
            let added = assertion.compressed(by);
            text.push_str(&added);
            expected.push((assertion, added));
        }
    }
    let found = reports(&[&["-"], &smaller[..]].concat(), &text);
    let (mut counts, mut problems) = (BTreeMap::new(), Vec::new());
    if found.len() != plain.len() + expected.len() {
        problems.push(format!("{file}: {} reports", found.len()));
    }
    for ((assertion, added), report) in expected.iter().zip(found.iter().skip(plain.len())) {
        let verdict = report["verdict"].as_str().unwrap_or("none");
        let message = report["message"].as_str().unwrap_or("");
        // A plain check that fails early does not list the whole system; a compression does.
        if TOO_LARGE.iter().any(|code| message.starts_with(code)) {
            continue;
        }
        if verdict != if assertion.holds { "pass" } else { "fail" } {
            problems.push(format!("{file}: {verdict} {message}: {added}"));
        }
        let key = (assertion.kind.clone(), assertion.model.clone());
        *counts.entry(key).or_default() += 1;
    }
    (counts, problems)
}

#[test]
fn assertions_have_the_same_verdicts_when_compressed() {
    let mut files = scripts("cspm");
    // Scripts of labs include others of their folder, which are not beside the changed one.
    files.retain(|file| !file.contains("/labs/"));
    let shipped = files.len();
    for folder in ["failures", "compression"] {
        files.extend(scripts(&format!("tests/scripts/{folder}")));
    }
    assert!(shipped > 25 && files.len() > shipped);
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for (some, found) in in_parallel(&files, |file| compared(file)) {
        for (key, count) in some {
            *counts.entry(key).or_default() += count;
        }
        problems.extend(found);
    }
    println!("{counts:?}");
    assert!(
        problems.is_empty(),
        "{} differ\n{}",
        problems.len(),
        problems.join("\n")
    );
    for (kind, model, least) in [
        ("refinement", "T", 500),
        ("refinement", "F", 100),
        ("refinement", "FD", 100),
        ("deadlock free", "F", 100),
        ("divergence free", "FD", 50),
        ("deterministic", "FD", 20),
    ] {
        let count = counts.get(&(kind.to_string(), model.to_string()));
        assert!(count >= Some(&least), "{kind} in {model}: {count:?}");
    }
}
