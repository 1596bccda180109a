//! Lines on standard error that show that long work goes on.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use checker::Work;

/// The time before which work shows nothing.
const DELAY: Duration = Duration::from_millis(500);

/// The time between two lines that stay.
const INTERVAL: Duration = Duration::from_secs(3);

/// The time between two changes of the line on a terminal.
const REFRESH: Duration = Duration::from_millis(100);

/// The way in which progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Display {
    /// Not at all.
    Hidden,
    /// As lines that stay, a few seconds apart.
    Lines,
    /// As one line of a terminal, which is changed in place and wiped before anything else is
    /// printed.
    Terminal,
}

/// Shows progress.
pub(crate) struct ProgressLine {
    display: Display,
    /// The line that stands on the terminal.
    bar: Option<ProgressBar>,
    last: Option<Instant>,
}

impl ProgressLine {
    /// A progress line that shows nothing yet.
    pub(super) fn new(display: Display) -> Self {
        Self {
            display,
            bar: None,
            last: None,
        }
    }

    /// Shows how far the `work` is at the time `now`, if that was not done just before.
    pub(super) fn show(&mut self, work: &Work, now: Instant, memory: fn() -> Option<u64>) {
        if self.is_due(work, now) {
            self.last = Some(now);
            let line = work.line(now, memory());
            match self.display {
                Display::Hidden => {}
                Display::Lines => {
                    // If nobody reads the line, the results still count.
                    let _ = writeln!(io::stderr(), "{line}");
                }
                Display::Terminal => {
                    let bar = self.bar.get_or_insert_with(bar);
                    bar.set_message(line);
                    bar.tick();
                }
            }
        }
    }

    fn is_due(&self, work: &Work, now: Instant) -> bool {
        let between = match self.display {
            Display::Hidden => return false,
            Display::Lines => INTERVAL,
            Display::Terminal => REFRESH,
        };
        !work.title.is_empty()
            && now.saturating_duration_since(work.started) >= DELAY
            && self
                .last
                .is_none_or(|last| now.saturating_duration_since(last) >= between)
    }

    /// Wipes the line of a terminal.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_after_a_while_and_then_now_and_then() {
        let work = Work::new("assert P [T= Q".to_string());
        let at = |millis| work.started + Duration::from_millis(millis);
        let mut lines = ProgressLine::new(Display::Lines);
        assert!(!lines.is_due(&work, at(499)) && lines.is_due(&work, at(500)));
        lines.last = Some(at(500));
        assert!(!lines.is_due(&work, at(3499)) && lines.is_due(&work, at(3500)));
        let mut line = ProgressLine::new(Display::Terminal);
        line.last = Some(at(500));
        assert!(!line.is_due(&work, at(599)) && line.is_due(&work, at(600)));
        assert!(!ProgressLine::new(Display::Hidden).is_due(&work, at(9999)));
        let idle = Work::new(String::new());
        assert!(!line.is_due(&idle, at(9999)));
    }
}
