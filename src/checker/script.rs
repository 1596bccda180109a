//! A script that was read, and all that can be asked about it: the interface of the library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use base::diag::{Diagnostic, Result as Diagnosed};
use base::source::{FileId, SourceMap, Span};
use eval::ResolvedScript;
use process::termination::Termination;
use report::assertion::{AssertionReport, Kind};
use syntax::ast::{
    Assertion, AssertionKind, Declaration, DeclarationId, Expr, ExprId, ModelName, Pattern,
};
use syntax::children::{Child, descendants};
use syntax::print::{assertion_text, expression_text};
use syntax::{Loader, NoIncludes};

use super::additions::{self, COMMAND_LINE};
use super::checks::Checks;
use super::error::Error;
use super::mistakes::{of_all, of_the_rest};
use super::options::{Definition, Options};
use super::printing::Printing;
use super::question::{kind_and_model, positive_text, question};
use super::read::{self, ReadScript};
use super::task::Task;
use super::warnings::of_assertion;

/// A script that was read: it can be kept, sent to other threads, and asked from several at once.
///
/// Each question evaluates what it needs for itself, so that the memory that one took is free for
/// the next, and no answer depends on what was asked before; only [`Script::checks`] and
/// [`Script::printing`] share between questions. Texts of questions, such as the processes of
/// [`Script::refine`], are in the scope of the script's top level.
#[derive(Debug)]
pub struct Script {
    pub(super) script: ResolvedScript,
    /// The problems of the script; mistakes of single assertions and `print` declarations are
    /// latent.
    pub(super) problems: Vec<Diagnostic>,
    pub(super) assertions: Vec<DeclarationId>,
    pub(super) prints: Vec<(DeclarationId, ExprId)>,
    /// By assertion and `print` declaration, the first mistake in it.
    pub(super) mistakes: BTreeMap<DeclarationId, Diagnostic>,
    /// The constants that definitions of the caller have replaced.
    pub(super) replaced: BTreeSet<String>,
    pub(super) load_seconds: f64,
}

/// The answer to an assertion. Its report says what is known, whether or not there is a verdict.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict with its counterexample and all numbers.
    pub report: AssertionReport,
    /// The reason why there is no verdict, which is [`Verdict::Error`](report::assertion::Verdict)
    /// or `Verdict::Unknown` then.
    pub problem: Option<Error>,
    /// The warnings about the assertion, whatever the verdict.
    pub warnings: Vec<Diagnostic>,
    /// The texts in which the warnings have their places.
    pub sources: Arc<SourceMap>,
}

/// The value of an expression as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluatedText {
    /// The value as CSPm.
    pub text: String,
    /// The elements of a finite set, ascending, or of a finite sequence, in their order; `None` if
    /// the value is neither.
    pub elements: Option<Vec<String>>,
}

/// The check whose symmetries are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject<'a> {
    /// The check of whether one process refines another, both CSPm.
    Refinement {
        /// The process that is to be refined.
        specification: &'a str,
        /// The process that is to refine it.
        implementation: &'a str,
    },
    /// The assertion at this position, counted from 0.
    Assertion(usize),
}

