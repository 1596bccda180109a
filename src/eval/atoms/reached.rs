//! Looks at all that some processes can become, without a step: at operands, at what follows
//! events, and at the bodies of calls, one of each orbit.
//!
//! This lists no state: the components of a parallel process are looked at one by one, and those
//! that are images of each other once. What was evaluated without a refusal is the same for each
//! permutation of atoms (`PROOFS.md`, Theorem 4).

use rustc_hash::FxHashSet;

use super::table::{AtomSubject, AtomType};
use crate::evaluator::Evaluator;
use base::diag::Result;
use process::operator::Operator;
use process::term::{Definitions, Term, TermId};

impl Evaluator<'_> {
    /// The types of atoms that stand in something that `process` can become, so that permuting them
    /// moves its states. Returns `None` if more than `most` terms, parts of them and values would
    /// have to be looked at.
    pub fn atoms_reached(&mut self, process: TermId, most: usize) -> Result<Option<Vec<AtomType>>> {
        let mut is_reached = vec![false; self.declared.atoms.types.sizes().count()];
        // Calls by their representatives, and other terms.
        let mut seen = FxHashSet::default();
        let mut left = vec![process];
        let mut looked_at = 0;
        while let Some(term) = left.pop() {
            let of_term = self.terms.get(term).clone();
            let mut key = term;
            match of_term {
                Term::Call(_) => {
                    let mut terms = vec![term];
                    looked_at += self.represent(&mut terms)?;
                    key = terms[0];
                }
                // Making the image of one of these is refused.
                Term::Watchdog(_)
                | Term::Imported(..)
                | Term::Buffer(..)
                | Term::Over(Operator::Prioritise(_), _) => {
                    self.represent(&mut vec![term])?;
                }
                _ => looked_at += 1 + of_term.operand_count(),
            }
            if looked_at > most {
                return Ok(None);
            }
            if !seen.insert(key) {
                continue;
            }
            if is_reached.contains(&false) {
                for end in self.atom_ends(AtomSubject::Term(term))?.places.iter() {
                    is_reached[self.declared.atoms.types.type_of(end.atom)] = true;
                }
            }
            match of_term {
                // The body of the call itself is evaluated: that of its image would be an image.
                Term::Call(call) => left.push(self.body(call)?),
                other => left.extend(other.operands()),
            }
        }
        self.check_atoms()?;
        Ok(Some(self.declared.atoms.types.chosen(&is_reached)))
    }
}
