//! The different violations that a search finds, against plain enumeration of all states.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroUsize;

use super::*;
use crate::check::{CheckOptions, CheckResult, Outcome, check, in_this_process, twisted_check};
use crate::path::Violation;
use base::cancel::Cancellation;
use base::threads::Threads;
use lts::model::Model as Semantics;
use lts::normal_form::NormalForm;
use machine::packing::PackedState;
use process::event::TAU;
use process::termination::Termination;
use symmetry::pbisim::Symmetry;
use symmetry::representative::{GeneralPlan, Itself, Method};
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;

/// The allowed transitions of a pair, and the kinds of its violations.
struct Listed {
    next: Vec<(EventId, Vec<u64>)>,
    wrong: BTreeSet<ViolationKind>,
    /// The number of steps that lead to the pair.
    distance: usize,
}

/// All pairs that are reached, by plain enumeration; nothing here is shared with the search but the
/// transitions.
fn listed(product: &Product<'_>, specification: &NormalForm) -> BTreeMap<Vec<u64>, Listed> {
    let initial: Vec<u64> = product.successors.initial(product.packing.words());
    let mut all: BTreeMap<Vec<u64>, Listed> = BTreeMap::new();
    let mut open = VecDeque::from([(initial, 0)]);
    while let Some((state, distance)) = open.pop_front() {
        if all.contains_key(&state) {
            continue;
        }
        let (mut next, mut wrong, mut labels) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        let mut scratch = Scratch::new(product.packing.words());
        let mut emit = |rule, event, target: &Vec<u64>| {
            labels.insert(event);
            match product.follow(&state, event) {
                Allowance::Refused => {
                    let leaves = participants(product.machine, rule);
                    wrong.insert(ViolationKind::Event(event, leaves));
                }
                Allowance::Free => {}
                Allowance::Allowed(word, flip) => {
                    let mut target = target.clone();
                    target.flip(word, flip);
                    open.push_back((target.clone(), distance + 1));
                    next.push((event, target));
                }
            }
        };
        product.successors.for_each(&state, &mut scratch, &mut emit);
        let acceptances = specification.acceptances(product.specification_state(&state));
        if let Some(acceptances) = acceptances.filter(|_| !labels.contains(&TAU)) {
            let is_allowed = |set: &Vec<EventId>| set.iter().all(|event| labels.contains(event));
            if specification.model().has_failures() && !acceptances.iter().any(is_allowed) {
                wrong.insert(resting(product, &state, labels.into_iter().collect()));
            }
        }
        let here = Listed {
            next,
            wrong,
            distance,
        };
        all.insert(state, here);
    }
    if product.forbids_divergence {
        add_divergences(&mut all);
    }
    all
}

/// Adds a divergence where τ can go on for ever: leaves out, again and again, the states without a
/// τ to a state that is left.
fn add_divergences(all: &mut BTreeMap<Vec<u64>, Listed>) {
    let mut left: BTreeSet<Vec<u64>> = all.keys().cloned().collect();
    loop {
        let goes_on = |state: &Vec<u64>| {
            let mut next = all[state].next.iter();
            next.any(|(event, target)| *event == TAU && left.contains(target))
        };
        let rest: BTreeSet<Vec<u64>> = left.iter().filter(|s| goes_on(s)).cloned().collect();
        if rest.len() == left.len() {
            break;
        }
        left = rest;
    }
    for state in left {
        let here = all.get_mut(&state).unwrap();
        here.wrong.insert(ViolationKind::Divergence);
    }
}

/// By kind, the number of steps to the nearest violation of that kind.
fn enumerated(product: &Product<'_>, specification: &NormalForm) -> BTreeMap<ViolationKind, usize> {
    let mut kinds: BTreeMap<ViolationKind, usize> = BTreeMap::new();
    for listed in listed(product, specification).into_values() {
        for kind in listed.wrong {
            let nearest = kinds.entry(kind).or_insert(listed.distance);
            *nearest = (*nearest).min(listed.distance);
        }
    }
    kinds
}

/// The part of a violation that a path shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    Event(EventId),
    Rest(Vec<EventId>),
    Revival(Vec<EventId>, EventId),
    Divergence,
}

fn shown_of(kind: &ViolationKind) -> Shown {
    match kind {
        ViolationKind::Event(event, _) => Shown::Event(*event),
        ViolationKind::Refusal(offers) => Shown::Rest(offers.clone()),
        ViolationKind::Deadlock(_) => Shown::Rest(Vec::new()),
        ViolationKind::Revival(offers, event) => Shown::Revival(offers.clone(), *event),
        ViolationKind::Divergence => Shown::Divergence,
    }
}

fn paths(result: CheckResult) -> Vec<(usize, Shown)> {
    assert_eq!(result.cut, None);
    let first = match result.outcome {
        Outcome::Violated(path) => Some(path),
        Outcome::Holds => None,
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    };
    let shown = |path: Path| {
        let violation = match path.violation {
            Violation::Event(step) => Shown::Event(step.label),
            Violation::Refusal(offers) => Shown::Rest(offers),
            Violation::Revival(offers, step) => Shown::Revival(offers, step.label),
            Violation::Divergence => Shown::Divergence,
        };
        (path.steps.len(), violation)
    };
    first.into_iter().chain(result.further).map(shown).collect()
}

