//! `cspsym refine SPEC IMPL FILE`: one refinement between two process expressions.

use std::io;
use std::sync::Arc;

use super::arguments::Refine;
use super::check::{not_loaded, said, status_of, unusable_folder};
use super::console::Console;
use super::files::Files;
use super::output::Unsaid;
use super::remaining::{Open, Remaining};
use super::request::{Load, Options};
use super::status::Status;

/// Decides the refinement.
pub(super) fn run(
    call: &Refine,
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
        ..call.common.options(console.monitor())
    };
    console.monitor().begin(call.file.clone());
    console.pending(Unsaid::Verdicts(Remaining {
        format: call.format,
        detail: call.common.detail(),
        heading: None,
        all: [Open::file(&call.file)].into(),
        from: 0,
        sources: Arc::default(),
    }));
    let mut session = match load(&call.file, files, &options) {
        Ok(session) => session,
        Err(failure) => return not_loaded(&call.file, call.format, &failure, console),
    };
    let warnings = console.problems(&session.warnings(), session.sources());
    let title = format!("{} refines {}", call.implementation, call.specification);
    let decide = || session.refine(&call.specification, &call.implementation);
    let decision = console.monitor().turn_of(title, decide);
    let detail = call.common.detail();
    let said = said(&decision, call.format, detail, session.sources());
    let status = status_of(&decision);
    console.answer(&said, status, None)?;
    Ok(status.max(warnings))
}
