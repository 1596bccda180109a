//! Explores terms: the explicit transition system of all that a term can become.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::graph::{Lts, LtsBuilder, StateId};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::{IndexVec, TypedIndex};
use base::threads::Threads;
use process::event::EventId;
use process::growth::{self, GrowthWatch};
use process::listing::{EndedListing, ListingEnd, RowSink};
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};
use process::trial::{LARGER, larger};

/// Limits on explicit transition systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafLimits {
    /// The most states that a leaf may have.
    pub states: usize,
    /// The most states of a machine that is listed as a whole: for a compression, or because it is
    /// a specification. Its components are finite, so many states are no sign of a mistake.
    pub listed: usize,
    /// The most states of any system that is listed while something cheaper may still give the
    /// answer. Beyond it, listing ends with an error of the code [`LARGER`].
    pub trial: Option<usize>,
}

/// The trial from which on a component that exceeds it is looked at for growth, which takes some
/// hundredths of a second.
const LARGE_TRIAL: usize = 1 << 20;

/// A step that the rules of terms find takes as long as this many steps of a machine, or of a
/// component that is listed from code.
pub const STEP_OF_TERMS: usize = 8;

/// A pair of states that a search of terms meets takes as long as this many pairs of states of
/// machines, or states that are listed from code. Measured on components of 2.1 million states.
pub const PAIR_OF_TERMS: usize = 2 * STEP_OF_TERMS;

/// The number of states from which a message tells what grows.
const SHOWN_GROWTH: usize = 1 << 12;

impl LeafLimits {
    /// Limits of at most `states` states for every system.
    pub const fn all(states: usize) -> Self {
        Self {
            states,
            listed: states,
            trial: None,
        }
    }

    /// These limits, for a trial of systems of at most `states` states.
    #[must_use]
    pub fn trying(self, states: usize) -> Self {
        Self {
            trial: Some(states),
            ..self
        }
    }

    /// These limits, for work on terms.
    #[must_use]
    pub fn on_terms(self) -> Self {
        Self {
            trial: self.trial.map(|states| states / STEP_OF_TERMS),
            ..self
        }
    }

    /// The most states of a machine that is listed as a whole, in this trial.
    pub fn listed_now(&self) -> usize {
        self.listed.min(self.trial.unwrap_or(usize::MAX))
    }

    /// The most states of a normal form of a system of `states` states. A normal form can be
    /// exponentially larger, but twice the size is harmless.
    pub fn normal_form(&self, states: usize) -> usize {
        self.listed_now().min(self.states.max(2 * states))
    }

    /// The most states of a leaf, in this trial.
    fn states_now(&self) -> usize {
        self.trial.unwrap_or(self.states)
    }

    /// The most transitions of a system: enough for any process with a large alphabet, and few
    /// enough that one which branches ever more widely ends in a message.
    pub(super) fn transitions(&self) -> usize {
        let most = match self.trial {
            Some(states) => states.saturating_mul(4),
            None => self.states.saturating_mul(64).saturating_add(1_000_000),
        };
        // Transitions are numbered with 32 bits.
        most.min(1 << 31)
    }
}

