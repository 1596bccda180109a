//! All that a process can be after a trace, as states of the system that its machine lists.

use crate::base::index::TypedIndex;
use crate::diag::Result;
use crate::lts::graph::{Lts, StateId};
use crate::lts::tau::divergent_states;
use crate::machine::explicit::explicit;
use crate::machine::{CompileOptions, compile};
use crate::process::acceptance::{acceptance, minimal};
use crate::process::event::{EventId, TAU, TICK};
use crate::process::term::{Definitions, TermId};

/// The states that a process can be in after a trace, closed under τ.
pub(super) struct Listed {
    lts: Lts,
    /// By state, whether it can do τ for ever.
    is_divergent: Vec<bool>,
    /// Ascending.
    states: Vec<StateId>,
    has_terminated: bool,
}

impl Listed {
    /// After no event. Takes as long as compiling `term`, which is compressed where it says so.
    pub(super) fn start(
        definitions: &mut dyn Definitions,
        term: TermId,
        options: &CompileOptions,
    ) -> Result<Self> {
        let machine = compile(definitions, term, options)?;
        let lts = explicit(&machine, options.limits.states)?;
        let mut listed = Self {
            is_divergent: divergent_states(&lts),
            lts,
            states: Vec::new(),
            has_terminated: false,
        };
        listed.close(vec![Lts::INITIAL]);
        Ok(listed)
    }

    /// After one event more.
    pub(super) fn step(&mut self, event: EventId) {
        let steps = self.states.iter().flat_map(|&state| self.lts.row(state));
        let steps = steps.filter(|step| step.0 == event);
        let targets = steps.map(|&(_, target)| target).collect();
        self.has_terminated |= event == TICK;
        self.close(targets);
    }

    /// Whether the process does not have the trace.
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether the process can diverge after the trace.
    pub(super) fn diverges(&self) -> bool {
        let mut states = self.states.iter();
        states.any(|state| self.is_divergent[state.index()])
    }

    /// The smallest sets of events with which the process can come to rest after the trace; what has terminated does not.
    pub(super) fn minimal_acceptances(&self) -> Vec<Vec<EventId>> {
        if self.has_terminated {
            return Vec::new();
        }
        let labels = |&state: &StateId| self.lts.row(state).iter().map(|&(event, _)| event);
        let sets = self.states.iter();
        minimal(sets.filter_map(|state| acceptance(labels(state))).collect())
    }

    /// All that `open` can become by τ alone.
    fn close(&mut self, mut open: Vec<StateId>) {
        let mut is_seen = vec![false; self.lts.state_count()];
        self.states.clear();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut is_seen[state.index()], true) {
                self.states.push(state);
                let steps = self.lts.row(state).iter();
                let taus = steps.take_while(|step| step.0 == TAU);
                open.extend(taus.map(|&(_, target)| target));
            }
        }
        self.states.sort_unstable();
    }
}
