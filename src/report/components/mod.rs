//! What each component did and was in a counterexample, and what the specification allowed: plain
//! data, and a table with one row a component.

mod cells;
mod grid;
mod list;
mod row;
mod table;
mod waits;

use serde::Serialize;

use super::allowed::AllowedNext;

#[cfg(feature = "cli")]
pub(super) use self::row::{TableRow, component_rows};
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
    /// What it was, as far as that changed; empty if it did what an operator does by itself.
    pub states: Vec<ComponentState>,
}

/// What a component has become.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentState {
    /// After which step of the counterexample, counted from 1; 0 for the start.
    pub step: u64,
    /// What it was from then on, in its present values; absent if it no longer ran.
    pub state: Option<String>,
}

/// What the specification of a refinement allows on the way of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationRow {
    /// The specification as CSPm.
    pub process: String,
    /// `T`, `F`, `FD`...
    pub model: &'static str,
    /// What it allows at the start and after each step that is no internal one.
    pub states: Vec<SpecificationState>,
    /// What it would have allowed where the implementation goes wrong.
    pub at_end: AllowedNext,
}

/// What a specification allows after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationState {
    /// After which step of the counterexample, counted from 1; 0 for the start.
    pub step: u64,
    /// What it allows then.
    #[serde(flatten)]
    pub allowed: AllowedNext,
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
