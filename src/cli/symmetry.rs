//! `cspsym symmetry SPEC IMPL FILE`: the symmetries that a check can use, explained.

use std::io;

use crate::checker::{Error, Script, Subject};
use crate::report::symmetry::{SymmetryDescription, SymmetryFailure, dot, text};

use super::answer::{ScriptQuestion, failing};
use super::arguments::{SymmetryAbout, SymmetryCall, SymmetryFormat};
use super::console::Console;
use super::files::Files;
use super::output::OneLine;
use super::selection;
use super::status::Status;

/// Finds the symmetries and prints what is known of them.
pub(super) fn run(
    call: &SymmetryCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let is_json = call.format == SymmetryFormat::Json;
    let question = ScriptQuestion {
        file: call.file(),
        title: call.words.join(" "),
        definitions: &call.reducing.compiling.common.definitions,
        options: call.options(console.monitor().memory()),
        failure: is_json.then(|| failure(call)),
    };
    question.put(files, console, |script, options, task| {
        let description = script.symmetry(subject(call, script)?, options, task)?;
        Ok(rendered(call, description))
    })
}

/// What is asked about. Of several assertions it is not for the program to choose one.
fn subject<'a>(call: &'a SymmetryCall, script: &Script) -> Result<Subject<'a>, Error> {
    let wanted = match call.subject() {
        Some(SymmetryAbout::Processes {
            specification,
            implementation,
        }) => {
            return Ok(Subject::Refinement {
                specification,
                implementation,
            });
        }
        Some(SymmetryAbout::Assertion(wanted)) => wanted,
        None => unreachable!("arguments of another number are refused when they are read"),
    };
    selection::only(wanted, &script.assertions()).map(Subject::Assertion)
}

fn rendered(call: &SymmetryCall, mut description: SymmetryDescription) -> String {
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

fn failure(call: &SymmetryCall) -> OneLine {
    let (specification, implementation) = match call.subject() {
        Some(SymmetryAbout::Processes {
            specification,
            implementation,
        }) => (Some(specification), Some(implementation)),
        _ => (None, None),
    };
    let file = call.file().to_string();
    let specification = specification.map(str::to_string);
    let implementation = implementation.map(str::to_string);
    failing(move |message| {
        let report = SymmetryFailure {
            file: file.clone(),
            specification: specification.clone(),
            implementation: implementation.clone(),
            message,
        };
        report.json()
    })
}
