//! The report of a replayed counterexample as plain data, with what its components did if that is
//! asked for.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use base::diag::Result;
use base::natural::natural_order;
use machine::CompileOptions;
use machine::text::present_in_full;
use process::event::{EventId, EventTable, TAU, TICK};
use process::semantics::Step;
use process::term::{Definitions, TermId};
use report::assertion::{Counterexample, CounterexampleKind, Rest, TraceStep};
use report::components::{
    ComponentEnd, ComponentReport, ComponentState, ComponentStep, ComponentWait, CycleMember,
};
use witness::components::{ComponentExit, ComponentRuns, explain_components};
use witness::{Refutation, WitnessStep, Wrong};

/// Adds to `found`, the report of `witness`, what the components did. `witness` is a counterexample
/// of `process`. The components are followed along `run` if there is one, else along any run of
/// `witness`. `options` are those of the machine.
pub(super) fn explained(
    definitions: &mut dyn Definitions,
    process: TermId,
    (witness, run): (&Refutation, Option<&[Step]>),
    found: Counterexample,
    options: &CompileOptions,
) -> Result<Counterexample> {
    let limit = options.limits.states;
    let explanation = explain_components(definitions, process, witness, run, limit)?;
    let can_wait = witness.wrong.is_at_rest();
    let run = &explanation.run;
    let other = explanation.other.as_ref();
    let other = other.map(|other| components(other, definitions));
    Ok(Counterexample {
        components: Some(components(run, definitions)?),
        other_components: other.transpose()?,
        waiting_circle: can_wait.then(|| circle(run, &definitions.terms().events)),
        ..found
    })
}

/// One report for each component.
fn components(
    behaviours: &ComponentRuns,
    definitions: &mut dyn Definitions,
) -> Result<Vec<ComponentReport>> {
    let texts = state_texts(behaviours, definitions)?;
    let events = &definitions.terms().events;
    let unique = unique_names(&names(behaviours));
    let name = |&event: &EventId| events.name(event).to_string();
    let each = behaviours.components.iter().enumerate();
    let each = each.map(|(component, behaviour)| {
        let steps = behaviour.steps.iter().map(|(number, step)| ComponentStep {
            step: *number as u64,
            event: named(step, events).text(),
        });
        let states = behaviour.states.iter().map(|(step, term)| ComponentState {
            step: *step as u64,
            state: term.map(|term| texts[&term].clone()),
        });
        let waits = behaviour.waits.iter().map(|wait| ComponentWait {
            event: name(&wait.event),
            components: wait.on.iter().map(|&other| unique[other].clone()).collect(),
        });
        let mut waits: Vec<ComponentWait> = waits.collect();
        waits.sort_by(|a, b| natural_order(&a.event, &b.event));
        let (end, offers) = match &behaviour.end {
            ComponentExit::Offers(offers) => {
                (ComponentEnd::Runs, Some(sorted_names(offers, events)))
            }
            ComponentExit::Terminated => (ComponentEnd::Terminated, None),
            ComponentExit::Gone => (ComponentEnd::Gone, None),
        };
        ComponentReport {
            name: unique[component].clone(),
            within: behaviour.within.clone(),
            steps: steps.collect(),
            end,
            offers,
            waits_for: waits,
            states: states.collect(),
        }
    });
    Ok(each.collect())
}

/// The text of each state that a component has been in.
fn state_texts(
    behaviours: &ComponentRuns,
    definitions: &mut dyn Definitions,
) -> Result<FxHashMap<TermId, String>> {
    let mut texts = FxHashMap::default();
    let states = behaviours.components.iter().flat_map(|c| &c.states);
    for term in states.filter_map(|&(_, term)| term) {
        definitions.cancellation().step()?;
        if let Entry::Vacant(unknown) = texts.entry(term) {
            unknown.insert(present_in_full(definitions, term)?);
        }
    }
    Ok(texts)
}

/// The components that wait for each other in a circle.
fn circle(behaviours: &ComponentRuns, events: &EventTable) -> Vec<CycleMember> {
    let unique = unique_names(&names(behaviours));
    // The circle refers to components by the names that `components` gives them, so both number
    // equal names in the same way.
    let members = behaviours.cycle.iter();
    let member = |&(component, event): &(usize, EventId)| CycleMember {
        component: unique[component].clone(),
        event: events.name(event).to_string(),
    };
    members.map(member).collect()
}

fn names(behaviours: &ComponentRuns) -> Vec<&str> {
    let components = behaviours.components.iter();
    components
        .map(|component| component.name.as_str())
        .collect()
}

