//! Symmetry reduction on random systems of known shape, without a hint: rings, tori, cubes, trees,
//! families beside each other, labels that move with processes, a process that holds identities,
//! two roles with equal numbers.
//!
//! The expected results come from a semantics that shares nothing with the program: verdicts,
//! lengths, and orbits by brute force under the group of the construction, and under the group that
//! the program reports.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde_json::Value;

use crate::harness::{cspsym, in_parallel};
use crate::symmetry_systems::alphabet::Event;
use crate::symmetry_systems::case::{number, run};
use crate::symmetry_systems::lts::{Lts, matching};
use crate::symmetry_worlds::product::{Product, Search, Symmetry, closed, orbits, order_on};
use crate::symmetry_worlds::shape::SHAPES;
use crate::symmetry_worlds::world::World;
use testkit::depth::cases;

/// The number of worlds, each with several specifications.
static WORLDS: LazyLock<usize> = LazyLock::new(|| cases(10, 60) * SHAPES);

/// The largest number of pairs of a product.
const PAIRS: usize = 4000;
/// The largest number of pairs, most of them not reachable, whose orbits are counted.
const IMAGES: usize = 100_000;

/// One specification of a world, with the expected result of a check.
struct Case<'a> {
    seed: usize,
    world: &'a World,
    specification: usize,
    product: Product<'a>,
    search: Search,
}

impl<'a> Case<'a> {
    /// The permutations of the construction that are symmetries.
    fn known(&self) -> Vec<Symmetry> {
        let symmetry = |images| {
            let components = self.world.moved_components(images);
            self.product
                .symmetry(&self.world.lifted(images), &components)
        };
        self.world.shape.group.iter().filter_map(symmetry).collect()
    }

    fn holds(&self) -> bool {
        self.search.steps_to_violation.is_none()
    }

    /// The report of a check with these arguments.
    fn refine(&self, arguments: &[&str]) -> Value {
        let assertion = format!("assert SPEC{} [T= IMPL\n", self.specification);
        let reports = run(&(self.world.script.clone() + &assertion), arguments);
        assert_eq!(reports.len(), 1);
        reports[0].clone()
    }

    /// Asserts that verdict and length are those of plain search. Returns false if the arguments
    /// are refused as not applicable.
    fn agrees(&self, report: &Value, arguments: &[&str]) -> bool {
        let message = report["message"].as_str().unwrap_or("");
        if report["verdict"] == "error" && message.contains("inapplicable") {
            return false;
        }
        let verdict = if self.holds() { "pass" } else { "fail" };
        let place = || self.place(report, arguments);
        assert_eq!(report["verdict"], verdict, "{}", place());
        let trace = report["counterexample"]["trace_with_taus"].as_array();
        assert_eq!(
            trace.map(Vec::len),
            self.search.steps_to_violation,
            "{}",
            place()
        );
        if self.holds() {
            assert!(
                number(report, "states") <= self.search.pairs.len(),
                "{}",
                place()
            );
        }
        true
    }

    /// The place of the case, for a failing test.
    fn place(&self, report: &Value, arguments: &[&str]) -> String {
        let Self {
            seed,
            specification,
            world,
            ..
        } = self;
        let name = world.shape.name;
        let script = &world.script;
        format!("world {seed} ({name}), SPEC{specification}, {arguments:?}\n{report}\n{script}")
    }

    /// The report of `cspsym symmetry`.
    fn symmetries(&self) -> Value {
        let specification = format!("SPEC{}", self.specification);
        let arguments = [
            "symmetry",
            &specification,
            "IMPL",
            "-",
            "--format",
            "json",
            "--pbisims",
        ];
        let outcome = cspsym(&arguments.map(str::to_string), self.world.script.as_bytes());
        serde_json::from_str(&outcome.out)
            .unwrap_or_else(|error| panic!("{error}\n{}", outcome.err))
    }

