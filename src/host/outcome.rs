//! What a subcommand comes to.

use std::io;

use base::diag::Diagnostic;
use checker::Error;

/// What a subcommand comes to. Its exit status is that of the worst that it has said.
pub type Outcome = Result<(), Failure>;

/// Why a subcommand ended before it was done.
#[derive(Debug)]
pub enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// There is no result for this reason, which was not said yet.
    Unsaid(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Unsaid(error)
    }
}

impl From<Diagnostic> for Failure {
    fn from(problem: Diagnostic) -> Self {
        Self::Unsaid(problem.into())
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(problem: Box<Diagnostic>) -> Self {
        (*problem).into()
    }
}
