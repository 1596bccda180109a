//! The phases of long work, and the listeners that hear of them.

/// The kinds of work that may take long.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Phase {
    /// Reads a script: its syntax, its names and its types.
    #[default]
    Reading,
    /// Finds the values that a script defines.
    Evaluation,
    /// Finds the calls that a process leads to, and which of them are recursive.
    Calls,
    /// Lists the states of one sequential component.
    Component,
    /// Merges the states that are bisimilar.
    Minimisation,
    /// Applies a compression that the script asks for.
    Compression,
    /// Lists the states of a machine, which will be compressed or made deterministic.
    Listing,
    /// Makes a specification deterministic.
    NormalForm,
    /// Makes the rules and tables of a machine.
    Machine,
    /// Looks for symmetries.
    Symmetry,
    /// Looks at a few components at a time for what may deadlock.
    Local,
    /// Collects the views of a few identities, and compares them with instances.
    Views,
    /// Searches the states of a check.
    Search,
    /// Follows a counterexample on the terms.
    Replay,
    /// Waits for another process, which does the work.
    Waiting,
}

/// Hears how far long work is. It is called often, by every thread that works, so it has to be
/// quick.
pub trait Listener: Send + Sync {
    /// The present phase has done `count` more steps.
    fn steps(&self, count: usize);
    /// A phase begins. It is about the process `name`; the name is empty if the phase is about the
    /// whole script or check.
    fn enter(&self, phase: Phase, name: &str);
}

/// A closure counts steps, whatever the phase.
impl<F: Fn(usize) + Send + Sync> Listener for F {
    fn steps(&self, count: usize) {
        self(count);
    }

    fn enter(&self, _: Phase, _: &str) {}
}
