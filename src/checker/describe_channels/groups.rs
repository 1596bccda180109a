//! The events of a machine in groups: those of one channel that the same components do together.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use base::diag::Result;
use eval::{Evaluator, EventField};
use machine::leaf::{Behaviour, What};
use machine::rules::Rule;
use machine::{LeafId, Machine};
use process::event::{EventId, EventTable, TAU};
use process::term::Definitions;
use symmetry::pbisim::Symmetry;

/// The events of one channel with the same ends.
pub(super) struct EventGroup {
    /// True if the environment does not see them.
    pub(super) is_hidden: bool,
    /// The components that do them, ascending.
    pub(super) leaves: Vec<LeafId>,
    /// The events; hidden ones as they were before hiding.
    pub(super) events: BTreeSet<EventId>,
    /// By component, its events before all renaming above it.
    pub(super) own: Vec<BTreeSet<EventId>>,
}

/// The parts of a rule that decide its group: channel, visibility, components.
type GroupKey = (String, bool, Vec<LeafId>);

/// All groups of a machine.
pub(super) struct EventGroups {
    /// The groups, by channel.
    pub(super) all: Vec<EventGroup>,
    by_key: BTreeMap<GroupKey, usize>,
    /// The fields of all events that are in groups.
    fields: FxHashMap<EventId, Vec<EventField>>,
}

impl EventGroups {
    /// The groups of `machine`. Steps of one component that are internal from the start are in
    /// none, and neither is ✓.
    pub(super) fn of(machine: &Machine, evaluator: &Evaluator<'_>) -> Result<Self> {
        let token = evaluator.cancellation();
        let events = &evaluator.terms().events;
        let mut found: BTreeMap<GroupKey, EventGroup> = BTreeMap::new();
        for rule in machine.rules.iter() {
            token.look(1 + rule.participants.len())?;
            let event = if rule.result == TAU {
                rule.origin
            } else {
                rule.result
            };
            let parts = parts(machine, rule);
            if !event.is_visible() || parts.is_empty() {
                continue;
            }
            let leaves: Vec<LeafId> = parts.iter().map(|&(leaf, _)| leaf).collect();
            let is_hidden = rule.result == TAU;
            let key = (events.channel(event).to_string(), is_hidden, leaves);
            let group = found.entry(key).or_insert_with_key(|key| EventGroup {
                is_hidden,
                leaves: key.2.clone(),
                events: BTreeSet::new(),
                own: vec![BTreeSet::new(); parts.len()],
            });
            group.events.insert(event);
            for (own, (_, event)) in group.own.iter_mut().zip(parts) {
                own.insert(event);
            }
        }
        let mut groups = Self {
            all: Vec::with_capacity(found.len()),
            by_key: BTreeMap::new(),
            fields: FxHashMap::default(),
        };
        for (key, group) in found {
            for &event in group.events.iter().chain(group.own.iter().flatten()) {
                let fields = groups.fields.entry(event);
                fields.or_insert_with(|| evaluator.event_fields(event));
            }
            groups.by_key.insert(key, groups.all.len());
            groups.all.push(group);
        }
        Ok(groups)
    }

    /// The fields of an event that is in a group.
    pub(super) fn fields(&self, event: EventId) -> &[EventField] {
        self.fields.get(&event).map_or(&[], Vec::as_slice)
    }

    /// The number of the group to which `symmetry` takes `group`, if there is one.
    pub(super) fn image(
        &self,
        group: &EventGroup,
        symmetry: &Symmetry,
        events: &EventTable,
    ) -> Option<usize> {
        let image = symmetry.events.apply(*group.events.first()?);
        let leaves = group.leaves.iter();
        let mut leaves: Vec<LeafId> = leaves.map(|&leaf| symmetry.pbisim.leaf(leaf)).collect();
        leaves.sort_unstable();
        let key = (events.channel(image).to_string(), group.is_hidden, leaves);
        self.by_key.get(&key).copied()
    }

    /// The channel of `group` with the first fields, as far as all its events have the same ones.
    pub(super) fn name(&self, group: &EventGroup, events: &EventTable) -> String {
        let Some(&first) = group.events.first() else {
            return String::new();
        };
        let mut name = events.channel(first).to_string();
        for (place, field) in self.fields(first).iter().enumerate() {
            let mut others = group.events.iter().map(|&event| self.fields(event));
            if !others.all(|fields| fields.get(place) == Some(field)) {
                break;
            }
            name.push('.');
            name.push_str(&field.text);
        }
        name
    }
}

/// The processes that take part in `rule` with an event, each with that event.
fn parts(machine: &Machine, rule: &Rule) -> Vec<(LeafId, EventId)> {
    let parts = rule.participants.iter();
    let parts = parts.filter_map(|&(leaf, action)| match action.what {
        What::Event(event) => Some((leaf, event)),
        What::Control(_) | What::Nothing => None,
    });
    let is_process = |leaf: LeafId| matches!(machine.leaves[leaf].behaviour, Behaviour::Process(_));
    parts.filter(|&(leaf, _)| is_process(leaf)).collect()
}
