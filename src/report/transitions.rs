//! A transition system as plain data.

use serde::Serialize;

/// The transitions of a process, state by state. The states are numbered in the order in which they
/// are found, and the initial one is 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TransitionSystem {
    /// The labels of transitions: events as CSPm, `τ` for internal steps and `✓` for termination.
    pub labels: Vec<String>,
    /// By state, its transitions: the position of the label, and the state to which it leads.
    pub transitions: Vec<Vec<(usize, usize)>>,
}

impl TransitionSystem {
    /// The transitions of `state`: the label, and the state to which it leads.
    pub fn steps(&self, state: usize) -> impl Iterator<Item = (&str, usize)> {
        let steps = self.transitions[state].iter();
        steps.map(|&(label, to)| (self.labels[label].as_str(), to))
    }
}
