//! Priorities in a machine: gates, which a rule passes only while nothing above it is possible.
//!
//! Every operator `prioritise` of the tree is a gate. What can happen below it, alone and with no regard to what stands
//! above, decides which of its rules are blocked; so a gate keeps those rules as they were at its place in the tree,
//! and each rule of the whole machine says which gates it passes and in which class of their events.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::{Budget, Made};
use super::rules::{Offers, Rule};
use crate::base::index::{IndexVec, TypedIndex};
use crate::define_index;
use crate::process::priority::Priority;

define_index! {
    /// A gate of a [`Machine`](super::Machine); those further in have smaller numbers.
    GateId,
}

/// One operator `prioritise` by which something can be blocked.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its order.
    pub priority: Arc<Priority>,
    /// The rules below it whose events are above some other, each with its class and the gates it passes further in.
    pub rules: Vec<(u32, Rule)>,
    /// How many gates inside each other there are below it, at most.
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

/// The gates that a rule passes; ascending. Most rules pass none, and then it takes one word.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Passes(Option<Arc<Vec<Pass>>>);

impl Passes {
    /// The passes, ascending.
    pub fn as_slice(&self) -> &[Pass] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// These and one more.
    fn with(&self, pass: Pass) -> Self {
        let mut all = self.as_slice().to_vec();
        all.push(pass);
        all.sort_unstable();
        Self(Some(Arc::new(all)))
    }

    /// Those of two rules that happen together.
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

/// Sends what is offered below a gate through it, and adds the gate, unless it never blocks anything.
pub(super) fn through_gate(
    mut offers: Offers,
    priority: &Arc<Priority>,
    gates: &mut IndexVec<GateId, Gate>,
    budget: &mut Budget<'_, '_>,
) -> Made<Offers> {
    let classes = offers.keys().filter_map(|&event| priority.class(event));
    let offered: FxHashSet<u32> = classes.collect();
    let higher = |class: u32| priority.above(class).iter().filter(|c| offered.contains(c));
    let blocking: FxHashSet<u32> = offered.iter().flat_map(|&c| higher(c)).copied().collect();
    if blocking.is_empty() {
        return Ok(offers);
    }
    let id = GateId::from_usize(gates.len());
    let mut gate = Gate {
        priority: Arc::clone(priority),
        rules: Vec::new(),
        level: 0,
    };
    // Few lists are different, and rules share them.
    let mut known: FxHashMap<(Passes, u32), Passes> = FxHashMap::default();
    for (&event, rules) in &mut offers {
        budget.look(rules.len())?;
        for rule in rules.iter() {
            let inner = rule.passes.as_slice().iter();
            let level = inner.map(|pass| gates[pass.gate].level + 1).max();
            gate.level = gate.level.max(level.unwrap_or(0));
        }
        let Some(class) = priority.class(event) else {
            continue;
        };
        if blocking.contains(&class) {
            let rules = rules.iter().map(|rule| {
                let mut rule = rule.clone();
                rule.participants.sort_unstable();
                (class, rule)
            });
            gate.rules.extend(rules);
        } else if higher(class).next().is_none() {
            continue;
        }
        let pass = Pass { gate: id, class };
        for rule in rules {
            let before = std::mem::take(&mut rule.passes);
            let passes = known.entry((before, class));
            let passes = passes.or_insert_with_key(|(before, _)| before.with(pass));
            rule.passes = passes.clone();
        }
    }
    gates.push(gate);
    Ok(offers)
}
