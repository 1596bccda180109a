//! A line on the terminal that shows that long work goes on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::base::number::{counted, thousands};

/// Work shorter than this shows nothing.
const DELAY: Duration = Duration::from_millis(500);

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Snapshot {
    /// Levels begun.
    pub(crate) levels: u64,
    /// States stored.
    pub(crate) states: u64,
    /// Transitions seen.
    pub(crate) transitions: u64,
}

/// The line; nothing at all where standard error is no terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: std::time::Instant,
    title: String,
}

impl Progress {
    /// A line that begins with `title`, if `visible`.
    pub(crate) fn new(title: String, visible: bool) -> Self {
        let bar = visible.then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::new_spinner()
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        Self {
            bar,
            started: std::time::Instant::now(),
            title,
        }
    }

    /// Shows how far the work is.
    pub(crate) fn show(&mut self, snapshot: Snapshot) {
        let elapsed = self.started.elapsed();
        if let Some(bar) = self.bar.as_ref().filter(|_| elapsed >= DELAY) {
            bar.set_message(line(&self.title, snapshot, elapsed));
            bar.tick();
        }
    }

    /// Removes the line.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(title: &str, snapshot: Snapshot, elapsed: Duration) -> String {
    let rate = crate::base::number::per_second(snapshot.states, elapsed.as_secs_f64());
    format!(
        "{title}: level {}, {}, {}, {} a second",
        thousands(snapshot.levels),
        counted(snapshot.states, "state"),
        counted(snapshot.transitions, "transition"),
        counted(rate.unwrap_or(0), "state")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_and_how_fast() {
        let snapshot = Snapshot {
            levels: 12,
            states: 2_000_000,
            transitions: 7_000_000,
        };
        assert_eq!(
            line("assert SPEC [T= P", snapshot, Duration::from_secs(2)),
            "assert SPEC [T= P: level 12, 2,000,000 states, 7,000,000 transitions, 1,000,000 states a second"
        );
    }
}