/// The names of components, numbered where several look the same.
pub(super) fn unique_names(names: &[&str]) -> Vec<String> {
    let mut total: FxHashMap<&str, usize> = FxHashMap::default();
    for &name in names {
        *total.entry(name).or_default() += 1;
    }
    let mut used: FxHashMap<&str, usize> = FxHashMap::default();
    let numbered = names.iter().map(|&name| {
        let number = used.entry(name).or_default();
        *number += 1;
        match total[name] {
            1 => name.to_string(),
            _ => format!("{name} #{number}"),
        }
    });
    numbered.collect()
}

/// The names of a set of events, as people look for them.
pub(super) fn sorted_names(set: &[EventId], events: &EventTable) -> Vec<String> {
    let mut names = events.names(set);
    names.sort_by(|a, b| natural_order(a, b));
    names
}

/// The sorted names of each of several sets. The sets are in the order of their names.
pub(super) fn sorted_sets(sets: &[Vec<EventId>], events: &EventTable) -> Vec<Vec<String>> {
    let mut sets: Vec<Vec<String>> = sets.iter().map(|set| sorted_names(set, events)).collect();
    sets.sort_by(|a, b| {
        let pairs = a.iter().zip(b).map(|(a, b)| natural_order(a, b));
        let first = pairs.into_iter().find(|order| order.is_ne());
        first.unwrap_or_else(|| a.len().cmp(&b.len()))
    });
    sets
}

pub(super) fn named(step: &WitnessStep, events: &EventTable) -> TraceStep {
    seen(step.label, step.origin, events)
}

/// A step with this label and this origin.
pub(super) fn seen(label: EventId, origin: EventId, events: &EventTable) -> TraceStep {
    let name = |event: EventId| events.name(event).to_string();
    match (label, origin) {
        // The origin of a hidden event is the event; a τ that was never an event is its own origin.
        (TAU, TAU) => TraceStep::Internal,
        (TAU, origin) => TraceStep::Hidden(name(origin)),
        (label, _) => TraceStep::Visible(name(label)),
    }
}

/// The places at which the process was seen at rest.
fn rests(seen: &[(usize, Vec<EventId>)], events: &EventTable) -> Vec<Rest> {
    let rest = |(before, offers): &(usize, Vec<EventId>)| Rest {
        // Reports count steps from 1, a witness from 0.
        before: *before as u64 + 1,
        offers: sorted_names(offers, events),
    };
    seen.iter().map(rest).collect()
}

/// The report of `witness`.
pub(super) fn counterexample(witness: &Refutation, events: &EventTable) -> Counterexample {
    let name = |&event: &EventId| events.name(event).to_string();
    let set = |set: &[EventId]| sorted_names(set, events);
    let sets = |sets: &[Vec<EventId>]| sorted_sets(sets, events);
    let step = |step: &WitnessStep| named(step, events);
    let steps = |run: &[WitnessStep]| run.iter().map(step).collect::<Vec<_>>();
    let found = Counterexample {
        trace: events.names(&witness.trace()),
        trace_with_taus: steps(&witness.steps),
        rests: witness.rests.as_deref().map(|seen| rests(seen, events)),
        ..Counterexample::default()
    };
    match &witness.wrong {
        Wrong::Event(step) => Counterexample {
            event: Some(name(&step.label)),
            ..found
        },
        Wrong::Refusal {
            offers,
            acceptances,
        } => Counterexample {
            kind: CounterexampleKind::Refusal,
            offers: Some(set(offers)),
            acceptances: Some(sets(acceptances)),
            ..found
        },
        Wrong::Revival {
            offers,
            event,
            acceptances,
        } => Counterexample {
            kind: CounterexampleKind::Revival,
            event: Some(name(event)),
            offers: Some(set(offers)),
            acceptances: Some(sets(acceptances)),
            ..found
        },
        Wrong::Deadlock => Counterexample {
            kind: CounterexampleKind::Deadlock,
            offers: Some(Vec::new()),
            // Nothing follows a ✓, so a trace with ✓ has it last.
            terminated: Some(witness.trace().last() == Some(&TICK)),
            ..found
        },
        Wrong::Divergence(cycle) => Counterexample {
            kind: CounterexampleKind::Divergence,
            cycle: Some(steps(cycle)),
            ..found
        },
        Wrong::Nondeterminism { offers, other } => Counterexample {
            kind: CounterexampleKind::Nondeterminism,
            // The other run ends with the event that the first run refuses.
            event: other.last().map(|step| name(&step.label)),
            offers: Some(set(offers)),
            other_trace_with_taus: Some(steps(other)),
            ..found
        },
    }
}
