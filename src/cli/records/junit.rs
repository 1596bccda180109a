//! Verdicts in the form of JUnit: a suite for each script, a test case for each assertion.

use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use report::assertion::{AssertionReport, Verdict};
use report::text::{Detail, render, verdict};

/// The XML. A failing assertion is a failed test; one without a verdict is a test with an error, so
/// that nobody takes it for a success.
pub(super) fn junit(reports: &[&AssertionReport]) -> io::Result<Vec<u8>> {
    let mut all = Report::new("cspsym");
    for script in reports.chunk_by(|one, other| one.file == other.file) {
        let mut suite = TestSuite::new(script[0].file.clone());
        let cases = script.iter().map(|report| test_case(report));
        suite.add_test_cases(cases);
        suite.set_time(script.iter().map(|report| time(report)).sum());
        all.add_test_suite(suite);
    }
    let mut xml = Vec::new();
    all.serialize(&mut xml).map_err(io::Error::other)?;
    Ok(xml)
}

fn test_case(report: &AssertionReport) -> TestCase {
    let mut status = match report.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Error | Verdict::Unknown => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    if report.verdict != Verdict::Pass {
        status
            .set_type(verdict(report))
            .set_message(in_a_sentence(report))
            .set_description(render(report, Detail::Normal));
    }
    let mut case = TestCase::new(report.title(), status);
    case.set_classname(report.file.clone());
    case.set_time(time(report));
    case
}

/// The reason for the verdict.
pub(super) fn in_a_sentence(report: &AssertionReport) -> String {
    let found = report.counterexample.as_ref();
    let found = found.filter(|_| report.verdict == Verdict::Fail);
    let sentence = found.map(|found| found.sentence.clone());
    let message = sentence.or_else(|| report.message.clone());
    message.unwrap_or_else(|| verdict(report))
}

fn time(report: &AssertionReport) -> Duration {
    Duration::try_from_secs_f64(report.seconds.total).unwrap_or_default()
}
