//! `cspsym lab check [TASK]`: shows the progress of a student, and the parts that are missing.

use std::io;

use crate::mark::{Marked, Marking, problem, unmarked, unreadable};
use crate::sheet::LabTask;
use checker::{Error, PATIENT_LEAF_STATES};
use host::answer::failing;
use host::arguments::Format;
use host::arguments::lab::LabCheckCall;
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::{OneLine, Said, Unsaid};
use host::shell::shell_word;
use host::status::Status;
use report::lab::{TaskOutcome, TaskReport};
use report::message::one_line;

use super::folder::{LabFolder, words};

/// Marks one task, or all.
pub(super) fn run(call: &LabCheckCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let failure = is_json(call).then(|| line_for(unreadable(false)));
    console.monitor().begin(call.place.path.clone());
    console.pending(Unsaid::Answer(failure.clone()));
    let folder = LabFolder::open(&call.place, files)?;
    let tasks: Vec<&LabTask> = match call.task {
        None => folder.sheet.tasks.iter().collect(),
        Some(number) => vec![folder.task(number)?],
    };
    let mut options = call.deciding.options(console.monitor().memory());
    options.max_leaf_states = options.max_leaf_states.or(Some(PATIENT_LEAF_STATES));
    let definitions = call.deciding.common().definitions.clone();
    let at_other_sizes = !definitions.is_empty();
    let mut read = |definitions: &_| folder.script(definitions);
    let (sheet, work) = (&folder.sheet, &folder.work);
    let mut marking = Marking::new(
        sheet,
        work,
        &options,
        definitions,
        at_other_sizes,
        &mut read,
    )?;
    if let Some(wrong) = work.wrong_lines(None) {
        console.answer(
            &said_of_none(call, &wrong),
            Status::Error,
            Some(Unsaid::Answer(failure)),
        )?;
    }
    let found = mark_all(call, &tasks, &mut marking, console)?;
    let is_whole = found.len() == tasks.len();
    if call.task.is_none() && !is_json(call) && is_whole {
        console.result(&summary(call, &found))?;
    }
    Ok(())
}

/// Marks the tasks one after the other, and prints the results: those of fewer tasks if the run has
/// to end early.
fn mark_all(
    call: &LabCheckCall,
    tasks: &[&LabTask],
    marking: &mut Marking<'_>,
    console: &mut Console<'_>,
) -> io::Result<Vec<TaskReport>> {
    let sheet = marking.sheet;
    let line = |task: &LabTask| is_json(call).then(|| line_for(unmarked(sheet, task)));
    let mut found = Vec::new();
    for (index, lab_task) in tasks.iter().enumerate() {
        if let Some(limit) = console.monitor().ends_run() {
            console.pending(Unsaid::Answer(line(lab_task)));
            console.failure(&problem(limit.diagnostic()))?;
            break;
        }
        let monitor = console.monitor().clone();
        let marked = monitor.turn_of(format!("task {}", lab_task.number), |task| {
            console.pending(Unsaid::Answer(line(lab_task)));
            marking.task(lab_task, task)
        });
        let next = tasks.get(index + 1).map(|next| Unsaid::Answer(line(next)));
        let status = status_of(&marked.report, call.task.is_some());
        console.answer(&said(call, &marked), status, next)?;
        found.push(marked.report);
    }
    Ok(found)
}

fn is_json(call: &LabCheckCall) -> bool {
    call.format == Format::Json
}

/// The line of JSON for a task that is cut short.
fn line_for(report: TaskReport) -> OneLine {
    failing(move |message| {
        let outcome = match report.task {
            None => TaskOutcome::Error,
            Some(_) => TaskOutcome::Unknown,
        };
        let mut report = report.clone();
        (report.message, report.outcome) = (Some(message), outcome);
        report.json()
    })
}

/// The text that is printed for the lines of the script that belong to no task.
fn said_of_none(call: &LabCheckCall, wrong: &Error) -> Said {
    let mut said = Said::messages(&wrong.messages(), wrong.sources());
    for message in wrong.messages().iter().filter(|_| is_json(call)) {
        let report = TaskReport {
            outcome: TaskOutcome::Error,
            message: Some(one_line(message, wrong.sources())),
            ..unreadable(false)
        };
        said.out += &report.json();
        said.out += "\n";
    }
    said
}

/// The text that is printed for a task.
fn said(call: &LabCheckCall, marked: &Marked) -> Said {
    let report = &marked.report;
    // All tasks together are a survey: the messages come with the task itself.
    let is_survey = call.task.is_none() && !is_json(call);
    let mut said = Said::default();
    for error in marked.problems.iter().filter(|_| !is_survey) {
        for message in error.messages() {
            said.add(&message, error.sources());
        }
    }
    said.out = match (call.format, is_survey) {
        (Format::Json, _) => report.json() + "\n",
        (Format::Text, true) => report.line(),
        (Format::Text, false) => report.text(&words(&call.place)),
    };
    said
}

/// The tasks that are done, and a hint at what to look at next.
fn summary(call: &LabCheckCall, found: &[TaskReport]) -> String {
    let of = |outcome| move |report: &&TaskReport| report.outcome == outcome;
    let done = found.iter().filter(of(TaskOutcome::Passed)).count();
    let skipped = found.iter().filter(of(TaskOutcome::Skipped)).count();
    let all = found.len() - skipped;
    let is_open = |report: &&TaskReport| {
        !matches!(report.outcome, TaskOutcome::Passed | TaskOutcome::Skipped)
    };
    let next = found.iter().find(is_open).and_then(|report| report.task);
    let next = next.map_or(String::new(), |next| {
        let sizes = call.deciding.common().definitions.iter();
        let sizes: String = sizes
            .map(|size| format!(" -D {}", shell_word(&size.to_string())))
            .collect();
        let place = words(&call.place);
        format!(" Next: `cspsym lab check {next}{sizes}{place}`")
    });
    let skipped = match skipped {
        0 => String::new(),
        _ => " that are checked at this size".to_string(),
    };
    format!("\n{done} of {all} tasks{skipped} are done.{next}\n")
}

/// The exit status for a task. `asked` says that it was asked for by its number.
fn status_of(report: &TaskReport, asked: bool) -> Status {
    match report.outcome {
        TaskOutcome::Error => Status::Error,
        // Stretch tasks, for students who have time left, are no duty.
        _ if report.stretch && !asked => Status::Holds,
        TaskOutcome::Passed | TaskOutcome::Skipped => Status::Holds,
        TaskOutcome::Unknown => Status::Undecided,
        TaskOutcome::Failed | TaskOutcome::Locked => Status::Fails,
    }
}
