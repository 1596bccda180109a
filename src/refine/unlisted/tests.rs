//! Searches of terms and machines as they are met against searches beside normal forms, on random
//! processes.

use super::side::MetRow;
use super::*;
use crate::check::check;
use base::cancel::Cancellation;
use lts::explore::{LeafLimits, explore};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, Machine, compile};
use process::table::DefinitionTable;
use process::term::TermId;
use testkit::depth::seeds;
use testkit::terms::Generator;

const MODELS: [Model; 3] = [Model::Traces, Model::Failures, Model::FailuresDivergences];

const LIMITS: LeafLimits = LeafLimits::all(150);

/// The normal form of each requirement that is compared, with the requirement. That of a
/// refinement is of `specification` both as terms and as a machine.
fn requirements<'m>(
    generator: &mut Generator,
    specification: TermId,
    machine: &'m Machine,
) -> Option<Vec<(Requirement<'m>, NormalForm)>> {
    let table = &mut generator.table;
    let listed = explore(table, specification, &LIMITS).ok()?.lts;
    let events: Vec<EventId> = ["a", "b", "c"]
        .map(|name| table.terms_mut().events.intern(name))
        .to_vec();
    let termination = table.terms().termination();
    let mut all = vec![(
        Requirement::DivergenceFree,
        NormalForm::divergence_free(&events),
    )];
    for model in MODELS {
        let form = NormalForm::of(&listed, model, 200, Cancellation::never()).ok()?;
        for side in [
            UnlistedSide::Terms(specification),
            UnlistedSide::Machine(machine),
        ] {
            all.push((Requirement::Refines(side, model), form.clone()));
        }
        let trace = vec![events[0], events[1]];
        let form = NormalForm::all_but(&trace, &events, model);
        all.push((Requirement::Lacks(trace, model), form));
        if model.has_failures() {
            let form = NormalForm::deadlock_free(&events, model, termination);
            all.push((Requirement::DeadlockFree(model), form));
        }
    }
    Some(all)
}

/// The kind of the violation at the end of a path.
fn kind(path: &Path) -> &'static str {
    match path.violation {
        Violation::Event(_) => "event",
        Violation::Refusal(_) => "refusal",
        Violation::Revival(..) => "revival",
        Violation::Divergence => "divergence",
    }
}

/// Compares a search of what is met with the `expected` outcome, and with a search of half as many
/// pairs. Returns the kind of the violation, if there is one.
fn compared(
    table: &mut dyn Definitions,
    process: UnlistedSide<'_>,
    requirement: &Requirement<'_>,
    expected: &Outcome,
    what: &str,
) -> Option<&'static str> {
    let options = CheckOptions::default();
    let (found, statistics) =
        check_unlisted(table, process, requirement, u64::MAX, &options).unwrap();
    let violation = match (expected, &found) {
        (Outcome::Holds, Outcome::Holds) => None,
        (Outcome::Violated(expected), Outcome::Violated(found)) => {
            // Where the machine finds a divergence is another matter: it follows τ first.
            if kind(found) == "event" && kind(expected) == "event" {
                assert_eq!(found.steps.len(), expected.steps.len(), "{what}");
            }
            Some(kind(found))
        }
        _ => panic!("{what}: {expected:?}, but {found:?}"),
    };
    let most = (statistics.states / 2).max(1);
    let few = CheckOptions {
        max_states: Some(most),
        ..options
    };
    let (cut, statistics) = check_unlisted(table, process, requirement, u64::MAX, &few).unwrap();
    let is_cut = cut == Outcome::Stopped(StopReason::StateLimit);
    assert!(is_cut || statistics.states <= most + 50, "{what}");
    violation
}

