//! Random small processes over every operator, some of them recursive.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use crate::oracle::{Event, Full, P, Set};

/// The number of definitions that a random process can call.
pub(crate) const DEFINITIONS: usize = 2;

/// A process with the definitions it calls.
pub(crate) fn system() -> impl Strategy<Value = (Vec<P>, P)> {
    (vec(definition(), DEFINITIONS), process())
}

/// Any process that calls the definitions.
pub(crate) fn process() -> impl Strategy<Value = P> {
    let leaf = prop_oneof![2 => constant(), 3 => (0..DEFINITIONS).prop_map(P::Call)];
    leaf.prop_recursive(3, 8, 3, |p| operator(p.boxed()))
}

/// A definition, which calls others only in tail positions, below a prefix: a regular process.
fn definition() -> impl Strategy<Value = P> {
    let finite = constant()
        .prop_recursive(2, 4, 2, |p| operator(p.boxed()))
        .boxed();
    let leaf = prop_oneof![
        3 => (0..DEFINITIONS).prop_map(P::Call),
        1 => finite.clone(),
    ];
    let tail = leaf.prop_recursive(3, 6, 2, move |tail| {
        let two = vec(tail.clone(), 1..3);
        let boxed = tail.clone().prop_map(Box::new);
        let first = finite.clone();
        let first_boxed = finite.clone().prop_map(Box::new);
        prop_oneof![
            4 => prefix(tail.clone()),
            1 => two.clone().prop_map(P::External),
            1 => two.prop_map(P::Internal),
            1 => (boxed.clone(), boxed.clone()).prop_map(|(p, q)| P::Sliding(p, q)),
            1 => (first, tail).prop_map(|(p, q)| P::Seq(vec![p, q])),
            1 => (first_boxed.clone(), boxed.clone()).prop_map(|(p, q)| P::Interrupt(p, q)),
            1 => (first_boxed, set(), boxed).prop_map(|(p, s, q)| P::Exception(p, s, q)),
        ]
    });
    prefix(tail)
}

fn event() -> impl Strategy<Value = Event> + Clone {
    2_u32..5
}

/// A few events.
pub(crate) fn set() -> impl Strategy<Value = Set> + Clone {
    btree_set(event(), 0..3)
}

fn prefix(after: impl Strategy<Value = P>) -> impl Strategy<Value = P> {
    vec((event(), after), 1..3).prop_map(P::Prefix)
}

fn constant() -> impl Strategy<Value = P> {
    let chain = vec(event(), 1..3).prop_map(|events| {
        events
            .into_iter()
            .rfold(P::Skip, |after, e| P::Prefix(vec![(e, after)]))
    });
    prop_oneof![
        2 => Just(P::Stop),
        4 => Just(P::Skip),
        1 => Just(P::Div),
        1 => set().prop_map(P::Run),
        1 => set().prop_map(P::Chaos),
        1 => buffer(),
        6 => chain,
    ]
}

fn buffer() -> impl Strategy<Value = P> {
    let ports = prop_oneof![
        Just(vec![(2, 3)]),
        Just(vec![(2, 3), (4, 5)]),
        Just(vec![(4, 2)])
    ];
    let full = prop_oneof![
        Just(Full::Refuse),
        (2_u32..6).prop_map(Full::Signal),
        (2_u32..6, 2_u32..6).prop_map(|(e, f)| Full::Status(e, f)),
    ];
    (1_usize..3, ports, full).prop_map(|(capacity, ports, full)| P::Buffer(capacity, ports, full))
}

/// Every operator over operands from `p`.
fn operator(p: BoxedStrategy<P>) -> impl Strategy<Value = P> {
    let boxed = p.clone().prop_map(Box::new);
    let two = (boxed.clone(), boxed.clone());
    let with_set = (boxed.clone(), set(), boxed.clone());
    let renaming = vec((event(), event()), 0..3);
    let ties = prop_oneof![
        Just(vec![(2, 3)]),
        Just(vec![(3, 3)]),
        Just(vec![(2, 2), (3, 4)])
    ];
    let choices = prop_oneof![
        prefix(p.clone()),
        vec(p.clone(), 0..4).prop_map(P::External),
        vec(p.clone(), 1..3).prop_map(P::Internal),
        two.clone().prop_map(|(p, q)| P::Sliding(p, q)),
        (set(), vec(p.clone(), 0..4)).prop_map(|(s, ps)| P::SyncChoice(s, ps)),
    ];
    let handing_over = prop_oneof![
        vec(p.clone(), 0..4).prop_map(P::Seq),
        two.prop_map(|(p, q)| P::Interrupt(p, q)),
        with_set.clone().prop_map(|(p, s, q)| P::Exception(p, s, q)),
        with_set.prop_map(|(p, s, q)| P::SyncInterrupt(p, s, q)),
    ];
    let parallels = prop_oneof![
        (set(), vec(p.clone(), 0..4)).prop_map(|(s, ps)| P::Parallel(s, ps)),
        vec((set(), p.clone()), 0..4).prop_map(P::Alphabetised),
        (boxed.clone(), ties, boxed.clone()).prop_map(|(p, ties, q)| P::Linked(p, ties, q)),
    ];
    let relabellings = prop_oneof![
        (boxed.clone(), set()).prop_map(|(p, s)| P::Hide(p, s)),
        (boxed.clone(), set()).prop_map(|(p, s)| P::Project(p, s)),
        (boxed, renaming).prop_map(|(p, pairs)| P::Rename(p, pairs)),
    ];
    prop_oneof![choices, handing_over, parallels, relabellings]
}
