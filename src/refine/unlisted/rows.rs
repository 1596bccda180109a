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
#[derive(Default)]
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
            most,
            ..Self::default()
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

    /// The steps of `state` that lead to `target`, or all if there is none.
    pub(super) fn steps(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
        target: Option<StateId>,
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for step in self.met.steps(definitions, state)? {
            let to = self.met.visit(definitions, step.target)?;
            if target.is_none_or(|target| target == to) {
                steps.push(step);
            }
        }
        Ok(steps)
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
