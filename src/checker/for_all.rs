//! Whether a refinement holds for every value of a constant: small instances first, then views.

use std::time::Instant;

use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::report::assertion::Verdict;
use crate::report::for_all::ForAllReport;
use crate::report::views::{ViewTable, ViewedProcess};
use crate::syntax::ast::{
    AssertionKind, AssertionOption, DeclarationId, ExprId, ModelName, Property,
};
use crate::syntax::print::expression_text;
use crate::views::{
    ClosedViews, FamilyQuestion, Finding, InstanceWalk, NotWalked, ViewListing, Views, close,
};

use super::asking::placed;
use super::chain::Induction;
use super::checks::Checks;
use super::family::ScriptFamily;
use super::options::Options;
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

/// Where views do not show that it holds, instances up to this size are decided too.
const LAST_INSTANCES: usize = 5;

/// These have at most this many states, else they are given up.
const MOST_SEARCHED: u64 = 100_000;

/// The code of what views do not decide.
pub(super) const FOR_ALL: &str = "for-all";

impl Script {
    /// Decides whether the assertion `id` holds for every value of the constant `parameter` of the
    /// top level: from 1 on, or from 2 on if it is `N >= 2`.
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
        let (constant, least) = constant_and_least(parameter);
        let mut for_all = ForAllReport::new(constant, least);
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
                let counted = &for_all.counted;
                self.unanswered(
                    report,
                    match for_all.decided() {
                        None => problem,
                        Some(values) => problem.note(format!("it holds for {counted} = {values}")),
                    },
                )
            }
        };
        let mut answer = answer;
        answer.report.for_all = Some(for_all);
        answer
    }

    /// `None` if it holds for all; else the answer of an instance.
    fn for_all_of(
        &self,
        id: DeclarationId,
        report: &mut ForAllReport,
        options: &Options,
        task: &Task,
    ) -> Result<Option<Box<Answer>>> {
        self.unless_mistaken(id)?;
        let family = ScriptFamily::new(self, &report.constant, options, task)?;
        report.counted = family.counted();
        report.largest = family.largest;
        let asked = self.asked_for_all(id)?;
        let mut decision = ForAllDecision {
            script: self,
            id,
            family,
            asked,
            options,
            task,
            report,
        };
        decision.decide()
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
        let (constant, _) = constant_and_least(name);
        let is_name = !constant.is_empty()
            && constant
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        is_name.then(|| name.to_string())
    }

    /// What is asked of all sizes by an assertion that can be decided for them.
    fn asked_for_all(&self, id: DeclarationId) -> Result<AskedForAll> {
        let assertion = self.assertion(id);
        let is_other = |option| !matches!(option, &AssertionOption::ForAll(_));
        if assertion.negated || assertion.options.iter().any(is_other) {
            return Err(not_for_all(
                "an assertion with `not`, or with options other than `for all`, is not decided for all sizes",
            ));
        }
        let (specification, implementation, model, is_of_views) = match assertion.kind {
            AssertionKind::Refinement {
                specification,
                model: model @ (ModelName::T | ModelName::F | ModelName::FD),
                implementation,
            } => {
                let is_of_views = model == ModelName::T;
                (Some(specification), implementation, model, is_of_views)
            }
            AssertionKind::Property {
                process,
                property,
                model,
            } => match (property, model) {
                (Property::DeadlockFree, None | Some(ModelName::F)) => {
                    (None, process, ModelName::F, true)
                }
                // What refines a process has each of these properties if the process does.
                (_, None | Some(ModelName::FD)) => (None, process, ModelName::FD, false),
                _ => return Err(not_asked_for_all()),
            },
            _ => return Err(not_asked_for_all()),
        };
        Ok(AskedForAll {
            specification,
            implementation,
            model,
            is_of_views,
        })
    }
}

/// What is asked of all sizes.
#[derive(Clone, Copy)]
pub(super) struct AskedForAll {
    /// The specification of a refinement. Without one the implementation has to have a property.
    specification: Option<ExprId>,
    implementation: ExprId,
    /// The model in which whatever refines an implementation that does well does well.
    pub(super) model: ModelName,
    /// Whether views may decide it: a refinement in traces, or freedom from deadlocks.
    is_of_views: bool,
}

/// One assertion that is decided for a family of scripts.
pub(super) struct ForAllDecision<'a> {
    script: &'a Script,
    id: DeclarationId,
    pub(super) family: ScriptFamily<'a>,
    pub(super) asked: AskedForAll,
    pub(super) options: &'a Options,
    pub(super) task: &'a Task,
    /// What is known.
    pub(super) report: &'a mut ForAllReport,
}

impl<'a> ForAllDecision<'a> {
    /// `None` if it holds for all; else the answer of an instance.
    fn decide(&mut self) -> Result<Option<Box<Answer>>> {
        if let Some(answer) =
            self.instances(FIRST_INSTANCES.max(self.report.least), self.options)?
        {
            return Ok(Some(answer));
        }
        let problem = match self.by_views() {
            Err(problem) if problem.code == FOR_ALL => problem,
            decided => return decided,
        };
        let problem = match self.by_chain() {
            Ok(Induction::Holds) => return Ok(None),
            Ok(Induction::Answered(answer)) => return Ok(Some(answer)),
            Ok(Induction::NoChain) => problem,
            Err(problem) if problem.code == FOR_ALL => problem,
            Err(problem) => return Err(problem),
        };
        // It may fail for a larger number.
        let found = self.failure_of_larger()?;
        found.map_or(Err(problem), |answer| Ok(Some(answer)))
    }

