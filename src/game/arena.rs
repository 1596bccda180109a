//! The positions of a game, and who wins from each.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use base::cancel::Cancellation;
use base::components::strong_components;
use base::define_index;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::number::plain;
use lts::graph::{Lts, StateId};
use lts::model::Model;
use process::event::{EventId, TAU};
use report::game::GameSide;

use super::known_sets::{KnownSets, SetId};

define_index! {
    /// A position with the attacker to move: the states in which the specification can be, and the
    /// state of the implementation.
    PositionId,
}

/// All positions of the game for a specification, an implementation and a model.
#[derive(Debug)]
pub struct GameArena {
    model: Model,
    pub(crate) sets: KnownSets,
    implementation: Lts,
    /// For each state of the implementation, true if it can do τ and come back to itself.
    on_tau_loop: Vec<bool>,
    positions: Vec<(SetId, StateId)>,
    numbers: FxHashMap<(SetId, StateId), PositionId>,
    /// The number of moves in which the attacker can win from each position.
    distances: Vec<Option<u32>>,
}

/// A set of states has at most so many members on average, in an arena that is as large as allowed.
const MEMBERS_PER_POSITION: usize = 16;

/// The most states in which the specification can be after one trace. Nobody chooses among more.
const LARGEST_SET: usize = 2_000;

impl GameArena {
    /// The position before the first move.
    pub const START: PositionId = PositionId(0);

    /// The arena for `specification` and `implementation` in `model`, which sees no revivals. Fails
    /// if it has more than `most` positions.
    pub fn of(
        specification: Lts,
        implementation: Lts,
        model: Model,
        most: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        let mut arena = Self {
            model,
            sets: KnownSets::of(specification, token)?,
            on_tau_loop: on_tau_loops(&implementation, token)?,
            implementation,
            positions: Vec::new(),
            numbers: FxHashMap::default(),
            distances: Vec::new(),
        };
        arena.number((KnownSets::START, Lts::INITIAL));
        arena.unless_large(KnownSets::START)?;
        let before = arena.explore(most, token)?;
        arena.measure(&before, token)?;
        Ok(arena)
    }

    /// The player who wins from `position` with the attacker to move, however the other one plays.
    pub fn winner(&self, position: PositionId) -> GameSide {
        match self.distance(position) {
            Some(_) => GameSide::Attacker,
            None => GameSide::Defender,
        }
    }

    /// The number of moves in which the attacker can win from `position`, his last one included;
    /// going round a loop of τ counts as one. `None` if the defender wins there.
    pub fn distance(&self, position: PositionId) -> Option<u32> {
        self.distances[position.index()]
    }

    /// The states in which the specification can be, ascending.
    pub fn specification_states(&self, position: PositionId) -> &[StateId] {
        self.sets.states(self.set(position))
    }

    /// The state of the implementation.
    pub fn implementation_state(&self, position: PositionId) -> StateId {
        self.positions[position.index()].1
    }

    /// The system of the specification.
    pub fn specification(&self) -> &Lts {
        self.sets.system()
    }

    /// The system of the implementation.
    pub fn implementation(&self) -> &Lts {
        &self.implementation
    }

    /// The model in which the game is played.
    pub(crate) fn model(&self) -> Model {
        self.model
    }

    pub(crate) fn set(&self, position: PositionId) -> SetId {
        self.positions[position.index()].0
    }

    /// The steps of the implementation, ascending.
    pub(crate) fn steps(&self, position: PositionId) -> &[(EventId, StateId)] {
        self.implementation.row(self.implementation_state(position))
    }

    /// The events with which the implementation is at rest; `None` if it can do τ.
    pub(crate) fn rest(&self, position: PositionId) -> Option<Vec<EventId>> {
        let state = self.implementation_state(position);
        self.implementation.acceptance(state)
    }

    /// True if the implementation can do τ and come back to the same state.
    pub(crate) fn is_on_tau_loop(&self, position: PositionId) -> bool {
        self.on_tau_loop[self.implementation_state(position).index()]
    }

    /// The position after a step; `None` if no state of the specification can do its event.
    pub(crate) fn after(
        &self,
        position: PositionId,
        (event, target): (EventId, StateId),
    ) -> Option<PositionId> {
        let set = match event {
            TAU => self.set(position),
            event => self.sets.known_after(self.set(position), event)?,
        };
        self.numbers.get(&(set, target)).copied()
    }

    /// True if the specification can diverge here, and that counts: then it allows everything.
    pub(crate) fn allows_everything(&self, position: PositionId) -> bool {
        self.model.has_divergences() && self.sets.set_can_diverge(self.set(position))
    }

    // ---- Making the arena

