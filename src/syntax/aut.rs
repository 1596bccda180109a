//! Transition systems in the format of Aldebaran, which scripts import by `aut("file.aut")`.
//!
//! Reading is one pass over the bytes, without recursion. The labels of a file are events of the
//! script: they become one sequence expression, whose places are those in the file.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use base::diag::{Diagnostic, Result};
use base::source::{FileId, Span};

/// A transition system that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutFile {
    /// The file.
    pub file: FileId,
    /// Its name.
    pub name: String,
    /// The place where a script imports it first.
    pub place: Span,
    /// The initial state.
    pub initial: u32,
    /// The number of states.
    pub states: u32,
    /// The labels that are events, each with its place, in order of first appearance.
    pub events: Vec<Span>,
    /// The transitions in the order of the file: from, label, to.
    pub transitions: Vec<(u32, AutLabel, u32)>,
}

/// The label of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AutLabel {
    /// An internal step.
    Tau,
    /// Termination.
    Tick,
    /// One of the events of the file, by number.
    Event(u32),
}

/// The names that other programs give to τ.
const TAUS: [&str; 3] = ["tau", "i", "τ"];
/// The names that other programs give to ✓.
const TICKS: [&str; 3] = ["tick", "exit", "✓"];

/// Reads `text`, the whole of `file`, which is called `name`.
pub(super) fn read(file: FileId, name: &str, text: &str, place: Span) -> Result<AutFile> {
    let mut reader = Reader {
        file,
        text,
        known: FxHashMap::default(),
        system: AutFile {
            file,
            name: name.to_string(),
            place,
            initial: 0,
            states: 0,
            events: Vec::new(),
            transitions: Vec::new(),
        },
    };
    let mut lines = lines(text).filter(|line| !text[line.0..line.1].trim().is_empty());
    let Some(header) = lines.next() else {
        return reader.error((0, 0), "the file is empty").into();
    };
    let promised = reader.header(header)?;
    let mut last = header;
    for line in lines {
        last = line;
        reader.transition(line)?;
    }
    let found = reader.system.transitions.len();
    if found as u64 != promised {
        let message = format!("the header promises {promised} transitions, but there are {found}");
        return reader
            .error(last, &message)
            .note("a part of the file may be missing")
            .into();
    }
    reader.ticks_end()?;
    Ok(reader.system)
}

/// The labels of `system` as CSPm: a sequence of events, each at the byte where the file has it,
/// with blanks between.
pub(super) fn labels(system: &AutFile, text: &str) -> String {
    let mut masked: Vec<u8> = text
        .bytes()
        .map(|byte| if byte == b'\n' { byte } else { b' ' })
        .collect();
    masked[0] = b'<';
    let mut end = 1;
    for (number, span) in system.events.iter().enumerate() {
        let range = span.range();
        let is_quoted = text.as_bytes().get(range.end) == Some(&b'"');
        let label = unescaped(&text[range.clone()]);
        masked[range.start..range.start + label.len()].copy_from_slice(label.as_bytes());
        end = range.end;
        if is_quoted {
            masked[range.start - 1] = b'(';
            masked[end] = b')';
            end += 1;
        }
        if number + 1 < system.events.len() {
            masked[end] = b',';
        }
    }
    masked[end] = b'>';
    // Only whole characters were put in the places of whole characters.
    String::from_utf8_lossy(&masked).into_owned()
}

/// The message about a label that is not one event.
pub(super) fn no_event(place: Span) -> Diagnostic {
    bad(place, "this label is no event of CSPm").hint("rename it with the program that wrote it")
}

fn bad(place: Span, message: &str) -> Diagnostic {
    Diagnostic::error("bad-aut", message).at(place, "")
}

/// The range of each line in bytes, without its newline.
fn lines(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, at + line.trim_end().len())
    })
}

/// A label without the backslashes before quotes and backslashes.
fn unescaped(label: &str) -> Cow<'_, str> {
    if !label.contains('\\') {
        return label.into();
    }
    let mut plain = String::with_capacity(label.len());
    let mut characters = label.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => characters.next().unwrap_or('\\'),
            other => other,
        });
    }
    plain.into()
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    known: FxHashMap<&'t str, AutLabel>,
    system: AutFile,
}

impl<'t> Reader<'t> {
    fn error(&self, (start, end): (usize, usize), message: &str) -> Diagnostic {
        bad(Span::new(self.file, start, end), message)
    }

