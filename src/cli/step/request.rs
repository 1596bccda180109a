//! The requests of a walk in the terminal: one a line.

use report::walk::ChoiceReport;

/// A request, read from a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// The present state of the walk.
    Show,
    /// The choice at this position, counted from 0.
    Take(usize),
    /// This number of steps back.
    Back(usize),
    /// The state after this number of steps.
    GoTo(usize),
    /// The reason why an event can or cannot happen.
    Why(String),
    /// The components.
    Who,
    /// The refusals of the state.
    Refuses,
    /// The steps so far.
    Path,
    /// The orbit of the state.
    Orbit,
    /// The walk, moved by this permutation.
    Apply(String),
    /// The track of representatives, from now on.
    Representatives,
    /// The real run, from now on.
    Real,
    /// The walk, into a file if one is named.
    Save(Option<String>),
    /// All requests.
    Help,
    /// The end of the session.
    Quit,
}

/// A list of the requests, for people.
pub(super) const HELP: &str = include_str!("help.txt");

impl Request {
    /// True if the request is about symmetries, so that there are two tracks to tell apart.
    pub(super) fn is_about_symmetry(&self) -> bool {
        matches!(
            self,
            Self::Orbit | Self::Apply(_) | Self::Representatives | Self::Real
        )
    }

    /// Reads the request in `line`, where a step can take one of the `choices`, or says why it is
    /// not clear.
    pub(super) fn read(line: &str, choices: &[ChoiceReport]) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // An event that has the name of a request is taken by its number.
        match (word, rest) {
            ("" | "show", "") => Ok(Self::Show),
            ("back", "") => Ok(Self::Back(1)),
            ("back", steps) => Ok(Self::Back(number(steps)?)),
            ("goto", "") => Err("say where to: `goto 3` goes to where 3 steps are taken".into()),
            ("goto", steps) => Ok(Self::GoTo(number(steps)?)),
            ("why", "") => Err("say which event: `why put.1`".into()),
            ("why", event) => Ok(Self::Why(event.to_string())),
            ("who", "") => Ok(Self::Who),
            ("refuses", "") => Ok(Self::Refuses),
            ("path", "") => Ok(Self::Path),
            ("orbit", "") => Ok(Self::Orbit),
            ("apply", "") => Err("say by which permutation: `apply (B C)`".into()),
            ("apply", permutation) => Ok(Self::Apply(permutation.to_string())),
            ("reps", "") => Ok(Self::Representatives),
            ("real", "") => Ok(Self::Real),
            ("save", "") => Ok(Self::Save(None)),
            ("save", file) => Ok(Self::Save(Some(file.to_string()))),
            ("help" | "?", "") => Ok(Self::Help),
            ("quit" | "exit" | "q", "") => Ok(Self::Quit),
            _ => choice(line, choices),
        }
    }
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse();
    number.map_err(|_| format!("`{text}` is no number of steps"))
}

/// The choice that `wanted` means: by number, by name, or by the beginning of names.
fn choice(wanted: &str, choices: &[ChoiceReport]) -> Result<Request, String> {
    if let Ok(number) = wanted.parse::<usize>() {
        return match number.checked_sub(1).filter(|&n| n < choices.len()) {
            Some(position) => Ok(Request::Take(position)),
            None if choices.is_empty() => Err("nothing can happen here".to_string()),
            None => Err(format!("choices are numbered from 1 to {}", choices.len())),
        };
    }
    let named = |choice: &ChoiceReport| choice.name == wanted || hidden(choice) == Some(wanted);
    let begins = |choice: &ChoiceReport| {
        let hidden = hidden(choice).is_some_and(|event| event.starts_with(wanted));
        hidden || choice.name.starts_with(wanted)
    };
    let positions = |picks: &dyn Fn(&ChoiceReport) -> bool| -> Vec<usize> {
        let all = choices.iter().enumerate();
        all.filter(|(_, choice)| picks(choice))
            .map(|(i, _)| i)
            .collect()
    };
    let exact = positions(&named);
    let found = match exact.is_empty() {
        true => positions(&begins),
        false => exact,
    };
    match found[..] {
        [only] => Ok(Request::Take(only)),
        [] => Err(format!(
            "no choice begins with `{wanted}`; `why {wanted}` says who keeps it back, `help` lists the requests"
        )),
        _ => {
            let each = found
                .iter()
                .map(|&i| format!("\n  {}  {}", i + 1, choices[i].name));
            Err(format!(
                "several begin with `{wanted}`; take one by its number:{}",
                each.collect::<String>()
            ))
        }
    }
}

/// The event that is hidden behind a choice.
fn hidden(choice: &ChoiceReport) -> Option<&str> {
    choice.event.strip_prefix("τ (")?.strip_suffix(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(names: &[&str]) -> Vec<ChoiceReport> {
        let choice = |name: &&str| ChoiceReport {
            name: name.to_string(),
            event: name.split(" #").next().unwrap_or_default().to_string(),
            parts: Vec::new(),
            allowed: None,
        };
        names.iter().map(choice).collect()
    }

    #[test]
    fn requests_are_read() {
        let choices = choices(&["put.1", "put.12", "get.1", "τ (mid.2)", "τ #2", "back"]);
        let read = |line: &str| Request::read(line, &choices);
        assert_eq!(read(""), Ok(Request::Show));
        assert_eq!(read(" 2 "), Ok(Request::Take(1)));
        assert_eq!(
            read("put.1"),
            Ok(Request::Take(0)),
            "a whole name before a beginning"
        );
        assert_eq!(read("g"), Ok(Request::Take(2)));
        assert_eq!(
            read("mid"),
            Ok(Request::Take(3)),
            "hidden events by their own name"
        );
        assert_eq!(read("τ #2"), Ok(Request::Take(4)));
        assert_eq!(read("back"), Ok(Request::Back(1)));
        assert_eq!(read("back 3"), Ok(Request::Back(3)));
        assert_eq!(read("goto 0"), Ok(Request::GoTo(0)));
        assert_eq!(read("why put.2"), Ok(Request::Why("put.2".to_string())));
        assert_eq!(
            read("save a b.json"),
            Ok(Request::Save(Some("a b.json".to_string())))
        );
        assert_eq!(read("orbit"), Ok(Request::Orbit));
        assert_eq!(
            read("apply (A B)(C D)"),
            Ok(Request::Apply("(A B)(C D)".to_string()))
        );
        assert_eq!(read("reps"), Ok(Request::Representatives));
        assert_eq!(read("real"), Ok(Request::Real));
        assert_eq!(read("q"), Ok(Request::Quit));
    }

    #[test]
    fn what_is_not_clear_is_said() {
        let choices = choices(&["put.1", "put.2"]);
        let refused = |line: &str| Request::read(line, &choices).expect_err("it is not clear");
        assert!(refused("put").contains("1  put.1"));
        assert!(refused("9").contains("from 1 to 2"));
        assert!(refused("0").contains("from 1 to 2"));
        assert!(refused("get").contains("why get"));
        assert!(refused("back x").contains("no number"));
        assert!(refused("goto").contains("goto 3"));
        assert!(refused("why").contains("why put.1"));
        assert!(refused("apply").contains("apply (B C)"));
        assert!(
            Request::read("1", &[])
                .expect_err("none")
                .contains("nothing can happen")
        );
    }
}
