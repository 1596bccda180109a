//! `cspsym check FILE...`: every assertion of the scripts, in order.

use std::io;
use std::time::Instant;

use crate::diag::Diagnostic;
use crate::report::assertion::AssertionReport;
use crate::report::text::{Detail, render};
use crate::source::SourceMap;

use super::arguments::{Check, Format};
use super::console::Console;
use super::files::Files;
use super::request::{Decision, Load, LoadFailure, Options, Session};
use super::selection::Selection;
use super::status::Status;

/// Checks the scripts one after the other; an error in one does not keep the others from being checked.
pub(super) fn run(
    call: &Check,
    deadline: Option<Instant>,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let spill = match call.storage.open() {
        Ok(spill) => spill,
        Err(problem) => return unusable_folder(&call.files[0], call.format, *problem, console),
    };
    let options = Options {
        explains: call.explain,
        spill,
        ..call.common.options(deadline)
    };
    let selection = Selection::new(&call.assertions);
    let mut picked = vec![false; call.assertions.len()];
    let mut status = Status::Holds;
    let mut all_loaded = true;
    for file in &call.files {
        let outcome = match load(file, files, &options) {
            Ok(mut session) => {
                check_script(call, file, &mut *session, &selection, &mut picked, console)?
            }
            Err(failure) => {
                all_loaded = false;
                not_loaded(file, call.format, &failure, console)?
            }
        };
        status = status.max(outcome);
    }
    // A script that could not be loaded may well have the assertion.
    if all_loaded {
        status = status.max(unused_picks(call, &picked, console)?);
    }
    Ok(status)
}

/// Writes which `--assertion` picked nothing: most likely a slip, and then nothing was checked.
fn unused_picks(call: &Check, picked: &[bool], console: &mut Console<'_>) -> io::Result<Status> {
    let mut status = Status::Holds;
    let unused = call
        .assertions
        .iter()
        .zip(picked)
        .filter(|(_, picked)| !**picked);
    for (text, _) in unused {
        let message = format!("`--assertion {text}` picks no assertion");
        let problem = Diagnostic::error("no-such-assertion", message).hint(
            "give a number, counted from 1, or a part of the text; without --assertion all are checked",
        );
        let failure = LoadFailure {
            sources: SourceMap::new(),
            problems: vec![problem],
        };
        let file = call.files.first().map_or("", String::as_str);
        status = status.max(not_loaded(file, call.format, &failure, console)?);
    }
    Ok(status)
}

/// Decides the picked assertions of one script.
fn check_script(
    call: &Check,
    file: &str,
    session: &mut dyn Session,
    selection: &Selection,
    picked: &mut [bool],
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut status = console.problems(session.warnings(), session.sources());
    status = status.max(print_values(call, session, console)?);
    let assertions = session.assertions();
    if assertions.is_empty() && !call.common.quiet {
        console.remark(&format!("{file} has no assertions"));
    }
    let mut heading = None;
    for (index, assertion) in assertions.iter().enumerate() {
        if !selection.picks(index, assertion, picked) {
            continue;
        }
        let mut progress = console.progress(format!("assert {assertion}"), call.common.quiet);
        let decision = session.decide(index, &mut |snapshot| progress.show(snapshot));
        progress.finish();
        if call.format == Format::Text && heading.as_ref() != Some(&decision.report.file) {
            heading = Some(decision.report.file.clone());
            if !call.common.quiet {
                console.result(&format!("{}\n", decision.report.file))?;
            }
        }
        status = status.max(show(
            &decision,
            call.format,
            call.common.detail(),
            session.sources(),
            console,
        )?);
    }
    Ok(status)
}

/// Writes the values of the `print` declarations: results in text, remarks beside JSON.
fn print_values(
    call: &Check,
    session: &mut dyn Session,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut status = Status::Holds;
    for value in session.prints() {
        match value {
            Ok(_) if call.common.quiet => {}
            Ok(value) if call.format == Format::Text => console.result(&format!("{value}\n"))?,
            Ok(value) => console.remark(&value),
            Err(problem) => status = status.max(console.problem(&problem, session.sources())),
        }
    }
    Ok(status)
}

/// Writes one verdict, and the message if there is none.
pub(super) fn show(
    decision: &Decision,
    format: Format,
    detail: Detail,
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = &decision.report;
    match format {
        Format::Text => console.result(&render(report, detail))?,
        Format::Json => console.result(&format!("{}\n", report.json()))?,
    }
    let problem = decision
        .problem
        .as_ref()
        .map_or(Status::Holds, |problem| console.problem(problem, sources));
    Ok(problem.max(Status::of_verdict(report.verdict)))
}

/// Writes what is wrong with the folder in which searches are to keep their states.
pub(super) fn unusable_folder(
    file: &str,
    format: Format,
    problem: Diagnostic,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let failure = LoadFailure {
        sources: SourceMap::new(),
        problems: vec![problem],
    };
    not_loaded(file, format, &failure, console)
}

/// Writes why nothing of a script could be checked.
pub(super) fn not_loaded(
    file: &str,
    format: Format,
    failure: &LoadFailure,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    if format == Format::Json {
        let report = AssertionReport::new(file);
        let worst = failure
            .problems
            .iter()
            .max_by_key(|problem| Status::of_problem(problem));
        let report = worst
            .map(|problem| report.clone().stopped_by(problem, &failure.sources))
            .unwrap_or(report);
        console.result(&format!("{}\n", report.json()))?;
    }
    // Nothing was checked, so it is never a success.
    Ok(console
        .problems(&failure.problems, &failure.sources)
        .max(Status::Undecided))
}
