//! Runs the subcommands with `--format json` and validates their output against `cspsym help json
//! --schema`.

use std::fs;
use std::path::Path;

use crate::harness::{cspsym, in_parallel, split_arguments};
use jsonschema::Validator;
use report::assertion::AssertionReport;
use serde_json::{Value, json};

/// Calls without `--format json`, the name and number of the objects printed, and the exit status.
const CALLS: &[(&str, &str, usize, i32)] = &[
    (
        "check cspm/hanoi/hanoi.csp --stats",
        "AssertionReport",
        5,
        1,
    ),
    (
        "check cspm/dijkstra/dijkstra.csp --max-states 10 --assertion 1",
        "AssertionReport",
        1,
        3,
    ),
    (
        "check cspm/philosophers/chain.csp --profile",
        "AssertionReport",
        6,
        1,
    ),
    (
        "check tests/messages/broken-assertions-json.csp",
        "AssertionReport",
        4,
        2,
    ),
    (
        "check tests/messages/machine-json-error.csp tests/no-such-script.csp",
        "AssertionReport",
        1,
        2,
    ),
    (
        "check --explain --symmetry off tests/messages/explain-kinds.csp",
        "AssertionReport",
        5,
        1,
    ),
    (
        "check --explain tests/messages/counterexample-observed-json.csp",
        "AssertionReport",
        3,
        1,
    ),
    (
        "check tests/scripts/symmetry/assertions.csp",
        "AssertionReport",
        37,
        0,
    ),
    (
        "refine --spill DIR STOP HANOI cspm/hanoi/hanoi.csp",
        "AssertionReport",
        1,
        1,
    ),
    (
        "eval card(Events) cspm/hanoi/hanoi.csp",
        "ValueReport",
        1,
        0,
    ),
    ("eval 1/0 cspm/hanoi/hanoi.csp", "ValueReport", 1, 2),
    ("type union cspm/hanoi/hanoi.csp", "TypeReport", 1, 0),
    ("type 1+true cspm/hanoi/hanoi.csp", "TypeReport", 1, 2),
    (
        "machine ASYMMETRIC cspm/philosophers/philosophers.csp --channels",
        "ChannelGraph",
        1,
        0,
    ),
    (
        "machine HANOI cspm/hanoi/hanoi.csp",
        "MachineDescription",
        1,
        0,
    ),
    ("graph HANOI cspm/hanoi/hanoi.csp", "StateGraph", 1, 0),
    (
        "graph HANOI cspm/hanoi/hanoi.csp --max-nodes 5",
        "StateGraph",
        1,
        3,
    ),
    ("graph NONE cspm/hanoi/hanoi.csp", "GraphFailure", 1, 2),
    ("machine NONE cspm/hanoi/hanoi.csp", "MachineFailure", 1, 2),
    (
        "symmetry RUN(Events) HANOI cspm/hanoi/hanoi.csp --pbisims --fix-initial",
        "SymmetryDescription",
        1,
        0,
    ),
    (
        "symmetry --assertion 1 cspm/dijkstra/dijkstra.csp",
        "SymmetryDescription",
        1,
        0,
    ),
    (
        "symmetry SPEC SYSTEM cspm/peterson/peterson.csp -D N=9",
        "SymmetryDescription",
        1,
        0,
    ),
    (
        "symmetry --assertion 99 cspm/dijkstra/dijkstra.csp",
        "SymmetryFailure",
        1,
        2,
    ),
    (
        "symmetry --for-all N --assertion 3 cspm/fischer/fischer.csp",
        "AssertionReport",
        1,
        0,
    ),
    (
        "symmetry --for-all N --assertion 6 cspm/fischer/fischer.csp",
        "AssertionReport",
        1,
        1,
    ),
    (
        "symmetry --for-all N --assertion 2 cspm/peterson/peterson.csp",
        "AssertionReport",
        1,
        3,
    ),
    (
        "symmetry --for-all N --assertion 99 cspm/fischer/fischer.csp",
        "AssertionReport",
        1,
        2,
    ),
    (
        "typecheck tests/messages/fields-at-once.csp",
        "MessageReport",
        2,
        2,
    ),
    ("typecheck cspm/hanoi/hanoi.csp", "MessageReport", 0, 0),
    ("lab list", "LabReport", 3, 0),
    ("lab check --in cspm/labs/hanoi", "TaskReport", 11, 1),
    (
        "lab check --in cspm/labs/hanoi/key/solution.csp",
        "TaskReport",
        11,
        0,
    ),
    ("lab check --in tests/no-such-folder", "TaskReport", 1, 2),
    ("lab grade --lab hanoi cspm/labs", "GradeReport", 3, 0),
];

