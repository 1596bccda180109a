//! One question about a script: its scope, its evaluator, and how it ends.

use std::sync::Arc;
use std::time::Instant;

use crate::cancel::Phase;
use crate::diag::{Diagnostic, Result as Diagnosed};
use crate::eval::Evaluator;
use crate::report::assertion::{AssertionReport, Verdict};
use crate::source::Span;
use crate::syntax::ast::{AssertionKind, DeclarationId, ExprId};

use super::additions;
use super::decide::decide;
use super::decision::Decision;
use super::error::Error;
use super::options::{Options, Symmetries};
use super::progress::attribute;
use super::question::question;
use super::script::{Answer, Script};
use super::symmetric::decide_symmetric;
use super::task::Task;

impl Script {
    /// The script, for a question to add its texts to.
    pub(super) fn scope(&self) -> Self {
        Self {
            script: self.script.clone(),
            problems: Vec::new(),
            assertions: self.assertions.clone(),
            prints: Vec::new(),
            mistakes: self.mistakes.clone(),
            load_seconds: self.load_seconds,
        }
    }

    pub(super) fn ask<T>(
        &self,
        question: impl FnOnce(&mut Self) -> Diagnosed<T>,
    ) -> Result<T, Error> {
        let mut scope = self.scope();
        question(&mut scope).map_err(|problem| scope.error(*problem))
    }

    /// Asks a `question` of the process with this text.
    pub(super) fn ask_of<T>(
        &self,
        process: &str,
        options: &Options,
        task: &Task,
        question: impl FnOnce(&Self, &mut Evaluator<'_>, ExprId) -> Diagnosed<T>,
    ) -> Result<T, Error> {
        self.ask(|scope| {
            let process = additions::add_process(&mut scope.script, process)?;
            let span = scope.script.ast.expressions[process].span;
            let answer = question(scope, &mut scope.evaluator(options, task), process);
            answer.map_err(|problem| Box::new(placed(task.explained(*problem), span)))
        })
    }

    pub(super) fn error(&self, problem: Diagnostic) -> Error {
        Error::new(vec![problem], Arc::clone(&self.script.sources))
    }

    pub(super) fn evaluator(&self, options: &Options, task: &Task) -> Evaluator<'_> {
        let token = task.token();
        token.enter(Phase::Evaluation, "");
        Evaluator::new(&self.script, token).with_termination(options.termination)
    }

    /// The permutations of the options, as expressions that are added to the script.
    pub(super) fn permutations(
        &mut self,
        options: &Options,
    ) -> Diagnosed<Vec<additions::WrittenPermutation>> {
        match &options.symmetries {
            Symmetries::Permutations(text) => additions::add_permutations(&mut self.script, text),
            Symmetries::Found | Symmetries::Off => Ok(Vec::new()),
        }
    }

    pub(super) fn decide(&self, id: DeclarationId, options: &Options, task: &Task) -> Answer {
        // Only permutations add texts to the script here. Other questions need no copy of it.
        if !matches!(options.symmetries, Symmetries::Permutations(_)) {
            return self.decide_with(id, &[], options, task);
        }
        let mut scope = self.scope();
        match scope.permutations(options) {
            Ok(permutations) => scope.decide_with(id, &permutations, options, task),
            Err(problem) => scope.unanswered(self.report_on(id, options), *problem),
        }
    }

    fn decide_with(
        &self,
        id: DeclarationId,
        permutations: &[additions::WrittenPermutation],
        options: &Options,
        task: &Task,
    ) -> Answer {
        let started = Instant::now();
        let mut report = self.report_on(id, options);
        if let Err(mistake) = self.unless_mistaken(id) {
            return self.unanswered(report, *mistake);
        }
        report.seconds.load = self.load_seconds;
        // From now on code that ends the run from outside has this report to print.
        task.publish(&report);
        let span = self.span(id);
        let run = &mut Decision {
            script: &self.script,
            evaluator: &mut self.evaluator(options, task),
            options,
            task,
            report: &mut report,
        };
        let assertion = self.assertion(id);
        let outcome = match &assertion.kind {
            AssertionKind::Symmetric { subject, types } => {
                // The machines that are compiled for such an assertion serve its symmetry alone, so
                // that all of its time is time for symmetry.
                let symmetric = run.timed(
                    |seconds| &mut seconds.symmetry,
                    |run| decide_symmetric(run, *subject, types),
                );
                symmetric.map(|holds| run.report.verdict = Verdict::of(holds != assertion.negated))
            }
            _ => question(assertion, span, options, permutations)
                .and_then(|question| decide(run, &question)),
        };
        // `timed` notes nothing of a stage that fails: what is missing of the time since the start
        // is given to the first stage without a time. After a success `attribute` only adds up.
        let unfinished = outcome.is_err().then(|| started.elapsed().as_secs_f64());
        attribute(unfinished.unwrap_or(0.0), &mut report);
        match outcome {
            Ok(()) => Answer {
                report,
                problem: None,
            },
            Err(problem) => self.unanswered(report, placed(task.explained(*problem), span)),
        }
    }

    pub(super) fn unanswered(&self, report: AssertionReport, problem: Diagnostic) -> Answer {
        Answer {
            report: report.stopped_by(&problem, &self.script.sources),
            problem: Some(self.error(problem)),
        }
    }
}

/// The codes of problems and limits that have no closer place than the assertion.
const OF_ASSERTIONS: [&str; 12] = [
    "chase-divergence",
    "growing-process",
    "interrupted",
    "large-process",
    "large-specification",
    "memory-limit",
    "not-a-type",
    "state-limit",
    "timeout",
    "too-many-rules",
    "too-many-steps",
    "unguarded-recursion",
];

/// `problem`, with the place of its assertion if it has no place and its code is one of those.
pub(super) fn placed(problem: Diagnostic, assertion: Span) -> Diagnostic {
    if problem.labels.is_empty() && OF_ASSERTIONS.contains(&problem.code) {
        problem.at(assertion, "")
    } else {
        problem
    }
}
