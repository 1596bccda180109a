//! Assertions that are not decided because a limit ends the run, and the text printed about them.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::{SourceMap, Span};
use checker::Work;
use report::assertion::AssertionReport;
use report::text::{Detail, render};

use super::arguments::{Checking, Format};
use super::limits::Limit;
use super::output::Said;

/// Assertions without a verdict, in the order in which they would be decided, and scripts that were
/// not read.
#[derive(Clone)]
pub struct RemainingVerdicts {
    /// Prints the assertions and scripts.
    pub printer: VerdictPrinter,
    /// All assertions of a script and the scripts after it.
    pub all: Arc<[OpenVerdict]>,
    /// The index in `all` of the first one that has no verdict.
    pub from: usize,
    /// The texts of the scripts that `all` has places in.
    pub sources: Arc<SourceMap>,
}

/// An assertion, or a script, without a verdict.
#[derive(Clone)]
pub struct OpenVerdict {
    /// The report so far.
    pub report: AssertionReport,
    /// The place of the assertion in its script; `None` for a script.
    pub place: Option<Span>,
}

impl OpenVerdict {
    /// A script that was not read.
    pub fn file(name: &str) -> Self {
        Self {
            report: AssertionReport::new(name),
            place: None,
        }
    }

    /// `problem`, with the place of the assertion.
    fn at(&self, problem: Diagnostic) -> Diagnostic {
        match self.place {
            Some(place) => problem.at(place, ""),
            None => problem,
        }
    }
}

impl RemainingVerdicts {
    /// The scripts `files`, of which none was read.
    pub fn unread(printer: VerdictPrinter, files: &[impl AsRef<str>]) -> Self {
        let files = files.iter();
        Self {
            printer,
            all: files.map(|file| OpenVerdict::file(file.as_ref())).collect(),
            from: 0,
            sources: Arc::default(),
        }
    }

    /// The assertions and scripts from index `from` on, printed by `printer`.
    #[must_use]
    pub fn rest(&self, printer: &VerdictPrinter, from: usize) -> Self {
        Self {
            printer: printer.clone(),
            from,
            ..self.clone()
        }
    }

    /// The text where `limit` was reached between two assertions. The message comes once for all,
    /// and not at all if `is_told`.
    pub fn left(&self, limit: Limit, is_told: bool) -> Said {
        let mut said = Said::default();
        if let Some(first) = self.open().first().filter(|_| !is_told) {
            said.add(&first.at(limit.diagnostic()), &self.sources);
        }
        said.out = self.undecided(limit);
        said
    }

    /// The text where `limit` ends the first assertion in the middle of the `work` on it.
    pub(super) fn cut(&self, limit: Limit, work: &Work) -> Said {
        let Some(first) = self.open().first() else {
            return Said::default();
        };
        let problem = first.at(work.cut_short(limit.diagnostic()));
        // While the script is read or values are printed, the work has no report yet.
        let report = work.report().unwrap_or_else(|| first.report.clone());
        let mut said = Said::default();
        said.add(&problem, &self.sources);
        let mut printer = self.printer.clone();
        said.out = printer.listed(&report.stopped_by(&problem, &self.sources));
        said.out += &self.rest(&printer, self.from + 1).undecided(limit);
        said
    }

    /// The results of all that remain, where `limit` was reached before.
    fn undecided(&self, limit: Limit) -> String {
        let mut printer = self.printer.clone();
        let stopped = self.stopped(limit);
        stopped
            .iter()
            .map(|report| printer.listed(report))
            .collect()
    }

    /// The line of JSON for the first one that remains, where `problem` keeps it from being
    /// decided.
    pub(super) fn instead(&self, problem: &Diagnostic, sources: &SourceMap) -> Option<String> {
        let first = self.open().first().filter(|_| self.printer.is_json())?;
        Some(first.report.clone().stopped_by(problem, sources).json())
    }

    /// The reports on all that remains, without verdicts because `limit` was reached.
    pub fn stopped(&self, limit: Limit) -> Vec<AssertionReport> {
        let stopped = self.open().iter().map(|open| {
            let problem = open.at(limit.diagnostic());
            open.report.clone().stopped_by(&problem, &self.sources)
        });
        stopped.collect()
    }

    fn open(&self) -> &[OpenVerdict] {
        &self.all[self.from..]
    }
}

/// Prints verdicts: for people below the names of their scripts, or as JSON.
#[derive(Clone)]
pub struct VerdictPrinter {
    format: Format,
    /// The amount of text about each assertion.
    detail: Detail,
    /// True if lines that stand alone have the names of their scripts.
    names_files: bool,
    /// The script under whose name assertions were printed last.
    heading: Option<String>,
    /// Remarks that were printed, of those of which one is enough.
    told: BTreeSet<String>,
}

impl VerdictPrinter {
    /// A printer that has printed nothing.
    pub fn new(format: Format, detail: Detail) -> Self {
        Self {
            format,
            detail,
            names_files: false,
            heading: None,
            told: BTreeSet::new(),
        }
    }

    /// A printer for the results of `call`, which has printed nothing.
    pub fn of(call: &Checking) -> Self {
        Self::new(call.format, call.detail())
    }

    /// Lets lines that stand alone have the names of their scripts, if there are several.
    pub fn name_files(&mut self, names_files: bool) {
        self.names_files = names_files;
    }

