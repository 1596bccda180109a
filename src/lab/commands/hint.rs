//! `cspsym lab hint TASK [N]`: from a question to the next step.

use host::arguments::lab::LabHintCall;
use host::console::Console;
use host::files::Files;
use host::outcome::Outcome;

use super::folder::{LabFolder, words};

/// Prints the first hints for a task.
pub(super) fn run(call: &LabHintCall, files: &mut Files, console: &mut Console<'_>) -> Outcome {
    let folder = LabFolder::open(&call.place, files)?;
    let task = folder.task(call.task)?;
    let shown = (call.steps.get() as usize).min(task.hints.len());
    for (index, hint) in task.hints.iter().take(shown).enumerate() {
        console.result(&format!("{}. {hint}\n", index + 1))?;
    }
    let left = task.hints.len() - shown;
    if left > 0 {
        let (number, next, place) = (task.number, shown + 1, words(&call.place));
        console.result(&format!(
            "\n{left} more: `cspsym lab hint {number} {next}{place}`\n"
        ))?;
    }
    Ok(())
}