    fn number(&mut self, position: (SetId, StateId)) -> PositionId {
        let Self {
            positions, numbers, ..
        } = self;
        *numbers.entry(position).or_insert_with(|| {
            positions.push(position);
            PositionId::from_usize(positions.len() - 1)
        })
    }

    /// Finds all positions, breadth first. Returns for each those from which a step leads to it.
    fn explore(&mut self, most: usize, token: &Cancellation) -> Result<Vec<Vec<PositionId>>> {
        let mut before: Vec<Vec<PositionId>> = vec![Vec::new()];
        let mut done = 0;
        while done < self.positions.len() {
            let here = PositionId::from_usize(done);
            let (set, state) = self.positions[done];
            for step in 0..self.implementation.row(state).len() {
                token.step()?;
                let (event, target) = self.implementation.row(state)[step];
                let after = match event {
                    TAU => Some(set),
                    event => self.sets.after(set, event, token)?,
                };
                let Some(after) = after else {
                    continue;
                };
                let next = self.number((after, target));
                self.unless_large(after)?;
                before.resize_with(self.positions.len(), Vec::new);
                before[next.index()].push(here);
            }
            let members = self.sets.members();
            if self.positions.len() > most || members > most.saturating_mul(MEMBERS_PER_POSITION) {
                return too_large(most).into();
            }
            done += 1;
        }
        Ok(before)
    }

    /// Fails if nobody can choose among the states of `set`.
    fn unless_large(&self, set: SetId) -> Result<()> {
        if self.sets.states(set).len() <= LARGEST_SET {
            return Ok(());
        }
        let states = plain(LARGEST_SET, "state");
        let message = format!("the specification can be in more than {states} after one trace");
        Diagnostic::undecided("large-game", message)
            .note("the defender would have to choose among all of them")
            .hint("play with smaller processes, for example a smaller instance by -D")
            .into()
    }

    /// Finds the distances, backwards from where the attacker can win at once.
    fn measure(&mut self, before: &[Vec<PositionId>], token: &Cancellation) -> Result<()> {
        self.distances = vec![None; self.positions.len()];
        let mut open = VecDeque::new();
        for index in 0..self.positions.len() {
            token.look(1)?;
            let position = PositionId::from_usize(index);
            if self.is_lost_at_once(position) {
                self.distances[index] = Some(1);
                open.push_back((position, 1));
            }
        }
        while let Some((position, distance)) = open.pop_front() {
            for &earlier in &before[position.index()] {
                token.look(1)?;
                let known = self.distances[earlier.index()].is_some();
                if !known && !self.allows_everything(earlier) {
                    self.distances[earlier.index()] = Some(distance + 1);
                    open.push_back((earlier, distance + 1));
                }
            }
        }
        Ok(())
    }

    /// True if the attacker has a move here that no state of the specification answers, or goes
    /// round a loop that none has.
    fn is_lost_at_once(&self, position: PositionId) -> bool {
        if self.allows_everything(position) {
            return false;
        }
        let is_forbidden =
            |&step: &(EventId, StateId)| step.0 != TAU && self.after(position, step).is_none();
        self.steps(position).iter().any(is_forbidden)
            || self.model.has_failures() && self.refuses_too_much(position)
            || self.model.has_divergences() && self.is_on_tau_loop(position)
    }

    /// True if the implementation is at rest, and no state of the specification rests with as
    /// little.
    pub(crate) fn refuses_too_much(&self, position: PositionId) -> bool {
        let Some(offers) = self.rest(position) else {
            return false;
        };
        let mut states = self.specification_states(position).iter();
        !states.any(|&state| self.sets.rests_within(state, &offers))
    }
}

/// For each state, true if it can do τ and come back to itself.
fn on_tau_loops(lts: &Lts, token: &Cancellation) -> Result<Vec<bool>> {
    let taus = |state: StateId| {
        let steps = lts.row(state).iter().take_while(|step| step.0 == TAU);
        steps.map(|step| step.1.0).collect()
    };
    let edges: Vec<Vec<u32>> = lts.states().map(taus).collect();
    let components = strong_components(&edges[..], &mut |edges| token.look(edges))?;
    let mut sizes = vec![0_usize; lts.state_count()];
    for &component in &components {
        sizes[component as usize] += 1;
    }
    let states = edges.iter().enumerate();
    let is_on_loop = states.map(|(state, targets)| {
        sizes[components[state] as usize] > 1 || targets.contains(&(state as u32))
    });
    Ok(is_on_loop.collect())
}

/// The message for a game with more than `most` positions.
fn too_large(most: usize) -> Diagnostic {
    let message = format!("the game has more than {}", plain(most, "position"));
    Diagnostic::undecided("large-game", message)
        .note("who wins is only known once all positions were looked at")
        .hint("play with smaller processes, for example a smaller instance by -D")
}
