//! Marking: the assertions of a lab's script are decided, and compared with the demands.

use std::collections::HashMap;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::{Answer, Definition, Error, Options, Symmetries, Task};
use report::assertion::{AssertionReport, Verdict};
use report::lab::{CheckReport, LabRun, PredictionReport, TaskOutcome, TaskReport};
use report::message::one_line;

use super::answer::{in_words, plain};
use super::below::below;
use super::game::LabGame;
use super::reading::LabScript;
use super::sheet::{AssertionDemand, LabCheck, LabDemand, LabMeasure, LabTask, Sheet};
use super::wording::{Wording, is_walked};
use super::work::StudentWork;

/// A lab's script with the work of one student in it.
pub struct Marking<'m> {
    /// The lab.
    pub sheet: &'m Sheet,
    /// The predictions.
    pub work: &'m StudentWork,
    /// The options for deciding assertions. The checks choose whether symmetry is used.
    pub options: &'m Options,
    /// True if only checks are made that make sense at any size: no numbers, no predictions, and no
    /// checks that choose a size themselves.
    pub at_other_sizes: bool,
    /// The values of constants for all checks.
    definitions: Vec<Definition>,
    /// The script for each choice of replaced constants.
    scripts: HashMap<Vec<(String, String)>, LabScript>,
    read: &'m mut ReadLab<'m>,
}

/// Reads the lab's script with these definitions.
pub type ReadLab<'m> = dyn FnMut(&[Definition]) -> Result<LabScript, Error> + 'm;

/// A task that was marked, with the problems in the student's part of it.
pub struct Marked {
    /// The report.
    pub report: TaskReport,
    /// The reasons for missing verdicts: those of the first check without one, each problem once.
    pub problems: Vec<Error>,
}

/// The result of one check.
enum Found {
    /// A check with its outcome.
    Check(Box<CheckReport>),
    /// The true answer to a prediction, if it is known.
    Truth(Option<String>),
}

impl<'m> Marking<'m> {
    /// Reads the script once, so that problems with all of it are told first.
    pub fn new(
        sheet: &'m Sheet,
        work: &'m StudentWork,
        options: &'m Options,
        definitions: Vec<Definition>,
        at_other_sizes: bool,
        read: &'m mut ReadLab<'m>,
    ) -> Result<Self, Error> {
        let mut marking = Self {
            sheet,
            work,
            options,
            at_other_sizes,
            definitions,
            scripts: HashMap::new(),
            read,
        };
        marking.script(&[])?;
        Ok(marking)
    }

    /// Marks one task.
    pub fn task(&mut self, lab_task: &LabTask, task: &Task) -> Marked {
        let mut report = TaskReport {
            predictions: predictions(lab_task, self.work),
            ..unmarked(self.sheet, lab_task)
        };
        if self.at_other_sizes {
            report.predictions.clear();
        }
        // What has a size of its own is left out at others, so its lines are, too.
        let wrong = self.work.wrong_lines(Some(lab_task.number));
        if let Some(wrong) = wrong.filter(|_| !self.at_other_sizes) {
            report.outcome = TaskOutcome::Error;
            report.message = Some(line(&wrong));
            let problems = vec![wrong];
            return Marked { report, problems };
        }
        let is_locked = |prediction: &PredictionReport| prediction.predicted.is_none();
        if report.predictions.iter().any(is_locked) {
            report.outcome = TaskOutcome::Locked;
            return Marked {
                report,
                problems: Vec::new(),
            };
        }
        let mut problems = Vec::new();
        let mut truths = Vec::new();
        for check in &lab_task.checks {
            if !self.applies(check) {
                continue;
            }
            let mut of_check = Vec::new();
            let found = self.check(check, task, &mut of_check);
            if problems.is_empty() {
                problems = of_check;
            }
            match found {
                Found::Check(check) => report.checks.push(*check),
                Found::Truth(truth) => truths.push((truth, check.second.clone())),
            }
        }
        for (prediction, (truth, explanation)) in report.predictions.iter_mut().zip(truths) {
            let predicted = prediction.predicted.as_deref();
            let both = predicted.zip(truth.as_deref());
            prediction.right = both.map(|(said, found)| plain(said) == plain(found));
            prediction.found = truth;
            prediction.explanation = explanation;
        }
        let outcomes = report.checks.iter().map(|check| check.outcome);
        report.outcome = outcomes.max().unwrap_or(match self.at_other_sizes {
            true => TaskOutcome::Skipped,
            false => TaskOutcome::Passed,
        });
        report.message = problems.first().map(line);
        Marked { report, problems }
    }

