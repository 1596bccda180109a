//! Writes pages with `cspsym check --report`, in places where that works and where it does not.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Outcome, cspsym, empty_folder};

const SCRIPT: &str = "tests/messages/explain-deadlock.csp";

/// An empty folder with the given name.
fn folder(name: &str) -> PathBuf {
    empty_folder("reports", name)
}

fn check(options: &[&str], report: &Path) -> Outcome {
    let report = report.to_string_lossy().into_owned();
    let words = ["check", SCRIPT].iter().chain(options);
    let mut words: Vec<String> = words.map(|word| word.to_string()).collect();
    words.extend(["--report".to_string(), report]);
    cspsym(&words, b"")
}

#[test]
fn a_page_has_the_verdicts_and_replaces_one_that_is_there() {
    let folder = folder("replaced");
    let page = folder.join("report.html");
    fs::write(&page, "something else").expect("a file can be written");
    let outcome = check(&[], &page);
    assert_eq!(outcome.status, Some(1), "{}", outcome.err);
    assert!(
        !outcome.out.contains("What each component did"),
        "{}",
        outcome.out
    );
    let html = fs::read_to_string(&page).expect("the page is there");
    assert!(html.starts_with("<!doctype html>"), "{html}");
    assert_eq!(
        html.matches("<span class=\"verdict\">fails</span>").count(),
        2
    );
    assert_eq!(html.matches("class=\"counterexample\"").count(), 2);
    assert!(
        html.contains(">pick.0.1 -&gt; eat.0 -&gt; "),
        "a state of a component is missing"
    );
    let entries = fs::read_dir(&folder).expect("the folder is readable");
    assert_eq!(entries.count(), 1, "something was left beside the page");
}

#[test]
fn a_small_process_is_drawn() {
    let page = folder("drawn").join("report.html");
    let words = ["check", "cspm/vending/vending.csp", "--report"].map(String::from);
    let words = [&words[..], &[page.to_string_lossy().into_owned()]].concat();
    cspsym(&words, b"");
    let html = fs::read_to_string(&page).expect("the page is there");
    assert!(html.contains("<summary>Graph of the process</summary>") && html.contains("<svg "));
}

#[test]
fn a_script_that_cannot_be_read_is_in_the_page() {
    let page = folder("unread").join("report.html");
    let words = ["check", "tests/no-such-script.csp", "--report"].map(String::from);
    let words = [&words[..], &[page.to_string_lossy().into_owned()]].concat();
    let outcome = cspsym(&words, b"");
    assert_eq!(outcome.status, Some(2));
    let html = fs::read_to_string(&page).expect("the page is there");
    assert!(
        html.contains("1 assertion: 0 hold, 0 fail, 1 in error"),
        "{html}"
    );
}

#[test]
fn assertions_that_a_limit_leaves_open_are_undecided_in_the_page() {
    let page = folder("open").join("report.html");
    let outcome = check(&["--max-states", "2"], &page);
    assert_eq!(outcome.status, Some(3), "{}", outcome.err);
    let html = fs::read_to_string(&page).expect("the page is there");
    assert!(html.contains("undecided (state-limit)"), "{html}");
}

#[test]
fn what_cannot_be_written_is_said_before_anything_is_decided() {
    let folder = folder("unwritable");
    for path in [folder.clone(), folder.join("missing").join("report.html")] {
        let outcome = check(&[], &path);
        assert_eq!(outcome.status, Some(2), "{}", outcome.err);
        assert!(
            outcome.err.contains("error[unwritable-report]"),
            "{}",
            outcome.err
        );
        assert_eq!(outcome.out, "");
    }
    // The page is written beside its place first, under a longer name: this one is as long as names
    // may be.
    let page = folder.join("r".repeat(255));
    let outcome = check(&[], &page);
    assert_eq!(outcome.status, Some(2), "{}", outcome.err);
    assert!(
        outcome.err.contains("error[unwritable-report]"),
        "{}",
        outcome.err
    );
    assert!(outcome.out.contains("fails"), "{}", outcome.out);
    assert!(!page.exists());
}
