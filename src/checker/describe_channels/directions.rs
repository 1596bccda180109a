//! The direction of channels: an end that always offers one value of a field where another end
//! offers several at once sends it, and the other end receives it.
//!
//! Fields that differ within a group of events are its data, and are looked at first. Where they
//! say nothing, all fields are looked at, in all the events of the channel that the component does:
//! a fork that anybody may take leaves open by whom, and so it is picked by a philosopher.

use rustc_hash::FxHashMap;

use base::diag::Result;
use eval::{Evaluator, EventField};
use machine::leaf::Behaviour;
use machine::{LeafId, Machine};
use process::event::EventId;
use process::term::Definitions;

use super::groups::{EventGroup, EventGroups};

/// A set of events of one component: its events in a group, or all of a channel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum OfferedEvents {
    InGroup(usize),
    OfChannel(String),
}

/// By field, true if the component offers several values of it in one state.
type OpenFields = Vec<bool>;

/// The fields that components leave open.
pub(super) struct Directions {
    /// By group and end: the fields that it leaves open in this group.
    in_group: Vec<Vec<OpenFields>>,
    /// By group and end: the fields that it leaves open in all that it offers of its channel.
    of_channel: Vec<Vec<OpenFields>>,
}

impl Directions {
    /// The directions of all `groups`.
    pub(super) fn of(
        machine: &Machine,
        groups: &EventGroups,
        evaluator: &Evaluator<'_>,
    ) -> Result<Self> {
        let open = |group: &EventGroup| vec![OpenFields::new(); group.leaves.len()];
        let mut directions = Self {
            in_group: groups.all.iter().map(open).collect(),
            of_channel: groups.all.iter().map(open).collect(),
        };
        let mut by_leaf: FxHashMap<LeafId, Vec<(usize, usize)>> = FxHashMap::default();
        for (number, group) in groups.all.iter().enumerate() {
            for (place, &leaf) in group.leaves.iter().enumerate() {
                by_leaf.entry(leaf).or_default().push((number, place));
            }
        }
        for (leaf, ends) in by_leaf {
            let open = open_fields(machine, leaf, &ends, groups, evaluator)?;
            for (number, place) in ends {
                let known = |events: OfferedEvents| open.get(&events).cloned().unwrap_or_default();
                directions.in_group[number][place] = known(OfferedEvents::InGroup(number));
                let own = groups.all[number].own[place].first();
                let channel = own.map(|&own| evaluator.terms().events.channel(own).to_string());
                directions.of_channel[number][place] =
                    channel.map_or(Vec::new(), |own| known(OfferedEvents::OfChannel(own)));
            }
        }
        Ok(directions)
    }

    /// By end of a group, whether it sends and whether it receives.
    pub(super) fn of_group(&self, number: usize) -> Vec<(bool, bool)> {
        let data = told(&self.in_group[number]);
        match data.iter().any(|&(sends, receives)| sends || receives) {
            true => data,
            false => told(&self.of_channel[number]),
        }
    }

    /// True if the end at `place` of a group leaves a field open in all that it offers of the
    /// channel.
    pub(super) fn is_open(&self, number: usize, place: usize, field: usize) -> bool {
        self.of_channel[number][place].get(field) == Some(&true)
    }
}

/// By end, whether it fixes a field that another one leaves open, and the other way round.
fn told(open: &[OpenFields]) -> Vec<(bool, bool)> {
    let fields = open.first().map_or(0, Vec::len);
    // Renaming can give a channel ends with other fields, of which nothing is known.
    if open.len() < 2 || open.iter().any(|end| end.len() != fields) {
        return vec![(false, false); open.len()];
    }
    let is_sent =
        |&field: &usize| open.iter().any(|end| end[field]) && !open.iter().all(|end| end[field]);
    let sent: Vec<usize> = (0..fields).filter(is_sent).collect();
    let ends = open.iter().map(|end| {
        let sends = sent.iter().any(|&field| !end[field]);
        (sends, sent.iter().any(|&field| end[field]))
    });
    ends.collect()
}

/// The fields that `leaf`, whose ends of groups are `ends`, leaves open in some state.
fn open_fields(
    machine: &Machine,
    leaf: LeafId,
    ends: &[(usize, usize)],
    groups: &EventGroups,
    evaluator: &Evaluator<'_>,
) -> Result<FxHashMap<OfferedEvents, OpenFields>> {
    let mut open: FxHashMap<OfferedEvents, OpenFields> = FxHashMap::default();
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return Ok(open);
    };
    let events = &evaluator.terms().events;
    let mut sets: FxHashMap<EventId, Vec<OfferedEvents>> = FxHashMap::default();
    for &(number, place) in ends {
        for &event in &groups.all[number].own[place] {
            let sets = sets.entry(event).or_insert_with(|| {
                vec![OfferedEvents::OfChannel(events.channel(event).to_string())]
            });
            sets.push(OfferedEvents::InGroup(number));
        }
    }
    for state in graph.lts.states() {
        let row = graph.lts.row(state);
        evaluator.cancellation().look(1 + row.len())?;
        let mut first: FxHashMap<&OfferedEvents, &[EventField]> = FxHashMap::default();
        for &(event, _) in row {
            let fields = groups.fields(event);
            for set in sets.get(&event).into_iter().flatten() {
                let known = *first.entry(set).or_insert(fields);
                if !open.contains_key(set) {
                    open.insert(set.clone(), vec![false; fields.len()]);
                }
                let open = open.get_mut(set).into_iter().flatten();
                for ((open, known), field) in open.zip(known).zip(fields) {
                    *open |= known != field;
                }
            }
        }
    }
    Ok(open)
}
