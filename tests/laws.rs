//! The laws of CSP in the traces model, decided on scripts with random processes in them.

#![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

#[path = "common/generate.rs"]
mod generate;
#[allow(dead_code, reason = "only its processes are of use here")]
mod oracle;
#[path = "common/text.rs"]
mod text;

use cspsym::eval::{Evaluator, Script};
use cspsym::lts::explore::{LeafLimits, explore};
use cspsym::lts::model::Model;
use cspsym::lts::normal_form::NormalForm;
use cspsym::machine::explicit::explicit;
use cspsym::machine::{CompileOptions, Machine, compile};
use cspsym::refine::check::{CheckOptions, Control, Outcome, check};
use cspsym::source::SourceMap;
use cspsym::syntax::ast::{Ast, Declaration, ExprId};
use cspsym::syntax::parse_script;
use cspsym::syntax::parser::NoIncludes;
use cspsym::types::resolve::resolve;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many random scripts each law is tried on.
const CASES: usize = if cfg!(debug_assertions) { 20 } else { 60 };

/// Larger processes are left out.
const OPTIONS: CompileOptions = CompileOptions {
    limits: LeafLimits { states: 4000 },
    minimise: true,
};

/// Each line becomes a test: both sides have the same traces, whatever the processes `P`, `Q` and
/// `R` and the sets of events `X` and `Y` are.
macro_rules! laws {
    ($($name:ident: $left:literal == $right:literal;)+) => {$(
        #[test]
        fn $name() {
            let verdicts = verdicts($left, $right);
            for (script, are_equal) in &verdicts {
                assert!(are_equal, "{script}");
            }
            assert!(verdicts.len() > CASES * 3 / 4, "only {} are small", verdicts.len());
        }
    )+};
}

