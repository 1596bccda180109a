//! One submission, checked in a program of its own: the others are graded whatever a stranger's
//! script does.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use checker::Definition;
use host::arguments::lab::LabGradeCall;
use report::lab::TaskOutcome;

/// The marks of a submission at one size.
#[derive(Default)]
pub(super) struct Marks {
    /// The outcome of each task, in order.
    pub(super) tasks: Vec<TaskOutcome>,
    /// The number of predictions made.
    pub(super) predicted: u64,
    /// The number of right predictions.
    pub(super) right: u64,
    /// The reason why some tasks could not be marked.
    pub(super) message: Option<String>,
}

impl Marks {
    /// The marks if nothing could be marked, with the reason.
    pub(super) fn none(tasks: usize, message: String) -> Self {
        Self {
            tasks: vec![TaskOutcome::Error; tasks],
            message: Some(message),
            ..Self::default()
        }
    }
}

/// The time after its deadline in which a program may end by itself.
const GRACE: Duration = Duration::from_secs(5);

/// The pause between two looks at a program.
const PAUSE: Duration = Duration::from_millis(10);

/// The inverse of the share of the time that one task may take, so that the others have their turn.
const SHARE: u32 = 4;

/// The largest number of bytes of output. A report is shorter.
const LONGEST: u64 = 64 << 20;

/// Runs `lab check` on a submission of `lab`, with these sizes.
pub(super) fn marks(
    call: &LabGradeCall,
    lab: &str,
    sizes: &[Definition],
    submission: &Path,
    tasks: usize,
) -> Marks {
    match printed(call, lab, sizes, submission) {
        Ok((lines, is_late)) => read(&lines, is_late, tasks),
        Err(error) => Marks::none(tasks, format!("no-lab-here: it cannot be checked: {error}")),
    }
}

/// The output of the program, and true if it had to be ended.
fn printed(
    call: &LabGradeCall,
    lab: &str,
    sizes: &[Definition],
    submission: &Path,
) -> io::Result<(String, bool)> {
    let mut program = Command::new(std::env::current_exe()?);
    program.args(["lab", "check", "--format", "json", "--progress", "off"]);
    program.args(["--lab", lab]);
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    program.args(["--timeout", &seconds(call.timeout_each)]);
    program.args(["--timeout-each", &seconds(call.timeout_each / SHARE)]);
    program.args(["--memory-limit", &call.memory_limit.to_string()]);
    for size in sizes {
        program.args(["-D", &size.to_string()]);
    }
    // The program stands beside the script, so that messages name it shortly.
    if submission.is_dir() {
        program.current_dir(submission);
    } else {
        let beside = submission
            .parent()
            .filter(|folder| *folder != Path::new(""));
        program.current_dir(beside.unwrap_or(Path::new(".")));
        program
            .arg("--in")
            .arg(submission.file_name().unwrap_or_default());
    }
    let child = program
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    waited_for(child, call.timeout_each + GRACE)
}

/// The output of `child` until it ends, or is ended after the time `most`; true if it was ended.
fn waited_for(mut child: Child, most: Duration) -> io::Result<(String, bool)> {
    let Some(out) = child.stdout.take() else {
        return Err(io::Error::other("it has no output"));
    };
    let reader = thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        let _ = out.take(LONGEST).read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })?;
    let started = Instant::now();
    let mut is_late = false;
    while child.try_wait()?.is_none() {
        if started.elapsed() > most {
            is_late = true;
            child.kill()?;
            child.wait()?;
            break;
        }
        thread::sleep(PAUSE);
    }
    let text = reader.join().unwrap_or_default();
    Ok((text, is_late))
}

/// The marks in the output. Tasks without a line were not reached.
fn read(lines: &str, is_late: bool, tasks: usize) -> Marks {
    let mut marks = Marks {
        tasks: vec![TaskOutcome::Unknown; tasks],
        ..Marks::default()
    };
    let mut reached = 0;
    // The first message about the script that is about no task of its own.
    let mut about_all = None;
    let objects = lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    for object in objects {
        let object: Value = object;
        let message = object["message"].as_str().map(str::to_string);
        let outcome = outcome(object["outcome"].as_str().unwrap_or_default());
        let Some(number) = object["task"].as_u64() else {
            about_all = about_all.or(message);
            continue;
        };
        let message = message.map(|message| format!("task {number}: {message}"));
        marks.message = marks.message.or(message);
        let index = (number as usize).wrapping_sub(1);
        if let Some(task) = marks.tasks.get_mut(index) {
            *task = outcome;
            reached += 1;
        }
        for prediction in object["predictions"].as_array().into_iter().flatten() {
            marks.predicted += u64::from(prediction["predicted"].is_string());
            marks.right += u64::from(prediction["right"] == Value::Bool(true));
        }
    }
    if reached == 0
        && !is_late
        && let Some(message) = &about_all
    {
        return Marks::none(tasks, message.clone());
    }
    // What is wrong with a line of its own is told first: it may be what a task has not found.
    marks.message = about_all.or(marks.message);
    if reached < tasks && marks.message.is_none() {
        let why = match is_late {
            true => "timeout: the time given with --timeout-each is over",
            false => "internal-error: the program ended early",
        };
        marks.message = Some(why.to_string());
    }
    marks
}

fn outcome(word: &str) -> TaskOutcome {
    let all = [
        TaskOutcome::Skipped,
        TaskOutcome::Passed,
        TaskOutcome::Locked,
        TaskOutcome::Failed,
        TaskOutcome::Error,
    ];
    let found = all.into_iter().find(|outcome| outcome.word() == word);
    found.unwrap_or(TaskOutcome::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_reached_is_unknown() {
        let line =
            r#"{"task":1,"outcome":"passed","predictions":[{"predicted":"3","right":true}]}"#;
        let found = read(line, true, 2);
        assert_eq!(found.tasks, [TaskOutcome::Passed, TaskOutcome::Unknown]);
        assert_eq!((found.predicted, found.right), (1, 1));
        assert!(
            found
                .message
                .is_some_and(|message| message.starts_with("timeout"))
        );
        let error = r#"{"task":null,"outcome":"error","message":"syntax: no"}"#;
        let found = read(error, false, 2);
        assert_eq!(found.tasks, [TaskOutcome::Error; 2]);
        assert_eq!(found.message.as_deref(), Some("syntax: no"));
    }
}
