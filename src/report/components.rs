//! What each component did in a counterexample: plain data, and a table with one row a component.

use std::collections::BTreeSet;

use serde::Serialize;

use super::violation::set;

/// What one component did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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
pub struct ComponentStep {
    /// Which step of the counterexample, counted from 1.
    pub step: u64,
    /// What the component did in it: an event, `✓`, `τ`, or `τ (event)` if it hides that itself.
    pub event: String,
}

/// Where a run leaves a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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
pub struct ComponentWait {
    /// Its own event.
    pub event: String,
    /// The names of those that would have to take part and do not offer to.
    pub components: Vec<String>,
}

/// A member of a circle of components each of which waits for the next, and the last for the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CycleMember {
    /// Its name.
    pub component: String,
    /// What it waits to do.
    pub event: String,
}

/// Tables are no wider than this.
const WIDTH: usize = 100;
/// What stands in front of each line.
const INDENT: &str = "    ";
/// Between columns.
const GAP: &str = "  ";
/// Names longer than this are cut.
const LONGEST_NAME: usize = 30;
/// The last column is no wider than this if the table has to be made to fit.
const WIDEST_END: usize = 32;
/// Up to this many components all have a row.
const ALL_SHOWN: usize = 20;
/// No more rows than this.
const MOST_ROWS: usize = 50;
/// No more lines than this about who waits for whom.
const MOST_WAITS: usize = 12;

/// The table of what `components` did in a run of `steps` steps, below `title`.
pub(super) fn table(title: &str, components: &[ComponentReport], steps: usize) -> String {
    let shown = shown(components);
    let rows: Vec<&ComponentReport> = shown.iter().map(|&i| &components[i]).collect();
    let mut text = format!("  {title}:\n");
    text.push_str(&match grid(&rows, steps) {
        Some(grid) => grid,
        None => list(&rows),
    });
    if rows.len() < components.len() {
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

/// Who waits for whom: the circle if there is one, or else all that waits.
pub(super) fn waits(components: &[ComponentReport], cycle: &[CycleMember]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (i, member) in cycle.iter().enumerate() {
        let next = &cycle[(i + 1) % cycle.len()].component;
        lines.push(without(&member.component, &member.event, next));
    }
    if cycle.is_empty() {
        for component in components {
            for wait in &component.waits_for {
                let on = wait.components.join(", ");
                lines.push(without(&component.name, &wait.event, &on));
            }
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let head = if cycle.is_empty() {
        "Who waits for whom"
    } else {
        "They wait for each other in a circle"
    };
    let mut text = format!("  {head}:\n");
    for line in lines.iter().take(MOST_WAITS) {
        text.push_str(&format!("{INDENT}{line}\n"));
    }
    if lines.len() > MOST_WAITS {
        let more = lines.len() - MOST_WAITS;
        text.push_str(&format!("{INDENT}... and {more} more\n"));
    }
    text
}

fn without(who: &str, event: &str, whom: &str) -> String {
    if event == "✓" {
        return format!("{who} cannot terminate before {whom}");
    }
    format!("{who} cannot do {event} without {whom}")
}

/// The components that have a row, ascending: all if there are few, or else those that wait or keep others waiting, and
/// then those that took part.
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
    shown.sort_by_key(|&i| !is_stuck(&components[i]));
    shown.truncate(MOST_ROWS);
    shown.sort_unstable();
    shown
}

/// One column a step, if that fits.
fn grid(rows: &[&ComponentReport], steps: usize) -> Option<String> {
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
            let cell = line.get_mut(step.step as usize)?;
            cell.push_str(&step.event);
        }
        line[steps + 1] = end(component);
        lines.push(line);
    }
    let mut widths = vec![0; steps + 2];
    for line in lines.iter().filter(|line| line.len() > 1) {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(length(cell));
        }
    }
    let total: usize = widths.iter().map(|width| width + GAP.len()).sum();
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
            let braces: &[char] = &['{', '}'];
            set(offers).trim_matches(braces).to_string()
        }
    }
}

/// The cells side by side, without space at the end.
fn padded(cells: &[String], widths: &[usize]) -> String {
    let mut line = INDENT.to_string();
    for (cell, width) in cells.iter().zip(widths) {
        let space = width.saturating_sub(length(cell)) + GAP.len();
        line.push_str(cell);
        line.push_str(&" ".repeat(space));
    }
    format!("{}\n", line.trim_end())
}

