//! What a run shows in the models that see what is done from a rest.

use lts::model::Model;
use process::event::{EventId, TAU};
use process::observation::ObservedStep;
use refine::path::{Path, Violation};

/// What the implementation shows, and the specification does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct History {
    /// What both show.
    pub(super) steps: Vec<ObservedStep>,
    /// What the implementation alone shows then.
    pub(super) missing: Missing,
}

/// What a specification does not show after a history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Missing {
    /// An event.
    Event(EventId),
    /// Coming to rest with these offers at most, ascending.
    Refusal(Vec<EventId>),
    /// Coming to rest with these offers at most, `event` among them.
    Revival {
        /// Ascending.
        offers: Vec<EventId>,
        /// What is then done.
        event: EventId,
    },
    /// τ for ever.
    Divergence,
}

impl History {
    /// What `path`, which a search in `model` has found, shows.
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
