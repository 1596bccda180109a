//! The events that a check can do: symmetries are permutations of these.

use std::collections::BTreeSet;

use base::cancel::Cancellation;
use base::diag::Result;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::leaf::Behaviour;
use process::event::EventId;
use process::operator::Operator;

/// All visible events of `machine` and `specification`, ascending.
pub fn events_of(
    machine: &Machine,
    specification: &NormalForm,
    token: &Cancellation,
) -> Result<Vec<EventId>> {
    let mut events = BTreeSet::from_iter(machine_events(machine, token)?);
    let lts = specification.lts();
    for state in lts.states() {
        token.look(1 + lts.row(state).len())?;
        events.extend(lts.row(state).iter().map(|&(event, _)| event));
    }
    Ok(visible(events))
}

/// All visible events that some part of `machine` can do, before or after any renaming; ascending.
pub fn machine_events(machine: &Machine, token: &Cancellation) -> Result<Vec<EventId>> {
    let mut events: BTreeSet<EventId> = BTreeSet::new();
    for leaf in machine.leaves.iter() {
        if let Behaviour::Process(graph) = &leaf.behaviour {
            events.extend(graph.events());
        }
    }
    for rule in machine.rules.iter() {
        token.look(1)?;
        // The origin is the event below all hiding and renaming, where no result shows it.
        events.extend([rule.result, rule.origin]);
    }
    for node in machine.nodes.iter() {
        if let Some(Operator::Rename(pairs) | Operator::Linked(pairs)) = node.operator() {
            events.extend(pairs.iter().flat_map(|&(from, to)| [from, to]));
        }
    }
    Ok(visible(events))
}

/// The visible ones of `events`, ascending.
pub(crate) fn visible(events: BTreeSet<EventId>) -> Vec<EventId> {
    events
        .into_iter()
        .filter(|event| event.is_visible())
        .collect()
}
