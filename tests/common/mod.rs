//! What several integration tests share: random processes, and the same processes as terms.

pub(crate) mod generate;
pub(crate) mod translate;
