//! The progress of a student with a lab: plain data, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use base::number::counted;

use super::assertion::AssertionReport;
use super::game::GameSide;
use super::json::json;
use super::text::{Detail, explanation, render_with};
use super::violation::SideNames;

/// A lab: the JSON object printed by `lab list`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LabReport {
    /// Its name.
    pub lab: String,
    /// Its subject.
    pub title: String,
    /// The number of its tasks for everybody.
    pub tasks: u64,
    /// The number of its tasks for those who have time left.
    pub stretch: u64,
    /// The minutes that the tasks for everybody take.
    pub minutes: u64,
}

impl LabReport {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// One line for people, with a newline.
    pub fn text(&self) -> String {
        let stretch = match self.stretch {
            0 => String::new(),
            more => format!(" and {more} to stretch"),
        };
        format!(
            "{:12} {}: {} tasks{stretch}, {} minutes\n",
            self.lab, self.title, self.tasks, self.minutes
        )
    }
}

/// The progress of a student with one task: the JSON object printed by `lab check`.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TaskReport {
    /// The lab; absent if the report is about the script as a whole, or about lines of no task.
    pub lab: Option<String>,
    /// The number of the task, from 1; absent if the lab is.
    pub task: Option<u32>,
    /// The subject of the task; absent if the lab is.
    pub title: Option<String>,
    /// True if it is for those who have time left.
    pub stretch: bool,
    /// The outcome of the task.
    pub outcome: TaskOutcome,
    /// The predictions, in order.
    pub predictions: Vec<PredictionReport>,
    /// The demands, in order; empty while a prediction is missing.
    pub checks: Vec<CheckReport>,
    /// The reason why something has no verdict, why the script could not be read, or why a line of
    /// it cannot be used, in one line that begins with the code of the message.
    pub message: Option<String>,
}

/// The outcome of a task, or of one thing that it demands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TaskOutcome {
    /// Nothing of it was checked: all that it demands has a size of its own.
    Skipped,
    /// It is done.
    Passed,
    /// A prediction is missing: nothing is decided before it is made.
    Locked,
    /// A limit was reached before all was decided.
    #[default]
    Unknown,
    /// It is not done.
    Failed,
    /// The student's script is wrong.
    Error,
}

impl TaskOutcome {
    /// The outcome as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            TaskOutcome::Skipped => "skipped",
            TaskOutcome::Passed => "passed",
            TaskOutcome::Locked => "locked",
            TaskOutcome::Unknown => "unknown",
            TaskOutcome::Failed => "failed",
            TaskOutcome::Error => "error",
        }
    }
}

/// One prediction.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PredictionReport {
    /// Its name, such as `5a`.
    pub name: String,
    /// The question that was asked.
    pub question: String,
    /// The prediction; absent if none was made.
    pub predicted: Option<String>,
    /// The right answer; absent while a prediction of the task is missing, or if a limit was
    /// reached.
    pub found: Option<String>,
    /// True if the prediction is the right answer; absent if one of the two is.
    pub right: Option<bool>,
    /// The text to read once the prediction was made; absent while a prediction of the task is
    /// missing, and where there is nothing to say.
    pub explanation: Option<String>,
}

/// One thing that a task demands.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// `accept`, `reject`, `same`, `value`, `order`, `game` or `own`.
    pub demand: &'static str,
    /// The outcome of the demand.
    pub outcome: TaskOutcome,
    /// The text that is shown if the demand is not met.
    pub lesson: String,
    /// Of `value` and `order`: the expected value, as an expression with its value: `f(3)` is 8.
    pub expression: Option<String>,
    /// The assertion that decided it.
    pub assertion: Option<AssertionReport>,
    /// Of `game`: what the student's moves have come to.
    pub game: Option<LabGameReport>,
    /// The parts of the assertion that are shown as text.
    #[serde(skip)]
    pub shown: ShownAssertion,
    /// The way to walk the counterexample; absent if there is none, or none that students may see.
    #[serde(skip)]
    pub run: Option<LabRun>,
}

