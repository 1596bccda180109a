//! Refinement in the models of revivals and refusal testing: examples by value, and searches with
//! symmetries on random symmetric systems. `tests/semantics/oracle_observations.rs` compares random
//! systems with the definitions of the models.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroUsize;

use super::*;
use crate::check::{CheckOptions, CheckResult, Outcome, check, twisted_check};
use crate::path::{Path, Violation};
use base::threads::Threads;
use lts::explore::LeafLimits;
use lts::graph::Lts;
use lts::model::Model::{
    self, RefusalTesting, RefusalTestingDivergences, Revivals, RevivalsDivergences,
};
use lts::testing::lts;
use machine::explicit::explicit;
use machine::{CompileOptions, Machine, compile_observed};
use process::event::TICK;
use process::observation::ObservedStep;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use process::termination::Termination;
use symmetry::pbisim::Symmetry;
use symmetry::representative::{GeneralPlan, Method, MinimalPlan, apply};
use symmetry::testing::CopiesCheck;
use testkit::copies::{CopyStep, Shape};
use testkit::random::RandomNumbers;

const A: EventId = EventId(2);
const B: EventId = EventId(3);
const C: EventId = EventId(4);
const D: EventId = EventId(5);
/// An event that is hidden: it becomes τ.
const HIDDEN: EventId = EventId(6);

type Rows<'a> = &'a [&'a [(EventId, u32)]];

/// The machine of a process that does what `rows` say; ✓ leads to a state that does nothing.
fn machine(rows: Rows<'_>) -> Machine {
    let mut table = DefinitionTable::new();
    for (name, event) in ["a", "b", "c", "d", "e"].into_iter().zip(2..) {
        assert_eq!(table.terms_mut().events.intern(name), EventId(event));
    }
    table.terms_mut().read_termination(Termination::Event);
    let calls: Vec<TermId> = (0..rows.len())
        .map(|state| table.call(&state.to_string()))
        .collect();
    for (state, row) in rows.iter().enumerate() {
        let terms = table.terms_mut();
        let choices = row.iter().map(|&(event, target)| match event {
            TICK => terms.skip(),
            TAU => terms.prefix(vec![(HIDDEN, calls[target as usize])]),
            event => terms.prefix(vec![(event, calls[target as usize])]),
        });
        let choices: Vec<TermId> = choices.collect();
        let body = terms.external_choice(choices);
        table.define(&state.to_string(), body);
    }
    let hidden = table.terms_mut().events.intern_set(vec![HIDDEN]);
    let process = table.terms_mut().hide(calls[0], hidden);
    let options = CompileOptions::new(LeafLimits::all(1000));
    compile_observed(&mut table, process, &options).unwrap()
}

fn form(specification: &Lts, model: Model) -> NormalForm {
    NormalForm::of(specification, model, 1000, Cancellation::never()).unwrap()
}

/// The observed steps of `path`, and the violation at its end.
fn shown(path: &Path) -> (Vec<ObservedStep>, Violation) {
    let steps = path.steps.iter().enumerate();
    let steps = steps.filter(|(_, step)| step.label != TAU);
    let steps = steps.map(|(place, step)| ObservedStep {
        rest: path.rests.get(place).cloned().flatten(),
        event: step.label,
    });
    (steps.collect(), path.violation.clone())
}

/// The first violation, its missing event or revival as [`event`] and [`revival`] write it.
fn found(
    model: Model,
    specification: Rows<'_>,
    implementation: Rows<'_>,
) -> Option<(Vec<ObservedStep>, Wrong)> {
    let form = form(&lts(specification), model);
    let options = CheckOptions::default();
    match check(&form, &machine(implementation), &options)
        .unwrap()
        .outcome
    {
        Outcome::Holds => None,
        Outcome::Violated(path) => {
            let (steps, violation) = shown(&path);
            Some((
                steps,
                match violation {
                    Violation::Event(step) => Wrong::Event(step.label),
                    Violation::Refusal(offers) => Wrong::Refusal(offers),
                    Violation::Revival(offers, step) => Wrong::Revival(offers, step.label),
                    Violation::Divergence => Wrong::Divergence,
                },
            ))
        }
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    }
}

#[derive(PartialEq, Eq, Debug)]
enum Wrong {
    Event(EventId),
    Refusal(Vec<EventId>),
    Revival(Vec<EventId>, EventId),
    Divergence,
}

/// `a -> b -> STOP |~| (a -> c -> STOP [] d -> STOP)`, and the same with b and c the other way
/// round.
const STRAIGHT: Rows<'static> = &[
    &[(TAU, 1), (TAU, 2)],
    &[(A, 3)],
    &[(A, 4), (D, 5)],
    &[(B, 5)],
    &[(C, 5)],
    &[],
];
const CROSSED: Rows<'static> = &[
    &[(TAU, 1), (TAU, 2)],
    &[(A, 3)],
    &[(A, 4), (D, 5)],
    &[(C, 5)],
    &[(B, 5)],
    &[],
];

