//! The table of what components did and were: one column a step where that fits, or else one line
//! a step of each component.

use std::collections::BTreeSet;

use super::cells::INDENT;
use super::row::{component_rows, specification_row};
use super::{ComponentReport, SpecificationRow, grid, list};

/// The most components of which all have a row.
const ALL_SHOWN: usize = 20;
/// The most rows of a table.
const MOST_ROWS: usize = 50;

/// The table of what `components` did and were in a run of `steps` steps, and of what the
/// `specification` of a refinement allowed meanwhile, below `title`.
pub(crate) fn table(
    title: &str,
    components: &[ComponentReport],
    specification: Option<&SpecificationRow>,
    steps: usize,
) -> String {
    let shown = shown(components);
    let shown_components: Vec<&ComponentReport> = shown.iter().map(|&i| &components[i]).collect();
    let mut rows = component_rows(shown_components.iter().copied());
    rows.extend(specification.map(specification_row));
    let (lines, key) = match grid::grid(&rows, steps) {
        Some(grid) if grid.split_whitespace().any(|word| word == "=") => (grid, " (= as before)"),
        Some(grid) => (grid, ""),
        None => (list::list(&rows), ""),
    };
    let mut text = format!("  {title}{key}:\n{lines}");
    let rows = shown_components;
    if rows.len() < components.len() {
        // `shown` has at most MOST_ROWS entries, so searching it is cheap.
        let hidden = (0..components.len()).filter(|i| !shown.contains(i));
        let (did, idle): (Vec<usize>, Vec<usize>) =
            hidden.partition(|&i| !components[i].steps.is_empty());
        if !did.is_empty() {
            text.push_str(&format!("{INDENT}and {} more did something\n", did.len()));
        }
        if !idle.is_empty() {
            text.push_str(&format!("{INDENT}{} more did nothing\n", idle.len()));
        }
    }
    text
}

/// The components that have a row, ascending: all if there are few, or else those that wait or keep
/// others waiting, and then those that took part.
fn shown(components: &[ComponentReport]) -> Vec<usize> {
    if components.len() <= ALL_SHOWN {
        return (0..components.len()).collect();
    }
    let waits = components.iter().flat_map(|c| &c.waits_for);
    let awaited: BTreeSet<&String> = waits.flat_map(|wait| &wait.components).collect();
    let is_stuck = |component: &ComponentReport| {
        !component.waits_for.is_empty() || awaited.contains(&component.name)
    };
    let matters = |&i: &usize| is_stuck(&components[i]) || !components[i].steps.is_empty();
    let mut shown: Vec<usize> = (0..components.len()).filter(matters).collect();
    // Components that wait come first, so that they are kept where rows are cut; then all that are
    // kept return to their own order.
    shown.sort_by_key(|&i| !is_stuck(&components[i]));
    shown.truncate(MOST_ROWS);
    shown.sort_unstable();
    shown
}