    /// Reads a line such as `des (0, 3, 2)`. Returns the number of transitions there should be.
    fn header(&mut self, line: (usize, usize)) -> Result<u64> {
        const WANTED: &str = "the file should begin with `des (FIRST, TRANSITIONS, STATES)`";
        let text = self.text[line.0..line.1].trim();
        let inside = text.strip_prefix("des").map(str::trim_start);
        let inside = inside.and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        let numbers = inside.map(|inside| inside.split(',').map(|number| number.trim().parse()));
        let numbers: Option<Vec<u64>> =
            numbers.and_then(|each| each.collect::<std::result::Result<_, _>>().ok());
        let Some([first, transitions, states]) = numbers.as_deref() else {
            return self.error(line, WANTED).into();
        };
        let (Ok(initial), Ok(count)) = (u32::try_from(*first), u32::try_from(*states)) else {
            return self
                .error(line, "this is more than 32 bits can number")
                .into();
        };
        if initial >= count {
            let message = format!("the initial state is {initial}, but there are {count} states");
            return self.error(line, &message).into();
        }
        (self.system.initial, self.system.states) = (initial, count);
        Ok(*transitions)
    }

    /// Reads a line such as `(0, "a.1", 1)`, with or without quotes.
    fn transition(&mut self, line: (usize, usize)) -> Result<()> {
        const WANTED: &str = "a transition should look like `(0, \"event\", 1)`";
        let text = self.text;
        let whole = &text[line.0..line.1];
        let inside = whole.trim_start().strip_prefix('(');
        let inside = inside.and_then(|rest| rest.strip_suffix(')'));
        let parts = inside.and_then(|inside| {
            let (from, rest) = inside.split_once(',')?;
            let (label, to) = rest.rsplit_once(',')?;
            Some((from.trim(), label.trim(), to.trim()))
        });
        let Some((from, label, to)) = parts else {
            return self.error(line, WANTED).into();
        };
        let (from, to) = (self.state(from, line)?, self.state(to, line)?);
        let label = match label.strip_prefix('"') {
            None => Some(label),
            Some(rest) => rest.strip_suffix('"'),
        };
        let Some(label) = label.filter(|label| !label.is_empty()) else {
            return self.error(line, WANTED).into();
        };
        let label = self.label(label);
        self.system.transitions.push((from, label, to));
        Ok(())
    }

    fn state(&self, number: &'t str, line: (usize, usize)) -> Result<u32> {
        match number.parse() {
            Ok(state) if state < self.system.states => Ok(state),
            Ok(state) => {
                let count = self.system.states;
                let message =
                    format!("there is no state {state}: the header promises {count}, from 0");
                self.error(line, &message).into()
            }
            Err(_) => self
                .error(line, &format!("`{number}` is no number of a state"))
                .into(),
        }
    }

    /// The number of the label with the text `label`.
    fn label(&mut self, label: &'t str) -> AutLabel {
        if let Some(&known) = self.known.get(label) {
            return known;
        }
        let found = match label {
            label if TAUS.contains(&label) => AutLabel::Tau,
            label if TICKS.contains(&label) => AutLabel::Tick,
            label => {
                let start = label.as_ptr() as usize - self.text.as_ptr() as usize;
                let span = Span::new(self.file, start, start + label.len());
                self.system.events.push(span);
                AutLabel::Event(self.system.events.len() as u32 - 1)
            }
        };
        self.known.insert(label, found);
        found
    }

    /// Fails if a transition follows ✓.
    fn ticks_end(&self) -> Result<()> {
        let sources = self.system.transitions.iter().map(|&(from, ..)| from);
        let goes_on: FxHashSet<u32> = sources.collect();
        let mut ticks = self.system.transitions.iter().enumerate();
        let wrong =
            ticks.find(|(_, (_, label, to))| *label == AutLabel::Tick && goes_on.contains(to));
        let Some((number, _)) = wrong else {
            return Ok(());
        };
        let mut lines =
            lines(self.text).filter(|line| !self.text[line.0..line.1].trim().is_empty());
        let line = lines.nth(number + 1).unwrap_or_default();
        let message = "after termination the process goes on";
        let error = self.error(line, message);
        error
            .note("`tick` and `exit` are termination, after which nothing can happen in CSP")
            .into()
    }
}

#[cfg(test)]
mod tests;
