//! A refinement game about processes of a script: moves by their names, and the program's answers.

mod explained;
mod listed;

use std::borrow::Cow;

use base::diag::{Diagnostic, Result as Diagnosed};
use eval::Evaluator;
use explore::walk::{ProcessWalk, WalkChoice};
use game::arena::{GameArena, PositionId};
use game::situation::{Challenge, GameMove, Situation};
use process::event::TAU;
use report::game::{GameChoice, GameHint, GameReport, GameSide, GameTurn, GameWords, called};

use self::listed::{ListedGame, Named};
use super::asking::placed;
use super::error::Error;
use super::options::Options;
use super::script::{Script, Subject};
use super::task::Task;
use super::walk_start::{WalkStart, WalkedPart};
use super::walker::MOST_CALLS;

/// A game that is asked for: its refinement, the side of the student, and the moves so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameQuestion<'a> {
    /// The refinement.
    pub subject: Subject<'a>,
    /// The side of the student; the program plays the other one.
    pub side: GameSide,
    /// The names of the student's moves.
    pub moves: &'a [String],
    /// True if the student has to find the way to win: the end of the game does not tell a shortest
    /// attack.
    pub is_task: bool,
}

/// A game that a student plays against the program. Moves have names, which are texts: names lead
/// to the same place whenever the game is played again.
pub struct RefinementGame<'g> {
    scope: &'g Script,
    evaluator: Evaluator<'g>,
    task: &'g Task,
    /// The specification and the implementation, as CSPm.
    sides: [String; 2],
    words: GameWords,
    model: Cow<'static, str>,
    listed: ListedGame,
    walk: ProcessWalk,
    side: GameSide,
    is_task: bool,
    now: Situation,
    /// The step of the implementation that the defender has not answered yet.
    pending: Option<WalkChoice>,
    played: Vec<Played>,
}

/// A move that was made.
struct Played {
    before: Situation,
    by: GameSide,
    chosen: GameMove,
    name: String,
    sentence: String,
    /// The names of the moves that would have won for whoever made it; empty of the program.
    wins: Vec<String>,
}

impl Script {
    /// The report of a game in which the student has made the moves of `question`, each answered by
    /// the program. The end of the report says whether the student has won.
    pub fn game(
        &self,
        question: GameQuestion<'_>,
        options: &Options,
        task: &Task,
    ) -> Result<GameReport, Error> {
        self.play(question, options, task, |game| game.report())
    }

    /// Plays the game of `question`: `play` gets it where the moves of `question` lead to.
    pub fn play<T>(
        &self,
        question: GameQuestion<'_>,
        options: &Options,
        task: &Task,
        play: impl FnOnce(&mut RefinementGame<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut scope = self.scope();
        let id = scope.checked(question.subject, options);
        let id = id.map_err(|problem| scope.error(*problem))?;
        let (scope, place) = (&scope, scope.span(id));
        let part = WalkedPart {
            id,
            is_process: false,
        };
        let game = RefinementGame::begun(scope, part, &question, options, task);
        let placed = |problem: Box<Diagnostic>| placed(task.explained(*problem), place);
        let mut game = game.map_err(|problem| scope.error(placed(problem)))?;
        for name in question.moves {
            game.take(name)?;
        }
        play(&mut game)
    }
}

impl<'g> RefinementGame<'g> {
    fn begun(
        scope: &'g Script,
        part: WalkedPart,
        question: &GameQuestion<'_>,
        options: &'g Options,
        task: &'g Task,
    ) -> Diagnosed<Self> {
        let mut evaluator = scope.evaluator(options, task);
        let start = WalkStart::of(scope, &mut evaluator, part, options)?;
        let Some(specification) = start.specification else {
            return no_refinement(&start.check).into();
        };
        let view = specification.view;
        let model = listed::model_of(&view)?;
        let sides = [specification.text, start.text];
        let [specification_name, implementation_name] = called(&sides[0], &sides[1]);
        let words = GameWords {
            assertion: start.check,
            specification: specification_name,
            implementation: implementation_name,
            has_divergences: view.has_divergences,
        };
        let terms = (view.term, start.process);
        let listed = ListedGame::of(&mut evaluator, terms, model, options)?;
        let walk = ProcessWalk::start(&mut evaluator, start.process, MOST_CALLS)?;
        let mut game = Self {
            now: Situation::start(&listed.arena),
            scope,
            evaluator,
            task,
            sides,
            words,
            model: specification.model,
            listed,
            walk,
            side: question.side,
            is_task: question.is_task,
            pending: None,
            played: Vec::new(),
        };
        game.reply()?;
        Ok(game)
    }
}

impl RefinementGame<'_> {
    /// The names of the student's moves so far.
    pub fn moves(&self) -> Vec<String> {
        let own = self.played.iter().filter(|played| played.by == self.side);
        own.map(|played| played.name.clone()).collect()
    }

