//! The laws of CSP in every model, decided by the program on scripts with random processes in them.

#![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

#[path = "common/generate.rs"]
mod generate;
#[allow(dead_code, reason = "laws are decided one after the other")]
mod harness;
#[allow(dead_code, reason = "only its processes are of use here")]
mod oracle;
#[path = "common/text.rs"]
mod text;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use harness::cspsym;

/// How many random scripts each law is tried on.
const CASES: usize = if cfg!(debug_assertions) { 10 } else { 40 };

/// Traces, stable failures, failures–divergences.
const MODELS: [&str; 3] = ["T", "F", "FD"];

/// Each line becomes a test: both sides mean the same, whatever the processes `P`, `Q` and `R` and the sets of
/// events `X` and `Y` are. What does not hold in every model names those in which it does, and must be refuted in
/// the others.
macro_rules! laws {
    ($($name:ident: $left:literal == $right:literal $(in $($model:ident),+)?;)+) => {$(
        #[test]
        fn $name() {
            let models: &[&str] = &[$($(stringify!($model)),+)?];
            hold_exactly_in(if models.is_empty() { &MODELS } else { models }, $left, $right);
        }
    )+};
}

laws! {
    div_is_stop: "DIV" == "STOP" in T;
    run_offers_each_event: "RUN(X)" == "[] x : X @ x -> RUN(X)";
    chaos_has_the_traces_of_run: "CHAOS(Y)" == "RUN(Y)" in T;
    chaos_may_refuse_each_event: "CHAOS(X)" == "STOP |~| ([] x : X @ x -> CHAOS(X))";
    chaos_is_the_least_that_neither_ends_nor_diverges: "CHAOS(Events) |~| (P ; STOP)" == "CHAOS(Events)" in T, F;
    guard_true: "true & P" == "P";
    guard_false: "false & P" == "STOP";

    external_choice_commutes: "P [] Q" == "Q [] P";
    external_choice_associates: "P [] (Q [] R)" == "(P [] Q) [] R";
    external_choice_is_idempotent: "P [] P" == "P";
    external_choice_unit: "P [] STOP" == "P";
    external_choice_distributes: "P [] (Q |~| R)" == "(P [] Q) |~| (P [] R)";
    external_choice_of_one_event_is_internal: "a -> P [] a -> Q" == "a -> (P |~| Q)";
    external_choice_with_div: "P [] DIV" == "DIV" in FD;
    internal_choice_has_the_traces_of_external: "P |~| Q" == "P [] Q" in T;
    internal_choice_commutes: "P |~| Q" == "Q |~| P";
    internal_choice_associates: "P |~| (Q |~| R)" == "(P |~| Q) |~| R";
    internal_choice_is_idempotent: "P |~| P" == "P";
    internal_choice_distributes_over_external: "P |~| (Q [] R)" == "(P |~| Q) [] (P |~| R)";
    internal_choice_zero: "P |~| DIV" == "DIV" in FD;
    internal_choice_unit: "P |~| DIV" == "P" in T, F;
    prefix_distributes: "a -> (P |~| Q)" == "(a -> P) |~| (a -> Q)";

    sliding_choice_has_the_traces_of_external: "P [> Q" == "P [] Q" in T;
    sliding_choice_is_defined: "P [> Q" == "(P |~| STOP) [] Q";
    sliding_choice_is_idempotent: "P [> P" == "P";
    sliding_choice_associates: "P [> (Q [> R)" == "(P [> Q) [> R";
    sliding_choice_of_external: "P [> (Q [> R)" == "(P [] Q) [> R";
    sliding_choice_left_unit: "STOP [> P" == "P";
    sliding_choice_distributes_left: "(P |~| Q) [> R" == "(P [> R) |~| (Q [> R)";
    sliding_choice_distributes_right: "P [> (Q |~| R)" == "(P [> Q) |~| (P [> R)";
    sliding_choice_of_one_event: "(a -> P) [> (a -> Q)" == "a -> (P |~| Q)";
    sliding_choice_to_div: "P [> DIV" == "DIV" in FD;
    termination_is_a_signal: "P [] SKIP" == "P [> SKIP";

    parallel_commutes: "P [| X |] Q" == "Q [| X |] P";
    parallel_associates: "P [| X |] (Q [| X |] R)" == "(P [| X |] Q) [| X |] R";
    parallel_distributes: "P [| X |] (Q |~| R)" == "(P [| X |] Q) |~| (P [| X |] R)";
    parallel_distributes_over_external: "P [| X |] (Q [] R)" == "(P [| X |] Q) [] (P [| X |] R)" in T;
    parallel_steps_together: "(a -> P) [| {a} |] (a -> Q)" == "a -> (P [| {a} |] Q)";
    parallel_deadlocks: "(a -> P) [| {a, b} |] (b -> Q)" == "STOP";
    parallel_with_run: "P [| Events |] RUN(Events)" == "P ; STOP";
    parallel_with_itself: "P [| Events |] P" == "P" in T;
    parallel_with_div: "P [| X |] DIV" == "DIV" in FD;
    replicated_parallel: "[| X |] i : {1..2} @ P" == "P [| X |] P";
    parallel_terminates_together: "SKIP [| X |] SKIP" == "SKIP";
    parallel_waits_for_termination: "STOP [| X |] SKIP" == "STOP";
    terminated_operand_blocks: "(a -> P) [| {a} |] SKIP" == "STOP";
    terminated_operand_lets_go_on: "(b -> P) [| {a} |] SKIP" == "b -> (P [| {a} |] SKIP)";
    operand_that_can_terminate_may_do_nothing_else: "(a -> P [] SKIP) ||| Q" == "(a -> P [> SKIP) ||| Q";

    interleaving_commutes: "P ||| Q" == "Q ||| P";
    interleaving_associates: "P ||| (Q ||| R)" == "(P ||| Q) ||| R";
    interleaving_distributes: "P ||| (Q |~| R)" == "(P ||| Q) |~| (P ||| R)";
    interleaving_unit: "P ||| SKIP" == "P";
    interleaving_with_stop: "P ||| STOP" == "P ; STOP";
    interleaving_with_div: "P ||| DIV" == "DIV" in FD;
    interleaving_synchronises_on_nothing: "P ||| Q" == "P [| {} |] Q";
    interleaving_steps: "(a -> P) ||| (b -> Q)" == "a -> (P ||| (b -> Q)) [] b -> ((a -> P) ||| Q)";

    alphabetised_commutes: "P [X || Y] Q" == "Q [Y || X] P";
    alphabetised_distributes: "P [X || Y] (Q |~| R)" == "(P [X || Y] Q) |~| (P [X || Y] R)";
    alphabetised_as_parallel: "P [X || Y] Q"
        == "(P [| diff(Events, X) |] SKIP) [| inter(X, Y) |] (Q [| diff(Events, Y) |] SKIP)";
    replicated_alphabetised: "|| (A, p) : {(X, 1), (Y, 2)} @ [A] (if p == 1 then P else Q)" == "P [X || Y] Q";

    linked_swaps: "P [a <-> b] Q" == "Q [b <-> a] P";
    linked_distributes: "P [a <-> b] (Q |~| R)" == "(P [a <-> b] Q) |~| (P [a <-> b] R)";
    linked_steps_are_hidden: "(a -> P) [a <-> b] (b -> Q)" == "P [a <-> b] Q";
    linked_as_parallel: "P [a <-> b] Q" == r"(P[[a <- e]] [| {e} |] Q[[b <- e]]) \ {e}";
    linked_buffers_are_longer: "BUFFER(1, {(a, b)}) [b <-> a] BUFFER(1, {(a, b)})" == "BUFFER(2, {(a, b)})";

    hiding_nothing: r"P \ {}" == "P";
    hiding_twice: r"(P \ X) \ Y" == r"P \ union(X, Y)";
    hidden_step: r"(a -> P) \ {a}" == r"P \ {a}";
    visible_step: r"(b -> P) \ {a}" == r"b -> (P \ {a})";
    hidden_choice: r"(a -> P [] b -> Q) \ {a}" == r"(P \ {a}) |~| ((P \ {a}) [] b -> (Q \ {a}))";
    hidden_choice_slides: r"(a -> P [] b -> Q) \ {a}" == r"(b -> (Q \ {a})) [> (P \ {a})";
    hidden_recursion_diverges: r"(let L = a -> L within L) \ {a}" == "DIV";
    hidden_recursion_with_a_way_out: r"(let L = a -> L [] b -> P within L) \ {a}" == r"DIV [] b -> (P \ {a})";
    hiding_distributes: r"(P |~| Q) \ X" == r"(P \ X) |~| (Q \ X)";
    hiding_distributes_over_external_choice: r"(P [] Q) \ Y" == r"(P \ Y) [] (Q \ Y)" in T;
    hiding_distributes_over_sequence: r"(P ; Q) \ X" == r"(P \ X) ; (Q \ X)";
    hiding_distributes_over_parallel: r"(P [| X |] Q) \ diff(Y, X)"
        == r"(P \ diff(Y, X)) [| X |] (Q \ diff(Y, X))";
    project_hides_the_rest: r"P |\ X" == r"P \ diff(Events, X)";

    renaming_to_itself: "P[[a <- a]]" == "P";
    renaming_twice: "P[[a <- b]][[b <- c]]" == "P[[a <- c, b <- c]]";
    swapping_twice: "P[[a <- b, b <- a]][[a <- b, b <- a]]" == "P";
    renamed_step: "(a -> P)[[a <- b, a <- c]]" == "b -> P[[a <- b, a <- c]] [] c -> P[[a <- b, a <- c]]";
    renaming_distributes: "(P |~| Q)[[a <- b]]" == "P[[a <- b]] |~| Q[[a <- b]]";
    renaming_distributes_over_choice: "(P [] Q)[[a <- b]]" == "P[[a <- b]] [] Q[[a <- b]]";
    renaming_distributes_over_interleaving: "(P ||| Q)[[a <- b]]" == "P[[a <- b]] ||| Q[[a <- b]]";
    swapping_distributes_over_parallel: "(P [| {a, c} |] Q)[[a <- b, b <- a]]"
        == "P[[a <- b, b <- a]] [| {b, c} |] Q[[a <- b, b <- a]]";

    sequence_associates: "P ; (Q ; R)" == "(P ; Q) ; R";
    sequence_left_unit: "SKIP ; P" == "P";
    sequence_right_unit: "P ; SKIP" == "P";
    sequence_left_zero: "STOP ; P" == "STOP";
    sequence_after_div: "DIV ; P" == "DIV";
    sequence_steps: "(a -> P) ; Q" == "a -> (P ; Q)";
    sequence_distributes_left: "(P |~| Q) ; R" == "(P ; R) |~| (Q ; R)";
    sequence_distributes_right: "P ; (Q |~| R)" == "(P ; Q) |~| (P ; R)";
    sequence_distributes_over_external_choice: "(P [] SKIP) ; R" == "(P ; R) [] R" in T;
    sequence_after_a_signal: "(P [] SKIP) ; R" == "(P ; R) [> R";

    interrupt_associates: r"P /\ (Q /\ R)" == r"(P /\ Q) /\ R";
    interrupt_right_unit: r"P /\ STOP" == "P";
    interrupt_left_unit: r"STOP /\ P" == "P";
    interrupt_steps: r"(a -> P) /\ Q" == r"Q [] a -> (P /\ Q)";
    interrupt_of_skip: r"SKIP /\ P" == "SKIP [] P";
    interrupt_by_div: r"P /\ DIV" == "DIV" in FD;
    interrupt_distributes_left: r"(P |~| Q) /\ R" == r"(P /\ R) |~| (Q /\ R)";
    interrupt_distributes_right: r"P /\ (Q |~| R)" == r"(P /\ Q) |~| (P /\ R)";
    interrupt_distributes_over_choice: r"(P [] Q) /\ R" == r"(P /\ R) [] (Q /\ R)";

    exception_of_nothing: "P [| {} |> Q" == "P";
    exception_is_thrown: "(a -> P) [| {a} |> Q" == "a -> Q";
    exception_waits: "(b -> P) [| {a} |> Q" == "b -> (P [| {a} |> Q)";
    exception_of_stop: "STOP [| X |> P" == "STOP";
    exception_of_skip: "SKIP [| X |> P" == "SKIP";
    exception_of_div: "DIV [| X |> P" == "DIV";
    exception_distributes_left: "(P |~| Q) [| X |> R" == "(P [| X |> R) |~| (Q [| X |> R)";
    exception_distributes_right: "P [| X |> (Q |~| R)" == "(P [| X |> Q) |~| (P [| X |> R)";
    exception_distributes_over_choice: "(P [] Q) [| X |> R" == "(P [| X |> R) [] (Q [| X |> R)";

    synchronising_choice_commutes: "P [+ X +] Q" == "Q [+ X +] P";
    synchronising_choice_is_idempotent: "let C = a -> a -> P |~| a -> b -> P within C [+ {a, b} +] C"
        == "a -> a -> P |~| a -> b -> P" in T;
    synchronising_choice_distributes: "P [+ X +] (Q |~| R)" == "(P [+ X +] Q) |~| (P [+ X +] R)";
    synchronising_choice_on_nothing: "P [+ {} +] Q" == "P [] Q";
    synchronising_choice_steps: "(a -> P) [+ {a} +] (a -> Q)" == "a -> (P [+ {a} +] Q)";
    synchronising_choice_is_made: "(a -> P) [+ {b} +] (b -> Q)" == "a -> P";
    synchronising_choice_deadlocks: "(a -> P) [+ {a, b} +] (b -> Q)" == "STOP";

    synchronising_interrupt_on_nothing: r"P /+ {} +\ Q" == r"P /\ Q";
    synchronising_interrupt_distributes: r"P /+ X +\ (Q |~| R)" == r"(P /+ X +\ Q) |~| (P /+ X +\ R)";
    synchronising_interrupt_steps: r"(a -> P) /+ {a} +\ (a -> Q)" == r"a -> (P /+ {a} +\ Q)";
    synchronising_interrupt_waits: r"(b -> P) /+ {a} +\ (a -> Q)" == r"b -> (P /+ {a} +\ (a -> Q))";

    buffer_of_one: "BUFFER(1, {(a, b)})" == "a -> b -> BUFFER(1, {(a, b)})";
}

