//! The transition system of a process as plain data, written as JSON, for Graphviz, in the format
//! of Aldebaran, or as a drawing.

mod aut;
mod dot;
mod overview;
mod svg;

use std::io::{self, Write};

use serde::Serialize;

use super::json::Printed;
use base::diag::Diagnostic;
use base::number::{counted, plain};

pub use aut::TauLabel;
pub use overview::{GraphGrouping, GraphOverview};

/// The text of τ in graphs.
pub const TAU_TEXT: &str = "τ";
/// The text of ✓ in graphs.
pub const TICK_TEXT: &str = "✓";

/// A transition system with the term of each state and what was hidden, or the part of one that
/// bounds allow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StateGraph {
    /// The script, as it was named.
    pub file: String,
    /// The process.
    pub expression: String,
    /// The compression that was asked for; absent if every state of the process is there.
    pub compression: Option<String>,
    /// True if all states are there. If not, `omitted` says of each state how much is not.
    pub complete: bool,
    /// The states, breadth first: the first one, number 0, is the initial one.
    pub states: Vec<GraphState>,
    /// The transitions, ascending by the state that they come from.
    pub transitions: Vec<GraphTransition>,
    /// The symmetries by which states have orbits; absent unless orbits were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orbits: Option<GraphOrbits>,
}

/// The orbits of the states of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GraphOrbits {
    /// The assertion in whose check the states are searched: each is one of the specification and
    /// one of the process.
    pub check: String,
    /// True if the symmetries have to fix the initial states.
    pub start_fixed: bool,
    /// The number of symmetries; decimal, of any size.
    pub order: String,
    /// The structure of the group of the symmetries.
    pub structure: String,
    /// The number of orbits to which the states belong.
    pub count: usize,
}

/// A state of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GraphState {
    /// The process as it has become, as CSPm. Absent if compressing has made one state of several.
    pub term: Option<String>,
    /// The number of its transitions that lead to states that are not there. A state with such
    /// transitions is at the frontier.
    pub omitted: u64,
    /// The number of its orbit, counted from 0 in the order in which they are met; absent unless
    /// orbits were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orbit: Option<usize>,
    /// True if a search stores it for all states of its orbit; absent unless orbits were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representative: Option<bool>,
}

/// A transition of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GraphTransition {
    /// The state that it comes from.
    pub from: usize,
    /// The event as CSPm, `τ` for an internal step, `✓` for termination.
    pub label: String,
    /// Of a τ, the events that it may be before hiding, or `✓` where `;` has hidden that. Empty if
    /// it is a choice of the process's own, and if the graph is compressed.
    pub hidden: Vec<String>,
    /// The state that it leads to.
    pub to: usize,
}

/// The JSON object printed where there is no graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GraphFailure {
    /// The script, as it was named.
    pub file: String,
    /// The process whose graph was asked for.
    pub expression: String,
    /// The reason why there is no graph, in one line that begins with the code of the message.
    pub message: String,
}

impl GraphFailure {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        super::json::json(self)
    }
}

impl StateGraph {
    /// Writes the graph as one line of JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &Printed::of(self))?;
        out.write_all(b"\n")
    }

    /// Writes the graph in the DOT language.
    pub fn write_dot(&self, out: &mut dyn Write) -> io::Result<()> {
        dot::write(self, out)
    }

    /// Writes the graph in the format of Aldebaran, which cannot say that states are missing.
    pub fn write_aut(&self, tau: TauLabel, out: &mut dyn Write) -> io::Result<()> {
        aut::write(self, tau, out)
    }

    /// An event whose name means τ or ✓ in the format of Aldebaran, so that it cannot be written
    /// there.
    pub(crate) fn reserved_label(&self) -> Option<&str> {
        aut::reserved(self)
    }

    /// The reason why the graph cannot be written in the format of Aldebaran; `None` if it can be.
    /// Of missing states it gives no hint: how to ask for more depends on who asks.
    pub fn unwritable_in_aut(&self) -> Option<Diagnostic> {
        if !self.complete {
            let there = plain(self.states.len(), "state");
            let message = format!("the graph of `{}` has more than {there}", self.expression);
            let note =
                "the format of Aldebaran cannot say that states are missing, so nothing is written";
            return Some(Diagnostic::undecided("large-graph", message).note(note));
        }
        let label = self.reserved_label()?;
        let message = format!("`{label}` is an event, and not one in the format aut");
        let note = "there `tau` and `i` are internal steps, `tick` and `exit` are termination";
        let problem = Diagnostic::undecided("reserved-label", message).note(note);
        Some(problem.hint("rename the event: `P[[exit <- leave]]`"))
    }

    /// Writes a drawing of the graph, in which states are put together as `overview` says.
    pub fn write_svg(&self, overview: &GraphOverview, out: &mut dyn Write) -> io::Result<()> {
        svg::write(self, overview, out)
    }

    /// The overview of the graph where nobody asks for a certain one: each state is drawn if they
    /// are few. The states of the groups `expanded` are drawn all the same.
    pub fn fitting_overview(&self, expanded: Vec<usize>) -> GraphOverview {
        GraphOverview {
            grouping: overview::fitting(&self.successors()),
            expanded,
        }
    }

    /// By state, the states that its transitions lead to.
    fn successors(&self) -> Vec<Vec<u32>> {
        let mut successors = vec![Vec::new(); self.states.len()];
        for transition in &self.transitions {
            successors[transition.from].push(transition.to as u32);
        }
        successors
    }

    /// The title: `P: 3 states, 4 transitions`, and at how many states something is not there.
    pub fn title(&self) -> String {
        let compressed = self.compression.as_deref();
        let name = match compressed {
            Some(compression) => format!("{compression}({})", self.expression),
            None => self.expression.clone(),
        };
        let states = counted(self.states.len() as u64, "state");
        let transitions = counted(self.transitions.len() as u64, "transition");
        let part = match self.frontier() {
            0 => String::new(),
            frontier => format!(", incomplete at {}", plain(frontier, "state")),
        };
        format!("{name}: {states}, {transitions}{part}")
    }

    /// The number of states that have transitions to states that are not there.
    pub fn frontier(&self) -> usize {
        let frontier = self.states.iter().filter(|state| state.omitted > 0);
        frontier.count()
    }
}

impl GraphTransition {
    /// The transition as text: `a.1`, or `τ (b)` for a hidden `b`.
    fn text(&self) -> String {
        match self.hidden.as_slice() {
            [] => self.label.clone(),
            hidden => format!("{} ({})", self.label, hidden.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests;
