//! The moves of a play, and the situations that they lead to.

use lts::graph::StateId;
use process::event::{EventId, TAU};
use report::game::GameSide;

use super::arena::{GameArena, PositionId};

/// A move of one of the players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameMove {
    /// Of the attacker: the implementation does this and becomes that state.
    Step(EventId, StateId),
    /// Of the attacker: he claims that the implementation refuses too much here, at rest.
    Rest,
    /// Of the attacker: he claims that the implementation does τ for ever, as he has shown, and the
    /// specification cannot.
    Forever,
    /// Of the defender: this state of the specification answers the challenge.
    Answer(StateId),
    /// The player gives the game to the other one.
    GiveUp,
}

/// A move of the attacker that the defender has to answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Challenge {
    /// The implementation does the event and becomes the state.
    Event(EventId, StateId),
    /// The implementation is at rest, and offers these events alone, ascending.
    Rest(Vec<EventId>),
    /// The implementation does τ for ever.
    Forever,
}

/// The reason why a play is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayEnd {
    /// The state that the defender chose does not answer the challenge.
    WrongAnswer(StateId),
    /// The state answers a challenge after which nothing can come.
    Answered(StateId),
    /// The state can diverge, so that the specification allows everything.
    AllowsEverything(StateId),
    /// This player gave up.
    GaveUp(GameSide),
}

impl PlayEnd {
    /// The player who has won.
    pub fn winner(self) -> GameSide {
        match self {
            Self::WrongAnswer(_) => GameSide::Attacker,
            Self::Answered(_) | Self::AllowsEverything(_) => GameSide::Defender,
            Self::GaveUp(side) => side.other(),
        }
    }
}

/// A situation in a play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The position, which is still the old one while a challenge stands open.
    pub position: PositionId,
    /// The challenge that the defender has to answer, or that was answered last if the play is
    /// over.
    pub challenge: Option<Challenge>,
    /// The reason why the play is over, if it is.
    pub end: Option<PlayEnd>,
    /// The states of the implementation since the last event, up to the present one.
    pub(crate) since_event: Vec<StateId>,
}

impl Situation {
    /// The situation before the first move.
    pub fn start(arena: &GameArena) -> Self {
        Self::at(arena, GameArena::START)
    }

    /// The situation in `position` with the attacker to move, right after an event.
    pub(crate) fn at(arena: &GameArena, position: PositionId) -> Self {
        Self {
            position,
            challenge: None,
            end: None,
            since_event: vec![arena.implementation_state(position)],
        }
    }

    /// The player whose turn it is; `None` if the play is over.
    pub fn turn(&self) -> Option<GameSide> {
        match (&self.end, &self.challenge) {
            (Some(_), _) => None,
            (None, None) => Some(GameSide::Attacker),
            (None, Some(_)) => Some(GameSide::Defender),
        }
    }

    /// The moves that the rules allow, in the order of states; giving up comes last.
    pub fn moves(&self, arena: &GameArena) -> Vec<GameMove> {
        let mut moves = match self.turn() {
            None => return Vec::new(),
            Some(GameSide::Attacker) => self.attacks(arena),
            Some(GameSide::Defender) => {
                let states = arena.specification_states(self.position);
                states.iter().copied().map(GameMove::Answer).collect()
            }
        };
        moves.push(GameMove::GiveUp);
        moves
    }

    fn attacks(&self, arena: &GameArena) -> Vec<GameMove> {
        let steps = arena.steps(self.position).iter();
        let mut moves: Vec<GameMove> = steps.map(|&(e, to)| GameMove::Step(e, to)).collect();
        if arena.model().has_failures() && arena.rest(self.position).is_some() {
            moves.push(GameMove::Rest);
        }
        if arena.model().has_divergences() && self.has_closed_loop() {
            moves.push(GameMove::Forever);
        }
        moves
    }

    /// True if τ alone has led back to a state of the implementation.
    pub(crate) fn has_closed_loop(&self) -> bool {
        match self.since_event.split_last() {
            Some((now, before)) => before.contains(now),
            None => false,
        }
    }

    /// The situation after `chosen`; `None` if the rules do not allow that.
    #[must_use]
    pub fn after(&self, arena: &GameArena, chosen: GameMove) -> Option<Self> {
        if !self.moves(arena).contains(&chosen) {
            return None;
        }
        Some(match chosen {
            GameMove::Step(TAU, target) => {
                let position = arena.after(self.position, (TAU, target))?;
                let mut since_event = self.since_event.clone();
                since_event.push(target);
                Self {
                    position,
                    since_event,
                    ..self.clone()
                }
            }
            GameMove::Step(event, target) => self.challenged(Challenge::Event(event, target)),
            GameMove::Rest => self.challenged(Challenge::Rest(arena.rest(self.position)?)),
            GameMove::Forever => self.challenged(Challenge::Forever),
            GameMove::Answer(state) => self.answered(arena, state)?,
            GameMove::GiveUp => self.over(PlayEnd::GaveUp(self.turn()?)),
        })
    }

    fn challenged(&self, challenge: Challenge) -> Self {
        Self {
            challenge: Some(challenge),
            ..self.clone()
        }
    }

    fn over(&self, end: PlayEnd) -> Self {
        Self {
            end: Some(end),
            ..self.clone()
        }
    }

    /// The situation after the defender has answered with `state`.
    fn answered(&self, arena: &GameArena, state: StateId) -> Option<Self> {
        let sets = &arena.sets;
        if arena.model().has_divergences() && sets.can_diverge(state) {
            return Some(self.over(PlayEnd::AllowsEverything(state)));
        }
        if !self.fits(arena, state) {
            return Some(self.over(PlayEnd::WrongAnswer(state)));
        }
        match self.challenge {
            Some(Challenge::Event(event, target)) => {
                let next = arena.after(self.position, (event, target))?;
                Some(Self::at(arena, next))
            }
            _ => Some(self.over(PlayEnd::Answered(state))),
        }
    }

    /// True if `state` of the specification answers the challenge: it can do the event, or come to
    /// rest with as little, or do τ for ever.
    pub fn fits(&self, arena: &GameArena, state: StateId) -> bool {
        let sets = &arena.sets;
        match &self.challenge {
            None => false,
            Some(Challenge::Event(event, _)) => sets.can_do(state, *event),
            Some(Challenge::Rest(offers)) => sets.rests_within(state, offers),
            Some(Challenge::Forever) => sets.can_diverge(state),
        }
    }

    /// The player who wins from here, however the other one plays.
    pub fn winner(&self, arena: &GameArena) -> GameSide {
        if let Some(end) = self.end {
            return end.winner();
        }
        if self.challenge.is_none() {
            return arena.winner(self.position);
        }
        let moves = self.moves(arena).into_iter();
        let mut answers = moves.filter_map(|answer| self.after(arena, answer));
        let is_defended = answers.any(|after| match after.end {
            Some(end) => end.winner() == GameSide::Defender,
            None => arena.winner(after.position) == GameSide::Defender,
        });
        match is_defended {
            true => GameSide::Defender,
            false => GameSide::Attacker,
        }
    }
}
