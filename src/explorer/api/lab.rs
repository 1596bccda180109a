//! The method `lab`: the lab that a student's script belongs to, and the check of a task.

use checker::{Definition, Error};
use host::files::Files;
use lab::commands::{LabFolder, predicted};
use lab::guide::LabGuide;
use lab::mark::{Marked, Marking};
use lab::sheet::{LabDemand, LabTask};
use lab::work::StudentWork;
use report::api::{ApiLab, ApiLabMark, ApiLabPrediction, ApiLabTask};
use report::message::MessageReport;

use super::ApiQuestion;
use super::methods::refused;

/// The lab of the script that the request names, with the mistakes in the student's part of the
/// task that is to be checked.
pub(super) fn lab(
    asked: &ApiQuestion,
    definitions: Vec<Definition>,
    files: &mut Files,
) -> Result<(ApiLab, Vec<MessageReport>), Error> {
    let request = &asked.request;
    let text = files.read(&request.file)?;
    let mut folder = LabFolder::of(request.file.clone(), text, None)?;
    for (name, answer) in &request.predictions {
        let (_, text) = predicted(&folder, name, answer, false)?;
        folder = LabFolder::of(request.file.clone(), text, None)?;
    }
    let (mark, problems) = match request.task {
        None => (None, Vec::new()),
        Some(number) => {
            let (mark, problems) = mark(asked, &folder, number, definitions)?;
            (Some(mark), problems)
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
        text: folder.text,
        mark,
    };
    Ok((lab, problems))
}

/// A task, with the `text` that students read and their predictions.
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
    ApiLabTask {
        number: task.number,
        title: task.title.clone(),
        minutes: task.minutes,
        stretch: task.is_stretch,
        text,
        predictions: predictions.collect(),
        hints: task.hints.clone(),
    }
}

/// Checks one task.
fn mark(
    asked: &ApiQuestion,
    folder: &LabFolder,
    number: u32,
    definitions: Vec<Definition>,
) -> Result<(ApiLabMark, Vec<MessageReport>), Error> {
    let lab_task = folder.task(number)?;
    let at_other_sizes = !definitions.is_empty();
    let mut read = |definitions: &[Definition]| folder.script(definitions);
    let (sheet, work) = (&folder.sheet, &folder.work);
    let options = &asked.options;
    let mut marking = Marking::new(sheet, work, options, definitions, at_other_sizes, &mut read)?;
    let Marked { report, problems } = marking.task(lab_task, &asked.task);
    let feedback = report.missing();
    let mark = ApiLabMark {
        task: number,
        outcome: report.outcome,
        predictions: report.predictions,
        feedback: (!feedback.is_empty()).then_some(feedback),
    };
    let messages = problems.iter().flat_map(|error| refused(error).problems);
    Ok((mark, messages.collect()))
}
