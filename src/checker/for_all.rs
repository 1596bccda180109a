//! Whether a refinement holds for every value of a constant: small instances first, then views.

use std::time::Instant;

use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::report::assertion::Verdict;
use crate::report::for_all::ForAllReport;
use crate::syntax::ast::{
    AssertionKind, AssertionOption, Declaration, DeclarationId, Expr, ExprId, ModelName, Pattern,
    Property,
};
use crate::syntax::print::expression_text;
use crate::types::resolved::Reference;
use crate::views::{ClosedViews, FamilyQuestion, Finding, IndexSet, InstanceWalk, Views, close};

use super::additions;
use super::asking::placed;
use super::checks::Checks;
use super::error::Error;
use super::options::{Definition, Options};
use super::script::{Answer, Script};
use super::task::Task;

/// Views of more identities are not tried.
const MOST_IN_SIGHT: usize = 3;

/// Instances that have at most this many identities more than a step has in sight are walked
/// through, to see that the views which are reached are among those that were found.
const MOST_LARGER: usize = 2;

/// Instances with more states are not walked through.
const MOST_WALKED: usize = 2_000;

/// Instances up to this size are decided before views are looked for: a failure is real, and is
/// found at once.
const FIRST_INSTANCES: usize = 3;

impl Script {
    /// Decides whether the assertion `id` holds for every value from 1 on of the constant
    /// `parameter` of the top level.
    pub(super) fn decide_for_all(
        &self,
        id: DeclarationId,
        parameter: &str,
        options: &Options,
        task: &Task,
    ) -> Answer {
        let started = Instant::now();
        let options = &Options {
            for_all: None,
            ..options.clone()
        };
        let mut report = self.report_on(id, options);
        report.seconds.load = self.load_seconds;
        task.publish(&report);
        let mut for_all = ForAllReport::new(parameter);
        let answer = match self.for_all_of(id, &mut for_all, options, task) {
            // The instance that fails, or that could not be decided.
            Ok(Some(answer)) => *answer,
            Ok(None) => {
                report.verdict = Verdict::Pass;
                report.seconds.explore = started.elapsed().as_secs_f64();
                report.seconds.total = report.seconds.load + report.seconds.explore;
                Answer {
                    report,
                    problem: None,
                    warnings: Vec::new(),
                    sources: self.script.sources.clone(),
                }
            }
            Err(problem) => {
                let problem = placed(task.explained(*problem), self.span(id));
                self.unanswered(
                    report,
                    match for_all.instances {
                        0 => problem,
                        1 => problem.note(format!("it holds for {parameter} = 1")),
                        n => problem.note(format!("it holds for {parameter} = 1 to {n}")),
                    },
                )
            }
        };
        let mut answer = answer;
        answer.report.for_all = Some(for_all);
        answer
    }

    /// The constant that the script names for the assertion `id`, in its option `:[for all]: N` or
    /// in a comment.
    pub(super) fn written_for_all(&self, id: DeclarationId) -> Option<String> {
        let mut options = self.assertion(id).options.iter();
        let constant = options.find_map(|option| match option {
            AssertionOption::ForAll(constant) => Some(*constant),
            _ => None,
        });
        match constant {
            Some(constant) => Some(expression_text(&self.script.ast, constant)),
            None => self.commented_for_all(id),
        }
    }

    /// The constant of a comment `-- for all N` in the line above the assertion `id`.
    fn commented_for_all(&self, id: DeclarationId) -> Option<String> {
        let span = self.span(id);
        let text = &self.script.sources.file(span.file).text;
        let before = text.get(..span.start as usize)?;
        let above = before
            .trim_end_matches([' ', '\t'])
            .strip_suffix('\n')?
            .lines()
            .next_back()?;
        let name = above
            .trim()
            .strip_prefix("--")?
            .trim()
            .strip_prefix("for all ")?
            .trim();
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        is_name.then(|| name.to_string())
    }

