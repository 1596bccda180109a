//! The terms that a process becomes, with their transitions, as a system whose states are numbered
//! as they are met.

use std::rc::Rc;

use base::diag::Result;
use lts::explore::{MetTerms, larger};
use lts::graph::StateId;
use process::event::EventId;
use process::semantics::Step;
use process::term::{Definitions, TermId};

use crate::determinism::Rows;

/// The transitions of a state.
pub(super) type TermRow = Rc<[(EventId, StateId)]>;

/// The states met, and the transitions of those that were looked at.
pub(super) struct TermRows {
    met: MetTerms,
    rows: Vec<Option<TermRow>>,
    /// The steps that were looked at, each with the size of the term that it leads to: a term is
    /// made anew for each step.
    work: u64,
    /// The most work that may be done.
    most: u64,
}

/// Bytes that a term with its row takes, about.
const BYTES: usize = 256;

impl TermRows {
    /// No states yet. At most `most` steps are looked at, each with the size of the term it leads
    /// to.
    pub(super) fn within(most: u64) -> Self {
        Self {
            met: MetTerms::new(usize::try_from(most).unwrap_or(usize::MAX)),
            rows: Vec::new(),
            work: 0,
            most,
        }
    }

    /// The state that `term` is.
    pub(super) fn visit(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<StateId> {
        self.met.visit(definitions, term)
    }

    /// The transitions of `state`; `None` if they take more work than may be done.
    pub(super) fn row(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<Option<TermRow>> {
        let index = state.0 as usize;
        if self.rows.len() <= index {
            self.rows.resize(index + 1, None);
        }
        if let Some(row) = &self.rows[index] {
            return Ok(Some(Rc::clone(row)));
        }
        definitions.cancellation().step()?;
        let mut row = Vec::new();
        for step in self.met.steps(definitions, state)? {
            let target = self.met.visit(definitions, step.target)?;
            let size = definitions
                .terms()
                .get(self.met.term(target))
                .operand_count();
            self.work += 1 + size as u64;
            if self.work > self.most {
                return Ok(None);
            }
            row.push((step.label, target));
        }
        let row: TermRow = row.into();
        self.rows[index] = Some(Rc::clone(&row));
        Ok(Some(row))
    }

    /// The first step of `state` with this label, to `target` if that is given.
    pub(super) fn step(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
        label: EventId,
        target: Option<StateId>,
    ) -> Result<Option<Step>> {
        let mut steps = self.met.steps(definitions, state)?;
        steps.retain(|step| step.label == label);
        let Some(target) = target else {
            return Ok(steps.first().copied());
        };
        for step in steps {
            if self.met.visit(definitions, step.target)? == target {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// The transitions of each state, as far as they are known.
    pub(super) fn known(&self) -> &[Option<TermRow>] {
        &self.rows
    }

    pub(super) fn bytes(&self) -> usize {
        self.met.met() * BYTES
    }
}

/// A process as a system of terms, for finding out whether it is deterministic.
pub struct UnlistedProcess<'d> {
    definitions: &'d mut dyn Definitions,
    rows: TermRows,
}

impl<'d> UnlistedProcess<'d> {
    /// The process `term`, of which at most `most` steps are looked at, each with the size of the
    /// term it leads to. Then asking for a row is an error with the code
    /// [`LARGER`](lts::explore::LARGER).
    pub fn new(definitions: &'d mut dyn Definitions, term: TermId, most: u64) -> Result<Self> {
        let mut rows = TermRows::within(most);
        rows.visit(definitions, term)?;
        Ok(Self { definitions, rows })
    }
}

impl Rows for UnlistedProcess<'_> {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        match self.rows.row(self.definitions, state)? {
            Some(row) => Ok(row.to_vec()),
            None => larger().into(),
        }
    }

    fn met(&self) -> usize {
        self.rows.met.met()
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}
