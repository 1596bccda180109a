//! Graphs of processes: against the machine, through `aut` and back, compressed, and within limits.

use crate::generate;
use crate::text;
use std::sync::LazyLock;
use testkit::depth::cases;

use cspsym::{GraphOptions, Loader, ModelName, NotIncluded, Options, Script, Task};
use process::compression::Compression;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use report::assertion::Verdict;
use report::graph::{StateGraph, TauLabel};

/// Shipped scripts, processes in them, and the numbers of their states and transitions in machines
/// that are not minimised.
pub(crate) const SHIPPED: &[(&str, &[&str])] = &[
    ("hanoi/hanoi.csp", &["HANOI", "POLE(A)"]),
    (
        "vending/vending.csp",
        &["CHOICE", "MOOD", "FRAGILE", "GREEDY"],
    ),
    (
        "dijkstra/dijkstra.csp",
        &["DIJKSTRA", "PARTICIPANT(P1)", "VARIABLES"],
    ),
    (
        "philosophers/philosophers.csp",
        &["PLAIN", "PHILOSOPHER(0)", "SPEC"],
    ),
    ("language/termination.csp", &["a -> SKIP"]),
];

/// Reads files as the command line does, and one file that is made up.
struct Files<'t> {
    made_up: &'t str,
}

impl Loader for Files<'_> {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        _: &str,
    ) -> Result<(String, String), NotIncluded> {
        if path == "made-up.aut" {
            return Ok((path.to_string(), self.made_up.to_string()));
        }
        let folder = including.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = format!("{folder}/{path}");
        match std::fs::read_to_string(&name) {
            Ok(text) => Ok((name, text)),
            Err(error) => Err(NotIncluded::Missing(error.to_string())),
        }
    }
}

fn options() -> Options {
    Options {
        minimise: false,
        ..Options::default()
    }
}

pub(crate) fn shipped(file: &str, added: &str, made_up: &str) -> Script {
    let name = format!("{}/cspm/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&name).unwrap() + added;
    Script::read(&name, &text, &mut Files { made_up }, &[]).unwrap()
}

fn graph(script: &Script, process: &str, wanted: &GraphOptions) -> StateGraph {
    let found = script.graph(process, wanted, &options(), &Task::default());
    found.unwrap_or_else(|error| panic!("{process}: {error}"))
}

fn aut(graph: &StateGraph) -> String {
    let mut written = Vec::new();
    graph.write_aut(TauLabel::Tau, &mut written).unwrap();
    String::from_utf8(written).unwrap()
}

fn refines(script: &Script, left: &str, right: &str) {
    let options = Options {
        model: Some(ModelName::FD),
        ..Options::default()
    };
    let answer = script.refine(left, right, &options, &Task::default());
    let problem = answer.problem.map(|problem| problem.to_string());
    assert_eq!(
        answer.report.verdict,
        Verdict::Pass,
        "{left} [FD= {right}: {problem:?}"
    );
}

#[test]
fn graphs_have_the_states_of_machines_that_are_not_minimised() {
    for &(file, processes) in SHIPPED {
        let script = shipped(file, "", "");
        for process in processes {
            let graph = graph(&script, process, &GraphOptions::default());
            let listed = script
                .transitions(process, &options(), &Task::default())
                .unwrap();
            let transitions: usize = listed.transitions.iter().map(Vec::len).sum();
            let expected = (listed.transitions.len(), transitions);
            let found = (graph.states.len(), graph.transitions.len());
            assert_eq!(found, expected, "{process} of {file}");
            assert!(graph.complete);
        }
    }
}

#[test]
fn what_is_written_is_read_back_as_an_equal_process() {
    for &(file, processes) in SHIPPED {
        let script = shipped(file, "", "");
        for process in processes {
            let graph = graph(&script, process, &GraphOptions::default());
            let text = aut(&graph);
            let back = shipped(
                file,
                "\nexternal aut\nREAD_BACK = aut(\"made-up.aut\")\n",
                &text,
            );
            refines(&back, process, "READ_BACK");
            refines(&back, "READ_BACK", process);
            // Events may have other numbers, and so states too, but there are as many.
            let again = self::graph(&back, "READ_BACK", &GraphOptions::default());
            assert_eq!(aut(&again).lines().next(), text.lines().next());
        }
    }
}

/// The number of cases, which is small in slow builds.
static CASES: LazyLock<usize> = LazyLock::new(|| cases(100, 600));

/// The largest number of states of a random process that is compared.
const MOST_STATES: usize = 300;

/// The text of a random script.
fn random(runner: &mut TestRunner) -> String {
    let (definitions, process) = generate::system().new_tree(runner).unwrap().current();
    let mut text = "channel a, b, c, d\n".to_string();
    for (number, definition) in definitions.iter().enumerate() {
        text += &format!("D{number} = {}\n", text::text(definition));
    }
    text + &format!("P = {}\n", text::text(&process))
}

#[test]
fn random_processes_are_read_back_and_compressed_as_equal_processes() {
    const COMPRESSIONS: [Compression; 8] = [
        Compression::Sbisim,
        Compression::Dbisim,
        Compression::Wbisim,
        Compression::TauLoopFactor,
        Compression::Diamond,
        Compression::Normal,
        Compression::LazyNorm,
        Compression::ModelCompress,
    ];
    let random_numbers = TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), random_numbers);
    let mut compared = 0;
    for case in 0..*CASES {
        let text = random(&mut runner);
        let script = Script::parse("random.csp", &text).unwrap();
        let small = GraphOptions {
            most_states: Some(MOST_STATES),
            ..GraphOptions::default()
        };
        let Ok(plain) = script.graph("P", &small, &options(), &Task::default()) else {
            // Recursion that no event guards, which the random definitions may have.
            continue;
        };
        if !plain.complete {
            continue;
        }
        compared += 1;
        let compression = COMPRESSIONS[case % COMPRESSIONS.len()];
        let compressed = GraphOptions {
            compression: Some(compression),
            ..GraphOptions::default()
        };
        let compressed = graph(&script, "P", &compressed);
        for made in [&plain, &compressed] {
            let added = "external aut\nREAD_BACK = aut(\"made-up.aut\")\n";
            let made_up = aut(made);
            let files = &mut Files { made_up: &made_up };
            let text = format!("{text}{added}");
            let back = Script::read("random.csp", &text, files, &[]).unwrap();
            refines(&back, "P", "READ_BACK");
            refines(&back, "READ_BACK", "P");
        }
    }
    assert!(compared > *CASES / 2, "{compared} of {}", *CASES);
}