#[test]
fn what_is_met_has_the_verdicts_of_what_is_listed() {
    let (mut holds, mut fails) = (0, Vec::new());
    for seed in seeds(600, 20_000) {
        let mut generator = match seed.is_multiple_of(4) {
            true => Generator::with_priorities(seed),
            false => Generator::new(seed),
        };
        let specification = generator.term(2, true);
        let process = generator.term(3, true);
        let table = &mut generator.table;
        let options = CompileOptions::unminimised(LIMITS);
        let Ok(beside) = compile(table, specification, &options) else {
            continue;
        };
        let Ok(machine) = compile(table, process, &options) else {
            continue;
        };
        let Some(all) = requirements(&mut generator, specification, &beside) else {
            continue;
        };
        let table = &mut generator.table;
        if explore(table, process, &LIMITS).is_err() {
            continue;
        }
        let sides = [
            UnlistedSide::Terms(process),
            UnlistedSide::Machine(&machine),
        ];
        let cases = all.iter().flat_map(|case| sides.map(|side| (case, side)));
        for ((requirement, form), process) in cases {
            let what = format!("seed {seed}: {process:?} against {requirement:?}");
            let expected = check(form, &machine, &CheckOptions::default()).unwrap();
            match compared(table, process, requirement, &expected.outcome, &what) {
                Some(kind) => fails.push(kind),
                None => holds += 1,
            }
        }
    }
    let count = |kind: &str| fails.iter().filter(|found| **found == kind).count();
    let counts = ["event", "refusal", "divergence"].map(count);
    assert!(
        holds > 300 && counts.iter().all(|&count| count > 100),
        "{holds} {counts:?}"
    );
}

#[test]
fn states_that_lead_to_cycles_are_those_from_which_tau_never_end() {
    let row = |targets: &[u32]| -> Option<MetRow> {
        let step = |&to: &u32| (TAU, StateId(to));
        Some(targets.iter().map(step).collect())
    };
    // 0 -> 1 -> 2 -> 1, 3 -> 4, 5 -> 3 | 0, 6 is not known, 7 -> 6
    let mut rows = [&[1][..], &[2], &[1], &[4], &[], &[3, 0]].map(row).to_vec();
    rows.extend([None, row(&[6])]);
    let expected = [true, true, true, false, false, true, false, false];
    assert_eq!(leading_to_cycles(&rows), expected);
    // An event breaks a cycle.
    rows[2] = Some([(EventId(5), StateId(1))].into());
    assert!(!leading_to_cycles(&rows).contains(&true));
}

#[test]
fn pairs_that_smaller_sets_decide_are_left_out() {
    // P₀ can do a and b always, and after an a be somewhere else for the next events: after n
    // events it is in one of 2ⁿ sets of places. All contain P₀, so {P₀} decides them.
    let mut table = DefinitionTable::new();
    let names: Vec<String> = (0..=20).map(|number| format!("P{number}")).collect();
    let calls: Vec<TermId> = names.iter().map(|name| table.call(name)).collect();
    let terms = table.terms_mut();
    let [a, b] = ["a", "b"].map(|name| terms.events.intern(name));
    let stop = terms.stop();
    for (number, name) in names.iter().enumerate() {
        let next = calls.get(number + 1).copied().unwrap_or(stop);
        let terms = table.terms_mut();
        let body = match number {
            0 => {
                let [stays, goes] =
                    [vec![(a, calls[0]), (b, calls[0])], vec![(a, next)]].map(|o| terms.prefix(o));
                terms.external_choice(vec![stays, goes])
            }
            _ => terms.prefix(vec![(a, next), (b, next)]),
        };
        table.define(name, body);
    }
    let run = table.call("RUN");
    let body = table.terms_mut().prefix(vec![(a, run), (b, run)]);
    table.define("RUN", body);
    let options = CheckOptions {
        max_states: Some(1000),
        ..CheckOptions::default()
    };
    for model in MODELS {
        let requirement = Requirement::Refines(UnlistedSide::Terms(calls[0]), model);
        let found = check_unlisted(
            &mut table,
            UnlistedSide::Terms(run),
            &requirement,
            u64::MAX,
            &options,
        );
        let (outcome, statistics) = found.unwrap();
        assert_eq!(outcome, Outcome::Holds);
        assert_eq!(statistics.states, 1, "{model:?}");
    }
}
