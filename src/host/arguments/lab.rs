//! The arguments of `lab`.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::{Args, Subcommand};

use checker::Definition;

use super::values::{definition, seconds, size};
use super::{Deciding, Format};

/// The time that the check of a task may take unless the call says more.
pub(crate) const LONGEST_TASK: Duration = Duration::from_secs(60);

/// `lab list|start|predict|play|check|hint|grade`
#[derive(Args, Debug)]
pub struct LabCall {
    #[command(subcommand)]
    pub command: LabCommand,
}

/// The subcommands of `lab`.
#[derive(Subcommand, Debug)]
pub enum LabCommand {
    /// List the labs
    List(LabListCall),
    /// Write a lab into a folder of its own
    Start(LabStartCall),
    /// Note what you expect, before a task shows what comes out
    Predict(LabPredictCall),
    /// Play a game that a task asks for, and keep its moves in your script
    Play(LabPlayCall),
    /// Say how far you are, or what is missing of one task
    Check(LabCheckCall),
    /// Print a hint for a task
    Hint(LabHintCall),
    /// Check all that was handed in
    Grade(LabGradeCall),
}

/// `lab list`
#[derive(Args, Debug)]
pub struct LabListCall {
    /// How the labs are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `lab start NAME [DIR]`
#[derive(Args, Debug)]
pub struct LabStartCall {
    /// The lab
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The folder to write it into [default: one called NAME]
    #[arg(value_name = "DIR")]
    pub folder: Option<String>,
    /// Overwrite files that are there, the student's work too
    #[arg(long)]
    pub overwrite: bool,
    /// Write the lecturer's key too: a solution, and notes with wrong attempts
    #[arg(long)]
    pub key: bool,
}

/// The place of a student's work.
#[derive(Args, Debug)]
pub struct LabPlace {
    /// The folder of the lab, or the student's script
    #[arg(long = "in", value_name = "DIR|FILE", default_value = ".")]
    pub path: String,
    /// Which lab it is, if the script does not say
    #[arg(long, value_name = "NAME")]
    pub lab: Option<String>,
}

/// `lab predict NAME ANSWER`
#[derive(Args, Debug)]
pub struct LabPredictCall {
    /// The prediction, such as 5a
    #[arg(value_name = "PREDICTION")]
    pub name: String,
    /// What the question of the prediction asks for: a number, such as 27 or 11,097, or a verdict,
    /// which is holds (or true, yes, pass, passes) or fails (or false, no, fail)
    #[arg(value_name = "ANSWER")]
    pub answer: String,
    /// Change a prediction that was made
    #[arg(long)]
    pub again: bool,
    #[command(flatten)]
    pub place: LabPlace,
}

/// `lab play GAME`
#[derive(Args, Debug)]
pub struct LabPlayCall {
    /// The game, such as 5a
    #[arg(value_name = "GAME")]
    pub name: String,
    #[command(flatten)]
    pub place: LabPlace,
}

/// `lab check [TASK]`
#[derive(Args, Debug)]
pub struct LabCheckCall {
    /// The task; without it, all of them in a line each
    #[arg(value_name = "TASK")]
    pub task: Option<u32>,
    #[command(flatten)]
    pub place: LabPlace,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Stop a task that takes longer than this [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout_each: Option<Duration>,
    #[command(flatten)]
    pub deciding: Deciding,
}

/// `lab hint TASK [N]`
#[derive(Args, Debug)]
pub struct LabHintCall {
    /// The task
    #[arg(value_name = "TASK")]
    pub task: u32,
    /// So many hints, from a question over the line to look at to the next step
    #[arg(value_name = "N", default_value = "1")]
    pub steps: NonZeroU32,
    #[command(flatten)]
    pub place: LabPlace,
}

/// `lab grade DIR`
#[derive(Args, Debug)]
pub struct LabGradeCall {
    /// A folder with a folder or a script for each student
    #[arg(value_name = "DIR")]
    pub folder: String,
    /// The lab [default: the one that the first script names]
    #[arg(long, value_name = "NAME")]
    pub lab: Option<String>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print a table of comma-separated values
    #[arg(long, conflicts_with = "format")]
    pub csv: bool,
    /// Choose the sizes at which all is checked once more by this number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Check once more with this size instead; may be repeated
    #[arg(short = 'D', value_name = "NAME=EXPR", value_parser = definition)]
    pub definitions: Vec<Definition>,
    /// So long may one submission take, at each size
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub timeout_each: Duration,
    /// So much memory may one submission take
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1G")]
    pub memory_limit: u64,
}
