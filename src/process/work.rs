//! What long work is at, for whoever wants to know. Whether it may go on says [`Cancellation`](crate::cancel::Cancellation).

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

/// Hears what is worked on, from all threads that work.
pub trait Listener: Send + Sync {
    /// A phase begins that is about the process `name`, if about one.
    fn enter(&self, phase: Phase, name: &str);
}

/// Does not care.
pub struct Nobody;

impl Listener for Nobody {
    fn enter(&self, _: Phase, _: &str) {}
}