#[test]
fn an_event_comes_before_a_refusal_and_that_before_a_revival() {
    let either: Rows<'_> = &[
        &[(TAU, 1), (TAU, 2)],
        &[(A, 3), (B, 3)],
        &[(C, 3), (D, 3)],
        &[],
    ];
    let wrong = |implementation| found(Revivals, either, implementation).map(|found| found.1);
    assert_eq!(
        wrong(&[&[(A, 1), (D, 1)], &[]]),
        Some(Wrong::Refusal(vec![A, D]))
    );
    let more = wrong(&[&[(A, 1), (C, 1), (D, 1)], &[]]);
    assert_eq!(more, Some(Wrong::Revival(vec![A, C, D], A)));
    let longer = found(Revivals, either, &[&[(A, 1), (B, 1)], &[(A, 1)]]);
    let seen = vec![ObservedStep::unseen(A)];
    assert_eq!(longer, Some((seen, Wrong::Event(A))));
    // All sets are unions here, that of no events too.
    assert_eq!(found(Revivals, either, either), None);
    assert_eq!(wrong(&[&[]]), Some(Wrong::Refusal(vec![])));
}

#[test]
fn refusal_testing_alone_remembers_what_was_offered() {
    for model in [Revivals, RevivalsDivergences] {
        assert_eq!(found(model, STRAIGHT, CROSSED), None);
    }
    let seen = ObservedStep {
        rest: Some(vec![A]),
        event: A,
    };
    for model in [RefusalTesting, RefusalTestingDivergences] {
        let (steps, wrong) = found(model, STRAIGHT, CROSSED).unwrap();
        assert_eq!((&steps[..], wrong), (&[seen.clone()][..], Wrong::Event(C)));
        assert_eq!(found(model, STRAIGHT, STRAIGHT), None);
    }
}

#[test]
fn termination_is_an_event() {
    let offers: Rows<'_> = &[&[(TICK, 1), (A, 1)], &[]];
    let slides: Rows<'_> = &[&[(TAU, 1), (A, 2)], &[(TICK, 2)], &[]];
    let wrong = |p, q| found(RefusalTesting, p, q).map(|found| found.1);
    assert_eq!(wrong(offers, slides), Some(Wrong::Refusal(vec![TICK])));
    // The event done from a rest may be ✓.
    assert_eq!(
        wrong(slides, offers),
        Some(Wrong::Revival(vec![TICK, A], A))
    );
    let unsure: Rows<'_> = &[&[(TAU, 1), (TICK, 2)], &[(A, 2)], &[]];
    assert_eq!(
        wrong(unsure, offers),
        Some(Wrong::Revival(vec![TICK, A], TICK))
    );
}

