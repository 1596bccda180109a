//! The moves of the program: a winning strategy for whoever can win, and a stubborn one for the
//! other.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use lts::graph::StateId;
use process::event::TAU;
use report::game::GameSide;

use super::arena::{GameArena, PositionId};
use super::situation::{GameMove, Situation};

/// The moves after which an attacker who cannot win gives up.
const PATIENCE: usize = 12;

/// The most positions in which such an attacker looks for something to try.
const FAR: usize = 500;

impl Situation {
    /// The moves that win for the player whose turn it is; empty if that player cannot win.
    pub fn winning_moves(&self, arena: &GameArena) -> Vec<GameMove> {
        let Some(side) = self.turn() else {
            return Vec::new();
        };
        if self.winner(arena) != side {
            return Vec::new();
        }
        let moves = self.moves(arena).into_iter();
        let wins = moves.filter(|&chosen| {
            let after = self.after(arena, chosen);
            after.is_some_and(|after| after.winner(arena) == side)
        });
        wins.collect()
    }

    /// The moves that the program may take, all equally good: winning ones of which the game comes
    /// to an end, if there are any, and otherwise those that make it long. `before` are the
    /// attacks of the play so far, each with its position.
    pub fn best_moves(
        &self,
        arena: &GameArena,
        before: &[(PositionId, GameMove)],
    ) -> Vec<GameMove> {
        match (self.turn(), self.winner(arena)) {
            (None, _) => Vec::new(),
            (Some(GameSide::Attacker), GameSide::Attacker) => self.winning_attacks(arena),
            (Some(GameSide::Attacker), GameSide::Defender) => self.tries(arena, before),
            (Some(GameSide::Defender), GameSide::Defender) => self.winning_moves(arena),
            (Some(GameSide::Defender), GameSide::Attacker) => self.delays(arena),
        }
    }

    /// The attacks that win soonest.
    fn winning_attacks(&self, arena: &GameArena) -> Vec<GameMove> {
        let here = self.position;
        let mut moves = self.moves(arena);
        moves.pop();
        let ends: Vec<GameMove> = moves
            .iter()
            .copied()
            .filter(|&attack| self.cannot_be_answered(arena, attack))
            .collect();
        if !ends.is_empty() {
            return ends;
        }
        // Only going round a loop can be worth one move without a move that cannot be answered.
        if arena.distance(here) == Some(1) {
            return step_to_loop(arena, here, &self.since_event)
                .map(|target| GameMove::Step(TAU, target))
                .into_iter()
                .collect();
        }
        let distance = |attack: &GameMove| match *attack {
            GameMove::Step(event, target) => {
                let after = arena.after(here, (event, target));
                after.and_then(|after| arena.distance(after))
            }
            _ => None,
        };
        let soonest = moves.iter().filter_map(distance).min();
        moves.retain(|attack| distance(attack) == soonest);
        moves
    }

    /// True if the defender loses with every answer to `attack`.
    fn cannot_be_answered(&self, arena: &GameArena, attack: GameMove) -> bool {
        if attack == GameMove::GiveUp || arena.allows_everything(self.position) {
            return false;
        }
        let Some(after) = self.after(arena, attack) else {
            return false;
        };
        let states = arena.specification_states(self.position);
        after.challenge.is_some() && !states.iter().any(|&state| after.fits(arena, state))
    }

