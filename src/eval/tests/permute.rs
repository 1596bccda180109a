//! Types whose values can be permuted, and the effect of permutations on events and values.

use std::collections::BTreeMap;

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::with_script;
use crate::Evaluator;
use crate::permute::TypedValues;
use base::diag::Diagnostic;
use process::event::EventId;
use syntax::ast::{Expr, ExprId};

pub(super) const SCRIPT: &str = "
datatype ID = A | B | C | D
datatype Msg = Put.ID.{0..2} | Get.(ID, Bool) | Nested.Msg | Ping | Pong
subtype Few = A | B
subtype Puts = Put.{A, B}.{0..1}
nametype Index = {0..2}
nametype Mixed = {0, true}
nametype Endless = Seq({0, 1})
channel none
channel move : ID.ID
channel few : Few
channel at : {0..2}
channel to : Index.{0..3}
channel count : Int
channel pair : (ID, {0..2})
channel some : Set({0..2})
channel list : Seq(Index)
channel table : Map(ID, {0..2})
channel msg : Msg
channel put : Puts
channel flag : Bool
channel letter : {'a', 'b'}
channel odd : {1, 3, 5}
channel minus : { -1..1}
channel listed : {(0, A), (1, A), (1, B)}
channel either : union(Seq({0..2}), {7, 8})
channel overlap : union({0..}, { -2..0})
channel sets : Set(ID)
IDS = {A, B, C}
ONE = 1
";

/// The members of `expression`, a finite set of events.
pub(super) fn events(evaluator: &mut Evaluator<'_>, expression: ExprId) -> Vec<EventId> {
    let set = evaluator.value_of(expression).unwrap();
    let set = evaluator.event_set_of(&set).unwrap();
    evaluator.terms.events.set(set).to_vec()
}

fn name(evaluator: &Evaluator<'_>, event: EventId) -> String {
    evaluator.terms.events.name(event).to_string()
}

pub(super) fn type_text(evaluator: &Evaluator<'_>, ty: &TypedValues) -> String {
    let values = ty.values.iter().map(|value| evaluator.show(value));
    format!("{}: {}", ty.name, values.collect::<Vec<_>>().join(" "))
}

pub(super) fn pairs_text(evaluator: &Evaluator<'_>, pairs: &[(EventId, EventId)]) -> String {
    let pairs = pairs
        .iter()
        .map(|&(from, to)| format!("{} > {}", name(evaluator, from), name(evaluator, to)));
    pairs.collect::<Vec<_>>().join(", ")
}

#[test]
fn types_are_found_with_the_values_that_occur() {
    for (expression, expected) in [
        ("{}", ""),
        ("{none}", ""),
        ("{| move |}", "ID: A B C D"),
        ("{move.C.A, move.A.A}", "ID: A C"),
        ("{move.A.A}", ""),
        ("{| at |}", "{0..2}: 0 1 2"),
        ("{| to |}", "{0..2}: 0 1 2; {0..3}: 0 1 2 3"),
        ("{at.0, to.1.3, to.1.0}", "{0..2}: 0 1; {0..3}: 0 3"),
        ("{count.1, count.2}", ""),
        (
            "{| flag, letter |}",
            "Bool: false true; {'a', 'b'}: 'a' 'b'",
        ),
        ("{| odd, minus |}", "{ -1..1}: -1 0 1; {1, 3, 5}: 1 3 5"),
        ("{pair.(B, 2), pair.(A, 0)}", "ID: A B; {0..2}: 0 2"),
        ("{some.{1, 2}, some.{}}", "{0..2}: 1 2"),
        ("{list.<2, 0>}", "{0..2}: 0 2"),
        ("{table.(| D => 1, C => 2 |)}", "ID: C D; {0..2}: 1 2"),
        ("{msg.Put.A.1, msg.Ping, msg.Pong}", "Msg: Ping Pong"),
        ("{msg.Put.A.1, msg.Nested.Put.B.2}", "ID: A B; {0..2}: 1 2"),
        (
            "{msg.Get.(C, true), msg.Get.(D, false)}",
            "Bool: false true; ID: C D",
        ),
        // A subtype says which values there are, not what they belong to.
        ("{put.Put.A.0, put.Put.B.1}", "ID: A B; {0..2}: 0 1"),
        ("{| few |}", "ID: A B"),
        // Integers in a list of tuples have no type; in a union the type of the part with their
        // shape.
        ("{| listed |}", "ID: A B"),
        (
            "{either.<0, 1>, either.7, either.8}",
            "{0..2}: 0 1; {7..8}: 7 8",
        ),
        ("{overlap.(-2), overlap.0, overlap.1}", ""),
    ] {
        let found = with_script(SCRIPT, expression, |evaluator, id| {
            let events = events(evaluator, id);
            let types = evaluator.permutable_types(&events).unwrap();
            let types = types.iter().map(|ty| type_text(evaluator, ty));
            types.collect::<Vec<_>>().join("; ")
        });
        assert_eq!(found, expected, "{expression}");
    }
}

