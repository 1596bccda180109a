//! The demands of a lab: its tasks with their checks, read from the directives of its script.

use base::diag::Diagnostic;
use base::source::{FileId, Span};
use base::suggest::nearest;
use checker::Definition;
use report::game::GameSide;

use super::directive::{Directive, directives};

/// A lab.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet {
    /// The name, which is one word.
    pub name: String,
    /// The title.
    pub title: String,
    /// Its tasks, in order.
    pub tasks: Vec<LabTask>,
    /// Constants that may have other values when submissions are graded.
    pub sizes: Vec<Size>,
    /// The words for expressions of the lab's script that students do not see.
    pub called: Vec<(String, String)>,
}

/// A constant, and values that it may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// The constant.
    pub name: String,
    /// The values, each an expression.
    pub values: Vec<String>,
}

/// One task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabTask {
    /// Its number, from 1.
    pub number: u32,
    /// The title.
    pub title: String,
    /// The time it takes.
    pub minutes: u32,
    /// True if it is for students who have time left.
    pub is_stretch: bool,
    /// The hints, a step at a time.
    pub hints: Vec<String>,
    /// The demands.
    pub checks: Vec<LabCheck>,
}

/// One demand: on the next assertion, on the next two, or on the student's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabCheck {
    /// The demand.
    pub demand: LabDemand,
    /// The text if it is not met; for a prediction, the question.
    pub lesson: String,
    /// The text instead if the second of two assertions does not hold; for a prediction, the text
    /// after it was made.
    pub second: Option<String>,
    /// Constants that have other values in this check.
    pub definitions: Vec<Definition>,
    /// True if symmetries must fix the initial states.
    pub fixes_initial: bool,
    /// The place of the directive.
    pub span: Span,
}

/// A demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LabDemand {
    /// Assertions are decided in a certain way.
    Decided(AssertionDemand),
    /// The student has predicted, under this name, what the measure will be.
    Predict(String, LabMeasure),
    /// The student has won a game about the refinement of the assertion.
    Game(GameDemand),
    /// The definition of an answer uses none of the given names that would be an answer already.
    Own {
        /// The name that the student defines.
        answer: String,
        /// The given names.
        given: Vec<String>,
    },
}

/// A demand on the verdicts of assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AssertionDemand {
    /// The assertion holds.
    Accept,
    /// The assertion fails.
    Reject,
    /// Two assertions hold: mostly a refinement and its converse.
    Same,
    /// A number of the assertion's report is the value of an expression.
    Value(LabMeasure, String),
}

/// A game that a student has to win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameDemand {
    /// Its name, such as `5a`.
    pub name: String,
    /// The side of the student.
    pub side: GameSide,
}

impl LabDemand {
    /// The word of the directive.
    pub fn word(&self) -> &'static str {
        match self {
            LabDemand::Decided(AssertionDemand::Accept) => "accept",
            LabDemand::Decided(AssertionDemand::Reject) => "reject",
            LabDemand::Decided(AssertionDemand::Same) => "same",
            LabDemand::Decided(AssertionDemand::Value(LabMeasure::Order, _)) => "order",
            LabDemand::Decided(AssertionDemand::Value(..)) => "value",
            LabDemand::Predict(..) => "predict",
            LabDemand::Game(_) => "game",
            LabDemand::Own { .. } => "own",
        }
    }

    /// The number of assertions it is about.
    pub fn assertions(&self) -> usize {
        match self {
            LabDemand::Own { .. } => 0,
            LabDemand::Decided(AssertionDemand::Same) => 2,
            _ => 1,
        }
    }
}

/// A measure of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabMeasure {
    /// The verdict.
    Verdict,
    /// States without symmetry.
    States,
    /// Transitions without symmetry.
    Transitions,
    /// States with symmetry: representatives.
    Orbits,
    /// The order of the group of symmetries.
    Order,
    /// The leaves of the machine.
    Leaves,
    /// The steps of the counterexample, including internal ones. For a divergence, the steps before
    /// the cycle.
    Steps,
    /// The visible events of the counterexample.
    Trace,
    /// The steps of the cycle of a divergence.
    Cycle,
}

