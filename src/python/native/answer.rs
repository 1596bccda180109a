//! The report on an assertion, which Python reads as JSON and shows as a drawing or as text.

use cspsym::Error;
use pyo3::prelude::*;
use report::assertion::{AssertionReport, Counterexample};
use report::message::MessageReport;
use report::page::lanes_alone;
use report::text::{Detail, render};

/// The answer to an assertion.
#[pyclass(frozen, name = "Answer", module = "cspsym._native")]
pub(crate) struct AnswerObject {
    report: AssertionReport,
    problem: Option<Error>,
}

impl AnswerObject {
    /// The answer of the library, the warnings in its report.
    pub(crate) fn of(answer: cspsym::Answer) -> Self {
        let mut report = answer.report;
        let warnings = answer.warnings.iter();
        report.warnings = warnings
            .map(|warning| MessageReport::of(warning, &answer.sources))
            .collect();
        let problem = answer.problem;
        Self { report, problem }
    }

    /// The report.
    pub(crate) fn report(&self) -> &AssertionReport {
        &self.report
    }

    /// The counterexample with this number, counted from 0.
    fn found(&self, number: usize) -> Option<&Counterexample> {
        let report = &self.report;
        match &report.counterexamples {
            Some(several) => several.get(number),
            None => report.counterexample.as_ref().filter(|_| number == 0),
        }
    }
}

#[pymethods]
impl AnswerObject {
    /// The report as JSON.
    fn json(&self) -> String {
        self.report.json()
    }

    /// The report as the terminal has it.
    fn text(&self) -> String {
        render(&self.report, Detail::Normal)
    }

    /// The exception that says why there is no verdict; `None` if there is one.
    fn problem(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let problem = self.problem.as_ref()?;
        let exception = crate::failure::exception(py, problem);
        Some(exception.into_value(py).into_any())
    }

    /// The lanes of the counterexample with this number as an SVG drawing; of nondeterminism, with
    /// `other`, those of the run that does the event. `None` if there is no such run.
    #[pyo3(signature = (number=0, other=false))]
    fn lanes(&self, number: usize, other: bool) -> Option<String> {
        lanes_alone(self.found(number)?, other)
    }
}
