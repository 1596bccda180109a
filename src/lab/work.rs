//! The work of a student: its lab, the predictions and the games, in lines that begin with `--?`.

use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::{FileId, SourceMap, Span};
use base::suggest::nearest;
use checker::Error;

use super::answer::{accepted, canonical, expected};
use super::directive::{Directive, MARK, is_continuation, lines};
use super::sheet::Sheet;

/// The text in place of a prediction that is not made yet, and of a game that was not played.
const OPEN: &str = "?";

/// The sign between two moves of a game.
const BETWEEN_MOVES: char = ';';

/// The directives in a student's script.
#[derive(Clone, Debug, Default)]
pub struct StudentWork {
    /// The lab that it belongs to.
    pub lab: Option<String>,
    /// The name, the answer and the place of each prediction. An open one has no answer.
    predictions: Vec<(String, Option<String>, Span)>,
    /// The name, the moves and the place of each game. One that was not played has no moves.
    games: Vec<(String, Vec<String>, Span)>,
    /// The lines that cannot be used.
    wrong: Vec<WrongLine>,
    /// The texts in which these have their places.
    sources: Arc<SourceMap>,
}

/// A line of a student's script that cannot be used.
#[derive(Clone, Debug)]
struct WrongLine {
    /// The name of the prediction or the game that it is about; `None` if it has none.
    name: Option<String>,
    /// The task that asks for this name; `None` if there is none, or no lab was looked at.
    task: Option<u32>,
    /// The message about it.
    problem: Diagnostic,
}

impl WrongLine {
    fn new(name: Option<String>, problem: Diagnostic) -> Self {
        Self {
            name,
            task: None,
            problem,
        }
    }
}

impl StudentWork {
    /// Reads the script `text`, the file `file`. Lines that cannot be read are kept as problems.
    pub fn read(text: &str, file: FileId) -> Self {
        let mut work = Self::default();
        for directive in lines(text, file) {
            let name = directive.words().next().map(str::to_string);
            if let Err(problem) = directive.closed().and_then(|line| work.line(&line)) {
                work.wrong.push(WrongLine::new(name, *problem));
            }
        }
        work
    }

    /// Reads one line.
    fn line(&mut self, directive: &Directive) -> Result<(), Box<Diagnostic>> {
        let words: Vec<&str> = directive.words().collect();
        match (&*directive.word, &words[..]) {
            ("lab", [name]) => self.lab = Some((*name).to_string()),
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
                self.predictions.push(line);
            }
            ("game", [_, ..]) => self.games.push(game(directive)),
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
        Ok(())
    }

    /// Finds the lines that do not fit `sheet`: those about a prediction or a game that it does not
    /// have, and predictions that do not answer their question. These are open again. The places of
    /// all lines are in `sources`.
    pub fn fit(&mut self, sheet: &Sheet, sources: SourceMap) {
        self.sources = Arc::new(sources);
        for (name, answer, span) in &mut self.predictions {
            let measure = sheet.measure(name);
            let problem = match measure {
                None => {
                    let known = sheet.predictions().map(|(_, known)| known);
                    Some(unasked("prediction", name, known))
                }
                Some(measure) => {
                    let kind = answer.as_deref().and_then(|said| expected(measure, said));
                    kind.map(|kind| {
                        let message = format!("`{name}` asks for {kind}");
                        let words = accepted(measure);
                        let hint = format!("write `--? predict {name} ANSWER`, and nothing behind it, where ANSWER is {words}");
                        Diagnostic::error("bad-directive", message).hint(hint)
                    })
                }
            };
            if let (Some(measure), Some(said)) = (measure, &answer) {
                *answer = Some(canonical(measure, said));
            }
            if let Some(problem) = problem {
                *answer = None;
                let problem = problem.at(*span, "");
                self.wrong.push(WrongLine::new(Some(name.clone()), problem));
            }
        }
        for (name, _, span) in &self.games {
            if sheet.game(name).is_none() {
                let known = sheet.games().map(|(_, game)| &*game.name);
                let problem = unasked("game", name, known).at(*span, "");
                self.wrong.push(WrongLine::new(Some(name.clone()), problem));
            }
        }
        for line in &mut self.wrong {
            let name = line.name.as_deref();
            line.task = name.and_then(|name| sheet.task_asking(name));
        }
        let place = |line: &WrongLine| line.problem.labels.first().map(|(span, _)| span.start);
        self.wrong.sort_by_key(place);
    }

