//! Random terms, taken apart at each step of random runs.

use super::tree::RunningKind;
use super::waits::ways::{Ability, Party, Ways, origins};
use super::*;
use base::index::TypedIndex;
use lts::explore::{LeafLimits, explore};
use process::compression::Compression;
use process::event::TAU;
use process::operator::Operator;
use process::table::DefinitionTable;
use process::term::Term;
use testkit::depth::cases;
use testkit::terms::Generator;

/// The limit on calls.
const LIMIT: usize = 1000;

/// A number below `n`, of a sequence that `state` drives.
fn below(state: &mut u64, n: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize % n
}

fn witness(step: &Step) -> WitnessStep {
    WitnessStep {
        label: step.label,
        origin: step.origin,
    }
}

/// A random run of `term` of at most `longest` steps.
fn random_run(table: &mut DefinitionTable, term: TermId, longest: usize, seed: u64) -> Vec<Step> {
    let mut semantics = Semantics::new();
    let mut random = seed;
    let mut run: Vec<Step> = Vec::new();
    while run.len() < longest {
        let current = run.last().map_or(term, |step| step.target);
        let steps = semantics.steps(table, current).unwrap();
        if steps.is_empty() {
            break;
        }
        run.push(steps[below(&mut random, steps.len())]);
    }
    run
}

/// True if the operands of a node are those of its present term.
fn fits(table: &DefinitionTable, node: &RunningNode) -> bool {
    let RunningKind::Operator(operator, _, operands) = &node.kind else {
        return true;
    };
    let now = match table.terms().get(node.term) {
        // The node may have been reached through a call, or `STOP` was left out.
        Term::Call(_) => return true,
        _ if *operator == Operator::Choice(None) => return true,
        now => now.started_operands(),
    };
    let then: Vec<TermId> = operands.iter().map(|operand| operand.term).collect();
    now == then && operands.iter().all(|operand| fits(table, operand))
}

/// The node after `run` of `node`, and the participations in each step.
fn followed(
    table: &mut DefinitionTable,
    cast: &mut Cast,
    node: &Arc<RunningNode>,
    step: Step,
) -> (Arc<RunningNode>, Vec<derive::Participation>) {
    let mut semantics = Focused::new();
    let mut follower = Follower::new(table, cast, &mut semantics);
    let after = follower.follow(node, step).unwrap();
    let parts = follower.take_participations();
    (after, parts)
}

/// Takes a random run apart. Returns the number of components that took part in it.
fn check_random(mut generator: Generator, seed: u64, prioritised: bool) -> usize {
    let mut term = generator.term(3, true);
    let table = &mut generator.table;
    if seed.is_multiple_of(5) {
        term = table.terms_mut().compress(Compression::Wbisim, term);
    }
    // Finding events that can never happen takes all states of a component, which takes long.
    let is_asked = !prioritised && seed.is_multiple_of(12);
    let asks_why = is_asked && explore(table, term, &LeafLimits::all(300)).is_ok();
    let mut all: Vec<Vec<Step>> = Vec::new();
    for attempt in 0..3 {
        all.push(random_run(table, term, 12, seed * 3 + attempt));
    }
    let mut most = 0;
    for run in all {
        let mut cast = Cast::default();
        let mut node = cast.play(table, term, LIMIT).unwrap();
        let started: Vec<(usize, TermId)> = node.running();
        for &step in &run {
            if !prioritised {
                check_wrong_steps(table, &mut cast, &node, seed);
            }
            if asks_why {
                check_ways(table, &node, seed);
            }
            let (after, parts) = followed(table, &mut cast, &node, step);
            let text = machine::text::expression(table, node.term);
            // The leftmost component that takes part gives the origin.
            let part = parts.first().expect("somebody takes part");
            assert_eq!(part.step.origin, step.origin, "seed {seed}: {text}");
            let mut who: Vec<usize> = parts.iter().map(|part| part.component).collect();
            who.sort_unstable();
            who.dedup();
            assert_eq!(who.len(), parts.len(), "seed {seed}: twice in one step");
            node = after;
            assert_eq!(node.term, step.target, "seed {seed}");
            assert!(fits(table, &node), "seed {seed}: {text}");
        }
        let (mut behaviours, end) = behaviours(table, term, Some(run.clone()), LIMIT).unwrap();
        add_waits(table, &end, &mut behaviours).unwrap();
        check_projections(table, &started, &behaviours, seed);
        check_offers(
            table,
            run.last().map_or(term, |s| s.target),
            &behaviours,
            seed,
        );
        let active = behaviours.components.iter().filter(|c| !c.steps.is_empty());
        most = most.max(active.count());
    }
    most
}

