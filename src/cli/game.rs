//! `cspsym game SPEC IMPL FILE`: a refinement game in the terminal, a request a line.

use checker::{GameQuestion, Subject};

use host::arguments::GameCall;
use host::console::Console;
use host::files::Files;
use host::load::Loaded;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::playing::GameSession;
use host::selection;

/// Plays until the requests end.
pub(super) fn run(call: &GameCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    console.monitor().begin(call.words.join(" "));
    console.pending(Unsaid::Answer(None));
    let loaded = Loaded::read(call.file(), files, &call.common.definitions)?;
    let options = call.options(console.monitor().memory());
    let script = &loaded.script;
    console.problems(&loaded.warnings(&options), script.sources());
    let subject = match (call.processes(), &call.assertion) {
        (Some((specification, implementation)), _) => Subject::Refinement {
            specification,
            implementation,
        },
        (None, wanted) => {
            let wanted = wanted.as_deref().unwrap_or_default();
            Subject::Assertion(selection::only(wanted, &script.assertions())?)
        }
    };
    let question = GameQuestion {
        subject,
        side: call.side.side(),
        moves: &[],
        is_task: false,
    };
    let task = console.monitor().task();
    // An output that cannot be written is no matter of the script.
    let mut outcome = Ok(());
    script.play(question, &options, &task, |game| {
        outcome = GameSession::new(game)?.run(console, &mut |_| Ok(String::new()));
        Ok(())
    })?;
    Ok(outcome?)
}
