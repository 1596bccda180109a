//! Decides whether an assertion holds for every value of a constant: by small instances, then by
//! views of a few identities, then by induction over the links of a chain.

mod asked;
mod by_chain;
mod by_views;
mod family;
mod wish;

use std::sync::Arc;
use std::time::Instant;

use base::diag::{Diagnostic, Result};
use base::source::Span;
use report::assertion::{AssertionReport, Verdict};
use report::for_all::ForAllReport;
use syntax::ast::DeclarationId;

use super::asking::placed;
use super::checks::Checks;
use super::error::Error;
use super::options::{ForAll, Options};
use super::script::{Answer, Script};
use super::task::Task;
use asked::FOR_ALL;
use family::ScriptFamily;
pub(super) use wish::Wish;

/// The largest size of instances that are decided before views are looked for: a failure is real,
/// and is found at once.
const FIRST_INSTANCES: usize = 3;

/// The largest size of instances that are decided where no method shows that the assertion holds.
const LAST_INSTANCES: usize = 5;

/// The most states of an instance that is decided after the methods: a larger one is given up.
const MOST_SEARCHED: u64 = 100_000;

/// One assertion that is decided for a family of scripts.
struct ForAllDecision<'a> {
    script: &'a Script,
    id: DeclarationId,
    family: ScriptFamily<'a>,
    options: &'a Options,
    task: &'a Task,
    /// The part of the report that is about all values, as far as it is known.
    report: &'a mut ForAllReport,
}

/// The end of a method that was tried.
enum MethodEnd {
    /// The assertion holds for all values.
    Holds,
    /// The answer of an instance that does not hold, or is not decided.
    Answered(Box<Answer>),
    /// The method does not show whether the assertion holds, for this reason.
    Open(Box<Diagnostic>),
}

impl Script {
    /// Decides what `wish` asks of the assertion `id`.
    pub(super) fn decide_for_all(
        &self,
        id: DeclarationId,
        wish: &Wish,
        options: &Options,
        task: &Task,
    ) -> Answer {
        let started = Instant::now();
        let mut report = self.report_on(id, options);
        report.seconds.load = self.load_seconds;
        task.publish(&report);
        if options.profile {
            task.begin_profile();
        }
        let mut for_all = ForAllReport::new(&wish.for_all.constant, wish.for_all.least);
        let outcome = self.for_all_of(id, wish, &mut for_all, options, task);
        let profile = task.end_profile();
        let mut answer = match outcome {
            // The instance that fails, or that could not be decided.
            Ok(Some(answer)) => *answer,
            Ok(None) => {
                report.verdict = Verdict::Pass;
                report.seconds.explore = started.elapsed().as_secs_f64();
                report.seconds.total = report.seconds.load + report.seconds.explore;
                self.answered(report)
            }
            Err(problem) => {
                let problem = placed(task.explained(*problem), self.span(id));
                let problem = match for_all.holds() {
                    None => problem,
                    Some(holds) => problem.note(holds),
                };
                self.unanswered_call(report, problem, &wish.for_all)
            }
        };
        for_all.sentence = for_all.said();
        answer.report.for_all = Some(for_all);
        answer.report.profile = profile;
        answer
    }

    /// The answer without a verdict because of `problem`. A problem without a place is placed in
    /// the text of `--for-all`.
    fn unanswered_call(
        &self,
        report: AssertionReport,
        problem: Diagnostic,
        asked: &ForAll,
    ) -> Answer {
        if !problem.labels.is_empty() {
            return self.unanswered(report, problem);
        }
        let (mut scope, text) = (self.scope(), asked.to_string());
        let end = text.len();
        let file = Arc::make_mut(&mut scope.script.sources).add("<--for-all>", text);
        scope.unanswered(report, problem.at(Span::new(file, 0, end), ""))
    }

    /// Decides the assertion for all values: `None` if it holds, else the answer of an instance.
    fn for_all_of(
        &self,
        id: DeclarationId,
        wish: &Wish,
        report: &mut ForAllReport,
        options: &Options,
        task: &Task,
    ) -> Result<Option<Box<Answer>>> {
        self.unless_mistaken(id)?;
        let family = ScriptFamily::new(self, wish, options, task)?;
        report.counted = family.counted();
        report.largest = family.largest;
        // The constant has one value in each instance, and the profile is one of them all.
        let options = &Options {
            for_all: None,
            profile: false,
            ..options.clone()
        };
        ForAllDecision {
            script: self,
            id,
            family,
            options,
            task,
            report,
        }
        .decide()
    }
}

