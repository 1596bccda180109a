//! A loaded script and the questions put to it: calls the stages in order.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::diag::{Diagnostic, Result};
use crate::eval::{Evaluator, Script};
use crate::process::term::Definitions;
use crate::process::work::{Phase, Watcher};
use crate::report::assertion::{AssertionReport, Kind};
use crate::report::machine::MachineDescription;
use crate::report::symmetry::SymmetryDescription;
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::ast::{Assertion, AssertionKind, Declaration, DeclarationId, ExprId, Model};
use crate::syntax::print::{assertion_text, expression_text};

use super::additions::{self, COMMAND_LINE};
use super::decide::{decide, prepare};
use super::describe::describe;
use super::describe_symmetry::{Found, Question, describe_symmetry};
use super::limits::Limits;
use super::load;
use super::mistakes::Separate;
use super::monitor::Watched;
use super::question;
use super::reduce::{WrittenPermutation, reduction};
use super::remaining::Open;
use super::request::{Decision, Options, Session, SymmetrySubject, SymmetryWish};
use super::spill::kept_in_memory;
use super::symmetric::{Symmetric, decide_symmetric};
use super::work::attribute;

/// A script in force.
///
/// Each question gets an evaluator of its own, so that the memory one assertion took is free for the next,
/// and no answer depends on what was asked before.
pub(super) struct LoadedScript {
    script: Script,
    options: Options,
    problems: Vec<Diagnostic>,
    assertions: Vec<DeclarationId>,
    /// What is wrong with those assertions and `print` declarations that are not as they should be.
    mistakes: BTreeMap<DeclarationId, Diagnostic>,
    prints: Vec<(DeclarationId, ExprId)>,
    /// Those of `--symmetry`, once they were needed.
    permutations: Option<Vec<WrittenPermutation>>,
    load_seconds: f64,
}

impl LoadedScript {
    /// Takes a script over that was loaded without errors.
    pub(super) fn new(
        script: Script,
        options: Options,
        problems: Vec<Diagnostic>,
        load_seconds: f64,
    ) -> Self {
        let mut declarations = Vec::new();
        let (mut assertions, mut prints) = (Vec::new(), Vec::new());
        load::in_order(&script.ast, &script.ast.script, &mut declarations);
        for id in declarations {
            match script.ast.declaration(id) {
                Declaration::Assert(_) => assertions.push(id),
                Declaration::Print(expression) => prints.push((id, *expression)),
                _ => {}
            }
        }
        let mistakes = Separate::of(&script.ast).first_mistakes(&problems);
        Self {
            script,
            options,
            problems,
            assertions,
            mistakes,
            prints,
            permutations: None,
            load_seconds,
        }
    }