#[test]
fn a_large_file_is_read_without_recursion_and_in_its_own_order() {
    // One chain, listed backwards, and a step from each state to the last one.
    const STATES: usize = 20_000;
    let mut text = format!("des (0, {}, {STATES})\n", 2 * (STATES - 1));
    for state in (0..STATES - 1).rev() {
        let last = STATES - 1;
        text += &format!("({state}, \"a.{}\", {})\n", state % 7, state + 1);
        text += &format!("({state}, i, {last})\n");
    }
    let script = "channel a : {0..6}\nexternal aut\nP(x) = aut(\"made-up.aut\")\nQ = P(1)\n";
    let script = Script::read("large.csp", script, &mut Files { made_up: &text }, &[]);
    let script = script.map_err(|error| error.to_string()).unwrap();
    let wanted = GraphOptions {
        terms: false,
        ..GraphOptions::default()
    };
    let graph = graph(&script, "Q", &wanted);
    assert_eq!(graph.states.len(), STATES);
    assert_eq!(graph.transitions.len(), 2 * (STATES - 1));
}

#[test]
fn the_frontier_is_marked_and_nothing_else_is_left_out() {
    let script = shipped("hanoi/hanoi.csp", "", "");
    let whole = graph(&script, "HANOI", &GraphOptions::default());
    for most in 1..=whole.states.len() {
        let wanted = GraphOptions {
            most_states: Some(most),
            ..GraphOptions::default()
        };
        let part = graph(&script, "HANOI", &wanted);
        assert_eq!(part.states.len(), most);
        let is_there = |t: &&report::graph::GraphTransition| t.from < most && t.to < most;
        let there: Vec<_> = whole.transitions.iter().filter(is_there).cloned().collect();
        assert_eq!(part.transitions, there, "{most}");
        let omitted: u64 = part.states.iter().map(|state| state.omitted).sum();
        let out = whole.transitions.iter();
        let out = out.filter(|t| t.from < most && t.to >= most).count();
        assert_eq!((omitted, part.complete), (out as u64, out == 0));
    }
    for (depth, states) in [(0, 1), (1, 3), (2, 5), (7, 27)] {
        let wanted = GraphOptions {
            depth: Some(depth),
            ..GraphOptions::default()
        };
        let part = graph(&script, "HANOI", &wanted);
        assert_eq!((part.states.len(), part.complete), (states, depth >= 7));
    }
}

#[test]
fn what_was_hidden_is_known() {
    let text =
        "channel a, b, c\nP = a -> b -> P [] c -> SKIP\nQ = (P \\ {a, b}) ; (a -> STOP |~| STOP)";
    let script = Script::parse("hidden.csp", text).unwrap();
    let graph = graph(&script, "Q", &GraphOptions::default());
    let taus = graph.transitions.iter().filter(|t| t.label == "τ");
    let mut hidden: Vec<String> = taus.map(|t| t.hidden.join(" ")).collect();
    hidden.sort();
    hidden.dedup();
    assert_eq!(hidden, ["", "a", "b", "✓"]);
}
