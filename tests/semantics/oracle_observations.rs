//! Refinement in the models of revivals and refusal testing against their definitions: the search
//! on random transition systems, and the whole program on random processes; and that finer models
//! tell more processes apart.

use crate::generate;
use crate::program;
use crate::text;
use crate::translate;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use testkit::depth;

use base::cancel::Cancellation;
use lts::explore::LeafLimits;
use lts::graph::{Lts, StateId};
use lts::model::Model as SemanticModel;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile_observed};
use process::event::EventId;
use process::term::{Definitions, TermId};
use proptest::strategy::{Strategy, ValueTree};
use refine::check::{CheckOptions, Outcome, check};
use refine::path::{Path, Violation};
use serde_json::Value;

use crate::harness::in_parallel;
use crate::observations::{
    Model, Rows, Step, TAU, after, can_do, diverges, diverges_on, offers, refines,
};
use crate::oracle::{Event, P, Set, TICK, Termination};
use crate::program::{CASES_IN_SCRIPT, Case, Relation, external, internal, number, verdict};
use crate::random::Random;
use crate::steps::{Graph, without_buffers};
use crate::translate::translate_pair;

/// The number of pairs of transition systems that are compared.
static SYSTEMS: LazyLock<u64> = LazyLock::new(|| depth::cases(2000, 20_000));

/// The number of pairs of processes for the program, for each kind of termination.
static CASES: LazyLock<usize> = LazyLock::new(|| depth::cases(125, 1250));

/// The number of pairs of processes in the long test.
const MANY: usize = 100_000;

/// The models from the coarsest to the finest, without divergences and with them.
const HIERARCHY: [[&str; 4]; 2] = [["T", "F", "V", "R"], ["T", "FD", "VD", "RD"]];

fn letters(model: Model) -> &'static str {
    match model {
        Model::Revivals => "V",
        Model::RevivalsDivergences => "VD",
        Model::RefusalTesting => "R",
        Model::RefusalTestingDivergences => "RD",
    }
}

fn engine_model(model: Model) -> SemanticModel {
    match model {
        Model::Revivals => SemanticModel::Revivals,
        Model::RevivalsDivergences => SemanticModel::RevivalsDivergences,
        Model::RefusalTesting => SemanticModel::RefusalTesting,
        Model::RefusalTestingDivergences => SemanticModel::RefusalTestingDivergences,
    }
}

/// A history, and the violation reported at its end.
type Shown = (Vec<Step>, Wrong);

/// The violation reported at the end of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Wrong {
    Event(Event),
    Refusal(Set),
    Revival(Set, Event),
    Divergence,
}

/// True if `q` shows the history and the violation, and `p` does not.
fn is_violation(model: Model, p: Rows<'_>, q: Rows<'_>, history: &[Step], wrong: &Wrong) -> bool {
    let has_divergences = letters(model).ends_with('D');
    let (by_p, by_q) = (after(p, history, true), after(q, history, false));
    if by_p.is_empty() || by_q.is_empty() || has_divergences && diverges_on(p, history) {
        return false;
    }
    let allowed = offers(p, &by_p);
    match wrong {
        Wrong::Event(event) => can_do(q, &by_q, *event) && !can_do(p, &by_p, *event),
        Wrong::Refusal(rest) => {
            offers(q, &by_q).contains(rest) && !allowed.iter().any(|set| set.is_subset(rest))
        }
        Wrong::Revival(rest, event) => {
            let matches = |set: &&Set| set.contains(event) && set.is_subset(rest);
            offers(q, &by_q).contains(rest)
                && rest.contains(event)
                && !allowed.iter().any(|set| matches(&set))
        }
        Wrong::Divergence => has_divergences && diverges(q, &by_q),
    }
}

/// A step that the program found. If ✓ is a signal, a state that can terminate counts as at rest in
/// it, with ✓ alone.
fn step(rest: Option<Set>, event: Event, termination: Termination) -> Step {
    let signals = |rest: &Set| termination == Termination::Signal && rest.contains(&TICK);
    (rest.filter(|rest| !signals(rest)), event)
}

type System = Vec<Vec<(Event, usize)>>;

