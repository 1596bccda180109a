//! `cspsym graph PROCESS FILE`: the transition system of a process, for other programs and for
//! people.

use base::diag::Diagnostic;
use base::number::{counted, plain};
use checker::{GraphOptions, WalkSubject};
use report::graph::{GraphFailure, StateGraph};

use host::answer::{ScriptQuestion, failing};
use host::arguments::{GraphCall, GraphFormat};
use host::console::Console;
use host::files::Files;
use host::outcome::CallEnd;
use host::output::OneLine;

/// The number of states in a drawing unless the call gives one: more are hard to make out.
const MOST_DRAWN: usize = 150;

/// The number of states in an overview unless the call gives one.
const MOST_IN_OVERVIEW: usize = 20_000;

/// Lists the process and writes its graph.
pub(super) fn run(call: &GraphCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    let question = ScriptQuestion {
        file: &call.file,
        title: call.expression.clone(),
        definitions: &call.reducing.compiling.common.definitions,
        options: call.options(console.monitor().memory()),
        failure: (call.format == GraphFormat::Json).then(|| failure(call)),
    };
    let (wanted, most) = wanted(call);
    question.put_written(
        files,
        console,
        |script, options, task| {
            let graph = match call.orbits {
                true => {
                    let subject = WalkSubject::Process(&call.expression);
                    script.orbit_graph(subject, &wanted, options, task)?
                }
                false => script.graph(&call.expression, &wanted, options, task)?,
            };
            let incomplete = (!graph.complete).then(|| incomplete(call, &graph, most));
            let reserved = match call.format {
                GraphFormat::Aut => graph.reserved_in_aut().map(reserved),
                _ => None,
            };
            Ok((graph, incomplete.or(reserved)))
        },
        |(graph, problem), out| {
            match call.format {
                // The format cannot tell that something is missing, nor an event from τ.
                GraphFormat::Aut if problem.is_some() => {}
                GraphFormat::Aut => graph.write_aut(call.tau_label.into(), out)?,
                GraphFormat::Dot => graph.write_dot(out)?,
                GraphFormat::Json => graph.write_json(out)?,
                GraphFormat::Svg => graph.write_svg(&call.overview(), out)?,
            }
            Ok(problem)
        },
    )
}

/// The options that the call gives, and the limit that `--max-nodes` sets.
fn wanted(call: &GraphCall) -> (GraphOptions, Option<usize>) {
    let most = match (call.max_nodes, call.format) {
        (Some(most), _) => Some(usize::try_from(most).unwrap_or(usize::MAX)),
        (None, GraphFormat::Svg) if call.overview.is_some() => Some(MOST_IN_OVERVIEW),
        (None, GraphFormat::Svg) => Some(MOST_DRAWN),
        (None, _) => None,
    };
    let wanted = GraphOptions {
        most_states: most,
        depth: call.depth.map(|most| most.try_into().unwrap_or(usize::MAX)),
        compression: call.compress.map(Into::into),
        terms: call.format != GraphFormat::Aut,
    };
    (wanted, most)
}

/// The message about a graph in which something is missing.
fn incomplete(call: &GraphCall, graph: &StateGraph, most: Option<usize>) -> Diagnostic {
    let (name, count) = (&call.expression, graph.states.len());
    let there = plain(count, "state");
    let (message, note) = match call.format {
        GraphFormat::Aut => (
            format!("the graph of `{name}` has more than {there}"),
            "the format of Aldebaran cannot say that states are missing, so nothing is written"
                .to_string(),
        ),
        _ => {
            let frontier = counted(graph.frontier() as u64, "state");
            (
                format!("the graph of `{name}` is incomplete"),
                format!(
                    "it has the {there} nearest to the initial one; transitions of {frontier} lead to others"
                ),
            )
        }
    };
    let hint = match call.depth {
        _ if most == Some(count) => {
            "ask for more with --max-nodes, or for fewer with --compress sbisim or wbisim"
        }
        Some(_) => "ask for more with --depth",
        None => "allow more with --max-states, or choose a smaller instance with -D",
    };
    Diagnostic::undecided("large-graph", message)
        .note(note)
        .hint(hint)
}

/// The `problem` of an event that the format of Aldebaran has no way to write, explained.
fn reserved(problem: Diagnostic) -> Diagnostic {
    problem.note("there `tau` and `i` are internal steps, `tick` and `exit` are termination")
}

fn failure(call: &GraphCall) -> OneLine {
    let (file, expression) = (call.file.clone(), call.expression.clone());
    failing(move |message| {
        let report = GraphFailure {
            file: file.clone(),
            expression: expression.clone(),
            message,
        };
        report.json()
    })
}
