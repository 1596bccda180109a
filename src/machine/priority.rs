//! Priorities in a machine: gates, which a rule passes only while no event above its own is
//! possible.
//!
//! Every operator `prioritise` of the tree is a gate. The events that are possible below it,
//! regardless of the operators above, decide which of its rules are blocked. So a gate keeps those
//! rules as they were at its place in the tree, and each rule of the whole machine has the gates it
//! passes and the class of its event at each.

use std::sync::Arc;

use super::rules::Rule;
use base::define_index;
use process::priority::Priority;

define_index! {
    /// A gate of a [`Machine`](super::Machine); those further in have smaller numbers.
    GateId,
}

/// One operator `prioritise` that can block something.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The order of the events.
    pub priority: Arc<Priority>,
    /// The rules below it whose events are above some other, each with its class and the gates
    /// further in that it passes.
    pub rules: Vec<(u32, Rule)>,
    /// The greatest number of gates inside each other that stand below this one.
    pub level: u32,
}

/// A rule's event at a gate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pass {
    /// The gate.
    pub gate: GateId,
    /// The class of the event there.
    pub class: u32,
}

/// The gates that a rule passes, ascending. Most rules pass none, which takes one word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Passes(Option<Arc<Vec<Pass>>>);

impl Passes {
    /// The passes, ascending.
    pub fn as_slice(&self) -> &[Pass] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// True if the rule passes no gate.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// These passes and one more.
    pub(super) fn with(&self, pass: Pass) -> Self {
        let mut all = self.as_slice().to_vec();
        all.push(pass);
        all.sort_unstable();
        Self(Some(Arc::new(all)))
    }

    /// The passes of two rules that happen together.
    pub(super) fn joined(self, other: Self) -> Self {
        match (self.0, other.0) {
            (passes, None) | (None, passes) => Self(passes),
            (Some(left), Some(right)) => {
                let mut all = [&left[..], &right[..]].concat();
                all.sort_unstable();
                Self(Some(Arc::new(all)))
            }
        }
    }
}