#[test]
fn after_a_divergence_everything_is_allowed_where_that_counts() {
    let diverges: Rows<'_> = &[&[(A, 1)], &[(TAU, 1)]];
    let rests: Rows<'_> = &[&[(A, 1)], &[(B, 1)]];
    let seen = || vec![ObservedStep::unseen(A)];
    assert_eq!(
        found(Revivals, diverges, rests),
        Some((seen(), Wrong::Event(B)))
    );
    assert_eq!(found(RevivalsDivergences, diverges, rests), None);
    let divergence = found(RevivalsDivergences, rests, diverges);
    assert_eq!(divergence, Some((seen(), Wrong::Divergence)));
}

#[test]
fn nothing_is_found_behind_a_rest_that_is_wrong() {
    // The machine rests without b. Its events from that rest count only where rests are forgotten.
    let wanted: Rows<'_> = &[&[(A, 1), (B, 1)], &[]];
    let made: Rows<'_> = &[&[(A, 1)], &[(C, 2)], &[]];
    let options = CheckOptions {
        further: 5,
        ..CheckOptions::default()
    };
    let all = |model| {
        let result = check(&form(&lts(wanted), model), &machine(made), &options).unwrap();
        assert!(matches!(result.outcome, Outcome::Violated(_)));
        result
            .further
            .iter()
            .map(|path| path.violation.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(all(RefusalTesting), []);
    assert!(matches!(all(Revivals)[..], [Violation::Event(step), ..] if step.label == C));
}

#[test]
fn only_steps_that_depend_on_rests_are_kept() {
    let steps = |rows| form(&lts(rows), RefusalTesting).after_rests(NormalForm::INITIAL);
    let of = |found: &[AfterRest]| -> Vec<(Vec<EventId>, Vec<EventId>)> {
        let events = |after: &AfterRest| after.row.iter().map(|&(event, _)| event).collect();
        let found = found.iter();
        found
            .map(|after| (after.offers.clone(), events(after)))
            .collect()
    };
    // After a with d offered it may be either state, after a alone only one.
    let both = [(vec![A], vec![A]), (vec![A, D], vec![A])];
    assert_eq!(of(&steps(STRAIGHT)), both);
    // Whatever else is offered, a leads to the same.
    let same: Rows<'_> = &[&[(TAU, 1), (TAU, 2)], &[(A, 3)], &[(A, 3), (D, 3)], &[]];
    assert_eq!(of(&steps(same)), []);
    // A state that does not rest shows more than one that does.
    let slides: Rows<'_> = &[&[(TAU, 1), (A, 2)], &[(A, 3)], &[(B, 3)], &[]];
    assert_eq!(of(&steps(slides)), [(vec![A], vec![A])]);
}

/// The pairs that a search without symmetries meets.
fn pairs(product: &Product<'_>) -> BTreeSet<Vec<u64>> {
    let words = product.packing.words();
    let initial: Vec<u64> = product.successors.initial(words);
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut scratch = Scratch::new(words);
    let mut rest = SeenRest::new(false);
    while let Some(state) = open.pop() {
        rest.look(product, &state, &mut scratch);
        let mut emit = |_, event: EventId, next: &Vec<u64>| {
            if let Allowance::Allowed(word, flip) = rest.follow(product, &state, event) {
                let mut next = next.clone();
                next.flip(word, flip);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        };
        product.successors.for_each(&state, &mut scratch, &mut emit);
    }
    seen
}

/// A system and what it is to refine: another one of as many copies that differs in a step or two.
fn random_pair(seed: u64, model: Model) -> Option<CopiesCheck> {
    let shape = Shape::random(seed);
    let mut other = shape.clone();
    let random = &mut RandomNumbers(seed);
    let kinds = [
        CopyStep::A,
        CopyStep::B,
        CopyStep::Lock,
        CopyStep::All,
        CopyStep::Give,
    ];
    for _ in 0..random.below(3) {
        let (from, to) = (random.below(shape.points), random.below(shape.points));
        other
            .steps
            .push((from, kinds[random.below(kinds.len())], to));
    }
    if random.below(2) == 0 {
        other.hidden = vec!["p", "lock", "m", "g"];
    }
    let specification = explicit(
        &CopiesCheck::of(&other)?.machine,
        2000,
        Cancellation::never(),
    )
    .ok()?;
    let normal_form = NormalForm::of(&specification, model, 2000, Cancellation::never()).ok()?;
    Some(CopiesCheck {
        normal_form,
        ..CopiesCheck::of(&shape)?
    })
}

/// The summary of a result: `None` if the refinement holds, else the number of steps of the path;
/// then the numbers of the search if it holds.
fn summary(result: &CheckResult) -> (Option<usize>, [u64; 3]) {
    let found = match &result.outcome {
        Outcome::Holds => None,
        Outcome::Violated(path) => Some(path.steps.len()),
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    };
    let seen = &result.statistics;
    let counts = [seen.states, seen.transitions, seen.levels];
    (found, if found.is_none() { counts } else { [0; 3] })
}

/// Compares searches of one representative per orbit with the search of all pairs. Returns true
/// first if the refinement holds, and second if rests changed where the specification goes.
fn compare(seed: u64, semantics: Model) -> Option<(bool, bool)> {
    let model = random_pair(seed, semantics)?;
    let group = model.group();
    let elements = group.closure(10_000).unwrap();
    if elements.len() == 1 {
        return None;
    }
    let (form, machine) = (&model.normal_form, &model.machine);
    let plain = check(form, machine, &CheckOptions::default()).unwrap();
    let (found, _) = summary(&plain);
    let product = Product::new(form, machine, Cancellation::never()).unwrap();
    let general = GeneralPlan::new(&group).unwrap();
    let minimal = MinimalPlan::new(&group).unwrap();
    for method in [Method::General(general), Method::Minimal(minimal)] {
        let by = |threads: usize| {
            let options = CheckOptions {
                threads: Threads::new(NonZeroUsize::new(threads).unwrap()),
                ..CheckOptions::default()
            };
            twisted_check(form, machine, &method, None, &options).unwrap()
        };
        let (alone, two) = (by(1), by(2));
        assert_eq!(alone.outcome, two.outcome, "seed {seed}");
        assert_eq!(summary(&alone), summary(&two), "seed {seed}");
        assert_eq!(
            summary(&alone).0,
            found,
            "seed {seed} {semantics:?} {:?}",
            model.shape
        );
        if found.is_none() && !product.allows_all {
            let least = |state: &Vec<u64>| {
                let image = |element: &Symmetry| apply(&product.packing, element, state);
                elements.iter().map(image).min()
            };
            let orbits: BTreeSet<_> = pairs(&product).iter().map(least).collect();
            assert_eq!(alone.statistics.states, orbits.len() as u64, "seed {seed}");
        }
    }
    let states = (0..form.state_count()).map(StateId::from_usize);
    let remembers = states
        .into_iter()
        .any(|state| !form.after_rests(state).is_empty());
    Some((found.is_none(), remembers))
}

#[test]
fn searches_with_symmetries_find_what_the_search_of_all_pairs_finds() {
    let mut seen: HashMap<(Model, bool), usize> = HashMap::new();
    let mut remembered: BTreeMap<bool, usize> = BTreeMap::new();
    for seed in 0..500 {
        for model in [
            Revivals,
            RevivalsDivergences,
            RefusalTesting,
            RefusalTestingDivergences,
        ] {
            if let Some((holds, remembers)) = compare(seed, model) {
                *seen.entry((model, holds)).or_default() += 1;
                *remembered.entry(remembers).or_default() += 1;
            }
        }
    }
    assert!(
        seen.len() == 8 && seen.values().all(|&count| count > 20),
        "{seen:?}"
    );
    assert!(remembered[&true] > 100, "{remembered:?}");
}
