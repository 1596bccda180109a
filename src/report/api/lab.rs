//! A lab beside an editor, as plain data: what a student reads, has predicted, and has to do.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::lab::{PredictionReport, TaskOutcome};

/// Of `lab`: the lab that a student's script belongs to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLab {
    /// Its name.
    pub lab: String,
    /// What it is about.
    pub title: String,
    /// How many minutes the tasks take that are for everybody.
    pub minutes: u32,
    /// What to read first, as Markdown.
    pub introduction: String,
    /// Its tasks, in order.
    pub tasks: Vec<ApiLabTask>,
    /// The student's script, with the predictions of the request in their lines.
    pub text: String,
    /// What came out of the task that the request asks to be checked.
    pub mark: Option<ApiLabMark>,
}

/// A task of a lab.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabTask {
    /// Its number, from 1.
    pub number: u32,
    /// What it is about.
    pub title: String,
    /// How many minutes it takes.
    pub minutes: u32,
    /// Whether it is for those who have time left.
    pub stretch: bool,
    /// What to do, as Markdown.
    pub text: String,
    /// What is to be predicted before anything is shown.
    pub predictions: Vec<ApiLabPrediction>,
    /// Hints: a question, where to look, the next step.
    pub hints: Vec<String>,
}

/// A prediction that a task asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabPrediction {
    /// Its name, such as `5a`.
    pub name: String,
    /// What is asked.
    pub question: String,
    /// What the answer is: `verdict` is holds or fails, all else a number.
    pub measure: &'static str,
    /// What was predicted; absent if nothing was.
    pub predicted: Option<String>,
}

/// What the check of one task came to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiLabMark {
    /// The number of the task.
    pub task: u32,
    /// Whether it is done.
    pub outcome: TaskOutcome,
    /// Its predictions, and what came out.
    pub predictions: Vec<PredictionReport>,
    /// What is missing, as `cspsym lab check` prints it; absent if nothing is.
    pub feedback: Option<String>,
}
