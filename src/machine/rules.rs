//! Synchronisation rules, and the gates of priorities that they pass.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::leaf::Action;
use super::priority::Passes;
use super::structure::LeafId;
use process::event::EventId;

/// One way to do one event of the machine: some leaves act together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rule {
    /// The leaves that take part, and the action of each. They ascend in the rules of a machine; in
    /// unfinished rules `flatten` has yet to sort them.
    pub participants: SmallVec<[(LeafId, Action); 2]>,
    /// The event of the machine: visible, τ or ✓.
    pub result: EventId,
    /// The event before all hiding and renaming, of the leftmost leaf that takes part.
    pub origin: EventId,
    /// The gates of priorities that the rule passes.
    pub passes: Passes,
}

impl Rule {
    /// The rule by which these `participants` do `event` together.
    pub(super) fn of(
        participants: impl IntoIterator<Item = (LeafId, Action)>,
        event: EventId,
    ) -> Self {
        Self {
            participants: participants.into_iter().collect(),
            result: event,
            origin: event,
            passes: Passes::default(),
        }
    }
}

/// The rules of a part of the tree, by the event that the part's environment sees.
pub(super) type Offers = BTreeMap<EventId, Vec<Rule>>;