    fn applies(&self, check: &LabCheck) -> bool {
        let is_relation = matches!(
            check.demand,
            LabDemand::Decided(
                AssertionDemand::Accept | AssertionDemand::Reject | AssertionDemand::Same
            )
        );
        !self.at_other_sizes || (is_relation && check.definitions.is_empty())
    }

    /// The script in which the constants `more` have other values, beside those of all checks.
    fn script(&mut self, more: &[Definition]) -> Result<&LabScript, Error> {
        let all = replaced(&self.definitions, more);
        let pairs = all.iter().map(|all| (all.name.clone(), all.text.clone()));
        let key: Vec<(String, String)> = pairs.collect();
        if !self.scripts.contains_key(&key) {
            let script = (self.read)(&all)?;
            self.scripts.insert(key.clone(), script);
        }
        Ok(&self.scripts[&key])
    }

    /// Decides one demand, and adds what keeps it from being decided to `problems`.
    fn check(&mut self, check: &LabCheck, task: &Task, problems: &mut Vec<Error>) -> Found {
        let (sheet, work) = (self.sheet, self.work);
        let options = options_for(self.options, check);
        let script = match self.script(&check.definitions) {
            Ok(script) => script,
            Err(error) => return unread(check, error, problems),
        };
        let question = AssertionQuestion {
            sheet,
            check,
            script,
            options: &options,
            task,
        };
        match &check.demand {
            LabDemand::Decided(demand) => question.decided(demand, problems),
            LabDemand::Predict(_, measure) => Found::Truth(question.truth(*measure, problems)),
            LabDemand::Game(demand) => {
                let marked = LabGame::of(script, sheet, check, demand);
                let moves = work.moves(&demand.name);
                let marked = marked.and_then(|game| game.marked(moves, &options, task));
                match marked {
                    Ok(report) => Found::Check(Box::new(report)),
                    Err(error) => unread(check, error, problems),
                }
            }
            LabDemand::Own { answer, given } => own(check, script.written.used_by(answer, given)),
        }
    }
}

/// The definitions `all`, but for those constants that `more` define otherwise.
pub(crate) fn replaced(all: &[Definition], more: &[Definition]) -> Vec<Definition> {
    let is_kept = |old: &&Definition| more.iter().all(|new| new.name != old.name);
    let kept = all.iter().filter(is_kept);
    kept.chain(more).cloned().collect()
}

/// A question about the assertions below a directive.
struct AssertionQuestion<'q> {
    sheet: &'q Sheet,
    check: &'q LabCheck,
    script: &'q LabScript,
    options: &'q Options,
    task: &'q Task,
}

