//! Searches for divergence of terms.

mod shorter;

use rustc_hash::{FxHashMap, FxHashSet};

use super::counterexample::WitnessStep;
use super::lasso::Lasso;
use super::replay::witness_step;
use base::diag::{Diagnostic, Result};
use process::event::TAU;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};

/// The largest number of terms that are searched for a cycle from one term.
const MOST_TERMS: usize = 2_000_000;

/// The largest number of terms that are searched from several terms together.
const MOST_TERMS_TOGETHER: usize = 3 * MOST_TERMS;

/// Searches for divergence from several terms, which together look at each term once: no cycle is
/// reached from a term that the search has left.
#[derive(Default)]
pub(super) struct Lassos {
    left: FxHashSet<TermId>,
    /// The number of terms looked at, including those on ways to a cycle.
    visited: usize,
}

impl Lassos {
    /// A way in which `term` can diverge; `None` if it cannot. It is found depth first, so that
    /// each term is looked at once, and then shortened by [`shorter::shortest`].
    pub(super) fn find(
        &mut self,
        semantics: &mut Semantics,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<Option<Lasso>> {
        let most = MOST_TERMS_TOGETHER.min(self.visited + MOST_TERMS);
        let start = semantics.head(definitions, term)?;
        if self.left.contains(&start) {
            return Ok(None);
        }
        // By term, the depth at which it is open.
        let mut depths: FxHashMap<TermId, usize> = FxHashMap::from_iter([(start, 0)]);
        let mut done: Vec<WitnessStep> = Vec::new();
        let mut open = vec![(start, self.taus(semantics, definitions, start, most)?)];
        while let Some((current, waiting)) = open.last_mut() {
            let Some(step) = waiting.pop() else {
                // All terms that this term leads to were left before it, so none of them closes a
                // cycle.
                depths.remove(current);
                self.left.insert(*current);
                open.pop();
                done.pop();
                continue;
            };
            let target = semantics.head(definitions, step.target)?;
            if self.left.contains(&target) {
                continue;
            }
            done.push(witness_step(&step));
            // A term that is still open leads to this one: the steps since then are a cycle.
            if let Some(&depth) = depths.get(&target) {
                let cycle = done.split_off(depth);
                let found = Lasso { stem: done, cycle };
                let left = &self.left;
                let shorter = shorter::shortest(semantics, definitions, start, &found, left)?;
                return Ok(Some(shorter.unwrap_or(found)));
            }
            depths.insert(target, open.len());
            open.push((target, self.taus(semantics, definitions, target, most)?));
        }
        Ok(None)
    }

    /// The τ of `term`, in reverse order. Fails if more than `most` terms have been looked at.
    fn taus(
        &mut self,
        semantics: &mut Semantics,
        definitions: &mut dyn Definitions,
        term: TermId,
        most: usize,
    ) -> Result<Vec<Step>> {
        self.visited += 1;
        if self.visited > most {
            return too_many_terms().into();
        }
        definitions.cancellation().step()?;
        let mut steps = semantics.steps(definitions, term)?;
        steps.retain(|step| step.label == TAU);
        steps.reverse();
        Ok(steps)
    }
}

pub(super) fn too_many_terms() -> Diagnostic {
    Diagnostic::undecided(
        "replay-limit",
        "a divergence was found, but replaying it takes too long",
    )
    .note("millions of internal steps were followed without coming back to where one began")
}

#[cfg(test)]
mod tests {
    use super::*;
    use process::table::DefinitionTable;
    use process::term::Term;

    /// Many terms of one chain of τ. Each is looked at once, whatever term is asked about.
    #[test]
    fn searches_share_what_they_left() {
        let mut table = DefinitionTable::new();
        let terms = table.terms_mut();
        let a = terms.events.intern("a");
        let set = terms.events.intern_set(vec![a]);
        let mut term = terms.stop();
        let mut chain = Vec::new();
        for _ in 0..5000 {
            term = terms.prefix(vec![(a, term)]);
            chain.push(terms.hide(term, set));
        }
        let div = terms.intern(Term::Div);
        let diverging = terms.prefix(vec![(a, div)]);
        let diverging = terms.hide(diverging, set);
        let (mut lassos, mut semantics) = (Lassos::default(), Semantics::new());
        for &term in chain.iter().rev() {
            let found = lassos.find(&mut semantics, &mut table, term).unwrap();
            assert_eq!(found, None);
        }
        assert_eq!(lassos.visited, chain.len() + 1);
        let found = lassos.find(&mut semantics, &mut table, diverging);
        let found = found.unwrap().unwrap();
        assert_eq!((found.stem.len(), found.cycle.len()), (1, 1));
    }
}
