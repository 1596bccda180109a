//! The reason why an event cannot happen now: the components that would have to take part, and
//! those among them that do not offer it.

use base::diag::Result;
use process::event::{EventId, TAU};
use process::term::Definitions;
use report::walk::WhyVerdict;
pub use witness::components::waits::ways::{Ability, Party, Ways};
use witness::components::waits::ways::{meet_events, origins, who_offers};

use super::walk::ProcessWalk;

/// An answer to the question if an event can happen, and in which ways.
#[derive(Debug)]
pub struct Possibility {
    /// The answer itself.
    pub verdict: WhyVerdict,
    /// The ways to do the event, each with the components that would take part.
    pub ways: Ways,
    /// The components that offer the event themselves, where operators around them keep each from
    /// doing it for the environment.
    pub shut_in: Vec<usize>,
}

impl Possibility {
    /// The ways in which `event` could happen in the present state of `walk`. To know what a
    /// component can ever do, its states are listed, up to some thousand.
    pub fn of(
        definitions: &mut dyn Definitions,
        walk: &mut ProcessWalk,
        event: EventId,
    ) -> Result<Self> {
        let steps = walk.steps(definitions)?;
        let ways = Ways::of(definitions, walk.node(), event)?;
        let origins = origins(definitions, walk.node(), &ways)?;
        let has = |ability| move |party: &Party| party.ability == ability;
        let ready = || {
            ways.all
                .iter()
                .filter(|way| way.iter().all(has(Ability::Offered)))
        };
        let does_hidden = |origin| {
            let mut hidden = steps.iter().filter(|step| step.label == TAU);
            hidden.any(|step| step.origin == origin)
        };
        let mut shut_in = Vec::new();
        let verdict = if steps.iter().any(|step| step.label == event) {
            WhyVerdict::Offered
        } else if does_hidden(event) || origins.into_iter().any(does_hidden) {
            WhyVerdict::Hidden
        } else if ready().next().is_some() {
            WhyVerdict::KeptBack
        } else if !ways.all.is_empty() {
            WhyVerdict::Blocked
        } else {
            shut_in = who_offers(definitions, walk.node(), event)?;
            match shut_in.is_empty() {
                true => WhyVerdict::Never,
                false => WhyVerdict::ShutIn,
            }
        };
        Ok(Self {
            verdict,
            ways,
            shut_in,
        })
    }
}

/// Gives numbers to all events that the components of `walk` can ever do: an event without a number
/// is none of them. Returns true if these are all events of the components started so far.
pub fn meet_all_events(definitions: &mut dyn Definitions, walk: &ProcessWalk) -> Result<bool> {
    meet_events(definitions, walk.node())
}
