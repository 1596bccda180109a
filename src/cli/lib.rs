//! The command line: one file a subcommand. The crates that decide read no files and print nothing.

#![doc = include_str!("README.md")]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the server and signals are left out there")
)]

mod ask;
mod cache;
mod check;
#[cfg_attr(target_family = "wasm", path = "no_cluster.rs")]
mod cluster;
mod completions;
mod copies;
mod deciding;
mod explain;
mod game;
mod graph;
mod help;
mod jobs;
#[cfg(not(target_family = "wasm"))]
mod local_processes;
mod machine;
mod manual_pages;
mod pager;
mod records;
mod refine;
#[cfg(not(target_family = "wasm"))]
mod signals;
mod step;
mod supervise;
mod symmetry;
#[cfg(test)]
mod tests;
mod told;
mod totals;
mod typecheck;
mod verdicts;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Instant;

use base::diag::Diagnostic;
use base::threads::STACK_BYTES;

use ask::AskedOf;
pub use host::allocator::Allocator;
use host::arguments::{Arguments, Command, ProgressWish};
use host::complaint::{complain, no_thread};
use host::console::Console;
use host::files::{Files, Readable, ReadingRule};
use host::memory::{Memory, resident};
use host::monitor::Monitor;
use host::outcome::CallFailure;
use host::progress::Display;
use host::status::Status;
use host::{allocator, fault};
use pager::Paged;
use supervise::Audience;

/// The whole program.
pub fn main() -> ExitCode {
    let mut arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        // Help and version are successes, wrong arguments are an error of the call.
        Err(message) => message.exit(),
    };
    fault::end_on_panic();
    if let Err(error) = jobs::take_order(&mut arguments) {
        let message = format!("this call was told of no script to check: {error}");
        return complain(&Diagnostic::error("job-lost", message)).into();
    }
    if let Some(problem) = unmeasured(&arguments.command) {
        return complain(&problem).into();
    }
    // This thread ends the program where memory is exhausted, so the reserve belongs to it.
    allocator::lay_by();
    let monitor = Arc::new(monitor(&arguments));
    let interactive = arguments.command.is_for_people() && io::stderr().is_terminal();
    let audience = match (arguments.command.is_silent(), interactive) {
        _ if arguments.command.is_copy_for_jobs() => Audience::Caller,
        (true, _) => Audience::Nobody,
        (false, true) => Audience::Person,
        (false, false) => Audience::Program,
    };
    let is_limited = arguments.command.common().is_some();
    // The other subcommands have no results to save: Ctrl-C ends them as it ends any program.
    let heed = is_limited.then(|| heeding_signals(&monitor));
    let (finished, outcome) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(monitor.memory().stack_bytes(STACK_BYTES));
    let watched = monitor.clone();
    if cfg!(target_family = "wasm") {
        // There is one thread: the work is done before its outcome is waited for.
        work(&arguments, watched, &finished);
    } else if let Err(error) = worker.spawn(move || work(&arguments, watched, &finished)) {
        return complain(&no_thread(&error)).into();
    }
    let outcome = match heed {
        Some(heed) => supervise::supervise(&outcome, &monitor, audience, heed),
        None => outcome.recv().ok(),
    };
    match outcome {
        Some(Ok(status)) => status.into(),
        // A reader that wants no more, such as `head`, is no failure.
        Some(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Status::Holds.into(),
        Some(Err(error)) => {
            let message = format!("the output cannot be written: {error}");
            complain(&Diagnostic::error("unwritable-output", message)).into()
        }
        // The worker sends before it ends, unless it panicked; then the panic has been reported.
        None => Status::Error.into(),
    }
}

/// Begins to listen to signals. The result is to be called now and then; it does nothing where
/// there are none.
fn heeding_signals(monitor: &Monitor) -> Box<dyn FnMut()> {
    #[cfg(not(target_family = "wasm"))]
    match signals::listen(monitor) {
        Ok(heed) => return Box::new(heed),
        Err(error) => {
            let message = format!("Ctrl-C ends the run without a result: {error}");
            complain(&Diagnostic::warning("no-signals", message));
        }
    }
    Box::new(|| {})
}

/// The problem with a limit on memory where the system does not say how much is taken.
fn unmeasured(command: &Command) -> Option<Diagnostic> {
    let is_wanted = command.common()?.memory_limit.is_some();
    if !is_wanted || resident().is_some() {
        return None;
    }
    let message = "`--memory-limit` is not supported where the system does not say how much memory \
                   is taken";
    let problem = Diagnostic::undecided("unsupported", message);
    Some(problem.hint("Linux says it in /proc, which is missing here"))
}

