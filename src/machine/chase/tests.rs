//! Chases on machines, compared with the rules of terms.

use super::CHASE_LOST;
use crate::explicit::explicit;
use crate::tests::{OPTIONS, Rows, are_bisimilar, machine_rows, term_rows};
use crate::{CompileOptions, Machine, compile};
use base::cancel::Cancellation;
use lts::explore::explore;
use lts::graph::StateId;
use lts::model::Model;
use lts::normal_form::NormalForm;
use process::compression::Compression;
use process::event::{EventId, EventSetId, TAU};
use process::operator::Operator;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use testkit::depth::{cases, seeds};
use testkit::random::RandomNumbers;
use testkit::terms::Generator;

const FACTS: usize = 5;

/// A process for each fact, which can be heard, and said once it is known. Random pairs of facts
/// let a third one be inferred, which is hidden.
fn deductions(table: &mut DefinitionTable, random: &mut RandomNumbers) -> TermId {
    let mut heard: Vec<Vec<EventId>> = vec![Vec::new(); FACTS];
    let mut learnt = heard.clone();
    let mut needed = heard.clone();
    let mut hidden = Vec::new();
    for fact in 0..FACTS {
        let events = &mut table.terms_mut().events;
        heard[fact].push(events.intern(&format!("hear.{fact}")));
        needed[fact].push(events.intern(&format!("say.{fact}")));
    }
    for step in 0..FACTS + 1 {
        let event = table.terms_mut().events.intern(&format!("infer.{step}"));
        let conclusion = random.below(FACTS);
        // Otherwise a fact could be inferred from itself for ever.
        let another = |n: usize| (conclusion + 1 + n) % FACTS;
        let premises = [(); 2].map(|()| another(random.below(FACTS - 1)));
        hidden.push(event);
        learnt[conclusion].push(event);
        for premise in premises {
            if !needed[premise].contains(&event) {
                needed[premise].push(event);
            }
        }
    }
    let mut members: Vec<(EventSetId, TermId)> = Vec::new();
    for fact in 0..FACTS {
        let known = table.call(&format!("KNOWN({fact})"));
        let unknown = table.call(&format!("UNKNOWN({fact})"));
        let to_known = |events: &[EventId]| events.iter().map(|&e| (e, known)).collect::<Vec<_>>();
        let learns = [&heard[fact][..], &learnt[fact][..]].concat();
        let loops = [&heard[fact][..], &needed[fact][..]].concat();
        let alphabet = [&learns[..], &loops[..]].concat();
        let terms = table.terms_mut();
        let (unknown_body, known_body) = (
            terms.prefix(to_known(&learns)),
            terms.prefix(to_known(&loops)),
        );
        members.push((terms.events.intern_set(alphabet), unknown));
        table.define(&format!("UNKNOWN({fact})"), unknown_body);
        table.define(&format!("KNOWN({fact})"), known_body);
    }
    let terms = table.terms_mut();
    let hidden = terms.events.intern_set(hidden);
    let all = terms.alphabetised(members);
    terms.hide(all, hidden)
}

/// The process `chase` somewhere in a larger process.
fn around(table: &mut DefinitionTable, chase: TermId, way: usize) -> TermId {
    let terms = table.terms_mut();
    let [go, hear, say] = ["go", "hear.0", "say.1"].map(|name| terms.events.intern(name));
    let (stop, skip) = (terms.stop(), terms.skip());
    let set = terms.events.intern_set(vec![hear, say]);
    let first = terms.prefix(vec![(go, chase)]);
    let other = terms.prefix(vec![(say, stop), (go, skip)]);
    match way {
        0 => chase,
        1 => first,
        2 => terms.external_choice(vec![chase, other]),
        3 => terms.interrupt(chase, other),
        4 => terms.parallel(set, vec![chase, other]),
        5 => terms.hide(chase, set),
        6 => terms.sliding_choice(chase, other),
        7 => terms.exception(chase, set, other),
        8 => terms.internal_choice(vec![first, chase]).unwrap(),
        9 => {
            let again = terms.rename(chase, vec![(hear, go)]);
            terms.interleave(vec![again, other])
        }
        _ => {
            let before = terms.prefix(vec![(say, skip)]);
            terms.sequential(vec![before, chase])
        }
    }
}

fn rows(machine: &Machine) -> Rows {
    machine_rows::<Vec<u64>>(machine, &machine.packing(3))
}