/// The lifting of a permutation of the type called `ty`, as the events of `expression` have it.
fn lifted(expression: &str, ty: &str, images: &[usize]) -> String {
    with_script(SCRIPT, expression, |evaluator, id| {
        let events = events(evaluator, id);
        let types = evaluator.permutable_types(&events).unwrap();
        let ty = types.iter().find(|other| other.name == ty).unwrap();
        match evaluator.lift(ty, images, &events).unwrap() {
            Ok(pairs) => pairs_text(evaluator, &pairs),
            Err((event, image)) => format!("{} > !{image}", name(evaluator, event)),
        }
    })
}

/// Events, a type, the images of its values, and the events that move.
const LIFTED: &[(&str, &str, &[usize], &str)] = &[
    ("{move.A.B, none}", "ID", &[1, 0], "move.A.B > move.B.A"),
    (
        "{move.A.B, move.C.C}",
        "ID",
        &[1, 2, 0],
        "move.A.B > move.B.C, move.C.C > move.A.A",
    ),
    ("{move.A.B}", "ID", &[0, 1], ""),
    ("{| at |}", "{0..2}", &[0, 2, 1], "at.1 > at.2, at.2 > at.1"),
    // Only the fields of the same set move with it.
    (
        "{to.0.0, to.1.1, at.1, count.1}",
        "{0..2}",
        &[1, 0],
        "at.1 > at.0, to.0.0 > to.1.0, to.1.1 > to.0.1",
    ),
    (
        "{to.0.0, to.1.1}",
        "{0..3}",
        &[1, 0],
        "to.0.0 > to.0.1, to.1.1 > to.1.0",
    ),
    (
        "{flag.true, flag.false}",
        "Bool",
        &[1, 0],
        "flag.false > flag.true, flag.true > flag.false",
    ),
    (
        "{letter.'a', letter.'b'}",
        "{'a', 'b'}",
        &[1, 0],
        "letter.'a' > letter.'b', letter.'b' > letter.'a'",
    ),
    (
        "{pair.(A, 0), pair.(B, 1)}",
        "ID",
        &[1, 0],
        "pair.(A, 0) > pair.(B, 0), pair.(B, 1) > pair.(A, 1)",
    ),
    (
        "{pair.(A, 0), pair.(B, 1)}",
        "{0..2}",
        &[1, 0],
        "pair.(A, 0) > pair.(A, 1), pair.(B, 1) > pair.(B, 0)",
    ),
    // Sets and maps are put in order again.
    (
        "{some.{0, 1}, at.2}",
        "{0..2}",
        &[1, 2, 0],
        "at.2 > at.0, some.{0, 1} > some.{1, 2}",
    ),
    ("{some.{0, 2}}", "{0..2}", &[1, 0], ""),
    (
        "{sets.{A, B}, sets.{C}}",
        "ID",
        &[2, 1, 0],
        "sets.{C} > sets.{A}, sets.{A, B} > sets.{B, C}",
    ),
    (
        "{list.<0, 1, 0>}",
        "{0..2}",
        &[1, 0],
        "list.<0, 1, 0> > list.<1, 0, 1>",
    ),
    (
        "{table.(| A => 0, B => 1 |)}",
        "ID",
        &[1, 0],
        "table.(| A => 0, B => 1 |) > table.(| A => 1, B => 0 |)",
    ),
    (
        "{table.(| A => 0, B => 1 |)}",
        "{0..2}",
        &[1, 0],
        "table.(| A => 0, B => 1 |) > table.(| A => 1, B => 0 |)",
    ),
    // Constructors with fields stay, what is inside them moves.
    (
        "{msg.Ping, msg.Pong, msg.Nested.Ping, msg.Put.A.0}",
        "Msg",
        &[1, 0],
        "msg.Ping > msg.Pong, msg.Pong > msg.Ping, msg.Nested.Ping > msg.Nested.Pong",
    ),
    (
        "{msg.Nested.Nested.Put.A.0, msg.Nested.Get.(B, true)}",
        "ID",
        &[1, 0],
        "msg.Nested.Nested.Put.A.0 > msg.Nested.Nested.Put.B.0, msg.Nested.Get.(B, true) > msg.Nested.Get.(A, true)",
    ),
    (
        "{msg.Put.A.0, at.1}",
        "{0..2}",
        &[1, 0],
        "at.1 > at.0, msg.Put.A.0 > msg.Put.A.1",
    ),
    (
        "{listed.(1, A), listed.(1, B)}",
        "ID",
        &[1, 0],
        "listed.(1, A) > listed.(1, B), listed.(1, B) > listed.(1, A)",
    ),
    (
        "{either.<0, 1>, either.7, either.8}",
        "{0..2}",
        &[1, 0],
        "either.<0, 1> > either.<1, 0>",
    ),
    (
        "{either.<0, 1>, either.7, either.8}",
        "{7..8}",
        &[1, 0],
        "either.7 > either.8, either.8 > either.7",
    ),
];

