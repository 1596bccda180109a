//! Answers as text for a model.

use serde_json::{Value, json};

use report::api::{ApiAnswer, ApiChecks, ApiProblems, ApiResult};
use report::assertion::Verdict;
use report::message::MessageReport;
use report::text::{Detail, render};

/// The result of a call whose request has this `answer`.
pub(super) fn told(answer: &ApiAnswer) -> Value {
    let messages: String = answer.problems.iter().map(message).collect();
    let (text, structured) = match &answer.result {
        None => return failed(&messages),
        Some(ApiResult::Checks(checks)) => (verdicts(checks), Some(listed(checks))),
        Some(ApiResult::Problems(problems)) => (counted(problems), None),
        Some(ApiResult::Walk(walk)) => (walk.text(), None),
        Some(ApiResult::Why(why)) => (why.text(), None),
        Some(ApiResult::Value(value)) => (value.value.clone().unwrap_or_default(), None),
        Some(ApiResult::Type(ty)) => (ty.ty.clone().unwrap_or_default(), None),
        // No tool asks for more.
        Some(other) => (json!(other).to_string(), None),
    };
    let mut result = text_result(&(messages + &text));
    if let Some(structured) = structured {
        result["structuredContent"] = structured;
    }
    result
}

/// The result with this text.
pub(super) fn text_result(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text.trim_end() }] })
}

/// The result of a call that could not be answered, for this reason.
pub(super) fn failed(why: &str) -> Value {
    let mut result = text_result(why);
    result["isError"] = json!(true);
    result
}

fn verdicts(checks: &ApiChecks) -> String {
    let texts = checks.checks.iter().map(|decided| {
        let messages: String = decided.problems.iter().map(message).collect();
        let warnings: String = decided.report.warnings.iter().map(message).collect();
        render(&decided.report, Detail::Normal) + &messages + &warnings
    });
    let text: String = texts.collect();
    match text.is_empty() {
        true => "no assertion of the script was picked, or it has none\n".to_string(),
        false => text,
    }
}

/// The verdicts as `structuredContent`; see `verdict_schema` in `tools.rs`.
fn listed(checks: &ApiChecks) -> Value {
    let word = |verdict| match verdict {
        Verdict::Pass => "holds",
        Verdict::Fail => "fails",
        Verdict::Error => "error",
        Verdict::Unknown => "undecided",
    };
    let verdicts = checks.checks.iter().map(|decided| {
        json!({
            "number": decided.assertion,
            "assertion": decided.report.title(),
            "verdict": word(decided.report.verdict),
        })
    });
    json!({ "verdicts": verdicts.collect::<Vec<_>>() })
}

fn counted(problems: &ApiProblems) -> String {
    match (problems.errors, problems.warnings) {
        (0, 0) => "nothing is wrong\n".to_string(),
        (errors, warnings) => format!("errors: {errors}, warnings: {warnings}\n"),
    }
}

/// The message as `file:line:column: error[code]: message`, with what helps in lines below.
fn message(message: &MessageReport) -> String {
    let place = message.places.first();
    let place = place.map_or(String::new(), |place| {
        format!("{}:{}:{}: ", place.file, place.line, place.column)
    });
    let (severity, code) = (&message.severity, &message.code);
    let mut text = format!("{place}{severity}[{code}]: {}\n", message.message);
    let further = message.places.iter().filter(|place| !place.text.is_empty());
    for place in further {
        let (file, line, column) = (&place.file, place.line, place.column);
        text += &format!("  {file}:{line}:{column}: {}\n", place.text);
    }
    for note in &message.notes {
        text += &format!("  note: {note}\n");
    }
    if let Some(hint) = &message.hint {
        text += &format!("  help: {hint}\n");
    }
    text
}
