//! A random system with its expected results, and runs of the program on its script.

use serde_json::Value;

use super::expectation::{Expectation, expectation};
use super::lts::explore;
use super::node::Node;
use super::system::System;
use crate::harness::cspsym;

/// The largest number of pairs of a system.
const PAIRS: usize = 3000;
const SPECIFICATION_STATES: usize = 1500;
const NORMAL_FORM_STATES: usize = 200;

/// A random system with the expected results of checks.
pub(crate) struct Case {
    /// The number of the case.
    pub(crate) seed: usize,
    /// The script without assertions.
    pub(crate) script: String,
    /// The specifications that are not too large.
    pub(crate) specifications: Vec<Specification>,
}

/// One specification of a [`Case`].
pub(crate) struct Specification {
    /// Its number in the script.
    pub(crate) number: usize,
    /// The sort of specification.
    pub(crate) sort: &'static str,
    /// The expected result of a check against it.
    pub(crate) expected: Expectation,
}

impl Case {
    /// The case number `seed`.
    pub(crate) fn random(seed: usize) -> Self {
        let system = System::random(seed);
        let tree = |node: &Node| node.tree(&system.alphabet, &system.families, None);
        let implementation = tree(&system.implementation);
        let specification = |(number, (sort, node)): (usize, &(&'static str, _))| {
            let tree = tree(node);
            let steps = |state: &_| tree.steps(state);
            let (lts, _) = explore(tree.initial(), SPECIFICATION_STATES, steps)?;
            let normal_form = lts.normal_form(NORMAL_FORM_STATES)?;
            let expected = expectation(&system.alphabet, &normal_form, &implementation, PAIRS)?;
            Some(Specification {
                number,
                sort,
                expected,
            })
        };
        let specifications = system.specifications.iter().enumerate();
        Self {
            seed,
            script: system.text(),
            specifications: specifications.filter_map(specification).collect(),
        }
    }

    /// The reports of the program with these arguments: one object for each specification.
    pub(crate) fn check(&self, arguments: &[&str]) -> Vec<Value> {
        let assertion = |specification: &Specification| {
            format!("assert SPEC{} [T= IMPL\n", specification.number)
        };
        let assertions: String = self.specifications.iter().map(assertion).collect();
        let reports = run(&format!("{}{assertions}", self.script), arguments);
        assert_eq!(reports.len(), self.specifications.len());
        reports
    }

    /// The place of the specification, for a failing test.
    pub(crate) fn place(&self, specification: &Specification, arguments: &[&str]) -> String {
        let Self { seed, script, .. } = self;
        let Specification {
            number,
            sort,
            expected,
        } = specification;
        format!("system {seed}, SPEC{number} ({sort}), {arguments:?}, {expected:?}\n{script}")
    }
}

/// The reports of `check` about a script: one object for each assertion.
pub(crate) fn run(script: &str, arguments: &[&str]) -> Vec<Value> {
    let fixed = ["check", "-", "--format", "json", "--timeout", "60"];
    let arguments: Vec<String> = fixed
        .iter()
        .chain(arguments)
        .map(ToString::to_string)
        .collect();
    let outcome = cspsym(&arguments, script.as_bytes());
    let reports: Result<Vec<Value>, _> = outcome.out.lines().map(serde_json::from_str).collect();
    reports.unwrap_or_else(|error| {
        let err = &outcome.err;
        panic!("{error}\n{}\n{err}\n{arguments:?}\n{script}", outcome.out)
    })
}

/// A number of a report.
pub(crate) fn number(report: &Value, key: &str) -> usize {
    let number = report[key]
        .as_u64()
        .unwrap_or_else(|| panic!("no {key}: {report}"));
    number as usize
}
