//! `cspsym check FILE...`: every assertion of the scripts, in order.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::report::assertion::AssertionReport;
use crate::report::text::{Detail, render};
use crate::source::SourceMap;

use super::arguments::{Check, Format};
use super::console::Console;
use super::files::Files;
use super::limits::Limit;
use super::mistakes::of_the_rest;
use super::output::{Said, Unsaid};
use super::remaining::{Open, Remaining};
use super::request::{Decision, Load, LoadFailure, Options, Session};
use super::selection::Selection;
use super::status::Status;

/// Checks the scripts one after the other; an error in one does not keep the others from being checked.
pub(super) fn run(
    call: &Check,
    files: &mut Files,
    load: Load,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let spill = match call.storage.open() {
        Ok(spill) => spill,
        Err(problem) => return unusable_folder(&call.files[0], call.format, *problem, console),
    };
    let options = Options {
        explains: call.explain,
        spill,
        ..call.common.options(console.monitor())
    };
    let mut checking = Checking {
        call,
        selection: Selection::new(&call.assertions),
        picked: vec![false; call.assertions.len()],
        heading: None,
        is_told: false,
    };
    let mut status = Status::Holds;
    let mut all_loaded = true;
    for (index, file) in call.files.iter().enumerate() {
        let later = &call.files[index + 1..];
        let left = call.files[index..].iter().map(|file| Open::file(file));
        let remaining = checking.remaining(left.collect(), 0, Arc::default());
        if let Some(limit) = console.monitor().ends_run() {
            return checking.give_up(&remaining, limit, status, console);
        }
        console.monitor().begin(file.clone());
        console.pending(Unsaid::Verdicts(remaining));
        let outcome = match load(file, files, &options) {
            Ok(mut session) => checking.script(file, later, &mut *session, console)?,
            Err(failure) => {
                all_loaded = false;
                ControlFlow::Continue(not_loaded(file, call.format, &failure, console)?)
            }
        };
        match outcome {
            ControlFlow::Continue(outcome) => status = status.max(outcome),
            ControlFlow::Break(outcome) => return Ok(status.max(outcome)),
        }
    }
    // A script that could not be loaded may well have the assertion.
    if all_loaded {
        status = status.max(unused_picks(call, &checking.picked, console)?);
    }
    Ok(status)
}

/// Writes which `--assertion` picked nothing: most likely a slip, and then nothing was checked.
fn unused_picks(call: &Check, picked: &[bool], console: &mut Console<'_>) -> io::Result<Status> {
    let mut status = Status::Holds;
    let unused = call
        .assertions
        .iter()
        .zip(picked)
        .filter(|(_, picked)| !**picked);
    for (text, _) in unused {
        let message = format!("`--assertion {text}` picks no assertion");
        let problem = Diagnostic::error("no-such-assertion", message).hint(
            "give a number, counted from 1, or a part of the text; without --assertion all are checked",
        );
        let failure = LoadFailure {
            sources: SourceMap::new(),
            problems: vec![problem],
        };
        let file = call.files.first().map_or("", String::as_str);
        status = status.max(not_loaded(file, call.format, &failure, console)?);
    }
    Ok(status)
}

/// What is decided, and what has been printed.
struct Checking<'a> {
    call: &'a Check,
    selection: Selection,
    /// By `--assertion`, whether it picked something.
    picked: Vec<bool>,
    /// The script under whose name assertions were printed last.
    heading: Option<String>,
    /// Whether the message was printed that ends the run.
    is_told: bool,
}

