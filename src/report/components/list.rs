//! The table with one line for each step of each component, for runs that are long or have long
//! texts.

use super::cells::{GAP, INDENT, WIDTH, cut, length, padded, wrapped};
use super::row::TableRow;
use base::order::ascending;

/// The most characters of what a component did; the rest is cut.
const WIDEST_EVENT: usize = 32;
/// The number of lines at the start of a long row that are shown.
const FIRST_LINES: usize = 4;
/// The number of lines at the end of a long row that are shown.
const LAST_LINES: usize = 8;

/// The table with one line a step.
pub(super) fn list(rows: &[TableRow]) -> String {
    let names = rows.iter().map(|row| length(&row.name)).max().unwrap_or(0);
    let steps = rows.iter().flat_map(lines_of).map(|line| length(&line[0]));
    let steps = steps.max().unwrap_or(0);
    let events = rows.iter().flat_map(|row| &row.did);
    let events = events.map(|(_, event)| length(event)).max().unwrap_or(0);
    let mut widths = [
        names.max("component".len()),
        steps.max("start".len()),
        events.clamp("does".len(), WIDEST_EVENT),
        0,
    ];
    let taken: usize = widths.iter().map(|width| width + GAP.len()).sum();
    // Names inside many compressions are indented so far that the table gets wider than WIDTH.
    widths[3] = WIDTH
        .saturating_sub(INDENT.len() + taken - GAP.len())
        .max(20);
    let header = ["component", "step", "does", "and is then"].map(str::to_string);
    let mut text = padded(&header, &widths);
    for row in rows {
        for heading in &row.headings {
            text.push_str(&padded(std::slice::from_ref(heading), &widths));
        }
        row_text(row, &widths, &mut text);
    }
    text
}

/// Adds the lines of one row to `text`.
fn row_text(row: &TableRow, widths: &[usize; 4], text: &mut String) {
    let lines = lines_of(row);
    let mut name = row.name.clone();
    let mut put = |cells: [String; 3]| {
        let [step, event, state] = cells;
        let cells = [
            std::mem::take(&mut name),
            step,
            cut(&event, widths[2]),
            cut(&state, widths[3]),
        ];
        text.push_str(&padded(&cells, widths));
    };
    let left_out = lines.len().saturating_sub(FIRST_LINES + LAST_LINES);
    for (index, line) in lines.iter().enumerate() {
        if left_out > 1 && (FIRST_LINES..FIRST_LINES + left_out).contains(&index) {
            if index == FIRST_LINES {
                let more = format!("... {left_out} steps that are not shown");
                put([String::new(), String::new(), more]);
            }
            continue;
        }
        put(line.clone());
    }
    let room = widths[2] + GAP.len() + widths[3];
    for (index, line) in wrapped(&row.end, room).into_iter().enumerate() {
        let step = if index == 0 { "end" } else { "" };
        let cells = [String::new(), step.to_string(), line];
        text.push_str(&padded(&cells, &[widths[0], widths[1], room]));
    }
}

/// The lines of a component: its start, and each step in which it did something or became something
/// else.
fn lines_of(row: &TableRow) -> Vec<[String; 3]> {
    let steps = row.did.iter().chain(&row.became).map(|&(step, _)| step);
    let line = |step: usize| {
        let number = match step {
            0 => "start".to_string(),
            _ => step.to_string(),
        };
        let event = row.did_in(step).unwrap_or_default();
        let state = match row.became_in(step) {
            Some(state) => state,
            None if row.is_there_before(step) => "as before",
            None => "",
        };
        [number, event.to_string(), state.to_string()]
    };
    ascending(steps).into_iter().map(line).collect()
}
