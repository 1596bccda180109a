//! Assertions that are not decided because a limit ends the run, and what is printed of them.

use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::{SourceMap, Span};
use checker::Work;
use report::assertion::AssertionReport;
use report::text::{Detail, render};

use super::arguments::Format;
use super::limits::Limit;
use super::output::Said;

/// Assertions without a verdict, in the order in which they would be decided, and scripts that were
/// not read.
#[derive(Clone)]
pub struct RemainingVerdicts {
    /// How verdicts are printed.
    pub format: Format,
    /// How much is said of each.
    pub detail: Detail,
    /// The script under whose name assertions were printed last.
    pub heading: Option<String>,
    /// All assertions of a script and the scripts after it.
    pub all: Arc<[OpenVerdict]>,
    /// The number of the first of these that has no verdict.
    pub from: usize,
    /// The texts of their places.
    pub sources: Arc<SourceMap>,
}

/// An assertion, or a script, without a verdict.
#[derive(Clone)]
pub struct OpenVerdict {
    /// What is known of it.
    pub report: AssertionReport,
    /// The assertion in its script.
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

    /// `problem`, at the assertion.
    fn at(&self, problem: Diagnostic) -> Diagnostic {
        match self.place {
            Some(place) => problem.at(place, ""),
            None => problem,
        }
    }
}

impl RemainingVerdicts {
    /// What is printed where `limit` was reached between two assertions. The message comes once for
    /// all, and not at all if `is_told`.
    pub fn left(&self, limit: Limit, is_told: bool) -> Said {
        let mut said = Said::default();
        let first = self.open().first().filter(|_| !is_told);
        if let Some(first) = first {
            said.add(&first.at(limit.diagnostic()), &self.sources);
        }
        said.out = self.undecided(limit, self.heading.clone());
        said
    }

    /// What is printed where `limit` ends the first one in the middle of the `work` on it.
    pub(super) fn cut(&self, limit: Limit, work: &Work) -> Said {
        let Some(first) = self.open().first() else {
            return Said::default();
        };
        let mut heading = self.heading.clone();
        let problem = first.at(work.cut_short(limit.diagnostic()));
        // While the script is read or values are printed, the work has no report yet.
        let report = work.report().unwrap_or_else(|| first.report.clone());
        let mut said = Said::default();
        said.add(&problem, &self.sources);
        said.out = self.text(report, &problem, &mut heading);
        let others = RemainingVerdicts {
            from: self.from + 1,
            ..self.clone()
        };
        said.out += &others.undecided(limit, heading);
        said
    }

    /// The results of all that are left, where `limit` was reached before.
    fn undecided(&self, limit: Limit, mut heading: Option<String>) -> String {
        let text = |open: &OpenVerdict| {
            let problem = open.at(limit.diagnostic());
            self.text(open.report.clone(), &problem, &mut heading)
        };
        self.open().iter().map(text).collect()
    }

    fn open(&self) -> &[OpenVerdict] {
        &self.all[self.from..]
    }

    /// The result of one of them, below the name of its script.
    fn text(
        &self,
        report: AssertionReport,
        problem: &Diagnostic,
        heading: &mut Option<String>,
    ) -> String {
        let report = report.stopped_by(problem, &self.sources);
        if self.format == Format::Json {
            return report.json() + "\n";
        }
        // A script that was not read is named by its own line, so it gets no heading.
        let is_new = heading.as_ref() != Some(&report.file) && report.assertion.is_some();
        let mut text = String::new();
        if is_new && self.detail != Detail::Quiet {
            text = format!("{}\n", report.file);
            *heading = Some(report.file.clone());
        }
        text + &render(&report, self.detail)
    }
}

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
            format,
            detail,
            heading: None,
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
            expanded: 0,
            followed: 0,
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
