//! What is said of assertions that nobody comes to decide any more.

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::report::assertion::AssertionReport;
use crate::report::text::{Detail, render};
use crate::source::{SourceMap, Span};

use super::arguments::Format;
use super::limits::Limit;
use super::output::Said;
use super::work::Work;

/// Assertions without a verdict, in the order in which they would be decided, and scripts that were not read.
#[derive(Clone)]
pub(crate) struct Remaining {
    pub(super) format: Format,
    pub(super) detail: Detail,
    /// The script under whose name assertions were printed last.
    pub(super) heading: Option<String>,
    /// All assertions of a script and the scripts after it, of which these are left from number `from` on.
    pub(super) all: Arc<[Open]>,
    pub(super) from: usize,
    /// What their places are in.
    pub(super) sources: Arc<SourceMap>,
}

/// An assertion, or a script, without a verdict.
#[derive(Clone)]
pub(crate) struct Open {
    /// What is known of it.
    pub(crate) report: AssertionReport,
    /// The assertion in its script.
    pub(crate) place: Option<Span>,
}

impl Open {
    /// A script that was not read.
    pub(super) fn file(name: &str) -> Self {
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

impl Remaining {
    /// What is said where `limit` was reached between two assertions; once for all, unless it has been.
    pub(super) fn left(&self, limit: Limit, is_told: bool) -> Said {
        let mut said = Said::default();
        let mut heading = self.heading.clone();
        for open in self.open() {
            let problem = open.at(limit.diagnostic());
            if !is_told && said.err.is_empty() {
                said.err = problem.render(&self.sources);
            }
            said.out += &self.text(open.report.clone(), &problem, &mut heading);
        }
        said
    }

    /// What is said where `limit` ends the first one in the middle of the `work` on it.
    pub(super) fn cut(&self, limit: Limit, work: &Work) -> Said {
        let Some(first) = self.open().first() else {
            return Said::default();
        };
        let mut heading = self.heading.clone();
        let problem = first.at(limit.problem(work));
        let report = work.report().unwrap_or_else(|| first.report.clone());
        let out = self.text(report, &problem, &mut heading);
        let others = Remaining {
            from: self.from + 1,
            heading,
            ..self.clone()
        };
        Said {
            out: out + &others.left(limit, true).out,
            err: problem.render(&self.sources),
        }
    }

    fn open(&self) -> &[Open] {
        &self.all[self.from..]
    }

    /// One of them, below the name of its script.
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
        let is_new = heading.as_ref() != Some(&report.file) && report.assertion.is_some();
        let mut text = String::new();
        if is_new && self.detail != Detail::Quiet {
            text = format!("{}\n", report.file);
            *heading = Some(report.file.clone());
        }
        text + &render(&report, self.detail)
    }
}
