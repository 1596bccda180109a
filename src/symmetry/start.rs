//! Whether symmetries must fix the initial states.

/// Whether symmetries must fix the initial states.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// They must: the paper's groups, and what `:[symmetric]:` asserts.
    Fixed,
    /// They need not: the total twist of a path is undone, so Lemma 1 of the paper suffices.
    Any,
}
