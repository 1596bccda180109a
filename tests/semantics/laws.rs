//! The laws of CSP in every model, decided by the program on scripts with random processes in them.

use crate::generate;
use crate::program;
use crate::text;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use std::sync::LazyLock;
use testkit::depth::cases;

use crate::harness::in_parallel;
use crate::oracle::Termination;

/// The number of random scripts for each law and each kind of termination.
static CASES: LazyLock<usize> = LazyLock::new(|| cases(16, 320));

/// The rounds of as many scripts in which a law is refuted where it does not hold.
const ROUNDS: usize = 4;

/// The number of scripts for each law in the long test, in which all laws together have more than
/// 100,000 instances.
const MANY: usize = 160;

/// Traces, stable failures, failures–divergences; revivals and refusal testing without and with
/// divergences.
const MODELS: [&str; 7] = ["T", "F", "FD", "V", "VD", "R", "RD"];

/// The models that see no more than failures and divergences, and not the events after a rest.
const COARSE: [&str; 3] = ["T", "F", "FD"];

/// Two processes over the random processes `P`, `Q` and `R` and the random sets of events `X` and
/// `Y`, and the models in which they have equal meanings.
pub(crate) struct Law {
    name: &'static str,
    left: &'static str,
    right: &'static str,
    /// The models in which the law holds; empty for all models.
    only_in: &'static [&'static str],
    /// The models in which it holds if ✓ is a signal, if these differ; `all` stands for all.
    as_signal: &'static [&'static str],
}

impl Law {
    fn holds_in(&self, model: &str, termination: Termination) -> bool {
        let models = match termination {
            Termination::Signal if !self.as_signal.is_empty() => self.as_signal,
            _ => self.only_in,
        };
        models.is_empty() || models.contains(&"all") || models.contains(&model)
    }
}

/// Defines laws. Each line becomes a test and a [`Law`]: both sides have equal meanings for all
/// processes and sets. A law that does not hold in every model names those in which it does, and
/// must be refuted in the others. `signal` names the models if ✓ is a signal and these differ.
macro_rules! laws {
    ($($name:ident: $left:literal == $right:literal $(in $($model:ident),+)? $(signal $($other:ident),+)?;)+) => {
        /// The laws of this file.
        pub(super) const LAWS: &[crate::laws::Law] = &[$(crate::laws::Law {
            name: stringify!($name),
            left: $left,
            right: $right,
            only_in: &[$($(stringify!($model)),+)?],
            as_signal: &[$($(stringify!($other)),+)?],
        }),+];

        $(#[test]
        fn $name() {
            let law = LAWS.iter().find(|law| law.name == stringify!($name));
            crate::laws::hold_exactly_where_said(law.unwrap());
        })+
    };
}

#[path = "law_tables/mod.rs"]
mod law_tables;

/// Tests every law on other random processes than its own test does, and on many more.
#[test]
#[ignore = "the same as the others on many more cases"]
fn a_hundred_thousand_instances_hold() {
    let laws: Vec<(usize, &Law)> = law_tables::all().enumerate().collect();
    let found = in_parallel(&laws, |(number, law)| {
        let mut models = MODELS.to_vec();
        models.retain(|model| Termination::BOTH.iter().any(|&t| law.holds_in(model, t)));
        let mut decided = 0;
        for start in (0..MANY).step_by(*CASES) {
            let definitions = definitions([*number, start], *CASES);
            let pairs = [(law.left, law.right), (law.right, law.left)];
            for (model, termination, all) in verdicts(&models, &pairs, &definitions) {
                if !law.holds_in(model, termination) {
                    continue;
                }
                decided += all.len();
                let refuted = shortest_refuted(&all);
                assert!(
                    refuted.is_none(),
                    "{} in {model}, {termination:?}: {}",
                    law.name,
                    refuted.unwrap()
                );
            }
        }
        decided
    });
    let decided: usize = found.iter().sum();
    println!("{} laws, {decided} instances", laws.len());
    assert!(decided >= 100_000, "only {decided} instances are small");
}