    /// Makes the student's move with this name, and then the program's.
    pub fn take(&mut self, name: &str) -> Result<(), Error> {
        let taken = self.taken(name);
        self.said(taken)
    }

    /// The side of the student.
    pub fn side(&self) -> GameSide {
        self.side
    }

    /// The player who wins if nobody makes a mistake.
    pub fn favourite(&self) -> GameSide {
        self.listed.arena.winner(GameArena::START)
    }

    /// Begins again, with the student on `side`.
    pub fn begin(&mut self, side: GameSide) -> Result<(), Error> {
        self.walk.truncate(0);
        self.now = Situation::start(&self.listed.arena);
        self.side = side;
        self.pending = None;
        self.played.clear();
        let replied = self.reply();
        self.said(replied)
    }

    /// Goes back to where the student had made `moves` moves.
    pub fn back_to(&mut self, moves: usize) -> Result<(), Error> {
        let mut names = self.moves();
        names.truncate(moves);
        self.begin(self.side)?;
        names.iter().try_for_each(|name| self.take(name))
    }

    /// The report of how the game stands.
    pub fn report(&mut self) -> Result<GameReport, Error> {
        let report = self.described();
        self.said(report)
    }

    /// Help with the next move; `None` if the game is over.
    pub fn hint(&mut self) -> Result<Option<GameHint>, Error> {
        let hint = self.hinted();
        self.said(hint)
    }

    /// `result`, its error with the texts that it is about.
    fn said<T>(&self, result: Diagnosed<T>) -> Result<T, Error> {
        result.map_err(|problem| self.scope.error(self.task.explained(*problem)))
    }

    // ---- Moves

    fn taken(&mut self, name: &str) -> Diagnosed<()> {
        let all = self.named_moves()?;
        let Some(position) = all.iter().position(|named| named.choice.name == name) else {
            return no_such_move(name, self.played.len(), &all).into();
        };
        let wins = self.now.winning_moves(&self.listed.arena);
        let wins = all.iter().filter(|named| wins.contains(&named.chosen));
        let wins = wins.map(|named| named.choice.name.clone()).collect();
        let chosen = all.into_iter().nth(position);
        if let Some(chosen) = chosen {
            self.make(chosen, wins)?;
        }
        self.reply()
    }

    /// Makes the moves of the program until it is the student's turn, or the game is over.
    fn reply(&mut self) -> Diagnosed<()> {
        while self.now.turn() == Some(self.side.other()) {
            let all = self.named_moves()?;
            let before: Vec<_> = self.attacks_before().collect();
            let best = self.now.best_moves(&self.listed.arena, &before);
            // The first by text: numbers of states depend on how they were found.
            let Some(chosen) = all.into_iter().find(|named| best.contains(&named.chosen)) else {
                return illegal().into();
            };
            self.make(chosen, Vec::new())?;
        }
        Ok(())
    }

