//! Symmetries of a model built by hand, matched leaf by leaf: benches of searches need no finder of
//! symmetries.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use lts::graph::Lts;
use machine::leaf::Behaviour;
use machine::{LeafId, Machine};
use process::event::{EventId, EventTable};
use symmetry::group::Group;
use symmetry::pbisim::{Pbisim, Symmetry};
use symmetry::permutation::EventPermutation;

/// The group of all permutations of the numbers 0 to `n` - 1 in the names of events; the
/// specification has one state.
pub(crate) fn symmetric_group(machine: &Machine, events: &EventTable, n: usize) -> Group {
    let mut swap: Vec<usize> = (0..n).collect();
    swap.swap(0, 1);
    let turn: Vec<usize> = (0..n).map(|id| (id + 1) % n).collect();
    let symmetry = |ids: &[usize]| symmetry(machine, &lifted(events, ids));
    Group::new(machine, 1, vec![symmetry(&swap), symmetry(&turn)])
}

/// The permutation of events that permutes the numbers in their names by `ids`.
fn lifted(events: &EventTable, ids: &[usize]) -> EventPermutation {
    let image = |name: &str| {
        let field = |field: &str| match field.parse::<usize>() {
            Ok(id) => ids[id].to_string(),
            Err(_) => field.to_string(),
        };
        name.split('.').map(field).collect::<Vec<_>>().join(".")
    };
    let all: Vec<EventId> = (2..events.len() as u32).map(EventId).collect();
    let by_name: HashMap<&str, EventId> = all.iter().map(|&e| (events.name(e), e)).collect();
    let pair = |&event: &EventId| Some((event, *by_name.get(image(events.name(event)).as_str())?));
    EventPermutation::from_pairs(all.iter().filter_map(pair)).expect("a lifting is a bijection")
}

/// The symmetry that moves events by `sigma`. Each leaf goes to the first one left that fits.
fn symmetry(machine: &Machine, sigma: &EventPermutation) -> Symmetry {
    let mut left: Vec<LeafId> = machine.leaves.indices().collect();
    let mut leaves = Vec::new();
    let mut states: Vec<Arc<[u32]>> = Vec::new();
    for leaf in machine.leaves.indices() {
        let partner = left.iter().enumerate().find_map(|(at, &other)| {
            Some((
                at,
                bijection(lts(machine, leaf), lts(machine, other), sigma)?,
            ))
        });
        let (at, map) = partner.expect("the model is symmetric");
        leaves.push(left.remove(at));
        states.push(map.into());
    }
    Symmetry {
        events: sigma.clone(),
        pbisim: Pbisim::new(leaves, states),
        specification: [0].into(),
    }
}

fn lts(machine: &Machine, leaf: LeafId) -> &Lts {
    match &machine.leaves[leaf].behaviour {
        Behaviour::Process(graph) => &graph.lts,
        Behaviour::Controller { .. } => panic!("the model has no controllers"),
    }
}

/// The map from the states of `left` to those of `right` by `sigma`: the union is refined until
/// nothing changes.
fn bijection(left: &Lts, right: &Lts, sigma: &EventPermutation) -> Option<Vec<u32>> {
    let count = left.state_count();
    let left_rows = left.states().map(|s| {
        let row = left.row(s).iter();
        row.map(|&(event, to)| (sigma.apply(event), to.0)).collect()
    });
    let right_rows = right.states().map(|s| {
        let row = right.row(s).iter();
        row.map(|&(event, to)| (event, to.0 + count as u32))
            .collect()
    });
    let rows: Vec<Vec<(EventId, u32)>> = left_rows.chain(right_rows).collect();
    let mut classes = vec![0u32; rows.len()];
    let mut number = 1;
    loop {
        let mut numbers: HashMap<(u32, BTreeSet<(EventId, u32)>), u32> = HashMap::new();
        let mut next = Vec::new();
        for (state, row) in rows.iter().enumerate() {
            let signature = row.iter().map(|&(event, to)| (event, classes[to as usize]));
            let fresh = numbers.len() as u32;
            let key = (classes[state], signature.collect());
            next.push(*numbers.entry(key).or_insert(fresh));
        }
        classes = next;
        if numbers.len() == number {
            break;
        }
        number = numbers.len();
    }
    let place = |class: &u32| classes[count..].iter().position(|other| other == class);
    let images = classes[..count]
        .iter()
        .map(|class| Some(place(class)? as u32));
    images.collect()
}
