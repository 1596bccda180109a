//! The terms that a process can become by a trace.

use rustc_hash::FxHashSet;

use super::lassos::Lassos;
use base::diag::{Diagnostic, Result};
use base::order::ascending;
use process::event::{EventId, TAU};
use process::observation::ObservedStep;
use process::runs::{rests_with, rests_within};
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// The terms that a process can become by a trace, closed under τ.
pub struct After {
    semantics: Semantics,
    lassos: Lassos,
    terms: Vec<TermId>,
    /// The largest number of terms through which the process is followed.
    most_terms: usize,
    /// The number of terms that it has become, over all events.
    visited: usize,
    /// The number of terms before the process was followed.
    known_terms: usize,
}

/// The largest number of terms through which a specification is followed. Without its compressions
/// it may be very much larger than the system it was compared as.
pub const MOST_TERMS: usize = 100_000;

/// The largest number of new terms, operands included, that may arise when a specification is
/// followed: a few large terms can have as many.
const MOST_NEW_TERMS: usize = 1_000_000;

impl After {
    /// The terms after no event.
    pub(crate) fn start(definitions: &mut dyn Definitions, term: TermId) -> Result<Self> {
        Self::within(definitions, term, MOST_TERMS)
    }

    /// The terms after no event, for following through at most `most_terms` terms.
    pub fn within(
        definitions: &mut dyn Definitions,
        term: TermId,
        most_terms: usize,
    ) -> Result<Self> {
        let mut after = Self {
            semantics: Semantics::new(),
            lassos: Lassos::default(),
            terms: Vec::new(),
            most_terms,
            visited: 0,
            known_terms: definitions.terms().len(),
        };
        after.close(definitions, vec![term])?;
        Ok(after)
    }

    /// Goes on by one event. If `step` has the offers of a rest before it, only terms that come to
    /// rest with no more offers do the event.
    pub(super) fn step(
        &mut self,
        definitions: &mut dyn Definitions,
        step: &ObservedStep,
    ) -> Result<()> {
        let mut targets = Vec::new();
        // If this fails, the terms are lost, and `Followed` does not use this value any more.
        for term in std::mem::take(&mut self.terms) {
            if let Some(most) = &step.rest
                && !rests_within(&mut self.semantics, definitions, term, most)?
            {
                continue;
            }
            let steps = self.semantics.steps(definitions, term)?;
            let steps = steps.iter().filter(|s| s.label == step.event);
            targets.extend(steps.map(|s| s.target));
        }
        self.close(definitions, targets)
    }

    /// True if the process does not have the trace.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// True if the process can diverge after the trace.
    pub fn diverges(&mut self, definitions: &mut dyn Definitions) -> Result<bool> {
        for &term in &self.terms {
            let lasso = self.lassos.find(&mut self.semantics, definitions, term)?;
            if lasso.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The sets of events with which the process can come to rest after the trace.
    pub fn acceptances(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<Vec<EventId>>> {
        let mut sets = Vec::new();
        for &term in &self.terms {
            definitions.cancellation().step()?;
            sets.extend(rests_with(&mut self.semantics, definitions, term)?);
        }
        Ok(sets)
    }

    /// The events that the process can do after the trace, ascending.
    pub(super) fn offers(&mut self, definitions: &mut dyn Definitions) -> Result<Vec<EventId>> {
        let mut labels = Vec::new();
        for &term in &self.terms {
            definitions.cancellation().step()?;
            let steps = self.semantics.steps(definitions, term)?;
            labels.extend(steps.iter().map(|s| s.label).filter(|&label| label != TAU));
        }
        Ok(ascending(labels))
    }

    /// Adds all terms that `open` can become by τ alone.
    fn close(&mut self, definitions: &mut dyn Definitions, mut open: Vec<TermId>) -> Result<()> {
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            let term = self.semantics.head(definitions, term)?;
            if seen.insert(term) {
                definitions.cancellation().step()?;
                self.terms.push(term);
                self.visited += 1;
                // Terms are never forgotten, so their number tells the cost of following so far.
                let new_terms = definitions.terms().len() - self.known_terms;
                if self.visited > self.most_terms || new_terms > MOST_NEW_TERMS {
                    return too_many_terms().into();
                }
                let steps = self.semantics.steps(definitions, term)?;
                open.extend(steps.iter().filter(|s| s.label == TAU).map(|s| s.target));
            }
        }
        Ok(())
    }
}

pub(super) fn too_many_terms() -> Diagnostic {
    Diagnostic::undecided(
        "replay-limit",
        "a counterexample was found, but following the specification along it takes too long",
    )
    .note("after one trace it can be in too many states that differ by internal steps alone")
    .hint("compress or hide less in the specification, or write it with fewer internal steps")
}
