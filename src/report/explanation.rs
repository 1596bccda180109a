//! The long explanations of messages, one file a code in `explanations/`, and how they are shown.
//!
//! Each file is Markdown of one form: a line that says what the message means; paragraphs on the
//! rule behind it; then a script that gives the message, `## Before`, and what becomes of it,
//! `## After`. The scripts are fenced, with the call before them if that is not
//! `cspsym check FILE`. A further file is headed by its name. At the end may stand `See also:` and
//! other codes. `tests/program/explanations.rs` runs every example.

use std::fmt::Write;

use base::suggest::nearest;

/// The explanation of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// Its code.
    pub code: &'static str,
    /// The meaning of the message, in a line.
    pub summary: &'static str,
    /// The paragraphs, as they are broken into lines.
    pub paragraphs: &'static str,
    /// An example that gives the message; absent where no small script can.
    pub before: Option<Example>,
    /// An example that does not give the message.
    pub after: Option<Example>,
    /// The codes to read about next.
    pub see_also: Vec<&'static str>,
}

/// A call and the scripts for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The arguments, with `FILE` for the first script; `check FILE` unless given.
    pub call: Option<&'static str>,
    /// The scripts; empty if the call needs none.
    pub scripts: Vec<ExampleScript>,
}

/// One script of an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExampleScript {
    /// The name of the file, if others name it.
    pub name: Option<&'static str>,
    /// Its text, which ends in a newline.
    pub text: &'static str,
}

/// The most near codes that are given: more are no help.
const MOST_SIMILAR: usize = 5;

/// The length of the shortest word that is looked for: a shorter one occurs in unrelated codes.
const SHORTEST_WORD: usize = 4;

/// The most characters of a line that is not broken by hand.
const WIDTH: usize = 100;

/// The text before a script.
const OPENING: &str = "```csp\n";

/// The text before a call.
const PROMPT: &str = "$ cspsym ";

/// The explanation of the message with this code.
pub fn explanation(code: &str) -> Option<Explanation> {
    let (code, text) = TEXTS.iter().find(|(other, _)| *other == code)?;
    Some(Explanation::read(code, text))
}

/// All codes, in alphabetic order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|(code, _)| *code)
}

/// The code in `text`, which may be written as in a message, `error[CODE]:`, in capitals, or with
/// blanks for hyphens.
pub fn plain_code(text: &str) -> String {
    let inside = text.split_once('[').map_or(text, |(_, inside)| inside);
    let inside = inside.split(']').next().unwrap_or(inside);
    let trimmed = inside.trim_matches(|c: char| !c.is_alphanumeric());
    trimmed.to_lowercase().replace([' ', '_'], "-")
}

/// The codes that may be meant by `code`, which is none: one that is nearly the same, and those
/// that contain it; if there are none, those that contain one of its words, the last word first,
/// because that is the most specific one.
pub fn similar(code: &str) -> Vec<&'static str> {
    let mut found: Vec<&str> = nearest(code, codes()).into_iter().collect();
    add_containing(code, &mut found);
    if found.is_empty() {
        for word in code.rsplit('-').filter(|word| word.len() >= SHORTEST_WORD) {
            add_containing(word, &mut found);
        }
    }
    found.truncate(MOST_SIMILAR);
    found
}

/// Adds the codes that contain `part`, whether it is in the plural or not.
fn add_containing(part: &str, found: &mut Vec<&'static str>) {
    let part = part.strip_suffix('s').unwrap_or(part);
    for code in codes().filter(|code| !part.is_empty() && code.contains(part)) {
        if !found.contains(&code) {
            found.push(code);
        }
    }
}

/// All codes, each with a line on its meaning.
pub fn list() -> String {
    let width = codes().map(str::len).max().unwrap_or_default() + 2;
    let mut text = "`cspsym explain CODE` explains a message:\n\n".to_string();
    for (code, explanation) in TEXTS {
        let summary = explanation.lines().next().unwrap_or_default();
        text.push_str(&wrapped(&format!("{code:<width$}"), summary, width));
    }
    text
}

/// `text` behind `start`, in lines of which all but the first begin with `indent` blanks.
fn wrapped(start: &str, text: &str, indent: usize) -> String {
    let mut lines = vec![start.to_string()];
    for word in text.split_whitespace() {
        let longer = |line: &String| line.chars().count() + word.chars().count() > WIDTH;
        if lines.last().is_some_and(longer) {
            lines.push(" ".repeat(indent));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
            line.push(' ');
        }
    }
    let lines = lines.iter().map(|line| line.trim_end().to_string() + "\n");
    lines.collect()
}

impl Explanation {
    fn read(code: &'static str, text: &'static str) -> Self {
        // The parts are taken off from the end, so that each split sees only what is left before
        // it.
        let (text, see_also) = text.rsplit_once("\nSee also: ").unwrap_or((text, ""));
        let (text, examples) = text.split_once("\n## Before\n").unwrap_or((text, ""));
        let (before, after) = examples
            .split_once("\n## After\n")
            .unwrap_or((examples, ""));
        let (summary, paragraphs) = text.split_once('\n').unwrap_or((text, ""));
        let before = Example::read(before);
        let mut after = Example::read(after);
        if let Some(after) = &mut after {
            // The call is the same unless it is what was wrong.
            after.call = after
                .call
                .or(before.as_ref().and_then(|before| before.call));
        }
        Self {
            code,
            summary,
            paragraphs: paragraphs.trim(),
            before,
            after,
            // Codes stand between backticks, so every second piece is one.
            see_also: see_also.split('`').skip(1).step_by(2).collect(),
        }
    }

    /// The explanation for people, ending in a newline.
    pub fn text(&self) -> String {
        let title = wrapped(&format!("{}: ", self.code), self.summary, 0);
        let mut text = format!("{title}\n{}\n", self.paragraphs);
        for (title, example) in [("Before", &self.before), ("After", &self.after)] {
            if let Some(example) = example {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n{title}:\n{}", example.text());
            }
        }
        if !self.see_also.is_empty() {
            let _ = writeln!(text, "\nSee also: {}", self.see_also.join(", "));
        }
        text
    }
}

impl Example {
    fn read(section: &'static str) -> Option<Self> {
        let call = section.lines().find_map(|line| line.strip_prefix(PROMPT));
        let mut scripts = Vec::new();
        let mut rest = section;
        while let Some((heading, script)) = rest.split_once(OPENING) {
            let (text, after) = script.split_once("```").unwrap_or((script, ""));
            // The name of a file is the last line before its script; the call may stand above it.
            let name = heading.trim().rsplit('\n').next().unwrap_or_default();
            let name = name
                .strip_prefix('`')
                .and_then(|name| name.strip_suffix("`:"));
            scripts.push(ExampleScript { name, text });
            rest = after;
        }
        (call.is_some() || !scripts.is_empty()).then_some(Self { call, scripts })
    }

    /// The arguments of the call.
    pub fn arguments(&self) -> &'static str {
        self.call.unwrap_or("check FILE")
    }

    /// The example as text, indented, after an empty line.
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(call) = self.call {
            let _ = write!(text, "\n    {PROMPT}{call}\n");
        }
        for script in &self.scripts {
            text.push('\n');
            if let Some(name) = script.name {
                let _ = write!(text, "  {name}:\n\n");
            }
            for line in script.text.lines() {
                text.push_str(format!("    {line}").trim_end());
                text.push('\n');
            }
        }
        text
    }
}

/// The files of `explanations/`, each with its code, as the build script has listed them.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/explanations.rs"));

#[cfg(test)]
mod tests;
