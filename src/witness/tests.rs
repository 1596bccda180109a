//! Paths that the replay accepts, and paths that it must reject.

use std::collections::{BTreeSet, HashSet};

use super::after::After;
use super::listed::Listed;
use super::*;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::source::SourceMap;
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile, compile_observed};
use process::acceptance::minimal;
use process::compression::Compression;
use process::event::{EventId, TAU, TICK};
use process::observation::ObservedStep;
use process::operator::Operator;
use process::semantics::Semantics;
use process::semantics::focus::Focused;
use process::table::DefinitionTable;
use refine::check::{CheckOptions, Outcome, check, twisted_check};
use refine::path::{PathStep, Violation};
use symmetry::choice::{WantedMethod, choose};
use symmetry::structure::recognise;
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;
use testkit::terms::Generator;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

struct Fixture {
    table: DefinitionTable,
    a: EventId,
    b: EventId,
    specification: TermId,
    implementation: TermId,
}

/// `a -> STOP` against `((a -> b -> SKIP) ||| (b -> STOP)) \ {b}; a -> b -> STOP`, with all `b` of
/// the first part hidden.
fn fixture() -> Fixture {
    let mut table = DefinitionTable::new();
    let terms = table.terms_mut();
    let (a, b) = (terms.events.intern("a"), terms.events.intern("b"));
    let (stop, skip) = (terms.stop(), terms.skip());
    let specification = terms.prefix(vec![(a, stop)]);
    let b_skip = terms.prefix(vec![(b, skip)]);
    let left = terms.prefix(vec![(a, b_skip)]);
    let both = terms.interleave(vec![left, b_skip]);
    let set = terms.events.intern_set(vec![b]);
    let hidden = terms.hide(both, set);
    let b_stop = terms.prefix(vec![(b, stop)]);
    let implementation = terms.sequential(vec![hidden, b_stop]);
    Fixture {
        table,
        a,
        b,
        specification,
        implementation,
    }
}

/// A path with these labels that no search has found.
pub(crate) fn made_up_path(labels: &[EventId]) -> Path {
    let step = |&label: &EventId| PathStep {
        label,
        origin: label,
    };
    let (last, before) = labels.split_last().unwrap();
    Path {
        steps: before.iter().map(step).collect(),
        run: None,
        rests: Vec::new(),
        violation: Violation::Event(step(last)),
        twisted: None,
    }
}

fn explained(labels: &[EventId]) -> Result<Refutation> {
    let mut f = fixture();
    let path = made_up_path(labels);
    let claim = Claim::Refines(f.specification, Model::Traces);
    let subject = (f.implementation, None);
    explain(&mut f.table, &claim, subject, &path, &OPTIONS)
}

#[test]
fn runs_are_found_again_with_their_origins() {
    let f = fixture();
    let found = explained(&[TAU, f.a, TAU, TAU, f.b]).unwrap();
    assert_eq!(found.trace(), [f.a]);
    assert_eq!(found.event(), Some(f.b));
    let origins: Vec<EventId> = found.steps.iter().map(|step| step.origin).collect();
    assert_eq!(origins, [f.b, f.a, f.b, TICK]);
}

#[test]
fn wrong_paths_are_internal_errors() {
    let f = fixture();
    for wrong in [
        vec![f.b],
        vec![f.a],
        vec![TAU],
        vec![f.a, TAU],
        vec![f.a, f.a],
        vec![TAU, TAU, f.a],
        vec![TAU, f.a, TAU, f.b],
        vec![f.a, TAU, TAU, TICK],
    ] {
        let error = explained(&wrong).unwrap_err();
        assert_eq!(error.code, "internal-replay", "{wrong:?}");
        assert_eq!(error.severity, base::diag::Severity::Undecided);
    }
}