    /// The specification, if there is one, and the implementation of an assertion that can be
    /// decided for all sizes.
    fn asked_for_all(&self, id: DeclarationId) -> Result<(Option<ExprId>, ExprId)> {
        let assertion = self.assertion(id);
        let (specification, implementation) = match assertion.kind {
            AssertionKind::Refinement {
                specification,
                model: ModelName::T,
                implementation,
            } => (Some(specification), implementation),
            AssertionKind::Property {
                process,
                property: Property::DeadlockFree,
                model: None | Some(ModelName::F),
            } => (None, process),
            _ => {
                return Err(self.not_for_all(
                    "only refinement in the traces model and freedom from deadlocks in failures are decided for all sizes",
                ));
            }
        };
        let is_other = |option| !matches!(option, &AssertionOption::ForAll(_));
        if assertion.negated || assertion.options.iter().any(is_other) {
            return Err(self.not_for_all(
                "an assertion with `not`, or with options other than `for all`, is not decided for all sizes",
            ));
        }
        Ok((specification, implementation))
    }

    /// `None` if it holds for all; else the answer of an instance.
    fn for_all_of(
        &self,
        id: DeclarationId,
        for_all: &mut ForAllReport,
        options: &Options,
        task: &Task,
    ) -> Result<Option<Box<Answer>>> {
        self.unless_mistaken(id)?;
        let (specification, implementation) = self.asked_for_all(id)?;
        let parameter = self.constant(&for_all.constant)?;
        if let Some(answer) = self.instances(id, FIRST_INSTANCES, for_all, options, task)? {
            return Ok(Some(answer));
        }
        let question = FamilyQuestion {
            script: &self.script,
            parameter,
            index_set: self.index_set(parameter, for_all, options, task)?,
            specification,
            implementation,
        };
        let token = task.token();
        let mut open = None;
        for size in 1..=MOST_IN_SIGHT {
            match close(&question, size, &token)? {
                Finding::Holds(mut views) => {
                    let most = views.summary.instances;
                    let answer = self.instances(id, most, for_all, options, task)?;
                    if answer.is_none() {
                        for_all.note(&views.summary);
                        self.walk_through(&question, &mut views, for_all, &token)?;
                    }
                    return Ok(answer);
                }
                Finding::Open(event) => open = Some(event),
                Finding::MayDeadlock => open = None,
            }
        }
        let what = match open {
            Some(event) => format!("the specification allows `{event}`"),
            None => "something can always be done".to_string(),
        };
        let message = format!("views of {MOST_IN_SIGHT} identities do not show that {what}");
        Err(Box::new(
            Diagnostic::undecided("for-all", message)
                .hint("what depends on more identities at once, or on how many there are, is not decided for all sizes"),
        ))
    }

    /// The answer of the first instance up to `most` that does not hold.
    fn instances(
        &self,
        id: DeclarationId,
        most: usize,
        for_all: &mut ForAllReport,
        options: &Options,
        task: &Task,
    ) -> Result<Option<Box<Answer>>> {
        for size in for_all.instances + 1..=most {
            if for_all.largest.is_some_and(|largest| size > largest) {
                return Ok(None);
            }
            let instance = self.instance(&for_all.constant, size)?;
            let answer = Checks::new(&instance, options).decide_instance(id, task);
            if answer.report.verdict != Verdict::Pass {
                for_all.fails_with = (answer.report.verdict == Verdict::Fail).then_some(size);
                return Ok(Some(Box::new(answer)));
            }
            for_all.instances = size;
        }
        Ok(None)
    }

