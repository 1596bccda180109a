//! Which tables a machine gets: by a count of what a state costs with each, never by measuring time, so that it is the
//! same on every run and every computer.
//!
//! States of leaves count as equally likely, and leaves as independent. The weights are nanoseconds, roughly, as
//! `benches/successors.rs` finds them on its machines. There a transition takes, by triggers and by bitsets: dijkstra 5
//! 4.8 and 4.8, hanoi 7,8 8.6 and 4.4, philosophers 10 4.3 and 2.1, sixty small leaves 19.6 and 5.1, solitaire 25 and 1.8,
//! three leaves of 10^4 states 4.8 and 4.2, a ring of 1000 15 and 101, 1000 leaves that are busy 7.4 and 3.9, 10^5
//! events 56 and 7.3.

use super::bitsets::Layout;
use super::columns::Actions;
use super::quiet;
use crate::diag::Result;
use crate::machine::Machine;

/// A trigger is looked at.
const TRIGGER: f64 = 1.5;
/// Its move is tried, and a branch about it is taken that nobody foresees.
const MOVE: f64 = 3.0;
/// The state of a group is taken and its set found.
const GROUP: f64 = 1.5;
/// A word of a set is joined.
const JOIN: f64 = 0.4;
/// A word of rules is searched for those that are possible.
const SEARCH: f64 = 2.0;
/// A bit leads to a rule, and participants to what they flip.
const EFFECT: f64 = 2.0;
/// Sets of more words than this are not built: they leave the caches, and take long to fill in.
const MOST_WORDS: usize = 1 << 22;

/// Whether bitsets take less time than triggers.
pub(super) fn prefers_bitsets(
    machine: &Machine,
    layout: &Layout<'_>,
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
        triggers += usize::from(leaf != last);
        last = leaf;
        let is_awake = actions
            .pairs(rule.participants[trigger])
            .first()
            .is_some_and(|p| p.0 == 0);
        if is_awake && awake_last != leaf {
            awake += 1;
            awake_last = leaf;
        }
        tried += shares[trigger];
        possible += shares.iter().product::<f64>();
    }
    // Those that sleep at first mostly do so later too, and cost next to nothing.
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
