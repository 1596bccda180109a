//! The place on disk for the states of a search, and the identity of the search, so that nothing
//! goes on with another.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The place on disk for the states of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spill {
    /// A folder; each search has one inside it.
    pub directory: PathBuf,
    /// True if a search goes on with the states that are there of the same search.
    pub resumes: bool,
    /// The identity of the search, so that nothing goes on with another.
    pub identity: Identity,
    /// The bytes of memory that the search may take, about.
    pub budget: usize,
}

/// All that a search depends on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug, Default)]
pub struct Identity {
    /// The script that the search is of.
    pub script: String,
    /// The question that is asked.
    pub question: String,
    /// Everything else, by name: equal searches have equal values.
    pub facts: Vec<Fact>,
}

/// One thing that a search depends on.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Fact {
    /// The name of the thing, in words.
    pub name: String,
    /// Its value for this search.
    pub value: String,
}
