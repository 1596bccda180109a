//! The work of a student: its lab, the predictions and the games, in lines that begin with `--?`.

use base::diag::Diagnostic;
use base::source::{FileId, Span};
use base::suggest::nearest;

use super::answer::expected;
use super::directive::{Directive, MARK, directives, is_continuation};
use super::sheet::Sheet;

/// The text in place of a prediction that is not made yet, and of a game that was not played.
const OPEN: &str = "?";

/// The sign between two moves of a game.
const BETWEEN_MOVES: char = ';';

/// The directives in a student's script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StudentWork {
    /// The lab that it belongs to.
    pub lab: Option<String>,
    /// The name, the answer and the place of each prediction. An open one has no answer.
    predictions: Vec<(String, Option<String>, Span)>,
    /// The name, the moves and the place of each game. One that was not played has no moves.
    games: Vec<(String, Vec<String>, Span)>,
}

impl StudentWork {
    /// Reads the script `text`, the file `file`.
    pub fn read(text: &str, file: FileId) -> Result<Self, Box<Diagnostic>> {
        let mut work = Self::default();
        for directive in directives(text, file)? {
            let words: Vec<&str> = directive.words().collect();
            match (&*directive.word, &words[..]) {
                ("lab", [name]) => work.lab = Some((*name).to_string()),
                ("predict", [name, ..]) if directive.quoted.is_some() => {
                    let message = "a prediction stands without quotation marks";
                    let hint = format!("write `--? predict {name} ANSWER`, and nothing behind it");
                    return Err(Box::new(directive.wrong(message).hint(hint)));
                }
                ("predict", [name, answer @ ..]) => {
                    let answer = answer.join(" ");
                    let is_open = answer.is_empty() || answer == OPEN;
                    let answer = (!is_open).then_some(answer);
                    let line = ((*name).to_string(), answer, directive.span);
                    work.predictions.push(line);
                }
                ("game", [_, ..]) => work.games.push(game(&directive)),
                ("lab" | "predict" | "game", _) => {
                    let message = format!("`{}` is followed by a name", directive.word);
                    return Err(Box::new(directive.wrong(message)));
                }
                (word, _) => {
                    let problem = directive.wrong(format!("there is no directive `{word}`"));
                    let hint = "a student's script has `lab`, `predict` and `game`";
                    return Err(Box::new(problem.hint(hint)));
                }
            }
        }
        Ok(work)
    }

    /// Fails if a prediction or a game is not in `sheet`, or a prediction does not answer its
    /// question.
    pub fn fits(&self, sheet: &Sheet) -> Result<(), Box<Diagnostic>> {
        for (name, answer, span) in &self.predictions {
            let wrong = |message| Diagnostic::error("bad-directive", message).at(*span, "");
            let Some(measure) = sheet.measure(name) else {
                let known = sheet.predictions().map(|(_, known)| known);
                return Err(Box::new(unasked("prediction", name, known).at(*span, "")));
            };
            let answer = answer.as_deref();
            if let Some(kind) = answer.and_then(|answer| expected(measure, answer)) {
                let problem = wrong(format!("`{name}` asks for {kind}"));
                let hint = format!("write `--? predict {name} ANSWER`, and nothing behind it");
                return Err(Box::new(problem.hint(hint)));
            }
        }
        let is_unknown = |(name, ..): &&(String, Vec<String>, Span)| sheet.game(name).is_none();
        match self.games.iter().find(is_unknown) {
            Some((name, _, span)) => {
                let known = sheet.games().map(|(_, game)| &*game.name);
                Err(Box::new(unasked("game", name, known).at(*span, "")))
            }
            None => Ok(()),
        }
    }

    /// The student's moves in the game of this name; empty if it was not played.
    pub fn moves(&self, name: &str) -> &[String] {
        let mut lines = self.games.iter().rev();
        let found = lines.find(|(known, ..)| known == name);
        found.map_or(&[], |(_, moves, _)| moves)
    }

    /// The prediction under this name; `None` if there is none.
    pub fn prediction(&self, name: &str) -> Option<&str> {
        let mut lines = self.predictions.iter().rev();
        let (_, answer, _) = lines.find(|(known, ..)| known == name)?;
        answer.as_deref()
    }
}

/// The game in a directive that has a name.
fn game(directive: &Directive) -> (String, Vec<String>, Span) {
    let all = &*directive.all;
    let (name, moves) = all.split_once(char::is_whitespace).unwrap_or((all, ""));
    let moves = moves.split(BETWEEN_MOVES).map(str::trim);
    let moves = moves.filter(|name| !name.is_empty() && *name != OPEN);
    let moves = moves.map(str::to_string).collect();
    (name.to_string(), moves, directive.span)
}

