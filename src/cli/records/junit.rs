//! Verdicts in the form of JUnit: a suite for each script, a test case for each assertion.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use report::assertion::{AssertionReport, Verdict};
use report::text::{Detail, render, verdict};

use super::{Origin, reason};

/// The XML. A failing assertion is a failed test; one without a verdict is a test with an error, so
/// that nobody takes it for a success.
pub(super) fn junit(reports: &[(&AssertionReport, &Origin)]) -> io::Result<Vec<u8>> {
    let mut all = Report::new("cspsym");
    for script in reports.chunk_by(|(_, one), (_, other)| one.script == other.script) {
        let name = &script[0].1.script;
        let mut suite = TestSuite::new(name.clone());
        // Programs that read this tell tests apart by their names.
        let mut met = HashMap::new();
        let cases = script.iter().map(|(report, _)| {
            let times = met.entry(report.title()).or_insert(0);
            *times += 1;
            test_case(name, report, *times)
        });
        suite.add_test_cases(cases);
        suite.set_time(script.iter().map(|(report, _)| time(report)).sum());
        all.add_test_suite(suite);
    }
    let xml = all.to_string().map_err(io::Error::other)?;
    // The schema of Jenkins knows no number of skipped tests for all suites together.
    Ok(xml.replacen(" skipped=\"0\"", "", 1).into_bytes())
}

/// The test case of an assertion of `script`, which is met for the `times`-th time.
fn test_case(script: &str, report: &AssertionReport, times: usize) -> TestCase {
    let mut status = match report.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Error | Verdict::Unknown => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    if report.verdict != Verdict::Pass {
        status
            .set_type(verdict(report))
            .set_message(reason(report))
            .set_description(render(report, Detail::Normal));
    }
    let name = match times {
        1 => report.title(),
        _ => format!("{} ({times})", report.title()),
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(script.to_string());
    case.set_time(time(report));
    case
}

fn time(report: &AssertionReport) -> Duration {
    Duration::try_from_secs_f64(report.seconds.total).unwrap_or_default()
}