/// The monitor, with the limits that the call sets.
fn monitor(arguments: &Arguments) -> Monitor {
    let Some(common) = arguments.command.common() else {
        return Monitor::default();
    };
    let deadline = common
        .timeout
        .and_then(|timeout| Instant::now().checked_add(timeout));
    let display = match (
        common.progress,
        arguments.command.is_quiet(),
        io::stderr().is_terminal(),
    ) {
        _ if arguments.command.is_silent() => Display::Hidden,
        (ProgressWish::Off, ..)
        | (ProgressWish::Auto, true, _)
        | (ProgressWish::Auto, _, false) => Display::Hidden,
        (ProgressWish::On, _, false) => Display::Lines,
        (_, _, true) => Display::Terminal,
    };
    let memory = match arguments.command.order() {
        Some(order) => Memory::of_job(order.memory),
        None => Memory::of_program(common.memory_limit),
    };
    Monitor::new(deadline, arguments.command.timeout_each(), memory, display)
}

/// Runs the subcommand and sends its end.
fn work(arguments: &Arguments, monitor: Arc<Monitor>, finished: &Sender<io::Result<Status>>) {
    let command = &arguments.command;
    let (mut out, mut err) = (io::stdout(), io::stderr());
    let mut paged = matches!(command, Command::Help(_)).then(Paged::new);
    let interactive = err.is_terminal();
    // If several processes search together, one of them prints.
    let (mut no_out, mut no_err) = (io::sink(), io::sink());
    let (out, err): (&mut dyn Write, &mut dyn Write) = match &mut paged {
        _ if command.is_silent() => (&mut no_out, &mut no_err),
        Some(paged) => (paged, &mut err),
        None => (&mut out, &mut err),
    };
    let status = run(command, &mut Console::new(out, err, monitor, interactive));
    // The program ends once the outcome is sent, so the pager is waited for before.
    if let Some(paged) = paged {
        paged.finish();
    }
    // The receiver is gone only if the program is already ending.
    let _ = finished.send(status);
}

/// Runs `command` on the files of the system.
fn run(command: &Command, console: &mut Console<'_>) -> io::Result<Status> {
    let common = command.common();
    let within = common.and_then(|common| common.include_root.clone());
    run_on(
        command,
        &mut Files::new().within(Readable::within(within, ReadingRule::IncludeRoot)),
        console,
    )
}

/// Runs `command` on `files`.
fn run_on(command: &Command, files: &mut Files, console: &mut Console<'_>) -> io::Result<Status> {
    let outcome = match command {
        Command::Check(call) => check::run(call, files, console),
        Command::Refine(call) => refine::run(call, files, console),
        Command::Refines(call) => refines::run(call, files, console),
        Command::Eval(call) => ask::run(call, AskedOf::Value, files, console),
        Command::Graph(call) => graph::run(call, files, console),
        Command::Machine(call) => machine::run(call, files, console),
        Command::Symmetry(call) => symmetry::run(call, files, console),
        Command::Step(call) => step::run(call, files, console),
        Command::Game(call) => game::run(call, files, console),
        Command::Api(call) => explorer::api::run(call, console),
        Command::Mcp(call) => explorer::mcp::run(call, console),
        Command::Explore(call) => explorer::explore::run(call, files, console),
        Command::Typecheck(call) => typecheck::run(call, files, console),
        Command::Type(call) => ask::run(call, AskedOf::Type, files, console),
        Command::Lab(call) => lab::commands::run(call, files, console),
        Command::Explain(call) => explain::run(call, console),
        Command::Help(call) => help::run(call, console),
        Command::Completions(call) => completions::run(call, console),
        Command::Man(call) => manual_pages::run(call, console),
        Command::Lsp => lsp::run(explorer::explore::served)
            .map(|status| console.count(status))
            .map_err(CallFailure::Output),
        Command::Dap => dap::run()
            .map(|status| console.count(status))
            .map_err(CallFailure::Output),
    };
    let written = match outcome {
        Ok(()) => Ok(()),
        Err(CallFailure::Unsaid(error)) => console.failure(&error),
        Err(CallFailure::Output(error)) => Err(error),
    };
    if command.is_for_people() {
        console.point_to_explanation();
    }
    written.map(|()| console.worst())
}
