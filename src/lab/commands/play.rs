//! `cspsym lab play GAME`: a game of a task in the terminal, whose moves go into the script.

use std::path::Path;

use checker::Options;
use host::arguments::lab::LabPlayCall;
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::playing::GameSession;
use host::whole::write_whole;
use report::game::GameReport;

use super::folder::LabFolder;
use super::start::unwritable;

/// Plays until the requests end, from where the script has left the game.
pub(super) fn run(call: &LabPlayCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    console.monitor().begin(call.name.clone());
    console.pending(Unsaid::Answer(None));
    let folder = LabFolder::open(&call.place, files)?;
    let (options, task) = (Options::default(), console.monitor().task());
    // An output that cannot be written is no matter of the script.
    let mut outcome = Ok(());
    folder.play(
        &call.name,
        (&[], &options, &task),
        |game, mut kept, sentence| {
            let mut note = |report: &GameReport| {
                let line = kept.line(&report.moves);
                // The student may have changed the script while she plays.
                let now = Files::new().read(&folder.file)?;
                let Some(text) = kept.keep(&now, report) else {
                    return Ok(String::new());
                };
                let written = write_whole(Path::new(&folder.file), text.as_bytes());
                written.map_err(|error| unwritable(Path::new(&folder.file), &error))?;
                Ok(match &report.end {
                    Some(_) => format!("{} has it now: {line}\n", folder.file),
                    None => String::new(),
                })
            };
            outcome = opened(&folder, call, sentence, console);
            if outcome.is_ok() {
                outcome = GameSession::new(game)?.run(console, &mut note);
            }
            Ok(())
        },
    )?;
    Ok(outcome?)
}

/// Prints what is to be shown, and `sentence` if there is one.
fn opened(
    folder: &LabFolder,
    call: &LabPlayCall,
    sentence: Option<String>,
    console: &mut Console<'_>,
) -> std::io::Result<()> {
    let wanted = folder
        .sheet
        .game(&call.name)
        .map(|(check, _)| &*check.lesson);
    let wanted = wanted.unwrap_or_default();
    let sentence = sentence.map_or(String::new(), |sentence| sentence + "\n");
    console.result(&format!(
        "{wanted} Your moves are kept in {}; `help` lists what you can say.\n{sentence}",
        folder.file
    ))
}
