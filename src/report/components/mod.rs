//! What each component did in a counterexample: plain data, and a table with one row a component.

mod cells;
mod table;
mod waits;

use serde::Serialize;

pub(super) use self::table::table;
pub(super) use self::waits::waits;

/// What one component did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentReport {
    /// The component as CSPm, as it started; where several look the same, with a number.
    pub name: String,
    /// The compressions in which it stands, the outermost first.
    pub within: Vec<String>,
    /// What it did itself, before the hiding and renaming above it.
    pub steps: Vec<ComponentStep>,
    /// Where the run leaves it.
    pub end: ComponentEnd,
    /// What it can do next by itself, `τ` and `✓` among it; absent unless it runs.
    pub offers: Option<Vec<String>>,
    /// What it could do but for others, where the run comes to rest.
    pub waits_for: Vec<ComponentWait>,
}

/// A step that a component took part in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentStep {
    /// Which step of the counterexample, counted from 1.
    pub step: u64,
    /// What the component did in it: an event, `✓`, `τ`, or `τ (event)` if it hides that itself.
    pub event: String,
}

/// Where a run leaves a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ComponentEnd {
    /// It runs.
    Runs,
    /// It has terminated.
    Terminated,
    /// A choice went to another, or it was interrupted, or has handed over.
    Gone,
}

/// An event that a component waits to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentWait {
    /// Its own event.
    pub event: String,
    /// The names of those that would have to take part and do not offer to.
    pub components: Vec<String>,
}

/// A member of a circle of components each of which waits for the next, and the last for the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CycleMember {
    /// Its name.
    pub component: String,
    /// What it waits to do.
    pub event: String,
}

#[cfg(test)]
mod tests;
