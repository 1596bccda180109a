//! The sentences on moves, and the reasons for the end of a game.

use base::diag::Result;
use game::arena::GameArena;
use game::situation::{Challenge, GameMove, PlayEnd, Situation};
use process::acceptance::minimal;
use process::event::TAU;
use process::term::Definitions;
use report::game::{
    EndWords, GameEnd, GameMistake, GameSide, GameWords, MistakeWords, PlayEndKind,
};

use super::super::counterexample::{sorted_names, sorted_sets};
use super::listed::Named;
use super::{Played, RefinementGame};

/// A shortest attack is told if it has at most this many moves.
const LONGEST_ATTACK: usize = 200;

impl RefinementGame<'_> {
    /// The move `named`, which leads to `after`, in a sentence.
    pub(super) fn sentence(&self, named: &Named, after: &Situation) -> Result<String> {
        Ok(
            match (named.chosen, &self.now.challenge, &after.challenge) {
                (GameMove::Step(..), ..) => self.words.step(&named.shown),
                (GameMove::Rest | GameMove::Forever, _, Some(challenge)) => {
                    self.words.claim(&self.challenge_words(challenge))
                }
                (GameMove::Answer(_), Some(_), _) => GameWords::answer(&named.shown),
                (_, None, _) => GameWords::give_up(GameSide::Attacker),
                (_, Some(_), _) => GameWords::give_up(GameSide::Defender),
            },
        )
    }

    /// The end of the game with its reasons; `None` if it goes on.
    pub(super) fn ended(&mut self) -> Result<Option<GameEnd>> {
        let Some(end) = self.now.end else {
            return Ok(None);
        };
        let (winner, distance) = (end.winner(), self.listed.arena.distance(GameArena::START));
        let mistake = self.mistake();
        let shortest = self.shortest_attack()?;
        let lesson = MistakeWords {
            side: self.side,
            won: winner == self.side,
            // The distance counts a loop as one move.
            moves: distance.map(|distance| match shortest.len() {
                0 => distance as usize,
                moves => moves,
            }),
            mistake: mistake
                .as_ref()
                .map(|at| (at.turn, at.name.clone(), at.better.clone())),
        };
        let words = self.end_words(end)?;
        let mut sentences = vec![self.words.end(&words)];
        sentences.extend(self.words.lesson(&lesson));
        Ok(Some(GameEnd {
            winner,
            won: winner == self.side,
            refined: distance.is_none(),
            sentences,
            mistake,
            shortest: match self.is_task {
                true => Vec::new(),
                false => shortest,
            },
        }))
    }

    /// The move of the student after which the program could win, and not before.
    fn mistake(&self) -> Option<GameMistake> {
        let arena = &self.listed.arena;
        let after = self.played.iter().skip(1).map(|played| &played.before);
        let after = after.chain([&self.now]);
        let mut turns = self.played.iter().zip(after).enumerate();
        let is_mistake = |(_, (played, after)): &(usize, (&Played, &Situation))| {
            let could_win = played.before.winner(arena) == self.side;
            played.by == self.side && could_win && after.winner(arena) != self.side
        };
        let (turn, (played, _)) = turns.find(is_mistake)?;
        Some(GameMistake {
            turn: turn + 1,
            name: played.name.clone(),
            better: played.wins.clone(),
        })
    }

    fn end_words(&mut self, end: PlayEnd) -> Result<EndWords> {
        let position = self.now.position;
        let states = self.listed.in_order(&mut self.evaluator, position)?;
        let arena = &self.listed.arena;
        let fitting = states.iter().find(|&&state| self.now.fits(arena, state));
        let fitting = fitting.map(|&state| self.listed.text(&mut self.evaluator, state));
        let fitting = fitting.transpose()?;
        let events = states.iter().flat_map(|&state| self.listed.row(state));
        let mut allowed: Vec<_> = events.map(|step| step.0).filter(|&e| e != TAU).collect();
        allowed.sort_unstable();
        allowed.dedup();
        let rests = states
            .iter()
            .filter_map(|&state| self.listed.acceptance(state));
        let rests = minimal(rests.collect(), self.evaluator.cancellation())?;
        let mut text = |state| self.listed.text(&mut self.evaluator, state);
        let kind = match end {
            PlayEnd::WrongAnswer(state) => PlayEndKind::WrongAnswer(text(state)?),
            PlayEnd::Answered(state) => PlayEndKind::Answered(text(state)?),
            PlayEnd::AllowsEverything(state) => PlayEndKind::AllowsEverything(text(state)?),
            PlayEnd::GaveUp(side) => PlayEndKind::GaveUp(side),
        };
        let challenge: Option<&Challenge> = self.now.challenge.as_ref();
        let events = &self.evaluator.terms().events;
        Ok(EndWords {
            kind,
            challenge: challenge.map(|challenge| self.challenge_words(challenge)),
            trace: self.trace(),
            fitting,
            is_restless: match end {
                PlayEnd::WrongAnswer(state) => self.listed.acceptance(state).is_none(),
                _ => false,
            },
            allowed: sorted_names(&allowed, events),
            rests: sorted_sets(&rests, events),
        })
    }

    /// The names of the attacker's moves in a shortest win; empty if there is none, or if it is
    /// very long.
    fn shortest_attack(&mut self) -> Result<Vec<String>> {
        let distance = self.listed.arena.distance(GameArena::START);
        if distance.is_none_or(|distance| distance as usize > LONGEST_ATTACK) {
            return Ok(Vec::new());
        }
        let (kept, steps) = (self.now.clone(), self.walk.len());
        let path: Vec<_> = self.walk.taken().cloned().collect();
        self.walk.truncate(0);
        self.now = Situation::start(&self.listed.arena);
        let attack = self.attack();
        self.now = kept;
        self.walk.truncate(0);
        for taken in &path[..steps] {
            let choices = self.walk.choices(&mut self.evaluator)?;
            if let Some(choice) = choices.iter().find(|choice| choice.taken == *taken) {
                self.walk.take(&mut self.evaluator, choice)?;
            }
        }
        attack
    }

    /// Wins as attacker from the present situation, and returns the names of the moves.
    fn attack(&mut self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        while self.now.turn().is_some() && names.len() <= 2 * LONGEST_ATTACK {
            let best = self.now.best_moves(&self.listed.arena, &[]);
            let mut all = self.named_moves()?.into_iter();
            let Some(named) = all.find(|named| best.contains(&named.chosen)) else {
                break;
            };
            let Some(after) = self.now.after(&self.listed.arena, named.chosen) else {
                break;
            };
            let is_attack = self.now.turn() == Some(GameSide::Attacker);
            if is_attack {
                names.push(named.choice.name);
                self.pending = named.step;
            }
            let moves_on = after.end.is_none() && after.challenge.is_none();
            if let Some(step) = self.pending.take_if(|_| moves_on) {
                self.walk.take(&mut self.evaluator, &step)?;
            }
            self.now = after;
        }
        self.pending = None;
        Ok(names)
    }
}
