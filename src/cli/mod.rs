//! The command line: one file a subcommand. Only here are files read and lines printed.

mod additions;
mod arguments;
mod ask;
mod check;
mod console;
mod counterexample;
mod decide;
mod describe;
mod describe_symmetry;
mod determinism;
mod explain;
mod files;
mod load;
mod lsp;
mod machine;
mod observations;
mod progress;
mod question;
mod reduce;
mod refine;
mod request;
mod selection;
mod session;
mod spill;
mod status;
mod symmetric;
mod symmetry;
#[cfg(test)]
mod tests;
mod typecheck;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::diag::Diagnostic;
use crate::source::SourceMap;

use arguments::{Arguments, Command};
use ask::Asked;
use console::Console;
use files::Files;
use status::Status;

/// Stack of the thread that works: scripts may nest deeply, and this memory is only used if they do.
const STACK_BYTES: usize = 256 << 20;

/// How long past `--timeout` the work may take to notice and to report what it has.
const GRACE: Duration = Duration::from_secs(2);

/// The whole program.
pub fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(message) => return usage(&message),
    };
    report_panics();
    let timeout = arguments
        .command
        .common()
        .and_then(|common| common.timeout());
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let json = arguments.command.json_file();
    let (finished, outcome) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(STACK_BYTES);
    if let Err(error) = worker.spawn(move || work(&arguments, deadline, &finished)) {
        let message = format!("the working thread did not start: {error}");
        return complain(&Diagnostic::undecided("no-thread", message)).into();
    }
    let allowed = timeout
        .map(|timeout| timeout.saturating_add(GRACE))
        .unwrap_or(Duration::MAX);
    match outcome.recv_timeout(allowed) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Status::Holds.into(),
        Ok(Err(error)) => {
            let message = format!("the output cannot be written: {error}");
            complain(&Diagnostic::error("unwritable-output", message)).into()
        }
        Err(RecvTimeoutError::Timeout) => out_of_time(json).into(),
        // The worker sends before it ends, unless it panicked; then the panic has been reported.
        Err(RecvTimeoutError::Disconnected) => Status::Error.into(),
    }
}

/// Runs the subcommand and sends how it ended.
fn work(arguments: &Arguments, deadline: Option<Instant>, finished: &Sender<io::Result<Status>>) {
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let interactive = err.is_terminal();
    let mut console = Console::new(&mut out, &mut err, interactive);
    let mut files = Files::new();
    let load = load::load;
    let status = match &arguments.command {
        Command::Check(call) => check::run(call, deadline, &mut files, load, &mut console),
        Command::Refine(call) => refine::run(call, deadline, &mut files, load, &mut console),
        Command::Eval(call) => {
            ask::run(call, Asked::Value, deadline, &mut files, load, &mut console)
        }
        Command::Machine(call) => machine::run(call, deadline, &mut files, load, &mut console),
        Command::Symmetry(call) => symmetry::run(call, deadline, &mut files, load, &mut console),
        Command::Typecheck(call) => typecheck::run(call, deadline, &mut files, load, &mut console),
        Command::Type(call) => {
            ask::run(call, Asked::Type, deadline, &mut files, load, &mut console)
        }
        Command::Explain(call) => explain::run(call, &mut console),
        Command::Lsp => lsp::run(),
    };
    // The receiver is gone only if the program is already ending.
    let _ = finished.send(status);
}

/// Help and version are successes, wrong arguments are an error of the call.
fn usage(message: &clap::Error) -> ExitCode {
    // Nothing can be done about a closed pipe here.
    let _ = message.print();
    if message.use_stderr() {
        Status::Error.into()
    } else {
        Status::Holds.into()
    }
}

/// Prints a message that has no place in a script, and gives the exit status for it.
fn complain(problem: &Diagnostic) -> Status {
    // If standard error is gone as well, the exit status has to do.
    let _ = io::stderr().write_all(problem.render(&SourceMap::new()).as_bytes());
    Status::of_problem(problem)
}

/// The work did not stop by itself: says so, for a program too, and ends.
fn out_of_time(json: Option<String>) -> Status {
    let problem = request::timeout_message();
    if let Some(file) = json {
        let report = crate::report::assertion::AssertionReport::new(file);
        let line = report.stopped_by(&problem, &SourceMap::new()).json() + "\n";
        let _ = io::stdout().write_all(line.as_bytes());
    }
    complain(&problem)
}

/// A panic is a fault of this program: it is said so, with exit status 2.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = format!("this is a fault of cspsym, not of the script: {panic}");
        let problem = Diagnostic::error("internal-error", message)
            .hint("please report it, with the script and the command line");
        let status = complain(&problem);
        std::process::exit(status.code().into());
    }));
}