/// Checks that an event is offered exactly if in one of its ways all components offer their part.
fn check_ways(table: &mut DefinitionTable, node: &RunningNode, seed: u64) {
    let steps = Semantics::new().steps(table, node.term).unwrap();
    for event in (0..table.terms().events.len()).map(EventId::from_usize) {
        if event == TAU {
            continue;
        }
        let ways = Ways::of(table, node, event).unwrap();
        let is_ready = |way: &Vec<Party>| way.iter().all(|p| p.ability == Ability::Offered);
        let ready = !ways.is_hidden && ways.all.iter().any(is_ready);
        let offered = steps.iter().any(|step| step.label == event);
        let behind = origins(table, node, &ways).unwrap();
        let text = machine::text::expression(table, node.term);
        let name = table.terms().events.name(event);
        if ways.is_hidden {
            let has = |&event: &EventId| steps.iter().any(|s| s.label == TAU && s.origin == event);
            let happens = behind.iter().any(has);
            let is_ready = ways.all.iter().any(is_ready);
            assert_eq!(happens, is_ready, "seed {seed}: {name} in {text}: {ways:?}");
        }
        if !ways.is_cut {
            assert_eq!(ready, offered, "seed {seed}: {name} in {text}: {ways:?}");
        }
    }
}

/// Checks that a pair of the label of one step and the target of another is followed exactly if it
/// is a step too. (Priorities are left out: steps that they prevent are followed anyway.)
fn check_wrong_steps(table: &mut DefinitionTable, cast: &mut Cast, node: &RunningNode, seed: u64) {
    let steps = Semantics::new().steps(table, node.term).unwrap();
    for (i, one) in steps.iter().enumerate().take(6) {
        for other in steps.iter().skip(i / 2).take(6) {
            let mixed = Step {
                target: other.target,
                ..*one
            };
            let followed = Follower::new(table, cast, &mut Focused::new()).follow(node, mixed);
            assert_eq!(followed.is_ok(), steps.contains(&mixed), "seed {seed}");
        }
    }
}

/// Checks that each component can do its own steps alone.
fn check_projections(
    table: &mut DefinitionTable,
    started: &[(usize, TermId)],
    behaviours: &ComponentRuns,
    seed: u64,
) {
    for &(component, term) in started {
        let steps = &behaviours.components[component].steps;
        let steps: Vec<WitnessStep> = steps.iter().map(|&(_, step)| step).collect();
        let head = semantics_head(table, term);
        // A stage hands over to other components, which are not known here; it does its steps all
        // the same.
        let run = retrace(table, head, &steps, &mut |_, _, _| Ok(true)).unwrap();
        assert!(run.is_some(), "seed {seed}: component {component}");
    }
}

fn semantics_head(table: &mut DefinitionTable, term: TermId) -> TermId {
    Semantics::new().head(table, term).unwrap()
}