const MEASURES: [(&str, LabMeasure); 9] = [
    ("verdict", LabMeasure::Verdict),
    ("states", LabMeasure::States),
    ("transitions", LabMeasure::Transitions),
    ("orbits", LabMeasure::Orbits),
    ("order", LabMeasure::Order),
    ("leaves", LabMeasure::Leaves),
    ("steps", LabMeasure::Steps),
    ("trace", LabMeasure::Trace),
    ("cycle", LabMeasure::Cycle),
];

impl LabMeasure {
    /// The word of the measure in a directive.
    pub fn word(self) -> &'static str {
        let found = MEASURES.iter().find(|(_, measure)| *measure == self);
        found.map_or("", |(word, _)| word)
    }

    /// True if symmetries are used for it.
    pub(crate) fn is_of_symmetry(self) -> bool {
        matches!(self, LabMeasure::Orbits | LabMeasure::Order)
    }
}

/// All words with which a directive of a lab may begin.
const WORDS: [&str; 15] = [
    "lab",
    "task",
    "hint",
    "vary",
    "call",
    "with",
    "fix-initial",
    "accept",
    "reject",
    "same",
    "value",
    "order",
    "own",
    "predict",
    "game",
];

impl Sheet {
    /// The lab whose script is `text`, the file `file`.
    pub fn read(text: &str, file: FileId) -> Result<Self, Box<Diagnostic>> {
        let mut reading = Reading::default();
        for directive in directives(text, file)? {
            reading.directive(&directive)?;
        }
        Ok(reading.sheet)
    }

    /// The task with the number `number`.
    pub fn task(&self, number: u32) -> Option<&LabTask> {
        self.tasks.iter().find(|task| task.number == number)
    }

    /// The time in minutes for all tasks that everybody has to do.
    pub fn minutes(&self) -> u32 {
        let tasks = self.tasks.iter().filter(|task| !task.is_stretch);
        tasks.map(|task| task.minutes).sum()
    }

    /// The names of all predictions, each with the number of its task.
    pub fn predictions(&self) -> impl Iterator<Item = (u32, &str)> {
        self.tasks.iter().flat_map(|task| {
            let names = task.checks.iter().filter_map(|check| match &check.demand {
                LabDemand::Predict(name, _) => Some(&**name),
                _ => None,
            });
            names.map(|name| (task.number, name))
        })
    }

    /// All games, each with the demand that it belongs to.
    pub(crate) fn games(&self) -> impl Iterator<Item = (&LabCheck, &GameDemand)> {
        let checks = self.tasks.iter().flat_map(|task| &task.checks);
        checks.filter_map(|check| match &check.demand {
            LabDemand::Game(game) => Some((check, game)),
            _ => None,
        })
    }

    /// The game `name`, with the demand that it belongs to.
    pub(crate) fn game(&self, name: &str) -> Option<(&LabCheck, &GameDemand)> {
        self.games().find(|(_, game)| game.name == name)
    }

    /// The number of the task that asks for the prediction or the game `name`.
    pub(crate) fn task_asking(&self, name: &str) -> Option<u32> {
        let asks = |task: &&LabTask| {
            task.checks.iter().any(|check| match &check.demand {
                LabDemand::Predict(known, _) => known == name,
                LabDemand::Game(game) => game.name == name,
                _ => false,
            })
        };
        self.tasks.iter().find(asks).map(|task| task.number)
    }

    /// The measure that the prediction `name` is about.
    pub fn measure(&self, name: &str) -> Option<LabMeasure> {
        let mut checks = self.tasks.iter().flat_map(|task| &task.checks);
        checks.find_map(|check| match &check.demand {
            LabDemand::Predict(known, measure) if known == name => Some(*measure),
            _ => None,
        })
    }
}

/// A sheet whose first directives were read.
#[derive(Default)]
struct Reading {
    sheet: Sheet,
    /// The definitions of the last `with`, for the next check.
    definitions: Vec<Definition>,
    fixes_initial: bool,
}

