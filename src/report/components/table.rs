//! The table of what components did: one column a step where that fits, or else one for all.

use std::collections::BTreeSet;

use super::super::violation::set;
use super::cells::{GAP, INDENT, length, padded, wrapped};
use super::{ComponentEnd, ComponentReport};

/// Tables are no wider than this.
pub(super) const WIDTH: usize = 100;
/// Names longer than this are cut.
const LONGEST_NAME: usize = 30;
/// The last column is no wider than this if the table has to be made to fit.
const WIDEST_END: usize = 32;
/// Up to this many components all have a row.
const ALL_SHOWN: usize = 20;
/// No more rows than this.
const MOST_ROWS: usize = 50;

/// The table of what `components` did in a run of `steps` steps, below `title`.
pub(in crate::report) fn table(
    title: &str,
    components: &[ComponentReport],
    steps: usize,
) -> String {
    let shown = shown(components);
    let rows: Vec<&ComponentReport> = shown.iter().map(|&i| &components[i]).collect();
    let mut text = format!("  {title}:\n");
    text.push_str(&match grid(&rows, steps) {
        Some(grid) => grid,
        None => list(&rows),
    });
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

/// One column a step, if that fits.
fn grid(rows: &[&ComponentReport], steps: usize) -> Option<String> {
    // Each step takes a column of text at least: a longer run never fits, and no cells are made for
    // it.
    if steps > WIDTH {
        return None;
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    let numbers = (1..=steps).map(|step| step.to_string());
    let header = std::iter::once("component".to_string()).chain(numbers);
    lines.push(header.chain(["at the end".to_string()]).collect());
    for (component, headings) in rows.iter().zip(headings(rows)) {
        lines.extend(headings.into_iter().map(|heading| vec![heading]));
        let mut line = vec![String::new(); steps + 2];
        line[0] = indented(component);
        for step in &component.steps {
            // Steps are counted from 1, and cell 0 has the name.
            let cell = line.get_mut(step.step as usize)?;
            cell.push_str(&step.event);
        }
        line[steps + 1] = end(component);
        lines.push(line);
    }
    let mut widths = vec![0; steps + 2];
    // A line of one cell is a heading, which may reach over all columns.
    for line in lines.iter().filter(|line| line.len() > 1) {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(length(cell));
        }
    }
    let total: usize = widths.iter().map(|width| width + GAP.len()).sum();
    // No gap follows the last column.
    if INDENT.len() + total - GAP.len() > WIDTH {
        return None;
    }
    Some(lines.iter().map(|line| padded(line, &widths)).collect())
}

/// One column for all steps, in several lines where that is needed.
fn list(rows: &[&ComponentReport]) -> String {
    let names = rows.iter().map(|component| length(&indented(component)));
    let name_width = names.max().unwrap_or(0).max("component".len());
    let ends = rows.iter().map(|component| length(&end(component)));
    let end_width = ends
        .max()
        .unwrap_or(0)
        .clamp("at the end".len(), WIDEST_END);
    let room = WIDTH - INDENT.len() - 2 * GAP.len();
    // Names inside many compressions are indented so far that the table gets wider than WIDTH.
    let step_width = room.saturating_sub(name_width + end_width).max(20);
    let widths = [name_width, step_width, end_width];
    let header = ["component", "steps", "at the end"].map(str::to_string);
    let mut text = padded(&header, &widths);
    for (component, headings) in rows.iter().zip(headings(rows)) {
        for heading in headings {
            text.push_str(&padded(&[heading], &widths));
        }
        let steps = component.steps.iter();
        let steps: Vec<String> = steps.map(|s| format!("{} {}", s.step, s.event)).collect();
        let steps = wrapped(&steps.join(", "), step_width);
        let end = wrapped(&end(component), end_width);
        for line in 0..steps.len().max(end.len()) {
            let name = match line {
                0 => indented(component),
                _ => String::new(),
            };
            let cell = |cells: &[String]| cells.get(line).cloned().unwrap_or_default();
            text.push_str(&padded(&[name, cell(&steps), cell(&end)], &widths));
        }
    }
    text
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

/// The name, behind those of the compressions around it.
fn indented(component: &ComponentReport) -> String {
    let indent = GAP.repeat(component.within.len());
    let name = &component.name;
    if length(name) <= LONGEST_NAME {
        return format!("{indent}{name}");
    }
    let cut: String = name.chars().take(LONGEST_NAME - 3).collect();
    format!("{indent}{cut}...")
}

/// What it can do at the end.
fn end(component: &ComponentReport) -> String {
    match (component.end, component.offers.as_deref()) {
        (ComponentEnd::Terminated, _) => "has terminated".to_string(),
        (ComponentEnd::Gone, _) => "no longer runs".to_string(),
        (ComponentEnd::Runs, None | Some([])) => "nothing".to_string(),
        (ComponentEnd::Runs, Some(offers)) => {
            // Only the outer braces: events such as `c.{0}` have some of their own.
            let set = set(offers);
            let inner = set.strip_prefix('{').and_then(|set| set.strip_suffix('}'));
            inner.unwrap_or(&set).to_string()
        }
    }
}