    /// True if programs read what is printed.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// True if only assertions that do not hold are printed.
    pub fn is_quiet(&self) -> bool {
        self.detail == Detail::Quiet
    }

    /// The verdict of `report` alone.
    pub fn verdict(&self, report: &AssertionReport) -> String {
        match self.format {
            Format::Text => render(report, self.detail),
            Format::Json => report.json() + "\n",
        }
    }

    /// `report` without remarks of which one is enough, if they were printed before.
    fn unrepeated(&mut self, report: &AssertionReport) -> AssertionReport {
        let mut report = report.clone();
        if !self.is_json() {
            let is_new =
                |remark: &String| !remark.starts_with(ONCE) || self.told.insert(remark.clone());
            report.remarks.retain(is_new);
        }
        report
    }

    /// The verdict of `report`, below the name of its script if that is another one than before.
    pub fn listed(&mut self, report: &AssertionReport) -> String {
        let report = &self.unrepeated(report);
        // A script that was not read is named by its own line, so it gets no heading.
        let is_named = !self.is_json() && report.assertion.is_some();
        if is_named && self.is_quiet() {
            let verdict = self.verdict(report);
            let has_name = self.names_files && !verdict.is_empty();
            return if has_name {
                format!("{}: {verdict}", report.file)
            } else {
                verdict
            };
        }
        if !is_named || self.heading.as_ref() == Some(&report.file) {
            return self.verdict(report);
        }
        self.heading = Some(report.file.clone());
        format!("{}\n{}", report.file, self.verdict(report))
    }
}

/// The beginning of remarks that are printed once, because they are about the way of searching and
/// may be true of each assertion of a script.
const ONCE: &str = "symmetries were not looked for";

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::memory::{Bound, BoundSource};
    use base::source::FileId;
    use refine::check::{SearchProgress, Statistics};

    fn remaining(format: Format, detail: Detail) -> RemainingVerdicts {
        let mut sources = SourceMap::new();
        sources.add("a.csp", "assert P\nassert Q\n".to_string());
        let open = |text: &str, start| {
            let mut open = OpenVerdict::file("a.csp");
            open.report.assertion = Some(text.to_string());
            open.place = Some(Span::new(FileId(0), start, start + 8));
            open
        };
        RemainingVerdicts {
            printer: VerdictPrinter::new(format, detail),
            all: [
                open("O", 0),
                open("P", 0),
                open("Q", 9),
                OpenVerdict::file("b.csp"),
            ]
            .into(),
            from: 1,
            sources: Arc::new(sources),
        }
    }

    fn work() -> Work {
        let mut work = Work::new("assert P".to_string());
        let mut report = AssertionReport::new("a.csp");
        report.assertion = Some("P".to_string());
        work.report = Some(report);
        work.search(&SearchProgress {
            statistics: Statistics {
                states: 1234,
                transitions: 5678,
                levels: 9,
                ..Statistics::default()
            },
            waiting: 100,
            ..SearchProgress::default()
        });
        work
    }

    #[test]
    fn the_assertion_under_way_has_numbers_and_the_others_are_named() {
        let bound = Bound {
            source: BoundSource::Option,
            bytes: 1,
        };
        let said = remaining(Format::Text, Detail::Quiet).cut(Limit::Memory(bound), &work());
        let expected = "\
assert P: undecided (memory-limit)
assert Q: undecided (memory-limit)
b.csp: undecided (memory-limit)
";
        assert_eq!(said.out, expected);
        let places = (
            said.err.matches("a.csp:1:1").count(),
            said.err.matches("a.csp:2:1").count(),
        );
        assert_eq!(places, (1, 0));
        assert!(said.err.contains("it was searching level 9, 1,234 states"));
        let said = remaining(Format::Text, Detail::Normal).cut(Limit::Time, &work());
        let lines: Vec<&str> = said.out.lines().collect();
        assert_eq!(lines[..2], ["a.csp", "assert P: undecided (timeout)"]);
        assert!(lines[2].starts_with("  1,234 states, 5,678 transitions, 9 levels, "));
        assert_eq!(
            lines[3..],
            [
                "assert Q: undecided (timeout)",
                "b.csp: undecided (timeout)"
            ]
        );
    }

    #[test]
    fn in_json_each_has_its_line() {
        let said = remaining(Format::Json, Detail::Normal).cut(Limit::Signal, &work());
        let lines = said.out.lines();
        let lines: Vec<serde_json::Value> = lines
            .map(|line| serde_json::from_str(line).expect("a line is an object"))
            .collect();
        let all = |key: &str| {
            lines
                .iter()
                .map(|line| line[key].to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(all("states"), ["1234", "null", "null"]);
        assert_eq!(all("assertion"), ["\"P\"", "\"Q\"", "null"]);
        assert!(
            all("message")
                .iter()
                .all(|message| message.contains("interrupted: "))
        );
        assert!(all("message")[1].contains("(a.csp:2:1)"));
    }

    #[test]
    fn what_was_told_is_not_told_again() {
        let remaining = remaining(Format::Text, Detail::Normal);
        assert_eq!(remaining.left(Limit::Time, true).err, "");
        let err = remaining.left(Limit::Time, false).err;
        assert_eq!(err.matches("error[timeout]").count(), 1);
    }
}
