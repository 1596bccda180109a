//! The description of a search that all processes of a cluster do together.

use std::sync::Arc;

use super::spill::Identity;
use cluster::Exchange;

/// The search that all processes of a cluster are about to do together.
#[derive(Clone, Debug)]
pub struct SharedSearch {
    /// The exchange by which the processes talk.
    pub exchange: Arc<dyn Exchange>,
    /// The identity of the search, so that no process does another.
    pub identity: Identity,
}
