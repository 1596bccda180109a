//! A game in the terminal, of `game` and of `lab play`: reads requests, and prints answers.

mod request;

use std::io::{self, BufRead, IsTerminal};

use checker::{Error, RefinementGame};
use report::game::{GameReport, GameSide};

use super::console::Console;
use super::status::Status;
use request::{GameRequest, HELP};

/// The text before a request.
const PROMPT: &str = "> ";

/// A game, and how it stood when it was shown last.
pub struct GameSession<'s, 'g> {
    game: &'s mut RefinementGame<'g>,
    report: GameReport,
}

impl<'s, 'g> GameSession<'s, 'g> {
    /// A session that begins where `game` stands.
    pub fn new(game: &'s mut RefinementGame<'g>) -> Result<Self, Error> {
        let report = game.report()?;
        Ok(Self { game, report })
    }

    /// Answers requests until they end. What `note` has to say of the game as it stands is printed
    /// behind each answer. The exit status is that of the game in the end.
    pub fn run(
        mut self,
        console: &mut Console<'_>,
        note: &mut dyn FnMut(&GameReport) -> Result<String, Error>,
    ) -> io::Result<()> {
        let is_terminal = io::stdin().is_terminal();
        console.result(&self.opening())?;
        let mut lines = io::stdin().lock().split(b'\n');
        loop {
            if is_terminal {
                console.result(PROMPT)?;
            }
            let Some(line) = lines.next() else {
                break;
            };
            // A line that is no text is no request, and is answered as such.
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            // A line that was typed stands in a terminal already.
            if !is_terminal {
                console.result(&format!("{PROMPT}{line}\n"))?;
            }
            let answer = match GameRequest::read(line, &self.report.choices) {
                Ok(GameRequest::End) => break,
                Ok(request) => self.answer(&request),
                Err(reason) => Ok(reason + "\n"),
            };
            let answer = answer.and_then(|answer| Ok(answer + &note(&self.report)?));
            console.result(&answer.unwrap_or_else(|error| complaint(&error)))?;
        }
        if self.report.end.as_ref().is_some_and(|end| !end.won) {
            console.count(Status::Fails);
        }
        Ok(())
    }

    fn opening(&self) -> String {
        self.report.introduction() + &self.report.text_since(0)
    }

    fn answer(&mut self, request: &GameRequest) -> Result<String, Error> {
        Ok(match request {
            GameRequest::Standing => self.report.text_since(self.report.turns.len()),
            GameRequest::Choose(position) => self.choose(*position)?,
            GameRequest::Hint => match self.game.hint()? {
                Some(hint) => hint.sentence + "\n",
                None => "the game is over\n".to_string(),
            },
            GameRequest::TakeBack(moves) => {
                let made = self.game.moves().len();
                self.game.back_to(made.saturating_sub(*moves))?;
                self.report = self.game.report()?;
                self.report.text_since(self.report.turns.len())
            }
            GameRequest::Again => self.begin(self.game.side())?,
            GameRequest::Swap => self.begin(self.game.side().other())?,
            GameRequest::Moves => self.report.path_text(),
            GameRequest::Help => HELP.to_string(),
            GameRequest::End => String::new(),
        })
    }

    /// Makes a move, and shows what happened since.
    fn choose(&mut self, position: usize) -> Result<String, Error> {
        let Some(choice) = self.report.choices.get(position) else {
            return Ok(String::new());
        };
        self.game.take(&choice.name)?;
        let before = self.report.turns.len();
        self.report = self.game.report()?;
        Ok(self.report.text_since(before))
    }

    fn begin(&mut self, side: GameSide) -> Result<String, Error> {
        self.game.begin(side)?;
        self.report = self.game.report()?;
        Ok(self.opening())
    }
}

/// The answer to a request with a mistake.
fn complaint(error: &Error) -> String {
    format!("{}\n", error.to_string().trim_end())
}