/// The states that `set` leads to by `event` and then τ, or by τ alone.
fn after(lts: &Lts, set: &BTreeSet<StateId>, event: Option<EventId>) -> BTreeSet<StateId> {
    let step = |s: &StateId, e: EventId| {
        lts.row(*s)
            .iter()
            .filter(move |t| t.0 == e)
            .map(|t| t.1)
            .collect::<Vec<_>>()
    };
    let mut open: Vec<StateId> = match event {
        Some(event) => set.iter().flat_map(|s| step(s, event)).collect(),
        None => set.iter().copied().collect(),
    };
    let mut closed = BTreeSet::new();
    while let Some(state) = open.pop() {
        if closed.insert(state) {
            open.extend(step(&state, TAU));
        }
    }
    closed
}

/// The number of steps of the shortest violation, by brute force over sets.
fn shortest_violation(specification: &Lts, implementation: &Lts) -> Option<usize> {
    let start = after(specification, &BTreeSet::from([Lts::INITIAL]), None);
    let mut level = vec![(start, Lts::INITIAL)];
    let mut seen: HashSet<(BTreeSet<StateId>, StateId)> = level.iter().cloned().collect();
    for depth in 1.. {
        let mut next = Vec::new();
        for (set, state) in &level {
            for &(event, target) in implementation.row(*state) {
                let set = if event == TAU {
                    set.clone()
                } else {
                    after(specification, set, Some(event))
                };
                if set.is_empty() {
                    return Some(depth);
                }
                if seen.insert((set.clone(), target)) {
                    next.push((set, target));
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    None
}

/// Checks one random refinement. Returns the length of its shortest counterexample.
fn check_random(seed: u64) -> Option<Option<usize>> {
    let limits = LeafLimits::all(200);
    let mut generator = Generator::new(seed);
    let specification = generator.term(2, true);
    let implementation = generator.term(3, true);
    let table = &mut generator.table;
    let plain_specification = explore(table, specification, &limits).ok()?.lts;
    let plain_implementation = explore(table, implementation, &limits).ok()?.lts;
    let options = CompileOptions {
        minimise: !seed.is_multiple_of(3),
        ..CompileOptions::new(limits)
    };
    let machine = compile(table, implementation, &options).ok()?;
    let normal_form = NormalForm::of(
        &plain_specification,
        Model::Traces,
        60,
        Cancellation::never(),
    )
    .ok()?;
    let check_options = CheckOptions::default();
    let result = check(&normal_form, &machine, &check_options).unwrap();
    let expected = shortest_violation(&plain_specification, &plain_implementation);
    match result.outcome {
        Outcome::Holds => assert_eq!(expected, None, "seed {seed}"),
        Outcome::Violated(path) => {
            assert_eq!(Some(path.steps.len() + 1), expected, "seed {seed}");
            let claim = Claim::Refines(specification, Model::Traces);
            let subject = (implementation, Some(&machine));
            let found = explain(table, &claim, subject, &path, &options).unwrap();
            assert_eq!(found.event(), path.labels().pop(), "seed {seed}");
        }
        Outcome::Stopped(reason) => panic!("seed {seed}: {reason:?}"),
    }
    Some(expected)
}

#[test]
fn verdicts_are_those_of_brute_force_and_counterexamples_are_shortest() {
    let expected: Vec<Option<usize>> = (0..1500).filter_map(check_random).collect();
    let longest = expected.iter().flatten().max();
    assert!(
        expected.len() > 850,
        "only {} were small enough",
        expected.len()
    );
    assert!(expected.iter().filter(|e| e.is_none()).count() > 100);
    assert!(longest >= Some(&5), "{longest:?}");
}

/// Checks a random symmetric system by the algorithm that is chosen for it. Returns the length of
/// its counterexample.
fn check_symmetric(seed: u64) -> Option<usize> {
    let mut model = CopiesCheck::of(&Shape::random(seed))?;
    let group = model.group();
    let method = choose(
        &model.machine,
        &group,
        &at_leisure(|token| recognise(&group, token)),
        WantedMethod::default(),
    )
    .unwrap()
    .method?;
    let options = CheckOptions::default();
    let (specification, machine) = (&model.normal_form, &model.machine);
    let result = twisted_check(specification, machine, &method, None, &options).unwrap();
    let Outcome::Violated(path) = result.outcome else {
        return None;
    };
    let claim = Claim::Refines(model.specification, Model::Traces);
    let subject = (model.implementation, Some(&model.machine));
    let found = explain(&mut model.table, &claim, subject, &path, &OPTIONS).unwrap();
    assert_eq!(found.event(), path.labels().pop(), "seed {seed}");
    Some(path.steps.len())
}

#[test]
fn counterexamples_of_twisted_searches_replay() {
    let lengths: Vec<usize> = (2000..2600).filter_map(check_symmetric).collect();
    assert!(lengths.len() > 80, "only {} are violated", lengths.len());
    assert!(lengths.iter().filter(|&&length| length > 3).count() > 10);
}

/// Compares the transitions of every term that `term` soon becomes with those found one label and
/// origin at a time.
fn check_focus(table: &mut DefinitionTable, term: TermId) -> Option<usize> {
    let (mut focused, mut whole) = (Focused::new(), Semantics::new());
    let mut open = vec![term];
    let mut seen = HashSet::from([term]);
    let mut compared = 0;
    while let Some(term) = open.pop() {
        let steps = whole.steps(table, term).ok()?;
        let mut asked: BTreeSet<(EventId, EventId)> =
            steps.iter().map(|s| (s.label, s.origin)).collect();
        // Some pairs are added that the term may not have.
        let events: Vec<EventId> = asked.iter().flat_map(|&(a, b)| [a, b]).collect();
        asked.extend(events.iter().map(|&event| (TAU, event)));
        asked.extend(events.iter().map(|&event| (event, TICK)));
        for (label, origin) in asked {
            let expected = steps.iter().copied();
            let expected = expected.filter(|s| (s.label, s.origin) == (label, origin));
            let found = focused.steps(table, term, Some(label), Some(origin));
            let found = found.unwrap();
            assert_eq!(found, expected.collect::<Vec<_>>());
            compared += found.len();
            let labelled = steps.iter().copied().filter(|s| s.label == label);
            let found = focused.steps(table, term, Some(label), None).unwrap();
            assert_eq!(found, labelled.collect::<Vec<_>>());
            let same_origin = steps.iter().copied().filter(|s| s.origin == origin);
            let found = focused.steps(table, term, None, Some(origin)).unwrap();
            assert_eq!(found, same_origin.collect::<Vec<_>>());
        }
        for step in steps {
            if seen.len() < 60 && seen.insert(step.target) {
                open.push(step.target);
            }
        }
    }
    Some(compared)
}

#[test]
fn transitions_that_are_asked_for_are_those_among_all() {
    let check = |seed| {
        let mut generator = Generator::new(seed);
        // Several operators in one: small terms are listed as a whole.
        let parts = [0; 4].map(|_| generator.term(3, true));
        let table = &mut generator.table;
        let terms = table.terms_mut();
        let first = terms.events.intern("a");
        let all: Vec<EventId> = (first.0..first.0 + 3).map(EventId).collect();
        let some = terms.events.intern_set(vec![first]);
        let none = terms.events.intern_set(Vec::new());
        let mut term = terms.interleave(parts[..2].to_vec());
        for (i, &part) in parts.iter().enumerate() {
            term = terms.over(Operator::Parallel(some), [term, part]);
            term = match (seed as usize + i) % 6 {
                0 => terms.hide(term, some),
                1 => terms.rename(term, vec![(all[0], all[1])]),
                2 => terms.over(Operator::Sequential, [term, part]),
                3 => terms.exception(term, some, part),
                4 => {
                    let alphabets = [some, none, some].into();
                    terms.over(Operator::Alphabetised(alphabets), [term, part, part])
                }
                _ => terms.compress(Compression::Wbisim, term),
            };
        }
        check_focus(table, term)
    };
    let compared: Vec<usize> = (0..600).filter_map(check).collect();
    assert!(compared.len() > 400, "only {} were small", compared.len());
    assert!(compared.iter().sum::<usize>() > 20_000);
}

/// Follows a random specification along random traces, term by term and listed. Returns the number
/// of sets that were compared.
fn compare_followers(seed: u64) -> Option<usize> {
    let mut generator = Generator::new(seed);
    let part = generator.term(3, true);
    let table = &mut generator.table;
    let term = match seed % 3 {
        0 => part,
        1 => table.terms_mut().compress(Compression::Wbisim, part),
        _ => table.terms_mut().compress(Compression::Normal, part),
    };
    let limits = LeafLimits::all(200);
    explore(table, term, &limits).ok()?;
    let mut compared = 0;
    // Traces of three of ✓, a, b and c.
    for number in 0..64 {
        let trace = [16, 4, 1].map(|digit| EventId(1 + number / digit % 4));
        for is_observed in [false, true] {
            compared += follow(table, term, &trace, is_observed)?;
        }
    }
    Some(compared)
}

/// The number of sets that were compared along `trace`: only minimal ones, unless `is_observed`. In
/// that case each event is done after a rest with the first of the sets.
fn follow(
    table: &mut DefinitionTable,
    term: TermId,
    trace: &[EventId],
    is_observed: bool,
) -> Option<usize> {
    let compile = if is_observed {
        compile_observed
    } else {
        compile
    };
    let mut by_terms = After::start(table, term).ok()?;
    let mut listed = Listed::start(table, term, compile, &OPTIONS).ok()?;
    let mut compared = 0;
    for &event in trace {
        let [mut sets, mut found] = [by_terms.acceptances(table).unwrap(), listed.acceptances()];
        for sets in [&mut sets, &mut found] {
            sets.sort_unstable();
            sets.dedup();
        }
        if !is_observed {
            [sets, found] = [sets, found].map(|sets| at_leisure(|token| minimal(sets, token)));
        }
        assert_eq!(found, sets);
        let diverges = by_terms.diverges(table).unwrap();
        assert_eq!(at_leisure(|token| listed.diverges(token)), diverges);
        // A state at rest that can terminate does nothing else, so no other history is possible.
        let is_possible = |rest: &Vec<EventId>| event == TICK || !rest.contains(&TICK);
        let rest = sets
            .into_iter()
            .find(|rest| is_observed && is_possible(rest));
        let step = ObservedStep { rest, event };
        by_terms.step(table, &step).unwrap();
        at_leisure(|token| listed.step(&step, token));
        assert_eq!(listed.is_empty(), by_terms.is_empty());
        compared += usize::from(!listed.is_empty());
    }
    Some(compared)
}

#[test]
fn specifications_are_the_same_term_by_term_and_listed() {
    let compared: Vec<usize> = (0..400).filter_map(compare_followers).collect();
    assert!(compared.len() > 300, "only {} were small", compared.len());
    assert!(compared.iter().sum::<usize>() > 4000);
}

/// Such runs take millions of states, too many for a script among the tests.
#[test]
fn what_is_said_of_a_replay_that_takes_too_long() {
    let rendered = [
        super::replay::too_many_dead_ends(),
        super::after::too_many_terms(),
        super::lassos::too_many_terms(),
    ];
    let rendered = rendered.map(|problem| problem.render(&SourceMap::new()));
    assert_eq!(
        rendered.concat(),
        "\
error[replay-limit]: a counterexample was found, but replaying it takes too long
 = note: many different internal steps look alike, and too many orders of them lead nowhere

error[replay-limit]: a counterexample was found, but following the specification along it takes too long
 = note: after one trace it can be in too many states that differ by internal steps alone
 = help: compress or hide less in the specification, or write it with fewer internal steps

error[replay-limit]: a divergence was found, but replaying it takes too long
 = note: millions of internal steps were followed without coming back to where one began

"
    );
}
