//! Events and sets of events.

use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::base::interner::Interner;
use crate::define_index;

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
    /// Neither τ nor ✓.
    pub fn is_visible(self) -> bool {
        self.0 > 1
    }
}

/// All events of a run, numbered in order of first appearance, by their CSPm text (`move.1.A.B`).
#[derive(Clone, Debug)]
pub struct EventTable {
    names: Interner<EventId, String>,
    sets: Interner<EventSetId, Rc<[EventId]>>,
    members: Vec<FixedBitSet>,
}

impl Default for EventTable {
    fn default() -> Self {
        let mut names: Interner<EventId, String> = Interner::new();
        names.intern("τ".to_string());
        names.intern("✓".to_string());
        Self {
            names,
            sets: Interner::new(),
            members: Vec::new(),
        }
    }
}

impl EventTable {
    /// Only τ and ✓.
    pub fn new() -> Self {
        Self::default()
    }

    /// The event called `name`, numbered if it is new.
    pub fn intern(&mut self, name: &str) -> EventId {
        self.names.intern_with(name, str::to_string)
    }

    /// The event called `name`, if there is one.
    pub fn find(&self, name: &str) -> Option<EventId> {
        self.names.find(name)
    }

    /// The CSPm text of `event`; `τ`, `✓`.
    pub fn name(&self, event: EventId) -> &str {
        &self.names[event]
    }

    /// How many events there are, τ and ✓ included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: τ and ✓ are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The set of these events, in any order and with repetitions. Only visible events may be in it.
    pub fn intern_set(&mut self, mut events: Vec<EventId>) -> EventSetId {
        events.sort_unstable();
        events.dedup();
        let events: Rc<[EventId]> = events.into();
        let set = self.sets.intern(events.clone());
        if self.members.len() < self.sets.len() {
            self.members
                .push(events.iter().map(|e| e.0 as usize).collect());
        }
        set
    }

    /// The members of `set`, ascending.
    pub fn set(&self, set: EventSetId) -> &[EventId] {
        &self.sets[set]
    }

    /// Whether `event` is in `set`; constant time.
    pub fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.members[set.0 as usize].contains(event.0 as usize)
    }
}
