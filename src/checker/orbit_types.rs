//! The types whose values a script only compares, as far as is known: their permutations are
//! symmetries of all definitions.

use base::cancel::Phase;
use base::diag::{Diagnostic, Result};
use eval::{AtomType, Evaluator};
use process::term::Definitions;

use super::decision::Decision;

/// The types of a script whose values may be atoms, as far as is known.
#[derive(Default)]
pub(super) struct OrbitTypes {
    left: Option<Vec<AtomType>>,
    /// For each type that is no such type, where and how one of its values was looked into.
    pub(super) refused: Vec<Diagnostic>,
    /// The reason, if it is another one, why no type is left.
    pub(super) failed: Option<Box<Diagnostic>>,
}

impl OrbitTypes {
    /// True if it is known that no type is left.
    pub(super) fn are_exhausted(&self) -> bool {
        self.left.as_ref().is_some_and(Vec::is_empty)
    }

    /// The result of `work` with an evaluator whose values of these types are atoms, and this
    /// evaluator. A type of which a value is looked into is left out, and the work is begun again.
    /// Returns `None` if no type is left.
    pub(super) fn attempt<'r, T>(
        &mut self,
        run: &mut Decision<'r, '_>,
        mut work: impl FnMut(&mut Decision<'r, '_>, &mut Evaluator<'r>) -> Result<T>,
    ) -> Result<Option<(T, Evaluator<'r>)>> {
        run.evaluator.enter(Phase::Machine, "");
        let known = match self.left.take() {
            Some(known) => known,
            None => run.evaluator.atom_types()?,
        };
        let left = self.left.insert(known);
        while !left.is_empty() {
            let token = run.evaluator.cancellation().clone();
            let termination = run.evaluator.terms().termination();
            let evaluator = Evaluator::new(run.script, token);
            let mut evaluator = evaluator
                .with_termination(termination)
                .with_atoms(left.clone());
            match work(run, &mut evaluator) {
                Ok(done) => return Ok(Some((done, evaluator))),
                Err(problem) => {
                    run.evaluator.cancellation().check()?;
                    // Without a value that was looked into, the script cannot be evaluated with
                    // atoms in it. What is wrong with it, an evaluation without atoms tells.
                    match evaluator.leave_out_looked_into(left, problem) {
                        Ok(refused) => self.refused.push(*refused),
                        Err(problem) => {
                            left.clear();
                            self.failed = Some(problem);
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}