/// A game that a student has to win, as her script has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LabGameReport {
    /// Its name, such as `5a`.
    pub name: String,
    /// The side of the student.
    pub side: GameSide,
    /// The names of the student's moves; empty if the game was not played.
    pub moves: Vec<String>,
    /// The reasons why it is not won, or the end of it.
    pub sentences: Vec<String>,
}

/// The way to walk the counterexample of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabRun {
    /// The number of the assertion in the lab's script, from 1.
    pub assertion: u64,
    /// The constants that have other values in the check, such as `N=2`.
    pub definitions: Vec<String>,
}

/// The parts of an assertion that students see as text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ShownAssertion {
    /// Nothing: it would give the answer away.
    #[default]
    Nothing,
    /// Its counterexample alone: the assertion names what students are not to know.
    Counterexample(SideNames),
    /// The assertion with its verdict, its counterexample and its size.
    All(SideNames),
}

impl TaskReport {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// One line: the task and whether it is done.
    pub fn line(&self) -> String {
        let what = match self.outcome {
            TaskOutcome::Skipped => "not checked",
            TaskOutcome::Passed => "done",
            TaskOutcome::Locked => "predict first",
            TaskOutcome::Unknown => "undecided",
            TaskOutcome::Failed => "to do",
            TaskOutcome::Error => "error",
        };
        let stretch = if self.stretch { " (stretch)" } else { "" };
        let number = self.task.unwrap_or_default();
        let title = self.title.as_deref().unwrap_or_default();
        format!("{number:>3}  {what:13}  {title}{stretch}\n")
    }

    /// All that the student should read about the task. `place` are the words that a command needs
    /// to find the student's script, each with a blank before it; empty if it needs none.
    pub fn text(&self, place: &str) -> String {
        let mut text = self.line();
        for prediction in &self.predictions {
            text += &prediction.text(place);
        }
        if self.outcome == TaskOutcome::Skipped {
            text += "\nAll that this task demands has a size of its own: ask without -D.\n";
        }
        let missing = self.missing();
        if !missing.is_empty() {
            text += "\n";
            text += &missing;
        }
        let open = self
            .first_open()
            .filter(|open| open.outcome == TaskOutcome::Failed);
        if let Some(game) = open.and_then(|open| open.game.as_ref()) {
            let _ = writeln!(text, "\nPlay it: `cspsym lab play {}{place}`", game.name);
        }
        text
    }

    /// The first demand that is not met; `None` if all are.
    pub fn first_open(&self) -> Option<&CheckReport> {
        let mut checks = self.checks.iter();
        checks.find(|check| check.outcome != TaskOutcome::Passed)
    }

    /// The text on what is missing, one thing at a time; empty if nothing is.
    pub fn missing(&self) -> String {
        let mut open = self.checks.iter();
        let is_open = |check: &&CheckReport| check.outcome != TaskOutcome::Passed;
        let Some(check) = open.find(is_open) else {
            return String::new();
        };
        let mut text = check.text();
        match open.filter(is_open).count() {
            0 => {}
            more => {
                let more = counted(more as u64, "thing");
                let _ = writeln!(text, "\nBeside this, the task demands {more} more.");
            }
        }
        text
    }
}

impl PredictionReport {
    fn text(&self, place: &str) -> String {
        let (name, question) = (&self.name, &self.question);
        let mut text = format!("     {name}: {question}\n");
        let _ = match (&self.predicted, &self.found, self.right) {
            (None, ..) => writeln!(text, "         cspsym lab predict {name} ANSWER{place}"),
            (Some(predicted), Some(found), Some(true)) => {
                writeln!(
                    text,
                    "         predicted {predicted}, and so it is: {found}"
                )
            }
            (Some(predicted), Some(found), Some(false)) => {
                writeln!(text, "         predicted {predicted}, but it is: {found}")
            }
            (Some(predicted), ..) => writeln!(text, "         predicted {predicted}"),
        };
        if let Some(explanation) = &self.explanation {
            let _ = writeln!(text, "         {explanation}");
        }
        text
    }
}

