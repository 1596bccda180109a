//! `cspsym refine SPEC IMPL FILE`: one refinement between two process expressions.

use std::io;
use std::time::Instant;

use super::arguments::Refine;
use super::check::{not_loaded, show, unusable_folder};
use super::console::Console;
use super::files::Files;
use super::request::{Load, Options};
use super::status::Status;

/// Decides the refinement.
pub(super) fn run(
    call: &Refine,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let spill = match call.storage.open() {
        Ok(spill) => spill,
        Err(problem) => return unusable_folder(&call.file, call.format, *problem, console),
    };
    let options = Options {
        explains: call.explain,
        spill,
        ..call.common.options(deadline)
    };
    let mut session = match load(&call.file, files, &options) {
        Ok(session) => session,
        Err(failure) => return not_loaded(&call.file, call.format, &failure, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    let title = format!("{} refines {}", call.implementation, call.specification);
    let mut progress = console.progress(title, call.common.quiet);
    let decision = session.refine(&call.specification, &call.implementation, &mut |snapshot| {
        progress.show(snapshot)
    });
    progress.finish();
    let status = show(
        &decision,
        call.format,
        call.common.detail(),
        session.sources(),
        console,
    )?;
    Ok(status.max(warnings))
}
