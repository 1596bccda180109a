//! The identities in sight, and which of them numbers mean.

use super::arrangement::Arrangement;
use super::evaluation_place::EvaluationPlace;
use super::parameter::Parameter;
use super::value::{Id, IdSet, OutOfSight};
use base::diag::Result;

/// The identities in sight, and all that is known of the others.
pub(super) struct IdentitiesInSight<'s> {
    pub(super) parameter: Parameter<'s>,
    pub(super) arrangement: Arrangement,
    /// The value of the first number of the range, while the beginnings of processes are found.
    /// Later no identity can be told from another.
    first: Option<Id>,
    /// True if the first number was asked for.
    names_first: bool,
    /// True if identities are numbers that are counted from both ends: `line.rs`.
    counts: bool,
}

impl<'s> IdentitiesInSight<'s> {
    /// The identities of `arrangement`, with none of them known as the first.
    pub(super) fn new(parameter: Parameter<'s>, arrangement: Arrangement) -> Self {
        Self {
            parameter,
            arrangement,
            first: None,
            names_first: false,
            counts: false,
        }
    }

    /// Lets the first number of the range mean `first`.
    pub(super) fn begin_with(&mut self, first: Id) {
        self.first = Some(first);
    }

    /// Lets numbers mean identities, which are counted from `first` and from the last one.
    pub(super) fn count_from(&mut self, first: Id) {
        self.first = Some(first);
        self.counts = true;
    }

    /// The first identity, if it is known.
    pub(super) fn first(&self) -> Option<Id> {
        self.first
    }

    /// True if the first number was asked for.
    pub(super) fn names_first(&self) -> bool {
        self.names_first
    }

    /// True if identities are numbers that are counted from both ends.
    pub(super) fn are_counted(&self) -> bool {
        self.counts
    }

    /// The set of all identities.
    pub(super) fn everybody(&self) -> IdSet {
        IdSet {
            seen: (1 << self.arrangement.count()) - 1,
            rest: OutOfSight::All,
        }
    }

    /// The identity with this number. Only the first one may be named, and only where processes
    /// begin.
    pub(super) fn numbered(&mut self, number: i64, place: &EvaluationPlace) -> Result<Id> {
        match (self.first, self.parameter.first_number()) {
            (Some(first), Some(least)) if least == number => {
                self.names_first = true;
                Ok(first)
            }
            (Some(Id::Seen(first)), Some(least)) if self.counts && least < number => {
                self.moved(first, number.saturating_sub(least), place)
            }
            // A link of a chain refers to neither of the first two identities.
            (Some(Id::Other), Some(least)) if self.counts && number == least + 1 => Ok(Id::Other),
            _ => Err(place.named_identity()),
        }
    }
}