/// The text in lines of this length, broken behind commas where possible.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if length(line) + length(piece.trim_end()) <= width => line.push_str(piece),
            _ => lines.push(piece.to_string()),
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    fn component(name: &str, steps: &[(u64, &str)], offers: &[&str]) -> ComponentReport {
        let step = |&(step, event): &(u64, &str)| ComponentStep {
            step,
            event: event.to_string(),
        };
        ComponentReport {
            name: name.to_string(),
            within: Vec::new(),
            steps: steps.iter().map(step).collect(),
            end: ComponentEnd::Runs,
            offers: Some(strings(offers)),
            waits_for: Vec::new(),
        }
    }

    #[test]
    fn short_runs_have_a_column_a_step() {
        let mut inner = component("CELL(1)", &[(2, "in.1")], &[]);
        inner.within = strings(&["sbisim(CELLS)"]);
        let mut ended = component("Q", &[(2, "✓")], &[]);
        (ended.end, ended.offers) = (ComponentEnd::Terminated, None);
        let rows = [
            component("P", &[(1, "a"), (2, "in.1")], &["b", "τ"]),
            inner,
            ended,
        ];
        let expected = "  Title:\n\
                        \x20   component  1  2     at the end\n\
                        \x20   P          a  in.1  b, τ\n\
                        \x20   sbisim(CELLS):\n\
                        \x20     CELL(1)     in.1  nothing\n\
                        \x20   Q             ✓     has terminated\n";
        assert_eq!(table("Title", &rows, 2), expected);
    }

    #[test]
    fn long_runs_have_one_column_for_all_steps() {
        let events: Vec<(u64, &str)> = (1..=12).map(|step| (step, "channel.value")).collect();
        let rows = [
            component("P", &events, &["a"]),
            component(
                "Q",
                &[],
                &["channel.of.many.values.1", "channel.of.many.values.2"],
            ),
        ];
        let text = table("Title", &rows, 12);
        assert!(text.lines().all(|line| length(line) <= WIDTH), "{text}");
        let at_end = |line: &str| line.ends_with("  channel.of.many.values.1,");
        assert!(text.lines().any(at_end), "{text}");
        assert!(
            text.contains("    P          1 channel.value, 2 channel.value,"),
            "{text}"
        );
    }

    #[test]
    fn of_many_components_those_that_did_nothing_are_counted() {
        let mut rows = vec![component("P", &[(1, "a")], &[])];
        rows.extend((0..30).map(|i| component(&format!("Q({i})"), &[], &["b"])));
        let text = table("Title", &rows, 1);
        assert!(text.ends_with("    30 more did nothing\n"), "{text}");
        assert!(!text.contains("Q(0)"), "{text}");
        let busy: Vec<ComponentReport> = (0..70)
            .map(|i| component(&format!("Q({i})"), &[(1, "b")], &[]))
            .collect();
        let text = table("Title", &busy, 1);
        assert!(text.ends_with("    and 20 more did something\n"), "{text}");
        // Who waits, and for whom, is shown before them.
        let mut waiting = busy;
        waiting[68].waits_for.push(ComponentWait {
            event: "a".to_string(),
            components: strings(&["Q(69)"]),
        });
        let text = table("Title", &waiting, 1);
        assert!(text.contains("Q(68)") && text.contains("Q(69)"), "{text}");
        assert!(text.contains("Q(47)") && !text.contains("Q(48)"), "{text}");
    }

    #[test]
    fn a_circle_is_told_in_order() {
        let member = |component: &str, event: &str| CycleMember {
            component: component.to_string(),
            event: event.to_string(),
        };
        let cycle = [member("P", "a"), member("Q", "b")];
        let expected = "  They wait for each other in a circle:\n\
                        \x20   P cannot do a without Q\n    Q cannot do b without P\n";
        assert_eq!(waits(&[], &cycle), expected);
        let mut alone = component("P", &[], &["✓"]);
        alone.waits_for.push(ComponentWait {
            event: "✓".to_string(),
            components: strings(&["Q", "R"]),
        });
        let expected = "  Who waits for whom:\n    P cannot terminate before Q, R\n";
        assert_eq!(waits(&[alone], &[]), expected);
        assert_eq!(waits(&[], &[]), "");
    }
}
