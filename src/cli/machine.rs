//! `cspsym machine EXPR FILE`: the structured machine of a process.

use std::io::{self, Write};

use base::diag::Diagnostic;
use base::number::plain;
use checker::{Options, Script, Task};
use report::dot;
use report::machine::{MachineDescription, MachineFailure};

use host::answer::{ScriptQuestion, failing};
use host::arguments::{MachineCall, MachineFormat};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::OneLine;

/// The most nodes in a drawing of an operator tree: more are hard to make out.
const MOST_DRAWN: usize = 400;

/// Compiles the process and prints its machine.
pub(super) fn run(call: &MachineCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let is_json = call.format == MachineFormat::Json;
    let question = ScriptQuestion {
        file: &call.file,
        title: call.expression.clone(),
        definitions: &call.compiling.common.definitions,
        options: call.compiling.options(console.monitor().memory()),
        failure: is_json.then(|| failure(call)),
    };
    let machine = |script: &Script, options: &Options, task: &Task| {
        script.machine(&call.expression, options, task)
    };
    question.put_written(files, console, machine, |machine, out| {
        match call.format {
            MachineFormat::Text => out.write_all(machine.text().as_bytes())?,
            MachineFormat::Json => writeln!(out, "{}", machine.json())?,
            MachineFormat::Dot => out.write_all(dot::render(&machine).as_bytes())?,
            MachineFormat::Svg => return svg(&machine, out),
        }
        Ok(None)
    })
}

/// Draws the machine. Returns a message if it is too large for that.
fn svg(machine: &MachineDescription, out: &mut dyn Write) -> io::Result<Option<Diagnostic>> {
    machine.write_svg(MOST_DRAWN, out)?;
    let message = format!(
        "the operator tree of `{}` has more than {}",
        machine.expression,
        plain(MOST_DRAWN, "node")
    );
    let problem = Diagnostic::undecided("large-graph", message)
        .note("only those nearest to the root are drawn, and below them how many there are")
        .hint("`--format dot` has all of them");
    Ok((machine.nodes.len() > MOST_DRAWN).then_some(problem))
}

fn failure(call: &MachineCall) -> OneLine {
    let (file, expression) = (call.file.clone(), call.expression.clone());
    failing(move |message| {
        let report = MachineFailure {
            file: file.clone(),
            expression: expression.clone(),
            message,
        };
        report.json()
    })
}
