//! The names of symmetries of small systems.

use base::cancel::Cancellation;
use base::source::{FileId, Span};
use eval::Evaluator;
use lts::explore::LeafLimits;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use pretty_assertions::assert_eq;
use process::event::EventId;
use process::term::Definitions;
use process::values::UserPermutation;
use symmetry::Start;
use symmetry::find::claims::ClaimedPermutation;
use symmetry::find::{CheckedSystem, Reasons, SoughtSymmetries, find};
use symmetry::naming::SymmetryNames;
use symmetry::pbisim::Symmetry;

use super::with_last;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

/// The names of `symmetries` of the process SYSTEM that `text` defines last, beside a specification
/// that allows all.
fn names(
    text: &str,
    symmetries: impl Fn(&mut Evaluator<'_>, &CheckedSystem<'_>) -> Vec<Symmetry>,
) -> Vec<String> {
    with_last(text, |evaluator, term| {
        let machine = compile(evaluator, term, &OPTIONS).unwrap();
        let terms = evaluator.terms_mut();
        let mut events: Vec<EventId> = machine.rules.iter().map(|rule| rule.result).collect();
        events.retain(|event| event.is_visible());
        let all = terms.events.intern_set(events);
        let run = terms.intern(process::term::Term::Run(all));
        let run = compile(evaluator, run, &OPTIONS).unwrap();
        let specification = NormalForm::of(
            &explicit(&run, 1000, Cancellation::never()).unwrap(),
            Model::Traces,
            1000,
            Cancellation::never(),
        )
        .unwrap();
        let subject = CheckedSystem {
            term,
            machine: &machine,
            specification: &specification,
            options: &OPTIONS,
        };
        let symmetries = symmetries(evaluator, &subject);
        let names = SymmetryNames::new(evaluator, &machine, &specification).unwrap();
        let name = |symmetry| names.name(evaluator, &machine, symmetry).unwrap();
        symmetries.iter().map(name).collect()
    })
}

/// The symmetry that takes each event to the other: `a.0>a.1 a.1>a.0`.
fn of_events(evaluator: &mut Evaluator<'_>, subject: &CheckedSystem<'_>, pairs: &str) -> Symmetry {
    let event = |name: &str| evaluator.terms().events.find(name).expect(name);
    let pair = |pair: &str| {
        let (from, to) = pair.split_once('>').expect("a pair");
        (event(from), event(to))
    };
    let claimed = ClaimedPermutation {
        text: "claimed".to_string(),
        permutation: UserPermutation::Events(pairs.split(' ').map(pair).collect()),
        span: Span::new(FileId(0), 0, 0),
    };
    let wish = SoughtSymmetries::Permutations(vec![claimed]);
    let mut findings = find(evaluator, subject, Start::Any, &wish, Reasons::Sought).unwrap();
    findings
        .generators
        .pop()
        .expect("it moves something")
        .symmetry
}

fn names_of_events(text: &str, pairs: &[&str]) -> Vec<String> {
    names(text, |evaluator, subject| {
        let symmetry = |pairs: &&str| of_events(evaluator, subject, pairs);
        pairs.iter().map(symmetry).collect()
    })
}

#[test]
fn values_of_one_type_are_named_as_the_search_names_them() {
    let text = "
        datatype ID = A | B | C
        channel on, off : ID
        P(i) = on.i -> off.i -> P(i)
        SYSTEM = ||| i : ID @ P(i)";
    let found = names(text, |evaluator, subject| {
        let findings = find(
            evaluator,
            subject,
            Start::Any,
            &SoughtSymmetries::Auto,
            Reasons::LeftOut,
        )
        .unwrap();
        let generators = findings.generators.into_iter();
        let symmetries: Vec<Symmetry> = generators.map(|generator| generator.symmetry).collect();
        let both = symmetries[0].then(&symmetries[1]);
        vec![symmetries[0].clone(), symmetries[1].clone(), both]
    });
    assert_eq!(found, ["(A B)", "(A B C)", "(A C)"]);
}

