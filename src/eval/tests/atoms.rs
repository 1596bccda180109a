//! Atoms: what is refused of them, and images of terms, compared step by step with terms that were
//! evaluated.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::with_script;
use crate::atom::{AtomId, AtomPermutation};
use crate::atoms::image::Image;
use crate::{AtomType, Evaluator, NOT_AN_ATOM};
use base::cancel::Cancellation;
use process::semantics::steps;
use process::term::{Definitions, TermId};
use syntax::ast::ExprId;

/// Asks an evaluator of `script` in which the values of all types that may be atoms are.
fn with_atoms<R>(
    script: &str,
    expression: &str,
    ask: impl FnOnce(&mut Evaluator<'_>, ExprId, Vec<AtomType>) -> R,
) -> R {
    with_script(script, expression, |plain, id| {
        let types = plain.atom_types().expect("the fields have sets");
        let evaluator = Evaluator::new(plain.script, Cancellation::new());
        ask(&mut evaluator.with_atoms(types.clone()), id, types)
    })
}

const DECLARED: &str = "ID = {1..3}
datatype PERSON = Ann | Bob | Eve
channel c : ID
channel p : PERSON
channel bit : {1..2}
subtype FRIEND = Ann | Bob
external mtransclose
card3 = card(ID)
pairs = { (i, j) | i <- ID, j <- ID, i != j }
others(i) = diff(ID, {i})
first(<x> ^ _) = x
only({x}) = x
";

#[test]
fn what_only_compares_is_evaluated() {
    for (expression, value) in [
        ("card3", "3"),
        ("card(pairs)", "6"),
        ("ID", "{1, 2, 3}"),
        ("{Ann, Bob, Eve}", "{Ann, Bob, Eve}"),
        ("{ others(i) | i <- ID }", "{{1, 2}, {1, 3}, {2, 3}}"),
        ("{ first(<i, j>) | i <- ID, j <- others(i) }", "{1, 2, 3}"),
        ("{ only({i}) | i <- ID }", "{1, 2, 3}"),
        ("member(ID, Set(ID))", "true"),
        ("card(Set(PERSON))", "8"),
        ("{ #<i, i> | i <- ID }", "{2}"),
        ("Union({ {i} | i <- ID }) == ID", "true"),
        (
            "{ mapLookup(mapFromList(<(i, c.i)>), i) | i <- ID } == {| c |}",
            "true",
        ),
        ("{ (\\ x @ x)(i) | i <- ID }", "{1, 2, 3}"),
        ("card({ <i, j> | i <- ID, j <- ID, <i> <= <j> })", "3"),
    ] {
        let found = with_atoms(DECLARED, expression, |evaluator, id, _| {
            let value = evaluator.value_of(id).map(|value| evaluator.show(&value));
            evaluator.check_atoms().and(value)
        });
        assert_eq!(found.as_deref(), Ok(value), "{expression}");
    }
}

#[test]
fn a_channel_with_a_mistake_has_no_types_of_atoms() {
    let script = "channel c : {0..2}.Bool\nchannel unused : {1 / 0}\nchannel d : {0..2}";
    with_script(script, "0", |evaluator, _| {
        let types = evaluator.atom_types().expect("the others have types");
        let names: Vec<&str> = types.iter().map(|ty| ty.name.as_str()).collect();
        assert_eq!(names, ["{0..2}"]);
    });
}

#[test]
fn what_looks_into_a_value_is_refused() {
    for expression in [
        "{ i + 1 | i <- ID }",
        "{ -i | i <- ID }",
        "{ i < j | i <- ID, j <- ID }",
        "{ i == 1 | i <- ID }",
        "{ (i, 2) == (i, i) | i <- ID }",
        "{ member(i, {1, 2}) | i <- ID }",
        "{ member(i, Int) | i <- ID }",
        "{ member(i, {2..}) | i <- ID }",
        "inter(ID, {1, 2})",
        "union(ID, {4})",
        "seq(ID)",
        "seq({ {i} | i <- ID })",
        "mapToList(mapFromList(<(i, i) | i <- seq(ID)>))",
        "{ show(i) | i <- ID }",
        "{ <1..i> | i <- ID }",
        "Ann",
        "{Ann, Bob}",
        "{ x == Eve | x <- PERSON }",
        "{ let f(Ann) = 0\nf(_) = 1 within f(x) | x <- PERSON }",
        "{ let f(1) = 0\nf(_) = 1 within f(i) | i <- ID }",
        "{ let f((1, y)) = y\nf(_) = 1 within f((i, 0)) | i <- ID }",
        "{ let f(Ann.y) = y\nf(_) = 1 within f(x.0) | x <- PERSON }",
        "seq(PERSON)",
        "FRIEND",
        "{Ann, Ann, Eve}",
        "{ i == j | i <- ID, j <- {1..2} }",
        "inter(ID, {1..2})",
        "diff({1..}, ID)",
        "mtransclose({ (i, j) | i <- ID, j <- ID }, ID)",
        "c.1",
        "{ c.i | i <- {1, 2} }",
        "elem(2, <i | j <- <0>, i <- <j>>) or { elem(1, <i>) | i <- ID } == {}",
    ] {
        with_atoms(DECLARED, expression, |evaluator, id, mut types| {
            let value = evaluator.value_of(id).map(|value| evaluator.show(&value));
            let value = value.and_then(|value| evaluator.check_atoms().map(|()| value));
            let problem = value.expect_err(expression);
            // Of constants one is left out, and of integers all.
            let refused = evaluator.leave_out_looked_into(&mut types, problem);
            assert_eq!(refused.expect(expression).code, NOT_AN_ATOM);
        });
    }
}

/// Processes whose states are many images of few.
const PROCESSES: &[&str] = &[
    // A queue, and a set of those that have passed.
    "ID = {1..3}
channel in, out, pass : ID
Q(q, s) = (#q < 2 & in?i -> Q(q ^ <i>, s)) [] (not null(q) & out.first(q) -> Q(tail(q), union(s, {first(q)})))
  [] ([] i : s @ pass.i -> Q(q, diff(s, {i})))
first(<x> ^ _) = x
ALL = Q(<>, {})",
    // Components, alphabets and a resource.
    "datatype ID = A | B | C
channel take, put : ID
channel see : ID.ID
U(i) = take.i -> put.i -> U(i) [] see.i?j:diff(ID, {i}) -> U(i)
R(last) = take?i -> R(<i>) [] put?i -> R(last)
ALL = (|| i : ID @ [union({take.i, put.i}, { see.i.j | j <- ID })] U(i)) [| {| take, put |} |] R(<>)",
    // Closures, maps and internal choices.
    "ID = {1..3}
channel set, get : ID.ID
channel t
CELLS(m) = set?i?j -> CELLS(mapUpdate(m, i, j)) [] WITH(\\ i @ mapMember(m, i), m)
WITH(f, m) = [] i : { i | i <- ID, f(i) } @ get.i!mapLookup(m, i) -> CELLS(m)
ALL = (CELLS(emptyMap) [| {| set |} |] (|~| i : ID @ set.i?j -> t -> set.j.i -> STOP)) \\ {t}",
    // Renaming, interrupts, exceptions and sequences of processes.
    "datatype ID = A | B | C
channel a, b : ID
channel stop
P(i, j) = a.i -> SKIP ; (b?k -> P(j, k) [] a?k:{i, j} -> P(k, i))
ALL = |~| i : ID @ ((P(i, i)[[ b.j <- a.j | j <- ID ]] /\\ stop -> STOP) [| {stop} |> SKIP)",
];

/// All terms that `start` becomes.
fn reached(evaluator: &mut Evaluator<'_>, start: TermId) -> Vec<TermId> {
    let (mut met, mut seen, mut next) = (vec![start], BTreeSet::from([start]), 0);
    while let Some(&term) = met.get(next) {
        for step in steps(evaluator, term).expect("it has steps") {
            if seen.insert(step.target) {
                met.push(step.target);
            }
        }
        assert!(met.len() < 5_000, "the processes are small");
        next += 1;
    }
    met
}

/// The exchanges of two atoms of one type that follow each other.
fn exchanges(evaluator: &Evaluator<'_>) -> Vec<AtomPermutation> {
    let identity = evaluator.identity();
    let atoms: Vec<AtomId> = identity.indices().collect();
    let exchange = |pair: &[AtomId]| {
        let mut images = (*identity).clone();
        (images[pair[0]], images[pair[1]]) = (pair[1], pair[0]);
        Rc::new(images)
    };
    atoms.windows(2).map(exchange).collect()
}

/// The images of the steps of `term`, in an order.
fn moved_steps(
    evaluator: &mut Evaluator<'_>,
    term: TermId,
    by: &AtomPermutation,
) -> Vec<(String, TermId)> {
    let all = steps(evaluator, term).expect("it has steps");
    let mut image = Image::under(evaluator, by);
    let moved = all.iter().map(|step| {
        let label = image.event(step.label).expect("events have images");
        (label, image.term(step.target).expect("terms have images"))
    });
    let moved: Vec<_> = moved.collect();
    let events = &evaluator.terms().events;
    let moved = moved
        .into_iter()
        .map(|(label, target)| (events.name(label).to_string(), target));
    let mut moved: Vec<(String, TermId)> = moved.collect();
    moved.sort();
    moved
}

#[test]
fn steps_of_images_are_images_of_steps() {
    for script in PROCESSES {
        with_atoms(script, "ALL", |evaluator, id, _| {
            let start = evaluator.process_of(id).expect("it is a process");
            // All terms are evaluated first: an image is then a call that has a body of its own.
            let terms = reached(evaluator, start);
            assert!(terms.len() > 10, "{} terms: {script}", terms.len());
            let identity = evaluator.identity();
            let mut moved = 0;
            for exchange in exchanges(evaluator) {
                for &term in &terms {
                    let image = Image::under(evaluator, &exchange).term(term);
                    let image = image.expect("terms have images");
                    let found = moved_steps(evaluator, image, &identity);
                    let expected = moved_steps(evaluator, term, &exchange);
                    assert_eq!(found, expected, "{script}");
                    moved += usize::from(image != term);
                }
            }
            assert!(moved > 10, "{script}");
        });
    }
}

#[test]
fn what_is_reached_is_found_without_steps() {
    for script in PROCESSES {
        with_atoms(script, "ALL", |evaluator, id, types| {
            let start = evaluator.process_of(id).expect("it is a process");
            let reached = evaluator.atoms_reached(start, usize::MAX);
            assert_eq!(
                reached.expect("nothing looks into it"),
                Some(types),
                "{script}"
            );
            let few = evaluator.atoms_reached(start, 10);
            assert_eq!(few.expect("nothing looks into it"), None, "{script}");
        });
    }
}

#[test]
fn types_that_no_state_has_are_not_reached() {
    let script = "ID = {1..3}
datatype PERSON = Ann | Bob
channel c : ID
channel p : PERSON
P = c?i -> P
ALL = P ||| RUN({| p |})
TWICE = c?i -> c.i -> (TWICE ||| RUN({| p |}))
LATE = c?i -> (STOP /\\ p?x -> p.x -> STOP)";
    for (expression, names) in [
        ("P", &[][..]),
        ("ALL", &[]),
        ("TWICE", &["{1..3}"]),
        ("LATE", &["PERSON"]),
    ] {
        with_atoms(script, expression, |evaluator, id, _| {
            let start = evaluator.process_of(id).expect("it is a process");
            let reached = evaluator.atoms_reached(start, usize::MAX);
            let reached = reached
                .expect("nothing looks into it")
                .expect("it is small");
            let found: Vec<&str> = reached.iter().map(|ty| ty.name.as_str()).collect();
            assert_eq!(found, names, "{expression}");
        });
    }
}

#[test]
fn what_is_looked_into_late_is_refused_without_steps() {
    let declared = "external prioritise
ID = {1..3}
channel c, d : ID
P(i) = if i == 1 then STOP else c.i -> P(i)
Q(i) = c.i -> Q(i) [] d.i -> P(i)
R = prioritise(c?i -> STOP, <{| c |}, {| d |}>)
";
    for expression in [
        "|~| i : ID @ Q(i)",
        "STOP [> c?i -> Q(i)",
        "(c?i -> Q(i)) [| {| c, d |} |] STOP",
        "(c?i -> Q(i)) \\ {| c, d |}",
        "SKIP ; c?i -> Q(i)",
        "(STOP /\\ STOP) ; c?i -> Q(i)",
        "(c?i -> Q(i))[[ c.i <- d.i | i <- ID ]]",
        "R",
    ] {
        with_atoms(declared, expression, |evaluator, id, mut types| {
            let reached = evaluator.process_of(id);
            let reached = reached.and_then(|start| evaluator.atoms_reached(start, usize::MAX));
            let problem = reached.expect_err(expression);
            let is_refused = problem.code == NOT_AN_ATOM
                || evaluator.leave_out_looked_into(&mut types, problem).is_ok();
            assert!(is_refused, "{expression}");
        });
    }
}

#[test]
fn images_have_one_representative() {
    for script in PROCESSES {
        with_atoms(script, "ALL", |evaluator, id, _| {
            let start = evaluator.process_of(id).expect("it is a process");
            let terms = reached(evaluator, start);
            let mut represented = BTreeSet::new();
            for exchange in exchanges(evaluator) {
                for &term in &terms {
                    let image = Image::under(evaluator, &exchange).term(term);
                    let mut both = [vec![term], vec![image.expect("terms have images")]];
                    for one in &mut both {
                        evaluator.represent(one).expect("it has a representative");
                    }
                    assert_eq!(both[0], both[1], "{script}");
                    represented.insert(both[0].clone());
                }
            }
            let (few, all) = (represented.len(), terms.len());
            assert!(few * 2 < all, "{few} of {all}: {script}");
        });
    }
}
