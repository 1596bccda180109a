//! The leaves of a machine, each with its own behaviour.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::Lts;
use process::event::EventId;
use process::term::TermId;

/// One component of the state vector. Its states are numbered from 0, the initial one.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The process as CSPm text; for a controller, the operator that it controls.
    pub expression: String,
    /// The transitions.
    pub behaviour: Behaviour,
    /// True if there is one more state, the last, in which the leaf is switched off for good.
    pub can_be_off: bool,
}

/// The behaviour of a leaf.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// A process that was explored.
    Process(Arc<ProcessGraph>),
    /// A record of the live operands of an operator.
    Controller {
        /// The number of states, without the one in which the leaf is off.
        states: u32,
        /// For each control action, (from, to) pairs, ascending.
        moves: Vec<Vec<(u32, u32)>>,
    },
}

/// The graph of a process leaf; leaves of equal terms share it.
#[derive(Debug)]
pub struct ProcessGraph {
    /// The term that was explored.
    pub term: TermId,
    /// The graph, minimised if the options say so.
    pub lts: Lts,
    /// The number of states of the graph before it was minimised and compressed.
    pub explored_states: usize,
    /// True if the graph does as many τ as the term: false if it is compressed.
    pub keeps_taus: bool,
    /// True if a chase was followed in a machine that was listed for the graph.
    pub(crate) follows_chase: bool,
    /// The number of compressions of parallels, each inside the one before, and the graph's own the
    /// first of them, if the graph is an idle compression (`idle.rs`). Those with few states do not
    /// count. `None` if it is no idle compression.
    pub(crate) idle_compressions: Option<usize>,
    by_event: BTreeMap<EventId, Vec<(u32, u32)>>,
}

impl ProcessGraph {
    /// The graph of `term`.
    pub fn new(
        term: TermId,
        lts: Lts,
        explored_states: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        Ok(Self {
            term,
            by_event: by_event(&lts, token)?,
            lts,
            explored_states,
            keeps_taus: true,
            follows_chase: false,
            idle_compressions: None,
        })
    }

    /// All events of the graph, ascending.
    pub fn events(&self) -> impl Iterator<Item = EventId> {
        self.by_event.keys().copied()
    }

    /// The (from, to) pairs of `event`, ascending.
    pub fn transitions(&self, event: EventId) -> &[(u32, u32)] {
        self.by_event.get(&event).map_or(&[], Vec::as_slice)
    }

    /// All events of the graph, ascending, each with the number of its transitions.
    pub fn counts(&self) -> impl Iterator<Item = (EventId, usize)> {
        let counts = self.by_event.iter();
        counts.map(|(&event, transitions)| (event, transitions.len()))
    }
}

/// The (from, to) pairs of the transitions of each event, ascending.
fn by_event(lts: &Lts, token: &Cancellation) -> Result<BTreeMap<EventId, Vec<(u32, u32)>>> {
    // An ordered map would cost a search for each transition; there are far fewer events.
    let mut numbers: FxHashMap<EventId, usize> = FxHashMap::default();
    let mut pairs: Vec<(EventId, Vec<(u32, u32)>)> = Vec::new();
    for state in lts.states() {
        let row = lts.row(state);
        token.look(1 + row.len())?;
        for &(event, target) in row {
            let number = *numbers.entry(event).or_insert_with(|| {
                pairs.push((event, Vec::new()));
                pairs.len() - 1
            });
            pairs[number].1.push((state.0, target.0));
        }
    }
    Ok(pairs.into_iter().collect())
}

/// The contribution of a leaf to a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The step of the leaf.
    pub what: What,
    /// True if the leaf is off afterwards.
    pub then_off: bool,
}

/// A step of a leaf itself, before all hiding and renaming above it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum What {
    /// A process leaf does this event.
    Event(EventId),
    /// A controller does the action of this number.
    Control(u32),
    /// Nothing, whatever the state of the leaf is.
    Nothing,
}

impl Leaf {
    /// A process leaf.
    pub(crate) fn process(expression: String, graph: Arc<ProcessGraph>) -> Self {
        Self {
            expression,
            behaviour: Behaviour::Process(graph),
            can_be_off: false,
        }
    }

    /// A controller that does nothing yet.
    pub(crate) fn controller(expression: String, states: u32) -> Self {
        let behaviour = Behaviour::Controller {
            states,
            moves: Vec::new(),
        };
        Self {
            expression,
            behaviour,
            can_be_off: false,
        }
    }

    /// The number of states of the leaf, including the one in which it is off.
    pub fn state_count(&self) -> u32 {
        self.live_states() + u32::from(self.can_be_off)
    }

    /// The number of transitions of the leaf. Being switched off does not count.
    pub fn transition_count(&self) -> usize {
        match &self.behaviour {
            Behaviour::Process(graph) => graph.lts.transition_count(),
            Behaviour::Controller { moves, .. } => moves.iter().map(Vec::len).sum(),
        }
    }

    /// The (from, to) pairs of `action`, ascending.
    pub fn transitions(&self, action: Action) -> Vec<(u32, u32)> {
        let off = self.live_states();
        let mut pairs: Vec<(u32, u32)> = match (&self.behaviour, action.what) {
            // The state in which the leaf is off is among these: a leaf may be switched off twice.
            (_, What::Nothing) => (0..self.state_count()).map(|s| (s, s)).collect(),
            (Behaviour::Process(graph), What::Event(event)) => graph.transitions(event).to_vec(),
            (Behaviour::Controller { moves, .. }, What::Control(number)) => {
                moves[number as usize].clone()
            }
            _ => Vec::new(),
        };
        if action.then_off {
            for (_, to) in &mut pairs {
                *to = off;
            }
            // Several targets of one state have become one.
            pairs.dedup();
        }
        pairs
    }

    /// The number of the control action with these (from, to) pairs, added if it is new.
    pub(crate) fn control(&mut self, mut pairs: Vec<(u32, u32)>) -> Action {
        pairs.sort_unstable();
        pairs.dedup();
        let Behaviour::Controller { moves, .. } = &mut self.behaviour else {
            unreachable!("only controllers have control actions");
        };
        let known = moves.iter().position(|m| *m == pairs);
        let number = known.unwrap_or_else(|| {
            moves.push(pairs);
            moves.len() - 1
        });
        Action {
            what: What::Control(number as u32),
            then_off: false,
        }
    }

    fn live_states(&self) -> u32 {
        match &self.behaviour {
            Behaviour::Process(graph) => graph.lts.state_count() as u32,
            Behaviour::Controller { states, .. } => *states,
        }
    }
}
