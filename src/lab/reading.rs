//! Reads a lab's script with a student's in it. Finds what the student may not write, and what can
//! be marked if parts of it are wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::diag::{Diagnostic, Severity};
use base::source::{SourceMap, Span};
use checker::{Definition, Error, Script};

use super::parts::WrittenParts;
pub use super::parts::is_kept;
use super::texts::{Inside, LAB, LabTexts};
use super::wording::is_walked;

/// A lab's script with a student's in it.
#[derive(Debug)]
pub struct LabScript {
    /// The script, without the student's wrong definitions.
    pub script: Script,
    /// The student's script as it was written.
    pub(crate) written: WrittenParts,
    mistakes: Mistakes,
}

/// The mistakes that were left out of the student's script.
#[derive(Debug, Default)]
struct Mistakes {
    /// The mistakes because of which each name is missing.
    by_name: BTreeMap<String, Vec<Diagnostic>>,
    /// The texts as the student wrote them.
    sources: Option<Arc<SourceMap>>,
}

impl LabScript {
    /// Reads the texts; `definitions` replace constants. A mistake in a student's definition leaves
    /// out that definition and those that use it. The script fails only if more than such
    /// definitions is wrong, or if it could not be graded fairly.
    pub fn read(texts: &LabTexts<'_>, definitions: &[Definition]) -> Result<Self, Error> {
        let mut left = texts.work.text.to_string();
        let mut mistakes = Mistakes::default();
        let written = WrittenParts::of(texts, &left);
        if let Some(error) = written.reserved() {
            left = mistakes.without(&written, &error, &left).ok_or(error)?;
        }
        let script = loop {
            let mut loader = Inside { texts, work: &left };
            let checks = texts.checks;
            match Script::read(checks.name, checks.text, &mut loader, definitions) {
                Ok(script) => break script,
                Err(error) => {
                    let parts = WrittenParts::of(texts, &left);
                    match mistakes.without(&parts, &error, &left) {
                        // Each round leaves out more of the text, so that they come to an end.
                        Some(less) => left = less,
                        None => return Err(parts.unfair_rather_than(error)),
                    }
                }
            }
        };
        match written.unfair() {
            Some(problem) => Err(Error::new(vec![problem], written.sources.clone())),
            None => Ok(Self {
                script,
                written,
                mistakes,
            }),
        }
    }

    /// Fails if students may not walk the process of the assertion at `index`, because it is one
    /// that theirs is compared with.
    pub fn may_be_walked(&self, index: usize) -> Result<(), Error> {
        let text = self.script.assertions().into_iter().nth(index);
        match text.is_some_and(|text| is_walked(&text)) {
            true => Ok(()),
            false => {
                let message = "this assertion is about a process of the lab's own";
                Err(Diagnostic::error("no-such-assertion", message).into())
            }
        }
    }

    /// The `error` of a question about the script, in the form for a student: with the mistake
    /// because of which a name is missing, and with places in the student's script first.
    pub(crate) fn for_student(&self, error: Error) -> Error {
        let problems = error.messages();
        let missing = problems.iter().find_map(|problem| {
            let name = missing_name(problem, error.sources())?;
            self.mistakes.by_name.get(name)
        });
        if let (Some(mistakes), Some(sources)) = (missing, &self.mistakes.sources) {
            return Error::new(mistakes.clone(), sources.clone());
        }
        let problems = problems.into_iter();
        let problems = problems.map(|problem| with_places_of_student(problem, error.sources()));
        Error::new(problems.collect(), error.shared_sources())
    }
}

impl Mistakes {
    /// The rest of the text `left` without the declarations in which `error` has its places. `None`
    /// if these are more than definitions of the student's, or none.
    fn without(&mut self, parts: &WrittenParts, error: &Error, left: &str) -> Option<String> {
        let mut out = BTreeMap::new();
        let problems = error.problems().iter();
        for problem in problems.filter(|problem| is_mistake(problem)) {
            let mut places = problem.labels.iter().map(|(place, _)| *place);
            let is_of_student = |place| parts.is_of_student(place);
            // All that stands behind it is lost, and no definition is to blame for that.
            if problem.code == "unclosed-comment" {
                return None;
            }
            // Without the student's definition, a name that is given would take its place.
            if problem.code == "duplicate-definition" && !places.clone().all(is_of_student) {
                return None;
            }
            let part = parts.around(places.next()?)?;
            let known = missing_name(problem, error.sources());
            let known = known.and_then(|name| self.by_name.get(name)).cloned();
            let reasons = known.unwrap_or_else(|| vec![problem.clone()]);
            out.entry(part).or_insert(reasons);
        }
        let mut names: BTreeMap<&str, &Vec<Diagnostic>> = BTreeMap::new();
        for (part, reasons) in &out {
            for name in parts.names(*part) {
                names.entry(name).or_insert(reasons);
            }
        }
        // The other clauses of a function, or its type, say little without the one that is wrong.
        let mut left_out: BTreeSet<_> = out.keys().copied().collect();
        left_out.extend(parts.defining(&names.keys().copied().collect()));
        for (name, reasons) in names {
            let reasons = || reasons.clone();
            self.by_name.entry(name.to_string()).or_insert_with(reasons);
        }
        self.sources.get_or_insert_with(|| error.shared_sources());
        let less = parts.blanked(left, &left_out)?;
        (less != left).then_some(less)
    }
}

/// True if `problem` keeps a script from being read.
fn is_mistake(problem: &Diagnostic) -> bool {
    matches!(problem.severity, Severity::Error | Severity::Undecided)
}

