//! The normal form of a specification: deterministic, without τ, minimal.
//!
//! Its states are sets of states that one trace can lead to. In the traces model nothing else about
//! them matters.

use std::rc::Rc;

use super::bisimulation::minimise;
use super::graph::{Lts, StateId};
use crate::base::index::TypedIndex;
use crate::base::interner::Interner;
use crate::define_index;
use crate::diag::{Diagnostic, Result};
use crate::process::event::{EventId, TAU};

/// A specification in normal form. Equal trace sets have equal normal forms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalForm {
    lts: Lts,
}

impl NormalForm {
    /// The initial state.
    pub const INITIAL: StateId = Lts::INITIAL;

    /// The normal form of `specification`, which fails if it takes more than `limit` sets of states.
    pub fn of(specification: &Lts, limit: usize) -> Result<Self> {
        // Fewer states first: sets of states are what takes time.
        let subsets = subset_construction(&minimise(specification).lts, limit)?;
        Ok(Self {
            lts: minimise(&subsets).lts,
        })
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.lts.state_count()
    }

    /// The state after `event` in `state`, if it is allowed there; `event` is visible or ✓.
    pub fn successor(&self, state: StateId, event: EventId) -> Option<StateId> {
        let row = self.lts.row(state);
        let at = row.binary_search_by_key(&event, |&(e, _)| e).ok()?;
        Some(row[at].1)
    }

    /// The allowed events of `state`, ascending, each with the state after it.
    pub fn row(&self, state: StateId) -> &[(EventId, StateId)] {
        self.lts.row(state)
    }

    /// As a transition system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }
}

define_index! {
    /// A set of states, numbered in order of discovery.
    SubsetId,
}

type Subset = Rc<[StateId]>;

/// The deterministic system over τ-closed sets of states.
fn subset_construction(lts: &Lts, limit: usize) -> Result<Lts> {
    let mut closure = Closure {
        lts,
        seen_by: vec![0; lts.state_count()],
        runs: 0,
    };
    let mut subsets: Interner<SubsetId, Subset> = Interner::new();
    subsets.intern(closure.of(&[Lts::INITIAL]));
    let mut rows = Vec::new();
    while rows.len() < subsets.len() {
        let subset = subsets[SubsetId::from_usize(rows.len())].clone();
        let steps = subset.iter().flat_map(|&state| lts.row(state));
        let mut steps: Vec<_> = steps.copied().filter(|&(event, _)| event != TAU).collect();
        steps.sort_unstable();
        steps.dedup();
        let mut row = Vec::new();
        for steps in steps.chunk_by(|a, b| a.0 == b.0) {
            let targets: Vec<StateId> = steps.iter().map(|&(_, target)| target).collect();
            let target = subsets.intern(closure.of(&targets));
            row.push((steps[0].0, StateId(target.0)));
        }
        rows.push(row);
        if subsets.len() > limit {
            return too_large(limit).into();
        }
    }
    Ok(Lts::from_rows(rows))
}

/// Computes τ-closures.
struct Closure<'a> {
    lts: &'a Lts,
    /// The run that last saw each state.
    seen_by: Vec<u32>,
    runs: u32,
}

impl Closure<'_> {
    /// All states that τ leads to from `states`, ascending.
    fn of(&mut self, states: &[StateId]) -> Subset {
        self.runs += 1;
        let mut found: Vec<StateId> = Vec::new();
        for &state in states {
            self.see(state, &mut found);
        }
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            for &(_, target) in self.lts.row(state).iter().take_while(|&&(e, _)| e == TAU) {
                self.see(target, &mut found);
            }
        }
        found.sort_unstable();
        found.into()
    }

    fn see(&mut self, state: StateId, found: &mut Vec<StateId>) {
        if std::mem::replace(&mut self.seen_by[state.index()], self.runs) != self.runs {
            found.push(state);
        }
    }
}

fn too_large(limit: usize) -> Diagnostic {
    let message = format!("the normal form of the specification has more than {limit} states");
    Diagnostic::undecided("large-specification", message)
        .note("a specification is made deterministic, which can take exponentially many states")
        .hint("write the specification with less internal choice and hiding")
}

#[cfg(test)]
mod tests {
    use super::NormalForm;
    use crate::lts::graph::{Lts, StateId};
    use crate::process::event::{EventId, TAU};

    const A: EventId = EventId(2);
    const B: EventId = EventId(3);

    fn lts(rows: &[&[(EventId, u32)]]) -> Lts {
        let row = |row: &&[(EventId, u32)]| row.iter().map(|&(e, s)| (e, StateId(s))).collect();
        Lts::from_rows(rows.iter().map(row).collect())
    }

    #[test]
    fn internal_choices_are_joined() {
        // (a -> a -> STOP) |~| (a -> b -> STOP)
        let choice = lts(&[
            &[(TAU, 1), (TAU, 2)],
            &[(A, 3)],
            &[(A, 4)],
            &[(A, 5)],
            &[(B, 5)],
            &[],
        ]);
        let normal_form = NormalForm::of(&choice, 100).unwrap();
        assert_eq!(
            *normal_form.lts(),
            lts(&[&[(A, 1)], &[(A, 2), (B, 2)], &[]])
        );
        assert_eq!(normal_form.successor(StateId(1), B), Some(StateId(2)));
        assert_eq!(normal_form.successor(StateId(0), B), None);
    }

    #[test]
    fn divergence_is_nothing_in_the_traces_model() {
        let div = lts(&[&[(TAU, 1)], &[(TAU, 0)]]);
        assert_eq!(*NormalForm::of(&div, 1).unwrap().lts(), lts(&[&[]]));
    }

    #[test]
    fn the_limit_counts_sets() {
        let row = lts(&[&[(A, 1)], &[(A, 2)], &[]]);
        assert!(NormalForm::of(&row, 3).is_ok());
        assert_eq!(
            NormalForm::of(&row, 2).unwrap_err().code,
            "large-specification"
        );
    }
}
