//! What long work is at: told to whoever waits for it, and may end it.

use crate::diag::{Diagnostic, Result};

/// The kinds of work that may take long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// A script is read, with its names and types.
    #[default]
    Reading,
    /// Values of the script are found.
    Evaluation,
    /// The calls are found that a process leads to, and which of them are recursive.
    Calls,
    /// The states of a sequential component are found.
    Component,
    /// States that are alike are made one.
    Minimisation,
    /// A compression that the script asks for.
    Compression,
    /// The states of a machine are listed, to be compressed or made deterministic.
    Listing,
    /// A specification is made deterministic.
    NormalForm,
    /// The rules and tables of a machine are made.
    Machine,
    /// Symmetries are looked for.
    Symmetry,
    /// The states of a check are searched.
    Search,
    /// A counterexample is followed again.
    Replay,
}

/// Who waits for work. A function that says whether to give up is one that wants to know no more.
pub trait Watcher {
    /// A phase begins that is about the process `name`, if about one.
    fn enter(&mut self, _phase: Phase, _name: &str) {}
    /// So many steps of the phase are done; an error if there are not to be more.
    fn proceed(&mut self, steps: u64) -> Result<()>;
}

impl<F: FnMut() -> bool> Watcher for F {
    fn proceed(&mut self, _: u64) -> Result<()> {
        if self() {
            return Diagnostic::undecided("interrupted", "the work was interrupted").into();
        }
        Ok(())
    }
}
