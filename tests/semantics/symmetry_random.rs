//! Symmetry reduction on random symmetric systems: every algorithm against plain search, plain
//! search and every reduced count against brute force, and every counterexample against the
//! processes themselves.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

use crate::harness::in_parallel;
use crate::symmetry_systems::case::{Case, number, run};
use crate::symmetry_systems::expectation::{Expectation, Reduction};
use testkit::depth::cases;

/// The number of systems, each with several specifications.
static SYSTEMS: LazyLock<usize> = LazyLock::new(|| cases(120, 400));

/// The steps of the counterexample before its last event, τ included; `None` without one.
fn steps_to_violation(report: &Value) -> Option<usize> {
    let steps = report["counterexample"]["trace_with_taus"].as_array();
    steps.map(Vec::len)
}

/// All cases with their results, made by two threads.
fn for_all<R: Send>(work: impl Fn(&Case) -> R + Sync) -> Vec<R> {
    let seeds: Vec<usize> = (0..*SYSTEMS).collect();
    in_parallel(&seeds, |&seed| {
        let case = Case::random(seed);
        (!case.specifications.is_empty()).then(|| work(&case))
    })
    .into_iter()
    .flatten()
    .collect()
}

/// The semantics of the test and the program describe equal systems: without symmetry they agree on
/// every number. The expectations of the test below about symmetry rest on this.
#[test]
fn plain_search_is_as_expected() {
    let arguments = ["--symmetry", "off"];
    let verdicts = for_all(|case| {
        let reports = case.check(&arguments);
        let mut verdicts = Vec::new();
        for (specification, report) in case.specifications.iter().zip(&reports) {
            let place = || format!("{report}\n{}", case.place(specification, &arguments));
            let expected = &specification.expected;
            let holds = expected.steps_to_violation.is_none();
            assert_eq!(
                report["verdict"],
                if holds { "pass" } else { "fail" },
                "{}",
                place()
            );
            assert_eq!(
                steps_to_violation(report),
                expected.steps_to_violation,
                "{}",
                place()
            );
            let normal_form = number(&report["specification"], "states");
            assert_eq!(normal_form, expected.specification_states, "{}", place());
            assert_eq!(number(report, "levels"), expected.levels, "{}", place());
            if holds {
                assert_eq!(number(report, "states"), expected.states, "{}", place());
            }
            verdicts.push((specification.sort, expected.clone()));
        }
        verdicts
    })
    .concat();
    let share = |wanted: fn(&Expectation) -> bool| {
        let found = verdicts.iter().filter(|(_, expected)| wanted(expected));
        found.count() * 100 / verdicts.len()
    };
    let failing = share(|e| e.steps_to_violation.is_some());
    let deep = share(|e| e.steps_to_violation.is_some_and(|steps| steps >= 3));
    let trivial = share(|e| e.any_start.order == 1);
    let moving = share(|e| e.any_start.order > e.fixed_start.order);
    let universal = share(|e| e.any_start.order > 1 && e.any_start.universal);
    let not_universal = share(|e| e.any_start.order > 1 && !e.any_start.universal);
    println!(
        "{} checks; of 100 {failing} fail, {deep} not at once; {trivial} have no symmetry, {moving} have some \
         that move the start; with symmetry {universal} are universal, {not_universal} are not",
        verdicts.len()
    );
    assert!(verdicts.len() > *SYSTEMS * 3);
    for (what, share, least) in [
        ("fail", failing, 20),
        ("fail late", deep, 5),
        ("have no symmetry", trivial, 3),
        ("have symmetries that move the start", moving, 10),
        ("are universal", universal, 20),
        ("are not universal", not_universal, 20),
    ] {
        assert!(share >= least, "only {share} of 100 {what}");
    }
}

/// Options for the search. One that does not apply is refused; every other must agree.
const CONFIGURATIONS: [&[&str]; 8] = [
    &[],
    &["--algorithm", "symcheck1"],
    &["--algorithm", "symcheck2"],
    &["--algorithm", "symcheck3"],
    &["--fix-initial"],
    &["--fix-initial", "--algorithm", "symcheck1"],
    &["--fix-initial", "--algorithm", "symcheck2"],
    &["--fix-initial", "--algorithm", "symcheck3"],
];

