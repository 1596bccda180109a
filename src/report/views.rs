//! Views as a table: the looks of states if only a few identities are in sight.

use serde::{Deserialize, Serialize};

use base::number::counted;

/// The most views that are shown to people; JSON has all.
const SHOWN: usize = 40;

/// The most characters of a local state that are shown to people.
const WIDEST: usize = 40;

/// All views by which an assertion was decided for every value of a constant.
///
/// Local states are CSPm, with the names of `identities` for those in sight and `*` for any other.
/// A set that ends in `all *` has all of the others, one that ends in `..` may have some of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ViewTable {
    /// The names of the identities in sight: `i`, `j`...
    pub identities: Vec<String>,
    /// The processes in sight.
    pub processes: Vec<ViewedProcess>,
    /// The views: for each process, in their order, its local state.
    pub views: Vec<Vec<String>>,
}

/// A process that views have in sight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ViewedProcess {
    /// The process as it begins, as CSPm; in a ring also `neighbours of i`, which never change.
    pub name: String,
    /// The identity that it belongs to; absent if it belongs to none.
    pub identity: Option<String>,
    /// True if it is a part of the specification.
    pub is_specification: bool,
}

impl ViewTable {
    /// The meanings of the signs, and a row for each view.
    pub(super) fn text(&self) -> String {
        let mut text =
            String::from("  Views: what a state looks like if only these are in sight\n");
        let (changing, fixed): (Vec<usize>, Vec<usize>) =
            (0..self.processes.len()).partition(|&at| self.changes(at));
        // A single view is shown as it is.
        let (shown, left_out) = match self.views.len() {
            0 | 1 => ((0..self.processes.len()).collect(), Vec::new()),
            _ => (changing, fixed),
        };
        text.push_str(&self.legend(&shown));
        if !left_out.is_empty() {
            let names = left_out.iter().map(|&at| short(&self.processes[at].name));
            let names: Vec<String> = names.collect();
            text.push_str(&format!("    never changes: {}\n", names.join("; ")));
        }
        text.push('\n');
        text.push_str(&self.rows(&shown));
        let more = self.views.len().saturating_sub(SHOWN);
        if more > 0 {
            let more = counted(more as u64, "more view");
            text.push_str(&format!("  ... {more}; --format json has all\n"));
        }
        text
    }

    /// True if a process has several local states.
    fn changes(&self, at: usize) -> bool {
        self.views.iter().any(|view| view[at] != self.views[0][at])
    }

    /// The signs that are used for these processes, a line each.
    fn legend(&self, processes: &[usize]) -> String {
        let names = self.identities.join(", ");
        let mut signs = vec![match self.identities.len() {
            1 => (names, "an identity, no matter which"),
            _ => (names, "different identities, no matter which"),
        }];
        signs.push(("*".to_string(), "an identity that is not in sight"));
        let views = || self.views.iter().take(SHOWN);
        let is_used =
            |sign: &str| views().any(|view| processes.iter().any(|&at| view[at].contains(sign)));
        if is_used("..}") {
            let meaning = "a set that may have identities that are not in sight";
            signs.push(("{..}".to_string(), meaning));
        }
        if is_used("all *}") {
            let meaning = "a set that has all identities that are not in sight";
            signs.push(("{all *}".to_string(), meaning));
        }
        if processes
            .iter()
            .any(|&at| self.processes[at].is_specification)
        {
            signs.push(("|".to_string(), "what follows is the specification"));
        }
        let width = signs.iter().map(|(sign, _)| sign.len()).max().unwrap_or(0);
        let line = |(sign, meaning): &(String, &str)| format!("    {sign:<width$}  {meaning}\n");
        signs.iter().map(line).collect()
    }

    /// The views of these processes, below the processes as they begin.
    fn rows(&self, processes: &[usize]) -> String {
        let head: Vec<String> = processes
            .iter()
            .map(|&at| short(&self.processes[at].name))
            .collect();
        let mut rows = vec![head];
        let views = self.views.iter().take(SHOWN);
        rows.extend(views.map(|view| processes.iter().map(|&at| short(&view[at])).collect()));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..processes.len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        rows.insert(1, widths.iter().map(|&width| "-".repeat(width)).collect());
        let mut bars = processes
            .iter()
            .map(|&at| self.processes[at].is_specification);
        let bar = bars.position(|is_specification| is_specification);
        rows.iter().map(|cells| row(cells, &widths, bar)).collect()
    }
}

/// Cells side by side, with a bar before the one at `bar`.
fn row(cells: &[String], widths: &[usize], bar: Option<usize>) -> String {
    let mut line = String::from(" ");
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        line.push_str(if Some(column) == bar { " | " } else { " " });
        line.push_str(&format!("{cell:<width$} "));
    }
    format!("{}\n", line.trim_end())
}

/// `state`, cut where it is too wide for a table.
fn short(state: &str) -> String {
    match state.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}...", state[..end].trim_end()),
        None => state.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, identity: Option<&str>, is_specification: bool) -> ViewedProcess {
        ViewedProcess {
            name: name.to_string(),
            identity: identity.map(str::to_string),
            is_specification,
        }
    }

    fn table(views: &[[&str; 3]]) -> ViewTable {
        let row = |view: &[&str; 3]| view.iter().map(|state| state.to_string()).collect();
        ViewTable {
            identities: vec!["i".to_string()],
            processes: vec![
                process("FREE", None, false),
                process("P(i)", Some("i"), false),
                process("SPEC", None, true),
            ],
            views: views.iter().map(row).collect(),
        }
    }

    #[test]
    fn views_are_rows_below_what_signs_mean() {
        let table = table(&[
            ["FREE", "P(i)", "SPEC"],
            ["OWNED(*)", "WAIT({i, ..})", "SPEC"],
        ]);
        assert_eq!(
            table.text(),
            "  Views: what a state looks like if only these are in sight
    i     an identity, no matter which
    *     an identity that is not in sight
    {..}  a set that may have identities that are not in sight
    never changes: SPEC

  FREE      P(i)
  --------  -------------
  FREE      P(i)
  OWNED(*)  WAIT({i, ..})
"
        );
    }

    #[test]
    fn of_a_single_view_all_is_shown() {
        let text = table(&[["FREE", "P(i)", "a -> SPEC"]]).text();
        assert!(text.contains("\n    |  what follows is the specification\n\n"));
        assert!(text.ends_with("\n  FREE  P(i)  | a -> SPEC\n"));
    }

    #[test]
    fn long_tables_and_states_are_cut() {
        let long = "a -> ".repeat(10) + "STOP";
        let mut views = [[&long[..], "P", "SPEC"]; 42];
        views[0][0] = "FREE";
        let text = table(&views).text();
        assert!(text.contains("\n  a -> a -> a -> a -> a -> a -> a -> a ->...\n"));
        assert!(text.contains("\n    never changes: P(i); SPEC\n"));
        assert!(text.ends_with("\n  ... 2 more views; --format json has all\n"));
    }
}
