//! The states that a term reaches, each listed when somebody asks for its steps.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use base::diag::Result;
use base::index::TypedIndex;
use process::term::{Definitions, TermId};

use super::graph::StateId;
use super::reach::{ReachedStep, StatesAsMet};

/// The states that a term reaches, as far as they were met. They are numbered as they are met: the
/// initial state is the first one, and then come the targets of each state that is listed. So the
/// numbers depend on the order in which states are listed.
///
/// A state is what it is for [`reach`](super::reach::reach): a term in which everything that has
/// started is unfolded.
#[derive(Default)]
pub struct StatesOnDemand {
    met: StatesAsMet,
    rows: HashMap<StateId, Vec<ReachedStep>, FxBuildHasher>,
    /// The states that have rows, in the order in which they were listed.
    listed: Vec<StateId>,
}

impl StatesOnDemand {
    /// The states of `term`, of which only the initial one is met.
    pub fn of(definitions: &mut dyn Definitions, term: TermId) -> Result<Self> {
        let mut states = Self::default();
        states.met.number(definitions, term, 1)?;
        Ok(states)
    }

    /// The number of states that were met.
    pub fn count(&self) -> usize {
        self.met.terms.len()
    }

    /// The term of `state` as it was first met.
    ///
    /// # Panics
    ///
    /// If no such state was met.
    pub fn term(&self, state: StateId) -> TermId {
        self.met.terms[state.index()]
    }

    /// The number of the state that `term` is, if that was met.
    pub fn state_of(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<Option<StateId>> {
        self.met.number(definitions, term, 0)
    }

    /// The steps of `state`, ascending by label and target.
    ///
    /// # Panics
    ///
    /// If no such state was met.
    pub fn row(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<&[ReachedStep]> {
        if !self.rows.contains_key(&state) {
            let (row, _) = self.met.listed(definitions, self.term(state), usize::MAX)?;
            self.rows.insert(state, row);
            self.listed.push(state);
        }
        Ok(&self.rows[&state])
    }

    /// The states that were listed, in that order. Whoever lists them anew in this order, of the
    /// same term, gets the same numbers.
    pub fn listed(&self) -> &[StateId] {
        &self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Lts;
    use crate::reach::{ReachBounds, reach};
    use process::table::DefinitionTable;

    /// Defines `P = a -> (b -> P [] a -> STOP) [] b -> P`.
    fn example(table: &mut DefinitionTable) -> TermId {
        let [a, b] = ["a", "b"].map(|name| table.terms_mut().events.intern(name));
        let call = table.call("P");
        let terms = table.terms_mut();
        let stop = terms.stop();
        let inner = terms.prefix(vec![(b, call), (a, stop)]);
        let body = terms.prefix(vec![(a, inner), (b, call)]);
        table.define("P", body);
        call
    }

    #[test]
    fn listed_breadth_first_they_are_what_is_reached() {
        let mut table = DefinitionTable::new();
        let term = example(&mut table);
        let bounds = ReachBounds {
            states: 10,
            is_whole: true,
            depth: None,
        };
        let reached = reach(&mut table, term, bounds).unwrap();
        let mut states = StatesOnDemand::of(&mut table, term).unwrap();
        let mut rows = Vec::new();
        while rows.len() < states.count() {
            let next = StateId::from_usize(rows.len());
            rows.push(states.row(&mut table, next).unwrap().to_vec());
        }
        assert_eq!(rows, reached.rows.iter().cloned().collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_listed_before_it_is_asked_for() {
        let mut table = DefinitionTable::new();
        let term = example(&mut table);
        let mut states = StatesOnDemand::of(&mut table, term).unwrap();
        assert_eq!((states.count(), states.listed()), (1, &[][..]));
        let first = states.row(&mut table, Lts::INITIAL).unwrap().to_vec();
        let targets: Vec<StateId> = first.iter().map(|step| step.target).collect();
        assert_eq!(targets, [StateId(1), StateId(0)]);
        assert_eq!((states.count(), states.listed()), (2, &[StateId(0)][..]));
        // Listed a second time it is the same, and lists nothing more.
        assert_eq!(states.row(&mut table, Lts::INITIAL).unwrap(), first);
        assert_eq!(states.listed().len(), 1);
        let inner = states.term(StateId(1));
        assert_eq!(
            states.state_of(&mut table, inner).unwrap(),
            Some(StateId(1))
        );
    }
}
