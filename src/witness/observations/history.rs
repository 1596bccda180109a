//! The history that a run shows in the models that see behaviour after a rest.

use lts::model::Model;
use process::event::{EventId, TAU};
use process::observation::ObservedStep;
use refine::path::{Path, Violation};

/// A behaviour that the implementation shows, and the specification does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct History {
    /// The steps that both show.
    pub(super) steps: Vec<ObservedStep>,
    /// The behaviour after these steps that only the implementation shows.
    pub(super) missing: Missing,
}

/// The behaviour that a specification does not show after a history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Missing {
    /// An event.
    Event(EventId),
    /// Rest with at most these offers, ascending.
    Refusal(Vec<EventId>),
    /// Rest with at most these offers, including `event`, and then `event`.
    Revival {
        /// The offers, ascending.
        offers: Vec<EventId>,
        /// The event done after the rest.
        event: EventId,
    },
    /// τ for ever.
    Divergence,
}

impl History {
    /// The history that `path` shows, which a search in `model` has found.
    pub(super) fn of(path: &Path, model: Model) -> Self {
        let events = path.steps.iter().enumerate();
        let events = events.filter(|(_, step)| step.label != TAU);
        let steps = events.map(|(place, step)| ObservedStep {
            rest: match model.remembers_refusals() {
                true => path.rests.get(place).cloned().flatten(),
                false => None,
            },
            event: step.label,
        });
        Self {
            steps: steps.collect(),
            missing: match &path.violation {
                Violation::Event(step) => Missing::Event(step.label),
                Violation::Refusal(offers) => Missing::Refusal(offers.clone()),
                Violation::Revival(offers, step) => Missing::Revival {
                    offers: offers.clone(),
                    event: step.label,
                },
                Violation::Divergence => Missing::Divergence,
            },
        }
    }
}
