//! Every public item has a user outside of its crate.

use std::collections::{BTreeMap, BTreeSet};

use super::tidy::{RustFile, report, rust_files};

/// The crates whose public items are for people outside of the repository too, or only for tests.
const FOR_OTHERS: [&str; 3] = ["checker", "report", "testkit"];

/// The words of a file that may be names.
fn words(file: &RustFile) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    file.code()
        .flat_map(move |(_, code, _)| code.split(move |c| !is_part(c)))
        .filter(|word| !word.is_empty())
}

/// The function that a line makes public.
fn public_function(code: &str) -> Option<&str> {
    let rest = code.trim_start().strip_prefix("pub ")?;
    let before = rest.split("fn ").next()?;
    let name = rest.strip_prefix(before)?.strip_prefix("fn ")?;
    let is_function = before
        .split_whitespace()
        .all(|word| ["const", "async"].contains(&word));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    is_function.then(|| &name[..name.find(|c| !is_part(c)).unwrap_or(name.len())])
}

/// The README of a crate.
fn page(home: &str) -> String {
    let path = format!("{}/src/{home}/README.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("each crate has a page")
}

#[test]
fn what_is_public_has_a_user_in_another_crate() {
    let files = rust_files(&["src", "tests", "benches"]);
    let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &files {
        let home = file.crate_name().unwrap_or_default();
        for word in words(file) {
            users.entry(word).or_default().insert(home);
        }
    }
    let mut offences = Vec::new();
    for file in &files {
        let Some(home) = file.crate_name().filter(|home| !FOR_OTHERS.contains(home)) else {
            continue;
        };
        for (number, code, _) in file.code().filter(|(_, _, in_tests)| !in_tests) {
            let Some(name) = public_function(code) else {
                continue;
            };
            // The example on the page of a crate is a user too.
            if !page(home).contains(name) && users[name].iter().all(|user| *user == home) {
                offences.push(format!("{}:{number}: {name}", file.path));
            }
        }
    }
    report(&offences, "what no other crate uses is `pub(crate)`");
}

#[test]
fn public_functions_are_found() {
    assert_eq!(
        public_function("    pub fn steps<S>(of: S) {"),
        Some("steps")
    );
    assert_eq!(public_function("pub const fn new() -> Self {"), Some("new"));
    assert_eq!(public_function("pub const MOST: usize = 3;"), None);
    assert_eq!(public_function("pub struct Group {"), None);
    assert_eq!(public_function("    pub(crate) fn hidden() {"), None);
}
