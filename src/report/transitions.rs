//! A transition system as plain data.

use serde::Serialize;

/// All that a process can do, state by state. The states are numbered in the order in which they
/// are found, and the initial one is 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TransitionSystem {
    /// The labels of transitions: events as CSPm, `τ` for internal steps and `✓` for termination.
    pub labels: Vec<String>,
    /// By state, what it can do: the position of the label, and the state that this leads to.
    pub transitions: Vec<Vec<(usize, usize)>>,
}

impl TransitionSystem {
    /// What `state` can do, by label, and the state that this leads to.
    pub fn steps(&self, state: usize) -> impl Iterator<Item = (&str, usize)> {
        let steps = self.transitions[state].iter();
        steps.map(|&(label, to)| (self.labels[label].as_str(), to))
    }
}
