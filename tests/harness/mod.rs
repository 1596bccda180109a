//! Shared parts of the tests that run the program: scripts, calls, and parallel runs.

pub(crate) mod directives;
mod files;
mod times;

pub(crate) use files::{empty_folder, files, root, scripts};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
pub(crate) use times::without_times;

/// The number of runs at once.
const THREADS: usize = 2;

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit status; absent if a signal ended it.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Runs the program at the root of the repository with `input` on standard input.
pub(crate) fn cspsym(arguments: &[String], input: &[u8]) -> Outcome {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cspsym"));
    outcome(program.args(arguments), input)
}
/// Runs the program as part of a line of the shell. `cspsym` in the line stands for the program and
/// its arguments.
pub(crate) fn cspsym_in_shell(line: &str, arguments: &[String], input: &[u8]) -> Outcome {
    let mut shell = Command::new("sh");
    let line = line.replace("cspsym", r#"exec "$0" "$@""#);
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_cspsym")]);
    outcome(shell.args(arguments), input)
}

fn outcome(command: &mut Command, input: &[u8]) -> Outcome {
    let mut child = command
        .current_dir(root())
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes the pipe, which is its right.
    let _ = child
        .stdin
        .take()
        .expect("standard input is a pipe")
        .write_all(input);
    ended(child)
}

/// The result of a run whose standard output and standard error are pipes.
pub(crate) fn ended(child: Child) -> Outcome {
    let output = child.wait_with_output().expect("the program ends");
    Outcome {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
    }
}

/// The results of `work` for each item, in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((index, item)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|index| Some((index, items.get(index)?)))
                {
                    let result = work(item);
                    results
                        .lock()
                        .expect("no thread panicked")
                        .push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Splits a command line into arguments: at white space, but not inside `'...'`.
pub(crate) fn split_arguments(line: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                current.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => arguments.extend(current.take()),
            c => current.get_or_insert_default().push(c),
        }
    }
    arguments.extend(current);
    arguments
}

#[test]
fn arguments_are_split_like_in_a_shell() {
    assert_eq!(
        split_arguments(" check  FILE -D N=3 "),
        ["check", "FILE", "-D", "N=3"]
    );
    assert_eq!(
        split_arguments("eval 'a b' -D'L=<3, 3>' ''"),
        ["eval", "a b", "-DL=<3, 3>", ""]
    );
}
