//! All that a process can be after a trace, as states of the system that its machine lists.

use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::graph::{Lts, StateId};
use crate::lts::tau::divergent_states;
use crate::machine::explicit::explicit;
use crate::machine::{CompileOptions, Machine};
use crate::process::acceptance::{acceptance, is_subset};
use crate::process::event::{EventId, TAU};
use crate::process::observation::ObservedStep;
use crate::process::term::{Definitions, TermId};

/// How a process is compiled.
pub(super) type Compile = fn(&mut dyn Definitions, TermId, &CompileOptions) -> Result<Machine>;

/// The states that a process can be in after a trace, closed under τ.
pub(super) struct Listed {
    lts: Lts,
    /// By state, whether it can do τ for ever.
    is_divergent: Vec<bool>,
    /// Ascending.
    states: Vec<StateId>,
}

impl Listed {
    /// After no event. Takes as long as compiling `term`, which is compressed where it says so.
    pub(super) fn start(
        definitions: &mut dyn Definitions,
        term: TermId,
        compile: Compile,
        options: &CompileOptions,
    ) -> Result<Self> {
        let machine = compile(definitions, term, options)?;
        let token = &definitions.cancellation().clone();
        let lts = explicit(&machine, options.limits.states, token)?;
        let mut listed = Self {
            is_divergent: divergent_states(&lts, token)?,
            lts,
            states: Vec::new(),
        };
        listed.close(vec![Lts::INITIAL], token)?;
        Ok(listed)
    }

    /// After one event more; if `step` says how the process was seen at rest before, from what came
    /// to rest with no more.
    pub(super) fn step(&mut self, step: &ObservedStep, token: &Cancellation) -> Result<()> {
        let can_rest = |&state: &StateId| match &step.rest {
            None => true,
            Some(most) => self.rest(state).is_some_and(|rest| is_subset(&rest, most)),
        };
        let states = self.states.iter().copied().filter(can_rest);
        let steps = states.flat_map(|state| self.lts.row(state));
        let steps = steps.filter(|&&(event, _)| event == step.event);
        let targets = steps.map(|&(_, target)| target).collect();
        self.close(targets, token)
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

    /// The sets of events with which the process can come to rest after the trace.
    pub(super) fn acceptances(&self) -> Vec<Vec<EventId>> {
        let states = self.states.iter();
        states.filter_map(|&state| self.rest(state)).collect()
    }

    /// With what `state` comes to rest, if it does.
    fn rest(&self, state: StateId) -> Option<Vec<EventId>> {
        let labels = self.lts.row(state).iter().map(|&(event, _)| event);
        acceptance(labels)
    }

    /// All that `open` can become by τ alone.
    fn close(&mut self, mut open: Vec<StateId>, token: &Cancellation) -> Result<()> {
        let mut is_seen = vec![false; self.lts.state_count()];
        self.states.clear();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut is_seen[state.index()], true) {
                self.states.push(state);
                token.look(1 + self.lts.row(state).len())?;
                let steps = self.lts.row(state).iter();
                let taus = steps.take_while(|step| step.0 == TAU);
                open.extend(taus.map(|&(_, target)| target));
            }
        }
        token.sort(&mut self.states)
    }
}
