//! The whole program against the denotational oracle: refinement and properties in every model, on
//! random processes.

use crate::generate;
use crate::oracle;
use crate::program;
use crate::verdicts;
use std::sync::LazyLock;
use testkit::depth;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proptest::prelude::{Just, prop_oneof};
use proptest::strategy::{Strategy, ValueTree};
use serde_json::Value;

use crate::denotation::{Denotation, Denotations, TooLarge};
use crate::harness::in_parallel;
use crate::oracle::{Event, P, Set, Termination};
use crate::program::{
    CASES_IN_SCRIPT, Case, DIVES, LOCAL, Relation, STRATEGIES, SUBSETS, events, external, internal,
    number, verdict,
};
use crate::verdicts::{Claim, Model, Violation, both_after, violation};

/// The number of cases for each kind of termination, which is small in slow builds.
static CASES: LazyLock<usize> = LazyLock::new(|| depth::cases(250, 2500));

/// The number of attempts to make a disagreeing case smaller.
const SHRINKING: usize = 400;

const CLAIMS: [(Claim, &str); 8] = {
    use Claim::{DeadlockFree, Deterministic, DivergenceFree, Refines};
    use Model::{Failures, FailuresDivergences, Traces};
    [
        (Refines(Traces), "SPEC [T= IMPL"),
        (Refines(Failures), "SPEC [F= IMPL"),
        (Refines(FailuresDivergences), "SPEC [FD= IMPL"),
        (DeadlockFree(Failures), "IMPL :[deadlock free [F]]"),
        (
            DeadlockFree(FailuresDivergences),
            "IMPL :[deadlock free [FD]]",
        ),
        (DivergenceFree, "IMPL :[divergence free]"),
        (Deterministic(Failures), "IMPL :[deterministic [F]]"),
        (
            Deterministic(FailuresDivergences),
            "IMPL :[deterministic [FD]]",
        ),
    ]
};

/// Pairs of processes, of which about as many refine each other as do not.
fn cases() -> impl Strategy<Value = Case> {
    let unrelated = |p: &P, q: &P| (p.clone(), q.clone());
    let related: [Relation; 12] = [
        |p, q| (internal(p, q), p.clone()),
        |p, q| (internal(p, q), external(p, q)),
        |p, q| (external(p, q), internal(p, q)),
        |p, q| {
            (
                internal(p, q),
                P::Sliding(p.clone().into(), q.clone().into()),
            )
        },
        |p, q| {
            (
                P::Sliding(p.clone().into(), q.clone().into()),
                external(p, q),
            )
        },
        |p, _| (p.clone(), P::Seq(vec![p.clone(), P::Skip])),
        |p, _| (P::Parallel(Set::new(), vec![p.clone(), P::Skip]), p.clone()),
        |p, _| (P::Chaos(all()), p.clone()),
        |p, _| (p.clone(), external(p, p)),
        |p, _| {
            (
                p.clone(),
                P::Exception(p.clone().into(), Set::new(), P::Stop.into()),
            )
        },
        |p, _| {
            (
                p.clone(),
                P::Parallel(all(), vec![p.clone(), P::Run(all())]),
            )
        },
        |p, q| {
            let interrupted = P::Interrupt(internal(p, q).into(), q.clone().into());
            (
                interrupted,
                P::Interrupt(p.clone().into(), q.clone().into()),
            )
        },
    ];
    let how = prop_oneof![Just(None), (0..related.len()).prop_map(Some)];
    (generate::system(), generate::process(), how).prop_map(move |((definitions, p), q, how)| {
        let (specification, process) = match how {
            None => unrelated(&p, &q),
            Some(i) => related[i](&p, &q),
        };
        Case {
            definitions,
            specification,
            process,
        }
    })
}

fn all() -> Set {
    (2..6).collect()
}

/// The numbers of claims that hold, fail, and were left open because they are too large.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    holds: usize,
    fails: usize,
    open: usize,
}

#[test]
fn verdicts_are_those_of_the_oracle() {
    for termination in Termination::BOTH {
        compare(0, *CASES, termination);
    }
}

/// This takes some minutes in a release build.
#[test]
#[ignore = "the same as above on many more cases"]
fn verdicts_of_many_cases_are_those_of_the_oracle() {
    for termination in Termination::BOTH {
        compare(*CASES, 100_000, termination);
    }
}