    /// The attack of an attacker who cannot win unless the defender makes a mistake: on the way to
    /// the nearest event that was not tried yet and has wrong answers, then to the nearest rest
    /// that has some, then to what is new; in the end a claim, or giving up.
    fn tries(&self, arena: &GameArena, before: &[(PositionId, GameMove)]) -> Vec<GameMove> {
        let is_patient = before.len() < PATIENCE;
        let is_event = |attack| matches!(attack, GameMove::Step(event, _) if event != TAU);
        let trap = |at: &Self, attack| {
            let is_new = is_event(attack) && !before.contains(&(at.position, attack));
            is_new && at.wrong_answers(arena, attack) > 0
        };
        let rest =
            |at: &Self, attack| attack == GameMove::Rest && at.wrong_answers(arena, attack) > 0;
        let way = is_patient.then(|| self.towards(arena, &trap)).flatten();
        if let Some(first) = way.or_else(|| self.towards(arena, &rest)) {
            return vec![first];
        }
        let moves = self.moves(arena);
        let seen: FxHashSet<PositionId> = before.iter().map(|&(position, _)| position).collect();
        let leads_on = |attack: &&GameMove| {
            let GameMove::Step(event, target) = **attack else {
                return false;
            };
            let next = arena.after(self.position, (event, target));
            next.is_some_and(|next| !seen.contains(&next) && next != self.position)
        };
        let new: Vec<GameMove> = moves.iter().filter(leads_on).copied().collect();
        if is_patient && !new.is_empty() {
            return new;
        }
        let is_claim = |attack: &&GameMove| matches!(attack, GameMove::Rest | GameMove::Forever);
        let claim = moves.iter().find(is_claim);
        vec![claim.copied().unwrap_or(GameMove::GiveUp)]
    }

    /// The first move on a shortest way to an attack that is `wanted`; the attack itself if it is
    /// one from here. Looks at the nearest positions alone.
    fn towards(
        &self,
        arena: &GameArena,
        wanted: &dyn Fn(&Self, GameMove) -> bool,
    ) -> Option<GameMove> {
        let mut seen = FxHashSet::from_iter([self.position]);
        let mut open = VecDeque::from([(self.position, None)]);
        while let Some((position, came_by)) = open.pop_front() {
            let at = Self::at(arena, position);
            for attack in at.moves(arena) {
                let first = came_by.unwrap_or(attack);
                if wanted(&at, attack) {
                    return Some(first);
                }
                let GameMove::Step(event, target) = attack else {
                    continue;
                };
                let next = arena.after(position, (event, target));
                if let Some(next) = next.filter(|_| seen.len() < FAR)
                    && seen.insert(next)
                {
                    open.push_back((next, Some(first)));
                }
            }
        }
        None
    }

    /// The number of wrong answers to `attack`.
    fn wrong_answers(&self, arena: &GameArena, attack: GameMove) -> usize {
        let Some(after) = self.after(arena, attack) else {
            return 0;
        };
        let states = arena.specification_states(self.position);
        let wrong = |state: &&StateId| !after.fits(arena, **state);
        match after.challenge {
            Some(_) => states.iter().filter(wrong).count(),
            None => 0,
        }
    }

    /// The answers of a defender who cannot win unless the attacker makes a mistake.
    fn delays(&self, arena: &GameArena) -> Vec<GameMove> {
        let states = arena.specification_states(self.position).iter();
        let fitting = states.filter(|&&state| self.fits(arena, state));
        let answers: Vec<GameMove> = fitting.map(|&state| GameMove::Answer(state)).collect();
        match answers.is_empty() {
            true => vec![GameMove::GiveUp],
            false => answers,
        }
    }
}

/// The first state on a shortest way by τ from `position` back to a state in `met`. The
/// implementation is on a loop of τ, and its present state is in `met`.
fn step_to_loop(arena: &GameArena, position: PositionId, met: &[StateId]) -> Option<StateId> {
    let met: FxHashSet<StateId> = met.iter().copied().collect();
    let mut first: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut open = VecDeque::from([(position, None)]);
    while let Some((here, came_by)) = open.pop_front() {
        for &(event, target) in arena.steps(here) {
            if event != TAU {
                break;
            }
            let way = came_by.unwrap_or(target);
            if met.contains(&target) {
                return Some(way);
            }
            if first.insert(target, way).is_none() {
                open.push_back((arena.after(here, (TAU, target))?, Some(way)));
            }
        }
    }
    None
}
