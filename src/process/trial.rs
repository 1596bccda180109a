//! The message that something is larger than a trial allows, which is made while a cheaper way may
//! still give the answer. Who makes trials tries another way then, or a longer trial.

use base::diag::Diagnostic;

/// The code of the message.
pub const LARGER: &str = "larger-than-tried";

/// The message. Nobody sees it who does not ask for trials.
pub fn larger() -> Diagnostic {
    Diagnostic::undecided(LARGER, "it is larger than is tried at first")
}
