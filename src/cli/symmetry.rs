//! `cspsym symmetry SPEC IMPL FILE`: the symmetries that a check can use, explained.

use std::io;

use crate::diag::{Diagnostic, Result};
use crate::report::symmetry::{SymmetryDescription, SymmetryFailure, dot, text};
use crate::source::SourceMap;

use super::arguments::{Subject, Symmetry, SymmetryFormat};
use super::console::Console;
use super::files::Files;
use super::output::Said;
use super::request::{Load, Session, SymmetrySubject};
use super::selection::Selection;
use super::status::Status;

/// Finds the symmetries and prints what is known of them.
pub(super) fn run(
    call: &Symmetry,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let is_json = call.format == SymmetryFormat::Json;
    console.pending_answer(call.words.join(" "), is_json.then(|| failure(call)));
    let mut session = match load(call.file(), files, &call.common.options(console.monitor())) {
        Ok(session) => session,
        Err(failure) => return failed(call, &failure.problems, &failure.sources, console),
    };
    let warnings = console.problems(session.warnings(), session.sources());
    let description = subject(call, &*session).and_then(|subject| session.symmetry(subject));
    match description {
        Ok(description) => {
            let said = Said {
                out: rendered(call, description),
                ..Said::default()
            };
            console.answer(&said, Status::Holds, None)?;
            Ok(warnings)
        }
        Err(problem) => failed(call, &[*problem], session.sources(), console),
    }
}

/// What is asked about. Of several assertions it is not for the program to choose one.
fn subject<'a>(call: &'a Symmetry, session: &dyn Session) -> Result<SymmetrySubject<'a>> {
    let wanted = match call.subject() {
        Some(Subject::Processes {
            specification,
            implementation,
        }) => {
            return Ok(SymmetrySubject::Processes {
                specification,
                implementation,
            });
        }
        Some(Subject::Assertion(wanted)) => wanted,
        None => unreachable!("arguments of another number are refused when they are read"),
    };
    let selection = Selection::new(&[wanted.to_string()]);
    let assertions = session.assertions();
    let mut picked = assertions
        .iter()
        .enumerate()
        .filter(|(index, assertion)| selection.picks(*index, assertion, &mut [false]))
        .map(|(index, _)| index);
    match (picked.next(), picked.count()) {
        (Some(only), 0) => Ok(SymmetrySubject::Assertion(only)),
        (Some(_), others) => Diagnostic::error(
            "ambiguous-assertion",
            format!("`--assertion {wanted}` picks {} assertions", others + 1),
        )
        .hint("give a number, counted from 1, or a longer part of the text: it has to be one")
        .into(),
        (None, _) => Diagnostic::error(
            "no-such-assertion",
            format!("`--assertion {wanted}` picks no assertion"),
        )
        .hint("give a number, counted from 1, or a part of the text")
        .into(),
    }
}

fn rendered(call: &Symmetry, mut description: SymmetryDescription) -> String {
    // A drawing is of the relations.
    if !call.pbisims && call.format != SymmetryFormat::Dot {
        description.pbisims = None;
    }
    match call.format {
        SymmetryFormat::Text => text::render(&description),
        SymmetryFormat::Json => format!("{}\n", description.json()),
        SymmetryFormat::Dot => dot::render(&description),
    }
}

/// Writes why nothing can be told; never a success.
fn failed(
    call: &Symmetry,
    problems: &[Diagnostic],
    sources: &SourceMap,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = failure(call);
    let is_json = call.format == SymmetryFormat::Json;
    console.failure(problems, sources, is_json.then_some(&report))
}

/// Makes of a message a line of JSON without the newline.
fn failure(call: &Symmetry) -> impl Fn(String) -> String + use<> {
    let (specification, implementation) = match call.subject() {
        Some(Subject::Processes {
            specification,
            implementation,
        }) => (Some(specification), Some(implementation)),
        _ => (None, None),
    };
    let file = call.file().to_string();
    let specification = specification.map(str::to_string);
    let implementation = implementation.map(str::to_string);
    move |message| {
        let report = SymmetryFailure {
            file: file.clone(),
            specification: specification.clone(),
            implementation: implementation.clone(),
            message,
        };
        report.json()
    }
}
