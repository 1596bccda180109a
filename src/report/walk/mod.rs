//! The state that a walk through a process has come to: plain data, which is also the JSON object.

mod found;
mod text;
mod why;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::allowed::AllowedNext;
use super::components::{ComponentWait, CycleMember};
use super::message::PlaceReport;

pub use self::found::WalkToCounterexample;
pub use self::why::{PartyAbility, PartyReport, WayReport, WhyReport, WhyVerdict};

/// The state that a walk has come to, and what can happen next.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WalkReport {
    /// The script, as it was named.
    pub file: String,
    /// The process that is walked, as CSPm.
    pub process: String,
    /// The assertion that it is walked for, as CSPm; absent if it is walked by itself.
    pub assertion: Option<String>,
    /// The instance that is walked, as `-D` takes it, where an assertion is asked for every value
    /// of a constant and fails for one; absent of the script as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The number of steps at the start that are left out of `steps` and `trace`, as was asked for;
    /// absent if it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub from: usize,
    /// The steps taken so far.
    pub steps: Vec<WalkStep>,
    /// The visible events among them.
    pub trace: Vec<String>,
    /// The internal steps that each `chase` has followed by itself at the start, before the first
    /// step; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chased: Vec<ChasedReport>,
    /// The operators that have started by now and have components below; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<OperatorView>,
    /// The components that have started by now.
    pub components: Vec<ComponentView>,
    /// The steps that can be taken, in the order of their texts: events, `✓`, internal steps.
    pub choices: Vec<ChoiceReport>,
    /// True if the process is at rest: it can do nothing internal.
    pub stable: bool,
    /// The smallest sets of events with which it can come to rest, after more internal steps if it
    /// is not stable; absent if that takes too long to find.
    pub acceptances: Option<Vec<Vec<String>>>,
    /// True if it can do internal steps for ever without another event; absent if that takes too
    /// long to find.
    pub diverges: Option<bool>,
    /// The circle where the process offers nothing: components each of which waits for the next,
    /// and the last for the first; empty if there is no such circle, absent where something is
    /// offered.
    pub waiting_circle: Option<Vec<CycleMember>>,
    /// The behaviour that the specification allows here; absent if there is none.
    pub specification: Option<SpecificationNow>,
    /// The place of the counterexample on the walk, where it leads to the end of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<WalkToCounterexample>,
    /// The place on the track of representatives, if that is shown; absent of the real run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representatives: Option<RepresentativesNow>,
}

/// The track of representatives along a real run: a search with symmetries stores after each step
/// the representative, from which it goes on. The steps of the track are no run of the process.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct RepresentativesNow {
    /// The permutation that takes the state of the real run to the one that is shown.
    pub permutation: String,
    /// The names of the steps of the real run.
    pub real: Vec<String>,
}

/// A step that was taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct WalkStep {
    /// Its name in a path: `event`, with a number where several choices look alike.
    pub name: String,
    /// An event, `✓`, `τ`, or `τ (event)` if the event is hidden.
    pub event: String,
    /// The components that took part, from left to right.
    pub parts: Vec<PartReport>,
    /// The operators that took part, each before those below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<OperatorPart>,
    /// The internal steps that each `chase` has followed by itself after this step; absent if there
    /// are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chased: Vec<ChasedReport>,
}

/// An internal step that a `chase` has followed by itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChasedReport {
    /// `τ`, or `τ (event)` if the event is hidden.
    pub event: String,
    /// The components that took part, from left to right.
    pub parts: Vec<PartReport>,
    /// The operators below the `chase` that took part, each before those below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<OperatorPart>,
}

/// The part of an operator in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OperatorPart {
    /// The position of the operator in `operators` of the walk, counted from 0.
    pub operator: usize,
    /// Its own event, before the hiding and renaming above it.
    pub event: String,
}

/// An operator with components below.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct OperatorView {
    /// The process as CSPm, as it started; cut if it is long.
    pub text: String,
    /// The operator alone, as CSPm.
    pub symbol: String,
    /// The position of the operator around it; absent of the outermost one.
    pub around: Option<usize>,
}

/// The part of a component in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PartReport {
    /// The name of the component.
    pub component: String,
    /// Its own event, before the hiding and renaming above it.
    pub event: String,
    /// Its state after the step; absent of steps that were taken, and if it no longer runs.
    pub becomes: Option<String>,
}

/// A step that can be taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ChoiceReport {
    /// Its name in a path: `event`, with a number where several choices look alike.
    pub name: String,
    /// An event, `✓`, `τ`, or `τ (event)` if the event is hidden.
    pub event: String,
    /// The components that take part, from left to right.
    pub parts: Vec<PartReport>,
    /// True if the specification allows it; absent if there is none, or if it forbids the trace.
    pub allowed: Option<bool>,
}

/// A component and its present state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComponentView {
    /// The component as CSPm, as it started; where several look the same, with a number.
    pub name: String,
    /// The compressions in which it stands, the outermost first.
    pub within: Vec<String>,
    /// The position in `operators` of the innermost operator around it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<usize>,
    /// Its state, in its present values; absent if it no longer runs.
    pub now: Option<String>,
    /// The events that it can do next by itself, `τ` and `✓` among them.
    pub offers: Vec<String>,
    /// The text of the script that it is at, if there is one.
    pub place: Option<PlaceReport>,
    /// The events that it could do but for others, where the process offers nothing.
    pub waits_for: Vec<ComponentWait>,
}

/// The behaviour that a specification allows in the state that a walk has come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpecificationNow {
    /// The specification as CSPm.
    pub process: String,
    /// The model: `T`, `F`, `FD`...
    pub model: Cow<'static, str>,
    /// The behaviour that it allows.
    #[serde(flatten)]
    pub allowed: AllowedNext,
}

/// A walk that can be taken again: what `save` writes and `--walk` reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SavedWalk {
    /// The process, as CSPm; absent of the walk of an assertion.
    #[serde(default)]
    pub process: Option<String>,
    /// The assertion, as CSPm; absent of the walk of a process.
    #[serde(default)]
    pub assertion: Option<String>,
    /// The instance in which it is walked, as `-D` takes it; absent of the script as it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The names of its steps.
    pub path: Vec<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The name of a step in a path: its `event`, with a number if `alike_before` others look like it
/// and stand before it.
pub fn step_name(event: &str, alike_before: usize) -> String {
    match alike_before {
        0 => event.to_string(),
        before => format!("{event} #{}", before + 1),
    }
}

/// True if a step that does `event` can be called `name`, with some number or none.
pub fn is_name_of(name: &str, event: &str) -> bool {
    let number = name.strip_prefix(event);
    number.is_some_and(|number| number.is_empty() || number.starts_with(" #"))
}

impl WalkReport {
    /// The assertion that the process has the trace walked so far.
    pub fn trace_assertion(&self) -> String {
        let events: Vec<&str> = self.trace.iter().map(String::as_str).collect();
        // ✓ ends a trace, and is no event that can be written.
        let events = match events.split_last() {
            Some((&"✓", before)) => before,
            _ => &events[..],
        };
        format!(
            "assert {} :[has trace [T]]: <{}>",
            self.process,
            events.join(", ")
        )
    }
}

#[cfg(test)]
mod tests;
