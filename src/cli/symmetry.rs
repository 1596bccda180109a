//! `cspsym symmetry SPEC IMPL FILE`: the symmetries that a check can use, explained; with
//! `--for-all N` the views of a few identities.

use checker::{Error, Options, Script, Strategy, Subject};
use report::symmetry::{SymmetryDescription, SymmetryFailure, dot, text};
use report::text::Detail;

use super::verdicts::Verdicts;
use host::answer::{ScriptQuestion, failing};
use host::arguments::{Format, SymmetryCall, SymmetryFormat};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::OneLine;
use host::remaining::VerdictPrinter;
use host::selection;

/// Finds the symmetries and prints what is known of them.
pub(super) fn run(call: &SymmetryCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    if call.for_all.is_some() {
        return views(call, files, console);
    }
    let is_json = call.format == SymmetryFormat::Json;
    let options = call.options(console.monitor().memory());
    // Relations are between states, so all components are listed.
    let strategy = relates(call).then_some(Strategy::Machine);
    let question = ScriptQuestion {
        file: call.file(),
        title: call.words.join(" "),
        definitions: &call.reducing.compiling.common.definitions,
        options: Options {
            strategy,
            ..options
        },
        failure: is_json.then(|| failure(call)),
    };
    question.put(files, console, |script, options, task| {
        let description = script.symmetry(subject(call, script)?, options, task)?;
        Ok(rendered(call, description))
    })
}

/// Decides the assertion for every value of a constant, and prints the verdict with the views that
/// show it.
fn views(call: &SymmetryCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let options = Options {
        for_all: call.for_all.clone(),
        lists_views: true,
        ..call.options(console.monitor().memory())
    };
    let format = match call.format {
        SymmetryFormat::Json => Format::Json,
        SymmetryFormat::Text | SymmetryFormat::Dot => Format::Text,
    };
    let mut verdicts = Verdicts::new(options, VerdictPrinter::new(format, Detail::Normal));
    let definitions = &call.reducing.compiling.common.definitions[..];
    let (script, title) = ((call.file(), definitions), call.words.join(" "));
    let title = (title.clone(), title);
    verdicts.single(script, title, files, console, |verdicts, script, task| {
        let options = &verdicts.options;
        Ok(match subject(call, script)? {
            Subject::Refinement {
                specification,
                implementation,
            } => script.refine(specification, implementation, options, task),
            Subject::Assertion(index) => script.check(index, options, task),
        })
    })?;
    Ok(())
}

/// The subject of the call. If its text picks several assertions, the program chooses none of them.
fn subject<'a>(call: &'a SymmetryCall, script: &Script) -> Result<Subject<'a>, Error> {
    if let Some((specification, implementation)) = call.processes() {
        return Ok(Subject::Refinement {
            specification,
            implementation,
        });
    }
    let wanted = call.assertion.as_deref().unwrap_or_default();
    selection::only(wanted, &script.assertions()).map(Subject::Assertion)
}

/// True if the call shows which state goes to which; a drawing always does.
fn relates(call: &SymmetryCall) -> bool {
    call.pbisims || call.format == SymmetryFormat::Dot
}

fn rendered(call: &SymmetryCall, mut description: SymmetryDescription) -> String {
    if !relates(call) {
        description.pbisims = None;
    }
    match call.format {
        SymmetryFormat::Text => text::render(&description),
        SymmetryFormat::Json => format!("{}\n", description.json()),
        SymmetryFormat::Dot => dot::render(&description),
    }
}

fn failure(call: &SymmetryCall) -> OneLine {
    let processes = call.processes();
    let processes = processes.map(|(one, other)| (one.to_string(), other.to_string()));
    let (file, (specification, implementation)) = (call.file().to_string(), processes.unzip());
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