#[test]
fn permutations_are_lifted_to_every_field_of_the_type() {
    for &(expression, ty, images, expected) in LIFTED {
        // Events are sorted by number, which an evaluator gives in the order of its values.
        let sorted = |text: &str| {
            let mut pairs: Vec<String> = text.split(", ").map(str::to_string).collect();
            pairs.sort();
            pairs
        };
        let found = lifted(expression, ty, images);
        assert_eq!(
            sorted(&found),
            sorted(expected),
            "{expression} {ty} {images:?}: {found}"
        );
    }
}

#[test]
fn an_image_outside_its_field_is_reported() {
    for (expression, ty, images, expected) in [
        (
            "{few.A, few.B, move.C.C}",
            "ID",
            &[2, 1, 0][..],
            "few.A > !few.C",
        ),
        (
            "{listed.(0, A), move.A.B}",
            "ID",
            &[1, 0],
            "listed.(0, A) > !listed.(0, B)",
        ),
        (
            "{put.Put.A.1, at.2}",
            "{0..2}",
            &[1, 0],
            "put.Put.A.1 > !put.Put.A.2",
        ),
        (
            "{put.Put.A.0, move.C.D}",
            "ID",
            &[1, 2, 0],
            "put.Put.A.0 > !put.Put.C.0",
        ),
    ] {
        assert_eq!(lifted(expression, ty, images), expected, "{expression}");
    }
}

#[test]
fn images_are_numbered_when_they_are_first_met() {
    with_script(SCRIPT, "{move.A.B, few.A, few.B}", |evaluator, id| {
        let events = events(evaluator, id);
        let ty = evaluator.permutable_types(&events).unwrap().remove(0);
        assert_eq!(evaluator.terms.events.find("move.B.A"), None);
        let pairs = evaluator.lift(&ty, &[1, 0], &events).unwrap().unwrap();
        let image = evaluator.terms.events.find("move.B.A").unwrap();
        assert!(pairs.iter().any(|&(_, to)| to == image));
        // The new event has a value too, and goes back.
        let back = evaluator.lift(&ty, &[1, 0], &[image]).unwrap().unwrap();
        assert_eq!(pairs_text(evaluator, &back), "move.B.A > move.A.B");
    });
}

#[test]
fn deep_values_are_walked() {
    let script = format!("{SCRIPT}\ndeep(n) = if n == 0 then Put.A.0 else Nested.deep(n - 1)");
    with_script(&script, "{msg.deep(2000), move.A.B}", |evaluator, id| {
        let events = events(evaluator, id);
        let ty = evaluator.permutable_types(&events).unwrap().remove(0);
        let pairs = evaluator.lift(&ty, &[1, 0], &events).unwrap().unwrap();
        let mut images = pairs.iter().map(|&(_, to)| name(evaluator, to));
        assert!(images.any(|image| image.ends_with("Nested.Put.B.0")));
        assert_eq!(pairs.len(), 2);
    });
}

/// `expression` with the values of the type of `over`'s events permuted.
fn permuted(
    expression: &str,
    over: &str,
    ty: &str,
    images: &[usize],
) -> Result<String, Box<Diagnostic>> {
    with_script(
        SCRIPT,
        &format!("({expression}, {over})"),
        |evaluator, id| {
            let Expr::Tuple(parts) = evaluator.script.ast.expr(id) else {
                panic!("a pair");
            };
            let events = events(evaluator, parts[1]);
            let types = evaluator.permutable_types(&events).unwrap();
            let ty = types.iter().find(|other| other.name == ty).unwrap();
            let value = evaluator.value_of(parts[0])?;
            let image = evaluator.permute_value(ty, images, &value)?;
            Ok(evaluator.show(&image))
        },
    )
}