impl ForAllDecision<'_> {
    /// Decides the assertion for all values: `None` if it holds, else the answer of an instance.
    fn decide(&mut self) -> Result<Option<Box<Answer>>> {
        let first = FIRST_INSTANCES.max(self.report.least);
        if let Some(answer) = self.instances(first, self.options)? {
            return Ok(Some(answer));
        }
        // An assertion without further instances is decided; its views may be wanted all the same.
        let is_decided = self.is_decided();
        if is_decided && !self.options.lists_views {
            return Ok(None);
        }
        let outcome = match self.by_methods() {
            Err(problem) if problem.code == FOR_ALL => MethodEnd::Open(problem),
            outcome => outcome?,
        };
        match outcome {
            MethodEnd::Holds => Ok(None),
            MethodEnd::Answered(answer) => Ok(Some(answer)),
            MethodEnd::Open(_) if is_decided => Ok(None),
            MethodEnd::Open(problem) => self.by_larger(problem),
        }
    }

    /// True if each value was decided by itself. Numbers have no end, even where a function makes
    /// sets of them that end.
    fn is_decided(&self) -> bool {
        self.family.is_set() && self.report.has_no_more()
    }

    /// Decides larger instances, one of which may fail, where no method decides for the reason
    /// `problem`. Fails with `problem` if the instances do not decide it either.
    fn by_larger(&mut self, problem: Box<Diagnostic>) -> Result<Option<Box<Answer>>> {
        if !self.family.is_set() {
            // There may be instances beyond the names that a function has.
            self.family.largest = None;
        }
        let answer = self.larger_instances()?;
        let tried = self.report.fails_with.unwrap_or(self.report.instances);
        self.report.largest = self.report.largest.filter(|&largest| tried <= largest);
        let Some(answer) = answer else {
            return match self.is_decided() {
                true => Ok(None),
                false => Err(problem),
            };
        };
        if answer.report.verdict == Verdict::Fail {
            return Ok(Some(answer));
        }
        // An instance that was cut short shows nothing.
        self.task.token().step()?;
        // The user did not ask whether so few states decide the instance.
        (self.report.undecided_with, self.report.instance) = (None, None);
        let (name, size) = (&self.report.counted, self.report.next());
        let code = answer.problem.as_ref().map_or("", Error::code);
        Err(Box::new(
            problem.note(format!("{name} = {size} is not decided: {code}")),
        ))
    }

    /// Decides by views, or else by an induction over the links of a chain.
    fn by_methods(&mut self) -> Result<MethodEnd> {
        let asked = self.script.asked_for_all(self.id, self.options)?;
        let problem = match self.by_views(&asked)? {
            MethodEnd::Open(problem) => problem,
            outcome => return Ok(outcome),
        };
        let no_chain = MethodEnd::Open(problem);
        Ok(self.by_chain(&asked)?.unwrap_or(no_chain))
    }

    /// The answer of the first instance up to `most` that fails or is not decided.
    fn instances(&mut self, most: usize, options: &Options) -> Result<Option<Box<Answer>>> {
        let most = most.min(self.family.largest.unwrap_or(most));
        while self.report.next() <= most {
            let size = self.report.next();
            let said_of = format!("this is said of {} = {size}", self.report.counted);
            let instance = self.family.instance(size);
            let instance = instance.map_err(|problem| Box::new(problem.note(said_of.clone())))?;
            let mut answer = Checks::new(&instance, options).decide_instance(self.id, self.task);
            let verdict = answer.report.verdict;
            if verdict == Verdict::Pass {
                self.report.count_instance();
                continue;
            }
            self.report.instance = Some(self.family.definition(size).to_string());
            if verdict == Verdict::Fail {
                self.report.fails_with = Some(size);
            } else {
                self.report.undecided_with = Some(size);
                let notes = [Some(said_of), self.report.holds()];
                let notes = notes.into_iter().flatten();
                answer.problem = answer.problem.map(|problem| problem.noted(notes));
            }
            return Ok(Some(Box::new(answer)));
        }
        Ok(None)
    }

    /// The answer of the first instance up to [`LAST_INSTANCES`] that fails, or that few states do
    /// not decide.
    fn larger_instances(&mut self) -> Result<Option<Box<Answer>>> {
        let most = |given: Option<u64>| Some(given.map_or(MOST_SEARCHED, |n| n.min(MOST_SEARCHED)));
        let options = Options {
            max_states: most(self.options.max_states),
            max_leaf_states: most(self.options.max_leaf_states),
            ..self.options.clone()
        };
        self.instances(LAST_INSTANCES, &options)
    }
}
