//! The names that the client knows: of this program, and of its commands.

/// The name of this program, before each message.
pub(super) const SOURCE: &str = "cspsym";

/// The command that decides an assertion: its arguments are the URI of the script and the number of
/// the assertion, counted from 0.
pub(super) const CHECK: &str = "cspsym.check";

/// The command that ends the decision of an assertion, with the arguments of [`CHECK`].
pub(super) const CANCEL: &str = "cspsym.cancel";

/// The command that opens the page of a script where a process is walked: its arguments are the URI
/// of the script and the process.
pub(super) const STEP: &str = "cspsym.step";

/// The command that opens the page of a script where the graph of a process is drawn, with the
/// arguments of [`STEP`].
pub(super) const GRAPH: &str = "cspsym.graph";
