//! Random walks through random terms.

use super::rest::{Rests, machine_of};
use super::walk::ProcessWalk;
use super::why::Possibility;
use base::cancel::Cancellation;
use process::compression::Compression::{
    Chase, Dbisim, Deter, Diamond, ModelCompress, Normal, Sbisim, TauLoopFactor, Wbisim,
};
use process::event::TAU;
use process::runs::rests_with;
use process::semantics::Semantics;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use report::walk::WhyVerdict;
use testkit::depth::{cases, seeds};
use testkit::terms::Generator;

/// The limit on calls.
const LIMIT: usize = 1000;

/// The names of the steps of a walk. At each state the choice of this number is taken, counted
/// around.
fn names(table: &mut DefinitionTable, term: TermId, numbers: &[usize]) -> Vec<String> {
    let mut walk = ProcessWalk::start(table, term, LIMIT).unwrap();
    let mut names = Vec::new();
    for &number in numbers {
        let choices = walk.choices(table).unwrap();
        check_choices(table, &mut walk, numbers);
        let Some(choice) = choices.get(number % choices.len().max(1)) else {
            break;
        };
        let events = &table.terms().events;
        let (label, origin) = (choice.taken.step.label, choice.taken.step.origin);
        let who = choice.taken.parts.iter();
        let who: Vec<&str> = who.map(|part| part.name.as_str()).collect();
        names.push(format!(
            "{} {} {} {}",
            events.name(label),
            events.name(origin),
            choice.taken.alike_before,
            who.join(" ")
        ));
        walk.take(table, choice).unwrap();
    }
    assert_eq!(walk.len(), names.len());
    check_going_back(table, &mut walk);
    names
}

/// The choices are the transitions of the term, and no two have the same name.
fn check_choices(table: &mut DefinitionTable, walk: &mut ProcessWalk, numbers: &[usize]) {
    let choices = walk.choices(table).unwrap();
    let steps = Semantics::new().steps(table, walk.term()).unwrap();
    assert_eq!(choices.len(), steps.len(), "{numbers:?}");
    let mut found: Vec<_> = choices
        .iter()
        .map(|c| (c.taken.step.label, c.taken.step.origin))
        .collect();
    let mut wanted: Vec<_> = steps.iter().map(|s| (s.label, s.origin)).collect();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let key = |i: usize| {
        let taken = &choices[i].taken;
        let hidden = (taken.step.label == TAU).then_some(taken.step.origin);
        (taken.step.label, hidden, taken.alike_before)
    };
    let mut keys: Vec<_> = (0..choices.len()).map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), choices.len(), "names are unique");
    let rest = rests_with(&mut Semantics::new(), table, walk.term()).unwrap();
    assert_eq!(walk.rests(table).unwrap().is_stable, rest.is_some());
    for step in steps.iter().filter(|step| step.label != TAU) {
        let possibility = Possibility::of(table, walk, step.label).unwrap();
        assert_eq!(possibility.verdict, WhyVerdict::Offered);
        assert!(!possibility.ways.all.is_empty());
    }
}

/// Going back leads to the terms from which the steps were taken.
fn check_going_back(table: &mut DefinitionTable, walk: &mut ProcessWalk) {
    let taken: Vec<_> = walk.taken().cloned().collect();
    for steps in (0..taken.len()).rev() {
        walk.truncate(steps);
        let choices = walk.choices(table).unwrap();
        assert!(choices.iter().any(|choice| choice.taken == taken[steps]));
        let components = walk.components(table).unwrap();
        let parts = walk.taken().flat_map(|taken| &taken.parts);
        assert!(
            parts
                .into_iter()
                .all(|part| part.component < components.len())
        );
    }
}

#[test]
fn a_walk_offers_what_the_rules_say_under_names_that_do_not_depend_on_what_was_met_before() {
    for seed in seeds(20, 80) {
        let numbers = [seed, 3 * seed + 1, 7, seed / 2, 11, 5 * seed].map(|n| n as usize);
        let mut first = Generator::new(seed);
        let term = first.term(3, true);
        let found = names(&mut first.table, term, &numbers);
        // Another table, in which other walks were taken before.
        let mut second = Generator::new(seed);
        let again = second.term(3, true);
        names(&mut second.table, again, &[5, 2, 9, 4, 1]);
        names(&mut second.table, again, &[0, 0, 1, 8]);
        assert_eq!(
            names(&mut second.table, again, &numbers),
            found,
            "seed {seed}"
        );
    }
}