type Read<T = ()> = Result<T, Box<Diagnostic>>;

impl Reading {
    fn directive(&mut self, directive: &Directive) -> Read {
        match &*directive.word {
            "lab" => {
                self.sheet.name = directive.plain.clone();
                self.sheet.title = directive.text()?;
                Ok(())
            }
            "vary" => {
                let mut words = directive.words().map(str::to_string);
                let name = words.next().unwrap_or_default();
                let values = words.collect();
                self.sheet.sizes.push(Size { name, values });
                Ok(())
            }
            "call" => {
                let expression = directive.plain.clone();
                self.sheet.called.push((expression, directive.text()?));
                Ok(())
            }
            "task" => self.task(directive),
            "hint" => self.hint(directive),
            "with" => {
                self.definitions = definitions(directive)?;
                Ok(())
            }
            "fix-initial" => {
                self.fixes_initial = true;
                Ok(())
            }
            _ => self.check(directive),
        }
    }

    fn task(&mut self, directive: &Directive) -> Read {
        let expected = self.sheet.tasks.len() as u32 + 1;
        if directive.plain != expected.to_string() {
            let message = format!("the next task has number {expected}");
            return Err(Box::new(directive.wrong(message)));
        }
        let mut rest = directive.rest.split_whitespace();
        let minutes = match (rest.next(), rest.next().and_then(|word| word.parse().ok())) {
            (Some("minutes"), Some(minutes)) => minutes,
            _ => {
                let message = "a task says how long it takes";
                let hint = "write `minutes 10` behind the title";
                return Err(Box::new(directive.wrong(message).hint(hint)));
            }
        };
        let is_stretch = match rest.next() {
            None => false,
            Some("stretch") => true,
            Some(word) => {
                let message = format!("a task has no `{word}`");
                let hint = "behind the minutes may stand `stretch`";
                return Err(Box::new(directive.wrong(message).hint(hint)));
            }
        };
        self.sheet.tasks.push(LabTask {
            number: expected,
            title: directive.text()?,
            minutes,
            is_stretch,
            hints: Vec::new(),
            checks: Vec::new(),
        });
        Ok(())
    }

    /// The task that `directive` belongs to.
    fn current(&mut self, directive: &Directive) -> Read<&mut LabTask> {
        self.sheet.tasks.last_mut().ok_or_else(|| {
            let message = format!("`{}` stands before the first task", directive.word);
            Box::new(directive.wrong(message))
        })
    }

    fn hint(&mut self, directive: &Directive) -> Read {
        let text = directive.text()?;
        let task = self.current(directive)?;
        let expected = task.hints.len() + 1;
        if directive.plain != expected.to_string() {
            let message = format!("the next hint of this task has number {expected}");
            return Err(Box::new(directive.wrong(message)));
        }
        task.hints.push(text);
        Ok(())
    }

    fn check(&mut self, directive: &Directive) -> Read {
        let demand = demand(directive)?;
        let second = second(directive, &demand)?;
        let (what, is_taken) = match &demand {
            LabDemand::Predict(name, _) => ("prediction", self.sheet.measure(name).is_some()),
            LabDemand::Game(game) => ("game", self.sheet.game(&game.name).is_some()),
            _ => ("", false),
        };
        if is_taken {
            let message = format!("there is another {what} of this name");
            return Err(Box::new(directive.wrong(message)));
        }
        // Definitions before an assertion belong to the next check only: `with` stands right above
        // each check.
        let check = LabCheck {
            demand,
            lesson: directive.text()?,
            second,
            definitions: std::mem::take(&mut self.definitions),
            fixes_initial: std::mem::take(&mut self.fixes_initial),
            span: directive.span,
        };
        self.current(directive)?.checks.push(check);
        Ok(())
    }
}