impl AssertionQuestion<'_> {
    /// The result of what is demanded of the verdicts.
    fn decided(&self, demand: &AssertionDemand, problems: &mut Vec<Error>) -> Found {
        let Self { check, script, .. } = self;
        let places = match below(script, self.sheet, check) {
            Ok(places) => places,
            Err(error) => return unread(check, error, problems),
        };
        let wording = Wording::of(self.sheet, &script.written);
        let mut report = CheckReport::of(check.demand.word(), &check.lesson);
        let mut has_own_part = false;
        let mut checks = script.script.checks(self.options);
        for (index, place) in places.into_iter().enumerate() {
            let answer = for_student(script, checks.check(place, self.task));
            problems.extend(answer.problem.clone());
            let met = match demand {
                AssertionDemand::Accept | AssertionDemand::Same => {
                    answer.report.verdict == Verdict::Pass
                }
                AssertionDemand::Reject => answer.report.verdict == Verdict::Fail,
                AssertionDemand::Value(measure, expression) => match self.value(expression) {
                    Ok(value) => {
                        // If the student has no part in the number, the assertion may be shown:
                        // it gives nothing away.
                        has_own_part = *expression != value;
                        report.expression = Some(said(expression, &value));
                        let measured = measured(*measure, &answer.report);
                        measured.is_some_and(|measured| plain(&measured) == plain(&value))
                    }
                    Err(error) => return unread(check, error, problems),
                },
            };
            report.outcome = outcome(met, &answer);
            if !has_own_part {
                report.shown = wording.shown(&answer.report);
                report.run = run(&answer.report, place, check);
            }
            report.assertion = Some(wording.without_kept(answer.report));
            if report.outcome != TaskOutcome::Passed {
                let second = check.second.clone().filter(|_| index > 0);
                report.lesson = second.unwrap_or(report.lesson);
                break;
            }
        }
        Found::Check(Box::new(report))
    }

    /// The right answer to a prediction; `None` if it is not known.
    fn truth(&self, measure: LabMeasure, problems: &mut Vec<Error>) -> Option<String> {
        let place = match below(self.script, self.sheet, self.check) {
            Ok(places) => places.into_iter().next()?,
            Err(error) => {
                problems.push(error);
                return None;
            }
        };
        let answer = self.script.script.check(place, self.options, self.task);
        let answer = for_student(self.script, answer);
        problems.extend(answer.problem);
        measured(measure, &answer.report).map(|truth| in_words(measure, truth))
    }

    /// The value of an expression, which may name what the student wrote.
    fn value(&self, expression: &str) -> Result<String, Error> {
        let script = &self.script.script;
        let value = script.evaluate(expression, self.options, self.task);
        let value = value.map(|value| value.text);
        value.map_err(|error| self.script.for_student(hinted(error)))
    }
}

/// The way to walk the counterexample in the report on the assertion at `place`; `None` if there is
/// none that students may walk.
fn run(report: &AssertionReport, place: usize, check: &LabCheck) -> Option<LabRun> {
    report.counterexample.as_ref()?;
    let definitions = check.definitions.iter();
    is_walked(report.assertion.as_deref()?).then(|| LabRun {
        assertion: place as u64 + 1,
        definitions: definitions.map(Definition::to_string).collect(),
    })
}

/// The result of a demand for the student's own lines, which use `used` of what is given.
fn own(check: &LabCheck, used: Option<&str>) -> Found {
    let report = CheckReport::of(check.demand.word(), &check.lesson);
    Found::Check(Box::new(match used {
        None => CheckReport {
            outcome: TaskOutcome::Passed,
            ..report
        },
        Some(name) => CheckReport {
            outcome: TaskOutcome::Failed,
            lesson: format!("{} Yours uses {name}.", check.lesson),
            ..report
        },
    }))
}

/// `answer` in the form for a student.
fn for_student(script: &LabScript, answer: Answer) -> Answer {
    let problem = answer
        .problem
        .map(|error| script.for_student(hinted(error)));
    let mut report = answer.report;
    if let Some(error) = &problem
        && let Some(first) = error.messages().iter().find(|message| message.is_error())
    {
        report = report.stopped_by(first, error.sources());
    }
    Answer {
        report,
        problem,
        ..answer
    }
}

/// `error` with hints that help in a lab.
pub(crate) fn hinted(error: Error) -> Error {
    let problems = error.messages().into_iter().map(with_hint);
    Error::new(problems.collect(), error.shared_sources())
}

/// `problem` with a hint that helps in a lab: students do not choose its assertions.
fn with_hint(mut problem: Diagnostic) -> Diagnostic {
    match problem.code {
        "timeout" => problem.set_hint(
            "look for a definition that calls itself without end, or give it more seconds",
        ),
        "interrupted" => problem.set_hint("look for a definition that calls itself without end"),
        _ => {}
    }
    problem
}

/// The report of a task before anything is marked.
pub(crate) fn unmarked(sheet: &Sheet, task: &LabTask) -> TaskReport {
    TaskReport {
        lab: Some(sheet.name.clone()),
        task: Some(task.number),
        title: Some(task.title.clone()),
        ..unreadable(task.is_stretch)
    }
}

/// The report if nothing could be read.
pub fn unreadable(stretch: bool) -> TaskReport {
    TaskReport {
        stretch,
        ..TaskReport::default()
    }
}

