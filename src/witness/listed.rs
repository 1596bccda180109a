//! The states of a process after a trace, as states of its machine that are listed when met.

use rustc_hash::FxHashSet;

use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use lts::graph::{Lts, StateId};
use lts::tau::divergent_states;
use machine::explicit::{LazyLts, large_process};
use machine::{CompileOptions, Machine};
use process::acceptance::{acceptance, is_subset};
use process::event::{EventId, TAU};
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};

/// The function that compiles a process.
pub(super) type Compile = fn(&mut dyn Definitions, TermId, &CompileOptions) -> Result<Machine>;

/// The states that a process can be in after a trace, closed under τ.
pub struct Listed {
    lts: LazyLts<Machine>,
    /// The largest number of states between two events.
    most: usize,
    /// Each state with its transitions, ascending.
    states: Vec<(StateId, Row)>,
}

/// The transitions of a state, ascending by event.
type Row = Vec<(EventId, StateId)>;

impl Listed {
    /// The states after no event. Takes as long as compiling `term`, compressed as it is written.
    pub(super) fn start(
        definitions: &mut dyn Definitions,
        term: TermId,
        compile: Compile,
        options: &CompileOptions,
    ) -> Result<Self> {
        let machine = compile(definitions, term, options)?;
        Self::within(machine, usize::MAX, definitions.cancellation())
    }

    /// The states after no event, for at most `most` states of `machine` between two events.
    pub fn within(machine: Machine, most: usize, token: &Cancellation) -> Result<Self> {
        let mut listed = Self {
            lts: LazyLts::new(machine, token)?,
            most,
            states: Vec::new(),
        };
        listed.close(vec![Lts::INITIAL], token)?;
        Ok(listed)
    }

    /// Goes on by one event. If `step` has the offers of a rest before it, only states that come to
    /// rest with no more offers do the event.
    pub(super) fn step(&mut self, step: &ObservedStep, token: &Cancellation) -> Result<()> {
        let can_rest = |row: &&Row| match &step.rest {
            None => true,
            Some(most) => rest(row).is_some_and(|rest| is_subset(&rest, most)),
        };
        let rows = self.states.iter().map(|(_, row)| row).filter(can_rest);
        let steps = rows.flatten().filter(|(event, _)| *event == step.event);
        let targets = steps.map(|&(_, target)| target).collect();
        self.close(targets, token)
    }

    /// True if the process does not have the trace.
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The events that the process can do after the trace, ascending.
    pub(super) fn offers(&self) -> Vec<EventId> {
        let rows = self.states.iter().flat_map(|(_, row)| row);
        let labels = rows.map(|&(event, _)| event).filter(|&event| event != TAU);
        let mut labels: Vec<EventId> = labels.collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// True if the process can diverge after the trace.
    pub fn diverges(&self, token: &Cancellation) -> Result<bool> {
        // All targets of τ are among the states, which are ascending.
        let number = |target: StateId| {
            let found = self
                .states
                .binary_search_by_key(&target, |(state, _)| *state);
            found.map(StateId::from_usize).ok()
        };
        let taus = self.states.iter().map(|(_, row)| {
            let targets = taus(row).filter_map(number);
            targets.map(|target| (TAU, target)).collect()
        });
        let divergent = divergent_states(&Lts::from_rows(taus.collect()), token)?;
        Ok(divergent.contains(&true))
    }

    /// The sets of events with which the process can come to rest after the trace.
    pub fn acceptances(&self) -> Vec<Vec<EventId>> {
        self.states
            .iter()
            .filter_map(|(_, row)| rest(row))
            .collect()
    }

    /// Adds all states that `open` can become by τ alone.
    fn close(&mut self, mut open: Vec<StateId>, token: &Cancellation) -> Result<()> {
        let mut seen = FxHashSet::default();
        self.states.clear();
        while let Some(state) = open.pop() {
            if seen.insert(state) {
                if seen.len() > self.most {
                    return large_process(self.most).into();
                }
                let mut row = self.lts.row(state)?;
                token.look(1 + row.len())?;
                row.sort_unstable();
                open.extend(taus(&row));
                self.states.push((state, row));
            }
        }
        token.sort(&mut self.states)
    }
}

/// The targets of τ.
fn taus(row: &Row) -> impl Iterator<Item = StateId> + '_ {
    let taus = row.iter().take_while(|step| step.0 == TAU);
    taus.map(|&(_, target)| target)
}

/// The offers of a state with this row; `None` if it is not at rest.
fn rest(row: &Row) -> Option<Vec<EventId>> {
    acceptance(row.iter().map(|&(event, _)| event))
}
