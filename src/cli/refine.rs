//! `cspsym refine SPEC IMPL FILE`: one refinement between two process expressions.

use std::io;
use std::sync::Arc;

use crate::checker::Options;

use super::arguments::RefineCall;
use super::check::{not_begun, not_loaded, rendered_warnings, said, status_of};
use super::console::Console;
use super::files::Files;
use super::load::Loaded;
use super::output::Unsaid;
use super::remaining::{OpenVerdict, RemainingVerdicts};
use super::status::Status;

/// Decides the refinement.
pub(super) fn run(
    call: &RefineCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let folder = match call.storage.open() {
        Ok(folder) => folder,
        Err(problem) => return not_begun(&call.file, call.format, *problem, console),
    };
    let options = Options {
        explain: call.explain,
        counterexamples: usize::try_from(call.counterexamples).unwrap_or(usize::MAX),
        storage: folder.as_ref().map(|folder| folder.storage.clone()),
        for_all: call.for_all.clone(),
        ..call.telling.options(console.monitor().memory())
    };
    console.monitor().begin(call.file.clone());
    console.pending(Unsaid::Verdicts(RemainingVerdicts {
        format: call.format,
        detail: call.telling.detail(),
        heading: None,
        all: [OpenVerdict::file(&call.file)].into(),
        from: 0,
        sources: Arc::default(),
    }));
    let loaded = match Loaded::read(&call.file, files, &call.telling.common().definitions) {
        Ok(loaded) => loaded,
        Err(error) => return not_loaded(&call.file, call.format, &error, console),
    };
    let script = &loaded.script;
    let warnings = console.problems(&loaded.warnings(&options), script.sources());
    let title = format!("{} refines {}", call.implementation, call.specification);
    let answer = console.monitor().turn_of(title, |task| {
        script.refine(&call.specification, &call.implementation, &options, task)
    });
    let mut said = said(&answer, call.format, call.telling.detail());
    said.err
        .extend(rendered_warnings(&answer, call.telling.quiet));
    let status = status_of(&answer);
    console.answer(&said, status, None)?;
    Ok(status.max(warnings))
}
