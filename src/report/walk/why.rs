//! The reason why an event can happen now, or cannot: plain data and text.

use serde::Serialize;

/// The reasons why an event can happen or cannot, with the components that would take part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WhyReport {
    /// The event that was asked about.
    pub event: String,
    /// The verdict: whether the event can happen now.
    pub verdict: WhyVerdict,
    /// True if it is hidden in these ways: outside it is seen as τ.
    pub hidden: bool,
    /// The ways in which it could happen; empty if no component that runs can ever do it.
    pub ways: Vec<WayReport>,
    /// Of `shut_in`: the components that offer the event.
    pub shut_in: Vec<String>,
    /// True if there are more ways than are listed.
    pub more: bool,
}

/// The verdict on whether an event can happen now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyVerdict {
    /// The event can happen.
    Offered,
    /// The event can happen, and is seen as τ.
    Hidden,
    /// All components that would take part offer it, but a priority keeps it back.
    KeptBack,
    /// A component that would take part does not offer it.
    Blocked,
    /// A component offers it, but an alphabet, a link or a renaming lets no such event out.
    ShutIn,
    /// No component that runs can ever do it.
    Never,
}

/// A way in which an event could happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WayReport {
    /// True if all components that would take part offer to.
    pub ready: bool,
    /// All components that would take part, from left to right.
    pub parties: Vec<PartyReport>,
}

/// A component that would take part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PartyReport {
    /// Its name.
    pub component: String,
    /// Its own event, before the hiding and renaming above it.
    pub event: String,
    /// The ability of the component to do that event.
    pub ability: PartyAbility,
    /// Its state, in its present values; absent if it no longer runs.
    pub now: Option<String>,
    /// The events that it can do next by itself.
    pub offers: Vec<String>,
}

/// The ability of a component to do an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PartyAbility {
    /// It offers the event.
    Offered,
    /// It does not offer the event, but may later.
    Later,
    /// It can never do it again.
    Never,
}

impl WhyReport {
    /// The answer as the rest of a sentence that begins with the event.
    fn answer(&self) -> &'static str {
        match self.verdict {
            WhyVerdict::Offered | WhyVerdict::Hidden => "can happen now.",
            WhyVerdict::KeptBack => {
                "cannot happen now: all who take part offer it, but a priority keeps it back."
            }
            WhyVerdict::Blocked => "cannot happen now.",
            WhyVerdict::ShutIn => {
                "cannot happen: an alphabet, a link or a renaming lets no such event out."
            }
            WhyVerdict::Never => "cannot happen: no component that runs can ever do it.",
        }
    }

    /// The report for people, in some lines.
    pub fn text(&self) -> String {
        let event = &self.event;
        let mut text = format!("{event} {}\n", self.answer());
        if self.hidden {
            text.push_str("  it is hidden: who looks from outside sees τ\n");
        }
        for component in &self.shut_in {
            text.push_str(&format!("  {component} offers it\n"));
        }
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