/// A system of a few states over τ, ✓ and three events. ✓ leads to the last state, which does
/// nothing.
fn system(random: &mut Random) -> System {
    let states = 1 + random.below(5);
    let mut rows: System = (0..states)
        .map(|_| {
            (0..random.below(4))
                .map(|_| any_step(random, states))
                .collect()
        })
        .collect();
    rows.push(Vec::new());
    rows
}

fn any_step(random: &mut Random, states: usize) -> (Event, usize) {
    match random.below(16) {
        0..4 => (TAU, random.below(states)),
        4 => (TICK, states),
        n => (2 + (n % 3) as Event, random.below(states)),
    }
}

/// A specification and an implementation: unrelated, or with equal revivals at first, or one a
/// choice of the other and something else, or one a copy of the other with a few steps changed.
fn pair(random: &mut Random) -> [System; 2] {
    if random.below(5) == 0 {
        return crossed(random);
    }
    let implementation = system(random);
    let mut specification = match random.below(4) {
        0 => return [system(random), implementation],
        1 => implementation.clone(),
        _ => choice(&implementation, &system(random)),
    };
    let last = specification.len() - 1;
    for _ in 0..random.below(3) {
        let row = random.below(last.max(1));
        let changed = any_step(random, last);
        if let Some(place) = random.below(specification[row].len() + 1).checked_sub(1) {
            specification[row].remove(place);
        }
        if last > 0 {
            specification[row].push(changed);
        }
    }
    [specification, implementation]
}

/// Two systems that begin with an internal choice of equal offers, and have after each event an
/// internal choice of equal states; but the states that follow each offer differ.
fn crossed(random: &mut Random) -> [System; 2] {
    let tail = system(random);
    let states = tail.len() - 1;
    let branches = 2 + random.below(2);
    let mut begins = [(); 2].map(|()| vec![Vec::new(); branches]);
    for event in 2..5 {
        let offering: Vec<usize> = (0..branches).filter(|_| random.below(3) > 0).collect();
        let mut targets: Vec<usize> = offering.iter().map(|_| random.below(states)).collect();
        for begin in &mut begins {
            for (&branch, &target) in offering.iter().zip(&targets) {
                begin[branch].push((event, 1 + branches + target));
            }
            if random.below(2) == 0 {
                targets.reverse();
            }
        }
    }
    begins.map(|begin| {
        let mut rows = vec![(1..=branches).map(|branch| (TAU, branch)).collect()];
        rows.extend(begin);
        let moved = |row: &Vec<(Event, usize)>| {
            row.iter()
                .map(|&(e, target)| (e, 1 + branches + target))
                .collect()
        };
        rows.extend(tail.iter().map(moved));
        rows
    })
}

/// An internal choice of both, whose terminated states become one.
fn choice(p: &System, q: &System) -> System {
    let (first, second) = (1, p.len());
    let last = p.len() + q.len() - 1;
    let moved = |system: &System, by: usize| -> System {
        let end = system.len() - 1;
        let target = |target: usize| if target == end { last } else { target + by };
        let rows = system[..end].iter();
        let row = |row: &Vec<(Event, usize)>| row.iter().map(|&(e, t)| (e, target(t))).collect();
        rows.map(row).collect()
    };
    let mut rows = vec![vec![(TAU, first), (TAU, second)]];
    rows.extend(moved(p, first));
    rows.extend(moved(q, second));
    rows.push(Vec::new());
    rows
}

/// The reachable part, numbered breadth first.
fn lts(system: &System) -> Lts {
    let mut numbers = BTreeMap::from([(0, 0_u32)]);
    let mut order = vec![0];
    let mut rows = Vec::new();
    while let Some(&state) = order.get(rows.len()) {
        let mut row = Vec::new();
        for &(event, target) in &system[state] {
            let next = numbers.len() as u32;
            let number = *numbers.entry(target).or_insert(next);
            if number == next {
                order.push(target);
            }
            row.push((EventId(event), StateId(number)));
        }
        rows.push(row);
    }
    Lts::from_rows(rows)
}

