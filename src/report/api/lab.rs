//! A lab beside an editor, as plain data: what a student reads, has predicted, and has to do.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::lab::{PredictionReport, TaskOutcome};

/// Of `lab`: the lab that a student's script belongs to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiLab {
    /// Its name.
    pub(crate) lab: String,
    /// What it is about.
    pub(crate) title: String,
    /// How many minutes the tasks take that are for everybody.
    pub(crate) minutes: u32,
    /// What to read first, as Markdown.
    pub(crate) introduction: String,
    /// Its tasks, in order.
    pub(crate) tasks: Vec<ApiLabTask>,
    /// The student's script, with the predictions of the request in their lines.
    pub(crate) text: String,
    /// What came out of the task that the request asks to be checked.
    pub(crate) mark: Option<ApiLabMark>,
}

/// A task of a lab.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiLabTask {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// What it is about.
    pub(crate) title: String,
    /// How many minutes it takes.
    pub(crate) minutes: u32,
    /// Whether it is for those who have time left.
    pub(crate) stretch: bool,
    /// What to do, as Markdown.
    pub(crate) text: String,
    /// What is to be predicted before anything is shown.
    pub(crate) predictions: Vec<ApiLabPrediction>,
    /// Hints: a question, where to look, the next step.
    pub(crate) hints: Vec<String>,
}

/// A prediction that a task asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiLabPrediction {
    /// Its name, such as `5a`.
    pub(crate) name: String,
    /// What is asked.
    pub(crate) question: String,
    /// What the answer is: `verdict` is holds or fails, all else a number.
    pub(crate) measure: &'static str,
    /// What was predicted; absent if nothing was.
    pub(crate) predicted: Option<String>,
}

/// What the check of one task came to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ApiLabMark {
    /// The number of the task.
    pub(crate) task: u32,
    /// Whether it is done.
    pub(crate) outcome: TaskOutcome,
    /// Its predictions, and what came out.
    pub(crate) predictions: Vec<PredictionReport>,
    /// What is missing, as `cspsym lab check` prints it; absent if nothing is.
    pub(crate) feedback: Option<String>,
}
