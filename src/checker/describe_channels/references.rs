//! References that are passed on: a component receives a value of a datatype, and sends on another
//! channel on which the first field, a value of that datatype, decides with whom. The channel on
//! which it receives the value then passes on references to the other channel, and so does one on
//! which a component receives the value that only hands it on.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use eval::Evaluator;
use machine::LeafId;
use process::term::Definitions;

use super::directions::Directions;
use super::groups::{EventGroup, EventGroups};

/// By group, the names of the channels to which its events pass on references.
pub(super) fn references(
    groups: &EventGroups,
    directions: &Directions,
    evaluator: &Evaluator<'_>,
) -> Vec<BTreeSet<String>> {
    let passing: Vec<PassingGroup> = (0..groups.all.len())
        .map(|number| PassingGroup::of(groups, directions, evaluator, number))
        .collect();
    let mut sending: FxHashMap<LeafId, Vec<usize>> = FxHashMap::default();
    // By sender and channel, the number of groups: of one that is alone, no value decides anything.
    let mut addressed: FxHashMap<(LeafId, &str), usize> = FxHashMap::default();
    for (number, group) in passing.iter().enumerate() {
        for &leaf in &group.senders {
            sending.entry(leaf).or_default().push(number);
            *addressed.entry((leaf, &group.channel)).or_default() += 1;
        }
    }
    let mut found: Vec<BTreeSet<PassedReference>> = vec![BTreeSet::new(); passing.len()];
    // Every turn but the last adds something, and there are finitely many references to add.
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (number, group) in passing.iter().enumerate() {
            let mut more: BTreeSet<PassedReference> = BTreeSet::new();
            for (leaf, datatype) in &group.received {
                let sent = sending.get(leaf).into_iter().flatten();
                for &other in sent.filter(|&&other| passing[other].channel != group.channel) {
                    let to = &passing[other];
                    let has_several = addressed[&(*leaf, &to.channel[..])] > 1;
                    if to.first == Some(*datatype) && has_several {
                        more.insert((*datatype, to.channel.clone()));
                    }
                    let handed_on = found[other].iter();
                    more.extend(handed_on.filter(|(of, _)| of == datatype).cloned());
                }
            }
            more.retain(|(_, to)| *to != group.channel);
            let before = found[number].len();
            found[number].extend(more);
            is_new |= found[number].len() > before;
        }
    }
    let names = found.into_iter();
    names
        .map(|set| set.into_iter().map(|(_, to)| to).collect())
        .collect()
}

/// The datatype of a reference, and the channel that it leads to.
type PassedReference = (u32, String);

/// A group as far as it concerns references.
struct PassingGroup {
    channel: String,
    senders: Vec<LeafId>,
    /// The datatype of the first field, if all events have the same value there.
    first: Option<u32>,
    /// The components that receive values of datatypes, with these.
    received: BTreeSet<(LeafId, u32)>,
}

impl PassingGroup {
    fn of(
        groups: &EventGroups,
        directions: &Directions,
        evaluator: &Evaluator<'_>,
        number: usize,
    ) -> Self {
        let group: &EventGroup = &groups.all[number];
        let first = group.events.first().copied();
        let fields = first.map_or(&[][..], |event| groups.fields(event));
        let roles = directions.of_group(number);
        let with = |has: fn(&(bool, bool)) -> bool| {
            let places = (0..roles.len()).filter(|&place| has(&roles[place]));
            places.collect::<Vec<usize>>()
        };
        let datatypes = fields.iter().enumerate();
        let datatypes = datatypes.filter_map(|(place, field)| Some((place, field.datatype?)));
        let datatypes: Vec<(usize, u32)> = datatypes.collect();
        let receivers = with(|&(_, receives)| receives).into_iter();
        let received = receivers.flat_map(|place| {
            let open = datatypes.iter();
            let open = open.filter(move |(field, _)| directions.is_open(number, place, *field));
            open.map(move |&(_, datatype)| (group.leaves[place], datatype))
        });
        let events = &evaluator.terms().events;
        Self {
            channel: first.map_or(String::new(), |event| events.channel(event).to_string()),
            first: addressing(groups, group),
            received: received.collect(),
            senders: with(|&(sends, _)| sends)
                .into_iter()
                .map(|place| group.leaves[place])
                .collect(),
        }
    }
}

/// The datatype of the first field of a group, if all its events have the same value there.
fn addressing(groups: &EventGroups, group: &EventGroup) -> Option<u32> {
    let mut firsts = group
        .events
        .iter()
        .map(|&event| groups.fields(event).first());
    let first = firsts.next()??;
    let is_one = firsts.all(|other| other == Some(first));
    first.datatype.filter(|_| is_one)
}