    /// The attacks so far, each with its position.
    fn attacks_before(&self) -> impl Iterator<Item = (PositionId, GameMove)> + '_ {
        let attacks = self.played.iter();
        let attacks = attacks.filter(|played| played.by == GameSide::Attacker);
        attacks.map(|played| (played.before.position, played.chosen))
    }

    fn make(&mut self, named: Named, wins: Vec<String>) -> Diagnosed<()> {
        let (arena, by) = (&self.listed.arena, self.now.turn());
        let (Some(after), Some(by)) = (self.now.after(arena, named.chosen), by) else {
            return illegal().into();
        };
        let sentence = self.sentence(&named, &after)?;
        match (named.chosen, named.step) {
            (GameMove::Step(TAU, _), Some(step)) => self.walk.take(&mut self.evaluator, &step)?,
            (GameMove::Step(..), step) => self.pending = step,
            (GameMove::Answer(_), _) if after.end.is_none() => {
                if let Some(step) = self.pending.take() {
                    self.walk.take(&mut self.evaluator, &step)?;
                }
            }
            _ => {}
        }
        self.played.push(Played {
            before: std::mem::replace(&mut self.now, after),
            by,
            chosen: named.chosen,
            name: named.choice.name,
            sentence,
            wins,
        });
        Ok(())
    }

    /// The moves that can be made now, in the order of their texts.
    fn named_moves(&mut self) -> Diagnosed<Vec<Named>> {
        let (listed, words) = (&mut self.listed, &self.words);
        let (evaluator, now) = (&mut self.evaluator, &self.now);
        match now.turn() {
            None => Ok(Vec::new()),
            Some(GameSide::Attacker) => listed.attacks(evaluator, &mut self.walk, now, words),
            Some(GameSide::Defender) => listed.answers(evaluator, now),
        }
    }

    // ---- What is seen

    fn described(&mut self) -> Diagnosed<GameReport> {
        let choices: Vec<GameChoice> = match self.now.turn() {
            Some(_) => self
                .named_moves()?
                .into_iter()
                .map(|named| named.choice)
                .collect(),
            None => Vec::new(),
        };
        let end = self.ended()?;
        let specification_states = self
            .listed
            .specification_states(&mut self.evaluator, self.now.position)?;
        let implementation_state = self
            .listed
            .implementation_state(&mut self.evaluator, self.now.position)?;
        let turn = |played: &Played| GameTurn {
            by: played.by,
            name: played.name.clone(),
            sentence: played.sentence.clone(),
        };
        Ok(GameReport {
            file: self.scope.name().to_string(),
            assertion: self.words.assertion.clone(),
            specification: self.sides[0].clone(),
            implementation: self.sides[1].clone(),
            model: self.model.clone(),
            side: self.side,
            moves: self.moves(),
            turns: self.played.iter().map(turn).collect(),
            trace: self.trace(),
            specification_states,
            implementation_state,
            components: listed::components(&mut self.evaluator, &self.walk)?,
            question: self.question(),
            choices,
            hint: None,
            end,
        })
    }

    fn question(&self) -> Option<String> {
        let question = match &self.now.challenge {
            Some(challenge) => self
                .words
                .question_to_defender(&self.challenge_words(challenge)),
            None => self.words.question_to_attacker(),
        };
        self.now.turn().map(|_| question)
    }

    fn hinted(&mut self) -> Diagnosed<Option<GameHint>> {
        if self.now.turn().is_none() {
            return Ok(None);
        }
        let arena = &self.listed.arena;
        let moves = match self.now.challenge {
            // A loop counts as one move, so that a number would not be the real one.
            None if !self.words.has_divergences => arena.distance(self.now.position),
            _ => None,
        };
        let name = match self.now.winner(arena) == self.side {
            false => None,
            true => {
                let best = self.now.best_moves(arena, &[]);
                let mut all = self.named_moves()?.into_iter();
                all.find(|named| best.contains(&named.chosen))
                    .map(|named| named.choice.name)
            }
        };
        let sentence = report::game::hint_sentence(self.side, name.as_deref(), moves);
        Ok(Some(GameHint { name, sentence }))
    }

    fn trace(&self) -> Vec<String> {
        let events = &process::term::Definitions::terms(&self.evaluator).events;
        events.names(&self.walk.trace())
    }

    fn challenge_words(&self, challenge: &Challenge) -> report::game::ChallengeWords {
        listed::challenge_words(&self.evaluator, challenge)
    }
}

/// The message that there is nothing to play for.
fn no_refinement(assertion: &str) -> Diagnostic {
    let message = format!("`{assertion}` is no refinement, and only a refinement can be played");
    Diagnostic::error("no-game", message)
        .hint("name two processes, or an assertion with [T=, [F= or [FD=")
}

/// The message that nobody sees: the program has made a move that the rules forbid.
fn illegal() -> Diagnostic {
    Diagnostic::error(
        "internal-error",
        "a move of the game is not among those that can be made",
    )
}

fn no_such_move(name: &str, made: usize, all: &[Named]) -> Diagnostic {
    /// The largest number of moves that the message lists.
    const SHOWN: usize = 10;
    let made = base::number::counted(made as u64, "move");
    let message = format!("`{name}` is no move that can be made after {made}");
    let problem = Diagnostic::error("no-such-move", message);
    if all.is_empty() {
        return problem.note("the game is over there");
    }
    let names = all.iter().map(|named| named.choice.name.clone());
    let names = base::excerpt::first_of(names, SHOWN);
    problem.note(format!("what can be done there is {}", names.join(", ")))
}
