//! Formatting: texts before and after, and all scripts of the repository.

use std::fs;

use crate::harness::{root, scripts};
use pretty_assertions::assert_eq;
use syntax::format::{FormatEdit, FormatRefusal, format};
use syntax::lexemes::{LexemeKind, lexemes};

fn applied(text: &str, edits: &[FormatEdit]) -> String {
    let mut out = text.to_string();
    for edit in edits.iter().rev() {
        out.replace_range(edit.range.clone(), &edit.text);
    }
    out
}

fn formatted(text: &str) -> String {
    let edits = format(text).unwrap_or_else(|refused| panic!("{text}\n{refused:?}"));
    let once = applied(text, &edits);
    assert_eq!(format(&once), Ok(Vec::new()), "not laid out:\n{once}");
    once
}

/// Each sample has its expected form beside it. `UPDATE_EXPECTED=1` writes that anew.
#[test]
fn texts_before_and_after() {
    let samples = scripts("tests/formatting");
    assert!(samples.len() >= 3);
    for sample in samples {
        let text = fs::read_to_string(root().join(&sample)).expect("a text");
        let found = formatted(&text);
        let expected = root().join(&sample).with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &found).expect("written");
        }
        let expected = fs::read_to_string(&expected).expect("what is expected");
        assert_eq!(found, expected, "{sample}");
    }
}

#[test]
fn line_ends_stay_those_of_the_text() {
    assert_eq!(
        formatted("P=STOP\r\n\r\n  Q=P  -- q \r\n"),
        "P = STOP\r\n\r\nQ = P -- q\r\n"
    );
    assert_eq!(formatted("P = STOP"), "P = STOP\n");
    assert_eq!(formatted("P = STOP\n\n\n"), "P = STOP\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n \n-- a\n"), "-- a\n");
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    for text in [
        "P = = STOP\n",
        "P = (STOP\n",
        "assert P :[no such]\n",
        "{- open",
    ] {
        assert!(
            matches!(format(text), Err(FormatRefusal::Unreadable(_))),
            "{text}"
        );
    }
}

/// Scripts that people have laid out with care stay as they are.
#[test]
fn the_scripts_that_come_with_the_program_are_laid_out() {
    let all = scripts("cspm");
    assert!(all.len() > 40, "{}", all.len());
    for name in all {
        let text = fs::read_to_string(root().join(&name)).expect("a text");
        assert_eq!(formatted(&text), text, "{name}");
    }
}

/// Each step takes time in proportion to the text. If it looked at the rest of the line for each
/// break, or at the rest of the comments for each of them, this would take minutes.
#[test]
fn long_lines_and_many_lines_are_no_trouble() {
    let many = 30_000;
    let numbers: Vec<String> = (0..many).map(|number| number.to_string()).collect();
    let set = formatted(&format!("S={{{}}}\n", numbers.join(",")));
    let width = set.lines().map(str::len).max();
    assert!(width.is_some_and(|width| width <= 100), "{width:?}");
    let arrows = format!("channel a\nP = {}STOP\n", "a->".repeat(many));
    let arrows = formatted(&arrows);
    assert!(arrows.lines().all(|line| line.len() <= 100));
    let choices = format!("channel a\nP = {}STOP\n", "a->STOP[]".repeat(many));
    assert!(formatted(&choices).lines().all(|line| line.len() <= 100));
    let comments = "--c\n".repeat(many) + "P = STOP\n";
    assert_eq!(formatted(&comments), comments);
    // A line in which nothing can be broken.
    let sum = format!("x = {}1\n", "1 * ".repeat(many));
    assert_eq!(formatted(&sum), sum);
}

fn comments(text: &str) -> Vec<&str> {
    let all = lexemes(text).into_iter();
    let comments = all.filter(|one| one.kind == LexemeKind::Comment);
    comments.map(|one| &text[one.range]).collect()
}

/// `format` compares the trees itself: otherwise it would refuse.
#[test]
fn scripts_of_the_repository_keep_their_meaning_and_their_comments() {
    let (mut count, mut refused) = (0, 0);
    for folder in ["cspm", "specs", "tests"] {
        for name in scripts(folder) {
            let Ok(text) = fs::read_to_string(root().join(&name)) else {
                continue;
            };
            match format(&text) {
                Ok(edits) => {
                    let once = applied(&text, &edits);
                    assert_eq!(format(&once), Ok(Vec::new()), "{name}");
                    assert_eq!(comments(&once), comments(&text), "{name}");
                    let signs = |text: &str| text.replace(char::is_whitespace, "");
                    assert_eq!(signs(&once), signs(&text), "{name}");
                    count += 1;
                }
                Err(FormatRefusal::Unreadable(_)) => refused += 1,
                Err(FormatRefusal::Lossy) => panic!("{name} cannot be laid out"),
            }
        }
    }
    assert!(count > 200, "{count} laid out, {refused} not");
}
