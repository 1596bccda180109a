//! Why an event cannot happen now: who would have to take part, and who of them does not offer to.

use base::diag::Result;
use process::event::{EventId, TAU};
use process::term::Definitions;
use report::walk::WhyVerdict;
pub use witness::components::waits::ways::{Ability, Party, Ways};
use witness::components::waits::ways::{meet_events, origins, who_offers};

use super::walk::ProcessWalk;

/// Whether an event can happen, and in which ways.
#[derive(Debug)]
pub struct Possibility {
    /// Whether it can happen now.
    pub verdict: WhyVerdict,
    /// Who would take part.
    pub ways: Ways,
    /// Those who offer the event where none of them can do it for anybody.
    pub shut_in: Vec<usize>,
}

impl Possibility {
    /// The ways in which `event` could happen where `walk` has come to. To know what a component
    /// can ever do its states are listed, up to some thousand.
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

/// Meets all events that the components of `walk` can ever do, which an event of another name is
/// none of. Returns whether these are all, as far as components have started.
pub fn meet_all_events(definitions: &mut dyn Definitions, walk: &ProcessWalk) -> Result<bool> {
    meet_events(definitions, walk.node())
}
