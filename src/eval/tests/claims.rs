//! Claims of users: types whose values may be permuted, and permutations in cycles.

use pretty_assertions::assert_eq;

use super::permute::{SCRIPT, events, pairs_text, type_text};
use super::with_script;
use crate::Evaluator;
use crate::permute::{ClaimedType, TypedValues};
use base::diag::Diagnostic;
use process::values::UserPermutation;
use syntax::ast::{AssertionKind, Declaration, Expr, ExprId, Items, SymmetricType};

/// The meaning of `claim`, written as behind `:[symmetric]:`, for the events of `over`.
fn claimed<R>(
    claim: &str,
    over: &str,
    ask: impl Fn(&mut Evaluator<'_>, ClaimedType, Vec<TypedValues>) -> R,
) -> Result<R, Box<Diagnostic>> {
    let script = format!("{SCRIPT}\nassert STOP :[symmetric]: {claim}");
    with_script(&script, over, |evaluator, id| {
        let events = events(evaluator, id);
        let types = evaluator.permutable_types(&events).unwrap();
        let claim = only_claim(evaluator);
        let claimed = evaluator.claimed_type(&claim)?;
        Ok(ask(evaluator, claimed, types))
    })
}

fn only_claim(evaluator: &Evaluator<'_>) -> SymmetricType {
    let mut claims = evaluator
        .script
        .ast
        .declarations
        .iter()
        .filter_map(|declaration| match &declaration.kind {
            Declaration::Assert(assertion) => match &assertion.kind {
                AssertionKind::Symmetric { types, .. } => types.first().cloned(),
                _ => None,
            },
            _ => None,
        });
    claims.next().unwrap()
}

#[test]
fn claims_name_values() {
    for (claim, expected) in [
        ("ID", "ID: A B C D | fixed"),
        ("diff(ID, {| B, D |})", "ID: A B C D | fixed 1 3"),
        ("Msg", "Msg: Ping Pong | fixed"),
        ("diff(Msg, {| Put, Pong |})", "Msg: Ping Pong | fixed 1"),
        ("Few", "ID: A B | fixed"),
        ("diff(Few, {| C |})", "ID: A B | fixed"),
        ("Puts", "Msg:  | fixed"),
        ("IDS", "ID: A B C | fixed"),
        ("Index", "{0..2}: 0 1 2 | fixed"),
        ("diff(Index, {| ONE |})", "{0..2}: 0 1 2 | fixed 1"),
        ("Bool", "Bool: false true | fixed"),
    ] {
        let found = claimed(claim, "{}", |evaluator, claimed, _| {
            let fixed = claimed.fixed.iter().map(|i| format!(" {i}"));
            format!(
                "{} | fixed{}",
                type_text(evaluator, &claimed.ty),
                fixed.collect::<String>()
            )
        });
        assert_eq!(found.as_deref(), Ok(expected), "{claim}");
    }
}

#[test]
fn claims_that_name_no_such_values_are_errors() {
    for (claim, message) in [
        (
            "Endless",
            "the values of `Endless` cannot be permuted: there are infinitely many",
        ),
        (
            "Int",
            "the values of `Int` cannot be permuted: there are infinitely many",
        ),
    ] {
        let problem = claimed(claim, "{}", |_, _, _| ()).unwrap_err();
        let found = (problem.code, problem.message.as_str());
        assert_eq!(found, ("not-a-type", message), "{claim}");
        assert!(!problem.labels.is_empty(), "{claim}");
    }
    // Claims that types exclude.
    for claim in [
        "Mixed",
        "ONE",
        "diff(ID, {| ONE |})",
        "diff(ID, {| Ping |})",
    ] {
        let problem = claimed(claim, "{}", |_, _, _| ()).unwrap_err();
        assert_eq!(problem.code, "internal-error", "{claim}");
        assert!(!problem.labels.is_empty(), "{claim}");
    }
    let script = "channel c\nE = {}\nT = {c}\nU = {(1, 2)}\nassert STOP :[symmetric]: ";
    for (claim, why) in [
        ("E", "there are none"),
        ("T", "among them is c"),
        ("U", "among them is (1, 2)"),
    ] {
        let problem = with_script(&format!("{script}{claim}"), "0", |evaluator, _| {
            let claim = only_claim(evaluator);
            evaluator.claimed_type(&claim).unwrap_err()
        });
        assert_eq!(problem.code, "not-a-type", "{claim}");
        assert!(problem.message.ends_with(why), "{}", problem.message);
    }
}

#[test]
fn claims_speak_of_the_types_that_occur() {
    let over = "{move.A.C, to.0.1, to.2.3, flag.true, flag.false}";
    for (claim, expected) in [
        ("ID", "ID A C"),
        ("diff(ID, {| C |})", "ID A"),
        ("Few", "ID A"),
        ("Bool", "Bool false true"),
        ("Index", "{0..2} 0 2"),
        ("Msg", ""),
    ] {
        let found = claimed(claim, over, |evaluator, claimed, types| {
            let chosen = claimed.select(&types).into_iter().map(|(i, free)| {
                let free = free.iter().map(|&j| evaluator.show(&types[i].values[j]));
                format!("{} {}", types[i].name, free.collect::<Vec<_>>().join(" "))
            });
            chosen.collect::<Vec<_>>().join("; ")
        });
        assert_eq!(found.as_deref(), Ok(expected), "{claim}");
    }
    // A set of integers that is no field's set: every set around it.
    let script = "datatype ID = A\nchannel to : {0..2}.{0..3}\nT = {2, 3}\nS = {1, 2}\nassert STOP :[symmetric]: ";
    for (claim, expected) in [
        ("S", vec![(0, vec![0, 1]), (1, vec![0])]),
        ("T", vec![(1, vec![0, 1])]),
    ] {
        let found = with_script(
            &format!("{script}{claim}"),
            "{to.1.3, to.2.2}",
            |evaluator, id| {
                let events = events(evaluator, id);
                let types = evaluator.permutable_types(&events).unwrap();
                let claim = only_claim(evaluator);
                evaluator.claimed_type(&claim).unwrap().select(&types)
            },
        );
        assert_eq!(found, expected, "{claim}");
    }
}

#[test]
fn claimed_types_of_modules_and_instances() {
    let script = "module M(n)\nexports\ndatatype T = X | Y\nchannel c : T.{0..n}\nendmodule
instance I = M(1)\ninstance J = M(1)\nassert STOP :[symmetric]: diff(I::T, {| I::X |})";
    with_script(script, "{| I::c, J::c |}", |evaluator, id| {
        let events = events(evaluator, id);
        let types = evaluator.permutable_types(&events).unwrap();
        let texts: Vec<String> = types.iter().map(|ty| type_text(evaluator, ty)).collect();
        assert_eq!(texts, ["I::T: I::X I::Y", "J::T: J::X J::Y", "{0..1}: 0 1"]);
        let claim = only_claim(evaluator);
        let claimed = evaluator.claimed_type(&claim).unwrap();
        assert_eq!(claimed.select(&types), [(0, vec![1])]);
    });
}

/// The permutation given by `cycles`, a sequence of sequences, in a check with the events of
/// `over`.
fn permutation(cycles: &str, over: &str) -> Result<String, Box<Diagnostic>> {
    with_script(SCRIPT, &format!("({cycles}, {over})"), |evaluator, id| {
        let Expr::Tuple(parts) = evaluator.script.ast.expr(id) else {
            panic!("a pair");
        };
        let cycles: Vec<Vec<ExprId>> = items(evaluator, parts[0])
            .into_iter()
            .map(|cycle| items(evaluator, cycle))
            .collect();
        let events = events(evaluator, parts[1]);
        Ok(match evaluator.permutation_of(&cycles, &events)? {
            UserPermutation::Events(pairs) => pairs_text(evaluator, &pairs),
            UserPermutation::Values(types) => {
                let types = types
                    .iter()
                    .map(|(ty, images)| format!("{}: {} {images:?}", ty.name, ty.values.join(" ")));
                types.collect::<Vec<_>>().join("; ")
            }
        })
    })
}

fn items(evaluator: &Evaluator<'_>, sequence: ExprId) -> Vec<ExprId> {
    match evaluator.script.ast.expr(sequence) {
        Expr::Sequence(collection) => match &collection.items {
            Items::List(items) => items.clone(),
            _ => panic!("a list"),
        },
        _ => panic!("a sequence"),
    }
}

#[test]
fn cycles_are_permutations_of_events_or_values() {
    for (cycles, over, expected) in [
        ("<>", "{| move |}", ""),
        (
            "<<at.0, at.1, none>>",
            "{}",
            "at.0 > at.1, at.1 > none, none > at.0",
        ),
        (
            "<<at.0, flag.true>, <at.1, at.2>>",
            "{}",
            "at.0 > flag.true, flag.true > at.0, at.1 > at.2, at.2 > at.1",
        ),
        ("<<B, C>>", "{| move |}", "ID: A B C D [0, 2, 1, 3]"),
        ("<<A, B, C>, <D>>", "{| few |}", "ID: A B C D [1, 2, 0, 3]"),
        ("<<C, A>>", "{move.A.B}", "ID: A B C [2, 1, 0]"),
        ("<<A, B>>", "{| at |}", ""),
        (
            "<<true, false>>",
            "{| at, flag |}",
            "Bool: false true [1, 0]",
        ),
        ("<<Ping, Pong>>", "{msg.Ping}", "Msg: Ping Pong [1, 0]"),
        (
            "<<0, 2>>",
            "{| to |}",
            "{0..2}: 0 1 2 [2, 1, 0]; {0..3}: 0 1 2 3 [2, 1, 0, 3]",
        ),
        (
            "<<0, 1>, <A, B>, <2, 3>, <C, D>>",
            "{| to, move |}",
            "{0..3}: 0 1 2 3 [1, 0, 3, 2]; ID: A B C D [1, 0, 3, 2]",
        ),
        ("<<0, 3>>", "{| to |}", "{0..3}: 0 1 2 3 [3, 1, 2, 0]"),
        ("<<ONE, ONE + 1>>", "{at.0}", "{0..2}: 0 1 2 [0, 2, 1]"),
        (
            "<<'a', 'b'>>",
            "{| letter, at |}",
            "{'a', 'b'}: 'a' 'b' [1, 0]",
        ),
    ] {
        let found = permutation(cycles, over);
        assert_eq!(found.as_deref(), Ok(expected), "{cycles} {over}");
    }
}

/// Cycles, the code of the message, its text, and the number of its places.
const NO_PERMUTATIONS: &[(&str, &str, &str, usize)] = &[
    (
        "<<A, 1>>",
        "bad-permutation",
        "a permutation of values of ID cannot move integers",
        2,
    ),
    (
        "<<A, B>, <none, at.0>>",
        "bad-permutation",
        "a permutation of values of ID cannot move events",
        2,
    ),
    (
        "<<A, Ping>>",
        "bad-permutation",
        "a permutation of values of ID cannot move values of Msg",
        2,
    ),
    (
        "<<true, 'a'>>",
        "bad-permutation",
        "a permutation of truth values cannot move characters",
        2,
    ),
    (
        "<<A, B, A>>",
        "bad-permutation",
        "A stands twice in this permutation",
        2,
    ),
    (
        "<<at.0, at.1>, <at.1, at.2>>",
        "bad-permutation",
        "at.1 stands twice in this permutation",
        2,
    ),
    (
        "<<at, at.1>>",
        "bad-permutation",
        "at cannot be permuted: it is not a whole event",
        1,
    ),
    (
        "<<move.A, move.B.A>>",
        "bad-permutation",
        "move.A cannot be permuted: it is not a whole event",
        1,
    ),
    (
        "<<Put.A.1, Ping>>",
        "bad-permutation",
        "Put.A.1 cannot be permuted: it has fields",
        1,
    ),
    (
        "<<Put, Ping>>",
        "bad-permutation",
        "Put cannot be permuted: it has fields",
        1,
    ),
    (
        "<<(1, 2), (2, 1)>>",
        "bad-permutation",
        "(1, 2) cannot be permuted: it is neither an event nor a value of a type",
        1,
    ),
    (
        "<<0, 4>>",
        "bad-permutation",
        "no field of the events of this check has a finite set with these integers",
        1,
    ),
    (
        "<<at.0, at.9>>",
        "field-value",
        "9 is not in the set of field 1 of channel `at`",
        1,
    ),
];

#[test]
fn what_is_no_permutation_is_an_error_with_its_place() {
    for &(cycles, code, message, labels) in NO_PERMUTATIONS {
        let problem = permutation(cycles, "{| to |}").unwrap_err();
        let found = (problem.code, problem.message.as_str(), problem.labels.len());
        assert_eq!(found, (code, message, labels), "{cycles}");
    }
    let problem = permutation("<<0, 4>>", "{| to |}").unwrap_err();
    assert_eq!(
        problem.notes,
        ["the fields have the finite sets {0..2}, {0..3}"]
    );
}
