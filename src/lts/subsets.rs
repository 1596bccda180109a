//! Makes a system deterministic: sets of states that one trace can lead to, closed under τ.

use std::sync::Arc;

use super::graph::{Lts, StateId};
use super::tau::{UnnumberedRow, internal, visible};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use base::interner::Interner;

/// The sets that were found so far; number 0 is the set of the empty trace.
///
/// There may be exponentially many sets, each as large as the system, so the token is asked for
/// each state of each set.
pub(crate) struct Subsets<'a> {
    lts: &'a Lts,
    /// The sets. Each is a state of the deterministic system.
    sets: Interner<StateId, Arc<[StateId]>>,
    /// For each state without τ, the number of the set of this state alone, once that is known.
    /// Most sets of most systems are of this kind, and so are found without a hash.
    single: Vec<u32>,
    closure: TauClosure<'a>,
}

impl<'a> Subsets<'a> {
    /// The set of the empty trace alone.
    pub(crate) fn new(lts: &'a Lts, token: &'a Cancellation) -> Result<Self> {
        let mut subsets = Self {
            lts,
            sets: Interner::new(),
            single: vec![UNKNOWN; lts.state_count()],
            closure: TauClosure::new(lts, token),
        };
        subsets.number(&[Lts::INITIAL])?;
        Ok(subsets)
    }

    /// The token, for other work on the sets.
    pub(crate) fn token(&self) -> &'a Cancellation {
        self.closure.token
    }

    /// The system.
    pub(crate) fn lts(&self) -> &'a Lts {
        self.lts
    }

    /// The number of sets found.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The states of set `number`, ascending.
    pub(crate) fn members(&self, number: usize) -> Arc<[StateId]> {
        self.sets[StateId::from_usize(number)].clone()
    }

    /// The steps but τ of `members`, which are a set or a part of one: each event once, with the
    /// number of the set after it.
    pub(crate) fn row(&mut self, members: &[StateId]) -> Result<UnnumberedRow> {
        let steps = members.iter().flat_map(|&state| visible(self.lts, state));
        let mut steps: Vec<_> = steps.copied().collect();
        self.token().sort(&mut steps)?;
        steps.dedup();
        let by_event = steps.chunk_by(|a, b| a.0 == b.0).map(|steps| {
            let targets: Vec<StateId> = steps.iter().map(|&(_, target)| target).collect();
            Ok((steps[0].0, self.number(&targets)?))
        });
        by_event.collect()
    }

    /// The number of the set reached by an event with the targets `targets`.
    pub(crate) fn closed(&mut self, mut targets: Vec<StateId>) -> Result<u32> {
        self.token().sort(&mut targets)?;
        targets.dedup();
        self.number(&targets)
    }

    fn number(&mut self, states: &[StateId]) -> Result<u32> {
        let single = match *states {
            [state] if internal(self.lts, state).next().is_none() => Some(state.index()),
            _ => None,
        };
        if let Some(state) = single
            && self.single[state] != UNKNOWN
        {
            self.token().step()?;
            return Ok(self.single[state]);
        }
        let closed: Arc<[StateId]> = self.closure.of(states)?.into();
        let number = self.sets.intern::<Arc<[StateId]>>(closed).0;
        if let Some(state) = single {
            self.single[state] = number;
        }
        Ok(number)
    }
}

/// The mark for a set whose number is not known.
const UNKNOWN: u32 = u32::MAX;

/// Computes τ-closures.
struct TauClosure<'a> {
    lts: &'a Lts,
    /// For each state, the last call of [`Self::of`] that met it: a new call need not clear this.
    seen_by: Vec<u32>,
    runs: u32,
    token: &'a Cancellation,
}

impl<'a> TauClosure<'a> {
    /// A `TauClosure` that has computed none.
    fn new(lts: &'a Lts, token: &'a Cancellation) -> Self {
        Self {
            lts,
            seen_by: vec![0; lts.state_count()],
            runs: 0,
            token,
        }
    }

    /// All states that τ leads to from `states`, including these, ascending.
    fn of(&mut self, states: &[StateId]) -> Result<Vec<StateId>> {
        // The first call has number 1, because 0 marks states that no call has met.
        self.runs += 1;
        let mut found: Vec<StateId> = Vec::new();
        for &state in states {
            self.see(state, &mut found);
        }
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            self.token.step()?;
            for target in internal(self.lts, state) {
                self.see(target, &mut found);
            }
        }
        self.token.sort(&mut found)?;
        Ok(found)
    }

    fn see(&mut self, state: StateId, found: &mut Vec<StateId>) {
        if std::mem::replace(&mut self.seen_by[state.index()], self.runs) != self.runs {
            found.push(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::lts;
    use base::cancel::testing::asked;
    use process::event::{EventId, TAU};

    const A: EventId = EventId(2);

    #[test]
    fn sets_are_closed_under_internal_steps() {
        let system = lts(&[&[(TAU, 1), (A, 2)], &[(A, 0)], &[(TAU, 2)]]);
        let steps = asked(|token| {
            let mut subsets = Subsets::new(&system, token)?;
            assert_eq!(*subsets.members(0), [0, 1].map(StateId));
            assert_eq!(subsets.row(&subsets.members(0))?, [(A, 1)]);
            assert_eq!(*subsets.members(1), [0, 1, 2].map(StateId));
            assert_eq!(subsets.row(&subsets.members(1))?, [(A, 1)]);
            assert_eq!(subsets.len(), 2);
            Ok(())
        });
        // Two states, then three twice.
        assert_eq!(steps, 8);
    }
}
