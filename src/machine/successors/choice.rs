//! Which tables a machine gets: by a count of what a state costs with each, never by measuring time, so that it is the
//! same on every run and every computer.
//!
//! States of leaves count as equally likely, and leaves as independent. The weights are nanoseconds, roughly, as
//! `benches/successors.rs` finds them on its machines.

use super::bitsets::Layout;
use super::columns::Actions;
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
) -> bool {
    if layout.most_words(machine) > MOST_WORDS {
        return false;
    }
    let (mut tried, mut possible) = (0.0, 0.0);
    let mut triggers = 0;
    let mut last = None;
    for (_, rule) in layout.rules() {
        let trigger = actions.trigger(rule);
        let shares = actions.shares(rule);
        let leaf = Some(rule.participants[trigger].0);
        triggers += usize::from(leaf != last);
        last = leaf;
        tried += shares[trigger];
        possible += shares.iter().product::<f64>();
    }
    let by_triggers = TRIGGER * triggers as f64 + MOVE * tried;
    let by_bits = GROUP * layout.group_count() as f64
        + JOIN * layout.joined_words() as f64
        + SEARCH * layout.rules().len().div_ceil(64) as f64
        + EFFECT * possible;
    by_bits < by_triggers
}