/// Tests that the right side has no behaviour that the left side lacks, in any model or in those
/// that see no more than failures and divergences.
#[test]
fn refinements_hold() {
    let definitions = definitions([0; 2], *CASES);
    for (left, right) in [
        ("P |~| Q", "P"),
        ("P |~| Q", "P [] Q"),
        ("P |~| Q", "P [> Q"),
        ("P [> Q", "Q"),
        ("CHAOS(X)", "RUN(X)"),
        ("STOP |~| P", "P"),
        (r"(P |~| Q) /\ R", r"P /\ R"),
        ("P [+ X +] P", "P"),
        (r"(P \ X) |~| STOP", r"P \ X"),
        ("f$x -> P", "f?x -> P"),
        ("f$x -> P", "f!0 -> P"),
    ] {
        refines_in(&MODELS, left, right, &definitions);
    }
    for (left, right) in [
        ("P [> Q", "P [] Q"),
        ("CHAOS(Events) |~| SKIP", "SKIP ||| CHAOS(X)"),
    ] {
        refines_in(&COARSE, left, right, &definitions);
    }
}

fn refines_in(models: &[&'static str], left: &str, right: &str, definitions: &[String]) {
    for (model, termination, all) in verdicts(models, &[(left, right)], definitions) {
        let refuted = shortest_refuted(&all);
        assert!(
            refuted.is_none(),
            "[{model}=, {termination:?}, in {}",
            refuted.unwrap()
        );
        assert!(all.len() > *CASES / 2, "only {} are small", all.len());
    }
}

/// Formulas that look like laws and are none must be refuted, or the tests above say nothing.
#[test]
fn false_laws_are_refuted() {
    let definitions = definitions([0; 2], 2 * *CASES);
    for (left, right) in [
        ("P [] Q", "P"),
        ("P ; Q", "Q ; P"),
        (r"P \ X", "P"),
        ("P ||| P", "P"),
        (r"P /\ Q", r"Q /\ P"),
        ("P [| X |] Q", "P ||| Q"),
        ("P [X || Y] Q", "P [Y || X] Q"),
        ("P [a <-> b] Q", "P ||| Q"),
        ("P[[a <- b]]", "P"),
        ("P [| X |> Q", "P"),
        ("P [+ X +] Q", "P [] Q"),
        (r"P /+ X +\ Q", r"P /\ Q"),
        ("P [> Q", "Q"),
        (r"P /\ P", "P"),
        ("P [| X |] (Q [| Y |] R)", "(P [| X |] Q) [| Y |] R"),
        (
            "(P [| {a} |] Q)[[a <- b]]",
            "P[[a <- b]] [| {b} |] Q[[a <- b]]",
        ),
        (r"(P [| X |] Q) \ X", r"(P \ X) [| X |] (Q \ X)"),
        ("(P [| X |> Q) [| Y |> R", "P [| X |> (Q [| Y |> R)"),
        ("(P ||| Q) ; R", "(P ; R) ||| Q"),
        (
            "let L = a -> L |~| (b -> L |~| P) within L",
            "(let L = a -> L |~| P within L) |~| (let L = b -> L |~| P within L)",
        ),
    ] {
        let pairs = [(left, right), (right, left)];
        for (model, termination, verdicts) in verdicts(&MODELS, &pairs, &definitions) {
            let refuted = verdicts.iter().filter(|(_, holds)| !holds).count();
            assert!(
                refuted > *CASES / 10,
                "{left} == {right} in {model}, {termination:?}: {refuted}"
            );
        }
    }
}

/// Asserts that both sides have equal meanings exactly in the models of the law.
fn hold_exactly_where_said(law: &Law) {
    let definitions = definitions([0; 2], ROUNDS * *CASES);
    let pairs = [(law.left, law.right), (law.right, law.left)];
    let both = |model| Termination::BOTH.map(|termination| (model, termination));
    let mut unrefuted: Vec<(&str, Termination)> = MODELS.into_iter().flat_map(both).collect();
    unrefuted.retain(|&(model, termination)| !law.holds_in(model, termination));
    for some in definitions.chunks(*CASES) {
        for (model, termination, all) in verdicts(&MODELS, &pairs, some) {
            if let Some(script) = shortest_refuted(&all) {
                let holds = law.holds_in(model, termination);
                assert!(!holds, "not in {model}, {termination:?}: {script}");
                unrefuted.retain(|semantics| *semantics != (model, termination));
            }
            assert!(all.len() > *CASES / 2, "only {} are small", all.len());
        }
        if unrefuted.is_empty() {
            break;
        }
    }
    assert!(unrefuted.is_empty(), "never refuted in {unrefuted:?}");
}

/// The shortest of the scripts in which a claim does not hold.
fn shortest_refuted<'a>(all: &[(&'a str, bool)]) -> Option<&'a str> {
    let refuted = all.iter().filter(|(_, holds)| !holds);
    refuted
        .map(|(script, _)| *script)
        .min_by_key(|script| script.len())
}

