//! Claims about a process, and the behaviours that refute them.

use lts::model::Model;
use process::event::{EventId, TAU};
use process::term::TermId;
use refine::path::PathStep;

/// A claim about a process, which a counterexample refutes.
#[derive(Clone, Debug)]
pub enum Claim {
    /// It refines this process in this model.
    Refines(TermId, Model),
    /// It never comes to rest unable to do anything; if ✓ is a signal, unless it has terminated.
    DeadlockFree,
    /// It never does τ for ever.
    DivergenceFree,
    /// It does not have this trace. If divergences count, it does not diverge before the end of the
    /// trace either.
    Lacks(Vec<EventId>),
}

/// A behaviour of the implementation that refutes a claim. It has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The run that leads to it.
    pub steps: Vec<WitnessStep>,
    /// The steps, counted from 0, before which the process was seen at rest, each with its offers,
    /// ascending; `None` in models that do not remember them.
    pub rests: Option<Vec<(usize, Vec<EventId>)>>,
    /// The violation at the end.
    pub wrong: Wrong,
}

/// The violation at the end of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A step that is not allowed.
    Event(WitnessStep),
    /// It comes to rest, able to do nothing but `offers`, which lack an event of each of
    /// `acceptances`.
    Refusal {
        /// The events that it offers, ascending.
        offers: Vec<EventId>,
        /// The minimal acceptances of the specification, each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing but `offers`, and goes on with `event`.
    Revival {
        /// The events that it offers, ascending.
        offers: Vec<EventId>,
        /// The event among the offers that it does.
        event: EventId,
        /// The smallest sets with `event` among those with which the specification comes to rest,
        /// each ascending.
        acceptances: Vec<Vec<EventId>>,
    },
    /// It comes to rest, able to do nothing.
    Deadlock,
    /// It does these τ again and again.
    Divergence(Vec<WitnessStep>),
    /// It can refuse an event that it can also do.
    Nondeterminism {
        /// The offers at the end of the run above, ascending.
        offers: Vec<EventId>,
        /// The run with an equal trace that ends with another event.
        other: Vec<WitnessStep>,
    },
}

impl Wrong {
    /// True if the run before the violation comes to rest.
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
    /// The event that the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming. The origin of a τ may be visible.
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
    /// The refutation by a run in a model that does not remember rests.
    pub fn new(steps: Vec<WitnessStep>, wrong: Wrong) -> Self {
        Self {
            steps,
            rests: None,
            wrong,
        }
    }

    /// The events that the environment sees before the violation.
    pub fn trace(&self) -> Vec<EventId> {
        visible(&self.steps)
    }

    /// The event that is not allowed, if that is the violation.
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
