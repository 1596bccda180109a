//! Where a search keeps its states on disk, and what it is, so that nothing goes on with another.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where a search keeps its states on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spill {
    /// A folder; each search has one inside it.
    pub directory: PathBuf,
    /// Whether what is there of the same search is gone on with.
    pub resumes: bool,
    /// What the search is, so that nothing goes on with another.
    pub identity: Identity,
    /// About how many bytes of memory the search may take.
    pub budget: usize,
}

/// All that a search depends on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug, Default)]
pub struct Identity {
    /// Which script it is of.
    pub script: String,
    /// What is asked.
    pub question: String,
    /// Everything else, by name: equal searches have equal values.
    pub facts: Vec<Fact>,
}

/// One thing that a search depends on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Fact {
    /// What the thing is, in words.
    pub name: String,
    /// Its value for this search.
    pub value: String,
}