/// The right side has no behaviour that the left side lacks, in any model.
#[test]
fn refinements_hold() {
    for (left, right) in [
        ("P |~| Q", "P"),
        ("P |~| Q", "P [] Q"),
        ("P |~| Q", "P [> Q"),
        ("P [> Q", "P [] Q"),
        ("P [> Q", "Q"),
        ("CHAOS(X)", "RUN(X)"),
        ("STOP |~| P", "P"),
        (r"(P |~| Q) /\ R", r"P /\ R"),
        ("P [+ X +] P", "P"),
    ] {
        for model in MODELS {
            let all = verdicts(model, &[(left, right)]);
            let refuted = all.iter().find(|(_, holds)| !holds);
            assert!(refuted.is_none(), "[{model}= in {}", refuted.unwrap().0);
            assert!(all.len() > CASES / 2, "only {} are small", all.len());
        }
    }
}

/// What looks like a law and is none must be found out, or the tests above say nothing.
#[test]
fn false_laws_are_refuted() {
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
    ] {
        for model in MODELS {
            let verdicts = verdicts(model, &[(left, right), (right, left)]);
            let refuted = verdicts.iter().filter(|(_, holds)| !holds).count();
            assert!(
                refuted > CASES / 20,
                "{left} == {right} in {model}: {refuted}"
            );
        }
    }
}

