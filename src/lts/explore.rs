//! Explores terms: the explicit transition system of all that a term can become.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::graph::{Lts, LtsBuilder, StateId};
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use base::threads::Threads;
use process::event::EventId;
use process::growth::{self, GrowthWatch};
use process::semantics::Semantics;
use process::term::{Definitions, TermId};

/// Limits on explicit transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafLimits {
    /// The most states that a leaf may have.
    pub states: usize,
    /// The most states of a machine that is listed as a whole: for a compression, or because it is
    /// a specification. Its components are finite, so many states are no sign of a mistake.
    pub listed: usize,
}

impl LeafLimits {
    /// Limits of at most `states` states for every system.
    pub const fn all(states: usize) -> Self {
        Self {
            states,
            listed: states,
        }
    }

    /// The most states of a normal form of a system of `states` states. A normal form can be
    /// exponentially larger, but twice the size is harmless.
    pub fn normal_form(&self, states: usize) -> usize {
        self.listed.min(self.states.max(2 * states))
    }

    /// The most transitions of a system: enough for any process with a large alphabet, and few
    /// enough that one which branches ever more widely ends in a message.
    pub(super) fn transitions(&self) -> usize {
        let most = self.states.saturating_mul(64).saturating_add(1_000_000);
        // Transitions are numbered with 32 bits.
        most.min(1 << 31)
    }
}

impl Default for LeafLimits {
    fn default() -> Self {
        Self {
            states: 1_000_000,
            listed: usize::MAX,
        }
    }
}

/// An explicit transition system and the term of each state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// The transitions.
    pub lts: Lts,
    /// The term of each state, with its outermost calls unfolded.
    pub terms: IndexVec<StateId, TermId>,
}

/// The transition system of all that `term` can become. Its states may come in another order than
/// those of [`explore`] where one event leads to several.
pub fn list(
    definitions: &mut dyn Definitions,
    term: TermId,
    limits: &LeafLimits,
    threads: &Threads,
) -> Result<Lts> {
    let token = definitions.cancellation().clone();
    let mut rows = LtsBuilder::default();
    let mut transitions = 0;
    let listed = definitions.list(term, threads, &mut |row, met| {
        token.step()?;
        transitions += row.len();
        rows.push(row.iter().map(|&(event, target)| (event, StateId(target))));
        Ok(met <= limits.states && transitions <= limits.transitions())
    })?;
    match listed {
        true => Ok(rows.finish()),
        // The terms say what grows, where the limit ended it.
        false => Ok(explore(definitions, term, limits)?.lts),
    }
}

/// All terms that `term` can become, breadth first. A process with more states than allowed, or one
/// that grows without end, is a `growing-process` diagnostic.
pub fn explore(
    definitions: &mut dyn Definitions,
    term: TermId,
    limits: &LeafLimits,
) -> Result<Explored> {
    let mut exploration = Exploration::new(limits.states);
    exploration.visit(definitions, term)?;
    let mut watch = GrowthWatch::new(limits.states);
    let mut rows = LtsBuilder::default();
    let mut transitions = 0;
    while rows.state_count() < exploration.terms.len() {
        let state = StateId(rows.state_count() as u32);
        definitions.cancellation().step()?;
        let row = exploration.row(definitions, state)?;
        transitions += row.len();
        rows.push(row);
        let calls = exploration.semantics.unfolded_calls();
        if transitions > limits.transitions() {
            let much = format!("more than {} transitions", limits.transitions());
            return growth::too_much(definitions, calls, &much, limits.states).into();
        }
        if exploration.terms.len() > limits.states {
            return growth::too_many_states(definitions, calls, limits.states).into();
        }
        watch.look(definitions, &exploration.terms)?;
    }
    Ok(Explored {
        lts: rows.finish(),
        terms: exploration.terms.into_iter().collect(),
    })
}

/// The states found so far.
struct Exploration {
    semantics: Semantics,
    /// The term of each state.
    terms: Vec<TermId>,
    states: HashMap<TermId, StateId, FxBuildHasher>,
}

impl Exploration {
    /// An exploration that has found no state yet.
    fn new(limit: usize) -> Self {
        Self {
            semantics: Semantics::within(limit),
            terms: Vec::new(),
            states: HashMap::default(),
        }
    }

    /// The state of `term`, numbered if it is new.
    fn visit(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<StateId> {
        // A call and what it stands for are one state.
        let head = self.semantics.head(definitions, term)?;
        Ok(*self.states.entry(head).or_insert_with(|| {
            self.terms.push(head);
            StateId::from_usize(self.terms.len() - 1)
        }))
    }

    fn row(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<Vec<(EventId, StateId)>> {
        let steps = self
            .semantics
            .steps(definitions, self.terms[state.index()])?;
        steps
            .iter()
            .map(|step| Ok((step.label, self.visit(definitions, step.target)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests;