/// A walk inside `chase` does what the rules say of the whole, and shows the components where the
/// `chase` goes on from: who takes part in a step has offered it.
#[test]
fn a_chase_is_opened() {
    let (mut chased, mut taken) = (0, 0);
    for seed in seeds(150, 1000) {
        let mut generator = Generator::new(seed);
        let parts = [0, 1].map(|_| generator.term(3, true));
        let table = &mut generator.table;
        let terms = table.terms_mut();
        let event = terms.events.intern("a");
        let set = terms.events.intern_set(vec![event]);
        let both = terms.parallel(set, parts.to_vec());
        let hidden = terms.hide(both, set);
        let term = terms.compress([Chase, Deter][seed as usize % 2], hidden);
        let mut walk = ProcessWalk::start(table, term, LIMIT).unwrap();
        for number in 0..5 {
            // Where the τ have no end there are no steps.
            let Ok(steps) = Semantics::new().steps(table, walk.term()) else {
                break;
            };
            chased += walk.chased().last().map_or(0, <[_]>::len);
            let components = walk.components(table).unwrap();
            let choices = walk.choices(table).unwrap();
            assert_eq!(choices.len(), steps.len(), "seed {seed}");
            for part in choices.iter().flat_map(|choice| &choice.taken.parts) {
                let offered = components.get(part.component);
                let offered = offered.and_then(|component| component.running.as_ref());
                assert!(
                    offered.is_none_or(|running| running.offers.contains(&part.step.label)),
                    "seed {seed}, step {number}: {part:?}"
                );
            }
            let Some(choice) = choices.get((seed as usize / 3 + number) % choices.len().max(1))
            else {
                break;
            };
            walk.take(table, choice).unwrap();
            taken += 1;
        }
    }
    assert!(
        chased > cases(20, 200) && taken > cases(100, 700),
        "{chased}, {taken}"
    );
}

/// A machine comes to rest with the same sets as the terms that it stands for, also after steps
/// that have left compressions behind.
#[test]
fn a_machine_rests_as_the_terms_do() {
    let compressions = [
        Wbisim,
        Dbisim,
        Sbisim,
        TauLoopFactor,
        Diamond,
        Normal,
        ModelCompress,
    ];
    let (mut compared, mut recompressed) = (0, 0);
    for seed in seeds(250, 1000) {
        let mut generator = Generator::new(seed);
        let parts = [0, 1].map(|_| generator.term(3, true));
        let table = &mut generator.table;
        let terms = table.terms_mut();
        let compression = compressions[seed as usize % compressions.len()];
        let parts = parts.map(|part| terms.compress(compression, part));
        let event = terms.events.intern("a");
        let set = terms.events.intern_set(vec![event]);
        let both = terms.parallel(set, parts.to_vec());
        let term = terms.hide(both, set);
        let mut walk = ProcessWalk::start(table, term, LIMIT).unwrap();
        for number in 0..4 {
            let whole = walk.term();
            let compressed = walk.recompressed(table).unwrap();
            let terms = Rests::of_terms(table, whole, LIMIT);
            let machine = machine_of(table, compressed);
            if let (Ok(terms), Ok(machine)) = (terms, machine) {
                let rests = Rests::of_machine(machine, Cancellation::never());
                assert_eq!(rests.unwrap(), terms, "seed {seed}, step {number}");
                compared += 1;
                recompressed += usize::from(!walk.is_empty() && whole != compressed);
            }
            let choices = walk.choices(table).unwrap();
            let Some(choice) = choices.get((seed as usize / 3 + number) % choices.len().max(1))
            else {
                break;
            };
            walk.take(table, choice).unwrap();
        }
    }
    assert!(
        compared > cases(375, 2000) && recompressed > cases(37, 200),
        "{compared}, {recompressed}"
    );
}
