//! Events and sets of events.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use base::define_index;
use base::index::{IndexVec, TypedIndex};
use base::interner::Interner;

define_index! {
    /// An event of an [`EventTable`]; [`TAU`] and [`TICK`] have fixed numbers.
    EventId,
    /// A set of visible events, interned in an [`EventTable`].
    EventSetId,
}

/// The internal event.
pub const TAU: EventId = EventId(0);
/// Successful termination.
pub const TICK: EventId = EventId(1);

impl EventId {
    /// True if the event is neither τ nor ✓.
    pub fn is_visible(self) -> bool {
        self.0 > 1
    }
}

/// All events of a run, numbered in order of first appearance, by their CSPm text (`move.1.A.B`).
#[derive(Clone, Debug)]
pub struct EventTable {
    names: Interner<EventId, String>,
    sets: Interner<EventSetId, Defined>,
    members: IndexVec<EventSetId, Members>,
    /// The sets that contain all events of each channel.
    by_channel: FxHashMap<String, Vec<EventSetId>>,
}

/// The definition of a set.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Defined {
    /// These events, ascending.
    Listed(Arc<[EventId]>),
    /// All events of these channels, numbered or not. The channels ascend by name.
    Channels(Arc<[String]>),
}

/// The events of a set that are numbered.
#[derive(Clone, Default, Debug)]
struct Members {
    /// The numbered events, ascending.
    events: Vec<EventId>,
    bits: FixedBitSet,
}

impl Members {
    /// Adds an event with a higher number than those so far.
    fn push(&mut self, event: EventId) {
        self.events.push(event);
        self.bits.grow_and_insert(event.index());
    }
}

impl Default for EventTable {
    fn default() -> Self {
        let mut names: Interner<EventId, String> = Interner::new();
        names.intern("τ".to_string());
        names.intern("✓".to_string());
        Self {
            names,
            sets: Interner::new(),
            members: IndexVec::new(),
            by_channel: FxHashMap::default(),
        }
    }
}

impl EventTable {
    /// A table of τ and ✓ alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// The event called `name`, numbered if it is new.
    pub fn intern(&mut self, name: &str) -> EventId {
        let known = self.names.len();
        let event = self.names.intern_with(name, str::to_string);
        // A new event joins the sets of its whole channel. Its number is the highest so far, as
        // `Members::push` requires.
        if event.index() == known {
            for &set in self.by_channel.get(channel(name)).into_iter().flatten() {
                self.members[set].push(event);
            }
        }
        event
    }

    /// The event called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<EventId> {
        self.names.find(name)
    }

    /// The CSPm text of `event`, or `τ` or `✓`.
    pub fn name(&self, event: EventId) -> &str {
        &self.names[event]
    }

    /// The CSPm texts of `events`, in their order.
    pub fn names<'e>(&self, events: impl IntoIterator<Item = &'e EventId>) -> Vec<String> {
        let names = events.into_iter().map(|&event| self.name(event));
        names.map(str::to_string).collect()
    }

    /// The channel of `event`: its CSPm text up to the first dot.
    pub fn channel(&self, event: EventId) -> &str {
        channel(self.name(event))
    }

    /// The number of events, including τ and ✓.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Always false, because τ and ✓ are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The set of these events, in any order and with repetitions. Only visible events may be in
    /// it.
    pub fn intern_set(&mut self, mut events: Vec<EventId>) -> EventSetId {
        events.sort_unstable();
        events.dedup();
        let set = self.sets.intern(Defined::Listed(events.as_slice().into()));
        // The set is new if the interner has just numbered one set more than there are members of.
        if self.members.len() < self.sets.len() {
            let mut members = Members::default();
            events.into_iter().for_each(|event| members.push(event));
            self.members.push(members);
        }
        set
    }

    /// The set of all events of `channels`, in any order and with repetitions. Events that no
    /// process does cost nothing, so there may be very many.
    pub fn intern_channels(&mut self, mut channels: Vec<String>) -> EventSetId {
        channels.sort_unstable();
        channels.dedup();
        let set = self
            .sets
            .intern(Defined::Channels(channels.as_slice().into()));
        if self.members.len() < self.sets.len() {
            let mut members = Members::default();
            // The first two events, τ and ✓, belong to no channel.
            for (event, name) in self.names.iter().enumerate().skip(2) {
                if channels
                    .binary_search_by(|c| c.as_str().cmp(channel(name)))
                    .is_ok()
                {
                    members.push(EventId::from_usize(event));
                }
            }
            self.members.push(members);
            for channel in channels {
                self.by_channel.entry(channel).or_default().push(set);
            }
        }
        set
    }

    /// `set` with `event`. A set of channels gets all events of the channel of `event`.
    pub fn with(&mut self, set: EventSetId, event: EventId) -> EventSetId {
        match &self.sets[set] {
            Defined::Listed(events) => self.intern_set([events, &[event][..]].concat()),
            Defined::Channels(channels) => {
                let channel = channel(&self.names[event]).to_string();
                self.intern_channels([channels, &[channel][..]].concat())
            }
        }
    }

    /// The members of `set` that are numbered by now, ascending.
    pub fn set(&self, set: EventSetId) -> &[EventId] {
        &self.members[set].events
    }

    /// True if `set` contains all events of its channels, numbered or not.
    pub fn is_of_channels(&self, set: EventSetId) -> bool {
        matches!(&self.sets[set], Defined::Channels(_))
    }

    /// True if `set` is empty and stays so whatever events are numbered later.
    pub fn is_empty_set(&self, set: EventSetId) -> bool {
        match &self.sets[set] {
            Defined::Listed(events) => events.is_empty(),
            Defined::Channels(channels) => channels.is_empty(),
        }
    }

    /// True if `event` is in `set`. Takes constant time.
    pub fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.members[set].bits.contains(event.index())
    }
}

/// The channel of the event called `name`.
fn channel(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_channels_has_their_events_whenever_they_are_numbered() {
        let mut table = EventTable::new();
        let [before, other] = ["c.1", "d.1"].map(|name| table.intern(name));
        let set = table.intern_channels(vec!["e".to_string(), "c".to_string()]);
        let [later, more] = ["c.2", "cc.1"].map(|name| table.intern(name));
        assert_eq!(table.set(set), [before, later]);
        assert!(table.contains(set, later));
        assert!(!table.contains(set, other) && !table.contains(set, more));
        let names = ["c", "e", "c"].map(str::to_string).to_vec();
        assert_eq!(table.intern_channels(names), set);
        let nothing = table.intern_set(Vec::new());
        assert!(table.is_empty_set(nothing) && !table.is_empty_set(set));
        let wider = table.with(set, other);
        assert_eq!(table.set(wider), [before, other, later]);
        let more_of_d = table.intern("d.2");
        assert!(table.contains(wider, more_of_d) && !table.contains(set, more_of_d));
    }
}