/// `systems` as processes of the engine, τ being a hidden event, with their definitions.
fn translated([p, q]: &[System; 2]) -> (translate::Case, TermId) {
    const HIDDEN: Event = 5;
    let definitions = [(p, 0), (q, p.len())].map(|(system, before)| {
        let call = |&(event, target): &(Event, usize)| {
            let event = if event == TAU { HIDDEN } else { event };
            (event, P::Call(before + target))
        };
        let state = |row: &Vec<(Event, usize)>| {
            let prefixes = row.iter().filter(|step| step.0 != TICK).map(call);
            let prefixes = prefixes.map(|step| P::Prefix(vec![step]));
            let skips = row.iter().filter(|step| step.0 == TICK).map(|_| P::Skip);
            P::External(prefixes.chain(skips).collect())
        };
        system.iter().map(state).collect::<Vec<_>>()
    });
    let process = |first| P::Hide(P::Call(first).into(), Set::from([HIDDEN]));
    translate_pair(&definitions.concat(), &process(0), &process(p.len()))
}

/// The results of the search: for each violation, the history and the behaviour that the
/// specification lacks; empty if the refinement holds.
fn search(model: Model, pair: &[System; 2], further: usize) -> Vec<Shown> {
    let (mut case, implementation) = translated(pair);
    let options = CompileOptions::new(LeafLimits::all(10_000));
    let table = &mut case.table;
    table
        .terms_mut()
        .read_termination(cspsym::Termination::Event);
    let machine = compile_observed(table, implementation, &options).unwrap();
    let token = Cancellation::never();
    let form = NormalForm::of(&lts(&pair[0]), engine_model(model), 10_000, token).unwrap();
    let options = CheckOptions {
        further,
        ..CheckOptions::default()
    };
    let result = check(&form, &machine, &options).unwrap();
    let first = match result.outcome {
        Outcome::Holds => None,
        Outcome::Violated(path) => Some(path),
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    };
    first.iter().chain(&result.further).map(shown).collect()
}

/// The history and the violation of a path.
fn shown(path: &Path) -> Shown {
    let set = |events: &[EventId]| events.iter().map(|event| event.0).collect::<Set>();
    let events = path.steps.iter().enumerate();
    let events = events.filter(|(_, step)| step.label.0 != TAU);
    let steps = events.map(|(place, seen)| {
        let rest = path.rests.get(place).and_then(Option::as_deref);
        step(rest.map(set), seen.label.0, Termination::Event)
    });
    let wrong = match &path.violation {
        Violation::Event(step) => Wrong::Event(step.label.0),
        Violation::Refusal(offers) => Wrong::Refusal(set(offers)),
        Violation::Revival(offers, step) => Wrong::Revival(set(offers), step.label.0),
        Violation::Divergence => Wrong::Divergence,
    };
    (steps.collect(), wrong)
}

/// `system` with ✓ as an event.
fn rows(system: &System) -> Rows<'_> {
    Rows(system, Termination::Event)
}

/// The result of the search for one pair of systems in each model. Also checks that a refinement in
/// a model holds in each model that remembers less.
fn compare_systems(seed: u64) -> Option<[bool; 4]> {
    let pair = pair(&mut Random(seed));
    let [p, q] = &pair;
    let verdicts = Model::ALL.map(|model| {
        let expected = refines(model, rows(p), rows(q))?;
        let found = search(model, &pair, 20);
        let first: Vec<_> = found.iter().take(1).cloned().collect();
        let mut all = found.iter().enumerate();
        let is_right = expected == found.is_empty()
            && search(model, &pair, 0) == first
            && all.all(|(index, (history, wrong))| {
                found[..index].iter().all(|(_, other)| other != wrong)
                    && is_violation(model, rows(p), rows(q), history, wrong)
            });
        assert!(
            is_right,
            "{model:?}: {expected}, but {found:?}\n{p:?}\n{q:?}"
        );
        Some(expected)
    });
    let [v, vd, r, rd] = verdicts;
    let (v, vd, r, rd) = (v?, vd?, r?, rd?);
    assert!(
        (!r || v) && (!rd || vd),
        "refusals tell more apart\n{p:?}\n{q:?}"
    );
    Some([v, vd, r, rd])
}