/// The message that a lab asks for no `name` among what it calls `what`, of which it has those that
/// are `known`.
fn unasked<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> Diagnostic {
    let message = format!("this lab asks for no {what} `{name}`");
    let problem = Diagnostic::error("bad-directive", message);
    match nearest(name, known) {
        Some(near) => problem.hint(format!("the nearest one is `{near}`")),
        None => problem,
    }
}

/// The moves of a game as a line has them.
pub(crate) fn move_list(moves: &[String]) -> String {
    moves.join(&format!("{BETWEEN_MOVES} "))
}

/// The script `text` with the moves of a game in it.
pub(crate) fn with_game(text: &str, name: &str, moves: &[String]) -> String {
    with_line(text, "game", name, &move_list(moves))
}

/// The script `text` with a prediction in it.
pub(crate) fn with_prediction(text: &str, name: &str, answer: &str) -> String {
    with_line(text, "predict", name, answer)
}

/// The script `text` with the directive `word` about `name`, in the line that was kept for it, or
/// else at the end.
fn with_line(text: &str, word: &str, name: &str, answer: &str) -> String {
    let line = format!("{MARK} {word} {name} {answer}");
    let mut is_written = false;
    // The old directive may go on in the next lines.
    let mut is_inside = false;
    let mut written = String::with_capacity(text.len() + line.len());
    for old in text.split_inclusive('\n') {
        let mut words = old.split_whitespace();
        let is_its =
            (words.next(), words.next(), words.next()) == (Some(MARK), Some(word), Some(name));
        is_inside = is_its || is_inside && is_continuation(old);
        if is_its {
            written += &line;
            written += &old[old.trim_end().len()..];
            is_written = true;
        } else if !is_inside {
            written += old;
        }
    }
    if !is_written {
        if !written.is_empty() && !written.ends_with('\n') {
            written += "\n";
        }
        written += &line;
        written += "\n";
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_read_and_written() {
        let text = "--? lab x\n--? predict 1a ?\nP = STOP\n--? predict 1b holds";
        let work = StudentWork::read(text, FileId(0)).expect("it is right");
        assert_eq!(work.lab.as_deref(), Some("x"));
        assert_eq!(
            (work.prediction("1a"), work.prediction("1b")),
            (None, Some("holds"))
        );
        let text = with_prediction(text, "1a", "27");
        assert!(text.contains("--? predict 1a 27\nP"), "{text}");
        let text = with_prediction(&text, "2", "8");
        assert!(
            text.ends_with("--? predict 1b holds\n--? predict 2 8\n"),
            "{text}"
        );
    }

    #[test]
    fn games_are_read_and_written() {
        let text = "--? game 5a coin; τ (mid.2)  ;at rest\n--? game 5b ?\n--?    state 1\n";
        let work = StudentWork::read(text, FileId(0)).expect("it is right");
        assert_eq!(work.moves("5a"), ["coin", "τ (mid.2)", "at rest"]);
        assert!(work.moves("5c").is_empty());
        let moves = ["state 1", "state 2"].map(str::to_string);
        let text = with_game(text, "5b", &moves);
        assert!(text.ends_with("\n--? game 5b state 1; state 2\n"), "{text}");
        let work = StudentWork::read(&text, FileId(0)).expect("it is right");
        assert_eq!(work.moves("5b"), moves);
        let problem = work.fits(&Sheet::default()).expect_err("there is none");
        assert_eq!(problem.message, "this lab asks for no game `5a`");
    }

    #[test]
    fn other_directives_are_mistakes() {
        let problem = StudentWork::read("P = STOP\n--? accept \"a\"", FileId(0));
        let problem = problem.expect_err("it is for labs");
        assert_eq!(problem.labels[0].0.start, 9);
        let work = StudentWork::read("--? predict 9z 1", FileId(0)).expect("it may be");
        let problem = work.fits(&Sheet::default()).expect_err("there is none");
        assert_eq!(problem.message, "this lab asks for no prediction `9z`");
    }

    #[test]
    fn predictions_answer_what_is_asked() {
        let sheet =
            "--? lab x \"X\"\n--? task 1 \"One\" minutes 5\n--? predict 1a states \"How many?\"\n";
        let sheet = Sheet::read(sheet, FileId(0)).expect("it is right");
        let fits = |answer: &str| {
            let work = StudentWork::read(&format!("--? predict 1a {answer}"), FileId(0))?;
            work.fits(&sheet)
        };
        for answer in ["", "?", "27", "11,097"] {
            assert!(fits(answer).is_ok(), "{answer}");
        }
        for (answer, said) in [
            ("maybe", "`1a` asks for a number"),
            ("27 -- a guess", "`1a` asks for a number"),
            ("\"27\"", "a prediction stands without quotation marks"),
        ] {
            assert_eq!(fits(answer).expect_err("it is none").message, said);
        }
    }
}
