//! Names for symmetries that were found without one: cycles over the script's own names.

use std::collections::{BTreeMap, BTreeSet};

use base::diag::Result;
use base::index::TypedIndex;
use lts::normal_form::NormalForm;
use machine::{LeafId, Machine};
use process::event::EventId;
use process::values::{EventValues, Inferred, ValueType};

use super::events::events_of;
use super::notation::cycles_text;
use super::pbisim::Symmetry;
use super::permutation::cycles_of;

/// The most cycles in a name, and the most elements of one cycle; the others are left out.
const SHOWN: usize = 8;

/// Names the symmetries of one check. Making it takes a look at all events, to find out which types
/// there are.
#[derive(Debug)]
pub struct SymmetryNames {
    events: Vec<EventId>,
    types: Vec<ValueType>,
}

impl SymmetryNames {
    /// Prepares names for the symmetries of `machine` beside `specification`.
    pub fn new(
        values: &mut dyn EventValues,
        machine: &Machine,
        specification: &NormalForm,
    ) -> Result<Self> {
        let token = &values.cancellation().clone();
        let events = events_of(machine, specification, token)?;
        // Names need no weights.
        let types = values.value_types(&events, &|_| 0)?;
        Ok(Self {
            events,
            types: types.into_iter().map(|(ty, _)| ty).collect(),
        })
    }

    /// The name of `symmetry`, such as `(B C)`; `()` if it moves nothing.
    pub fn name(
        &self,
        values: &mut dyn EventValues,
        machine: &Machine,
        symmetry: &Symmetry,
    ) -> Result<String> {
        Ok(self.generator(values, machine, symmetry)?.text)
    }

    /// The name of an element of the group. Where events move, and also leaves that look alike, the
    /// name has the cycles of these leaves as well, because the events do not tell where they go.
    pub fn element(
        &self,
        values: &mut dyn EventValues,
        machine: &Machine,
        symmetry: &Symmetry,
    ) -> Result<ElementName> {
        let name = self.generator(values, machine, symmetry)?;
        let twins = moved_twins(machine, symmetry);
        if symmetry.events.is_identity() || twins.is_empty() {
            return Ok(name);
        }
        let cycles = cycles_of(twins, |leaf| symmetry.pbisim.leaf(leaf));
        Ok(ElementName {
            text: name.text + &shortened(&cycles, leaf_number),
            is_plain: false,
        })
    }

    /// The name of `symmetry`: the permutation of values that it lifts, `(0 1 2)(ON OFF)`, as a
    /// user would write it on the command line. If it lifts none: the cycles of leaves or of
    /// events, or at least the components whose states move.
    fn generator(
        &self,
        values: &mut dyn EventValues,
        machine: &Machine,
        symmetry: &Symmetry,
    ) -> Result<ElementName> {
        let image = |event| symmetry.events.apply(event);
        let moves_events = !symmetry.events.is_identity();
        if moves_events
            && let Some(inferred) = values.inferred(&self.events, &self.types, &image)?
        {
            return Ok(ElementName {
                text: values_text(&inferred),
                is_plain: inferred.is_plain,
            });
        }
        let (text, is_plain) = if symmetry.is_identity() {
            ("()".to_string(), true)
        } else if let Some(text) = leaves_text(machine, symmetry) {
            (text, false)
        } else if moves_events {
            let events = &values.terms().events;
            let cycles = symmetry.events.cycles();
            let text = shortened(&cycles, |event| events.name(event).to_string());
            let is_whole = cycles.len() <= SHOWN && cycles.iter().all(|cycle| cycle.len() <= SHOWN);
            (text, is_whole)
        } else {
            (states_text(machine, symmetry), false)
        };
        Ok(ElementName { text, is_plain })
    }
}

/// The name of an element of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ElementName {
    /// Cycles over the script's own names; `()` moves nothing.
    pub text: String,
    /// True if the cycles are of values or events alone, so that the text says all that the element
    /// does.
    pub is_plain: bool,
}

/// The leaves that move and have the expression of another leaf.
fn moved_twins(machine: &Machine, symmetry: &Symmetry) -> Vec<LeafId> {
    let name = |leaf: LeafId| machine.leaves[leaf].expression.as_str();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for leaf in machine.leaves.indices() {
        *counts.entry(name(leaf)).or_default() += 1;
    }
    let moved = symmetry.pbisim.moved_leaves().map(|(leaf, _)| leaf);
    moved.filter(|&leaf| counts[name(leaf)] > 1).collect()
}

fn leaf_number(leaf: LeafId) -> String {
    format!("leaf {}", leaf.index() + 1)
}

/// `(0 1 2)(ON OFF)`; where integers could mean another set, `(0 1 2) of {0..2}, (ON OFF) of
/// LABEL`.
fn values_text(inferred: &Inferred) -> String {
    let texts = inferred.parts.iter().map(|(ty, images)| {
        let cycles = cycles_text(&ty.values, images);
        if inferred.is_plain {
            cycles
        } else {
            format!("{cycles} of {}", ty.name)
        }
    });
    let mut texts: Vec<String> = texts.collect();
    if inferred.is_plain {
        // Several types may have the same integers, and then they are moved alike.
        let mut seen = BTreeSet::new();
        texts.retain(|text| seen.insert(text.clone()));
        texts.concat()
    } else {
        texts.join(", ")
    }
}

/// `(POLE(A) POLE(B))`, if leaves move and no other leaf has the expression of one that moves.
fn leaves_text(machine: &Machine, symmetry: &Symmetry) -> Option<String> {
    let moved = symmetry.pbisim.moved_leaves().map(|(leaf, _)| leaf);
    let cycles = cycles_of(moved, |leaf| symmetry.pbisim.leaf(leaf));
    if cycles.is_empty() {
        return None;
    }
    if moved_twins(machine, symmetry).is_empty() {
        let name = |leaf: LeafId| machine.leaves[leaf].expression.clone();
        return Some(shortened(&cycles, name));
    }
    // The leaves of equal operands have the same expression. Where no event moves, only numbers
    // distinguish them.
    let only_leaves = symmetry.events.is_identity();
    only_leaves.then(|| shortened(&cycles, leaf_number))
}

/// `states of TURN`, where only states within leaves move, or states of the specification.
fn states_text(machine: &Machine, symmetry: &Symmetry) -> String {
    let leaves = machine.leaves.indices();
    let moved = leaves.filter(|&leaf| !symmetry.pbisim.fixes(leaf));
    let mut names: Vec<&str> = moved
        .map(|leaf| machine.leaves[leaf].expression.as_str())
        .collect();
    // The caller tried events before, so if no leaf moves here, it is the specification that moves.
    if names.is_empty() {
        names.push("the specification");
    }
    let more = names.len() > SHOWN;
    names.truncate(SHOWN);
    let more = if more { "…" } else { "" };
    format!("states of {}{more}", names.join(", "))
}

/// The first cycles, each with its first elements; `…` in place of the rest.
fn shortened<T: Copy>(cycles: &[Vec<T>], name: impl Fn(T) -> String) -> String {
    let mut text = String::new();
    for cycle in cycles.iter().take(SHOWN) {
        let mut names: Vec<String> = cycle.iter().take(SHOWN).map(|&one| name(one)).collect();
        if cycle.len() > SHOWN {
            names.push("…".to_string());
        }
        text.push_str(&format!("({})", names.join(" ")));
    }
    if cycles.len() > SHOWN {
        text.push('…');
    }
    text
}