laws! {
    div_is_stop: "DIV" == "STOP";
    run_offers_each_event: "RUN(X)" == "[] x : X @ x -> RUN(X)";
    chaos_has_the_traces_of_run: "CHAOS(X)" == "RUN(X)";
    guard_true: "true & P" == "P";
    guard_false: "false & P" == "STOP";

    external_choice_commutes: "P [] Q" == "Q [] P";
    external_choice_associates: "P [] (Q [] R)" == "(P [] Q) [] R";
    external_choice_is_idempotent: "P [] P" == "P";
    external_choice_unit: "P [] STOP" == "P";
    internal_choice_has_the_traces_of_external: "P |~| Q" == "P [] Q";
    internal_choice_commutes: "P |~| Q" == "Q |~| P";
    sliding_choice_has_the_traces_of_external: "P [> Q" == "P [] Q";
    prefix_distributes: "a -> (P |~| Q)" == "(a -> P) |~| (a -> Q)";

    parallel_commutes: "P [| X |] Q" == "Q [| X |] P";
    parallel_associates: "P [| X |] (Q [| X |] R)" == "(P [| X |] Q) [| X |] R";
    parallel_distributes: "P [| X |] (Q [] R)" == "(P [| X |] Q) [] (P [| X |] R)";
    parallel_steps_together: "(a -> P) [| {a} |] (a -> Q)" == "a -> (P [| {a} |] Q)";
    parallel_deadlocks: "(a -> P) [| {a, b} |] (b -> Q)" == "STOP";
    parallel_with_run: "P [| Events |] RUN(Events)" == "P ; STOP";
    replicated_parallel: "[| X |] i : {1..2} @ P" == "P [| X |] P";

    interleaving_commutes: "P ||| Q" == "Q ||| P";
    interleaving_associates: "P ||| (Q ||| R)" == "(P ||| Q) ||| R";
    interleaving_unit: "P ||| SKIP" == "P";
    interleaving_with_stop: "P ||| STOP" == "P ; STOP";
    interleaving_synchronises_on_nothing: "P ||| Q" == "P [| {} |] Q";
    interleaving_steps: "(a -> P) ||| (b -> Q)" == "a -> (P ||| (b -> Q)) [] b -> ((a -> P) ||| Q)";

    alphabetised_commutes: "P [X || Y] Q" == "Q [Y || X] P";
    alphabetised_as_parallel: "P [X || Y] Q"
        == "(P [| diff(Events, X) |] SKIP) [| inter(X, Y) |] (Q [| diff(Events, Y) |] SKIP)";
    replicated_alphabetised: "|| (A, p) : {(X, 1), (Y, 2)} @ [A] (if p == 1 then P else Q)" == "P [X || Y] Q";

    linked_swaps: "P [a <-> b] Q" == "Q [b <-> a] P";
    linked_steps_are_hidden: "(a -> P) [a <-> b] (b -> Q)" == "P [a <-> b] Q";
    linked_as_parallel: "P [a <-> b] Q" == r"(P[[a <- e]] [| {e} |] Q[[b <- e]]) \ {e}";
    linked_buffers_are_longer: "BUFFER(1, {(a, b)}) [b <-> a] BUFFER(1, {(a, b)})" == "BUFFER(2, {(a, b)})";

    hiding_nothing: r"P \ {}" == "P";
    hiding_twice: r"(P \ X) \ Y" == r"P \ union(X, Y)";
    hidden_step: r"(a -> P) \ {a}" == r"P \ {a}";
    visible_step: r"(b -> P) \ {a}" == r"b -> (P \ {a})";
    hiding_distributes_over_choice: r"(P [] Q) \ X" == r"(P \ X) [] (Q \ X)";
    hiding_distributes_over_sequence: r"(P ; Q) \ X" == r"(P \ X) ; (Q \ X)";
    hiding_distributes_over_parallel: r"(P [| X |] Q) \ diff(Y, X)"
        == r"(P \ diff(Y, X)) [| X |] (Q \ diff(Y, X))";
    project_hides_the_rest: r"P |\ X" == r"P \ diff(Events, X)";

    renaming_to_itself: "P[[a <- a]]" == "P";
    renaming_twice: "P[[a <- b]][[b <- c]]" == "P[[a <- c, b <- c]]";
    swapping_twice: "P[[a <- b, b <- a]][[a <- b, b <- a]]" == "P";
    renamed_step: "(a -> P)[[a <- b, a <- c]]" == "b -> P[[a <- b, a <- c]] [] c -> P[[a <- b, a <- c]]";
    renaming_distributes_over_choice: "(P [] Q)[[a <- b]]" == "P[[a <- b]] [] Q[[a <- b]]";
    renaming_distributes_over_interleaving: "(P ||| Q)[[a <- b]]" == "P[[a <- b]] ||| Q[[a <- b]]";
    swapping_distributes_over_parallel: "(P [| {a, c} |] Q)[[a <- b, b <- a]]"
        == "P[[a <- b, b <- a]] [| {b, c} |] Q[[a <- b, b <- a]]";

    sequence_associates: "P ; (Q ; R)" == "(P ; Q) ; R";
    sequence_left_unit: "SKIP ; P" == "P";
    sequence_right_unit: "P ; SKIP" == "P";
    sequence_left_zero: "STOP ; P" == "STOP";
    sequence_steps: "(a -> P) ; Q" == "a -> (P ; Q)";
    sequence_distributes_left: "(P [] Q) ; R" == "(P ; R) [] (Q ; R)";
    sequence_distributes_right: "P ; (Q |~| R)" == "(P ; Q) |~| (P ; R)";

    interrupt_associates: r"P /\ (Q /\ R)" == r"(P /\ Q) /\ R";
    interrupt_right_unit: r"P /\ STOP" == "P";
    interrupt_left_unit: r"STOP /\ P" == "P";
    interrupt_steps: r"(a -> P) /\ Q" == r"Q [] a -> (P /\ Q)";
    interrupt_of_skip: r"SKIP /\ P" == "SKIP [] P";
    interrupt_distributes: r"(P [] Q) /\ R" == r"(P /\ R) [] (Q /\ R)";

    exception_of_nothing: "P [| {} |> Q" == "P";
    exception_is_thrown: "(a -> P) [| {a} |> Q" == "a -> Q";
    exception_waits: "(b -> P) [| {a} |> Q" == "b -> (P [| {a} |> Q)";
    exception_of_stop: "STOP [| X |> P" == "STOP";
    exception_of_skip: "SKIP [| X |> P" == "SKIP";
    exception_distributes: "(P [] Q) [| X |> R" == "(P [| X |> R) [] (Q [| X |> R)";

    synchronising_choice_commutes: "P [+ X +] Q" == "Q [+ X +] P";
    synchronising_choice_on_nothing: "P [+ {} +] Q" == "P [] Q";
    synchronising_choice_steps: "(a -> P) [+ {a} +] (a -> Q)" == "a -> (P [+ {a} +] Q)";
    synchronising_choice_is_made: "(a -> P) [+ {b} +] (b -> Q)" == "a -> P";

    synchronising_interrupt_on_nothing: r"P /+ {} +\ Q" == r"P /\ Q";
    synchronising_interrupt_steps: r"(a -> P) /+ {a} +\ (a -> Q)" == r"a -> (P /+ {a} +\ Q)";
    synchronising_interrupt_waits: r"(b -> P) /+ {a} +\ (a -> Q)" == r"b -> (P /+ {a} +\ (a -> Q))";

    buffer_of_one: "BUFFER(1, {(a, b)})" == "a -> b -> BUFFER(1, {(a, b)})";
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
        let verdicts = verdicts(left, right);
        let refuted = verdicts.iter().filter(|(_, are_equal)| !are_equal);
        assert!(refuted.count() > CASES / 10, "{left} == {right}");
    }
}

