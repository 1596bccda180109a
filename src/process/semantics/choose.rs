//! Rules of `chase` and `deter`, which follow one of several transitions, and of the compressions that keep
//! the meaning of a process, which change nothing here.
//!
//! The transition that is followed is the first in the order of [`Step`]. Which that is depends on the order in which
//! events and terms were first met, so it is the same throughout a run, but no symmetry need respect it.

use rustc_hash::FxHashSet;

use super::{Row, Step, Stepper};
use crate::diag::{Diagnostic, Result};
use crate::process::compression::Compression;
use crate::process::event::{TAU, TICK};
use crate::process::term::{CallId, Term, TermId};

/// More internal steps than this in a row are taken to go on for ever.
const LONGEST_CHASE: usize = 1_000_000;

impl Stepper<'_> {
    /// A compression that keeps the meaning can do what `process` does, and is left behind by the first step.
    pub(super) fn compress(
        &mut self,
        compression: Compression,
        process: TermId,
    ) -> Result<Vec<Step>> {
        if compression.keeps_meaning() {
            return Ok(self.operand(process)?.to_vec());
        }
        let row = self.chased(compression, process)?;
        let mut steps: Vec<Step> = Vec::with_capacity(row.len());
        for &step in row.iter() {
            let again = steps.last().is_some_and(|last| last.label == step.label);
            if compression == Compression::Deter && again {
                continue;
            }
            let target = match step.label {
                TICK => step.target,
                _ => self
                    .definitions
                    .terms_mut()
                    .compress(compression, step.target),
            };
            steps.push(Step { target, ..step });
        }
        Ok(steps)
    }

    /// The transitions of the stable process that the first τ of each leads to from `process`.
    fn chased(&mut self, compression: Compression, process: TermId) -> Result<Row> {
        let mut term = process;
        let mut seen = FxHashSet::default();
        loop {
            let row = self.operand(term)?;
            // τ comes first in a row.
            let next = match row.first() {
                Some(step) if step.label == TAU => step.target,
                _ => return Ok(row),
            };
            if !seen.insert(term) || seen.len() > LONGEST_CHASE {
                return self.endless_chase(compression, process).into();
            }
            term = next;
        }
    }

    fn endless_chase(&self, compression: Compression, process: TermId) -> Diagnostic {
        let name = compression.name();
        let call = self.first_call(process);
        let call = call.or_else(|| self.semantics.unfolding.innermost());
        let subject = match call {
            Some(call) => format!("`{}`", self.definitions.call_name(call)),
            None => "the process".to_string(),
        };
        let message = format!("`{name}` finds no end: {subject} can do internal steps for ever");
        let mut diagnostic = Diagnostic::error("chase-divergence", message);
        if let Some(span) = call.and_then(|call| self.definitions.call_span(call)) {
            diagnostic = diagnostic.at(span, "");
        }
        diagnostic
            .note("it follows internal steps until there are none")
            .hint("hide less below it, or use `tau_loop_factor` or `wbisim` instead")
    }

    /// A call that has started below `term`, the leftmost one.
    fn first_call(&self, term: TermId) -> Option<CallId> {
        let terms = self.definitions.terms();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if let &Term::Call(call) = terms.get(term) {
                return Some(call);
            }
            let operands = terms.get(term).started_operands().into_iter().rev();
            open.extend(operands.filter(|&operand| seen.insert(operand)));
        }
        None
    }
}