#[test]
fn the_search_finds_what_the_definitions_say() {
    let blocks: Vec<u64> = (0..*SYSTEMS).step_by(100).collect();
    let found = in_parallel(&blocks, |&first| {
        (first..first + 100)
            .filter_map(compare_systems)
            .collect::<Vec<_>>()
    });
    let found = found.concat();
    for (place, model) in Model::ALL.iter().enumerate() {
        let holds = found.iter().filter(|verdicts| verdicts[place]).count();
        println!("{model:?}: {holds} of {} hold", found.len());
        assert!(holds > found.len() / 10 && holds < found.len() * 9 / 10);
    }
    let apart = found.iter().filter(|[v, _, r, _]| v != r).count();
    println!("{apart} hold in revivals alone");
    assert!(apart > found.len() / 50 && found.len() as u64 > *SYSTEMS * 9 / 10);
}

const RELATIONS: [Relation; 8] = [
    |p, q| (p.clone(), q.clone()),
    |p, q| (internal(p, q), p.clone()),
    |p, q| (internal(p, q), external(p, q)),
    |p, q| {
        (
            external(p, q),
            P::Sliding(p.clone().into(), q.clone().into()),
        )
    },
    |p, q| {
        (
            P::Sliding(p.clone().into(), q.clone().into()),
            external(p, q),
        )
    },
    |p, _| (P::Parallel(Set::new(), vec![p.clone(), P::Skip]), p.clone()),
    |p, q| {
        let distributed = internal(&external(p, &begun(q)), &external(p, &begun(p)));
        (distributed, external(p, &internal(&begun(q), &begun(p))))
    },
    |p, q| (internal(&internal(p, q), &external(p, q)), external(q, p)),
];

fn begun(p: &P) -> P {
    P::Prefix(vec![(3, p.clone())])
}

/// The cases made from `seed`.
fn cases(seed: usize) -> Vec<Case> {
    let mut runner = program::runner(seed);
    let strategy = (generate::system(), generate::process(), 0..RELATIONS.len());
    let case = |_| {
        let tree = strategy.new_tree(&mut runner).unwrap();
        let ((definitions, p), q, relation) = tree.current();
        let (specification, process) =
            RELATIONS[relation](&without_buffers(&p), &without_buffers(&q));
        Case {
            definitions: definitions.iter().map(without_buffers).collect(),
            specification,
            process,
        }
    };
    (0..CASES_IN_SCRIPT).map(case).collect()
}

/// All models, one after the other.
const MODELS: [&str; 7] = ["T", "F", "FD", "V", "VD", "R", "RD"];

fn script(cases: &[Case]) -> String {
    let claims = MODELS.map(|model| format!("SPEC [{model}= IMPL"));
    program::script(cases, claims.iter().map(String::as_str))
}

/// The answers of the program about each case, in each model.
fn ask(cases: &[Case], termination: Termination) -> Vec<BTreeMap<&'static str, Value>> {
    let count = cases.len() * MODELS.len();
    let answers = program::answers(&script(cases), count, termination, &[]);
    let named = |answers: &[Value]| MODELS.into_iter().zip(answers.iter().cloned()).collect();
    answers.chunks(MODELS.len()).map(named).collect()
}

/// For each model, the number of refinements that hold, and of those that do not.
type Tallies = BTreeMap<&'static str, [usize; 2]>;

fn compare_script(seed: usize, termination: Termination) -> (Tallies, Vec<String>) {
    let cases = cases(seed);
    let mut tallies = Tallies::new();
    let mut problems = Vec::new();
    for (case, answers) in cases.iter().zip(ask(&cases, termination)) {
        if let Err(problem) = compare_case(case, &answers, termination, &mut tallies) {
            problems.push(format!("{problem}\n{}", script(std::slice::from_ref(case))));
        }
    }
    (tallies, problems)
}