#[test]
fn chased_deductions_are_those_of_the_terms() {
    for seed in 0..400 {
        let mut table = DefinitionTable::new();
        let mut random = RandomNumbers(seed);
        let knowledge = deductions(&mut table, &mut random);
        let chase = table.terms_mut().compress(Compression::Chase, knowledge);
        let term = around(&mut table, chase, seed as usize % 11);
        let plain = term_rows(&mut table, term).unwrap();
        let machine = compile(&mut table, term, &OPTIONS).unwrap();
        assert!(is_followed(&machine), "seed {seed}");
        assert!(are_bisimilar(&plain, &rows(&machine)), "seed {seed}");
        let options = CompileOptions {
            chases_are_leaves: true,
            ..OPTIONS
        };
        let machine = compile(&mut table, term, &options).unwrap();
        assert!(
            !is_followed(&machine) && !machine.follows_chases(),
            "seed {seed}"
        );
        assert!(are_bisimilar(&plain, &rows(&machine)), "seed {seed}");
    }
}

fn is_followed(machine: &Machine) -> bool {
    let mut nodes = machine.nodes.iter();
    nodes.any(|node| matches!(node.operator(), Some(Operator::Compress(_))))
}

/// The choice of τ may matter here, so the machine may differ from the term. But it does nothing
/// that the process without `chase` cannot do, and never a τ.
#[test]
fn whatever_is_chased_is_at_rest_and_does_no_more() {
    let mut compared = 0;
    for seed in seeds(600, 3000) {
        let mut generator = Generator::new(seed);
        let process = generator.term(3, true);
        let table = &mut generator.table;
        let chase = table
            .terms_mut()
            .compress(Compression::ChaseNoCache, process);
        let Ok(machine) = compile(table, chase, &OPTIONS) else {
            continue;
        };
        let Ok(plain) = explore(table, process, &OPTIONS.limits) else {
            continue;
        };
        let token = Cancellation::never();
        let chased = match explicit(&machine, 10_000, token) {
            Ok(chased) if is_followed(&machine) => chased,
            _ => continue,
        };
        let allowed = NormalForm::of(&plain.lts, Model::Traces, 10_000, token).unwrap();
        let mut open = vec![(StateId(0), NormalForm::INITIAL)];
        let mut seen: std::collections::HashSet<_> = open.iter().copied().collect();
        while let Some((state, at)) = open.pop() {
            for &(event, target) in chased.row(state) {
                assert_ne!(event, TAU, "seed {seed}");
                let next = (target, allowed.successor(at, event).unwrap());
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        compared += 1;
    }
    assert!(compared > cases(150, 1000), "only {compared} were compared");
}

#[test]
fn a_chase_without_an_end_is_given_up() {
    let mut table = DefinitionTable::new();
    let call = table.call("P");
    let terms = table.terms_mut();
    let [a, b] = ["a", "b"].map(|name| terms.events.intern(name));
    let body = terms.prefix(vec![(a, call)]);
    let both = terms.interleave(vec![call, call]);
    let set = terms.events.intern_set(vec![a]);
    let hidden = terms.hide(both, set);
    let chase = terms.compress(Compression::Chase, hidden);
    let later = terms.prefix(vec![(b, chase)]);
    table.define("P", body);
    for term in [chase, later] {
        let machine = compile(&mut table, term, &OPTIONS).unwrap();
        assert!(!machine.has_lost_a_chase());
        let error = explicit(&machine, 100, Cancellation::never()).unwrap_err();
        assert_eq!(error.code, CHASE_LOST);
        assert!(machine.has_lost_a_chase());
        let options = CompileOptions {
            chases_are_leaves: true,
            ..OPTIONS
        };
        let error = compile(&mut table, term, &options).unwrap_err();
        assert_eq!(error.code, "chase-divergence");
    }
}

#[test]
fn what_the_machine_cannot_chase_is_a_leaf() {
    let mut generator = Generator::with_priorities(1);
    let priority = generator.priority();
    let table = &mut generator.table;
    let call = table.call("P");
    let terms = table.terms_mut();
    let both = terms.interleave(vec![call, call]);
    let prioritised = terms.prioritise(both, &priority);
    let compressed = terms.compress(Compression::Wbisim, both);
    let chased = terms.compress(Compression::Chase, both);
    let mixed = [prioritised, compressed, chased].map(|p| terms.interleave(vec![p, call]));
    for inside in [call, prioritised, compressed].into_iter().chain(mixed) {
        let terms = table.terms_mut();
        let chase = terms.compress(Compression::Chase, inside);
        let deter = terms.compress(Compression::Deter, inside);
        for term in [chase, deter] {
            let machine = compile(table, term, &OPTIONS).unwrap();
            assert_eq!(machine.leaves.len(), 1);
            assert!(!machine.follows_chases());
        }
    }
}
