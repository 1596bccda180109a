//! The steps and states of each component in a counterexample, and what the specification allowed:
//! plain data, and a table with one row a component.

mod cells;
mod grid;
mod list;
mod row;
mod table;
mod waits;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::allowed::AllowedNext;

pub(super) use self::table::table;
pub(super) use self::waits::waits;

/// The steps and states of one component.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentReport {
    /// The component as CSPm, as it started; where several look the same, with a number.
    pub name: String,
    /// The compressions in which it stands, the outermost first.
    pub within: Vec<String>,
    /// Its own steps, before the hiding and renaming above it.
    pub steps: Vec<ComponentStep>,
    /// The way in which the run leaves it.
    pub end: ComponentEnd,
    /// The events that it can do next by itself, `τ` and `✓` among them; absent unless it runs.
    pub offers: Option<Vec<String>>,
    /// The events that it could do but for others, where the run comes to rest.
    pub waits_for: Vec<ComponentWait>,
    /// Its states, as far as they changed; empty if it did what an operator does by itself.
    pub states: Vec<ComponentState>,
}

/// A state that a component has come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentState {
    /// The step of the counterexample after which it is in this state, counted from 1; 0 for the
    /// start.
    pub step: u64,
    /// The state from then on, in its present values; absent if the component no longer ran.
    pub state: Option<String>,
}

/// The behaviour that the specification of a refinement allows on the way of a counterexample.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationRow {
    /// The specification as CSPm.
    pub process: String,
    /// The model: `T`, `F`, `FD`...
    pub model: Cow<'static, str>,
    /// The behaviour that it allows at the start and after each step that is no internal one.
    pub states: Vec<SpecificationState>,
    /// The behaviour that it would have allowed where the implementation goes wrong.
    pub at_end: AllowedNext,
}

/// The behaviour that a specification allows after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationState {
    /// The step of the counterexample, counted from 1; 0 for the start.
    pub step: u64,
    /// The behaviour that is allowed then.
    #[serde(flatten)]
    pub allowed: AllowedNext,
}

/// A step that a component took part in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentStep {
    /// The step of the counterexample, counted from 1.
    pub step: u64,
    /// The component's own part in it: an event, `✓`, `τ`, or `τ (event)` if the component hides
    /// the event itself.
    pub event: String,
}

/// The way in which a run leaves a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ComponentEnd {
    /// It runs.
    Runs,
    /// It has terminated.
    Terminated,
    /// A choice went to another component, or the component was interrupted, or has handed over.
    Gone,
}

/// An event that a component waits to do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentWait {
    /// Its own event.
    pub event: String,
    /// The names of the components that would have to take part and do not offer to.
    pub components: Vec<String>,
}

/// A member of a circle of components each of which waits for the next, and the last for the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CycleMember {
    /// Its name.
    pub component: String,
    /// The event that it waits to do.
    pub event: String,
}

#[cfg(test)]
mod tests;
