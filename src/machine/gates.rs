//! Sends offers through a gate of priorities.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::{Budget, Made};
use super::priority::{Gate, GateId, Pass, Passes};
use super::rules::Offers;
use base::index::{IndexVec, TypedIndex};
use process::priority::Priority;

/// Sends `offers`, which stand below a gate, through it. The gate is added to `gates` unless it
/// never blocks anything.
pub(super) fn through_gate(
    mut offers: Offers,
    priority: &Arc<Priority>,
    gates: &mut IndexVec<GateId, Gate>,
    budget: &mut Budget<'_>,
) -> Made<Offers> {
    let classes = offers.keys().filter_map(|&event| priority.class(event));
    let offered: FxHashSet<u32> = classes.collect();
    let higher = |class: u32| priority.above(class).iter().filter(|c| offered.contains(c));
    let blocking: FxHashSet<u32> = offered.iter().flat_map(|&c| higher(c)).copied().collect();
    if blocking.is_empty() {
        return Ok(offers);
    }
    // Operands come before their operators, so gates further in have their numbers already.
    let id = GateId::from_usize(gates.len());
    let mut gate = Gate {
        priority: Arc::clone(priority),
        rules: Vec::new(),
        level: 0,
    };
    // There are few different lists of passes, which rules share.
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
            // The gate keeps copies: operators further out do not affect which rules are possible
            // here.
            let rules = rules.iter().map(|rule| {
                let mut rule = rule.clone();
                // Sorted like the machine's rules in `flatten`, with which `probes` compares them.
                rule.participants.sort_unstable();
                (class, rule)
            });
            gate.rules.extend(rules);
        // An event that neither blocks nor is blocked by any event offered here need not pass the
        // gate.
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
