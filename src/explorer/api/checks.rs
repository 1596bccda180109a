//! The methods `check` and `check_all`: verdicts on assertions.

use base::diag::Diagnostic;
use checker::{Answer, Error, Script};
use report::api::{ApiChecks, ApiDecided};
use report::assertion::AssertionReport;
use report::message::MessageReport;

use super::work::ApiWork;

/// The verdict on the one assertion that is picked, and the messages about it.
pub(super) fn check(
    asked: &ApiWork,
    script: &Script,
) -> Result<(AssertionReport, Vec<Diagnostic>), Error> {
    let index = asked.request().picked(script)?;
    let assertions = script.assertions();
    let answer = asked.turn(index + 1, &assertions[index], |task| {
        script.check(index, asked.options(), task)
    });
    Ok(told(answer))
}

/// The verdicts on all assertions that are picked, one after the other. They share what they
/// compile.
pub(super) fn check_all(asked: &ApiWork, script: &Script) -> Result<ApiChecks, Error> {
    let picked = asked.request().all_picked(script)?;
    let assertions = script.assertions();
    let mut checks = script.checks(asked.options());
    let mut decided = Vec::with_capacity(picked.len());
    for index in picked {
        let answer = asked.turn(index + 1, &assertions[index], |task| {
            checks.check(index, task)
        });
        let (report, problems) = told(answer);
        let problems = problems.iter();
        let found = ApiDecided {
            assertion: index + 1,
            report,
            problems: problems
                .map(|problem| MessageReport::of(problem, script.sources()))
                .collect(),
        };
        asked.decided(&found);
        decided.push(found);
        if asked.task.cancellation.reason().is_some() {
            break;
        }
    }
    Ok(ApiChecks { checks: decided })
}

/// The report of `answer`, and the messages about it.
fn told(answer: Answer) -> (AssertionReport, Vec<Diagnostic>) {
    let problems = answer.problem.iter().flat_map(Error::messages).collect();
    (answer.report, problems)
}
