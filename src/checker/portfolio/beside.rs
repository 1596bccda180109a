//! The cheaper ways that are tried beside the searches of one machine. They go on from one search
//! to the next.

use std::sync::Arc;

use base::cancel::Cancellation;
use base::diag::Result;
use refine::stubborn::StubbornSets;
use symmetry::pbisim::Symmetry;

use super::dives::Dives;
use super::local::LocalAnalysis;
use super::partial_order;
use crate::compiled::Compiled;

/// The cheaper ways that are tried beside the searches of one machine.
pub(crate) struct BesideSearch {
    pub(super) local: LocalAnalysis,
    pub(super) dives: Dives,
    /// The stubborn sets of searches without symmetries, once they were looked for; the inner
    /// `None` if there are none.
    plain_sets: Option<Option<Arc<StubbornSets>>>,
}

impl BesideSearch {
    /// The ways that may be tried beside searches of `compiled`.
    pub(crate) fn of(compiled: &Compiled) -> Self {
        Self {
            local: LocalAnalysis::of(compiled),
            dives: Dives::of(compiled),
            plain_sets: None,
        }
    }

    /// The stubborn sets by which a search of `compiled` may be reduced whose states are
    /// represented by the group of these generators. Returns `None` if there are none.
    pub(super) fn sets(
        &mut self,
        compiled: &Compiled,
        generators: &[Symmetry],
        token: &Cancellation,
    ) -> Result<Option<Arc<StubbornSets>>> {
        if !generators.is_empty() {
            return partial_order::possible(compiled, generators, token);
        }
        if self.plain_sets.is_none() {
            self.plain_sets = Some(partial_order::possible(compiled, &[], token)?);
        }
        Ok(self.plain_sets.clone().flatten())
    }
}
