//! `cspsym lab hint TASK [N]`: hints for a task, from a question to the next step.

use checker::Error;
use host::arguments::lab::LabHintCall;
use host::files::Files;

use super::folder::{LabFolder, words};

/// The first hints for a task.
pub(super) fn hints(call: &LabHintCall, files: &mut Files) -> Result<String, Error> {
    let folder = LabFolder::open(&call.place, files)?;
    let task = folder.task(call.task)?;
    let shown = (call.steps.get() as usize).min(task.hints.len());
    let hints = task.hints.iter().take(shown).enumerate();
    let mut text: String = hints
        .map(|(index, hint)| format!("{}. {hint}\n", index + 1))
        .collect();
    let left = task.hints.len() - shown;
    if left > 0 {
        let (number, next, place) = (task.number, shown + 1, words(&call.place));
        text += &format!("\n{left} more: `cspsym lab hint {number} {next}{place}`\n");
    }
    Ok(text)
}
