//! The requests of a game in the terminal: one a line.

use report::game::GameChoice;

/// A request, read from a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum GameRequest {
    /// The state of the game.
    Standing,
    /// The move at this position, counted from 0.
    Choose(usize),
    /// Help with the next move.
    Hint,
    /// This number of the student's moves back.
    TakeBack(usize),
    /// The start of the same game.
    Again,
    /// The start of the game with the sides exchanged.
    Swap,
    /// The moves so far.
    Moves,
    /// All requests.
    Help,
    /// The end of the session.
    End,
}

/// A list of the requests, for people.
pub(super) const HELP: &str = include_str!("help.txt");

impl GameRequest {
    /// Reads the request in `line`, where a move can be one of the `choices`, or says why it is not
    /// clear.
    pub(super) fn read(line: &str, choices: &[GameChoice]) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        // A move that has the name of a request is made by its number.
        match (word, rest.trim()) {
            ("" | "show", "") => Ok(Self::Standing),
            ("hint", "") => Ok(Self::Hint),
            ("back", "") => Ok(Self::TakeBack(1)),
            ("back", moves) => match moves.parse() {
                Ok(moves) => Ok(Self::TakeBack(moves)),
                Err(_) => Err(format!("`{moves}` is no number of moves")),
            },
            ("again", "") => Ok(Self::Again),
            ("swap", "") => Ok(Self::Swap),
            ("path", "") => Ok(Self::Moves),
            ("help" | "?", "") => Ok(Self::Help),
            ("quit" | "exit" | "q", "") => Ok(Self::End),
            _ => chosen(line, choices),
        }
    }
}

/// The move that `wanted` means: by number, by name, or by the beginning of names.
fn chosen(wanted: &str, choices: &[GameChoice]) -> Result<GameRequest, String> {
    if choices.is_empty() {
        return Err("the game is over: `back`, `again` and `swap` go on".to_string());
    }
    if let Ok(number) = wanted.parse::<usize>() {
        return match number.checked_sub(1).filter(|&n| n < choices.len()) {
            Some(position) => Ok(GameRequest::Choose(position)),
            None => Err(format!("moves are numbered from 1 to {}", choices.len())),
        };
    }
    let hidden = |name: &str| Some(name.strip_prefix("τ (")?.strip_suffix(')')?.to_string());
    let all = || {
        choices
            .iter()
            .map(|choice| choice.name.as_str())
            .enumerate()
    };
    let exact = all().find(|(_, name)| *name == wanted || hidden(name).as_deref() == Some(wanted));
    if let Some((position, _)) = exact {
        return Ok(GameRequest::Choose(position));
    }
    let begins = all().filter(|(_, name)| {
        let hidden = hidden(name).is_some_and(|event| event.starts_with(wanted));
        hidden || name.starts_with(wanted)
    });
    match begins.collect::<Vec<_>>()[..] {
        [(only, _)] => Ok(GameRequest::Choose(only)),
        [] => Err(format!(
            "no move begins with `{wanted}`; `show` lists the moves, `help` the requests"
        )),
        _ => Err(format!(
            "several moves begin with `{wanted}`; make one by its number"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_what_is_not_clear_is_said() {
        let choice = |name: &str| GameChoice {
            name: name.to_string(),
            text: String::new(),
        };
        let choices = ["put.1", "put.12", "τ (mid.2)", "at rest", "give up"].map(choice);
        let read = |line: &str| GameRequest::read(line, &choices);
        assert_eq!(read(""), Ok(GameRequest::Standing));
        assert_eq!(read(" 2 "), Ok(GameRequest::Choose(1)));
        assert_eq!(read("put.1"), Ok(GameRequest::Choose(0)));
        assert_eq!(read("mid"), Ok(GameRequest::Choose(2)));
        assert_eq!(read("at"), Ok(GameRequest::Choose(3)));
        assert_eq!(read("give up"), Ok(GameRequest::Choose(4)));
        assert_eq!(read("back"), Ok(GameRequest::TakeBack(1)));
        assert_eq!(read("back 3"), Ok(GameRequest::TakeBack(3)));
        assert_eq!(read("swap"), Ok(GameRequest::Swap));
        let refused = |line: &str| read(line).expect_err("it is not clear");
        assert!(refused("put").contains("by its number"));
        assert!(refused("9").contains("from 1 to 5"));
        assert!(refused("get").contains("`show`"));
        assert!(refused("back x").contains("no number"));
        let over = GameRequest::read("1", &[]).expect_err("there is no move");
        assert!(over.contains("over"));
    }
}