impl Checking<'_> {
    /// Decides the picked assertions of one script, after which others are `later`; breaks if nothing more is to be done.
    fn script(
        &mut self,
        file: &str,
        later: &[String],
        session: &mut dyn Session,
        console: &mut Console<'_>,
    ) -> io::Result<ControlFlow<Status, Status>> {
        let call = self.call;
        let mut status = console.problems(&session.warnings(), session.sources());
        let assertions = session.assertions();
        let picked = assertions
            .iter()
            .enumerate()
            .filter(|(index, assertion)| self.selection.picks(*index, assertion, &mut self.picked));
        let picked: Vec<usize> = picked.map(|(index, _)| index).collect();
        let open = picked.iter().map(|&index| session.undecided(index));
        let open = open.chain(later.iter().map(|file| Open::file(file)));
        let open: Arc<[Open]> = open.collect();
        let sources = Arc::new(session.sources().clone());
        console.pending(Unsaid::Verdicts(self.remaining(
            open.clone(),
            0,
            sources.clone(),
        )));
        status = status.max(print_values(call, session, console)?);
        if assertions.is_empty() && !call.common.quiet {
            console.remark(&format!("{file} has no assertions"));
        }
        for (position, &index) in picked.iter().enumerate() {
            let remaining = self.remaining(open.clone(), position, sources.clone());
            if let Some(limit) = console.monitor().ends_run() {
                let status = self.give_up(&remaining, limit, status, console)?;
                return Ok(ControlFlow::Break(status));
            }
            let title = format!("assert {}", assertions[index]);
            let monitor = console.monitor().clone();
            let decision = monitor.turn_of(title, || {
                console.pending(Unsaid::Verdicts(remaining));
                session.decide(index)
            });
            let said = self.said(&decision, session.sources());
            let is_last = position + 1 == open.len();
            let rest = self.remaining(open.clone(), position + 1, sources.clone());
            let rest = (!is_last).then_some(rest);
            let outcome = status_of(&decision);
            console.answer(&said, outcome, rest.map(Unsaid::Verdicts))?;
            status = status.max(outcome);
        }
        Ok(ControlFlow::Continue(status))
    }

    /// What is printed of an assertion, below the name of its script.
    fn said(&mut self, decision: &Decision, sources: &SourceMap) -> Said {
        let call = self.call;
        let mut said = said(decision, call.format, call.common.detail(), sources);
        let file = &decision.report.file;
        if call.format == Format::Text && self.heading.as_ref() != Some(file) {
            self.heading = Some(file.clone());
            if !call.common.quiet {
                said.out = format!("{file}\n{}", said.out);
            }
        }
        let message = decision.problem.as_ref().map(|problem| &problem.message);
        let ends_run = [Limit::Time, Limit::Signal].map(|limit| limit.diagnostic().message);
        self.is_told |= message.is_some_and(|message| ends_run.contains(message));
        said
    }

    /// All that is open from number `from` on.
    fn remaining(&self, all: Arc<[Open]>, from: usize, sources: Arc<SourceMap>) -> Remaining {
        Remaining {
            format: self.call.format,
            detail: self.call.common.detail(),
            heading: self.heading.clone(),
            all,
            from,
            sources,
        }
    }

    /// Says what is left where `limit` ends the run.
    fn give_up(
        &self,
        remaining: &Remaining,
        limit: Limit,
        status: Status,
        console: &mut Console<'_>,
    ) -> io::Result<Status> {
        let said = remaining.left(limit, self.is_told);
        console.answer(&said, Status::Undecided, None)?;
        Ok(status.max(Status::Undecided))
    }
}

/// Writes the values of the `print` declarations: results in text, remarks beside JSON.
fn print_values(
    call: &Check,
    session: &mut dyn Session,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let mut status = Status::Holds;
    for value in session.prints() {
        match value {
            Ok(_) if call.common.quiet => {}
            Ok(value) if call.format == Format::Text => console.result(&format!("{value}\n"))?,
            Ok(value) => console.remark(&value),
            Err(problem) => status = status.max(console.problem(&problem, session.sources())),
        }
    }
    Ok(status)
}

/// One verdict, and the message if there is none.
pub(super) fn said(
    decision: &Decision,
    format: Format,
    detail: Detail,
    sources: &SourceMap,
) -> Said {
    let report = &decision.report;
    let mut said = Said {
        out: match format {
            Format::Text => render(report, detail),
            Format::Json => report.json() + "\n",
        },
        ..Said::default()
    };
    if let Some(problem) = &decision.problem {
        said.add(problem, sources);
    }
    said
}

/// What a decision stands for.
pub(super) fn status_of(decision: &Decision) -> Status {
    let problem = decision.problem.as_ref();
    let problem = problem.map_or(Status::Holds, Status::of_problem);
    problem.max(Status::of_verdict(decision.report.verdict))
}

/// Writes what is wrong with the folder in which searches are to keep their states.
pub(super) fn unusable_folder(
    file: &str,
    format: Format,
    problem: Diagnostic,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let failure = LoadFailure {
        sources: SourceMap::new(),
        problems: vec![problem],
    };
    not_loaded(file, format, &failure, console)
}

/// Writes why nothing of a script could be checked.
pub(super) fn not_loaded(
    file: &str,
    format: Format,
    failure: &LoadFailure,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let sources = &failure.sources;
    let problems = of_the_rest(&failure.problems);
    let worst = problems
        .iter()
        .max_by_key(|problem| Status::of_problem(problem));
    let report = AssertionReport::new(file);
    let report = match worst {
        Some(problem) => report.stopped_by(problem, sources),
        None => report,
    };
    let mut said = Said::default();
    for problem in &problems {
        said.add(problem, sources);
    }
    if format == Format::Json {
        said.out = report.json() + "\n";
    }
    // Nothing was checked, so it is never a success.
    let status = worst.map_or(Status::Undecided, Status::of_problem);
    let status = status.max(Status::Undecided);
    console.answer(&said, status, None)?;
    Ok(status)
}