/// Asks the program about the cases numbered from `first`.
fn compare(first: usize, cases: usize, termination: Termination) {
    let seeds = (first..first + cases).step_by(CASES_IN_SCRIPT);
    let scripts: Vec<(usize, Way)> = seeds
        .flat_map(|seed| STRATEGIES.map(|strategy| (seed, (termination, strategy))))
        .collect();
    let results = in_parallel(&scripts, |&(seed, way)| compare_script(seed, way));
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for ((of_script, _), (_, (_, strategy))) in results.iter().zip(&scripts) {
        for (claim, tally) in of_script {
            if decides(strategy, claim) {
                let sum = tallies.entry(claim).or_default();
                sum.holds += tally.holds;
                sum.fails += tally.fails;
                sum.open += tally.open;
            }
        }
    }
    for (claim, tally) in &tallies {
        println!("{claim}: {tally:?}");
    }
    let problems: Vec<(usize, usize, Way)> =
        results.into_iter().flat_map(|(_, found)| found).collect();
    if let Some(&(seed, index, way)) = problems.first() {
        let first = smallest(&mut trees(seed)[index], way);
        panic!(
            "{} disagreements where termination is {termination:?}, such as\n{first}",
            problems.len()
        );
    }
    for (claim, tally) in tallies {
        let ways = STRATEGIES.iter().filter(|way| decides(way, claim));
        let cases = cases * ways.count();
        let is_telling = tally.holds > cases / 20 && tally.fails > cases / 20;
        assert!(is_telling && tally.open < cases / 8, "{claim}: {tally:?}");
    }
}

/// True if this way gives a verdict on all claims of this kind that are not too large.
fn decides(strategy: &[&str], claim: &str) -> bool {
    match strategy {
        DIVES | LOCAL => false,
        SUBSETS => claim.starts_with("SPEC ["),
        _ => true,
    }
}

type Tallies = BTreeMap<&'static str, Tally>;

/// The cases made from `seed`, which can be made smaller.
fn trees(seed: usize) -> Vec<impl ValueTree<Value = Case>> {
    let mut runner = program::runner(seed);
    let strategy = cases();
    let new_tree = |_| strategy.new_tree(&mut runner).unwrap();
    (0..CASES_IN_SCRIPT).map(new_tree).collect()
}

/// The kind of termination, and the arguments that choose a strategy.
type Way = (Termination, &'static [&'static str]);

/// Compares the cases made from `seed`. Returns the seed and index of each that disagrees.
fn compare_script(seed: usize, way: Way) -> (Tallies, Vec<(usize, usize, Way)>) {
    let cases: Vec<Case> = trees(seed).iter().map(|tree| tree.current()).collect();
    let mut tallies = Tallies::new();
    let mut problems = Vec::new();
    for (index, (case, answers)) in cases.iter().zip(ask(&cases, way)).enumerate() {
        let outcomes = judge(case, &answers, way.0);
        for ((_, claim), outcome) in CLAIMS.iter().zip(&outcomes) {
            let tally = tallies.entry(claim).or_default();
            match outcome {
                Outcome::Holds => tally.holds += 1,
                Outcome::Fails => tally.fails += 1,
                Outcome::Open => tally.open += 1,
                Outcome::Wrong(_) => {}
            }
        }
        if wrong(&outcomes).is_some() {
            problems.push((seed, index, way));
        }
    }
    (tallies, problems)
}

/// The description of a smaller case that disagrees as well.
fn smallest(tree: &mut impl ValueTree<Value = Case>, way: Way) -> String {
    let problem = |case: &Case| {
        let answers = ask(std::slice::from_ref(case), way);
        Some(wrong(&judge(case, &answers[0], way.0))? + "\n" + &script(std::slice::from_ref(case)))
    };
    let mut found = problem(&tree.current()).unwrap_or_else(|| "not alone".to_string());
    let mut more = tree.simplify();
    for _ in 0..SHRINKING {
        if !more {
            break;
        }
        more = match problem(&tree.current()) {
            Some(smaller) => {
                found = smaller;
                tree.simplify()
            }
            None => tree.complicate(),
        };
    }
    found
}

/// The result of comparing one answer of the program with the oracle.
enum Outcome {
    Holds,
    Fails,
    /// The case is too large for one of them.
    Open,
    Wrong(String),
}

fn wrong(outcomes: &[Outcome]) -> Option<String> {
    outcomes.iter().find_map(|outcome| match outcome {
        Outcome::Wrong(problem) => Some(problem.clone()),
        _ => None,
    })
}

/// Compares the answers of the program to each claim about `case` with the oracle.
fn judge(case: &Case, answers: &[Value], termination: Termination) -> Vec<Outcome> {
    let mut denotations = Denotations::new(&case.definitions, termination);
    let pairs = CLAIMS.iter().zip(answers);
    let outcome = pairs.map(|(&(claim, text), answer)| {
        let judged = judge_claim(&mut denotations, case, claim, answer);
        match judged.unwrap_or(Outcome::Open) {
            Outcome::Wrong(problem) => Outcome::Wrong(format!("{text}: {problem}")),
            outcome => outcome,
        }
    });
    outcome.collect()
}