    fn evaluator(&self) -> Evaluator<'_> {
        let Limits { monitor, .. } = &self.options.limits;
        let watched = Watched(monitor.clone());
        watched.enter(Phase::Evaluation, "");
        Evaluator::new(&self.script, Box::new(watched)).with_termination(self.options.termination)
    }

    /// Makes expressions of the permutations of `--symmetry`, if there are any and it is not done yet.
    fn read_permutations(&mut self) -> Result<()> {
        if let (SymmetryWish::Permutations(text), None) =
            (&self.options.symmetry, &self.permutations)
        {
            let permutations = additions::add_permutations(&mut self.script, text)?;
            self.permutations = Some(permutations);
        }
        Ok(())
    }

    fn assertion(&self, id: DeclarationId) -> &Assertion {
        match self.script.ast.declaration(id) {
            Declaration::Assert(assertion) => assertion,
            _ => unreachable!("the list of assertions holds assertions"),
        }
    }

    /// Fails with the mistake in the assertion or `print` declaration `id`, if there is one.
    fn unless_mistaken(&self, id: DeclarationId) -> Result<()> {
        match self.mistakes.get(&id) {
            Some(mistake) => mistake.clone().into(),
            None => Ok(()),
        }
    }

    fn decide_declaration(&mut self, id: DeclarationId) -> Decision {
        let started = Instant::now();
        let added = self.read_permutations();
        let added = added.and_then(|()| self.unless_mistaken(id));
        let assertion = self.assertion(id);
        let span = self.script.ast.declarations[id].span;
        let mut report = self.report_on(assertion, span);
        if let Err(problem) = added {
            return self.stopped(report, *problem);
        }
        report.seconds.load = self.load_seconds;
        self.options.limits.monitor.publish(&report);
        let outcome = self.decide_assertion(assertion, span, &mut report);
        let unfinished = outcome.is_err().then(|| started.elapsed().as_secs_f64());
        attribute(unfinished.unwrap_or(0.0), &mut report);
        match outcome {
            Ok(()) => Decision {
                report,
                problem: None,
            },
            Err(problem) => self.stopped(report, *problem),
        }
    }

    fn decide_assertion(
        &self,
        assertion: &Assertion,
        span: Span,
        report: &mut AssertionReport,
    ) -> Result<()> {
        let mut evaluator = self.evaluator();
        if let AssertionKind::Symmetric { subject, types } = &assertion.kind {
            let started = Instant::now();
            let question = Symmetric {
                subject: *subject,
                types,
                negated: assertion.negated,
            };
            let outcome = decide_symmetric(&mut evaluator, &question, &self.options, report);
            report.seconds.symmetry = started.elapsed().as_secs_f64();
            let outcome = outcome.and_then(|()| self.unless_reached(()));
            return outcome.map_err(|problem| Box::new(placed(*problem, span)));
        }
        let question = self.question(assertion, span)?;
        let mut options = self.options.clone();
        if options.spill.is_some()
            && let Some(remark) = kept_in_memory(&question.asked)
        {
            report.remarks.push(remark);
            options.spill = None;
        }
        if let Some(folder) = &mut options.spill {
            *folder = folder.of_script(&self.script.sources);
        }
        let outcome = decide(&mut evaluator, &question, &options, report);
        outcome.map_err(|problem| Box::new(placed(*problem, span)))
    }

    /// `found`, unless a limit was reached meanwhile: where symmetries are looked for, what takes too long is left out.
    fn unless_reached<T>(&self, found: T) -> Result<T> {
        let monitor = &self.options.limits.monitor;
        match monitor.reached() {
            Some(limit) => monitor.problem(limit).into(),
            None => Ok(found),
        }
    }

    fn question<'a>(
        &'a self,
        assertion: &'a Assertion,
        span: Span,
    ) -> Result<question::Question<'a>> {
        let permutations = self.permutations.as_deref().unwrap_or_default();
        question::question(assertion, span, &self.options, permutations)
    }

    /// The symmetries of the check that `assertion` asks for.
    fn describe_assertion(&self, id: DeclarationId) -> Result<SymmetryDescription> {
        self.unless_mistaken(id)?;
        let assertion = self.assertion(id);
        let span = self.script.ast.declarations[id].span;
        let question = self.question(assertion, span)?;
        let mut evaluator = self.evaluator();
        if let question::Asked::Deterministic(_) = question.asked {
            return Diagnostic::undecided("unsupported", "determinism is decided without symmetry")
                .at(
                    span,
                    "the specification is one resolution of the process's own choices",
                )
                .into();
        }
        if let question::Asked::RefinesObserved(..) = question.asked {
            let (_, model) = question::kind_and_model(assertion, &self.options);
            let name = model.map_or("", question::model_name);
            let message = format!("refinement in the model {name} is decided without symmetry");
            return Diagnostic::undecided("unsupported", message)
                .at(
                    span,
                    "all states that show the same so far are looked at together",
                )
                .hint(
                    "ask for the symmetries of the same refinement in the model F, with --model F",
                )
                .into();
        }
        let Some(check) = prepare(&mut evaluator, &question, &self.options, None)? else {
            return Diagnostic::undecided("unsupported", "every process has the empty trace")
                .at(span, "nothing is searched for this assertion")
                .into();
        };
        let claims = &question.claims;
        let reduction = reduction(
            &mut evaluator,
            &check.subject(),
            claims,
            &self.options,
            true,
        )?;
        let ast = &self.script.ast;
        let (specification, implementation) = match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                implementation,
                ..
            } => (Some(*specification), *implementation),
            _ => (None, question.implementation),
        };
        let words = Question {
            assertion: self.positive_text(assertion),
            file: self.script.sources.file(FileId(0)).name.clone(),
            specification: specification.map(|e| expression_text(ast, e)),
            implementation: expression_text(ast, implementation),
            start_fixed: self.options.fix_initial,
        };
        let found = Found {
            machine: &check.machine,
            reduction: &reduction,
            events: &evaluator.terms().events,
            sources: &self.script.sources,
        };
        Ok(describe_symmetry(words, &found))
    }

    fn stopped(&self, report: AssertionReport, problem: Diagnostic) -> Decision {
        let report = report.stopped_by(&problem, &self.script.sources);
        Decision {
            report,
            problem: Some(problem),
        }
    }

    /// `assertion` without a `not`, in the model in which it is decided.
    fn positive_text(&self, assertion: &Assertion) -> String {
        let mut positive = Assertion {
            negated: false,
            ..assertion.clone()
        };
        if let (AssertionKind::Refinement { model, .. }, Some(asked)) =
            (&mut positive.kind, self.options.model)
        {
            *model = asked;
        }
        assertion_text(&self.script.ast, &positive)
    }

    /// What is known of an assertion before it is decided.
    fn report_on(&self, assertion: &Assertion, span: Span) -> AssertionReport {
        let file = &self.script.sources.file(span.file).name;
        let file = if file == COMMAND_LINE {
            &self.script.sources.file(FileId(0)).name
        } else {
            file
        };
        let mut report = AssertionReport::new(file.clone());
        let memory = self.options.limits.monitor.memory();
        report.memory_limit = memory.report().filter(|_| self.options.has_statistics);
        report.assertion = Some(self.positive_text(assertion));
        report.negated = assertion.negated;
        let (kind, model) = question::kind_and_model(assertion, &self.options);
        report.kind = kind;
        report.model = model.map(question::model_name);
        report
    }
}

