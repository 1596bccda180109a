//! What a search needs that all processes of a cluster do together.

use std::sync::Arc;

use super::spill::Identity;
use cluster::Exchange;

/// The search that all processes of a cluster are about to do together.
#[derive(Clone, Debug)]
pub struct SharedSearch {
    /// What they do it by.
    pub exchange: Arc<dyn Exchange>,
    /// What the search is, so that no process does another.
    pub identity: Identity,
}