#[test]
fn what_is_printed_fits_the_schema() {
    let schema = schema();
    let complaints = in_parallel(CALLS, |call| complaints(call, &schema)).concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The problems with the objects of a call, with their number and the exit status.
fn complaints(call: &(&str, &str, usize, i32), schema: &Value) -> Vec<String> {
    let &(line, name, count, status) = call;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema-spill");
    if line.contains("DIR") {
        // The folder exists if this ran before.
        let _ = fs::remove_dir_all(&folder);
    }
    let line = line.replace("DIR", &folder.to_string_lossy());
    let mut arguments = split_arguments(&line);
    arguments.extend(["--format".to_string(), "json".to_string()]);
    let outcome = cspsym(&arguments, b"");
    let printed: Vec<&str> = outcome.out.lines().collect();
    let (any, one) = (validator(schema, None), validator(schema, Some(name)));
    let mut complaints = Vec::new();
    if (printed.len(), outcome.status) != (count, Some(status)) {
        let found = (printed.len(), outcome.status);
        complaints.push(format!("{line}: {found:?}\n{}", outcome.err));
    }
    for object in printed {
        let value: Value = serde_json::from_str(object).expect("a line is JSON");
        assert!(object.starts_with("{\"schema\":1,"), "{line}: {object}");
        let errors = any.iter_errors(&value).chain(one.iter_errors(&value));
        complaints.extend(errors.map(|error| format!("{line}: {error}\n{object}")));
        if name == "AssertionReport" {
            complaints.extend(not_read_back(object));
        }
    }
    complaints
}

/// A complaint if the report that is printed as `line` is another one once it was read.
fn not_read_back(line: &str) -> Option<String> {
    match serde_json::from_str::<AssertionReport>(line) {
        Ok(report) if report.json() == line => None,
        Ok(report) => Some(format!("{line}\nis read as\n{}", report.json())),
        Err(error) => Some(format!("{line}\nis not read: {error}")),
    }
}

#[test]
fn reports_on_shipped_scripts_are_read_back_as_they_were_printed() {
    let wishes = [
        "--explain --stats --profile --counterexamples 3 --max-states 2000",
        "--explain --symmetry off --reduce po --termination signal --max-states 2000",
    ];
    let complaints = in_parallel(&wishes, |wish| {
        let line = format!("check cspm {wish} --timeout-each 1 --format json");
        let out = cspsym(&split_arguments(&line), b"").out;
        assert!(out.lines().count() > 100, "{out}");
        out.lines()
            .filter_map(not_read_back)
            .collect::<Vec<String>>()
    });
    let complaints = complaints.concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_schema_refuses_what_is_never_printed() {
    let schema = schema();
    let call = split_arguments("refine STOP HANOI cspm/hanoi/hanoi.csp --format json");
    let report: Value = serde_json::from_str(&cspsym(&call, b"").out).expect("it is JSON");
    let validator = validator(&schema, Some("AssertionReport"));
    assert!(validator.is_valid(&report));
    let changed = |change: fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        validator.is_valid(&report)
    };
    assert!(!changed(|report| report["schema"] = json!(2)));
    assert!(!changed(|report| report["verdict"] = json!("perhaps")));
    assert!(!changed(|report| report["states"] = json!("many")));
    assert!(!changed(|report| report["new"] = json!(true)));
    assert!(!changed(|report| {
        report.as_object_mut().map(|report| report.remove("schema"));
    }));
    assert!(!changed(|report| {
        report["counterexample"]["trace_with_taus"] = json!([{}]);
    }));
}

/// The schema that the program prints, changed to refuse keys that it does not know.
fn schema() -> Value {
    let arguments = split_arguments("help json --schema");
    let outcome = cspsym(&arguments, b"");
    let mut schema = serde_json::from_str(&outcome.out).expect("the schema is JSON");
    jsonschema::meta::validate(&schema).expect("it is a schema");
    close(&mut schema);
    schema
}

/// Adds to each object in `schema` that it has no further keys.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            keys.values_mut().for_each(close);
            if keys.get("properties").is_some_and(Value::is_object) {
                keys.insert("additionalProperties".to_string(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// A validator for the part of `schema` called `name`, or for any part.
fn validator(schema: &Value, name: Option<&str>) -> Validator {
    let mut schema = schema.clone();
    if let Some(name) = name {
        schema["anyOf"] = json!([{ "$ref": format!("#/$defs/{name}") }]);
    }
    jsonschema::validator_for(&schema).expect("it is a schema")
}
