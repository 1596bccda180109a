//! `cspsym lab predict PREDICTION ANSWER`: writes the prediction of a student into the script.

use std::fs;
use std::io;
use std::path::Path;

use crate::answer::expected;
use crate::work::with_prediction;
use base::diag::Diagnostic;
use base::source::SourceMap;
use base::suggest::nearest;
use checker::Error;
use host::arguments::lab::LabPredictCall;
use host::console::Console;
use host::files::Files;
use host::status::Status;

use super::folder::{LabFolder, words};
use super::start::unwritable;

/// Writes the prediction, and prints the next step.
pub(super) fn run(
    call: &LabPredictCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    match predict(call, files) {
        Ok(said) => {
            console.result(&said)?;
            Ok(Status::Holds)
        }
        Err(error) => console.failure(&error, None),
    }
}

fn predict(call: &LabPredictCall, files: &mut Files) -> Result<String, Error> {
    let folder = LabFolder::open(&call.place, files)?;
    let (name, answer) = (&*call.name, call.answer.trim());
    let (task, text) = predicted(&folder, name, answer, call.again)?;
    fs::write(&folder.file, text).map_err(|error| unwritten(&folder.file, &error))?;
    let place = words(&call.place);
    let is_open = |other: &str| other != name && folder.work.prediction(other).is_none();
    let mut all = folder.sheet.predictions();
    let open = all.find(|(number, other)| *number == task && is_open(other));
    Ok(match open {
        Some((_, open)) => {
            format!("{name}: {answer}. Next: `cspsym lab predict {open} ANSWER{place}`\n")
        }
        None => format!("{name}: {answer}. Now see: `cspsym lab check {task}{place}`\n"),
    })
}

/// The text of a student's script with this prediction in it, and the task that the prediction
/// belongs to. An earlier prediction is changed only if `again`.
pub fn predicted(
    folder: &LabFolder,
    name: &str,
    answer: &str,
    again: bool,
) -> Result<(u32, String), Error> {
    let all: Vec<(u32, &str)> = folder.sheet.predictions().collect();
    let Some(&(task, _)) = all.iter().find(|(_, known)| *known == name) else {
        return Err(unknown(name, &all));
    };
    let answer = answer.trim();
    if let (Some(before), false) = (folder.work.prediction(name), again) {
        let message = format!("`{name}` was predicted before: {before}");
        let hint = "a prediction is worth most if it stays; change it with --again";
        return Err(only(
            Diagnostic::error("bad-prediction", message).hint(hint),
        ));
    }
    let kind = folder
        .sheet
        .measure(name)
        .and_then(|measure| expected(measure, answer));
    if let Some(kind) = kind {
        let message = format!("`{name}` asks for {kind}, and `{answer}` is none");
        return Err(only(Diagnostic::error("bad-prediction", message)));
    }
    Ok((task, with_prediction(&folder.text, name, answer)))
}

fn unwritten(file: &str, error: &io::Error) -> Error {
    unwritable(Path::new(file), error)
}

fn unknown(name: &str, all: &[(u32, &str)]) -> Error {
    let names = || all.iter().map(|(_, name)| *name);
    let message = format!("this lab asks for no prediction `{name}`");
    let hint = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it asks for {}", names().collect::<Vec<_>>().join(", ")),
    };
    only(Diagnostic::error("unknown-task", message).hint(hint))
}

fn only(problem: Diagnostic) -> Error {
    Error::new(vec![problem], SourceMap::new())
}
