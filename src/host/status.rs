//! Exit statuses.

use std::process::ExitCode;

use base::diag::{Diagnostic, Severity};
use report::assertion::Verdict;

/// The end of a call, from the best to the worst.
///
/// An error is the worst, because a script with an error says nothing reliable. A failing assertion
/// is a finding, which an undecided one beside it must not hide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Everything asked for holds, or was done.
    Holds,
    /// A limit or an unsupported feature left something undecided.
    Undecided,
    /// Some assertion fails.
    Fails,
    /// The script or the call is wrong.
    Error,
}

impl Status {
    /// The number that the process exits with.
    pub fn code(self) -> u8 {
        match self {
            Status::Holds => 0,
            Status::Fails => 1,
            Status::Error => 2,
            Status::Undecided => 3,
        }
    }

    /// The status that a message stands for.
    pub(crate) fn of_problem(problem: &Diagnostic) -> Self {
        match problem.severity {
            Severity::Error => Status::Error,
            Severity::Undecided => Status::Undecided,
            Severity::Warning | Severity::Latent => Status::Holds,
        }
    }

    /// The status of the worst of these messages.
    pub fn of_problems(problems: &[Diagnostic]) -> Self {
        let each = problems.iter().map(Self::of_problem);
        each.max().unwrap_or(Status::Holds)
    }

    /// The status that a verdict stands for.
    pub fn of_verdict(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Status::Holds,
            Verdict::Fail => Status::Fails,
            Verdict::Error => Status::Error,
            Verdict::Unknown => Status::Undecided,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        status.code().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_outweighs_a_failure_and_a_failure_outweighs_a_limit() {
        let worst = |all: &[Status]| all.iter().copied().max().map(Status::code);
        assert_eq!(
            worst(&[
                Status::Holds,
                Status::Undecided,
                Status::Fails,
                Status::Error
            ]),
            Some(2)
        );
        assert_eq!(worst(&[Status::Fails, Status::Undecided]), Some(1));
        assert_eq!(worst(&[Status::Undecided, Status::Holds]), Some(3));
        assert_eq!(worst(&[Status::Holds]), Some(0));
    }
}