fn judge_claim(
    denotations: &mut Denotations<'_>,
    case: &Case,
    claim: Claim,
    answer: &Value,
) -> Result<Outcome, TooLarge> {
    let [p, q] = [&case.specification, &case.process].map(|p| denotations.of(p));
    let expected = violation(denotations, claim, p, q)?;
    let wrong = |found: String| Ok(Outcome::Wrong(format!("{found}, but {expected:?}")));
    match (verdict(answer), &expected) {
        (Ok(Some(true)), None) => Ok(Outcome::Holds),
        (Ok(Some(false)), Some(_)) => {
            let counterexample = &answer["counterexample"];
            let trace = events(&counterexample["trace"]);
            let left = both_after(denotations, claim, p, q, &trace)?;
            let may_end = denotations.termination == Termination::Signal;
            let ends_well = may_end && trace.last() == Some(&oracle::TICK);
            let shown =
                |[p, q]: [Rc<Denotation>; 2]| !ends_well && is_shown(claim, &p, &q, counterexample);
            match left.is_some_and(shown) {
                true => Ok(Outcome::Fails),
                false => wrong(format!("that is no violation: {answer}")),
            }
        }
        (Ok(None), _) => Ok(Outcome::Open),
        _ => wrong(answer.to_string()),
    }
}

/// True if `p` and `q`, the processes after the trace, are as the counterexample describes them,
/// and that violates the claim.
fn is_shown(claim: Claim, p: &Denotation, q: &Denotation, said: &Value) -> bool {
    let event = said["event"].as_str().map(number);
    let offers: Set = events(&said["offers"]).into_iter().collect();
    let rests = |d: &Denotation| d.acceptances.iter().any(|a| a.is_subset(&offers));
    let has_failures = claim.model() != Model::Traces;
    match said["kind"].as_str().unwrap_or("") {
        "trace" => event.is_some_and(|e| q.after.contains_key(&e) && !p.after.contains_key(&e)),
        "refusal" => {
            let sets = said["acceptances"].as_array().into_iter().flatten();
            let sets: BTreeSet<Set> = sets.map(|set| events(set).into_iter().collect()).collect();
            has_failures && rests(q) && !rests(p) && sets == p.acceptances
        }
        "divergence" => claim.model() == Model::FailuresDivergences && q.diverges,
        "deadlock" => offers.is_empty() && rests(q),
        "nondeterminism" => {
            let is_refused = |e: &Event| q.after.contains_key(e) && !offers.contains(e);
            matches!(claim, Claim::Deterministic(_))
                && rests(q)
                && event.as_ref().is_some_and(is_refused)
        }
        _ => false,
    }
}

/// The answers of the program to each claim about each case.
fn ask(cases: &[Case], (termination, strategy): Way) -> Vec<Vec<Value>> {
    let count = cases.len() * CLAIMS.len();
    let answers = program::answers(&script(cases), count, termination, strategy);
    let of_case = answers.chunks(CLAIMS.len()).map(<[Value]>::to_vec);
    of_case.collect()
}

/// All cases with all claims.
fn script(cases: &[Case]) -> String {
    program::script(cases, CLAIMS.map(|(_, claim)| claim))
}

#[test]
fn a_wrong_answer_is_noticed() {
    let case = Case {
        definitions: Vec::new(),
        specification: P::Prefix(vec![(2, P::Stop)]),
        process: P::Prefix(vec![(2, P::Skip)]),
    };
    let answers = |line: &str| vec![serde_json::from_str(line).unwrap(); CLAIMS.len()];
    let found = |line: &str| wrong(&judge(&case, &answers(line), Termination::Event));
    assert!(
        found(r#"{"verdict":"pass"}"#)
            .unwrap()
            .starts_with("SPEC [T= IMPL")
    );
    let early =
        found(r#"{"verdict":"fail","counterexample":{"kind":"trace","trace":[],"event":"a"}}"#);
    assert!(early.unwrap().contains("no violation"));
    assert!(found(r#"{"verdict":"unknown","message":"unsupported: x"}"#).is_some());
    let late = judge(
        &case,
        &answers(
            r#"{"verdict":"fail","counterexample":{"kind":"trace","trace":["a"],"event":"✓"}}"#,
        ),
        Termination::Event,
    );
    assert!(matches!(late[0], Outcome::Fails));
    let large = answers(r#"{"verdict":"unknown","message":"state-limit: x"}"#);
    assert!(matches!(
        judge(&case, &large, Termination::Event)[0],
        Outcome::Open
    ));
    let violation = Violation {
        trace: vec![2],
        kind: verdicts::Kind::Event(oracle::TICK),
    };
    assert!(
        found(r#"{"verdict":"pass"}"#)
            .unwrap()
            .contains(&format!("{violation:?}"))
    );
}
