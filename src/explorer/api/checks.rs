//! The methods that decide assertions: `check`, `check_all` and `run`.

use std::sync::Arc;

use base::diag::Diagnostic;
use checker::{Answer, Checks, Error, ProcessNodes, Script, Task, WalkSubject};
use report::api::{ApiChecks, ApiDecided};
use report::assertion::AssertionReport;
use report::message::MessageReport;

use super::kept::{KeptScript, KeptWork};
use super::work::ApiWork;

/// The script whose assertions are decided, and what their checks share.
pub(super) struct DecidedScript<'k> {
    script: &'k Arc<Script>,
    shared: SharedWork<'k>,
}

/// The work that checks share: with those of other requests, or only within this one.
enum SharedWork<'k> {
    Kept(&'k mut KeptScript),
    Own(Box<Checks<'k>>),
}

impl<'k> DecidedScript<'k> {
    /// The checks of `script`. They share with other requests if it is a script that is kept, as it
    /// was read.
    pub(super) fn of(
        asked: &'k ApiWork,
        script: &'k Arc<Script>,
        kept: Option<&'k mut KeptWork>,
    ) -> Result<Self, Error> {
        let request = asked.request();
        let number = request.script.filter(|_| request.asserted.is_none());
        let shared = match (number, kept) {
            (Some(number), Some(kept)) => SharedWork::Kept(kept.script(number)?),
            _ => SharedWork::Own(Box::new(script.checks(asked.options()))),
        };
        Ok(Self { script, shared })
    }

    fn decide(&mut self, index: usize, asked: &ApiWork, task: &Task) -> Answer {
        match &mut self.shared {
            SharedWork::Kept(kept) => kept.check(index, asked, task),
            SharedWork::Own(checks) => checks.check(index, task),
        }
    }

    /// The report on the assertion at `index`, which is decided unless another request has.
    fn report(&mut self, index: usize, asked: &ApiWork) -> Result<AssertionReport, Error> {
        if let SharedWork::Kept(kept) = &self.shared
            && let Some(report) = kept.report(index)
        {
            return Ok(report.clone());
        }
        let answer = self.decide(index, asked, &asked.task);
        answer.problem.map_or(Ok(answer.report), Err)
    }
}

/// The verdict on the one assertion that is picked, and the messages about it.
pub(super) fn check(
    asked: &ApiWork,
    deciding: &mut DecidedScript<'_>,
) -> Result<(AssertionReport, Vec<Diagnostic>), Error> {
    let script = deciding.script;
    let index = asked.request().picked(script)?;
    let answer = asked.turn(index + 1, &script.assertions()[index], |task| {
        deciding.decide(index, asked, task)
    });
    Ok(told(answer))
}

/// The verdicts on all assertions that are picked, one after the other. They share what they
/// compile.
pub(super) fn check_all(
    asked: &ApiWork,
    deciding: &mut DecidedScript<'_>,
) -> Result<ApiChecks, Error> {
    let script = deciding.script;
    let picked = asked.request().all_picked(script)?;
    let assertions = script.assertions();
    let mut decided = Vec::with_capacity(picked.len());
    for index in picked {
        let answer = asked.turn(index + 1, &assertions[index], |task| {
            deciding.decide(index, asked, task)
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

/// The states of the process of the assertion that is picked, along its counterexample if it has
/// one.
pub(super) fn run_nodes(
    asked: &ApiWork,
    deciding: &mut DecidedScript<'_>,
) -> Result<ProcessNodes, Error> {
    let script = deciding.script;
    let index = asked.request().picked(script)?;
    let report = deciding.report(index, asked)?;
    let subject = WalkSubject::Assertion(index);
    script.nodes(subject, Some(&report), asked.options(), &asked.task)
}

/// The report of `answer`, and the messages about it.
fn told(answer: Answer) -> (AssertionReport, Vec<Diagnostic>) {
    let problems = answer.problem.iter().flat_map(Error::messages).collect();
    (answer.report, problems)
}