    /// Walks through instances and looks for all their views among those that were found, until all
    /// of these are met.
    fn walk_through(
        &self,
        question: &FamilyQuestion<'_>,
        views: &mut ClosedViews<'_>,
        for_all: &mut ForAllReport,
        token: &Cancellation,
    ) -> Result<()> {
        let missing = views.summary.missing;
        let first = views.summary.joined;
        for identities in first..=first + MOST_LARGER {
            let size = (identities as i64 + missing).max(1) as usize;
            if for_all.largest.is_some_and(|largest| size > largest) {
                return Ok(());
            }
            let instance = self.instance(&for_all.constant, size)?;
            let walk = InstanceWalk {
                script: &instance.script,
                specification: question.specification,
                implementation: question.implementation,
                identities: (size as i64 - missing) as usize,
                most: MOST_WALKED,
            };
            let Some(met) = views.walk(&walk, token)? else {
                return Ok(());
            };
            for_all.walked = Some(size);
            for_all.met = Some(met);
            if met == views.summary.views {
                for_all.cutoff = Some(size);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The script in which the constant `name` is `value`.
    fn instance(&self, name: &str, value: usize) -> Result<Script> {
        let mut instance = self.scope();
        let definition = Definition {
            name: name.to_string(),
            text: value.to_string(),
        };
        additions::redefine(&mut instance.script, &definition)?;
        Ok(instance)
    }

    /// The constant `name` of the top level.
    fn constant(&self, name: &str) -> Result<DeclarationId> {
        let found = self.script.ast.constant(name);
        found.ok_or_else(|| {
            let message = format!("the script has no constant `{name}` at its top level");
            Box::new(Diagnostic::error("unknown-constant", message))
        })
    }

    /// A constant that is the set of the first constants of a datatype, as many as `parameter`
    /// says, if the text of it names the parameter.
    fn index_set(
        &self,
        parameter: DeclarationId,
        for_all: &mut ForAllReport,
        options: &Options,
        task: &Task,
    ) -> Result<Option<IndexSet>> {
        let ast = &self.script.ast;
        for constant in ast.top_level() {
            let Declaration::Pattern(pattern, body) = ast.declaration(constant) else {
                continue;
            };
            let Pattern::Name(path) = ast.pattern(*pattern) else {
                continue;
            };
            // A range is recognised by its text; here a function makes the set.
            let is_made = matches!(ast.expr(ast.unbracketed(*body)), Expr::Apply(..));
            if !is_made || !self.mentions(*body, parameter) {
                continue;
            }
            let name = ast.name(path.last().symbol);
            if let Some((datatype, largest)) =
                self.prefixes(name, &for_all.constant, options, task)?
            {
                for_all.largest = Some(largest);
                return Ok(Some(IndexSet { constant, datatype }));
            }
        }
        Ok(None)
    }

    /// The datatype of whose constants `name` is the first ones, as many as `parameter` says, for
    /// all values of it up to the number of all of them, which is returned too.
    fn prefixes(
        &self,
        name: &str,
        parameter: &str,
        options: &Options,
        task: &Task,
    ) -> Result<Option<(DeclarationId, usize)>> {
        let ast = &self.script.ast;
        let value = |size| {
            let instance = self.instance(parameter, size)?;
            let value = instance.evaluate(name, options, task);
            value.map_err(|error| Box::new(first_of(&error)))
        };
        let Ok(first) = value(1) else {
            return Ok(None);
        };
        let first = first.trim_matches(['{', '}']).to_string();
        for datatype in ast.top_level() {
            let Declaration::Datatype(_, constructors) = ast.declaration(datatype) else {
                continue;
            };
            let names: Vec<&str> = constructors
                .iter()
                .map(|c| ast.name(c.name.symbol))
                .collect();
            let is_plain = constructors.iter().all(|c| c.fields.is_none());
            if !is_plain || names[0] != first {
                continue;
            }
            for size in 1..=names.len() {
                let mut members = names[..size].to_vec();
                let Ok(found) = value(size) else {
                    return Ok(None);
                };
                let mut found: Vec<&str> = found.trim_matches(['{', '}']).split(", ").collect();
                members.sort_unstable();
                found.sort_unstable();
                if members != found {
                    return Ok(None);
                }
            }
            return Ok(Some((datatype, names.len())));
        }
        Ok(None)
    }

    /// Whether the text of `expression` names the constant.
    fn mentions(&self, expression: ExprId, constant: DeclarationId) -> bool {
        let ast = &self.script.ast;
        let span = ast.expressions[expression].span;
        ast.expressions.indices().any(|id| {
            let node = &ast.expressions[id];
            let is_inside = node.span.file == span.file
                && span.start <= node.span.start
                && node.span.end <= span.end;
            is_inside
                && matches!(
                    &self.script.resolved.names[id],
                    Some(Reference::Local { definition, .. }) if *definition == Some(constant)
                )
        })
    }

    fn not_for_all(&self, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::undecided("for-all", message))
    }
}

impl ForAllReport {
    fn note(&mut self, views: &Views) {
        self.in_sight = Some(views.size);
        self.views = Some(views.views);
        self.joined = Some(views.joined);
        self.joins = Some(views.joins);
    }
}

/// The first problem of several.
fn first_of(error: &Error) -> Diagnostic {
    let first = error.problems().first().cloned();
    first.unwrap_or_else(|| Diagnostic::error("internal-error", "a failure without a reason"))
}
