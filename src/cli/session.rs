//! A loaded script and the questions put to it: calls the stages in order.

use std::time::Instant;

use crate::diag::{Diagnostic, Result};
use crate::eval::{Evaluator, Script};
use crate::process::term::Definitions;
use crate::report::assertion::{AssertionReport, Kind};
use crate::report::machine::MachineDescription;
use crate::report::symmetry::SymmetryDescription;
use crate::source::{FileId, SourceMap, Span};
use crate::symmetry::notation;
use crate::syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Ast, Declaration, DeclarationId, ExprId, Model,
    Node, Property,
};
use crate::syntax::parse_expression;
use crate::syntax::print::{assertion_text, expression_text};
use crate::types::resolve::resolve;

use super::decide::{Refinement, Specification, decide, prepare};
use super::describe::describe;
use super::describe_symmetry::{Found, Question, describe_symmetry};
use super::load;
use super::progress::Snapshot;
use super::reduce::{Claims, WrittenPermutation, reduction};
use super::request::{Decision, Options, Session, SymmetrySubject, SymmetryWish};
use super::symmetric::{Symmetric, decide_symmetric};

/// The name under which expressions of the command line are shown.
const COMMAND_LINE: &str = "<command line>";

/// A script in force.
///
/// Each question gets an evaluator of its own, so that the memory one assertion took is free for the next,
/// and no answer depends on what was asked before.
pub(super) struct LoadedScript {
    script: Script,
    options: Options,
    warnings: Vec<Diagnostic>,
    assertions: Vec<DeclarationId>,
    prints: Vec<ExprId>,
    /// Those of `--symmetry`, once they were needed.
    permutations: Option<Vec<WrittenPermutation>>,
    load_seconds: f64,
}

impl LoadedScript {
    /// Takes a script over that was loaded without errors.
    pub(super) fn new(
        script: Script,
        options: Options,
        warnings: Vec<Diagnostic>,
        load_seconds: f64,
    ) -> Self {
        let mut declarations = Vec::new();
        load::in_order(&script.ast, &script.ast.script, &mut declarations);
        let ast = &script.ast;
        let of_kind = |wanted: fn(&Declaration) -> bool| {
            declarations
                .iter()
                .copied()
                .filter(|&id| wanted(ast.declaration(id)))
                .collect::<Vec<_>>()
        };
        let assertions = of_kind(|d| matches!(d, Declaration::Assert(_)));
        let prints = of_kind(|d| matches!(d, Declaration::Print(_)));
        let prints = prints
            .into_iter()
            .filter_map(|id| match ast.declaration(id) {
                Declaration::Print(expression) => Some(*expression),
                _ => None,
            });
        let prints = prints.collect();
        Self {
            script,
            options,
            warnings,
            assertions,
            prints,
            permutations: None,
            load_seconds,
        }
    }

