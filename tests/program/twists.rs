//! Requests about symmetries and leaves, compared with the answers of other subcommands.

use crate::harness::{cspsym, in_parallel};
use serde_json::{Value, json};

/// Failing assertions that a search with symmetries decides: a script, the number of the assertion,
/// a definition, and true if the run is that of a divergence.
const FAILING: &[(&str, u64, &str, bool)] = &[
    ("cspm/hanoi/hanoi.csp", 3, "DISCS=3", false),
    ("cspm/hanoi/hanoi.csp", 4, "POLES=4", false),
    ("cspm/dijkstra/dijkstra.csp", 5, "N=2", false),
    ("cspm/dijkstra/dijkstra.csp", 6, "N=3", false),
    ("cspm/dijkstra/dijkstra.csp", 8, "N=3", true),
    ("cspm/philosophers/philosophers.csp", 3, "N=4", false),
    ("cspm/philosophers/philosophers.csp", 5, "N=5", false),
    ("cspm/philosophers/philosophers.csp", 8, "N=4", false),
    ("cspm/peterson/peterson.csp", 3, "N=3", false),
];

/// The result of a request.
fn asked(request: &Value) -> Value {
    let outcome = cspsym(&["api".to_string()], format!("{request}\n").as_bytes());
    let answer: Value = serde_json::from_str(&outcome.out).expect("an answer is JSON");
    assert_ne!(answer["result"], Value::Null, "{request}: {answer}");
    answer["result"].clone()
}

fn printed(arguments: &[&str]) -> Value {
    let arguments: Vec<String> = arguments.iter().map(|text| text.to_string()).collect();
    let outcome = cspsym(&arguments, b"");
    serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}", outcome.err))
}

#[test]
fn the_real_track_is_the_counterexample_that_a_check_reports() {
    let twists = in_parallel(FAILING, |&(file, assertion, definition, diverges)| {
        let request = json!({
            "method": "twisted", "file": file, "assertion": assertion, "definitions": [definition],
        });
        let found = asked(&request);
        let number = assertion.to_string();
        let algorithm = found["algorithm"].as_str().map(str::to_lowercase);
        let algorithm = algorithm.expect("an algorithm is a text");
        let check = ["check", file, "-D", definition, "--assertion", &number];
        let check = [&check[..], &["--algorithm", &algorithm, "--format", "json"]].concat();
        let report = printed(&check);
        assert_eq!(report["counterexample"], found["counterexample"], "{file}");
        assert_eq!(report["symmetry"]["order"], found["order"], "{file}");
        let empty = Vec::new();
        let steps = found["steps"].as_array().unwrap_or(&empty);
        let real: Vec<&Value> = steps.iter().map(|step| &step["real"]).collect();
        let told = report["counterexample"]["trace_with_taus"].as_array();
        let told: Vec<&Value> = told.unwrap_or(&empty).iter().collect();
        // A divergence is found where τ begins that leads to a cycle, which comes later.
        assert_eq!(real, told[..real.len()], "{file}");
        assert!(diverges || real.len() == told.len(), "{file}");
        if let Some(wrong) = found["wrong"].as_object() {
            assert_eq!(wrong["real"], report["counterexample"]["event"], "{file}");
        }
        let pairs = steps.iter().map(|step| &step["pair"]);
        for pair in pairs.clone().chain([&found["start"]]) {
            // If nothing is to be undone, both tracks are in one state.
            assert!(
                pair["undo"] != "()" || pair["stored"] == pair["real"],
                "{file}"
            );
        }
        pairs.filter(|pair| pair["twist"] != "()").count()
    });
    assert!(twists.iter().all(|&twists| twists > 0), "{twists:?}");
}

