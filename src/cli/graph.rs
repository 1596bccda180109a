//! `cspsym graph PROCESS FILE`: the transition system of a process, for other programs and for
//! people.

use base::diag::Diagnostic;
use base::number::{counted, plain};
use checker::{GraphOptions, WalkSubject};
use report::graph::{GraphFailure, StateGraph};

use host::answer::{ScriptQuestion, failing};
use host::arguments::{GraphCall, GraphFormat, OverviewWish};
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
            let problem = match call.format {
                GraphFormat::Aut => graph.unwritable_in_aut(),
                _ => (!graph.complete).then(|| incomplete(&graph)),
            };
            let problem = problem.map(|problem| match graph.complete {
                true => problem,
                false => problem.hint(to_ask_for_more(call, &graph, most)),
            });
            Ok((graph, problem))
        },
        |(graph, problem), out| {
            match call.format {
                // The format cannot tell that something is missing, nor an event from τ.
                GraphFormat::Aut if problem.is_some() => {}
                GraphFormat::Aut => graph.write_aut(call.tau_label.into(), out)?,
                GraphFormat::Dot => graph.write_dot(out)?,
                GraphFormat::Json => graph.write_json(out)?,
                GraphFormat::Svg => {
                    let overview = OverviewWish::overview(call.overview, &graph, Vec::new());
                    graph.write_svg(&overview, out)?;
                }
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

/// The message about a graph in which something is missing, in a format that shows where.
fn incomplete(graph: &StateGraph) -> Diagnostic {
    let (name, there) = (&graph.expression, plain(graph.states.len(), "state"));
    let frontier = counted(graph.frontier() as u64, "state");
    let message = format!("the graph of `{name}` is incomplete");
    Diagnostic::undecided("large-graph", message).note(format!(
        "it has the {there} nearest to the initial one; transitions of {frontier} lead to others"
    ))
}

/// The hint at the option by which more of `graph` is printed.
fn to_ask_for_more(call: &GraphCall, graph: &StateGraph, most: Option<usize>) -> &'static str {
    match call.depth {
        _ if most == Some(graph.states.len()) => {
            "ask for more with --max-nodes, or for fewer with --compress sbisim or wbisim"
        }
        Some(_) => "ask for more with --depth",
        None => "allow more with --max-states, or choose a smaller instance with -D",
    }
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