/// The predictions that a task asks for.
fn predictions(task: &LabTask, work: &StudentWork) -> Vec<PredictionReport> {
    let asked = task.checks.iter().filter_map(|check| match &check.demand {
        LabDemand::Predict(name, _) => Some((name, check)),
        _ => None,
    });
    let report = |(name, check): (&String, &LabCheck)| PredictionReport {
        name: name.clone(),
        question: check.lesson.clone(),
        predicted: work.prediction(name).map(str::to_string),
        ..PredictionReport::default()
    };
    asked.map(report).collect()
}

/// The options for the assertions of `check`. Symmetry is used only if it is asked about, so that a
/// counterexample shows the participants that a student expects.
pub(crate) fn options_for(options: &Options, check: &LabCheck) -> Options {
    let is_of_symmetry = match &check.demand {
        LabDemand::Decided(AssertionDemand::Value(measure, _)) | LabDemand::Predict(_, measure) => {
            measure.is_of_symmetry()
        }
        _ => false,
    };
    Options {
        symmetries: match is_of_symmetry {
            true => Symmetries::Found,
            false => Symmetries::Off,
        },
        fix_initial: check.fixes_initial,
        // What is counted is a search of all states, and a short run is easier to understand.
        shortest: true,
        ..options.clone()
    }
}

/// The result of a check that cannot be made.
fn unread(check: &LabCheck, error: Error, problems: &mut Vec<Error>) -> Found {
    let outcome = outcome_of(&error);
    problems.push(error);
    if matches!(check.demand, LabDemand::Predict(..)) {
        return Found::Truth(None);
    }
    Found::Check(Box::new(CheckReport {
        outcome,
        ..CheckReport::of(check.demand.word(), &check.lesson)
    }))
}

fn outcome_of(error: &Error) -> TaskOutcome {
    let messages = error.messages();
    let is_error = |message: &Diagnostic| message.severity == base::diag::Severity::Error;
    match messages.iter().any(is_error) {
        true => TaskOutcome::Error,
        false => TaskOutcome::Unknown,
    }
}

fn outcome(met: bool, answer: &Answer) -> TaskOutcome {
    match (answer.report.verdict, met) {
        (Verdict::Error, _) => TaskOutcome::Error,
        (Verdict::Unknown, _) => TaskOutcome::Unknown,
        (_, true) => TaskOutcome::Passed,
        (_, false) => TaskOutcome::Failed,
    }
}

/// The value of `measure` in a report; `None` if the report has no such number.
fn measured(measure: LabMeasure, report: &AssertionReport) -> Option<String> {
    let decided = matches!(report.verdict, Verdict::Pass | Verdict::Fail);
    let found = report.counterexample.as_ref();
    let after = found.map(|found| u64::from(found.event.is_some()));
    let steps = found.map(|found| found.trace_with_taus.len() as u64);
    let number = match measure {
        LabMeasure::Verdict => {
            return decided.then(|| (report.verdict == Verdict::Pass).to_string());
        }
        LabMeasure::Order => {
            let order = report.symmetry.as_ref().map(|group| group.order.clone());
            // If no symmetry was used, there is only the identity.
            return decided.then(|| order.unwrap_or_else(|| "1".to_string()));
        }
        LabMeasure::States | LabMeasure::Orbits => report.states,
        LabMeasure::Transitions => report.transitions,
        LabMeasure::Leaves => report.machine.as_ref().map(|machine| machine.leaves),
        LabMeasure::Steps => steps.zip(after).map(|(steps, after)| steps + after),
        LabMeasure::Trace => found
            .zip(after)
            .map(|(found, after)| found.trace.len() as u64 + after),
        LabMeasure::Cycle => {
            let cycle = found.and_then(|found| found.cycle.as_ref());
            cycle.map(|cycle| cycle.len() as u64)
        }
    };
    number.map(|number| number.to_string())
}

/// The text of a value: `f(3)` is 8, or only 8 if the expression is a number itself.
fn said(expression: &str, value: &str) -> String {
    match expression == value {
        true => value.to_string(),
        false => format!("`{expression}` is {value}"),
    }
}

/// The first message of an error, in one line.
fn line(error: &Error) -> String {
    let messages = error.messages();
    let first = messages.iter().find(|message| message.is_error());
    first.map_or(String::new(), |first| one_line(first, error.sources()))
}

/// An error without places, with a hint that helps in a lab.
pub fn problem(problem: Diagnostic) -> Error {
    Error::new(vec![with_hint(problem)], SourceMap::new())
}
