//! A graph in the DOT language of Graphviz.

use std::io::{self, Write};

use super::super::dot::escape;
use super::{GraphState, StateGraph};
use base::excerpt::shortened;

/// A term of more characters than this is cut in a label; the tooltip has all of it.
const LONGEST_TERM: usize = 60;

/// Writes `graph`. States are boxes with their number and term; those at the frontier are dashed,
/// and an arrow from nowhere leads to the initial one.
pub(super) fn write(graph: &StateGraph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph transitions {{")?;
    writeln!(out, "  fontname=\"Helvetica\";")?;
    writeln!(
        out,
        "  node [shape=box, style=rounded, fontname=\"Helvetica\"];"
    )?;
    writeln!(out, "  edge [fontname=\"Helvetica\"];")?;
    writeln!(out, "  label=\"{}\";", escape(&graph.title()))?;
    writeln!(out, "  start [shape=point, style=invis];")?;
    writeln!(out, "  start -> s0;")?;
    for (number, state) in graph.states.iter().enumerate() {
        write_state(number, state, out)?;
    }
    for transition in &graph.transitions {
        let style = match transition.label == super::TAU_TEXT {
            true => ", style=dashed",
            false => "",
        };
        writeln!(
            out,
            "  s{} -> s{} [label=\"{}\"{style}];",
            transition.from,
            transition.to,
            escape(&transition.text())
        )?;
    }
    writeln!(out, "}}")
}

fn write_state(number: usize, state: &GraphState, out: &mut dyn Write) -> io::Result<()> {
    let mut label = number.to_string();
    let mut tooltip = String::new();
    if let Some(term) = &state.term {
        label = format!("{label}\n{}", shortened(term, LONGEST_TERM));
        tooltip = format!(", tooltip=\"{}\"", escape(term));
    }
    let mut style = "";
    if state.omitted > 0 {
        label = format!("{label}\n{} more", state.omitted);
        style = ", style=\"rounded,dashed\"";
    }
    writeln!(
        out,
        "  s{number} [label=\"{}\"{tooltip}{style}];",
        escape(&label)
    )
}