/// Checks that the whole can do nothing if no component offers anything, and that a component that
/// waits offers the event it waits for and does not wait for itself.
fn check_offers(table: &mut DefinitionTable, last: TermId, behaviours: &ComponentRuns, seed: u64) {
    let steps = Semantics::new().steps(table, last).unwrap();
    let offers = |behaviour: &ComponentRun| match &behaviour.end {
        ComponentExit::Offers(offers) => offers.clone(),
        _ => Vec::new(),
    };
    let anyone = behaviours.components.iter().any(|c| !offers(c).is_empty());
    let only_internal = steps.iter().all(|s| s.label == TAU || s.label == TICK);
    assert!(anyone || only_internal, "seed {seed}");
    for (component, behaviour) in behaviours.components.iter().enumerate() {
        for wait in &behaviour.waits {
            assert!(offers(behaviour).contains(&wait.event), "seed {seed}");
            assert!(!wait.on.contains(&component), "seed {seed}");
        }
    }
    for (i, &(component, event)) in behaviours.cycle.iter().enumerate() {
        let next = behaviours.cycle[(i + 1) % behaviours.cycle.len()].0;
        let mut waits = behaviours.components[component].waits.iter();
        assert!(
            waits.any(|wait| wait.event == event && wait.on.contains(&next)),
            "seed {seed}"
        );
    }
}

#[test]
fn random_runs_come_apart_into_runs_of_the_components() {
    let counts: Vec<usize> = (0..cases(1000, 3000))
        .map(|seed| check_random(Generator::new(seed), seed, false))
        .collect();
    let several = counts.iter().filter(|&&count| count > 2).count();
    assert!(
        several > cases(150, 600),
        "only {several} runs had several components"
    );
}

#[test]
fn random_runs_under_priorities_come_apart() {
    let counts: Vec<usize> = (0..cases(500, 1500))
        .map(|seed| check_random(Generator::with_priorities(seed), seed, true))
        .collect();
    assert!(counts.iter().filter(|&&count| count > 2).count() > cases(50, 200));
}

/// Two philosophers with the names `PHIL0` and `PHIL1` who take the forks in one order, and the
/// forks.
fn philosophers(table: &mut DefinitionTable) -> TermId {
    let calls = ["PHIL0", "PHIL1", "FORK0", "FORK1"].map(|name| table.call(name));
    let terms = table.terms_mut();
    let event = |terms: &mut process::term::Terms, what: &str, phil: usize, fork: usize| {
        terms.events.intern(&format!("{what}.{phil}.{fork}"))
    };
    let mut shared = Vec::new();
    let mut bodies = Vec::new();
    for (phil, &again) in calls[..2].iter().enumerate() {
        let forks = [phil, 1 - phil];
        let mut chain = Vec::new();
        for what in ["picks", "puts"] {
            chain.extend(forks.map(|fork| event(terms, what, phil, fork)));
        }
        shared.extend(chain.iter().copied());
        let body = chain
            .iter()
            .rev()
            .fold(again, |after, &event| terms.prefix(vec![(event, after)]));
        bodies.push(body);
    }
    for fork in 0..2 {
        let branches = (0..2).map(|phil| {
            let puts = event(terms, "puts", phil, fork);
            let after = terms.prefix(vec![(puts, calls[2 + fork])]);
            (event(terms, "picks", phil, fork), after)
        });
        let branches = branches.collect();
        bodies.push(terms.prefix(branches));
    }
    for (name, body) in ["PHIL0", "PHIL1", "FORK0", "FORK1"].iter().zip(bodies) {
        table.define(name, body);
    }
    let terms = table.terms_mut();
    let phils = terms.interleave(calls[..2].to_vec());
    let forks = terms.interleave(calls[2..].to_vec());
    let set = terms.events.intern_set(shared);
    terms.parallel(set, vec![phils, forks])
}

