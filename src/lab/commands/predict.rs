//! `cspsym lab predict PREDICTION ANSWER`: writes the prediction of a student into the script.

use std::fs;
use std::path::Path;

use crate::answer::{accepted, canonical, expected};
use crate::work::with_prediction;
use base::diag::Diagnostic;
use base::suggest::nearest;
use checker::Error;
use host::arguments::lab::LabPredictCall;
use host::files::Files;

use super::folder::{LabFolder, only, words};
use super::start::unwritable;

/// Writes the prediction, and says what is next.
pub(super) fn predict(call: &LabPredictCall, files: &mut Files) -> Result<String, Error> {
    let folder = LabFolder::open(&call.place, files)?;
    let name = &*call.name;
    let (task, answer, text) = predicted(&folder, name, &call.answer, call.again)?;
    let written = fs::write(&folder.file, text);
    written.map_err(|error| unwritable(Path::new(&folder.file), &error))?;
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

/// The task that a prediction belongs to, the answer as it is written, and the text of the
/// student's script with it. An earlier prediction is changed only if `again`.
pub fn predicted(
    folder: &LabFolder,
    name: &str,
    answer: &str,
    again: bool,
) -> Result<(u32, String, String), Error> {
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
    let Some(measure) = folder.sheet.measure(name) else {
        return Err(unknown(name, &all));
    };
    if let Some(kind) = expected(measure, answer) {
        let message = format!("`{name}` asks for {kind}, and `{answer}` is no such answer");
        let hint = format!("say {}", accepted(measure));
        return Err(only(
            Diagnostic::error("bad-prediction", message).hint(hint),
        ));
    }
    let answer = canonical(measure, answer);
    let text = with_prediction(&folder.text, name, &answer);
    Ok((task, answer, text))
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