#[test]
fn values_of_several_types_stand_side_by_side() {
    // Neither the turn nor the exchange of labels is a symmetry alone: one station has the other
    // label.
    let text = "
        datatype LABEL = ON | OFF
        channel a : {0..1}.LABEL
        P(i) = a.i.(if i == 0 then ON else OFF) -> P(i)
        SYSTEM = P(0) ||| P(1)";
    let found = names_of_events(text, &["a.0.ON>a.1.OFF a.1.OFF>a.0.ON"]);
    assert_eq!(found, ["(ON OFF)(0 1)"]);
}

#[test]
fn integers_that_could_mean_two_sets_have_the_name_of_theirs() {
    let text = "
        channel a : {0..1}
        channel b : {0..2}
        SYSTEM = (|~| x : {0, 1} @ a.x -> STOP)
            ||| (|~| x : {0..2} @ b.x -> (if x == 1 then b.1 -> STOP else STOP))";
    let found = names_of_events(text, &["a.0>a.1 a.1>a.0", "b.0>b.2 b.2>b.0"]);
    // Both sets have 0 and 1, but only the second has 2.
    assert_eq!(found, ["(0 1) of {0..1}", "(0 2)"]);
}

#[test]
fn without_values_leaves_and_events_give_the_name() {
    // The sets of a and b are equal, but only one of them moves. L and R are exchanged with
    // different events.
    let text = "
        channel a, b : {1..2}
        channel c, d
        L = a.1 -> c -> L
        R = a.2 -> d -> R
        S = b.1 -> b.2 -> S
        SYSTEM = L ||| R ||| S";
    let found = names_of_events(text, &["a.1>a.2 a.2>a.1 c>d d>c", "b.1>b.2 b.2>b.1"]);
    assert_eq!(found, ["(L R)", "(b.1 b.2)"]);
}

#[test]
fn equal_operands_have_numbers() {
    let text = "
        channel a, b
        P = a -> b -> P
        SYSTEM = P ||| P ||| P";
    let found = names(text, |evaluator, subject| {
        let findings = find(
            evaluator,
            subject,
            Start::Any,
            &SoughtSymmetries::Auto,
            Reasons::LeftOut,
        )
        .unwrap();
        let generators = findings.generators.into_iter();
        generators.map(|generator| generator.symmetry).collect()
    });
    assert_eq!(found[0], "(leaf 1 leaf 2)");
}

#[test]
fn long_names_are_cut() {
    let text = "
        channel a, b : {1..30}
        P(i) = a.i -> b.((i % 30) + 1) -> P(i)
        SYSTEM = ||| i : {1..30} @ P(i)";
    let turn = |by: usize| -> String {
        let image = |i: usize| (i - 1 + by) % 30 + 1;
        // Of the events b, only the image of the number is turned the other way round, so this is
        // no lifting of values.
        let pairs = (1..=30).flat_map(|i| {
            let next = |i: usize| i % 30 + 1;
            [
                format!("a.{i}>a.{}", image(i)),
                format!("b.{}>b.{}", next(i), next(image(i))),
            ]
        });
        pairs.collect::<Vec<_>>().join(" ")
    };
    let found = names_of_events(text, &[&turn(1), &turn(15)]);
    let pairs: Vec<String> = (1..=15).map(|i| format!("({i} {})", i + 15)).collect();
    let all: Vec<String> = (1..=30).map(|i| i.to_string()).collect();
    // Values are written in full, because a user may write them so.
    assert_eq!(found, [format!("({})", all.join(" ")), pairs.concat()]);
    let text = text
        .replace(
            "channel a, b : {1..30}",
            "channel a, b : {1..30}\nchannel c : {1..30}",
        )
        .replace(
            "||| i : {1..30} @ P(i)",
            "(||| i : {1..30} @ P(i)) ||| c.1 -> STOP ||| c.2 -> c.2 -> STOP",
        );
    let cut = names_of_events(&text, &[&turn(1), &turn(15)]);
    assert_eq!(cut[0], "(P(1) P(2) P(3) P(4) P(5) P(6) P(7) P(8) …)");
    assert_eq!(
        cut[1],
        "(P(1) P(16))(P(2) P(17))(P(3) P(18))(P(4) P(19))(P(5) P(20))(P(6) P(21))(P(7) P(22))(P(8) P(23))…"
    );
}