/// The definitions in one model, with one kind of termination. Each has true if all pairs refine.
type Verdicts<'a> = (&'static str, Termination, Vec<(&'a str, bool)>);

/// For each model with each kind of termination the definitions, each with true if all `pairs`
/// refine, the specification on the left. Definitions with a pair that is too large are left out.
fn verdicts<'a>(
    models: &[&'static str],
    pairs: &[(&str, &str)],
    definitions: &'a [String],
) -> Vec<Verdicts<'a>> {
    let mut script =
        "channel a, b, c, d, e\nchannel f : {0, 1}\nchannel g : {0, 1}.{0, 1}\n".to_string();
    for (i, definitions) in definitions.iter().enumerate() {
        for (k, (left, right)) in pairs.iter().enumerate() {
            for (name, process) in [("LEFT", left), ("RIGHT", right)] {
                script += &format!("{name}{k}_{i} = let{definitions}\n  within ({process})\n");
            }
        }
        // Models that follow each other share the compiled processes.
        for model in models {
            for k in 0..pairs.len() {
                script += &format!("assert LEFT{k}_{i} [{model}= RIGHT{k}_{i}\n");
            }
        }
    }
    let mut found = Vec::new();
    for termination in Termination::BOTH {
        let count = definitions.len() * models.len() * pairs.len();
        let answers = program::answers(&script, count, termination, &[]);
        for (m, model) in models.iter().enumerate() {
            let of_model = answers.chunks(pairs.len()).skip(m).step_by(models.len());
            let cases = definitions.iter().zip(of_model);
            let verdict = |(script, answers): (&'a String, &[Value])| {
                Some((script.as_str(), all_hold(answers)?))
            };
            found.push((*model, termination, cases.filter_map(verdict).collect()));
        }
    }
    found
}

/// True if all answers are that the claim holds; `None` if one is too large.
fn all_hold(answers: &[Value]) -> Option<bool> {
    let holds = |answer| program::verdict(answer).unwrap();
    let each: Option<Vec<bool>> = answers.iter().map(holds).collect();
    Some(each?.iter().all(|holds| *holds))
}

/// Random definitions of the names in laws, each in a line of its own. They depend only on `seed`.
fn definitions(seed: [usize; 2], count: usize) -> Vec<String> {
    let bytes: Vec<u8> = seed.iter().flat_map(|part| part.to_le_bytes()).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[bytes.as_slice(); 2].concat());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (process, set) = (generate::process, generate::set);
    let cases = (generate::system(), process(), process(), set(), set());
    let script = |_| {
        let ((definitions, p), q, r, x, y) = cases.new_tree(&mut runner).unwrap().current();
        let mut lines = String::new();
        for (i, body) in definitions.iter().enumerate() {
            lines += &format!("\n    D{i} = {}", text::text(body));
        }
        for (name, process) in [("P", &p), ("Q", &q), ("R", &r)] {
            lines += &format!("\n    {name} = {}", text::text(process));
        }
        lines + &format!("\n    X = {}\n    Y = {}", text::set(&x), text::set(&y))
    };
    (0..count).map(script).collect()
}
