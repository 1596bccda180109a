//! The games of a lab: the refinement that each is about, what the moves of a student come to, and
//! which of them her script keeps.

use base::diag::Diagnostic;
use base::excerpt::first_of;
use checker::{Error, GameQuestion, Options, RefinementGame, Subject, Task};
use report::game::{GameReport, GameSide};
use report::lab::{CheckReport, LabGameReport, TaskOutcome};

use super::below::below;
use super::mark::hinted;
use super::reading::{LabScript, is_kept};
use super::sheet::{GameDemand, LabCheck, Sheet};
use super::work::{StudentWork, move_list, with_game};

/// The code of the message that a move cannot be made.
const NO_SUCH_MOVE: &str = "no-such-move";

/// The most moves that a sentence lists.
const LISTED: usize = 10;

/// A game in a lab's script.
pub(crate) struct LabGame<'l> {
    script: &'l LabScript,
    check: &'l LabCheck,
    demand: &'l GameDemand,
    /// The number of its assertion, from 0.
    place: usize,
    /// The text of its assertion.
    text: String,
}

impl<'l> LabGame<'l> {
    /// The game that `check` demands. Fails if a name that is kept for the lab stands in its
    /// assertion: who plays sees both processes.
    pub(crate) fn of(
        script: &'l LabScript,
        sheet: &Sheet,
        check: &'l LabCheck,
        demand: &'l GameDemand,
    ) -> Result<Self, Error> {
        let place = below(script, sheet, check)?.into_iter().next();
        let place = place.unwrap_or_default();
        let text = script.script.assertions().into_iter().nth(place);
        let game = Self {
            script,
            check,
            demand,
            place,
            text: text.unwrap_or_default(),
        };
        match is_kept(&game.text) {
            false => Ok(game),
            true => {
                let message = format!("a game shows both processes of `{}`", game.text);
                let hint = "define them in given.csp, by names that are not kept for the lab";
                Err(game.wrong(message, hint))
            }
        }
    }

