//! The exact sizes of the two classical models, as found by separately written programs.

use std::process::Command;

use testkit::depth::cases;

#[test]
fn the_classical_models_have_their_sizes() {
    let table = include_str!("../counts/expected.tsv");
    // Larger rows wait for a deep run; the largest are runs of the script tests.
    let most = cases(100_000, 1_000_000);
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [model, parameters, states] = cells[..] else {
            panic!("three columns: {row}");
        };
        let states: u64 = states.parse().unwrap();
        if states <= most {
            assert_eq!(states_of(model, parameters), states, "{row}");
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} rows were compared");
}

/// The number of states of the product with the specification that allows everything.
fn states_of(model: &str, parameters: &str) -> u64 {
    let (specification, implementation, script) = match model {
        "hanoi" => ("RUN(Events)", "HANOI", "cspm/hanoi/hanoi.csp"),
        "dijkstraA" => ("VISIBLE", "DIJKSTRA", "cspm/dijkstra/dijkstra.csp"),
        "dijkstraL" => ("VISIBLE", "DIJKSTRA_L", "cspm/dijkstra/dijkstra.csp"),
        other => panic!("no model {other}"),
    };
    let mut call = Command::new(env!("CARGO_BIN_EXE_cspsym"));
    call.args([
        "refine",
        specification,
        implementation,
        script,
        "--symmetry",
        "off",
        "--format",
        "json",
    ]);
    for parameter in parameters.split(',') {
        let (name, value) = parameter.split_once('=').unwrap();
        let constant = match name {
            "participants" => "N".to_string(),
            other => other.to_uppercase(),
        };
        call.args(["-D", &format!("{constant}={value}")]);
    }
    let output = call.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{model} {parameters}");
    let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["verdict"], "pass", "{model} {parameters}");
    verdict["states"].as_u64().unwrap()
}