impl CheckReport {
    /// The report on a demand of which nothing is known yet.
    pub fn of(demand: &'static str, lesson: &str) -> Self {
        Self {
            demand,
            lesson: lesson.to_string(),
            ..Self::default()
        }
    }

    fn text(&self) -> String {
        let mut text = match self.outcome {
            TaskOutcome::Error => "The task cannot be checked: there is a mistake.\n".to_string(),
            TaskOutcome::Unknown => "The task could not be decided.\n".to_string(),
            _ => format!("{}\n", self.lesson),
        };
        for sentence in self.game.iter().flat_map(|game| &game.sentences) {
            let _ = writeln!(text, "  {sentence}");
        }
        let has_own_part = self.shown == ShownAssertion::Nothing;
        if let Some(expression) = self.expression.as_ref().filter(|_| has_own_part) {
            let _ = writeln!(text, "  In your script, {expression}.");
        }
        let shown = self.assertion.as_ref().map(|report| match &self.shown {
            ShownAssertion::Nothing => String::new(),
            ShownAssertion::Counterexample(names) => explanation(report, names),
            ShownAssertion::All(names) => render_with(report, Detail::Normal, names),
        });
        if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
            text += "\n";
            text += &shown;
        }
        text
    }
}

/// A submission that was graded: the JSON object printed by `lab grade`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct GradeReport {
    /// The lab.
    pub lab: String,
    /// The folder or file that was handed in.
    pub submission: String,
    /// The outcomes of the tasks, in order.
    pub tasks: Vec<TaskOutcome>,
    /// The number of tasks that are done.
    pub passed: u64,
    /// The number of predictions that were right.
    pub right: u64,
    /// The number of predictions that were made.
    pub predicted: u64,
    /// The sizes with which the tasks were checked once more, such as `DISCS=4`.
    pub sizes: Vec<String>,
    /// The reason why the submission was not graded in full, in one line that begins with the code
    /// of a message.
    pub message: Option<String>,
}

impl GradeReport {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }

    /// The head of a table in CSV for `tasks` tasks, with a newline.
    pub fn csv_head(tasks: usize) -> String {
        let numbers = (1..=tasks).map(|number| format!("task {number},"));
        let numbers: String = numbers.collect();
        format!("submission,{numbers}passed,predicted,right,sizes,message\n")
    }

    /// One row in CSV, with a newline.
    pub fn csv(&self) -> String {
        let words = self.tasks.iter().map(|task| task.word().to_string());
        let mut cells = vec![self.submission.clone()];
        cells.extend(words);
        cells.extend([self.passed, self.predicted, self.right].map(|number| number.to_string()));
        cells.push(self.sizes.join(" "));
        cells.push(self.message.clone().unwrap_or_default());
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        cells.join(",") + "\n"
    }

    /// One line for people, with a newline.
    pub fn text(&self) -> String {
        let open = self.tasks.iter().enumerate();
        let open = open.filter(|(_, task)| **task != TaskOutcome::Passed);
        let open: Vec<String> = open
            .map(|(index, task)| format!("{} {}", index + 1, task.word()))
            .collect();
        let open = match &open[..] {
            [] => String::new(),
            open => format!("; {}", open.join(", ")),
        };
        let message = self.message.as_deref();
        let message = message.map_or(String::new(), |message| format!("\n    {message}"));
        format!(
            "{}: {} of {} tasks, {} of {} predictions right{open}{message}\n",
            self.submission,
            self.passed,
            self.tasks.len(),
            self.right,
            self.predicted
        )
    }
}

/// A cell of CSV. A cell that a spreadsheet would take for a formula becomes text.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = match is_formula {
        true => format!("'{cell}"),
        false => cell.to_string(),
    };
    if cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        for (cell, written) in [
            ("ada", "ada"),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("=1+1", "'=1+1"),
            ("\t=1+1", "'\t=1+1"),
            ("\r=1+1", "\"'\r=1+1\""),
        ] {
            assert_eq!(quoted(cell), written);
        }
    }
}
