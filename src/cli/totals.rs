//! The verdicts on all assertions of a call, counted.

use base::number::counted;
use report::assertion::{AssertionReport, Verdict};

/// The numbers of assertions and scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Totals {
    /// The scripts that were read.
    pub(super) scripts: u64,
    /// The scripts that could not be read.
    pub(super) unread: u64,
    /// The scripts that were not begun, because a limit has ended the run.
    not_begun: u64,
    holds: u64,
    fails: u64,
    undecided: u64,
    errors: u64,
}

impl Totals {
    /// Counts an assertion with this verdict.
    pub(super) fn count(&mut self, verdict: Verdict) {
        let number = match verdict {
            Verdict::Pass => &mut self.holds,
            Verdict::Fail => &mut self.fails,
            Verdict::Unknown => &mut self.undecided,
            Verdict::Error => &mut self.errors,
        };
        *number += 1;
    }

    /// Counts what a limit has left: assertions, and scripts that were not begun.
    pub(super) fn count_left(&mut self, left: &[AssertionReport]) {
        for report in left {
            match report.assertion {
                Some(_) => self.undecided += 1,
                None => self.not_begun += 1,
            }
        }
    }

    /// The numbers in a line.
    pub(super) fn text(self) -> String {
        let decided = self.holds + self.fails + self.undecided + self.errors;
        let assertions = counted(decided, "assertion");
        let scripts = counted(self.scripts + self.unread + self.not_begun, "script");
        let parts = [
            (self.holds, "hold"),
            (self.fails, "fail"),
            (self.undecided, "undecided"),
            (self.errors, "with an error"),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0);
        let mut parts: Vec<String> = parts
            .map(|(number, what)| format!("{number} {what}"))
            .collect();
        let scripts_with = [
            (self.unread, "could not be read"),
            (self.not_begun, "not begun"),
        ];
        for (number, what) in scripts_with.into_iter().filter(|(number, _)| *number > 0) {
            parts.push(format!("{} {what}", counted(number, "script")));
        }
        match parts.is_empty() {
            true => format!("{assertions} in {scripts}\n"),
            false => format!("{assertions} in {scripts}: {}\n", parts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_said() {
        let mut totals = Totals {
            scripts: 2,
            ..Totals::default()
        };
        for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Pass] {
            totals.count(verdict);
        }
        assert_eq!(totals.text(), "3 assertions in 2 scripts: 2 hold, 1 fail\n");
        totals.unread = 1;
        totals.count(Verdict::Unknown);
        let expected =
            "4 assertions in 3 scripts: 2 hold, 1 fail, 1 undecided, 1 script could not be read\n";
        assert_eq!(totals.text(), expected);
        let mut totals = Totals::default();
        totals.count_left(&["a.csp", "b.csp"].map(AssertionReport::new));
        assert_eq!(
            totals.text(),
            "0 assertions in 2 scripts: 2 scripts not begun\n"
        );
    }
}
