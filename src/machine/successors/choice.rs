//! Chooses the kind of tables for a machine. The choice is made by counting the costs of a state
//! with each kind, never by measuring time, so that it is equal on every run and every computer.
//!
//! States of leaves count as equally likely, and leaves as independent. The weights are
//! nanoseconds, roughly, as `benches/successors.rs` finds them on its machines. There a transition
//! takes, by triggers and by bitsets: dijkstra 5 4.8 and 4.8, hanoi 7,8 8.6 and 4.4, philosophers
//! 10 4.3 and 2.1, sixty small leaves 19.6 and 5.1, solitaire 25 and 1.8, three leaves of 10^4
//! states 4.8 and 4.2, a ring of 1000 15 and 101, 1000 leaves that are busy 7.4 and 3.9, 10^5
//! events 56 and 7.3.

use super::bitsets::BitLayout;
use super::columns::Actions;
use super::quiet;
use crate::Machine;
use base::diag::Result;

/// The cost of looking at a trigger.
const TRIGGER: f64 = 1.5;
/// The cost of trying a move of a trigger, with a branch that the processor cannot foresee.
const MOVE: f64 = 3.0;
/// The cost of taking the state of a group and finding its set.
const GROUP: f64 = 1.5;
/// The cost of joining one word of a set.
const JOIN: f64 = 0.4;
/// The cost of searching a word of rules for those that are possible.
const SEARCH: f64 = 2.0;
/// The cost of finding the rule of a bit, and the bits that its participants flip.
const EFFECT: f64 = 2.0;
/// The largest number of words of sets. Larger ones leave the caches, and take long to fill in.
const MOST_WORDS: usize = 1 << 22;

/// True if bitsets take less time than triggers.
pub(super) fn prefers_bitsets(
    machine: &Machine,
    layout: &BitLayout<'_>,
    actions: &mut Actions<'_>,
) -> Result<bool> {
    if layout.most_words(machine) > MOST_WORDS {
        return Ok(false);
    }
    let (mut tried, mut possible) = (0.0, 0.0);
    let (mut triggers, mut awake) = (0, 0);
    let mut awake_last = None;
    let mut last = None;
    for (_, rule) in layout.rules() {
        actions.token.look(rule.participants.len())?;
        let trigger = actions.trigger(rule);
        let shares = actions.shares(rule);
        let leaf = Some(rule.participants[trigger].0);
        // Rules are in the order of their triggers, so each trigger is counted once.
        triggers += usize::from(leaf != last);
        last = leaf;
        let is_awake = actions
            .pairs(rule.participants[trigger])
            .first()
            // State 0 is the initial one, and pairs are ascending: a trigger with a move in it is
            // awake at first.
            .is_some_and(|p| p.0 == 0);
        if is_awake && awake_last != leaf {
            awake += 1;
            awake_last = leaf;
        }
        tried += shares[trigger];
        possible += shares.iter().product::<f64>();
    }
    // Triggers that sleep at first mostly do so later too, and `quiet` skips those at next to no
    // cost. Bitsets would look at all of them.
    if triggers >= quiet::LEAST && awake * 8 < triggers {
        return Ok(false);
    }
    let by_triggers = TRIGGER * triggers as f64 + MOVE * tried;
    let by_bits = GROUP * layout.group_count() as f64
        + JOIN * layout.joined_words() as f64
        + SEARCH * layout.rules().len().div_ceil(64) as f64
        + EFFECT * possible;
    Ok(by_bits < by_triggers)
}
