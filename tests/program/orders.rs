//! The orders of the groups of symmetries of the shipped systems, found without a hint, and their
//! structures.
//!
//! `orders/expected.tsv` has a system in each row. Where the order is that of a table in the
//! literature, `source` says which: `TopSPIN` is Donaldson and Miller, *A computational group
//! theoretic symmetry reduction package for the SPIN model checker* (SPIN 2006), `constraint graph`
//! Zhang et al., *Constraint-based automatic symmetry detection* (ASE 2013), `static channel
//! diagrams` Donaldson, Miller and Calder (AVoCS 2004); the others were computed by programs
//! written separately from this one, or follow from the construction.

use serde_json::{Value, json};
use testkit::depth::cases;

use crate::harness::{Outcome, cspsym, in_parallel};

/// A row of the table.
struct Row<'a> {
    /// The folder and script of `cspm/`.
    family: &'a str,
    specification: &'a str,
    implementation: &'a str,
    /// `NAME=VALUE`, separated by blanks.
    constants: &'a str,
    /// `fixed` or `any`: the effect of symmetries on the initial states.
    start: &'a str,
    order: &'a str,
    structure: &'a str,
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [
            family,
            specification,
            implementation,
            constants,
            start,
            order,
            structure,
            _source,
        ] = cells[..]
        else {
            panic!("eight columns: {line}");
        };
        Row {
            family,
            specification,
            implementation,
            constants,
            start,
            order,
            structure,
        }
    })
}

#[test]
fn systems_have_the_groups_that_they_should() {
    let rows: Vec<Row> = rows(include_str!("../orders/expected.tsv")).collect();
    assert!(rows.len() > 30, "only {} rows", rows.len());
    let problems: Vec<String> = in_parallel(&rows, |row| differences(row)).concat();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A check may refuse a symmetry early; with reasons, everything is looked at. Both find equal
/// groups.
#[test]
fn checks_find_what_is_found_where_reasons_are_told() {
    let table = include_str!("../orders/expected.tsv");
    let some = rows(table).step_by(cases(3, 1));
    let mut asked: Vec<Vec<String>> = some.map(|row| arguments(&row)).collect();
    let renamed = "tests/scripts/symmetry/renamed-components.csp";
    for implementation in ["COPIES", "LINKED"] {
        let words = ["ANYTHING", implementation, renamed, "--format", "json"];
        asked.push(words.map(str::to_string).to_vec());
    }
    let problems: Vec<String> = in_parallel(&asked, |asked| {
        let of = |command: &[&str]| -> Value {
            let command = command.iter().map(|&word| word.to_string());
            let Outcome { out, err, .. } =
                cspsym(&command.chain(asked.clone()).collect::<Vec<_>>(), b"");
            serde_json::from_str(&out).unwrap_or_else(|_| panic!("{asked:?}: {out}{err}"))
        };
        let told = of(&["symmetry"]);
        // The search itself is not of interest.
        let found = &of(&["refine", "--max-states", "1"])["symmetry"];
        if found.is_null() && told["order"] == "1" {
            return vec![];
        }
        let values = |report: &Value| -> Vec<Value> {
            let types = report["types"].as_array().unwrap().iter();
            types.map(|ty| json!([ty["free"], ty["turning"]])).collect()
        };
        if found["order"] == told["order"] && values(found) == values(&told) {
            return vec![];
        }
        vec![format!("{asked:?}: {found}, but {told}")]
    })
    .concat();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The arguments for the system of a row.
fn arguments(row: &Row) -> Vec<String> {
    let script = format!("cspm/{0}/{0}.csp", row.family);
    let mut arguments = vec![row.specification, row.implementation, &script];
    arguments.extend(["--format", "json"]);
    for constant in row.constants.split_whitespace() {
        arguments.extend(["-D", constant]);
    }
    match row.start {
        "fixed" => arguments.push("--fix-initial"),
        "any" => {}
        other => panic!("{other} is not a start"),
    }
    let arguments = arguments.iter();
    arguments.map(|&argument| argument.to_string()).collect()
}

fn differences(row: &Row) -> Vec<String> {
    let arguments = [vec!["symmetry".to_string()], arguments(row)].concat();
    let Outcome { out, err, .. } = cspsym(&arguments, b"");
    let Ok(found) = serde_json::from_str::<Value>(&out) else {
        return vec![format!("{arguments:?}: {out}{err}")];
    };
    let expected = [("order", row.order), ("structure", row.structure)];
    let different = expected
        .iter()
        .filter(|(key, expected)| found[key] != **expected);
    different
        .map(|(key, expected)| format!("{arguments:?}: {key} {}, not {expected}", found[key]))
        .chain(
            (found["detection"]["complete"] != true)
                .then(|| format!("{arguments:?}: detection is not complete")),
        )
        .collect()
}
