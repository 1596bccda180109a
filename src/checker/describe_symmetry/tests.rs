//! Descriptions of symmetries of a small machine.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::*;
use base::source::Span;
use lts::explore::LeafLimits;
use machine::{CompileOptions, compile};
use process::event::EventSetId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use symmetry::ProofRule;
use symmetry::candidates::PermutableValues;
use symmetry::pbisim::Pbisim;
use symmetry::permutation::EventPermutation;
use symmetry::refusal::{Refusal, Why};

/// `X = x -> y -> X`
fn cycle(table: &mut DefinitionTable, name: &str, events: [&str; 2]) -> TermId {
    let again = table.call(name);
    let terms = table.terms_mut();
    let [first, second] = events.map(|event| terms.events.intern(event));
    let rest = terms.prefix(vec![(second, again)]);
    let body = terms.prefix(vec![(first, rest)]);
    table.define(name, body);
    again
}

/// `(A ||| B) /\ C`
fn machine() -> (DefinitionTable, Machine) {
    let mut table = DefinitionTable::new();
    let a = cycle(&mut table, "A", ["a", "b"]);
    let b = cycle(&mut table, "B", ["b", "a"]);
    let c = cycle(&mut table, "C", ["c", "c"]);
    let terms = table.terms_mut();
    let none: EventSetId = terms.events.intern_set(Vec::new());
    let both = terms.parallel(none, vec![a, b]);
    let system = terms.interrupt(both, c);
    let options = CompileOptions::new(LeafLimits::all(100));
    let machine = compile(&mut table, system, &options).unwrap();
    (table, machine)
}

/// The symmetry that exchanges a and b, and the states of A and B: between the two, or, where
/// `turned`, within each.
fn symmetry(table: &DefinitionTable, turned: bool) -> Symmetry {
    let events = &table.terms().events;
    let [a, b] = ["a", "b"].map(|name| events.find(name).unwrap());
    let images = if turned { [0, 1, 2, 3] } else { [0, 2, 1, 3] };
    let states: Arc<[u32]> = if turned { [1, 0, 2] } else { [0, 1, 2] }.into();
    let by_leaf = vec![[0, 1].into(), states.clone(), states, [0].into()];
    Symmetry {
        events: EventPermutation::from_pairs([(a, b), (b, a)]).unwrap(),
        pbisim: Pbisim::new(images.map(LeafId).to_vec(), by_leaf),
        specification: if turned { [0, 1, 2] } else { [0, 2, 1] }.into(),
    }
}

fn generator(table: &DefinitionTable, turned: bool, source: SymmetrySource) -> NamedSymmetry {
    NamedSymmetry {
        symmetry: symmetry(table, turned),
        name: "(a b)".to_string(),
        source,
    }
}

fn letters() -> TypeFinding {
    TypeFinding {
        name: "LETTER".to_string(),
        values: ["a", "b", "c", "d", "e", "f"].map(str::to_string).to_vec(),
        permutable: PermutableValues {
            free: vec![vec![0, 1]],
            turning: vec![vec![3, 2, 4]],
            fixed: vec![5],
            ..PermutableValues::default()
        },
    }
}

#[test]
fn types_are_described_by_their_values() {
    let strings = |words: &str| words.split(' ').map(str::to_string).collect::<Vec<_>>();
    let expected = TypeSymmetry {
        name: "LETTER".to_string(),
        free: vec![strings("a b")],
        turning: vec![strings("d c e")],
        fixed: strings("f"),
        complete: true,
    };
    assert_eq!(type_symmetry(&letters()), expected);
}

#[test]
fn generators_say_where_they_come_from_and_what_they_move() {
    let (table, _) = machine();
    let describe =
        |turned, source| generator_description(&generator(&table, turned, source), &[letters()]);
    let swap = GeneratorDescription {
        name: "(a b)".to_string(),
        source: "type LETTER".to_string(),
        moves_initial: false,
        moves_specification: true,
        leaves: vec![(1, 2), (2, 1)],
    };
    assert_eq!(describe(false, SymmetrySource::Type(0)), swap);
    let turn = GeneratorDescription {
        source: "claimed".to_string(),
        moves_initial: true,
        moves_specification: false,
        leaves: vec![(1, 1), (2, 2)],
        ..swap
    };
    assert_eq!(describe(true, SymmetrySource::Claim), turn);
    assert_eq!(
        describe(true, SymmetrySource::EqualOperands).source,
        "equal operands"
    );
}

#[test]
fn relations_come_with_the_transitions_they_preserve() {
    let (table, machine) = machine();
    let generators = [false, true].map(|turned| generator(&table, turned, SymmetrySource::Claim));
    let description = pbisims(&machine, &generators, &table.terms().events);
    assert_eq!(description.events, ["a", "b", "c"]);
    let graphs: Vec<_> = description
        .graphs
        .iter()
        .map(|graph| (graph.transitions.as_slice(), graph.off))
        .collect();
    assert_eq!(
        graphs,
        [
            // The controller of the interrupt moves with the event c, after which A and B are off.
            (&[(0, 2, 1), (1, 2, 1)][..], None),
            (&[(0, 0, 1), (1, 1, 0)], Some(2)),
            (&[(0, 1, 1), (1, 0, 0)], Some(2)),
            (&[(0, 2, 0)], None),
        ]
    );
    let leaf = |from, to, states: [u32; 3]| LeafRelation {
        from,
        to,
        states: states.to_vec(),
    };
    let cycle = vec![vec!["a".to_string(), "b".to_string()]];
    let swap = RelationDescription {
        events: cycle.clone(),
        specification: vec![(1, 2), (2, 1)],
        leaves: vec![leaf(1, 2, [0, 1, 2]), leaf(2, 1, [0, 1, 2])],
    };
    let turn = RelationDescription {
        events: cycle,
        specification: Vec::new(),
        leaves: vec![leaf(1, 1, [1, 0, 2]), leaf(2, 2, [1, 0, 2])],
    };
    assert_eq!(description.relations, [swap, turn]);
}

#[test]
fn rejections_say_where_and_why() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.csp", "-- A\nP = Q\n");
    let refusal = Refusal {
        rule: ProofRule::Unfold,
        left: "P".to_string(),
        right: "Q".to_string(),
        span: Some(Span::new(file, 9, 10)),
        why: Why::Machine("its rules are not symmetric".to_string()),
    };
    let rejection = Rejection {
        name: "(a c)".to_string(),
        why: Arc::new(refusal),
        of_type: 0,
    };
    let description = rejection_description(&rejection, &EventTable::new(), &sources);
    assert_eq!(
        (description.name.as_str(), description.place.as_deref()),
        ("(a c)", Some("a.csp:2:5"))
    );
    assert!(description.reason.contains("its rules are not symmetric"));
}