    fn evaluator(&self) -> Evaluator<'_> {
        let deadline = self.options.limits.deadline;
        Evaluator::new(
            &self.script,
            Box::new(move || deadline.is_some_and(|deadline| Instant::now() >= deadline)),
        )
    }

    /// Parses a text of the command line into the script, at its top level.
    fn add<T>(
        &mut self,
        text: &str,
        parse: fn(&mut Ast, &SourceMap, FileId) -> Result<T>,
    ) -> Result<T> {
        let file = self.script.sources.add(COMMAND_LINE, text);
        parse(&mut self.script.ast, &self.script.sources, file)
    }

    /// Declares something that came later, and resolves its names.
    fn declare(&mut self, kind: Declaration, span: Span) -> Result<DeclarationId> {
        let id = self.push_declaration(kind, span);
        self.resolve_again()?;
        Ok(id)
    }

    fn push_declaration(&mut self, kind: Declaration, span: Span) -> DeclarationId {
        let id = self.script.ast.declarations.push(Node { kind, span });
        self.script.ast.script.push(id);
        id
    }

    fn resolve_again(&mut self) -> Result<()> {
        let (resolved, problems) = resolve(&self.script.ast);
        match problems.into_iter().find(load::is_error) {
            Some(problem) => problem.into(),
            None => {
                self.script.resolved = resolved;
                Ok(())
            }
        }
    }

    fn add_expression(&mut self, text: &str) -> Result<ExprId> {
        let expression = self.add(text, parse_expression)?;
        let span = self.script.ast.expressions[expression].span;
        self.declare(Declaration::Print(expression), span)?;
        Ok(expression)
    }

    /// Declares `specification [T= implementation`.
    fn add_refinement(
        &mut self,
        specification: &str,
        implementation: &str,
    ) -> Result<DeclarationId> {
        let specification = self.add(specification, parse_expression)?;
        let implementation = self.add(implementation, parse_expression)?;
        let span = self.script.ast.expressions[implementation].span;
        let kind = AssertionKind::Refinement {
            specification,
            model: Model::T,
            implementation,
        };
        let assertion = Assertion {
            negated: false,
            kind,
            options: Vec::new(),
        };
        self.declare(Declaration::Assert(assertion), span)
    }

    /// Makes expressions of the permutations of `--symmetry`, if there are any and it is not done yet.
    fn add_permutations(&mut self) -> Result<()> {
        let SymmetryWish::Permutations(text) = &self.options.symmetry else {
            return Ok(());
        };
        if self.permutations.is_some() {
            return Ok(());
        }
        let parsed = notation::parse(text).map_err(|problem| {
            Diagnostic::error("bad-permutation", format!("--symmetry '{text}': {problem}"))
                .hint("write cycles of values or events, such as '(B C),(B C D)'")
        })?;
        let mut written = Vec::new();
        for permutation in parsed {
            let text: String = permutation.iter().map(|cycle| format!("({})", cycle.join(" "))).collect();
            let mut cycles = Vec::new();
            for cycle in permutation {
                let mut elements = Vec::new();
                for element in cycle {
                    let expression = self.add(&element, parse_expression)?;
                    let span = self.script.ast.expressions[expression].span;
                    self.push_declaration(Declaration::Print(expression), span);
                    elements.push(expression);
                }
                cycles.push(elements);
            }
            let span = self.script.ast.expressions[cycles[0][0]].span;
            written.push(WrittenPermutation { text, cycles, span });
        }
        self.resolve_again()?;
        self.permutations = Some(written);
        Ok(())
    }

    fn assertion(&self, id: DeclarationId) -> &Assertion {
        match self.script.ast.declaration(id) {
            Declaration::Assert(assertion) => assertion,
            _ => unreachable!("the list of assertions holds assertions"),
        }
    }

    fn decide_declaration(
        &mut self,
        id: DeclarationId,
        progress: &mut dyn FnMut(Snapshot),
    ) -> Decision {
        let added = self.add_permutations();
        let assertion = self.assertion(id);
        let span = self.script.ast.declarations[id].span;
        let mut report = self.report_on(assertion, span);
        if let Err(problem) = added {
            return self.stopped(report, *problem);
        }
        report.seconds.load = self.load_seconds;
        let outcome = self.decide_assertion(assertion, span, progress, &mut report);
        report.seconds.total = report.seconds.load
            + report.seconds.compile
            + report.seconds.symmetry
            + report.seconds.explore;
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
        progress: &mut dyn FnMut(Snapshot),
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
            return outcome;
        }
        let question = self.refinement(assertion, span)?;
        decide(&mut evaluator, &question, &self.options, progress, report)
    }

    /// What the assertion and the command line say about symmetry.
    fn claims<'a>(&'a self, assertion: &'a Assertion) -> Claims<'a> {
        let types = assertion.options.iter().find_map(|option| match option {
            AssertionOption::SymmetryReduce(types) => Some(&types[..]),
            _ => None,
        });
        Claims {
            types: types.unwrap_or_default(),
            permutations: self.permutations.as_deref().unwrap_or_default(),
        }
    }

    /// The symmetries of the check that `assertion` asks for.
    fn describe_assertion(&self, id: DeclarationId) -> Result<SymmetryDescription> {
        let assertion = self.assertion(id);
        let span = self.script.ast.declarations[id].span;
        let question = self.refinement(assertion, span)?;
        let mut evaluator = self.evaluator();
        let Some(check) = prepare(&mut evaluator, &question, &self.options)? else {
            return Diagnostic::undecided("unsupported", "every process has the empty trace")
                .at(span, "nothing is searched for this assertion")
                .into();
        };
        let claims = &question.claims;
        let reduction = reduction(&mut evaluator, &check.subject(), claims, &self.options)?;
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
            file: self.script.sources.file(FileId(0)).name.clone(),
            specification: specification.map(|e| expression_text(ast, e)),
            implementation: expression_text(ast, implementation),
            start_fixed: self.options.fix_initial,
        };
        let found = Found {
            machine: &check.machine,
            findings: &reduction.findings,
            group: &reduction.group,
            choice: &reduction.choice,
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

    /// What is known of an assertion before it is decided.
    fn report_on(&self, assertion: &Assertion, span: Span) -> AssertionReport {
        let file = &self.script.sources.file(span.file).name;
        let file = if file == COMMAND_LINE {
            &self.script.sources.file(FileId(0)).name
        } else {
            file
        };
        let mut report = AssertionReport::new(file.clone());
        let positive = Assertion {
            negated: false,
            ..assertion.clone()
        };
        report.assertion = Some(assertion_text(&self.script.ast, &positive));
        report.negated = assertion.negated;
        let (kind, model) = match &assertion.kind {
            AssertionKind::Refinement { model, .. } => {
                (Kind::Refinement, Some(self.options.model.unwrap_or(*model)))
            }
            AssertionKind::Property {
                property, model, ..
            } => {
                let (kind, usual) = match property {
                    Property::DeadlockFree => (Kind::DeadlockFree, Model::F),
                    Property::DivergenceFree => (Kind::DivergenceFree, Model::FD),
                    Property::Deterministic => (Kind::Deterministic, Model::FD),
                };
                (kind, Some(model.unwrap_or(usual)))
            }
            AssertionKind::HasTrace { model, .. } => {
                (Kind::HasTrace, Some(model.unwrap_or(Model::T)))
            }
            AssertionKind::Symmetric { .. } => (Kind::Symmetric, None),
        };
        report.kind = Some(kind);
        report.model = model.map(model_name);
        report
    }

    /// The refinement that decides the assertion, if this version can.
    fn refinement<'a>(&'a self, assertion: &'a Assertion, span: Span) -> Result<Refinement<'a>> {
        let unsupported = |what: &str| {
            Diagnostic::undecided("unsupported", format!("{what} is not supported yet"))
                .at(span, "")
                .hint(
                    "this version decides `Spec [T= Impl`, `P :[has trace]: <...>` and `P :[symmetric]: T`",
                )
        };
        for option in &assertion.options {
            if let AssertionOption::TauPriority(_) = option {
                return unsupported("`:[tau priority]:`").into();
            }
        }
        match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                model,
                implementation,
            } => match self.options.model.unwrap_or(*model) {
                Model::T => Ok(Refinement {
                    specification: Specification::Process(*specification),
                    implementation: *implementation,
                    negated: assertion.negated,
                    claims: self.claims(assertion),
                }),
                other => {
                    unsupported(&format!("refinement in the model {}", model_name(other))).into()
                }
            },
            AssertionKind::Property { property, .. } => unsupported(match property {
                Property::DeadlockFree => "`:[deadlock free]`",
                Property::DivergenceFree => "`:[divergence free]`",
                Property::Deterministic => "`:[deterministic]`",
            })
            .into(),
            AssertionKind::HasTrace {
                process,
                model,
                trace,
            } => match model.unwrap_or(Model::T) {
                // A process has a trace if it does not refine the process that has all others.
                Model::T => Ok(Refinement {
                    specification: Specification::AllBut(*trace),
                    implementation: *process,
                    negated: !assertion.negated,
                    claims: self.claims(assertion),
                }),
                other => {
                    let name = model_name(other);
                    unsupported(&format!("`:[has trace]:` in the model {name}")).into()
                }
            },
            AssertionKind::Symmetric { .. } => {
                unsupported("a search for a static assertion of symmetry").into()
            }
        }
    }
}