/// The name that `problem` reports as missing.
fn missing_name<'s>(problem: &Diagnostic, sources: &'s SourceMap) -> Option<&'s str> {
    let (place, _) = problem.labels.first()?;
    (problem.code == "unknown-name").then(|| sources.text(*place))
}

/// `problem` with its places in the lab's script last, because the student does not have that
/// script, and without those in lines with names that are kept for the lab. If no other places are
/// left, limits and missing names need no place.
fn with_places_of_student(mut problem: Diagnostic, sources: &SourceMap) -> Diagnostic {
    let is_of_lab = |(place, _): &(Span, String)| place.file == LAB;
    problem
        .labels
        .retain(|label| !is_of_lab(label) || !is_in_kept_line(label.0, sources));
    problem.labels.sort_by_key(is_of_lab);
    if !problem.labels.iter().all(is_of_lab) {
        return problem;
    }
    if problem.code == "unknown-name" {
        problem.set_hint("the task asks for it: define it in your script");
        problem.labels.clear();
    } else if problem.severity == Severity::Undecided {
        problem.labels.clear();
    }
    problem
}

/// True if a name that is kept for the lab stands in a line of `place`.
fn is_in_kept_line(place: Span, sources: &SourceMap) -> bool {
    let text = &sources.file(place.file).text;
    let start = text[..place.start as usize]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let behind = &text[place.end as usize..];
    let end = place.end as usize + behind.find('\n').unwrap_or(behind.len());
    is_kept(&text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::LabText;
    use checker::{Options, Task};

    const CHECKS: &str = "include \"start.csp\"\nassert STOP [T= P\nassert STOP [T= Q\n";
    const GIVEN: &str = "channel a : {0..9}\nR = STOP\n";

    fn read(work: &str) -> Result<LabScript, Error> {
        let text = |name, text| LabText { name, text };
        let texts = LabTexts {
            checks: text("lab.csp", CHECKS),
            start: "start.csp",
            work: text("mine.csp", work),
            given: text("given.csp", GIVEN),
        };
        LabScript::read(&texts, &[])
    }

    /// The codes of the problems with P and with Q; empty if there are none.
    fn codes(work: &str) -> [&'static str; 2] {
        let script = read(&format!("include \"given.csp\"\n{work}")).expect("most of it is right");
        let options = Options::default();
        let mut checks = script.script.checks(&options);
        [0, 1].map(|index| {
            let problem = checks.check(index, &Task::default()).problem;
            problem.map_or("", |error| script.for_student(error).code())
        })
    }

    #[test]
    fn a_mistake_is_that_of_all_that_uses_it() {
        for (work, expected) in [
            ("P = STOP\nQ = STOP", ["", ""]),
            ("P = 3 + STOP\nQ = STOP", ["type-mismatch", ""]),
            ("P = (STOP\nQ = STOP", ["unclosed-bracket", ""]),
            ("P = Q\nQ = 3 + STOP", ["type-mismatch", "type-mismatch"]),
            (
                "P = f(3)\nQ = f(3)\nf(n) = (STOP",
                ["unclosed-bracket", "unclosed-bracket"],
            ),
            (
                "P = f(3)\nQ = STOP\nf(0) = R\nf(1) = (R\nf(3) = R",
                ["unclosed-bracket", ""],
            ),
            (
                "P = f(3)\nQ = STOP\nf(3) = R\nf(1) = (R",
                ["unclosed-bracket", ""],
            ),
            (
                "P = f(3)\nQ = STOP\nf :: (Int) -> Int\nf(3) = R",
                ["type-mismatch", ""],
            ),
            ("P = STOP\nP = STOP\nQ = STOP", ["duplicate-definition", ""]),
            ("(P, x) = (STOP, 1 + STOP)\nQ = STOP", ["type-mismatch", ""]),
            ("Q = STOP", ["unknown-name", ""]),
            ("P = UNKNOWN\nQ = P", ["unknown-name", "unknown-name"]),
        ] {
            assert_eq!(codes(work), expected, "{work}");
        }
    }

    #[test]
    fn what_more_depends_on_spoils_the_script() {
        for (work, code) in [
            ("P = STOP\nQ = STOP\nR = STOP", "duplicate-definition"),
            ("P = STOP\nQ = STOP\nchannel b : {0..STOP}", "type-mismatch"),
            ("P = STOP\nQ = STOP\ndatatype T = A.", "syntax"),
            ("P = STOP\nQ = STOP {-", "unclosed-comment"),
            (
                "P = STOP\nQ = STOP\ninclude \"other.csp\"",
                "include-not-found",
            ),
        ] {
            let error = read(&format!("include \"given.csp\"\n{work}")).expect_err(work);
            assert_eq!(error.code(), code, "{work}");
        }
        let error = read("P = STOP\nQ = STOP").expect_err("nothing is included");
        assert_eq!(error.code(), "given-not-included");
    }

    #[test]
    fn places_in_the_script_of_the_student_come_first() {
        let script = read("include \"given.csp\"\nP = {1}\nQ = STOP\n").expect("it can be read");
        let answer = script
            .script
            .check(0, &Options::default(), &Task::default());
        let error = script.for_student(answer.problem.expect("it is wrong"));
        let messages = error.messages();
        let files = messages[0].labels.iter().map(|(place, _)| place.file.0);
        assert_eq!(files.collect::<Vec<_>>(), [1, 0]);
    }
}
