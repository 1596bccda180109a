//! The time that a question took, by kind of work and by process.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use base::excerpt::shortened;
use base::number::{bytes, seconds, thousands};

/// All work of one kind on one definition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ProfileRow {
    /// The kind: `reading`, `evaluation`, `views`, `calls`, `component`, `minimisation`,
    /// `compression`, `listing`, `normal form`, `machine`, `symmetry`, `search`, `replay`.
    pub work: Cow<'static, str>,
    /// The definition of the component, or the process that was compressed or listed; empty where
    /// the work is about the whole question.
    pub process: String,
    /// The number of times that such work was begun.
    pub times: u64,
    /// The time that it took, in seconds. Of work on several threads, the time until other work was
    /// begun.
    pub seconds: f64,
    /// The number of states that were listed or searched; absent for other work.
    pub states: Option<u64>,
    /// The bytes by which the memory of the program grew meanwhile; absent where they are not
    /// known.
    pub memory_bytes: Option<u64>,
}

/// The most rows of the table: those that took longest.
const MOST_ROWS: usize = 20;

/// The most characters of a process; longer names are cut.
const WIDEST: usize = 40;

/// The rows as a table, an indented line each; the longest work first.
pub(super) fn table(rows: &[ProfileRow]) -> String {
    let mut lines =
        vec![["work", "process", "times", "states", "time", "memory"].map(String::from)];
    lines.extend(rows.iter().take(MOST_ROWS).map(|row| {
        [
            row.work.to_string(),
            shortened(&row.process, WIDEST),
            thousands(row.times),
            row.states.map(thousands).unwrap_or_default(),
            seconds(row.seconds),
            row.memory_bytes.map(bytes).unwrap_or_default(),
        ]
    }));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).filter_map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let cells: Vec<String> = cells.collect();
        text += &format!("  {}\n", cells.join("  ").trim_end());
    }
    if rows.len() > MOST_ROWS {
        let more = rows.len() - MOST_ROWS;
        text += &format!("  and {more} more, which took less\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn row(process: &str, seconds: f64, states: Option<u64>) -> ProfileRow {
        ProfileRow {
            work: match states {
                Some(_) => "component".into(),
                None => "machine".into(),
            },
            process: process.to_string(),
            times: 3,
            seconds,
            states,
            memory_bytes: states.map(|states| states * 100),
        }
    }

    #[test]
    fn the_table_has_a_line_for_each_row() {
        let rows = [row("GRID", 1.25, Some(1_000_000)), row("", 0.5, None)];
        let expected = "
  work       process  times     states    time    memory
  component  GRID         3  1,000,000  1.25 s  95.4 MiB
  machine                 3             0.50 s
";
        assert_eq!(table(&rows), expected[1..]);
    }

    #[test]
    fn long_names_and_long_tables_are_cut() {
        let rows = vec![row(&"é".repeat(50), 0.0, None); 22];
        let text = table(&rows);
        assert_eq!(text.lines().count(), 22);
        assert!(text.contains(&format!("  {}...  ", "é".repeat(40))));
        assert!(text.ends_with("  and 2 more, which took less\n"));
    }
}