/// Processes that are one leaf.
const LEAVES: &[(&str, &str)] = &[
    ("cspm/dijkstra/dijkstra.csp", "PARTICIPANT(P1)"),
    (
        "cspm/dijkstra/dijkstra.csp",
        r"PARTICIPANT(P1) \ {| setb, getk |}",
    ),
    ("cspm/dijkstra/dijkstra.csp", "|~| x : IDS @ K_VARIABLE(x)"),
    ("cspm/hanoi/hanoi.csp", "POLE(A)"),
    ("cspm/philosophers/philosophers.csp", "PHILOSOPHER(2)"),
    ("cspm/peterson/peterson.csp", "PARTICIPANT(1)"),
];

/// The texts of the states, and the transitions in some order.
fn parts(graph: &Value) -> (Vec<&Value>, Vec<String>) {
    let rows = |key: &str| graph[key].as_array().map_or(&[][..], Vec::as_slice);
    let (states, transitions) = (rows("states"), rows("transitions"));
    let step = |step: &Value| format!("{} {} {}", step["from"], step["label"], step["to"]);
    let mut transitions: Vec<String> = transitions.iter().map(step).collect();
    transitions.sort_unstable();
    (
        states.iter().map(|state| &state["term"]).collect(),
        transitions,
    )
}

#[test]
fn a_leaf_is_the_quotient_of_the_graph_of_its_process() {
    in_parallel(LEAVES, |&(file, process)| {
        let request = json!({ "method": "leaf", "file": file, "process": process });
        let leaf = asked(&request);
        let graph = [
            "graph",
            process,
            file,
            "--format",
            "json",
            "--compress",
            "sbisim",
        ];
        let graph = printed(&graph);
        assert_eq!(parts(&leaf), parts(&graph), "{process}");
    });
}

#[test]
fn leaves_are_as_large_as_the_machine_says() {
    let file = "cspm/dijkstra/dijkstra.csp";
    let machine = printed(&["machine", "DIJKSTRA", file, "--format", "json"]);
    let leaves = machine["leaves"].as_array().expect("a list");
    assert!(leaves.len() > 5);
    for leaf in leaves {
        let leaf_graph = asked(&json!({
            "method": "leaf", "file": file, "process": "DIJKSTRA", "component": leaf["expression"],
        }));
        let (terms, transitions) = parts(&leaf_graph);
        assert_eq!(json!(terms.len()), leaf["states"]);
        assert_eq!(json!(transitions.len()), leaf["transitions"]);
        assert!(terms.iter().all(|term| term.is_string()), "{leaf_graph}");
    }
}

/// Facts about Dijkstra's algorithm: the number of participants, true if the start has to stay, a
/// kind of change, the orders before and after, and the line that is changed.
const KNOWN: &[(&str, bool, &str, &str, &str, &str)] = &[
    (
        "N=2",
        false,
        "fixed_choice",
        "2",
        "2",
        "|~| x : {P1} @ K_VARIABLE(x)",
    ),
    (
        "N=2",
        true,
        "fixed_choice",
        "2",
        "1",
        "|~| x : {P1} @ K_VARIABLE(x)",
    ),
    ("N=2", false, "ordered_choice", "2", "2", "lowest <- left"),
    ("N=3", false, "ordered_choice", "6", "1", "lowest <- left"),
    (
        "N=3",
        false,
        "fixed_choice",
        "6",
        "6",
        "|~| x : {P1} @ K_VARIABLE(x)",
    ),
    (
        "N=3",
        true,
        "other_start",
        "6",
        "2",
        "B_VARIABLE(j, (j != P1))",
    ),
];