impl Default for LeafLimits {
    fn default() -> Self {
        Self {
            states: 1_000_000,
            listed: usize::MAX,
            trial: None,
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

/// A system of which a trial has listed a part.
#[derive(Debug)]
pub struct PartlyListed {
    rows: LtsBuilder,
    listing: EndedListing,
}

/// The transition system of all that `term` can become. Its states may come in another order than
/// those of [`explore`] where one event leads to several. Listing goes on from the `part` that an
/// earlier trial has listed, and if a trial ends it again, the larger part is left there.
pub fn list(
    definitions: &mut dyn Definitions,
    term: TermId,
    limits: &LeafLimits,
    threads: &Threads,
    part: &mut Option<PartlyListed>,
) -> Result<Lts> {
    let (rows, from) = part
        .take()
        .map_or_else(Default::default, |part| (part.rows, Some(part.listing)));
    let mut rows = ListedRows {
        token: definitions.cancellation().clone(),
        rows,
        limits,
    };
    let listed = definitions.list(term, from, threads, &mut rows)?;
    let rows = rows.rows;
    match (listed, limits.trial) {
        (ListingEnd::Whole, _) => Ok(rows.finish()),
        (ListingEnd::Ended(listing), Some(states)) => {
            // Few states with very many transitions are no sign of growth.
            let may_grow = rows.state_count() >= SHOWN_GROWTH && states >= LARGE_TRIAL;
            *part = Some(PartlyListed { rows, listing });
            match may_grow {
                true => grown(definitions, term).into(),
                false => larger().into(),
            }
        }
        // The terms say what grows, where the limit ended it.
        (ListingEnd::Ended(_), None) | (ListingEnd::Impossible, _) => {
            Ok(explore(definitions, term, limits)?.lts)
        }
    }
}

/// The rows of a system that is listed within limits.
struct ListedRows<'l> {
    token: Cancellation,
    rows: LtsBuilder,
    limits: &'l LeafLimits,
}

impl RowSink for ListedRows<'_> {
    fn take(&mut self, row: &[(EventId, u32)]) -> Result<()> {
        self.token.step()?;
        let row = row.iter();
        self.rows
            .push(row.map(|&(event, target)| (event, StateId(target))));
        Ok(())
    }

    fn wants_more(&mut self, states: usize, work: usize) -> bool {
        let transitions = match self.limits.trial {
            // The state of a call is known once its steps are found: a row may need those of
            // thousands of calls.
            Some(_) => work,
            None => self.rows.transition_count(),
        };
        states <= self.limits.states_now() && transitions <= self.limits.transitions()
    }
}

/// The message that `term` is larger than a trial, with what makes it so large.
fn grown(definitions: &mut dyn Definitions, term: TermId) -> Diagnostic {
    match explore(definitions, term, &LeafLimits::all(SHOWN_GROWTH)) {
        Err(growth) => Diagnostic::undecided(LARGER, growth.message),
        Ok(_) => larger(),
    }
}

/// All terms that `term` can become, breadth first. A process with more states than allowed, or one
/// that grows without end, is a `growing-process` diagnostic.
pub fn explore(
    definitions: &mut dyn Definitions,
    term: TermId,
    limits: &LeafLimits,
) -> Result<Explored> {
    let limits = &limits.on_terms();
    let mut exploration = MetTerms::new(limits.states);
    exploration.visit(definitions, term)?;
    let mut watch = GrowthWatch::new(limits.states);
    let mut rows = LtsBuilder::default();
    let (mut transitions, mut operands) = (0, 0);
    while rows.state_count() < exploration.terms.len() {
        let state = StateId(rows.state_count() as u32);
        definitions.cancellation().step()?;
        let row = exploration.row(definitions, state)?;
        transitions += row.len();
        rows.push(row);
        if limits.trial.is_some() {
            operands += exploration.evaluated(definitions)?;
            let work = transitions + operands;
            if work > limits.transitions() || exploration.terms.len() > limits.states_now() {
                return larger().into();
            }
        }
        let calls = exploration.semantics.unfolded_calls();
        let is_much = transitions > limits.transitions();
        if is_much {
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

/// The terms met so far, numbered as they are met.
pub struct MetTerms {
    semantics: Semantics,
    /// The term of each state.
    terms: Vec<TermId>,
    states: HashMap<TermId, StateId, FxBuildHasher>,
    /// The number of unfolded calls that were counted by [`evaluated`](Self::evaluated).
    counted: usize,
}

impl MetTerms {
    /// No terms yet. Fails at a watchdog whose specification can become more than `limit` terms
    /// before the next event that is watched.
    pub fn new(limit: usize) -> Self {
        Self {
            semantics: Semantics::within(limit),
            terms: Vec::new(),
            states: HashMap::default(),
            counted: 0,
        }
    }

    /// The operands of the bodies of all calls that were unfolded since this was asked last. Each
    /// takes time to evaluate, also where the body is a term that is known.
    pub fn evaluated(&mut self, definitions: &mut dyn Definitions) -> Result<usize> {
        let calls = self.semantics.unfolded_calls();
        let mut operands = 0;
        for &call in &calls[self.counted..] {
            let body = definitions.body(call)?;
            operands += definitions.terms().get(body).operand_count();
        }
        self.counted = calls.len();
        Ok(operands)
    }

    /// The work that the rules have done so far, see [`Semantics::looked_at`].
    pub fn looked_at(&self) -> u64 {
        self.semantics.looked_at()
    }

    /// The state of `term`, numbered if it is new.
    pub fn visit(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<StateId> {
        // A call and what it stands for are one state.
        let head = self.semantics.head(definitions, term)?;
        Ok(*self.states.entry(head).or_insert_with(|| {
            self.terms.push(head);
            StateId::from_usize(self.terms.len() - 1)
        }))
    }

    /// The term of `state`.
    pub fn term(&self, state: StateId) -> TermId {
        self.terms[state.index()]
    }

    /// The number of states met.
    pub fn met(&self) -> usize {
        self.terms.len()
    }

    /// The steps of the term of `state`.
    pub fn steps(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<Vec<Step>> {
        self.semantics.steps(definitions, self.term(state))
    }

    /// The transitions of `state`, without repetition.
    pub fn row(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<Vec<(EventId, StateId)>> {
        let steps = self.steps(definitions, state)?;
        steps
            .iter()
            .map(|step| Ok((step.label, self.visit(definitions, step.target)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests;