/// Random scripts, the same each time, and whether both sides have the same traces there. Those
/// that are too large are left out.
fn verdicts(left: &str, right: &str) -> Vec<(String, bool)> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let process = generate::process;
    let cases = (
        generate::system(),
        process(),
        process(),
        generate::set(),
        generate::set(),
    );
    let script = |_| {
        let ((definitions, p), q, r, x, y) = cases.new_tree(&mut runner).unwrap().current();
        let mut script = "channel a, b, c, d, e\n".to_string();
        for (i, body) in definitions.iter().enumerate() {
            script += &format!("D{i} = {}\n", text::text(body));
        }
        for (name, process) in [("P", &p), ("Q", &q), ("R", &r)] {
            script += &format!("{name} = {}\n", text::text(process));
        }
        script
            + &format!(
                "X = {}\nY = {}\nLEFT = {left}\nRIGHT = {right}\n",
                text::set(&x),
                text::set(&y)
            )
    };
    let decided = |script: String| have_equal_traces(&script).map(|equal| (script, equal));
    (0..CASES).map(script).filter_map(decided).collect()
}

/// Whether the last two constants of `text` refine each other; none if they are too large.
fn have_equal_traces(text: &str) -> Option<bool> {
    let mut sources = SourceMap::new();
    let root = sources.add("law.csp", text);
    let (ast, mut problems) = parse_script(&mut sources, root, &mut NoIncludes);
    let (resolved, found) = resolve(&ast);
    problems.extend(found);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let sides = [2, 1].map(|from_end| right_hand_side(&ast, from_end));
    let script = Script {
        sources,
        ast,
        resolved,
    };
    let mut evaluator = Evaluator::new(&script, Box::new(|| false));
    let [left, right] = sides.map(|side| {
        let term = evaluator
            .process_of(side)
            .unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        explore(&mut evaluator, term, &OPTIONS.limits).ok()?;
        Some(compile(&mut evaluator, term, &OPTIONS).unwrap())
    });
    let (left, right) = (left?, right?);
    Some(refines(&left, &right)? && refines(&right, &left)?)
}

fn right_hand_side(ast: &Ast, from_end: usize) -> ExprId {
    let id = ast.script[ast.script.len() - from_end];
    match ast.declaration(id) {
        Declaration::Pattern(_, body) => *body,
        other => panic!("not a constant: {other:?}"),
    }
}

fn refines(specification: &Machine, implementation: &Machine) -> Option<bool> {
    let specification = explicit(specification, OPTIONS.limits.states).ok()?;
    let normal_form = NormalForm::of(&specification, Model::Traces, OPTIONS.limits.states).ok()?;
    let options = CheckOptions { max_states: None };
    let result = check(&normal_form, implementation, &options, &mut |_| {
        Control::Continue
    })
    .unwrap();
    Some(result.outcome == Outcome::Holds)
}