fn compare_case(
    case: &Case,
    answers: &BTreeMap<&'static str, Value>,
    termination: Termination,
    tallies: &mut Tallies,
) -> Result<(), String> {
    let mut verdicts = BTreeMap::new();
    for (&model, answer) in answers {
        let Some(verdict) = verdict(answer)? else {
            continue;
        };
        verdicts.insert(model, verdict);
        tallies.entry(model).or_default()[usize::from(!verdict)] += 1;
    }
    for chain in HIERARCHY {
        let decided: Vec<(&str, bool)> = chain
            .iter()
            .filter_map(|&model| Some((model, *verdicts.get(model)?)))
            .collect();
        // Divergences also allow more traces: a process that refines with divergences may have more
        // of them.
        let strict = usize::from(chain[1] == "FD");
        for pair in decided.get(strict..).unwrap_or_default().windows(2) {
            if !pair[0].1 && pair[1].1 {
                return Err(format!("{pair:?}"));
            }
        }
    }
    let graph = |process| Graph::of(&case.definitions, process, termination, 300);
    let (Some(p), Some(q)) = (graph(&case.specification), graph(&case.process)) else {
        return Ok(());
    };
    let [p, q] = [&p, &q].map(|graph| Rows(graph.rows(), termination));
    for model in Model::ALL {
        let name = letters(model);
        let Some(&found) = verdicts.get(name) else {
            continue;
        };
        let Some(expected) = refines(model, p, q) else {
            continue;
        };
        let answer = &answers[name];
        if found != expected {
            return Err(format!("{name}: {expected} expected, but {answer}"));
        }
        if !found && !is_told(model, p, q, &answer["counterexample"]) {
            return Err(format!("{name}: that is no violation: {answer}"));
        }
    }
    Ok(())
}

/// True if the counterexample is a violation.
fn is_told(model: Model, p: Rows<'_>, q: Rows<'_>, told: &Value) -> bool {
    let mut rests: BTreeMap<u64, Set> = BTreeMap::new();
    for rest in told["rests"].as_array().into_iter().flatten() {
        rests.insert(rest["before"].as_u64().unwrap(), events(&rest["offers"]));
    }
    let steps = told["trace_with_taus"].as_array().unwrap().iter();
    let visible = |(place, name): (u64, &Value)| {
        let name = name.as_str().unwrap();
        let rest = rests.get(&place).cloned();
        (!name.starts_with('τ')).then(|| step(rest, number(name), p.1))
    };
    let history: Vec<Step> = (1..).zip(steps).filter_map(visible).collect();
    let event = told["event"].as_str().map_or(TAU, number);
    let offers = events(&told["offers"]);
    let wrong = match told["kind"].as_str().unwrap() {
        "trace" => Wrong::Event(event),
        "refusal" => Wrong::Refusal(offers),
        "revival" => Wrong::Revival(offers, event),
        "divergence" => Wrong::Divergence,
        _ => return false,
    };
    // A divergence may begin with some more τ, which change nothing of the observations.
    is_violation(model, p, q, &history, &wrong)
}

fn events(list: &Value) -> Set {
    program::events(list).into_iter().collect()
}

#[test]
fn the_program_says_what_the_definitions_say() {
    for termination in Termination::BOTH {
        compare(0, *CASES, termination);
    }
}

/// This takes some minutes in a release build.
#[test]
#[ignore = "the same as above on many more cases"]
fn the_program_says_so_of_many_cases() {
    for termination in Termination::BOTH {
        compare(*CASES, MANY, termination);
    }
}

/// Asks the program about the cases numbered from `first`.
fn compare(first: usize, cases: usize, termination: Termination) {
    let seeds: Vec<usize> = (first..first + cases).step_by(CASES_IN_SCRIPT).collect();
    let mut tallies = Tallies::new();
    let mut problems = Vec::new();
    for (found, wrong) in in_parallel(&seeds, |&seed| compare_script(seed, termination)) {
        for (model, [holds, fails]) in found {
            let sum = tallies.entry(model).or_default();
            *sum = [sum[0] + holds, sum[1] + fails];
        }
        problems.extend(wrong);
    }
    println!("{tallies:?}");
    if let Some(shortest) = problems.iter().min_by_key(|problem| problem.len()) {
        panic!(
            "{} disagreements where termination is {termination:?}, such as\n{shortest}",
            problems.len()
        );
    }
    for (model, [holds, fails]) in tallies {
        let is_telling = holds > cases / 20 && fails > cases / 20;
        assert!(is_telling, "{model}: {holds} hold, {fails} do not");
    }
}

