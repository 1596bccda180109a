//! Findings in the form of SARIF 2.1.0: assertions that do not hold, each at its place.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use host::files::with_slashes;
use report::assertion::{AssertionReport, Verdict};
use report::text::verdict;

use super::{Origin, reason};

/// The characters of a path that stand in an address as `%20` does. Those that need not are left.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b'~');

/// The JSON, with the findings among `reports`.
pub(super) fn sarif(reports: &[(&AssertionReport, &Origin)]) -> String {
    let all = reports.iter();
    let findings = all.filter(|(report, _)| report.verdict != Verdict::Pass);
    let results: Vec<Value> = findings
        .map(|(report, origin)| finding(report, origin))
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cspsym",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule("fails", "An assertion does not hold."),
                    rule("error", "A script or an assertion has a mistake."),
                    rule("undecided", "A limit left an assertion without a verdict."),
                ],
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

fn rule(id: &str, text: &str) -> Value {
    json!({ "id": id, "shortDescription": { "text": text } })
}

fn finding(report: &AssertionReport, origin: &Origin) -> Value {
    let place = origin.place.as_ref();
    let (rule, level) = match report.verdict {
        Verdict::Pass | Verdict::Fail => ("fails", "error"),
        Verdict::Error => ("error", "error"),
        Verdict::Unknown => ("undecided", "warning"),
    };
    let file = place.map_or(&report.file, |place| &place.file);
    let address = utf8_percent_encode(&with_slashes(file), ENCODED).to_string();
    let mut location = json!({ "artifactLocation": { "uri": address } });
    if let Some(place) = place {
        location["region"] = json!({
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        });
    }
    let text = format!(
        "{}: {}. {}",
        report.title(),
        verdict(report),
        reason(report)
    );
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": text },
        "locations": [{ "physicalLocation": location }],
    })
}