    /// Plays it: `play` gets the game at its start. Fails if the lab asks for what cannot be won.
    pub(crate) fn play<T>(
        &self,
        options: &Options,
        task: &Task,
        play: impl FnOnce(&mut RefinementGame<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let side = self.demand.side;
        let question = GameQuestion {
            subject: Subject::Assertion(self.place),
            side,
            moves: &[],
            is_task: true,
        };
        let script = &self.script.script;
        let played = script.play(question, options, task, |game| {
            // If the student has a part in it, it is her definition that has to become another one.
            if game.favourite() != side && !self.script.written.has_part_in(&self.text) {
                let message = format!("the {} cannot win: {}", side.word(), self.verdict());
                let hint = format!("write `as {}`, or another refinement", side.other().word());
                return Err(self.wrong(message, &hint));
            }
            play(game)
        });
        played.map_err(|error| self.script.for_student(hinted(error)))
    }

    /// The report on what the `moves` in a student's script come to.
    pub(crate) fn marked(
        &self,
        moves: &[String],
        options: &Options,
        task: &Task,
    ) -> Result<CheckReport, Error> {
        let (is_won, sentences) = self.play(options, task, |game| {
            if game.favourite() != self.demand.side {
                let (verdict, side) = (self.verdict(), self.demand.side.word());
                let sentence = format!("No {side} can win this game, for {verdict}.");
                return Ok((false, vec![sentence]));
            }
            if moves.is_empty() {
                return Ok((false, vec!["You have not played it yet.".to_string()]));
            }
            if let Some(sentence) = stopped(game, moves)? {
                return Ok((false, vec![sentence]));
            }
            let report = game.report()?;
            Ok(match report.end {
                Some(end) => (end.won, end.sentences),
                None => (false, vec![unfinished(&report)]),
            })
        })?;
        Ok(CheckReport {
            outcome: match is_won {
                true => TaskOutcome::Passed,
                false => TaskOutcome::Failed,
            },
            game: Some(LabGameReport {
                name: self.demand.name.clone(),
                side: self.demand.side,
                moves: moves.to_vec(),
                sentences,
            }),
            ..CheckReport::of(self.check.demand.word(), &self.check.lesson)
        })
    }

    /// The verdict on the refinement where the other side wins.
    fn verdict(&self) -> String {
        let word = match self.demand.side {
            GameSide::Attacker => "holds",
            GameSide::Defender => "fails",
        };
        format!("{} {word}", self.text)
    }

    /// The error that the lab itself is wrong here.
    fn wrong(&self, message: String, hint: &str) -> Error {
        let problem = Diagnostic::error("bad-directive", message).at(self.check.span, "");
        let sources = self.script.script.sources().clone();
        Error::new(vec![problem.hint(hint)], sources)
    }
}

/// Makes the `moves`. Returns a sentence about the first that cannot be made, if there is one.
fn stopped(game: &mut RefinementGame<'_>, moves: &[String]) -> Result<Option<String>, Error> {
    for name in moves {
        let Err(error) = game.take(name) else {
            continue;
        };
        let messages = error.messages();
        let Some(message) = messages.iter().find(|message| message.code == NO_SUCH_MOVE) else {
            return Err(error);
        };
        let notes = message.notes.join("; ");
        return Ok(Some(format!("{}: {notes}.", message.message)));
    }
    Ok(None)
}

/// The sentence on a game that is not at its end.
fn unfinished(report: &GameReport) -> String {
    let after = match report.trace.is_empty() {
        true => "At the start".to_string(),
        false => format!("After <{}>", report.trace.join(", ")),
    };
    let names = report.choices.iter().map(|choice| choice.name.clone());
    format!(
        "The game is not at its end. {after} it is your move. {} You can choose {}.",
        report.question.as_deref().unwrap_or_default(),
        first_of(names, LISTED).join(", ")
    )
}

/// The line of a game in a student's script, which keeps the moves that were made.
pub struct KeptGame {
    name: String,
    side: GameSide,
    /// True if the moves in the line win.
    is_won: bool,
}

impl KeptGame {
    /// Takes `game`, which has this name in the lab, to where its line in the script of `work` has
    /// left it. Where a move of the line cannot be made any more the game begins anew, and a
    /// sentence says so.
    pub(crate) fn resumed(
        name: &str,
        work: &StudentWork,
        game: &mut RefinementGame<'_>,
    ) -> Result<(Self, Option<String>), Error> {
        let moves = work.moves(name);
        let sentence = stopped(game, moves)?.map(|sentence| {
            let line = move_list(moves);
            format!("The game `{line}` begins anew. {sentence}")
        });
        if sentence.is_some() {
            game.begin(game.side())?;
        }
        let end = game.report()?.end;
        let kept = Self {
            name: name.to_string(),
            side: game.side(),
            is_won: end.is_some_and(|end| end.won),
        };
        Ok((kept, sentence))
    }

    /// The script `text` with the game as it stands now in its line; `None` if the line stays as it
    /// is. A game that was lost is not kept, and one that was won is not replaced by one that goes
    /// on.
    pub fn keep(&mut self, text: &str, report: &GameReport) -> Option<String> {
        let is_won = report.end.as_ref().map(|end| end.won);
        let is_kept = is_won.unwrap_or(!self.is_won && !report.moves.is_empty());
        if !is_kept || report.side != self.side {
            return None;
        }
        self.is_won = is_won == Some(true);
        let kept = with_game(text, &self.name, &report.moves);
        (kept != text).then_some(kept)
    }

