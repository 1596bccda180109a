//! The end of a subcommand.

use std::io;

use base::diag::Diagnostic;
use checker::Error;

/// The end of a subcommand. Its exit status is that of the worst result or message.
pub type CallEnd = Result<(), CallFailure>;

/// The reason why a subcommand ended before it was done.
#[derive(Debug)]
pub enum CallFailure {
    /// The output cannot be written.
    Output(io::Error),
    /// There is no result for this reason, which was not printed yet.
    Unsaid(Error),
}

impl From<io::Error> for CallFailure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for CallFailure {
    fn from(error: Error) -> Self {
        Self::Unsaid(error)
    }
}

impl From<Diagnostic> for CallFailure {
    fn from(problem: Diagnostic) -> Self {
        Self::Unsaid(problem.into())
    }
}

impl From<Box<Diagnostic>> for CallFailure {
    fn from(problem: Box<Diagnostic>) -> Self {
        (*problem).into()
    }
}
