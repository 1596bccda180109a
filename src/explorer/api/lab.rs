//! The method `lab`: the lab that a student's script belongs to, and the check of a task; walks
//! along what such a check has found; and the games of a lab.

use checker::{Definition, Error};
use host::files::Files;
use lab::commands::{GIVEN, LabFolder, predicted};
use lab::guide::LabGuide;
use lab::mark::{Marked, Marking};
use lab::reading::{LabScript, is_kept};
use lab::sheet::{LabDemand, LabTask};
use lab::work::StudentWork;
use report::api::{
    ApiLab, ApiLabGame, ApiLabGiven, ApiLabMark, ApiLabPrediction, ApiLabTask, ApiLabWalk,
    ApiResult,
};
use report::assertion::Counterexample;
use report::game::GameReport;
use report::lab::ShownAssertion;
use report::message::MessageReport;

use super::methods::{refused, reported};
use super::work::ApiWork;

/// The lab of the script that the request names, with the mistakes in lines that belong to no task
/// and in the student's part of the task that is to be checked.
pub(super) fn lab(
    asked: &ApiWork,
    definitions: Vec<Definition>,
    files: &mut Files,
) -> Result<(ApiLab, Vec<MessageReport>), Error> {
    let request = asked.request();
    let text = files.read(&request.file)?;
    let mut folder = LabFolder::of(request.file.clone(), text, None)?;
    for (name, answer) in &request.predictions {
        let (_, _, text) = predicted(&folder, name, answer, false)?;
        folder = LabFolder::of(request.file.clone(), text, None)?;
    }
    let mut problems = told(folder.work.wrong_lines(None));
    let mark = match request.task {
        None => None,
        Some(number) => {
            let (mark, of_task) = mark(asked, &folder, number, definitions)?;
            problems.extend(of_task);
            Some(mark)
        }
    };
    let guide = LabGuide::read(folder.lab.guide);
    let texts = guide
        .tasks
        .into_iter()
        .chain(std::iter::repeat_with(String::new));
    let tasks = folder.sheet.tasks.iter().zip(texts);
    let lab = ApiLab {
        lab: folder.sheet.name.clone(),
        title: folder.sheet.title.clone(),
        minutes: folder.sheet.minutes(),
        introduction: guide.introduction,
        tasks: tasks
            .map(|(task, text)| described(task, text, &folder.work))
            .collect(),
        given: ApiLabGiven {
            file: GIVEN.to_string(),
            text: folder.lab.given.to_string(),
        },
        text: folder.text,
        mark,
    };
    Ok((lab, problems))
}

/// The lab's script around the student's, for a walk along the counterexample of a check of it.
pub(super) fn walked(
    asked: &ApiWork,
    definitions: &[Definition],
    files: &mut Files,
) -> Result<LabScript, Error> {
    let request = asked.request();
    let text = files.read(&request.file)?;
    let folder = LabFolder::of(request.file.clone(), text, None)?;
    let lab = folder.script(definitions)?;
    lab.may_be_walked(request.picked(&lab.script)?)?;
    Ok(lab)
}

/// The walk in `result` without the names of what it is compared with.
pub(super) fn as_students_see(result: ApiResult) -> ApiResult {
    let ApiResult::Walk(mut walk) = result else {
        return result;
    };
    walk.assertion = None;
    if let Some(specification) = &mut walk.specification
        && is_kept(&specification.process)
    {
        specification.process = "what is asked for".to_string();
    }
    ApiResult::Walk(walk)
}

/// The messages of an error, if there is one.
fn told(error: Option<Error>) -> Vec<MessageReport> {
    error.map_or(Vec::new(), |error| refused(&error).problems)
}

/// The visible events of a counterexample.
fn visible(found: &Counterexample) -> Vec<String> {
    let events = found.trace.iter().chain(&found.event);
    events.cloned().collect()
}

/// A task, with the `text` that students read, their predictions and their games.
fn described(task: &LabTask, text: String, work: &StudentWork) -> ApiLabTask {
    let predictions = task.checks.iter().filter_map(|check| match &check.demand {
        LabDemand::Predict(name, measure) => Some(ApiLabPrediction {
            name: name.clone(),
            question: check.lesson.clone(),
            measure: measure.word(),
            predicted: work.prediction(name).map(str::to_string),
        }),
        _ => None,
    });
    let games = task.checks.iter().filter_map(|check| match &check.demand {
        LabDemand::Game(game) => Some(ApiLabGame {
            name: game.name.clone(),
            wanted: check.lesson.clone(),
            side: game.side,
            moves: work.moves(&game.name).to_vec(),
        }),
        _ => None,
    });
    ApiLabTask {
        number: task.number,
        title: task.title.clone(),
        minutes: task.minutes,
        stretch: task.is_stretch,
        text,
        predictions: predictions.collect(),
        games: games.collect(),
        problems: told(work.wrong_lines(Some(task.number))),
        hints: task.hints.clone(),
    }
}

/// The game `name` of the lab in which the student has made the moves of the request, and her
/// script if these are worth keeping there.
pub(super) fn played(
    asked: &ApiWork,
    name: &str,
    definitions: &[Definition],
    files: &mut Files,
) -> Result<(GameReport, Option<String>), Error> {
    let request = asked.request();
    let text = files.read(&request.file)?;
    let folder = LabFolder::of(request.file.clone(), text, None)?;
    let question = (definitions, asked.options(), &asked.task);
    folder.play(name, question, |game, mut kept, _| {
        game.back_to(0)?;
        request.moves.iter().try_for_each(|name| game.take(name))?;
        let report = reported(game, request.hint)?;
        let text = kept.keep(&folder.text, &report);
        let file = request.file.clone();
        Ok((GameReport { file, ..report }, text))
    })
}

/// Checks one task.
fn mark(
    asked: &ApiWork,
    folder: &LabFolder,
    number: u32,
    definitions: Vec<Definition>,
) -> Result<(ApiLabMark, Vec<MessageReport>), Error> {
    let lab_task = folder.task(number)?;
    let at_other_sizes = !definitions.is_empty();
    let mut read = |definitions: &[Definition]| folder.script(definitions);
    let (sheet, work) = (&folder.sheet, &folder.work);
    let options = asked.options();
    let mut marking = Marking::new(sheet, work, options, definitions, at_other_sizes, &mut read)?;
    let Marked { report, problems } = marking.task(lab_task, &asked.task);
    let feedback = report.missing();
    let open = report.first_open();
    let shown = open.filter(|check| check.shown != ShownAssertion::Nothing);
    let found = shown.and_then(|check| check.assertion.as_ref()?.counterexample.as_ref());
    let walk = open.and_then(|check| check.run.as_ref());
    let mark = ApiLabMark {
        trace: found.map(visible),
        walk: walk.map(|run| ApiLabWalk {
            assertion: run.assertion,
            definitions: run.definitions.clone(),
        }),
        task: number,
        outcome: report.outcome,
        predictions: report.predictions,
        feedback: (!feedback.is_empty()).then_some(feedback),
    };
    let messages = problems.iter().flat_map(|error| refused(error).problems);
    Ok((mark, messages.collect()))
}