#[test]
fn philosophers_wait_for_each_other_in_a_circle() {
    let mut table = DefinitionTable::new();
    let system = philosophers(&mut table);
    let system = table.terms_mut().compress(Compression::Sbisim, system);
    let events = &table.terms().events;
    let picks = [(0, 0), (1, 1)].map(|(p, f)| events.find(&format!("picks.{p}.{f}")).unwrap());
    let steps = picks.map(|label| WitnessStep {
        label,
        origin: label,
    });
    let found = Refutation::new(steps.to_vec(), Wrong::Deadlock);
    let explained = explain_components(&mut table, system, &found, None, LIMIT).unwrap();
    assert_eq!(explained.other, None);
    let run = explained.run;
    let names: Vec<&str> = run.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["PHIL0", "PHIL1", "FORK0", "FORK1"]);
    assert!(run.components.iter().all(|c| c.within.len() == 1));
    let did: Vec<Vec<usize>> = run
        .components
        .iter()
        .map(|c| c.steps.iter().map(|&(at, _)| at).collect())
        .collect();
    assert_eq!(did, [vec![1], vec![2], vec![1], vec![2]]);
    let circle: Vec<usize> = run.cycle.iter().map(|&(component, _)| component).collect();
    assert_eq!(circle, [0, 3, 1, 2]);
}

#[test]
fn what_cannot_be_walked_is_an_internal_error() {
    let mut table = DefinitionTable::new();
    let system = philosophers(&mut table);
    let found = Refutation::new(Vec::new(), Wrong::Deadlock);
    let error = explain_components(&mut table, system, &found, None, LIMIT).unwrap_err();
    assert_eq!(error.code, "internal-replay");
    let step = Step {
        label: TAU,
        origin: TAU,
        target: system,
    };
    let error = behaviours(&mut table, system, Some(vec![step]), LIMIT).unwrap_err();
    assert_eq!(error.code, "internal-replay");
}

#[test]
fn random_counterexamples_of_every_kind_are_explained() {
    let mut kinds = [0; 3];
    let limits = LeafLimits::all(300);
    for seed in 0..1500 {
        let mut generator = Generator::new(seed);
        let term = generator.term(3, true);
        let table = &mut generator.table;
        // Processes that grow for ever take long to search for divergences.
        if explore(table, term, &limits).is_err() {
            continue;
        }
        let mut semantics = Semantics::new();
        let run = random_run(table, term, 8, seed);
        let last = run.last().map_or(term, |step| step.target);
        let mut steps: Vec<WitnessStep> = run.iter().map(witness).collect();
        let rest = rests_with(&mut semantics, table, last).unwrap();
        let lasso = super::super::lassos::Lassos::default()
            .find(&mut semantics, table, last)
            .unwrap();
        let (kind, wrong) = match (rest, lasso) {
            (Some(offers), _) if offers.is_empty() => (0, Wrong::Deadlock),
            (Some(offers), _) => (
                1,
                Wrong::Refusal {
                    offers,
                    acceptances: Vec::new(),
                },
            ),
            (None, Some(lasso)) => {
                steps.extend(lasso.stem);
                (2, Wrong::Divergence(lasso.cycle))
            }
            (None, None) => continue,
        };
        kinds[kind] += 1;
        let found = Refutation::new(steps, wrong);
        explain_components(table, term, &found, None, LIMIT)
            .unwrap_or_else(|error| panic!("seed {seed}: {}", error.message));
    }
    assert!(kinds.iter().all(|&n| n > 40), "{kinds:?}");
}

#[test]
fn parts_beyond_the_limit_on_calls_are_components_as_in_the_machine() {
    let mut table = DefinitionTable::new();
    let (p, q) = (table.call("P"), table.call("Q"));
    let (a, stop) = (
        table.terms_mut().events.intern("a"),
        table.terms_mut().stop(),
    );
    let (run, system) = (table.terms_mut().prefix(vec![(a, stop)]), [p, q]);
    let pair = table.terms_mut().interleave(vec![run, run]);
    table.define("P", pair);
    table.define("Q", pair);
    let system = table.terms_mut().interleave(system.to_vec());
    for (limit, components) in [(0, 2), (1, 3), (LIMIT, 4)] {
        let mut cast = Cast::default();
        cast.play(&mut table, system, limit).unwrap();
        assert_eq!(cast.count(), components, "{limit}");
    }
}