    /// The generators that the program reports. Each is asserted to be a symmetry.
    fn reported(&self, report: &Value) -> Vec<Symmetry> {
        let names = self.world.names();
        let events: HashMap<&str, Event> = names.iter().map(String::as_str).zip(2..).collect();
        let event = |name: &Value| events[name.as_str().unwrap()];
        let pbisims = &report["pbisims"];
        let numbers = states_of_leaves(pbisims, &event, self.world);
        let symmetry = |relation: &Value| {
            let mut images: Vec<Event> = (0..names.len() + 2).collect();
            for cycle in list(&relation["events"]) {
                let cycle: Vec<Event> = list(cycle).iter().map(event).collect();
                for (at, &event) in cycle.iter().enumerate() {
                    images[event] = cycle[(at + 1) % cycle.len()];
                }
            }
            let stays =
                |(leaf, numbers): (usize, &Vec<usize>)| (leaf, (0..numbers.len()).collect());
            let mut components: Vec<(usize, Vec<usize>)> =
                numbers.iter().enumerate().map(stays).collect();
            for leaf in list(&relation["leaves"]) {
                let (from, to) = (number(leaf, "from"), number(leaf, "to"));
                components[from].0 = to;
                for (state, image) in list(&leaf["states"]).iter().enumerate() {
                    let image = image.as_u64().unwrap() as usize;
                    components[from].1[numbers[from][state]] = numbers[to][image];
                }
            }
            let place = || format!("no symmetry: {relation}\n{}", self.place(report, &[]));
            let symmetry = self.product.moving(images, components);
            let symmetry = symmetry.unwrap_or_else(|| panic!("{}", place()));
            assert!(
                self.product.is_kept_by(&symmetry, &self.search.pairs),
                "{}",
                place()
            );
            symmetry
        };
        list(&pbisims["relations"]).iter().map(symmetry).collect()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// The state of the component for each leaf and state of the program: both are minimal.
fn states_of_leaves(
    pbisims: &Value,
    event: &impl Fn(&Value) -> Event,
    world: &World,
) -> Vec<Vec<usize>> {
    let events: Vec<Event> = list(&pbisims["events"]).iter().map(event).collect();
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let identity: Vec<Event> = (0..world.names().len() + 2).collect();
    let graphs = list(&pbisims["graphs"]).iter();
    let pairs = graphs.zip(&world.components);
    let states = pairs.map(|(graph, component)| {
        let mut rows = vec![Vec::new(); component.lts.rows.len()];
        for transition in list(&graph["transitions"]) {
            let step = (events[number(&transition[1])], number(&transition[2]));
            rows[number(&transition[0])].push(step);
        }
        matching(&Lts { rows }, &component.lts, &identity).unwrap()
    });
    states.collect()
}

/// The results of `work` for all cases, made by two threads.
fn for_all<R: Send>(work: impl Fn(&Case<'_>) -> R + Sync) -> Vec<R> {
    let seeds: Vec<usize> = (0..*WORLDS).collect();
    let results = in_parallel(&seeds, |&seed| {
        let world = World::random(seed);
        let case = |(specification, normal_form)| {
            let product = Product {
                specification: normal_form,
                components: &world.components,
                hidden: &world.hidden,
            };
            let search = product.search(PAIRS)?;
            Some(work(&Case {
                seed,
                world: &world,
                specification,
                product,
                search,
            }))
        };
        let cases = world.specifications.iter().enumerate();
        cases.filter_map(case).collect::<Vec<R>>()
    });
    results.into_iter().flatten().collect()
}

/// The semantics of the test and the program describe equal systems, and the worlds are worth
/// testing: most have the symmetries of their shapes, and some of these move the start.
#[test]
fn plain_search_is_as_expected() {
    let arguments = ["--symmetry", "off"];
    let mut by_shape: BTreeMap<&'static str, [usize; 4]> = BTreeMap::new();
    for (name, counts) in for_all(|case| {
        let report = case.refine(&arguments);
        assert!(
            case.agrees(&report, &arguments),
            "{}",
            case.place(&report, &arguments)
        );
        if case.holds() {
            let states = number(&report, "states");
            assert_eq!(
                states,
                case.search.pairs.len(),
                "{}",
                case.place(&report, &arguments)
            );
        }
        let known = case.known();
        let start = case.product.initial();
        let moves = known.iter().any(|symmetry| symmetry.apply(&start) != start);
        let whole = known.len() == case.world.shape.group.len();
        let large = case.search.pairs.len() > 20;
        (
            case.world.shape.name,
            [
                1,
                usize::from(whole),
                usize::from(moves),
                usize::from(large),
            ],
        )
    }) {
        let sums = by_shape.entry(name).or_default();
        sums.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
    }
    check_worlds(by_shape);
}

/// Asserts that the worlds are worth testing. The numbers by shape are: checks, those with the
/// whole group, those where it moves the start, and those with more than 20 pairs.
fn check_worlds(by_shape: BTreeMap<&'static str, [usize; 4]>) {
    println!("{by_shape:?}");
    assert_eq!(by_shape.len(), SHAPES);
    for (name, [checks, whole, moves, large]) in by_shape {
        assert!(
            checks * 10 >= *WORLDS / SHAPES * 8,
            "{name}: only {checks} checks"
        );
        assert!(
            whole * 2 > checks,
            "{name}: only {whole} of {checks} have the whole group"
        );
        assert!(
            moves * 10 > checks,
            "{name}: only {moves} of {checks} move the start"
        );
        assert!(
            large * 10 > checks,
            "{name}: only {large} of {checks} have more than 20 pairs"
        );
    }
}

/// By default, verdicts and lengths are those of plain search, and traces are traces. If
/// representatives are unique, one state is stored for each orbit of the reported group.
#[test]
fn reduced_searches_agree() {
    let exact = for_all(|case| {
        let mut exact = 0;
        for arguments in [&[][..], &["--fix-initial"]] {
            let report = case.refine(arguments);
            assert!(
                case.agrees(&report, arguments),
                "{}",
                case.place(&report, arguments)
            );
            confirm_trace(case, &report);
            if arguments.is_empty() && case.holds() && is_unique(&report) {
                exact += usize::from(compare_with_reported(case, &report, arguments));
            }
        }
        exact
    });
    let exact: usize = exact.into_iter().sum();
    println!("orbits counted {exact}");
    assert!(
        exact * 10 > *WORLDS,
        "orbits were counted only {exact} times"
    );
}

/// True if the report says that all states of an orbit have one representative.
fn is_unique(report: &Value) -> bool {
    report["symmetry"]["unique"] == true
}

/// Compares the states of a check that holds with the orbits of the reported group. Returns false
/// if these are too many.
fn compare_with_reported(case: &Case<'_>, report: &Value, arguments: &[&str]) -> bool {
    let symmetries = case.symmetries();
    let generators = case.reported(&symmetries);
    let Some(pairs) = closed(&case.search.pairs, &generators, IMAGES) else {
        return false;
    };
    let orbits = orbits(&pairs, &generators);
    let states = number(report, "states");
    assert_eq!(
        states,
        orbits,
        "{symmetries}\n{}",
        case.place(report, arguments)
    );
    true
}

/// Asserts that the implementation has the trace, and the specification all but its last event.
fn confirm_trace(case: &Case<'_>, report: &Value) {
    let Some(trace) = report["counterexample"]["trace"].as_array() else {
        return;
    };
    let name = |event: &Value| event.as_str().unwrap().to_string();
    let before: Vec<String> = trace.iter().map(name).collect();
    let event = name(&report["counterexample"]["event"]);
    let all = [before.clone(), vec![event]].concat().join(", ");
    let before = before.join(", ");
    let specification = format!("SPEC{}", case.specification);
    let questions = format!(
        "assert IMPL :[has trace]: <{all}>\n\
         assert not {specification} :[has trace]: <{all}>\n\
         assert {specification} :[has trace]: <{before}>\n"
    );
    let answers = run(
        &(case.world.script.clone() + &questions),
        &["--symmetry", "off"],
    );
    assert_eq!(answers.len(), 3);
    for answer in answers {
        assert_eq!(
            answer["verdict"],
            "pass",
            "{answer}\n{}",
            case.place(report, &[])
        );
    }
}

/// The whole group of the construction is found without a hint: the order is a multiple of that of
/// its action on the reachable pairs and their images, and no more states are stored than it has
/// orbits.
#[test]
fn the_group_of_the_construction_is_found() {
    for_all(|case| {
        let known = case.known();
        let pairs = closed(&case.search.pairs, &known, usize::MAX).unwrap();
        let least = order_on(&pairs, &known);
        let report = case.refine(&[]);
        let order = report["symmetry"]["order"].as_str().unwrap_or("1");
        let order: u128 = order.parse().unwrap();
        let place = || format!("{least} known\n{}", case.place(&report, &[]));
        assert_eq!(order % least as u128, 0, "{}", place());
        if case.holds() {
            let orbits = orbits(&pairs, &known);
            let states = number(&report, "states");
            assert!(states <= orbits, "{orbits} orbits, {}", place());
        }
    });
}

/// Options for representatives. One that does not apply is refused; every other must agree.
const REPRESENTATIVES: [&str; 6] = ["general", "minimal", "signature", "local", "sort", "auto"];

/// Every representative function gives the verdicts, lengths and traces of plain search. Least
/// images and minimal images are one for each orbit, and no other function finds fewer.
#[test]
fn representatives_agree() {
    let used = for_all(|case| {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        let symmetries = case.symmetries();
        let generators = case.reported(&symmetries);
        let pairs = closed(&case.search.pairs, &generators, IMAGES);
        let orbits = pairs.map(|pairs| orbits(&pairs, &generators));
        for name in REPRESENTATIVES {
            let arguments = ["--representative", name];
            let report = case.refine(&arguments);
            if !case.agrees(&report, &arguments) {
                continue;
            }
            *used.entry(name).or_default() += 1;
            confirm_trace(case, &report);
            if let (true, Some(orbits)) = (case.holds(), orbits) {
                let states = number(&report, "states");
                let place = || format!("{symmetries}\n{}", case.place(&report, &arguments));
                let exact = ["general", "minimal", "sort"].contains(&name);
                if exact || is_unique(&report) {
                    assert_eq!(states, orbits, "{}", place());
                } else {
                    assert!(states >= orbits, "{}", place());
                }
            }
        }
        used
    });
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, count) in used.into_iter().flatten() {
        *by_name.entry(name).or_default() += count;
    }
    println!("{by_name:?}");
    assert_eq!(by_name.len(), REPRESENTATIVES.len(), "{by_name:?}");
}
