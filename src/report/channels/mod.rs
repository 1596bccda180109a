//! The communication graph of a process as plain data, and its JSON.
//!
//! The order of the fields is the order of the keys, and both are part of the interface.
//! Components are positions in [`ChannelGraph::components`].

pub mod dot;
mod drawing;
mod layout;
mod lines;
pub mod text;

use serde::Serialize;

use super::json::json;

/// The communication graph of a process: its components, and the channels that join them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChannelGraph {
    /// The script, as it was named.
    pub file: String,
    /// The expression that was compiled.
    pub expression: String,
    /// The components: the leaves of the machine that are processes.
    pub components: Vec<ChannelComponent>,
    /// The channels. Events of one channel with the same ends are one entry.
    pub channels: Vec<ChannelDescription>,
    /// The number of symmetries, the one that moves nothing included; decimal, of any size. Absent
    /// if none were looked for.
    pub order: Option<String>,
    /// The structure of their group; absent if none were looked for.
    pub structure: Option<String>,
    /// The symmetries that there would be if some components did not differ.
    pub broken: Vec<BrokenSymmetry>,
}

/// A component of a process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChannelComponent {
    /// The process at its start, as CSPm, with a number where several look the same.
    pub name: String,
    /// Its states.
    pub states: u64,
    /// The number of its orbit: symmetries take the components of one orbit to each other.
    pub orbit: usize,
    /// The positions in `broken` of the symmetries that it breaks.
    pub breaks: Vec<usize>,
}

/// The events of one channel with the same ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChannelDescription {
    /// The channel with the first fields, as far as all the events have the same ones.
    pub name: String,
    /// The number of events.
    pub events: u64,
    /// True if the events are hidden from the environment of the process.
    pub hidden: bool,
    /// The components that take part, in their order. Events with one end are done by a component
    /// alone.
    pub ends: Vec<ChannelEnd>,
    /// The channels to which references are passed on, by their names.
    pub references: Vec<String>,
    /// The number of its orbit: symmetries take the channels of one orbit to each other.
    pub orbit: usize,
    /// The positions in `broken` of the symmetries that it breaks.
    pub breaks: Vec<usize>,
}

/// An end of a channel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChannelEnd {
    /// The position of the component.
    pub component: usize,
    /// True if it chooses a value of which another end offers several at once.
    pub sends: bool,
    /// True if it offers several values at once of which another end chooses one.
    pub receives: bool,
}

/// A symmetry that there would be if some components did not differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BrokenSymmetry {
    /// The symmetry in cycles.
    pub name: String,
    /// The reason why it does not hold.
    pub reason: String,
    /// `file:line:column`, if the reason has a place in the script.
    pub place: Option<String>,
}

impl ChannelGraph {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}

#[cfg(test)]
mod tests;
