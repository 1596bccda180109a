//! Listing all states of a process in a faster way than by the operational rules.

use std::any::Any;

use super::event::EventId;
use base::diag::Result;

/// A taker of the transitions of states.
pub trait RowSink {
    /// Takes the transitions of the next state.
    fn take(&mut self, row: &[(EventId, u32)]) -> Result<()>;
    /// True if more states are wanted, where so many `states` were met, and so much `work` was
    /// done: the number of steps found, those of states that are not taken yet, and of calls that
    /// may turn out to be one state, included; and what else takes as long as so many steps.
    fn wants_more(&mut self, states: usize, work: usize) -> bool;
}

/// The end of a listing.
#[derive(Debug)]
pub enum ListingEnd {
    /// The rows of all states were passed on.
    Whole,
    /// The sink wanted no more.
    Ended(EndedListing),
    /// There is no faster way than the operational rules. Rows that were passed on are to be
    /// forgotten.
    Impossible,
}

/// A listing that its sink has ended. It can go on from there, with a sink that has its rows.
#[derive(Debug)]
pub struct EndedListing(Box<dyn Any + Send>);

impl EndedListing {
    /// The listing that has come as far as `so_far`.
    pub fn new(so_far: impl Any + Send) -> Self {
        Self(Box::new(so_far))
    }

    /// The value that the listing was made with, if it has this type.
    pub fn so_far<T: Any>(self) -> Option<T> {
        self.0.downcast().ok().map(|so_far| *so_far)
    }
}