const COMPRESSIONS: [&str; 9] = [
    "explicate",
    "sbisim",
    "dbisim",
    "wbisim",
    "tau_loop_factor",
    "diamond",
    "normal",
    "lazynorm",
    "model_compress",
];

/// A compressed process, alone or beside another, equals the process in the finest models.
#[test]
fn compressions_keep_what_is_observed() {
    let seeds = (0..*CASES / 5).step_by(CASES_IN_SCRIPT);
    let runs = seeds.flat_map(|seed| Termination::BOTH.map(|termination| (seed, termination)));
    let runs: Vec<(usize, Termination)> = runs.collect();
    let problems = in_parallel(&runs, |&(seed, termination)| {
        let mut script = format!(
            "transparent {}\nchannel a, b, c, d\n",
            COMPRESSIONS.join(", ")
        );
        for (i, case) in cases(seed + *CASES).iter().enumerate() {
            let bodies = case.definitions.iter().enumerate();
            for (k, body) in bodies {
                let body = text::text(body).replace("D0", &format!("D0x{i}"));
                script += &format!("D{k}x{i} = {}\n", body.replace("D1", &format!("D1x{i}")));
            }
            let called = |p: &P| {
                let text = text::text(p).replace("D0", &format!("D0x{i}"));
                text.replace("D1", &format!("D1x{i}"))
            };
            script += &format!(
                "P{i} = {}\nQ{i} = {}\n",
                called(&case.specification),
                called(&case.process)
            );
            let compression = COMPRESSIONS[i % COMPRESSIONS.len()];
            let beside = format!("{compression}(P{i}) [| {{a}} |] Q{i}");
            for model in ["R", "RD"] {
                script += &format!("assert P{i} [{model}= {compression}(P{i})\n");
                script += &format!("assert {compression}(P{i}) [{model}= P{i}\n");
                script += &format!("assert P{i} [| {{a}} |] Q{i} [{model}= {beside}\n");
                script += &format!("assert {beside} [{model}= P{i} [| {{a}} |] Q{i}\n");
            }
        }
        let answers = program::answers(&script, CASES_IN_SCRIPT * 8, termination, &[]);
        let wrong = |answer: &Value| verdict(answer) == Ok(Some(false)) || verdict(answer).is_err();
        let wrong: BTreeSet<String> = answers
            .iter()
            .filter(|a| wrong(a))
            .map(|a| format!("{a}\n{script}"))
            .collect();
        wrong
    });
    let problems: BTreeSet<String> = problems.into_iter().flatten().collect();
    assert!(
        problems.is_empty(),
        "{} disagreements, such as\n{}",
        problems.len(),
        problems.first().unwrap()
    );
}

/// The definitions of the oracle, on the classical examples.
#[test]
fn the_definitions_separate_the_classical_examples() {
    // A refusal, and then an event that goes with another acceptance only.
    let forks: System = vec![vec![(TAU, 1), (TAU, 2)], vec![(2, 3)], vec![(3, 3)], vec![]];
    let both: System = vec![vec![(2, 1), (3, 1)], vec![]];
    let slides: System = vec![vec![(TAU, 1), (3, 2)], vec![(2, 2)], vec![]];
    let holds =
        |p: &System, q: &System| Model::ALL.map(|model| refines(model, rows(p), rows(q)).unwrap());
    assert_eq!(holds(&forks, &both), [true; 4]);
    assert_eq!(holds(&both, &forks), [false; 4]);
    assert_eq!(holds(&forks, &slides), [true; 4]);
    // The event b is never done from rest.
    assert_eq!(holds(&slides, &both), [false; 4]);
    let loops: System = vec![vec![(TAU, 0), (2, 1)], vec![]];
    let stops: System = vec![vec![(2, 1)], vec![]];
    assert_eq!(holds(&loops, &stops), [false, true, false, true]);
    assert_eq!(holds(&stops, &loops), [true, false, true, false]);
}