fn demand(directive: &Directive) -> Read<LabDemand> {
    let plain = match &*directive.word {
        "accept" => Some(AssertionDemand::Accept),
        "reject" => Some(AssertionDemand::Reject),
        "same" => Some(AssertionDemand::Same),
        _ => None,
    };
    if let Some(demand) = plain {
        if !directive.plain.is_empty() {
            let message = format!("`{}` is followed by a text alone", directive.word);
            let hint = "what has to hold is the assertion in the next line";
            return Err(Box::new(directive.wrong(message).hint(hint)));
        }
        return Ok(LabDemand::Decided(demand));
    }
    let (first, rest) = directive
        .plain
        .split_once(char::is_whitespace)
        .unwrap_or((&directive.plain, ""));
    match &*directive.word {
        "order" => expression(directive, LabMeasure::Order, &directive.plain),
        "value" => expression(directive, measure(directive, first)?, rest.trim()),
        "predict" => {
            let measure = measure(directive, rest.trim())?;
            Ok(LabDemand::Predict(first.to_string(), measure))
        }
        "game" => game(directive),
        "own" => own(directive),
        word => {
            let problem = directive.wrong(format!("there is no directive `{word}`"));
            Err(Box::new(match nearest(word, WORDS.into_iter()) {
                Some(near) => problem.hint(format!("the nearest one is `{near}`")),
                None => problem.hint(format!("there are {}", WORDS.join(", "))),
            }))
        }
    }
}

/// The second text of a directive, for demands that may have one.
fn second(directive: &Directive, demand: &LabDemand) -> Read<Option<String>> {
    let rest = &*directive.rest;
    if rest.is_empty() || matches!(demand, LabDemand::Game(_)) {
        return Ok(None);
    }
    let may_be = matches!(
        demand,
        LabDemand::Decided(AssertionDemand::Same) | LabDemand::Predict(..)
    );
    let text = rest
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match text.filter(|text| may_be && !text.contains('"')) {
        Some(text) => Ok(Some(text.to_string())),
        None => {
            let message = format!("nothing may stand behind the text of `{}`", directive.word);
            let hint = "only `same` and `predict` may have a second text in quotation marks";
            Err(Box::new(directive.wrong(message).hint(hint)))
        }
    }
}

fn expression(directive: &Directive, measure: LabMeasure, text: &str) -> Read<LabDemand> {
    if text.is_empty() {
        let message = format!("`{}` is followed by an expression", directive.word);
        return Err(Box::new(directive.wrong(message)));
    }
    let demand = AssertionDemand::Value(measure, text.to_string());
    Ok(LabDemand::Decided(demand))
}

/// The demand of `game NAME "TEXT" as SIDE`.
fn game(directive: &Directive) -> Read<LabDemand> {
    let sides = [GameSide::Attacker, GameSide::Defender];
    let mut sides = sides.into_iter();
    let side = sides.find(|side| directive.rest == format!("as {}", side.word()));
    let mut words = directive.words();
    match (words.next(), words.next(), side) {
        (Some(name), None, Some(side)) => Ok(LabDemand::Game(GameDemand {
            name: name.to_string(),
            side,
        })),
        (Some(_), None, None) => {
            let message = "a game says which side the student takes";
            let hint = "write `as attacker` or `as defender` behind the text";
            Err(Box::new(directive.wrong(message).hint(hint)))
        }
        _ => {
            let message = "`game` is followed by a name, which is one word, and a text";
            Err(Box::new(directive.wrong(message)))
        }
    }
}

fn own(directive: &Directive) -> Read<LabDemand> {
    let mut words = directive.words().map(str::to_string);
    let answer = words.next().unwrap_or_default();
    let given: Vec<String> = words.collect();
    if given.is_empty() {
        let message = "`own` is followed by an answer, and by the given names that it may not use";
        return Err(Box::new(directive.wrong(message)));
    }
    Ok(LabDemand::Own { answer, given })
}

fn measure(directive: &Directive, word: &str) -> Read<LabMeasure> {
    let found = MEASURES.iter().find(|(name, _)| *name == word);
    found.map(|(_, measure)| *measure).ok_or_else(|| {
        let words: Vec<&str> = MEASURES.iter().map(|(name, _)| *name).collect();
        let problem = directive.wrong(format!("`{word}` is nothing that is measured"));
        Box::new(problem.hint(format!("measured are {}", words.join(", "))))
    })
}