    /// The line with these moves, as it is written.
    pub(crate) fn line(&self, moves: &[String]) -> String {
        with_game("", &self.name, moves).trim_end().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::mark::Marking;
    use super::super::texts::{LabText, LabTexts};
    use super::*;
    use base::source::FileId;
    use checker::Definition;

    const GIVEN: &str = "channel a, b\nA = a -> A [] b -> A\nB = a -> B |~| b -> B\n";

    /// The outcome of a task with one game, and what is said of it.
    fn marked(assertion: &str, side: &str, moves: &str) -> (TaskOutcome, String) {
        let checks = format!(
            "--? lab x \"X\"\ninclude \"start.csp\"\nLAB_A = A\n--? task 1 \"One\" minutes 5\n\
             --? game 1a \"Win.\" as {side}\nassert {assertion}\n"
        );
        let work = format!("include \"given.csp\"\nMINE = A\n--? game 1a {moves}\n");
        let text = |name, text| LabText { name, text };
        let texts = LabTexts {
            checks: text("lab.csp", &checks),
            start: "start.csp",
            work: text("start.csp", &work),
            given: text("given.csp", GIVEN),
        };
        let sheet = Sheet::read(&checks, FileId(0)).expect("it is right");
        let work = StudentWork::read(&work, FileId(1));
        let options = Options::default();
        let mut read = |definitions: &[Definition]| LabScript::read(&texts, definitions);
        let marking = Marking::new(&sheet, &work, &options, Vec::new(), false, &mut read);
        let mut marking = marking.expect("the script is right");
        let report = marking.task(&sheet.tasks[0], &Task::default()).report;
        let game = report.checks[0].game.as_ref();
        let said = game.map(|game| game.sentences.join(" "));
        (report.outcome, said.or(report.message).unwrap_or_default())
    }

    #[test]
    fn moves_win_lose_stop_or_cannot_be_made() {
        for (moves, outcome, said) in [
            ("τ; at rest", TaskOutcome::Passed, "You made no mistake."),
            ("?", TaskOutcome::Failed, "You have not played it yet."),
            (
                "τ",
                TaskOutcome::Failed,
                "The game is not at its end. At the start it is your move. What does B do next? You can choose a, at rest, give up.",
            ),
            (
                "τ; c",
                TaskOutcome::Failed,
                "`c` is no move that can be made after 1 move: what can be done there is a, at rest, give up.",
            ),
            (
                "τ; at rest; a",
                TaskOutcome::Failed,
                "`a` is no move that can be made after 3 moves: the game is over there.",
            ),
            (
                "τ; give up",
                TaskOutcome::Failed,
                "Your mistake was move 2, `give up`",
            ),
        ] {
            let (found, sentences) = marked("A [F= B", "attacker", moves);
            assert!(
                found == outcome && sentences.contains(said),
                "{moves}: {sentences}"
            );
        }
        let (outcome, _) = marked("B [T= A", "defender", "state 3");
        assert_eq!(outcome, TaskOutcome::Failed);
    }

    #[test]
    fn a_lab_asks_for_no_game_that_cannot_be_won_or_shown() {
        for (assertion, side, said) in [
            (
                "A [F= B",
                "defender",
                "bad-directive: the defender cannot win: A [F= B fails",
            ),
            (
                "B [F= A",
                "attacker",
                "bad-directive: the attacker cannot win: B [F= A holds",
            ),
            (
                "LAB_A [F= B",
                "attacker",
                "bad-directive: a game shows both processes of `LAB_A [F= B`",
            ),
            ("A :[deadlock free]", "attacker", "no-game: "),
            ("A [R= B", "attacker", "game-model: "),
        ] {
            let (outcome, message) = marked(assertion, side, "a");
            assert_eq!(outcome, TaskOutcome::Error, "{assertion}");
            assert!(message.starts_with(said), "{assertion}: {message}");
        }
        // Here the student has a part in it.
        let (outcome, said) = marked("A [F= MINE", "attacker", "a");
        let expected = "No attacker can win this game, for A [F= MINE holds.";
        assert_eq!((outcome, &*said), (TaskOutcome::Failed, expected));
    }
}