/// Asserts that both sides mean the same in `models`, and that they do not in any other.
fn hold_exactly_in(models: &[&str], left: &str, right: &str) {
    for model in MODELS {
        let all = verdicts(model, &[(left, right), (right, left)]);
        let refuted = all.iter().find(|(_, holds)| !holds);
        match refuted {
            Some((script, _)) => assert!(!models.contains(&model), "not in {model}: {script}"),
            None => assert!(models.contains(&model), "never refuted in {model}"),
        }
        assert!(all.len() > CASES / 2, "only {} are small", all.len());
    }
}

/// Random scripts, the same each time, and whether all `pairs` refine there, the specification on the left.
/// Those that are too large are left out.
fn verdicts(model: &str, pairs: &[(&str, &str)]) -> Vec<(String, bool)> {
    let definitions = definitions();
    let mut script = "channel a, b, c, d, e\n".to_string();
    for (i, definitions) in definitions.iter().enumerate() {
        for (k, (left, right)) in pairs.iter().enumerate() {
            for (name, process) in [("LEFT", left), ("RIGHT", right)] {
                script += &format!("{name}{k}_{i} = let{definitions}\n  within ({process})\n");
            }
            script += &format!("assert LEFT{k}_{i} [{model}= RIGHT{k}_{i}\n");
        }
    }
    let arguments = [
        "check",
        "--format=json",
        "--timeout=300",
        "--max-leaf-states=4000",
        "--max-states=20000",
        "-",
    ];
    let outcome = cspsym(&arguments.map(str::to_string), script.as_bytes());
    let answers = outcome
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let answers: Vec<Value> = answers.collect();
    assert_eq!(
        answers.len(),
        definitions.len() * pairs.len(),
        "{}\n{script}",
        outcome.err
    );
    let cases = definitions.into_iter().zip(answers.chunks(pairs.len()));
    cases
        .filter_map(|(script, answers)| Some((script, all_hold(answers)?)))
        .collect()
}

/// Whether all answers are that it holds; none if anything is too large.
fn all_hold(answers: &[Value]) -> Option<bool> {
    let holds = |answer: &Value| match answer["verdict"].as_str() {
        Some("pass") => Some(true),
        Some("fail") => Some(false),
        _ => {
            let message = answer["message"].as_str().unwrap_or("");
            let codes = ["state-limit:", "large-specification:", "growing-process:"];
            assert!(
                codes.iter().any(|code| message.starts_with(code)),
                "{answer}"
            );
            None
        }
    };
    let each: Option<Vec<bool>> = answers.iter().map(holds).collect();
    Some(each?.iter().all(|holds| *holds))
}

/// Random definitions of all that a law speaks of, each in a line of its own.
fn definitions() -> Vec<String> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
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
    (0..CASES).map(script).collect()
}