/// The results of checks in one of the [`CONFIGURATIONS`].
#[derive(Default)]
struct Tally {
    /// The number of checks by the algorithm that was used.
    by_algorithm: BTreeMap<String, usize>,
    /// The number of checks that failed, by the algorithm that was used.
    failed: BTreeMap<String, usize>,
    /// The checks that hold, with some symmetry, and with the group of all permutations of
    /// identities that are symmetries. The number of states is compared with the number of orbits.
    exact: usize,
    /// The checks among these with fewer states, or more: equal components may be exchanged without
    /// any event moving, and operands that are not live may be in other states.
    smaller: usize,
    larger: usize,
    /// The number of checks to which the requested algorithm does not apply.
    refused: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (algorithm, count) in other.by_algorithm {
            *self.by_algorithm.entry(algorithm).or_default() += count;
        }
        for (algorithm, count) in other.failed {
            *self.failed.entry(algorithm).or_default() += count;
        }
        self.exact += other.exact;
        self.smaller += other.smaller;
        self.larger += other.larger;
        self.refused += other.refused;
    }
}

/// Every algorithm gives the verdict of plain search. Counterexamples are as long as those of plain
/// search, and are traces of the implementation and not of the specification, asked again without
/// symmetry. A reduced search finds one state for each orbit of the reachable ones.
#[test]
fn algorithms_agree() {
    let mut tally = Tally::default();
    for_all(tallied).into_iter().for_each(|one| tally.add(one));
    let Tally {
        by_algorithm,
        failed,
        exact,
        smaller,
        larger,
        refused,
    } = &tally;
    println!("{by_algorithm:?}, of them failed {failed:?}, {refused} refused");
    println!("orbits counted {exact}, group smaller {smaller}, larger {larger}");
    let all: usize = by_algorithm.values().sum();
    for algorithm in ["SymCheck1", "SymCheck2", "SymCheck3"] {
        let used = by_algorithm.get(algorithm).copied().unwrap_or(0);
        assert!(
            used * 20 > all,
            "{algorithm} was used in {used} of {all} checks"
        );
        let failed = failed.get(algorithm).copied().unwrap_or(0);
        assert!(
            failed * 10 > used,
            "{algorithm}: {failed} of {used} checks fail"
        );
    }
    assert!(smaller * 10 < *exact, "too many symmetries are missed");
    assert!(
        larger * 3 < *exact,
        "the groups are too often others than expected"
    );
}

fn tallied(case: &Case) -> Tally {
    let plain = case.check(&["--symmetry", "off"]);
    let mut tally = Tally::default();
    let mut traces: BTreeMap<usize, BTreeSet<Vec<String>>> = BTreeMap::new();
    // By specification, and true if the start is fixed: the order of the group, and the states, of
    // the first configuration that applies.
    let mut reduced: BTreeMap<(usize, bool), (String, usize)> = BTreeMap::new();
    for arguments in CONFIGURATIONS {
        let reports = case.check(arguments);
        for ((specification, plain), report) in case.specifications.iter().zip(&plain).zip(&reports)
        {
            let place = || {
                let place = case.place(specification, arguments);
                format!("{report}\n{plain}\n{place}")
            };
            let Some(algorithm) = compare_with_plain(report, plain, arguments, &place) else {
                tally.refused += 1;
                continue;
            };
            *tally.by_algorithm.entry(algorithm.clone()).or_default() += 1;
            let fixed = arguments.contains(&"--fix-initial");
            let expected = &specification.expected;
            let group = match fixed {
                true => &expected.fixed_start,
                false => &expected.any_start,
            };
            let symmetry = &report["symmetry"];
            let order = symmetry["order"].as_str().unwrap_or("1").to_string();
            let universal = symmetry["universal"].as_bool().unwrap_or(true);
            if matches!(&algorithm[..], "SymCheck1" | "SymCheck2") {
                assert!(universal, "{}", place());
            }
            if expected.steps_to_violation.is_some() {
                *tally.failed.entry(algorithm).or_default() += 1;
                let traces = traces.entry(specification.number).or_default();
                traces.insert(trace_with_event(report));
                continue;
            }
            let states = number(report, "states");
            assert!(states <= number(plain, "states"), "{}", place());
            let (known_order, known_states) = reduced
                .entry((specification.number, fixed))
                .or_insert((order.clone(), states));
            if *known_order == order {
                assert_eq!(*known_states, states, "{}", place());
            }
            compare_with_orbits(&mut tally, group, &order, universal, states, &place);
        }
    }
    check_traces(case, &traces);
    tally
}

