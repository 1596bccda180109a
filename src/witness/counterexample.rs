//! What is claimed of a process, and the behaviours that refute it.

use lts::model::Model;
use process::event::{EventId, TAU};
use process::term::TermId;
use refine::path::PathStep;

/// What a process is claimed to do, and what a counterexample refutes.
#[derive(Clone, Debug)]
pub enum Claim {
    /// It refines this process in this model.
    Refines(TermId, Model),
    /// It never comes to rest unable to do anything; where ✓ is a signal, unless it has terminated.
    DeadlockFree,
    /// It never does τ for ever.
    DivergenceFree,
    /// It does not have this trace; where divergences count, it does not diverge before its end
    /// either.
    Lacks(Vec<EventId>),
}

/// A behaviour of the implementation that refutes what is claimed. It has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The run that leads to it.
    pub steps: Vec<WitnessStep>,
    /// Before which of the steps, from 0, the process was seen at rest, and with what it offered
    /// there, ascending; `None` in models that do not remember it.
    pub rests: Option<Vec<(usize, Vec<EventId>)>>,
    /// What is wrong then.
    pub wrong: Wrong,
}

/// What a counterexample ends with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A step that is not allowed.
    Event(WitnessStep),
    /// It comes to rest, able to do nothing but `offers`, of which every one of `acceptances` has
    /// too few.
    Refusal {
        /// What it offers, ascending.
        offers: Vec<EventId>,
        /// The minimal acceptances of the specification, each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing but `offers`, and goes on with `event`.
    Revival {
        /// What it offers, ascending.
        offers: Vec<EventId>,
        /// One of them.
        event: EventId,
        /// The smallest sets with `event` among those with which the specification comes to rest,
        /// each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing.
    Deadlock,
    /// It does these τ again and again.
    Divergence(Vec<WitnessStep>),
    /// It can refuse what it can also do.
    Nondeterminism {
        /// With what the run above comes to rest, ascending.
        offers: Vec<EventId>,
        /// The run with the same trace that ends with another event.
        other: Vec<WitnessStep>,
    },
}

impl Wrong {
    /// Whether the run before it comes to rest.
    pub fn is_at_rest(&self) -> bool {
        match self {
            Wrong::Deadlock
            | Wrong::Refusal { .. }
            | Wrong::Revival { .. }
            | Wrong::Nondeterminism { .. } => true,
            Wrong::Event(_) | Wrong::Divergence(_) => false,
        }
    }
}

/// One step of the implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WitnessStep {
    /// What the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming; that of a τ may be visible.
    pub origin: EventId,
}

impl From<PathStep> for WitnessStep {
    fn from(step: PathStep) -> Self {
        Self {
            label: step.label,
            origin: step.origin,
        }
    }
}

impl Refutation {
    /// What a run shows in a model that does not remember rests.
    pub fn new(steps: Vec<WitnessStep>, wrong: Wrong) -> Self {
        Self {
            steps,
            rests: None,
            wrong,
        }
    }

    /// The events that the environment sees before what is wrong.
    pub fn trace(&self) -> Vec<EventId> {
        visible(&self.steps)
    }

    /// The event that is not allowed, if that is what is wrong.
    pub fn event(&self) -> Option<EventId> {
        match self.wrong {
            Wrong::Event(step) => Some(step.label),
            _ => None,
        }
    }
}

/// The labels of `steps` other than τ.
pub(super) fn visible(steps: &[WitnessStep]) -> Vec<EventId> {
    let labels = steps.iter().map(|step| step.label);
    labels.filter(|&label| label != TAU).collect()
}
