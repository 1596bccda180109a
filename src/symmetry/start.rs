//! The treatment of initial states by symmetries.

/// Tells if symmetries must fix the initial states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Symmetries must fix them, as in the paper's groups and in assertions `:[symmetric]:`.
    Fixed,
    /// Symmetries need not fix them: the total twist of a path is undone, so Lemma 1 of the paper
    /// suffices.
    Any,
}