/// As written between `[` and `=`.
fn model_name(model: Model) -> &'static str {
    match model {
        Model::T => "T",
        Model::F => "F",
        Model::FD => "FD",
        Model::V => "V",
        Model::VD => "VD",
        Model::R => "R",
        Model::RD => "RD",
    }
}

impl Session for LoadedScript {
    fn sources(&self) -> &SourceMap {
        &self.script.sources
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    fn prints(&mut self) -> Vec<Result<String>> {
        let mut evaluator = self.evaluator();
        let prints = self.prints.iter();
        prints
            .map(|&print| {
                evaluator
                    .value_of(print)
                    .map(|value| evaluator.show(&value))
            })
            .collect()
    }

    fn assertions(&self) -> Vec<String> {
        self.assertions
            .iter()
            .map(|&id| assertion_text(&self.script.ast, self.assertion(id)))
            .collect()
    }

    fn decide(&mut self, index: usize, progress: &mut dyn FnMut(Snapshot)) -> Decision {
        self.decide_declaration(self.assertions[index], progress)
    }

    fn refine(
        &mut self,
        specification: &str,
        implementation: &str,
        progress: &mut dyn FnMut(Snapshot),
    ) -> Decision {
        let root = &self.script.sources.file(FileId(0)).name;
        let mut report = AssertionReport::new(root.clone());
        report.assertion = Some(format!("{specification} [T= {implementation}"));
        report.kind = Some(Kind::Refinement);
        report.model = Some(model_name(self.options.model.unwrap_or(Model::T)));
        match self.add_refinement(specification, implementation) {
            Ok(id) => self.decide_declaration(id, progress),
            Err(problem) => self.stopped(report, *problem),
        }
    }

    fn evaluate(&mut self, expression: &str) -> Result<String> {
        let expression = self.add_expression(expression)?;
        let mut evaluator = self.evaluator();
        let value = evaluator.value_of(expression)?;
        Ok(evaluator.show(&value))
    }

    fn machine(&mut self, expression: &str) -> Result<MachineDescription> {
        let expression = self.add_expression(expression)?;
        let file = self.script.sources.file(FileId(0)).name.clone();
        let text = expression_text(&self.script.ast, expression);
        describe(&mut self.evaluator(), expression, &self.options, file, text)
    }

    fn symmetry(&mut self, subject: SymmetrySubject<'_>) -> Result<SymmetryDescription> {
        self.add_permutations()?;
        let id = match subject {
            SymmetrySubject::Assertion(index) => self.assertions[index],
            SymmetrySubject::Processes {
                specification,
                implementation,
            } => self.add_refinement(specification, implementation)?,
        };
        self.describe_assertion(id)
    }
}