/// The definitions `NAME=EXPR`, separated by blanks.
fn definitions(directive: &Directive) -> Read<Vec<Definition>> {
    let each = directive.words().map(|word| match word.split_once('=') {
        Some((name, text)) => Ok(Definition {
            name: name.to_string(),
            text: text.to_string(),
        }),
        None => Err(Box::new(
            directive.wrong(format!("`{word}` is no definition, such as N=3")),
        )),
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "--? lab x \"X\"\n--? task 1 \"One\" minutes 5\n";

    #[test]
    fn a_sheet_is_read() {
        let text = "--? lab x \"The X\"\n--? vary N 2 3\n--? task 1 \"One\" minutes 5\n--? hint 1 \"a\"\n--? with N=2\n--? value states f(N) \"no\"\nassert STOP [T= STOP\n--? task 2 \"Two\" minutes 7 stretch\n--? predict 2a verdict \"Well?\" \"So it is.\"\n--? same \"b\"\n--? game 2b \"Win.\" as defender\n";
        let sheet = Sheet::read(text, FileId(0)).expect("it is right");
        assert_eq!((&*sheet.name, &*sheet.title), ("x", "The X"));
        assert_eq!((sheet.minutes(), sheet.tasks.len()), (5, 2));
        let check = &sheet.tasks[0].checks[0];
        assert_eq!(
            check.demand,
            LabDemand::Decided(AssertionDemand::Value(
                LabMeasure::States,
                "f(N)".to_string()
            ))
        );
        assert_eq!(check.definitions.len(), 1);
        assert_eq!(sheet.predictions().collect::<Vec<_>>(), [(2, "2a")]);
        assert_eq!(sheet.measure("2a"), Some(LabMeasure::Verdict));
        let second: Vec<_> = sheet.tasks[1]
            .checks
            .iter()
            .map(|check| check.second.as_deref())
            .collect();
        assert_eq!(second, [Some("So it is."), None, None]);
        let (check, game) = sheet.game("2b").expect("it is there");
        assert_eq!((game.side, &*check.lesson), (GameSide::Defender, "Win."));
        assert!(sheet.tasks[1].is_stretch && sheet.tasks[1].checks[1].definitions.is_empty());
    }

    #[test]
    fn mistakes_are_told_with_their_places() {
        for (line, said) in [
            ("--? acept \"a\"", "there is no directive `acept`"),
            ("--? accept", "`accept` has no text in quotation marks"),
            ("--? accept P \"a\"", "`accept` is followed by a text alone"),
            (
                "--? value size 3 \"a\"",
                "`size` is nothing that is measured",
            ),
            (
                "--? value states \"a\"",
                "`value` is followed by an expression",
            ),
            ("--? task 3 \"a\" minutes 1", "the next task has number 2"),
            ("--? task 2 \"a\"", "a task says how long it takes"),
            ("--? task 2 \"a\" minutes 1 x", "a task has no `x`"),
            (
                "--? hint 2 \"a\"",
                "the next hint of this task has number 1",
            ),
            (
                "--? game 1a \"a\"",
                "a game says which side the student takes",
            ),
            (
                "--? game \"a\" as attacker",
                "`game` is followed by a name, which is one word, and a text",
            ),
            ("--? with N", "`N` is no definition, such as N=3"),
            (
                "--? own P \"a\"",
                "`own` is followed by an answer, and by the given names that it may not use",
            ),
            (
                "--? accept \"a\" \"b\"",
                "nothing may stand behind the text of `accept`",
            ),
            (
                "--? same \"a\" \"b",
                "nothing may stand behind the text of `same`",
            ),
        ] {
            let problem = Sheet::read(&format!("{HEAD}{line}\n"), FileId(0));
            let problem = problem.expect_err(line);
            assert_eq!((problem.code, &*problem.message), ("bad-directive", said));
            assert_eq!(problem.labels[0].0.start as usize, HEAD.len());
        }
        let problem = Sheet::read("--? accept \"a\"", FileId(0)).expect_err("no task");
        assert_eq!(problem.message, "`accept` stands before the first task");
    }
}