#[test]
fn changes_break_the_symmetries_that_they_are_known_to_break() {
    let file = "cspm/dijkstra/dijkstra.csp";
    in_parallel(KNOWN, |&(size, is_fixed, kind, before, after, line)| {
        let found = asked(&json!({
            "method": "symmetry_diff", "file": file, "assertion": 2, "definitions": [size],
            "fix_initial": is_fixed,
        }));
        assert_eq!(found["before"]["order"], before);
        let changes = found["changes"].as_array().expect("a list");
        let change = changes.iter().find(|change| change["mutation"] == kind);
        let change = change.expect("there is such a change");
        assert_eq!(change["after"]["order"], after, "{size} {kind}");
        let text = change["edits"][0]["after"].as_str().expect("a text");
        assert!(text.contains(line), "{text}");
        // A lost symmetry has a reason and a place.
        let empty = Vec::new();
        let lost = change["lost"].as_array().unwrap_or(&empty);
        assert_eq!(lost.is_empty(), before == after);
        for lost in lost {
            assert!(
                lost["reason"] != "" && lost["place"]["file"] == file,
                "{lost}"
            );
        }
        // The changed script by itself has the symmetries that the comparison reports.
        let by_itself = asked(&json!({
            "method": "symmetry", "file": file, "files": change["files_after"], "assertion": 2,
            "definitions": [size], "fix_initial": is_fixed,
        }));
        assert_eq!(by_itself["order"], after);
        // A comparison with the changed script as an edit gives the same as the comparison with the
        // mutation.
        let edited = asked(&json!({
            "method": "symmetry_diff", "file": file, "assertion": 2, "definitions": [size],
            "fix_initial": is_fixed, "files_after": change["files_after"],
        }));
        assert_eq!(edited["changes"][0]["edits"], change["edits"]);
        assert_eq!(edited["changes"][0]["lost"], change["lost"]);
    });
}

#[test]
fn an_editor_talks_as_if_it_had_a_server() {
    let text = "channel a\nP = a -> P\nassert P :[deadlock free]\nassert STOP :[deadlock free]\n";
    let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": {
        "uri": "p.csp", "languageId": "cspm", "version": 1, "text": text,
    } } });
    let check = |number: u64| {
        json!({ "id": number, "method": "workspace/executeCommand", "params": {
            "command": "cspsym.check", "arguments": ["p.csp", number],
        } })
    };
    let found = asked(&json!({ "method": "lsp", "messages": [open, check(0), check(1)] }));
    let messages = found["messages"].as_array().expect("a list");
    let verdict = |number: u64| {
        let mut answers = messages.iter().filter(|message| message["id"] == number);
        let answer = answers.next().expect("the check is answered");
        answer["result"]["verdict"].clone()
    };
    assert_eq!([verdict(0), verdict(1)], ["pass", "fail"]);
}

#[test]
fn an_editor_reads_no_file_that_may_not_be_read() {
    let text = "include \"../hanoi/hanoi.csp\"\n";
    let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": {
        "uri": "cspm/vending/p.csp", "languageId": "cspm", "version": 1, "text": text,
    } } });
    let root = json!({ "includeRoot": "cspm" });
    let begin = json!({ "id": 0, "method": "initialize", "params": {
        "capabilities": {}, "initializationOptions": root,
    } });
    let request = json!({ "method": "lsp", "messages": [begin, open] });
    let arguments = ["api", "--root", "cspm/vending"].map(str::to_string);
    let outcome = cspsym(&arguments, format!("{request}\n").as_bytes());
    // The message names the option of this subcommand.
    let refused = ["include-outside-root", "is outside of the folder of --root"];
    let is_said = refused.iter().all(|words| outcome.out.contains(words));
    assert!(is_said, "{}", outcome.out);
    assert!(!outcome.out.contains("POLES"), "{}", outcome.out);
}

/// A text that a request brings along is no file, and so it is in no folder.
#[test]
fn a_text_is_read_whatever_the_root_is() {
    let files = json!({ "p.csp": "include \"q.csp\"\nP = a -> P", "q.csp": "channel a" });
    let request = json!({ "method": "evaluate", "file": "p.csp", "expression": "card(Events)", "files": files });
    let arguments = ["api", "--root", "cspm/vending"].map(str::to_string);
    let outcome = cspsym(&arguments, format!("{request}\n").as_bytes());
    assert!(outcome.out.contains(r#""value":"1""#), "{}", outcome.out);
}
