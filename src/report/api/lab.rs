//! A lab beside an editor, as plain data: what a student reads, has predicted, and has to do.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::game::GameSide;
use super::super::lab::{PredictionReport, TaskOutcome};
use super::super::message::MessageReport;

/// Of `lab`: the lab that a student's script belongs to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLab {
    /// Its name.
    pub lab: String,
    /// Its subject.
    pub title: String,
    /// The minutes that the tasks for everybody take.
    pub minutes: u32,
    /// The text to read first, as Markdown.
    pub introduction: String,
    /// Its tasks, in order.
    pub tasks: Vec<ApiLabTask>,
    /// The name of the script that the student's script includes, and its text.
    pub given: ApiLabGiven,
    /// The student's script, with the predictions of the request in their lines.
    pub text: String,
    /// The result of the task that the request asks to be checked.
    pub mark: Option<ApiLabMark>,
}

/// The script that a student's script includes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabGiven {
    /// Its name.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// A task of a lab.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabTask {
    /// Its number, from 1.
    pub number: u32,
    /// Its subject.
    pub title: String,
    /// The minutes that it takes.
    pub minutes: u32,
    /// True if it is for those who have time left.
    pub stretch: bool,
    /// The text that says what to do, as Markdown.
    pub text: String,
    /// The predictions that are to be made before anything is shown.
    pub predictions: Vec<ApiLabPrediction>,
    /// The games that are to be won; empty if the task asks for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<ApiLabGame>,
    /// The messages about the student's predictions and games for this task that cannot be used;
    /// absent if there are none. What belongs to no task is in `problems` of the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<MessageReport>,
    /// Hints: a question, where to look, the next step.
    pub hints: Vec<String>,
}

/// A prediction that a task asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabPrediction {
    /// Its name, such as `5a`.
    pub name: String,
    /// The question that is asked.
    pub question: String,
    /// The kind of answer: `verdict` is holds or fails, all else a number.
    pub measure: &'static str,
    /// The prediction; absent if none was made.
    pub predicted: Option<String>,
}

/// A game that a task asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabGame {
    /// Its name, such as `5a`.
    pub name: String,
    /// The text that says what is to be shown by it.
    pub wanted: String,
    /// The side of the student.
    pub side: GameSide,
    /// The names of the moves that the script keeps; empty if it was not played.
    pub moves: Vec<String>,
}

/// The result of the check of one task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabMark {
    /// The number of the task.
    pub task: u32,
    /// The outcome of the task.
    pub outcome: TaskOutcome,
    /// Its predictions, and what came out.
    pub predictions: Vec<PredictionReport>,
    /// The text on what is missing, as `cspsym lab check` prints it; absent if nothing is.
    pub feedback: Option<String>,
    /// The visible events of the counterexample in `feedback`; absent if there is none.
    pub trace: Option<Vec<String>>,
    /// The way to walk that counterexample; absent if there is none, or if it is one of a process
    /// that the answer is compared with.
    pub walk: Option<ApiLabWalk>,
}

/// The keys of a request that walks the counterexample in a lab's feedback, beside `task`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabWalk {
    /// The number of an assertion of the lab's script.
    pub assertion: u64,
    /// The constants that have other values in that check.
    pub definitions: Vec<String>,
}
