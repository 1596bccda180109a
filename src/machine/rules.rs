//! Synchronisation rules, and the gates of priorities that they pass.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::leaf::Action;
use super::priority::Passes;
use super::structure::LeafId;
use crate::process::event::EventId;

/// Some leaves act at once, and the whole machine does one event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rule {
    /// The leaves that take part, ascending, and what each does.
    pub participants: SmallVec<[(LeafId, Action); 2]>,
    /// The event of the machine: visible, τ or ✓.
    pub result: EventId,
    /// The event before all hiding and renaming, as the leftmost leaf that takes part does it.
    pub origin: EventId,
    /// The gates that it passes.
    pub passes: Passes,
}

/// What a part of the tree offers, by the event that its environment sees.
pub(super) type Offers = BTreeMap<EventId, Vec<Rule>>;