    /// The error about the lines that cannot be used and belong to the task `task`, or to no task;
    /// `None` if there are none.
    pub fn wrong_lines(&self, task: Option<u32>) -> Option<Error> {
        let lines = self.wrong.iter().filter(|line| line.task == task);
        let problems: Vec<Diagnostic> = lines.map(|line| line.problem.clone()).collect();
        (!problems.is_empty()).then(|| Error::new(problems, self.sources.clone()))
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
        let work = StudentWork::read(text, FileId(0));
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
        let work = StudentWork::read(text, FileId(0));
        assert_eq!(work.moves("5a"), ["coin", "τ (mid.2)", "at rest"]);
        assert!(work.moves("5c").is_empty());
        let moves = ["state 1", "state 2"].map(str::to_string);
        let text = with_game(text, "5b", &moves);
        assert!(text.ends_with("\n--? game 5b state 1; state 2\n"), "{text}");
        assert_eq!(StudentWork::read(&text, FileId(0)).moves("5b"), moves);
        let said = said(&text, "", None);
        assert_eq!(said[0], "this lab asks for no game `5a`");
    }

    /// The messages about the lines of the script `text` that belong to the task `task` of the lab
    /// with the script `sheet`.
    fn said(text: &str, sheet: &str, task: Option<u32>) -> Vec<String> {
        let sheet = Sheet::read(sheet, FileId(0)).expect("it is right");
        let mut work = StudentWork::read(text, FileId(0));
        work.fit(&sheet, SourceMap::new());
        let wrong = work.wrong_lines(task);
        let messages = wrong.iter().flat_map(Error::messages);
        messages.map(|message| message.message).collect()
    }

    const SHEET: &str = "--? lab x \"X\"\n--? task 1 \"One\" minutes 5\n\
        --? predict 1a states \"How many?\"\n--? task 2 \"Two\" minutes 5\n\
        --? predict 2a verdict \"Does it?\"\n";

    #[test]
    fn lines_that_belong_to_no_task_are_told_in_their_order() {
        let text = "--? predict 9z 1\nP = STOP\n--? accept \"a\"\n--? lab\n--? game";
        assert_eq!(
            said(text, SHEET, None),
            [
                "this lab asks for no prediction `9z`",
                "there is no directive `accept`",
                "`lab` is followed by a name",
                "`game` is followed by a name",
            ]
        );
        assert!(said(text, SHEET, Some(1)).is_empty());
    }

    #[test]
    fn predictions_answer_what_is_asked() {
        let of = |answer: &str, task| said(&format!("--? predict 1a {answer}"), SHEET, Some(task));
        for answer in ["", "?", "27", "11,097"] {
            assert!(of(answer, 1).is_empty(), "{answer}");
        }
        for (answer, message) in [
            ("maybe", "`1a` asks for a number"),
            ("27 -- a guess", "`1a` asks for a number"),
            ("\"27\"", "a prediction stands without quotation marks"),
            ("\"27", "a text in quotation marks does not end"),
        ] {
            assert_eq!(of(answer, 1), [message]);
            assert!(of(answer, 2).is_empty(), "{answer}");
        }
    }

    #[test]
    fn a_prediction_that_answers_nothing_is_open() {
        let sheet = Sheet::read(SHEET, FileId(0)).expect("it is right");
        let mut work = StudentWork::read("--? predict 1a holds\n--? predict 2a no", FileId(0));
        work.fit(&sheet, SourceMap::new());
        assert_eq!(work.prediction("1a"), None);
        assert_eq!(work.prediction("2a"), Some("fails"));
    }
}
