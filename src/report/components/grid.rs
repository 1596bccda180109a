//! The table with one column a step: what each component did, and below that what it was then.

use super::cells::{GAP, INDENT, WIDTH, cut, length, padded};
use super::row::TableRow;

/// The most characters of a component's state, where there is room for them.
const WIDEST_STATE: usize = 48;
/// The fewest characters of a component's state: without room for these, the table is a list.
const NARROWEST_STATE: usize = 12;
/// The cell of a component that did nothing and stayed what it was.
const AS_BEFORE: &str = "=";

/// The table with one column a step, if that fits.
pub(super) fn grid(rows: &[TableRow], steps: usize) -> Option<String> {
    // Each step takes a column of text at least: a longer run never fits, and no cells are made for
    // it.
    if steps > WIDTH {
        return None;
    }
    let widest = (NARROWEST_STATE..=WIDEST_STATE).rev();
    widest
        .map(|state| lines(rows, steps, state))
        .find_map(|lines| {
            let mut widths = vec![0; steps + 3];
            // A line of one cell is a heading, which may reach over all columns.
            for line in lines.iter().filter(|line| line.len() > 1) {
                for (width, cell) in widths.iter_mut().zip(line) {
                    *width = (*width).max(length(cell));
                }
            }
            let total: usize = widths.iter().map(|width| width + GAP.len()).sum();
            // No gap follows the last column.
            let fits = INDENT.len() + total - GAP.len() <= WIDTH;
            fits.then(|| lines.iter().map(|line| padded(line, &widths)).collect())
        })
}

/// The cells of all lines. The states of components are no wider than `widest`.
fn lines(rows: &[TableRow], steps: usize, widest: usize) -> Vec<Vec<String>> {
    let numbers = (1..=steps).map(|step| step.to_string());
    let header = ["component".to_string(), "start".to_string()];
    let header = header.into_iter().chain(numbers);
    let mut lines: Vec<Vec<String>> = vec![header.chain(["at the end".to_string()]).collect()];
    for row in rows {
        lines.extend(row.headings.iter().map(|heading| vec![heading.clone()]));
        let start = row.became_in(0).unwrap_or_default();
        let mut did = vec![row.name.clone(), cut(start, widest)];
        let mut was = vec![String::new(), String::new()];
        for step in 1..=steps {
            let event = row.did_in(step);
            let state = row.became_in(step).map(|state| cut(state, widest));
            let unchanged = match row.is_there_before(step) {
                true => AS_BEFORE.to_string(),
                false => String::new(),
            };
            match event {
                Some(event) => {
                    did.push(event.to_string());
                    was.push(state.unwrap_or(unchanged));
                }
                None => {
                    did.push(state.unwrap_or(unchanged));
                    was.push(String::new());
                }
            }
        }
        did.push(row.end.clone());
        lines.push(did);
        if was.iter().any(|cell| !cell.is_empty()) {
            lines.push(was);
        }
    }
    lines
}
