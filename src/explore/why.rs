//! Why an event cannot happen now: who would have to take part, and who of them does not offer to.

use crate::diag::Result;
use crate::process::event::EventId;
use crate::process::term::Definitions;
pub use crate::witness::components::waits::ways::{Ability, Party, Ways};

use super::walk::ProcessWalk;

/// Whether an event can happen, and in which ways.
#[derive(Debug)]
pub struct Possibility {
    /// Whether it can happen now.
    pub is_offered: bool,
    /// Who would take part.
    pub ways: Ways,
}

impl Possibility {
    /// The ways in which `event` could happen where `walk` has come to. To know what a component
    /// can ever do its states are listed, up to some thousand.
    pub fn of(
        definitions: &mut dyn Definitions,
        walk: &mut ProcessWalk,
        event: EventId,
    ) -> Result<Self> {
        let labels = walk.steps(definitions)?;
        Ok(Self {
            is_offered: labels.iter().any(|step| step.label == event),
            ways: Ways::of(definitions, walk.node(), event)?,
        })
    }

    /// Whether all who would have to take part offer to, and it cannot happen all the same: only a
    /// priority keeps such an event back.
    pub fn is_kept_back(&self) -> bool {
        let is_ready = |way: &Vec<Party>| way.iter().all(|p| p.ability == Ability::Offered);
        !self.is_offered && !self.ways.is_hidden && self.ways.all.iter().any(is_ready)
    }
}
