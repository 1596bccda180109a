//! Nondeterminism: the event that a process which does not refine its resolution can both do and
//! refuse.

use super::path::{Path, Violation};
use lts::normal_form::NormalForm;
use process::event::{EventId, TAU};

/// A trace after which a process is not deterministic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nondeterminism {
    /// The visible events of the trace.
    pub trace: Vec<EventId>,
    /// The event that the process can both do and refuse then; `None` if it can diverge.
    pub event: Option<EventId>,
}

/// The nondeterminism that `path` shows, a path to where a process does what its `resolution`
/// ([`lts::resolution`]) does not allow.
pub fn nondeterminism(resolution: &NormalForm, path: &Path) -> Nondeterminism {
    let labels = path.steps.iter().map(|step| step.label);
    let trace: Vec<EventId> = labels.filter(|&label| label != TAU).collect();
    let event = acceptance_after(resolution, &trace).and_then(|offered| match &path.violation {
        Violation::Event(step) => Some(step.label),
        Violation::Refusal(offers) => offered.into_iter().find(|event| !offers.contains(event)),
        // No resolution is in a model in which revivals count.
        Violation::Revival(_, step) => Some(step.label),
        Violation::Divergence => None,
    });
    Nondeterminism { trace, event }
}

/// The events that `resolution` offers after `trace`; `None` if it does not come to rest then, or
/// lacks the trace.
fn acceptance_after(resolution: &NormalForm, trace: &[EventId]) -> Option<Vec<EventId>> {
    let mut events = trace.iter();
    let after = events.try_fold(NormalForm::INITIAL, |state, &event| {
        resolution.successor(state, event)
    });
    match resolution.acceptances(after?) {
        // A resolution has one acceptance in each state; this is that of no events.
        None => Some(Vec::new()),
        Some(sets) => sets.into_iter().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathStep;
    use base::cancel::Cancellation;
    use lts::model::Model;
    use lts::resolution::resolution;
    use lts::testing::lts;

    const A: EventId = EventId(2);
    const B: EventId = EventId(3);

    /// The nondeterminism that `violation` after `labels` shows, of a process whose resolution is
    /// that of `rows`.
    fn found(
        rows: &[&[(EventId, u32)]],
        labels: &[EventId],
        violation: Violation,
    ) -> (Vec<EventId>, Option<EventId>) {
        let model = Model::FailuresDivergences;
        let resolution = resolution(&lts(rows), model, 100, Cancellation::never());
        let steps = labels.iter().copied().map(step).collect();
        let path = Path {
            steps,
            run: None,
            rests: Vec::new(),
            violation,
            twisted: None,
        };
        let found = nondeterminism(&resolution.expect("it is small"), &path);
        (found.trace, found.event)
    }

    fn step(label: EventId) -> PathStep {
        PathStep {
            label,
            origin: label,
        }
    }

    #[test]
    fn the_event_is_one_that_only_one_of_them_offers() {
        let rows: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(A, 0), (B, 0)]];
        let event = Violation::Event(step(B));
        assert_eq!(found(rows, &[TAU], event), (vec![], Some(B)));
        let labels = [A, TAU, TAU];
        let refusal = |offers: &[EventId]| Violation::Refusal(offers.to_vec());
        assert_eq!(found(rows, &labels, refusal(&[A])), (vec![A], Some(B)));
        assert_eq!(found(rows, &labels, refusal(&[B])), (vec![A], Some(A)));
    }

    #[test]
    fn there_is_none_where_the_process_can_diverge() {
        let rows: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 1), (B, 0)]];
        for violation in [
            Violation::Divergence,
            Violation::Event(step(B)),
            Violation::Refusal(vec![B]),
        ] {
            assert_eq!(found(rows, &[A], violation), (vec![A], None));
        }
    }
}