/// What can be wrong, or be a limit, of which nothing closer is known than the assertion.
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

/// `problem` of an assertion, at the assertion if it is about that and has no place.
fn placed(problem: Diagnostic, assertion: Span) -> Diagnostic {
    if problem.labels.is_empty() && OF_ASSERTIONS.contains(&problem.code) {
        problem.at(assertion, "")
    } else {
        problem
    }
}

impl Session for LoadedScript {
    fn sources(&self) -> &SourceMap {
        &self.script.sources
    }

    fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    fn prints(&mut self) -> Vec<Result<String>> {
        let monitor = &self.options.limits.monitor;
        let mut evaluator = self.evaluator();
        let prints = self.prints.iter();
        prints
            .map(|(id, print)| {
                self.unless_mistaken(*id)?;
                let title = format!("print {}", expression_text(&self.script.ast, *print));
                let shown = monitor.turn_of(title, || {
                    let value = evaluator.value_of(*print)?;
                    Ok(evaluator.show(&value))
                });
                if shown.is_err() {
                    // What was cut short is begun anew by the next.
                    evaluator = self.evaluator();
                }
                shown
            })
            .collect()
    }

    fn assertions(&self) -> Vec<String> {
        self.assertions
            .iter()
            .map(|&id| assertion_text(&self.script.ast, self.assertion(id)))
            .collect()
    }

    fn undecided(&self, index: usize) -> Open {
        let id = self.assertions[index];
        let span = self.script.ast.declarations[id].span;
        Open {
            report: self.report_on(self.assertion(id), span),
            place: Some(span),
        }
    }

    fn decide(&mut self, index: usize) -> Decision {
        self.decide_declaration(self.assertions[index])
    }

    fn refine(&mut self, specification: &str, implementation: &str) -> Decision {
        let root = &self.script.sources.file(FileId(0)).name;
        let mut report = AssertionReport::new(root.clone());
        let model = self.options.model.unwrap_or(Model::T);
        let name = question::model_name(model);
        report.assertion = Some(format!("{specification} [{name}= {implementation}"));
        report.kind = Some(Kind::Refinement);
        report.model = Some(name);
        match additions::add_refinement(&mut self.script, specification, model, implementation) {
            Ok(id) => self.decide_declaration(id),
            Err(problem) => self.stopped(report, *problem),
        }
    }

    fn evaluate(&mut self, expression: &str) -> Result<String> {
        let expression = additions::add_expression(&mut self.script, expression)?;
        let mut evaluator = self.evaluator();
        let value = evaluator.value_of(expression)?;
        Ok(evaluator.show(&value))
    }

    fn type_of(&mut self, expression: &str) -> Result<String> {
        additions::type_of(&mut self.script, expression)
    }

    fn machine(&mut self, expression: &str) -> Result<MachineDescription> {
        let expression = additions::add_process(&mut self.script, expression)?;
        let file = self.script.sources.file(FileId(0)).name.clone();
        let text = expression_text(&self.script.ast, expression);
        let span = self.script.ast.expressions[expression].span;
        describe(&mut self.evaluator(), expression, &self.options, file, text)
            .map_err(|problem| Box::new(placed(*problem, span)))
    }

    fn symmetry(&mut self, subject: SymmetrySubject<'_>) -> Result<SymmetryDescription> {
        self.read_permutations()?;
        let id = match subject {
            SymmetrySubject::Assertion(index) => self.assertions[index],
            SymmetrySubject::Processes {
                specification,
                implementation,
            } => {
                let model = self.options.model.unwrap_or(Model::T);
                additions::add_refinement(&mut self.script, specification, model, implementation)?
            }
        };
        let span = self.script.ast.declarations[id].span;
        let described = self.describe_assertion(id);
        let described = described.and_then(|described| self.unless_reached(described));
        described.map_err(|problem| Box::new(placed(*problem, span)))
    }
}