impl Script {
    /// Reads the script `text`, which messages call `name`, and which includes no others.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        Self::read(name, text, &mut NoIncludes, &[])
    }

    /// Reads the script `text`, which messages call `name`, with all it includes; `definitions`
    /// replace constants of its top level.
    pub fn read(
        name: &str,
        text: &str,
        loader: &mut dyn Loader,
        definitions: &[Definition],
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let ReadScript {
            script,
            problems,
            mistakes,
        } = read::read(name, text, loader, definitions)?;
        let (mut assertions, mut prints) = (Vec::new(), Vec::new());
        for id in script.ast.top_level() {
            match script.ast.declaration(id) {
                Declaration::Assert(_) => assertions.push(id),
                Declaration::Print(expression) => prints.push((id, *expression)),
                _ => {}
            }
        }
        Ok(Self {
            script,
            problems,
            mistakes,
            assertions,
            prints,
            replaced: definitions.iter().map(|d| d.name.clone()).collect(),
            load_seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// All text that was read.
    pub fn sources(&self) -> &SourceMap {
        &self.script.sources
    }

    /// The warnings about the script, whatever is asked of it with these options. Mistakes in
    /// single assertions are left out: they are reported when these are checked.
    pub fn warnings(&self, options: &Options) -> Vec<Diagnostic> {
        of_the_rest(&self.all_problems(options))
    }

    /// The mistakes in the script, those in single assertions included, and the warnings about it.
    pub fn problems(&self, options: &Options) -> Vec<Diagnostic> {
        let assertions = self.assertions.iter();
        let written = assertions.filter_map(|&id| {
            let ResolvedScript { ast, resolved, .. } = &self.script;
            of_assertion(ast, resolved, self.assertion(id), options.model)
        });
        let mut all = self.all_problems(options);
        all.extend(written);
        of_all(&all)
    }

    /// All problems that were found. Mistakes in single assertions and `print` declarations are
    /// latent.
    pub fn all_problems(&self, options: &Options) -> Vec<Diagnostic> {
        let is_signal = options.termination == Termination::Signal;
        let timed = is_signal.then(|| read::timed_signal(&self.script.ast));
        let problems = self.problems.iter().cloned();
        problems.chain(timed.flatten()).collect()
    }

    /// The assertions as CSPm, without `assert` but with `not`, in their order; those of included
    /// files stand where these are included.
    pub fn assertions(&self) -> Vec<String> {
        let assertions = self.assertions.iter();
        let text = |&id| assertion_text(&self.script.ast, self.assertion(id));
        assertions.map(text).collect()
    }

    /// True if a definition of the top level is one that a [`Definition`] of this name replaces.
    pub fn has_constant(&self, name: &str) -> bool {
        self.script.ast.constant(name).is_some()
    }

    /// The place of the assertion at `index`.
    pub fn place(&self, index: usize) -> Span {
        self.span(self.assertions[index])
    }

    /// The names of the processes of the top level that have no parameters, in their order.
    pub fn processes(&self) -> Vec<String> {
        let constants = self.constants();
        let processes = constants.filter(|(id, _)| self.script.resolved.processes.contains(id));
        processes.map(|(_, name)| name.to_string()).collect()
    }

    /// All constants of the top level that are no processes, with their definitions as CSPm, in
    /// their order.
    pub fn plain_constants(&self) -> Vec<(String, String)> {
        let ast = &self.script.ast;
        let plain = self
            .constants()
            .filter(|(id, _)| !self.script.resolved.processes.contains(id));
        let plain = plain.filter_map(|(id, name)| match ast.declaration(id) {
            Declaration::Pattern(_, value) if !matches!(ast.expr(*value), Expr::Lambda(..)) => {
                Some((name.to_string(), expression_text(ast, *value)))
            }
            _ => None,
        });
        plain.collect()
    }

    /// The process that the assertion at `index` is about, as CSPm; `None` if it is about none.
    pub fn process_of(&self, index: usize) -> Option<String> {
        let id = self.assertions[index];
        let options = Options::default();
        let question = question(self.assertion(id), self.span(id), &options, &[]).ok()?;
        Some(expression_text(&self.script.ast, question.implementation))
    }

    /// The process that is to be refined by the assertion at `index`, as CSPm; `None` unless it is
    /// a refinement.
    pub fn specification_of(&self, index: usize) -> Option<String> {
        match &self.assertion(self.assertions[index]).kind {
            AssertionKind::Refinement { specification, .. } => {
                Some(expression_text(&self.script.ast, *specification))
            }
            _ => None,
        }
    }

    /// The report on the assertion at `index` before it is decided.
    pub fn undecided(&self, index: usize, options: &Options) -> AssertionReport {
        self.report_on(self.assertions[index], options)
    }

    /// Decides assertions one after the other, which share what they evaluate and compile.
    pub fn checks<'s>(&'s self, options: &'s Options) -> Checks<'s> {
        Checks::new(self, options)
    }

    /// Decides the assertion at `index`, which is counted from 0 in the order of
    /// [`Script::assertions`]. For several assertions, [`Script::checks`] is faster.
    ///
    /// # Panics
    ///
    /// If there is no assertion at `index`.
    pub fn check(&self, index: usize, options: &Options, task: &Task) -> Answer {
        self.checks(options).check(index, task)
    }

    /// Decides whether `implementation` refines `specification`, in the traces model if the options
    /// name no other.
    pub fn refine(
        &self,
        specification: &str,
        implementation: &str,
        options: &Options,
        task: &Task,
    ) -> Answer {
        let mut scope = self.scope();
        let model = options.model.unwrap_or(ModelName::T);
        match additions::add_refinement(&mut scope.script, specification, model, implementation) {
            Ok(id) => scope.checks(options).decide(id, task),
            Err(problem) => {
                // Nothing was declared, so the report is made of the texts as they were given.
                let name = model.name();
                let report = AssertionReport {
                    assertion: Some(format!("{specification} [{name}= {implementation}")),
                    kind: Some(Kind::Refinement),
                    model: Some(name.into()),
                    ..AssertionReport::new(self.name())
                };
                scope.unanswered(report, *problem)
            }
        }
    }

    /// The value of `expression`, as CSPm.
    pub fn evaluate(
        &self,
        expression: &str,
        options: &Options,
        task: &Task,
    ) -> Result<EvaluatedText, Error> {
        self.ask(|scope| {
            let expression = additions::add_expression(&mut scope.script, expression)?;
            let mut evaluator = scope.evaluator(options, task);
            let value = evaluator.value_of(expression);
            let value = value.map_err(|problem| Box::new(task.explained(*problem)))?;
            let elements = evaluator.elements(&value);
            let elements = elements.map_err(|problem| Box::new(task.explained(*problem)))?;
            Ok(EvaluatedText {
                text: evaluator.show(&value),
                elements,
            })
        })
    }

    /// The most general type of `expression`, in FDR's notation.
    pub fn type_of(&self, expression: &str) -> Result<String, Error> {
        self.ask(|scope| additions::type_of(&mut scope.script, expression))
    }

    /// The `print` declarations as CSPm, in their order.
    pub fn prints(&self) -> Vec<String> {
        let prints = self.prints.iter();
        let text = |(_, expression): &(_, _)| expression_text(&self.script.ast, *expression);
        prints.map(text).collect()
    }

    /// The place of the `print` declaration at `index`.
    pub fn place_of_print(&self, index: usize) -> Span {
        self.span(self.prints[index].0)
    }

    /// Evaluates `print` declarations.
    pub fn printing<'s>(&'s self, options: &'s Options) -> Printing<'s> {
        Printing::new(self, options)
    }

    // ---- The parts of the script

    /// The constants of the top level with their names, in their order.
    pub(super) fn constants(&self) -> impl Iterator<Item = (DeclarationId, &str)> {
        let ast = &self.script.ast;
        let top = ast.top_level().into_iter();
        top.filter_map(|id| match ast.declaration(id) {
            Declaration::Pattern(pattern, _) => match ast.pattern(*pattern) {
                Pattern::Name(path) => Some((id, ast.name(path.last().symbol))),
                _ => None,
            },
            _ => None,
        })
    }

    /// True if a pattern of the top level defines `name`, alone or, as `(N, M)`, together with
    /// others.
    pub(super) fn defines(&self, name: &str) -> bool {
        let ast = &self.script.ast;
        let mut top = ast.top_level().into_iter();
        top.any(|id| match ast.declaration(id) {
            Declaration::Pattern(pattern, _) => {
                let inside = descendants(ast, Child::Pattern(*pattern));
                inside.into_iter().any(|child| match child {
                    Child::Pattern(pattern) => ast.is_named(pattern, name),
                    _ => false,
                })
            }
            _ => false,
        })
    }

    /// True if the script names a function that follows one τ of several.
    pub(super) fn chases(&self) -> bool {
        self.script.chases()
    }

    /// The name under which the script was read.
    pub fn name(&self) -> &str {
        // `read` adds the root script before all that it includes.
        &self.script.sources.file(FileId(0)).name
    }

    pub(super) fn assertion(&self, id: DeclarationId) -> &Assertion {
        match self.script.ast.declaration(id) {
            Declaration::Assert(assertion) => assertion,
            _ => unreachable!("the list of assertions holds assertions"),
        }
    }

    pub(super) fn span(&self, id: DeclarationId) -> Span {
        self.script.ast.declarations[id].span
    }

    /// Fails with the mistake in the assertion or `print` declaration `id`, if there is one.
    pub(super) fn unless_mistaken(&self, id: DeclarationId) -> Diagnosed<()> {
        match self.mistakes.get(&id) {
            Some(mistake) => mistake.clone().into(),
            None => Ok(()),
        }
    }

    /// The report on an assertion before it is decided.
    pub(super) fn report_on(&self, id: DeclarationId, options: &Options) -> AssertionReport {
        let assertion = self.assertion(id);
        let file = &self.script.sources.file(self.span(id).file).name;
        // An assertion of a question stands in no file: the report names the script that it is
        // about.
        let file = if file == COMMAND_LINE {
            self.name()
        } else {
            file
        };
        let (kind, model) = kind_and_model(assertion, options);
        AssertionReport {
            memory_limit: options.memory_limit.clone(),
            assertion: Some(positive_text(&self.script.ast, assertion, options)),
            negated: assertion.negated,
            kind,
            model: model.map(|model| model.name().into()),
            ..AssertionReport::new(file)
        }
    }
}