/// Checks that the verdict with symmetry is that of plain search, and the length of a
/// counterexample too. Returns the algorithm, or `None` if the requested one does not apply.
fn compare_with_plain(
    report: &Value,
    plain: &Value,
    arguments: &[&str],
    place: &dyn Fn() -> String,
) -> Option<String> {
    let is_asked = arguments.contains(&"--algorithm");
    let message = report["message"].as_str().unwrap_or("");
    let is_refused = message.starts_with("algorithm-inapplicable:");
    if is_asked && is_refused && report["verdict"] == "error" {
        return None;
    }
    assert_eq!(report["verdict"], plain["verdict"], "{}", place());
    let lengths = [report, plain].map(steps_to_violation);
    assert_eq!(lengths[0], lengths[1], "{}", place());
    let algorithm = report["algorithm"].as_str();
    let algorithm = algorithm.unwrap_or_else(|| panic!("{}", place()));
    if is_asked {
        let wanted = arguments[arguments.len() - 1];
        assert_eq!(algorithm.to_lowercase(), wanted, "{}", place());
    }
    Some(algorithm.to_string())
}

/// Compares the number of states with that of orbits, if the group is that of the brute force.
fn compare_with_orbits(
    tally: &mut Tally,
    group: &Reduction,
    order: &str,
    universal: bool,
    states: usize,
    place: &impl Fn() -> String,
) {
    let order: usize = order.parse().unwrap_or(usize::MAX);
    match order.cmp(&group.order) {
        Ordering::Equal => {
            assert_eq!(states, group.orbits, "{}", place());
            assert_eq!(universal, group.universal, "{}", place());
            tally.exact += usize::from(order > 1);
        }
        Ordering::Less => {
            assert!(states >= group.orbits, "{}", place());
            tally.smaller += 1;
        }
        Ordering::Greater => {
            assert!(states <= group.orbits, "{}", place());
            tally.larger += 1;
        }
    }
}

/// The visible events of the counterexample with the one that is not allowed.
fn trace_with_event(report: &Value) -> Vec<String> {
    let counterexample = &report["counterexample"];
    let trace = counterexample["trace"]
        .as_array()
        .unwrap_or_else(|| panic!("no trace: {report}"));
    let events = trace.iter().chain([&counterexample["event"]]);
    events
        .map(|event| event.as_str().unwrap().to_string())
        .collect()
}

/// Checks of every trace, without symmetry, that the implementation has it, and that the
/// specification lacks it but has all before the last event.
fn check_traces(case: &Case, traces: &BTreeMap<usize, BTreeSet<Vec<String>>>) {
    let mut script = case.script.clone();
    let mut questions = 0;
    for (number, traces) in traces {
        for trace in traces {
            // Termination cannot be written into a trace, but the events after it can.
            let ends = trace.last().is_some_and(|event| event == "✓");
            let mut events = trace.clone();
            if ends {
                events.pop();
                events.push("done".to_string());
            }
            let process = |name: String| {
                if ends {
                    format!("({name} ; done -> STOP)")
                } else {
                    name
                }
            };
            let all = events.join(", ");
            let before = events[..events.len() - 1].join(", ");
            script += &format!(
                "assert {} :[has trace]: <{all}>\n",
                process("IMPL".to_string())
            );
            script += &format!(
                "assert not {} :[has trace]: <{all}>\n",
                process(format!("SPEC{number}"))
            );
            script += &format!("assert SPEC{number} :[has trace]: <{before}>\n");
            questions += 3;
        }
    }
    if questions > 0 {
        let reports = run(&script, &["--symmetry", "off"]);
        assert_eq!(reports.len(), questions, "{script}");
        for report in reports {
            assert_eq!(
                report["verdict"], "pass",
                "system {}: {report}\n{script}",
                case.seed
            );
        }
    }
}