    /// The answer of the first instance up to `most` that does not hold.
    pub(super) fn instances(
        &mut self,
        most: usize,
        options: &Options,
    ) -> Result<Option<Box<Answer>>> {
        let most = most.min(self.family.largest.unwrap_or(most));
        for size in self.report.least.max(self.report.instances + 1)..=most {
            let instance = self.family.instance(size)?;
            let answer = Checks::new(&instance, options).decide_instance(self.id, self.task);
            if answer.report.verdict != Verdict::Pass {
                self.report.fails_with = (answer.report.verdict == Verdict::Fail).then_some(size);
                return Ok(Some(Box::new(answer)));
            }
            self.report.instances = size;
        }
        Ok(None)
    }

    /// The answer of an instance that fails, if a small one does.
    fn failure_of_larger(&mut self) -> Result<Option<Box<Answer>>> {
        let most = |given: Option<u64>| Some(given.map_or(MOST_SEARCHED, |n| n.min(MOST_SEARCHED)));
        let options = Options {
            max_states: most(self.options.max_states),
            max_leaf_states: most(self.options.max_leaf_states),
            ..self.options.clone()
        };
        let answer = self.instances(LAST_INSTANCES, &options)?;
        Ok(answer.filter(|answer| answer.report.verdict == Verdict::Fail))
    }

    /// What is asked of views and chains.
    pub(super) fn question(&self) -> FamilyQuestion<'a> {
        FamilyQuestion {
            script: &self.script.script,
            parameter: self.family.parameter,
            index_set: self.family.index_set,
            specification: self.asked.specification,
            implementation: self.asked.implementation,
        }
    }

    /// `None` if views show that it holds for all; else the answer of an instance.
    fn by_views(&mut self) -> Result<Option<Box<Answer>>> {
        if !self.asked.is_of_views {
            return Err(not_for_all(
                "this is decided for all sizes only if the process is laid link by link",
            ));
        }
        let question = self.question();
        let token = self.task.token();
        let mut open = None;
        for size in 1..=MOST_IN_SIGHT {
            match close(&question, size, &token)? {
                Finding::Holds(mut views) => {
                    let answer = self.instances(views.summary.instances, self.options)?;
                    if answer.is_none() {
                        self.report.note(&views.summary);
                        self.walk_through(&mut views, &token)?;
                        if self.options.lists_views {
                            self.report.view_table = Some(table(views.listing()?));
                        }
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
            Diagnostic::undecided(FOR_ALL, message)
                .hint("what depends on more identities at once, or on how many there are, is not decided for all sizes"),
        ))
    }

    /// Walks through instances and looks for all their views among those that were found, until all
    /// of these are met.
    fn walk_through(&mut self, views: &mut ClosedViews<'_>, token: &Cancellation) -> Result<()> {
        let missing = views.summary.missing;
        let first = views.summary.joined;
        for identities in first..=first + MOST_LARGER {
            let size = (identities as i64 + missing).max(1) as usize;
            if size < self.report.least {
                continue;
            }
            if self.family.largest.is_some_and(|largest| size > largest) {
                return Ok(());
            }
            let instance = self.family.instance(size)?;
            let walk = InstanceWalk {
                script: &instance.script,
                specification: self.asked.specification,
                implementation: self.asked.implementation,
                identities: (size as i64 - missing) as usize,
                most: MOST_WALKED,
            };
            let met = match views.walk(&walk, token) {
                Ok(met) => met,
                Err(NotWalked::TooSmall) => continue,
                Err(NotWalked::GivenUp) => return Ok(()),
                Err(NotWalked::Failed(problem)) => return Err(problem),
            };
            self.report.walked = Some(size);
            self.report.met = Some(met);
            if met == views.summary.views {
                self.report.cutoff = Some(size);
                return Ok(());
            }
        }
        Ok(())
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

/// The constant of `N` or `N >= 2`, and its least value.
fn constant_and_least(text: &str) -> (&str, usize) {
    let parts = text.split_once(">=");
    let parts = parts.and_then(|(name, least)| Some((name.trim(), least.trim().parse().ok()?)));
    parts.unwrap_or((text.trim(), 1))
}

fn not_asked_for_all() -> Box<Diagnostic> {
    not_for_all(
        "only refinement in the models T, F and FD, and properties in F and FD, are decided for all sizes",
    )
}

fn not_for_all(message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::undecided(FOR_ALL, message))
}

/// Views as plain data.
fn table(listing: ViewListing) -> ViewTable {
    let processes = listing.processes.into_iter();
    ViewTable {
        identities: listing.identities,
        processes: processes
            .map(|process| ViewedProcess {
                name: process.name,
                identity: process.identity,
                is_specification: process.is_specification,
            })
            .collect(),
        views: listing.views,
    }
}