fn wanting(further: usize, threads: usize) -> CheckOptions {
    CheckOptions {
        further,
        threads: Threads::new(NonZeroUsize::new(threads).unwrap()),
        ..CheckOptions::default()
    }
}

/// The specification of the model, deadlock freedom, and divergence freedom.
fn specifications(model: &CopiesCheck) -> Vec<NormalForm> {
    let results = model.machine.rules.iter().map(|rule| rule.result);
    let events: BTreeSet<EventId> = results.filter(|event| event.is_visible()).collect();
    let events: Vec<EventId> = events.into_iter().collect();
    vec![
        model.normal_form.clone(),
        NormalForm::deadlock_free(&events, Semantics::Failures, Termination::Event),
        NormalForm::divergence_free(&events),
    ]
}

/// Compares a plain search with enumeration; returns the number of kinds.
fn compare_plain(model: &CopiesCheck, specification: &NormalForm, what: &str) -> usize {
    let never = Cancellation::never();
    let product = Product::new(specification, &model.machine, never).unwrap();
    let expected = enumerated(&product, specification);
    let all = check(specification, &model.machine, &wanting(1_000_000, 1)).unwrap();
    let first = check(specification, &model.machine, &wanting(0, 1)).unwrap();
    assert_eq!(all.outcome, first.outcome, "{what}: the first is another");
    let found = paths(all);
    let lengths: Vec<usize> = found.iter().map(|(length, _)| *length).collect();
    assert!(lengths.is_sorted(), "{what}: {lengths:?}");
    let mut sorted = found.clone();
    sorted.sort();
    let kinds = expected.iter();
    let mut wanted: Vec<_> = kinds.map(|(kind, &at)| (at, shown_of(kind))).collect();
    wanted.sort();
    assert_eq!(sorted, wanted, "{what}");
    // Neither the number of threads, nor that of violations wanted, changes which come first.
    let itself = || Itself::new(&model.machine, specification.state_count());
    for (further, threads, stretch) in [(1, 1, 2048), (2, 2, 1), (1_000_000, 3, 4)] {
        let search = in_this_process::<Vec<u64>, _>(&product, itself(), &wanting(further, threads));
        let search = search.unwrap().in_stretches_of(stretch);
        let fewer = paths(search.run().unwrap_or_else(|_| panic!("{what}")));
        let count = found.len().min(further + 1);
        assert_eq!(fewer, found[..count], "{what}, {threads} threads");
    }
    found.len()
}

/// `kind`, moved by `symmetry`; only events are looked at.
fn moved(kind: &ViolationKind, symmetry: &Symmetry) -> Option<ViolationKind> {
    let ViolationKind::Event(event, leaves) = kind else {
        return None;
    };
    let leaves = leaves.iter().map(|&leaf| symmetry.pbisim.leaf(leaf));
    let mut leaves: Vec<LeafId> = leaves.collect();
    leaves.sort_unstable();
    Some(ViolationKind::Event(symmetry.events.apply(*event), leaves))
}

/// Compares a search of representatives with enumeration in the traces model: each kind has an
/// image that was found, by a path as short as any of an image, and nothing else was found.
fn compare_twisted(model: &CopiesCheck, what: &str) {
    let group = model.group();
    let elements = group.closure(10_000).unwrap();
    let method = Method::General(GeneralPlan::new(&group).unwrap());
    let options = wanting(1_000_000, 1);
    let result = twisted_check(&model.normal_form, &model.machine, &method, None, &options);
    let found = paths(result.unwrap());
    let never = Cancellation::never();
    let product = Product::new(&model.normal_form, &model.machine, never).unwrap();
    let expected = enumerated(&product, &model.normal_form);
    for kind in expected.keys() {
        let images = elements.iter().filter_map(|element| moved(kind, element));
        let images: Vec<ViolationKind> = images.collect();
        let nearest = images.iter().filter_map(|image| expected.get(image)).min();
        let is_found = |(length, shown): &(usize, Shown)| {
            Some(length) == nearest && images.iter().any(|image| shown_of(image) == *shown)
        };
        assert!(found.iter().any(is_found), "{what}: {kind:?} in {found:?}");
    }
    for (length, shown) in &found {
        let is_there =
            |(kind, at): (&ViolationKind, &usize)| shown_of(kind) == *shown && at <= length;
        assert!(expected.iter().any(is_there), "{what}: {shown:?}");
    }
}

#[test]
fn a_search_finds_each_kind_of_violation_by_a_shortest_path() {
    let (mut several, mut by_symmetry) = ([0; 3], 0);
    for seed in 0..300 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        for (number, specification) in specifications(&model).iter().enumerate() {
            let what = format!("seed {seed}, specification {number}");
            let kinds = compare_plain(&model, specification, &what);
            several[number] += u32::from(kinds > 1);
        }
        if model.group().generators().iter().any(|g| !g.is_identity()) {
            compare_twisted(&model, &format!("seed {seed}"));
            by_symmetry += 1;
        }
    }
    assert!(several[0] > 20 && several[1] > 3, "{several:?}");
    assert!(by_symmetry > 20, "{by_symmetry}");
}
