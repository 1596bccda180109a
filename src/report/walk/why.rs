//! Why an event can happen now, or cannot: plain data and text.

use serde::Serialize;

use super::super::json::json;

/// Whether an event can happen, and who would take part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WhyReport {
    /// The event that was asked about.
    pub event: String,
    /// Whether it can happen now.
    pub offered: bool,
    /// Whether it is hidden: outside it is seen as τ.
    pub hidden: bool,
    /// Whether only a priority keeps it from happening.
    pub kept_back: bool,
    /// The ways in which it could happen; empty if it never can.
    pub ways: Vec<WayReport>,
    /// Whether there are more ways than are listed.
    pub more: bool,
}

/// A way in which an event could happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WayReport {
    /// Whether all who would take part offer to.
    pub ready: bool,
    /// All who would take part, from left to right.
    pub parties: Vec<PartyReport>,
}

/// A component that would take part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PartyReport {
    /// Its name.
    pub component: String,
    /// What it would do itself, before the hiding and renaming above it.
    pub event: String,
    /// Whether it can.
    pub ability: PartyAbility,
    /// What it is now, in its present values; absent if it no longer runs.
    pub now: Option<String>,
    /// What it can do next by itself.
    pub offers: Vec<String>,
}

/// Whether a component can do an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PartyAbility {
    /// It offers the event.
    Offered,
    /// It does not, but may later.
    Later,
    /// It can never do it again.
    Never,
}

impl WhyReport {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// For people, in some lines.
    pub fn text(&self) -> String {
        let event = &self.event;
        let seen = if self.hidden {
            format!("{event} is hidden: it happens as τ ({event}).\n")
        } else {
            String::new()
        };
        let ready = self.ways.iter().any(|way| way.ready);
        let answer = if self.ways.is_empty() {
            format!("{event} cannot happen: no component that runs can ever do it.\n")
        } else if self.kept_back {
            format!(
                "{event} cannot happen now: all who take part offer it, but a priority keeps it back.\n"
            )
        } else if ready {
            format!("{event} can happen now.\n")
        } else {
            format!("{event} cannot happen now.\n")
        };
        let mut text = seen + &answer;
        let several = self.ways.len() > 1;
        for (number, way) in self.ways.iter().enumerate() {
            let indent = if several {
                let number = number + 1;
                text.push_str(&format!("  way {number}:\n"));
                "    "
            } else {
                "  "
            };
            for party in &way.parties {
                text.push_str(&format!("{indent}{}\n", party.text(event)));
            }
        }
        if self.more {
            text.push_str("  and more ways\n");
        }
        text
    }
}

impl PartyReport {
    fn text(&self, event: &str) -> String {
        let own = match self.event == event {
            true => String::new(),
            false => format!(" as {}", self.event),
        };
        let name = &self.component;
        let offers = match self.offers.is_empty() {
            true => "nothing".to_string(),
            false => self.offers.join(", "),
        };
        match self.ability {
            PartyAbility::Offered => format!("{name} offers it{own}"),
            PartyAbility::Later => format!("{name} does not offer it{own}: it offers {offers}"),
            PartyAbility::Never => format!("{name} can never do it{own}: it offers {offers}"),
        }
    }
}