#[test]
fn values_are_permuted() {
    for (expression, ty, images, expected) in [
        ("{A, C}", "ID", &[1, 0, 2, 3][..], "{B, C}"),
        ("IDS", "ID", &[1, 2, 0, 3], "{A, B, C}"),
        ("IDS", "ID", &[3, 1, 2, 0], "{B, C, D}"),
        (
            "(A, <B, Put.A.1>, (| A => {B} |))",
            "ID",
            &[1, 0, 2, 3],
            "(B, <A, Put.B.1>, (| B => {A} |))",
        ),
        ("(A, 0, true)", "{0..2}", &[0, 2, 1], "(A, 0, true)"),
        ("{| at |}", "{0..2}", &[1, 2, 0], "{at.0, at.1, at.2}"),
        ("{at.0, to.0.0}", "{0..2}", &[1, 2, 0], "{at.1, to.1.0}"),
        (
            "(count.0, 5, 'a')",
            "{0..2}",
            &[0, 1, 2],
            "(count.0, 5, 'a')",
        ),
        // The image need not be a value of the script.
        ("few.A", "ID", &[2, 1, 0, 3], "few.C"),
        ("Int", "{0..2}", &[1, 2, 0], "Int"),
        ("({0..}, Char)", "ID", &[1, 2, 0, 3], "({0..}, Char)"),
    ] {
        let found = permuted(expression, "{| move, at |}", ty, images);
        assert_eq!(found.as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn what_cannot_be_permuted_for_certain_is_undecided() {
    for (expression, ty, images) in [
        ("STOP", "ID", &[1, 0, 2, 3][..]),
        ("<none -> STOP>", "ID", &[1, 0, 2, 3]),
        ("\\ x @ x", "ID", &[1, 0, 2, 3]),
        ("(A, card)", "ID", &[1, 0, 2, 3]),
        ("Seq(ID)", "ID", &[1, 0, 2, 3]),
        ("0", "{0..2}", &[1, 2, 0]),
        ("count.1", "{0..2}", &[1, 2, 0]),
        ("{1..}", "{0..2}", &[1, 2, 0]),
    ] {
        let problem = permuted(expression, "{| move, at |}", ty, images).unwrap_err();
        assert_eq!(problem.code, "unsupported", "{expression}");
        assert_eq!(
            problem.severity,
            base::diag::Severity::Undecided,
            "{expression}"
        );
        assert_eq!(problem.labels.len(), 1, "{expression}");
    }
}

/// Every event that carries values of some kind, over sets that permutations keep.
const CLOSED: &str = "Union({ {| none, move, at, to, pair, some, flag, sets, either.7, either.8 |},
    {list.<x, y> | x <- Index, y <- Index}, {either.<x, y> | x <- Index, y <- Index},
    {table.(| x => n, y => m |) | x <- ID, y <- ID, n <- Index, m <- Index},
    {msg.Put.x.n, msg.Nested.Nested.Put.x.n, msg.Get.(x, b), msg.p, msg.Nested.p, count.n
      | x <- ID, n <- Index, b <- Bool, p <- {Ping, Pong}} })";

fn images(size: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..size).collect::<Vec<usize>>()).prop_shuffle()
}

/// The lifting as a map of all events.
fn map(
    evaluator: &mut Evaluator<'_>,
    ty: &TypedValues,
    images: &[usize],
    events: &[EventId],
) -> BTreeMap<EventId, EventId> {
    let pairs = evaluator.lift(ty, images, events).unwrap().unwrap();
    let mut map: BTreeMap<EventId, EventId> = events.iter().map(|&event| (event, event)).collect();
    map.extend(pairs);
    map
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lifting is a homomorphism from the permutations of a type to those of events.
    #[test]
    fn lifting_keeps_products_and_inverses(four in (images(4), images(4)), three in (images(3), images(3))) {
        with_script(SCRIPT, CLOSED, |evaluator, id| {
            let events = events(evaluator, id);
            let types = evaluator.permutable_types(&events).unwrap();
            for ty in &types {
                let (first, second) = match ty.values.len() {
                    4 => four.clone(),
                    3 => three.clone(),
                    _ => (vec![1, 0], vec![0, 1]),
                };
                let product: Vec<usize> = first.iter().map(|&i| second[i]).collect();
                let mut inverse = first.clone();
                first.iter().enumerate().for_each(|(i, &image)| inverse[image] = i);
                let a = map(evaluator, ty, &first, &events);
                let b = map(evaluator, ty, &second, &events);
                let ab = map(evaluator, ty, &product, &events);
                let back = map(evaluator, ty, &inverse, &events);
                for event in &events {
                    assert_eq!(ab[event], b[&a[event]], "{}", name(evaluator, *event));
                    assert_eq!(back[&a[event]], *event, "{}", name(evaluator, *event));
                }
            }
            let names: Vec<&str> = types.iter().map(|ty| ty.name.as_str()).collect();
            assert_eq!(names, ["Bool", "ID", "Msg", "{0..2}", "{0..3}", "{7..8}"]);
        });
    }
}
