//! Cases for the whole program as one script, its answers to the assertions, and how these are
//! read.

use crate::text;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::harness::cspsym;
use crate::oracle::{Event, P, Set, TICK, Termination};

/// The number of cases in one script, because starting the program takes longer than deciding one.
pub(crate) const CASES_IN_SCRIPT: usize = 25;

/// A specification and a process, with the definitions they call.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) definitions: Vec<P>,
    pub(crate) specification: P,
    pub(crate) process: P,
}

/// A specification and a process made of two others.
pub(crate) type Relation = fn(&P, &P) -> (P, P);

pub(crate) fn internal(p: &P, q: &P) -> P {
    P::Internal(vec![p.clone(), q.clone()])
}

pub(crate) fn external(p: &P, q: &P) -> P {
    P::External(vec![p.clone(), q.clone()])
}

/// A source of random choices that depend only on `seed`.
pub(crate) fn runner(seed: usize) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), rng)
}

/// All cases with all `claims` about `SPEC` and `IMPL`, as one script.
pub(crate) fn script<'a>(
    cases: &[Case],
    claims: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    let mut script = "channel a, b, c, d\n".to_string();
    for (i, case) in cases.iter().enumerate() {
        let bodies = case.definitions.iter().enumerate();
        let definitions: Vec<String> = bodies
            .map(|(k, body)| format!("D{k} = {}", text::text(body)))
            .collect();
        for (name, process) in [("SPEC", &case.specification), ("IMPL", &case.process)] {
            let (definitions, process) = (definitions.join("\n    "), text::text(process));
            script += &format!("{name}{i} = let\n    {definitions}\n  within {process}\n");
        }
        for claim in claims.clone() {
            let named = claim.replace("SPEC", &format!("SPEC{i}"));
            script += &format!("assert {}\n", named.replace("IMPL", &format!("IMPL{i}")));
        }
    }
    script
}

/// The ways of deciding that are compared: whichever is sooner, one that compiles nothing,
/// [`SUBSETS`], [`DIVES`] and [`LOCAL`].
pub(crate) const STRATEGIES: [&[&str]; 5] = [&[], &["--strategy=terms"], SUBSETS, DIVES, LOCAL];

/// The way that is for refinements alone: it leaves other questions open.
pub(crate) const SUBSETS: &[&str] = &["--strategy=subsets"];

/// The way that only finds what is wrong: where nothing is, it leaves the question open.
pub(crate) const DIVES: &[&str] = &["--strategy=dive"];

/// The way that only shows that nothing deadlocks.
pub(crate) const LOCAL: &[&str] = &["--strategy=local"];

/// The answers of the program to the `count` assertions of `script`, with the given termination and
/// further arguments. If the program ended early, its messages take the place of the answers.
pub(crate) fn answers(
    script: &str,
    count: usize,
    termination: Termination,
    more: &[&str],
) -> Vec<Value> {
    let termination = format!("--termination={}", termination.name());
    let usual = [
        "check",
        &termination,
        "--format=json",
        "--timeout=300",
        "--max-leaf-states=1000",
        "--max-states=5000",
        "-",
    ];
    let arguments = usual
        .iter()
        .chain(more)
        .map(|argument| argument.to_string());
    let outcome = cspsym(&arguments.collect::<Vec<_>>(), script.as_bytes());
    let lines = outcome.out.lines();
    let mut answers: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    answers.resize(count, Value::from(outcome.err));
    answers
}

/// The verdict; `None` if a limit leaves it open.
pub(crate) fn verdict(answer: &Value) -> Result<Option<bool>, String> {
    match answer["verdict"].as_str() {
        Some("pass") => Ok(Some(true)),
        Some("fail") => Ok(Some(false)),
        _ if is_too_large(answer) => Ok(None),
        _ => Err(answer.to_string()),
    }
}

fn is_too_large(answer: &Value) -> bool {
    let message = answer["message"].as_str().unwrap_or("");
    let codes = [
        "state-limit:",
        "large-specification:",
        "large-process:",
        "growing-process:",
        "too-many-rules:",
        // Determinism in failures may need a normal form.
        "strategy-inapplicable:",
        // A dive that finds nothing decides nothing.
        "strategy-in-vain:",
    ];
    let is_open = answer["verdict"].as_str() == Some("unknown");
    is_open && codes.iter().any(|code| message.starts_with(code))
}

/// The events in a list of the report.
pub(crate) fn events(list: &Value) -> Vec<Event> {
    let names = list.as_array().into_iter().flatten();
    names.filter_map(Value::as_str).map(number).collect()
}

/// The event with this name.
pub(crate) fn number(name: &str) -> Event {
    match name {
        "✓" => TICK,
        _ => (2..6)
            .find(|&e| text::set(&Set::from([e])) == format!("{{{name}}}"))
            .unwrap(),
    }
}
