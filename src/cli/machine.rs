//! `cspsym machine EXPR FILE`: the structured machine of a process, or its communication graph.

use std::io::{self, Write};

use base::diag::Diagnostic;
use base::number::plain;
use checker::{Options, Script, Task};
use report::channels::{self, ChannelGraph};
use report::dot;
use report::machine::{MachineDescription, MachineFailure};

use host::answer::{ScriptQuestion, failing};
use host::arguments::{MachineCall, MachineFormat};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::OneLine;

/// The most nodes of an operator tree, or components, in a drawing: more are hard to make out.
const MOST_DRAWN: usize = 400;

/// Compiles the process and prints its machine, or its communication graph.
pub(super) fn run(call: &MachineCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let is_json = call.format == MachineFormat::Json;
    let question = ScriptQuestion {
        file: &call.file,
        title: call.expression.clone(),
        definitions: &call.compiling.common.definitions,
        options: call.compiling.options(console.monitor().memory()),
        failure: is_json.then(|| failure(call)),
    };
    if call.channels {
        let graph = |script: &Script, options: &Options, task: &Task| {
            script.channels(&call.expression, options, task)
        };
        return question.put_written(files, console, graph, |graph, out| {
            put_channels(&graph, call.format, out)
        });
    }
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
    let problem = too_large(
        message,
        "only those nearest to the root are drawn, and below them how many there are",
    );
    Ok((machine.nodes.len() > MOST_DRAWN).then_some(problem))
}

/// Prints a communication graph. Returns a message if it is drawn and too large for that.
fn put_channels(
    graph: &ChannelGraph,
    format: MachineFormat,
    out: &mut dyn Write,
) -> io::Result<Option<Diagnostic>> {
    match format {
        MachineFormat::Text => out.write_all(channels::text::render(graph).as_bytes())?,
        MachineFormat::Json => writeln!(out, "{}", graph.json())?,
        MachineFormat::Dot => out.write_all(channels::dot::render(graph).as_bytes())?,
        MachineFormat::Svg => {
            graph.write_svg(MOST_DRAWN, out)?;
            let most = plain(MOST_DRAWN, "component");
            let message = format!("`{}` has more than {most}", graph.expression);
            let problem = too_large(message, "only the first ones are drawn");
            return Ok((graph.components.len() > MOST_DRAWN).then_some(problem));
        }
    }
    Ok(None)
}

fn too_large(message: String, note: &str) -> Diagnostic {
    Diagnostic::undecided("large-graph", message)
        .note(note)
        .hint("`--format dot` has all of them")
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
