//! The rows of the table, whatever its form: what each component did, was, and can do at the end.

use super::super::events::set;
use super::cells::{GAP, cut};
use super::{ComponentEnd, ComponentReport, ComponentStep, SpecificationRow};

/// The most characters of a name; longer names are cut.
const LONGEST_NAME: usize = 30;

/// A row of the table: the events and states of a component, or of the specification, by step.
pub(super) struct TableRow {
    /// Lines above it, such as the compressions that begin with it.
    pub(super) headings: Vec<String>,
    pub(super) name: String,
    /// The steps that it took part in, each with what it did.
    pub(super) did: Vec<(usize, String)>,
    /// The steps after which it became something else, 0 for the start, each with what it became.
    pub(super) became: Vec<(usize, String)>,
    /// The text on what it can do at the end.
    pub(super) end: String,
}

impl TableRow {
    /// The event that the component did in this step.
    pub(super) fn did_in(&self, step: usize) -> Option<&str> {
        in_step(&self.did, step)
    }

    /// The state that it came to by this step, if that is another one than before.
    pub(super) fn became_in(&self, step: usize) -> Option<&str> {
        in_step(&self.became, step)
    }

    /// True if the component is there before this step.
    pub(super) fn is_there_before(&self, step: usize) -> bool {
        let before = self.became.partition_point(|&(after, _)| after < step);
        before > 0 && self.became[before - 1].1 != GONE
    }
}

/// The text for a component that no longer runs.
const GONE: &str = "no longer runs";

fn in_step(cells: &[(usize, String)], step: usize) -> Option<&str> {
    let at = cells.binary_search_by_key(&step, |&(at, _)| at).ok()?;
    Some(&cells[at].1)
}

/// A row for each of the `components`.
pub(super) fn component_rows<'c>(
    components: impl IntoIterator<Item = &'c ComponentReport>,
) -> Vec<TableRow> {
    let components: Vec<&ComponentReport> = components.into_iter().collect();
    let each = components.iter().zip(headings(&components));
    let row = |(component, headings): (&&ComponentReport, Vec<String>)| {
        let became = component.states.iter();
        let state = |state: &Option<String>| state.as_deref().unwrap_or(GONE).to_string();
        TableRow {
            headings,
            name: indented(component),
            did: did(component),
            became: became.map(|s| (s.step as usize, state(&s.state))).collect(),
            end: end(component),
        }
    };
    each.map(row).collect()
}

/// The events of a component by step. Below a `chase` it may have done several events in one.
fn did(component: &ComponentReport) -> Vec<(usize, String)> {
    let mut did: Vec<(usize, String)> = Vec::new();
    for ComponentStep { step, event } in &component.steps {
        match did.last_mut().filter(|last| last.0 == *step as usize) {
            Some((_, events)) => events.push_str(&format!(", {event}")),
            None => did.push((*step as usize, event.clone())),
        }
    }
    did
}

/// The row of the specification: its states are what it allows.
pub(super) fn specification_row(specification: &SpecificationRow) -> TableRow {
    let states = specification.states.iter();
    let became = states.map(|s| (s.step as usize, s.allowed.short()));
    TableRow {
        headings: vec!["the specification allows:".to_string()],
        name: format!("{GAP}{}", cut(&specification.process, LONGEST_NAME)),
        did: Vec::new(),
        became: became.collect(),
        end: specification.at_end.short(),
    }
}

/// For each row, the compressions that begin with it.
fn headings(rows: &[&ComponentReport]) -> Vec<Vec<String>> {
    let mut before: &[String] = &[];
    let each = rows.iter().map(|component| {
        let within = &component.within;
        let same = within.iter().zip(before).take_while(|(a, b)| a == b);
        let same = same.count();
        before = within;
        let fresh = within.iter().enumerate().skip(same);
        let heading = |(depth, name): (usize, &String)| format!("{}{name}:", GAP.repeat(depth));
        fresh.map(heading).collect()
    });
    each.collect()
}

/// The name of a component, behind those of the compressions around it.
fn indented(component: &ComponentReport) -> String {
    let indent = GAP.repeat(component.within.len());
    format!("{indent}{}", cut(&component.name, LONGEST_NAME))
}

/// The text on what a component can do at the end.
fn end(component: &ComponentReport) -> String {
    match (component.end, component.offers.as_deref()) {
        (ComponentEnd::Terminated, _) => "has terminated".to_string(),
        (ComponentEnd::Gone, _) => GONE.to_string(),
        (ComponentEnd::Runs, None | Some([])) => "nothing".to_string(),
        (ComponentEnd::Runs, Some(offers)) => {
            // Only the outer braces are taken off: events such as `c.{0}` have some of their own.
            let set = set(offers);
            let inner = set.strip_prefix('{').and_then(|set| set.strip_suffix('}'));
            inner.unwrap_or(&set).to_string()
        }
    }
}
