//! Machines with their copies in order, compared with all their states.

use super::*;
use crate::compile;
use crate::explicit::{explicit_process, listed};
use crate::tests::{OPTIONS, Rows, are_bisimilar};
use base::cancel::Cancellation;
use lts::graph::Lts;
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::Definitions;
use testkit::depth::{cases, seeds};
use testkit::terms::Generator;

fn rows(lts: &Lts) -> Rows {
    let row = |state| {
        let row = lts.row(state).iter();
        row.map(|&(event, target)| (event, target.0)).collect()
    };
    lts.states().map(row).collect()
}

/// All states of the machine of `term`, and the states with copies in order; `None` if there are
/// many.
fn both(table: &mut DefinitionTable, term: TermId) -> Option<(Rows, Rows)> {
    let machine = compile(table, term, &OPTIONS).ok()?;
    let token = Cancellation::never();
    let all = explicit_process(&machine, 3000, token).ok()?;
    let ordered = listed(&machine, 3000, token).ok()?;
    Some((rows(&all), rows(&ordered?)))
}

/// A term in which copies of a random process stand beside each other, perhaps inside other copies,
/// and below other operators.
fn with_copies(generator: &mut Generator, seed: usize) -> TermId {
    let copy = generator.term(1 + seed % 2, true);
    let other = generator.term(1, true);
    let (set, alphabet, hidden) = (generator.set(), generator.set(), generator.set());
    let priority = generator.priority();
    let terms = generator.table.terms_mut();
    let parallel = match seed / 2 % 5 {
        0 => terms.interleave(vec![copy, copy, copy]),
        1 => terms.parallel(set, vec![copy, other, copy]),
        2 => terms.alphabetised(vec![(alphabet, copy), (set, copy), (alphabet, copy)]),
        3 => {
            let inner = terms.parallel(set, vec![copy, copy]);
            terms.parallel(set, vec![copy, inner])
        }
        _ => {
            let inner = terms.interleave(vec![copy, copy]);
            terms.parallel(set, vec![inner, inner, copy])
        }
    };
    match seed / 10 % 5 {
        0 => parallel,
        1 => terms.hide(parallel, hidden),
        2 => terms.sequential(vec![parallel, other]),
        3 => terms.prioritise(parallel, &priority),
        _ => terms.external_choice(vec![parallel, other]),
    }
}

#[test]
fn machines_with_copies_in_order_are_bisimilar_to_all_their_states() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in seeds(1000, 4000) {
        let mut generator = Generator::new(seed);
        let term = with_copies(&mut generator, seed as usize);
        let Some((all, ordered)) = both(&mut generator.table, term) else {
            continue;
        };
        assert!(are_bisimilar(&all, &ordered), "seed {seed}");
        assert!(ordered.len() <= all.len(), "seed {seed}");
        compared += 1;
        smaller += usize::from(ordered.len() < all.len());
    }
    assert!(compared > cases(700, 3000), "only {compared} were compared");
    assert!(smaller > cases(187, 1000), "only {smaller} were smaller");
}

/// The process a -> b -> STOP, and the events a and b.
fn two_steps(table: &mut DefinitionTable) -> (TermId, [EventId; 2]) {
    let terms = table.terms_mut();
    let events = ["a", "b"].map(|name| terms.events.intern(name));
    let stop = terms.stop();
    let then = terms.prefix(vec![(events[1], stop)]);
    (terms.prefix(vec![(events[0], then)]), events)
}

#[test]
fn copies_are_counted_not_told_apart() {
    let mut table = DefinitionTable::new();
    let (process, _) = two_steps(&mut table);
    let term = table.terms_mut().interleave(vec![process; 6]);
    let (all, ordered) = both(&mut table, term).unwrap();
    // There are six processes of three states each; an ordered state tells how many are in each.
    assert_eq!((all.len(), ordered.len()), (729, 28));
}

#[test]
fn copies_with_different_alphabets_are_told_apart() {
    let mut table = DefinitionTable::new();
    let (process, [a, b]) = two_steps(&mut table);
    let terms = table.terms_mut();
    let sets = [vec![a], vec![a, b]].map(|events| terms.events.intern_set(events));
    let term = terms.alphabetised(sets.map(|set| (set, process)).to_vec());
    let (all, ordered) = both(&mut table, term).unwrap();
    assert_eq!(all, ordered);
}
