//! Channels as the texts from which renderers make lines and labels.

use base::number::{counted, thousands};

use super::{ChannelDescription, ChannelGraph};

/// The direction of a channel as far as all of its ends have one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum EndRole {
    /// It only sends.
    Sends,
    /// It sends and receives.
    Both,
    /// Nothing is known.
    Unclear,
    /// It only receives.
    Receives,
}

impl ChannelDescription {
    /// True if two components or more take part.
    pub(super) fn is_shared(&self) -> bool {
        self.ends.len() > 1
    }

    /// Its name, the number of its events, what it passes on, and that it is hidden.
    pub(super) fn title(&self) -> String {
        let events = match self.events {
            1 => String::new(),
            events => format!(" ({})", counted(events, "event")),
        };
        let hidden = if self.hidden { ", hidden" } else { "" };
        format!("{}{events}{}{hidden}", self.name, self.passed())
    }

    /// The title as it stands at a line, which says by itself that it is hidden.
    pub(super) fn label(&self) -> String {
        let events = match self.events {
            1 => String::new(),
            events => format!(" \u{d7}{}", thousands(events)),
        };
        let mark = if self.breaks.is_empty() { "" } else { "! " };
        format!("{mark}{}{events}{}", self.name, self.passed())
    }

    /// The channels to which it passes on references, in braces.
    fn passed(&self) -> String {
        match self.references.is_empty() {
            true => String::new(),
            false => format!(" {{{}}}", self.references.join(", ")),
        }
    }

    /// The role of the end at `place`.
    pub(super) fn role(&self, place: usize) -> EndRole {
        match (self.ends[place].sends, self.ends[place].receives) {
            (true, false) => EndRole::Sends,
            (false, true) => EndRole::Receives,
            (true, true) => EndRole::Both,
            (false, false) => EndRole::Unclear,
        }
    }

    /// The components in this role.
    pub(super) fn with_role(&self, role: EndRole) -> Vec<usize> {
        let places = 0..self.ends.len();
        let places = places.filter(|&place| self.role(place) == role);
        places.map(|place| self.ends[place].component).collect()
    }
}

/// The ends of a channel: `A -> B` if A sends to B, `A <-> B` if both do, `A, B` where that is not
/// known.
pub(super) fn between(graph: &ChannelGraph, channel: &ChannelDescription) -> String {
    let names = |role: EndRole, separator: &str| {
        let components = channel.with_role(role).into_iter();
        let names: Vec<String> = components.map(|one| graph.marked_name(one)).collect();
        names.join(separator)
    };
    let said = [
        names(EndRole::Sends, ", "),
        names(EndRole::Both, " <-> "),
        names(EndRole::Receives, ", "),
    ];
    let said: Vec<String> = said.into_iter().filter(|names| !names.is_empty()).collect();
    let unclear = names(EndRole::Unclear, ", ");
    let said = [said.join(" -> "), unclear];
    let said: Vec<String> = said.into_iter().filter(|names| !names.is_empty()).collect();
    said.join("; ")
}
