//! One question about a script: its scope, its evaluator, and how it ends.

use std::sync::Arc;

use base::cancel::Phase;
use base::diag::{Diagnostic, Result as Diagnosed};
use base::source::Span;
use eval::Evaluator;
use report::assertion::AssertionReport;
use syntax::ast::{DeclarationId, ExprId, ModelName};

use super::additions::{self, WrittenPermutation};
use super::decision::Decision;
use super::error::Error;
use super::options::{Options, Symmetries};
use super::parts::CompiledParts;
use super::question::{Question, question};
use super::script::{Answer, Script, Subject};
use super::task::Task;

impl Script {
    /// A copy of the script, to which a question can add its texts.
    pub(super) fn scope(&self) -> Self {
        Self {
            script: self.script.clone(),
            problems: Vec::new(),
            assertions: self.assertions.clone(),
            prints: Vec::new(),
            mistakes: self.mistakes.clone(),
            replaced: self.replaced.clone(),
            load_seconds: self.load_seconds,
        }
    }

    /// A copy of the script with one more assertion, which stands behind all others: `text` is that
    /// as CSPm, with or without the word `assert`.
    pub fn with_assertion(&self, text: &str) -> Result<Self, Error> {
        let mut scope = Self {
            problems: self.problems.clone(),
            prints: self.prints.clone(),
            ..self.scope()
        };
        match additions::add_assertion(&mut scope.script, text) {
            Ok(id) => {
                scope.assertions.push(id);
                Ok(scope)
            }
            Err(problem) => Err(scope.error(*problem)),
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

    /// Asks something about the check of the assertion `id` and its symmetries.
    pub(super) fn ask_of_check<T>(
        &self,
        id: DeclarationId,
        permutations: &[WrittenPermutation],
        options: &Options,
        task: &Task,
        ask: impl FnOnce(&mut Decision<'_, '_>, &Question<'_>) -> Diagnosed<T>,
    ) -> Diagnosed<T> {
        let evaluator = &mut self.evaluator(options, task);
        let answer = self.look_at_check((id, permutations), evaluator, options, task, ask);
        // The search for symmetries leaves out what takes too long, so the token is asked here.
        let answer = answer.and_then(|answer| task.cancellation.check().map(|()| answer));
        answer.map_err(|problem| Box::new(placed(task.explained(*problem), self.span(id))))
    }

    /// Looks at the check of the assertion `id`, beside which permutations are claimed.
    pub(super) fn look_at_check<T>(
        &self,
        (id, permutations): (DeclarationId, &[WrittenPermutation]),
        evaluator: &mut Evaluator<'_>,
        options: &Options,
        task: &Task,
        look: impl FnOnce(&mut Decision<'_, '_>, &Question<'_>) -> Diagnosed<T>,
    ) -> Diagnosed<T> {
        self.unless_mistaken(id)?;
        let question = question(self.assertion(id), self.span(id), options, permutations)?;
        let run = &mut Decision {
            was_cut_short: false,
            script: &self.script,
            evaluator,
            options,
            parts: &mut CompiledParts::new(options.compile_options()),
            task,
            report: &mut self.report_on(id, options),
            warnings: &mut Vec::new(),
        };
        look(run, &question)
    }

    /// The assertion that asks for the check of `subject`. A refinement is added to the script
    /// first.
    pub(super) fn checked(
        &mut self,
        subject: Subject<'_>,
        options: &Options,
    ) -> Diagnosed<DeclarationId> {
        match subject {
            Subject::Assertion(index) => Ok(self.assertions[index]),
            Subject::Refinement {
                specification,
                implementation,
            } => {
                let model = options.model.unwrap_or(ModelName::T);
                additions::add_refinement(&mut self.script, specification, model, implementation)
            }
        }
    }

    pub(super) fn error(&self, problem: Diagnostic) -> Error {
        Error::new(vec![problem], Arc::clone(&self.script.sources))
    }

    pub(super) fn evaluator(&self, options: &Options, task: &Task) -> Evaluator<'_> {
        self.evaluator_after(None, options, task)
    }

    /// An evaluator for work under the token of `task`: the one `before`, if there is one.
    pub(super) fn evaluator_after<'s>(
        &'s self,
        before: Option<Evaluator<'s>>,
        options: &Options,
        task: &Task,
    ) -> Evaluator<'s> {
        let token = task.token();
        token.enter(Phase::Evaluation, "");
        match before {
            Some(before) => before.under(token),
            None => Evaluator::new(&self.script, token).with_termination(options.termination),
        }
    }

    /// The permutations of the options, as expressions that are added to the script.
    pub(super) fn permutations(&mut self, options: &Options) -> Diagnosed<Vec<WrittenPermutation>> {
        match &options.symmetries {
            Symmetries::Permutations(text) => {
                let said = format!("--symmetry '{text}'");
                additions::add_permutations(&mut self.script, text, &said)
            }
            Symmetries::Found | Symmetries::Off => Ok(Vec::new()),
        }
    }

    pub(super) fn answered(&self, report: AssertionReport) -> Answer {
        Answer {
            report,
            problem: None,
            warnings: Vec::new(),
            sources: Arc::clone(&self.script.sources),
        }
    }

    pub(super) fn unanswered(&self, report: AssertionReport, problem: Diagnostic) -> Answer {
        let report = report.stopped_by(&problem, &self.script.sources);
        Answer {
            problem: Some(self.error(problem)),
            ..self.answered(report)
        }
    }
}

/// The codes of problems and limits that have no closer place than the assertion.
const OF_ASSERTIONS: [&str; 17] = [
    "chase-divergence",
    "for-all",
    "growing-process",
    "interrupted",
    "large-graph",
    "large-process",
    "large-specification",
    "memory-limit",
    "not-a-process",
    "not-a-type",
    "state-limit",
    "strategy-in-vain",
    "strategy-inapplicable",
    "timeout",
    "too-many-rules",
    "too-many-steps",
    "unguarded-recursion",
];

/// `problem`, with the place of its assertion if it has none and its code is in `OF_ASSERTIONS`.
pub(super) fn placed(problem: Diagnostic, assertion: Span) -> Diagnostic {
    if problem.labels.is_empty() && OF_ASSERTIONS.contains(&problem.code) {
        problem.at(assertion, "")
    } else {
        problem
    }
}
