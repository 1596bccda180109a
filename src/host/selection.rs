//! The assertions that `--assertion` picks.

use base::diag::Diagnostic;
use checker::Error;

/// A choice of assertions, made by `--assertion`.
pub struct Selection {
    picks: Vec<Pick>,
}

enum Pick {
    /// By index, from 0. `None` picks nothing.
    Number(Option<usize>),
    /// By a part of the text, without white space.
    Text(String),
}

impl Selection {
    /// The selection that `arguments` make: all assertions if there are none.
    pub fn new(arguments: &[String]) -> Self {
        let pick = |argument: &String| match argument.trim().parse::<usize>() {
            // Assertions are counted from 1: the number 0 picks none.
            Ok(number) => Pick::Number(number.checked_sub(1)),
            Err(_) => Pick::Text(squeeze(argument)),
        };
        Self {
            picks: arguments.iter().map(pick).collect(),
        }
    }

    /// True if the assertion is picked. Marks in `picked` the arguments that pick it.
    pub fn picks(&self, index: usize, assertion: &str, picked: &mut [bool]) -> bool {
        let assertion = squeeze(assertion);
        let mut any = self.picks.is_empty();
        for (pick, picked) in self.picks.iter().zip(picked) {
            let hit = match pick {
                Pick::Number(number) => *number == Some(index),
                Pick::Text(text) => assertion.contains(text),
            };
            *picked |= hit;
            any |= hit;
        }
        any
    }
}

/// The index of the only one of `assertions` that `wanted` picks. If it picks several, the program
/// chooses none of them.
pub fn only(wanted: &str, assertions: &[String]) -> Result<usize, Error> {
    let selection = Selection::new(&[wanted.to_string()]);
    let picked = assertions.iter().enumerate();
    let picked = picked.filter(|(index, text)| selection.picks(*index, text, &mut [false]));
    let mut picked: Vec<(usize, &String)> = picked.collect();
    // The whole text of an assertion can be a part of others.
    let whole = squeeze(wanted);
    if picked.iter().any(|(_, text)| squeeze(text) == whole) {
        picked.retain(|(_, text)| squeeze(text) == whole);
    }
    let problem = match picked[..] {
        [(only, _)] => return Ok(only),
        [] => Diagnostic::error(
            "no-such-assertion",
            format!("`--assertion {wanted}` picks no assertion"),
        )
        .hint("give a number, counted from 1, or a part of the text"),
        _ => Diagnostic::error(
            "ambiguous-assertion",
            format!("`--assertion {wanted}` picks {} assertions", picked.len()),
        )
        .note(listed(&picked))
        .hint("give the number of one of them, or a longer part of its text"),
    };
    Err(problem.into())
}

/// Assertions with their numbers, a line each.
fn listed(picked: &[(usize, &String)]) -> String {
    /// The most assertions that are listed.
    const SHOWN: usize = 20;
    let shown = picked.iter().take(SHOWN);
    let mut lines: Vec<String> = shown
        .map(|(index, text)| format!("{}: {text}", index + 1))
        .collect();
    if picked.len() > SHOWN {
        lines.push(format!("and {} more", picked.len() - SHOWN));
    }
    lines.join("\n")
}

/// The text without white space and without a leading `assert`.
fn squeeze(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix("assert ").unwrap_or(text);
    text.split_whitespace().collect()
}
