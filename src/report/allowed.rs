//! The behaviour that a specification allows after a trace, as plain data.

use serde::{Deserialize, Serialize};

use super::events::set;
use base::number::counted;

/// The behaviour that a specification allows next.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AllowedNext {
    /// `events`, or `everything` if the specification has diverged, or `nothing` if it does not
    /// have the trace.
    pub allows: AllowedKind,
    /// The number of events of the trace after which there is `everything` or `nothing`; absent of
    /// `events`.
    pub after: Option<usize>,
    /// The events that the specification allows next, of `events`.
    pub events: Vec<String>,
    /// The smallest sets of which the process has to offer one at least where it comes to rest;
    /// empty where that does not matter.
    pub acceptances: Vec<Vec<String>>,
}

/// The kind of behaviour that a specification allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AllowedKind {
    /// Some events.
    Events,
    /// Everything, since it has diverged.
    Everything,
    /// Nothing, since it does not have the trace.
    #[default]
    Nothing,
}

impl AllowedNext {
    /// The sentence on what the specification `name` allows, in one line without a full stop.
    pub fn text(&self, name: &str) -> String {
        match self.allows {
            AllowedKind::Everything => format!(
                "{name} has diverged after {}, and allows everything",
                counted(self.after.unwrap_or_default() as u64, "event")
            ),
            AllowedKind::Nothing => format!(
                "{name} does not allow event {} of the trace",
                self.after.unwrap_or_default() + 1
            ),
            AllowedKind::Events if self.acceptances.is_empty() => {
                format!("{name} allows {}", set(&self.events))
            }
            AllowedKind::Events => {
                let sets: Vec<String> = self.acceptances.iter().map(|s| set(s)).collect();
                format!(
                    "{name} allows {}; at rest all of {} has to be offered",
                    set(&self.events),
                    sets.join(" or ")
                )
            }
        }
    }

    /// `{a, b}`, `everything` or `nothing`.
    pub(super) fn short(&self) -> String {
        match self.allows {
            AllowedKind::Events => set(&self.events),
            AllowedKind::Everything => "everything".to_string(),
            AllowedKind::Nothing => "nothing".to_string(),
        }
    }
}
