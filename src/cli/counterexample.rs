//! A replayed counterexample as the plain data of a report.

use crate::process::event::{EventId, EventTable, TAU};
use crate::report::assertion::{Counterexample, CounterexampleKind, Step};
use crate::witness::{Counterexample as Witness, WitnessStep, Wrong};

/// `witness` with the names of its events.
pub(super) fn counterexample(witness: &Witness, events: &EventTable) -> Counterexample {
    let name = |&event: &EventId| events.name(event).to_string();
    let names = |events: &[EventId]| events.iter().map(name).collect::<Vec<_>>();
    let step = |step: &WitnessStep| match (step.label, step.origin) {
        (TAU, TAU) => Step::Internal,
        (TAU, origin) => Step::Hidden(name(&origin)),
        (label, _) => Step::Visible(name(&label)),
    };
    let steps = |run: &[WitnessStep]| run.iter().map(step).collect::<Vec<_>>();
    let found = Counterexample {
        trace: names(&witness.trace()),
        trace_with_taus: steps(&witness.steps),
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
            offers: Some(names(offers)),
            acceptances: Some(acceptances.iter().map(|set| names(set)).collect()),
            ..found
        },
        Wrong::Deadlock => Counterexample {
            kind: CounterexampleKind::Deadlock,
            offers: Some(Vec::new()),
            ..found
        },
        Wrong::Divergence(cycle) => Counterexample {
            kind: CounterexampleKind::Divergence,
            cycle: Some(steps(cycle)),
            ..found
        },
        Wrong::Nondeterminism { offers, other } => Counterexample {
            kind: CounterexampleKind::Nondeterminism,
            event: other.last().map(|step| name(&step.label)),
            offers: Some(names(offers)),
            other_trace_with_taus: Some(steps(other)),
            ..found
        },
    }
}
