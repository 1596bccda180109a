//! A graph in the format of Aldebaran, which mCRL2, CADP and others read.

use std::io::{self, Write};

use super::{StateGraph, TAU_TEXT, TICK_TEXT};

/// The word for τ: each of the other programs has its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TauLabel {
    /// `tau`, as mCRL2 reads it.
    Tau,
    /// `i`, as CADP reads it.
    I,
}

impl TauLabel {
    fn text(self) -> &'static str {
        match self {
            TauLabel::Tau => "tau",
            TauLabel::I => "i",
        }
    }
}

/// Names of events that one program or another would take for τ or ✓.
const RESERVED: [&str; 4] = ["tau", "i", "tick", "exit"];

/// An event of `graph` that has one of the reserved names.
pub(super) fn reserved(graph: &StateGraph) -> Option<&str> {
    let mut labels = graph.transitions.iter().map(|t| t.label.as_str());
    labels.find(|label| RESERVED.contains(label))
}

/// Writes a header with the initial state and the numbers of transitions and states; then a line
/// for each transition.
pub(super) fn write(graph: &StateGraph, tau: TauLabel, out: &mut dyn Write) -> io::Result<()> {
    let (transitions, states) = (graph.transitions.len(), graph.states.len());
    writeln!(out, "des (0, {transitions}, {states})")?;
    for transition in &graph.transitions {
        let label = match transition.label.as_str() {
            TAU_TEXT => tau.text(),
            TICK_TEXT => "tick",
            event => event,
        };
        let label = label.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "({}, \"{label}\", {})", transition.from, transition.to)?;
    }
    Ok(())
}
