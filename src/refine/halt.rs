//! The reasons for ending a search before it has decided.

use std::io;
use std::path::Path;

use super::external::failure::failed;
use super::outcome::StopReason;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};

/// The reason why a search ends before it has decided.
#[derive(Debug)]
pub(super) enum Halt {
    /// The search met a limit, or is not wanted any more. This is an answer of its own.
    Stopped(StopReason),
    /// The disk cannot be read or written, or holds what was not written there.
    Disk(io::Error),
    /// The search cannot go on, and this says why.
    Failed(Box<Diagnostic>),
}

impl Halt {
    /// Fails if `token` says that work is to end.
    pub(super) fn check(token: &Cancellation) -> Result<(), Self> {
        match token.reason() {
            Some(_) => Err(Self::Stopped(StopReason::Cancelled)),
            None => Ok(()),
        }
    }

    /// Turns an error of the disk into a problem that names the `folder` of the search.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        match self {
            Self::Disk(error) => Self::Failed(Box::new(failed(folder, &error))),
            other => other,
        }
    }

    /// The problem that ended the search. By now its stop must have become an answer, and an error
    /// of the disk must name the folder.
    pub(super) fn into_problem(self) -> Box<Diagnostic> {
        match self {
            Self::Failed(problem) => problem,
            other => {
                let message = format!("a search ended in a way that it cannot: {other:?}");
                Box::new(Diagnostic::error("internal-error", message))
            }
        }
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<Box<Diagnostic>> for Halt {
    fn from(problem: Box<Diagnostic>) -> Self {
        Self::Failed(problem)
    }
}
