//! `cspsym check FILE...`: every assertion of the scripts, in order.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::{Answer, Checks, Error, Options, Script};
use report::assertion::AssertionReport;
use report::text::{Detail, render};

use super::cluster::Membership;
use super::page::{PageFile, drawing};
use host::arguments::{CheckCall, Format};
use host::console::Console;
use host::files::Files;
use host::limits::Limit;
use host::load::Loaded;
use host::output::{OneLine, Said, Unsaid};
use host::remaining::{OpenVerdict, RemainingVerdicts};
use host::selection::Selection;
use host::status::Status;

/// Checks the scripts one after the other; an error in one does not keep the others from being
/// checked.
pub(super) fn run(
    call: &CheckCall,
    files: &mut Files,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let folder = match call.storage.open(&call.cluster) {
        Ok(folder) => folder,
        Err(problem) => return not_begun(&call.files[0], call.format, *problem, console),
    };
    // One process writes the page, which is the same in all of them.
    let report = call.report.as_deref();
    let report = report.filter(|_| !call.cluster.is_silent());
    let page = match report.map(PageFile::at).transpose() {
        Ok(page) => page,
        Err(problem) => return not_begun(&call.files[0], call.format, *problem, console),
    };
    let cluster = match Membership::join(&call.cluster, console.monitor()) {
        Ok(cluster) => cluster,
        Err(problem) => return not_begun(&call.files[0], call.format, *problem, console),
    };
    let options = Options {
        // The page has the lanes of each component.
        explain: call.explain || call.report.is_some(),
        counterexamples: usize::try_from(call.counterexamples).unwrap_or(usize::MAX),
        storage: folder.as_ref().map(|folder| folder.storage.clone()),
        cluster: cluster.as_ref().map(Membership::exchange),
        for_all: call.for_all.clone(),
        ..call.options(console.monitor().memory())
    };
    let mut checking = Checking {
        call,
        options,
        selection: Selection::new(&call.assertions),
        picked: vec![false; call.assertions.len()],
        warned: BTreeSet::new(),
        heading: None,
        is_told: false,
        page,
        cluster,
    };
    let status = checking.scripts(files, console)?;
    if let Some(cluster) = checking.cluster.take() {
        cluster.close();
    }
    let written = checking.page.as_ref().map_or(Ok(()), PageFile::write);
    let problem = written.err();
    Ok(status.max(console.problems(problem.as_slice(), &SourceMap::new())))
}

/// Reports each `--assertion` that picked nothing: that is most likely a slip.
fn unused_picks(
    call: &CheckCall,
    picked: &[bool],
    console: &mut Console<'_>,
) -> io::Result<Status> {
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
        let failure = Error::new(vec![problem], SourceMap::new());
        let file = call.files.first().map_or("", String::as_str);
        status = status.max(not_loaded(file, call.format, &failure, console)?);
    }
    Ok(status)
}

/// What is decided, and what has been printed.
struct Checking<'a> {
    call: &'a CheckCall,
    options: Options,
    selection: Selection,
    /// By `--assertion`, whether it picked something.
    picked: Vec<bool>,
    /// The warnings of checks that were printed: assertions about one process share most of them.
    warned: BTreeSet<String>,
    /// The script under whose name assertions were printed last.
    heading: Option<String>,
    /// Whether the message was printed that ends the run.
    is_told: bool,
    /// The page that is written at the end.
    page: Option<PageFile>,
    /// With whom the scripts are checked.
    cluster: Option<Membership>,
}

impl Checking<'_> {
    /// Decides the picked assertions of all scripts.
    fn scripts(&mut self, files: &mut Files, console: &mut Console<'_>) -> io::Result<Status> {
        let call = self.call;
        let mut status = Status::Holds;
        let mut all_loaded = true;
        for (index, file) in call.files.iter().enumerate() {
            let later = &call.files[index + 1..];
            // Until the script is read its assertions are not known, so the file itself stands for
            // them.
            let left = call.files[index..]
                .iter()
                .map(|file| OpenVerdict::file(file));
            let remaining = self.remaining(left.collect(), 0, Arc::default());
            if let Some(limit) = console.monitor().ends_run() {
                return self.give_up(&remaining, limit, status, console);
            }
            console.monitor().begin(file.clone());
            console.pending(Unsaid::Verdicts(remaining));
            let read = Loaded::read(file, files, &call.telling.common().definitions);
            if let Some(cluster) = &mut self.cluster {
                let sources = match &read {
                    Ok(loaded) => loaded.script.sources(),
                    Err(error) => error.sources(),
                };
                let asked = format!("{:?}", call.assertions);
                if let Err(problem) = cluster.compare(sources, &self.options, asked) {
                    return Ok(status.max(not_begun(file, call.format, *problem, console)?));
                }
            }
            let outcome = match read {
                Ok(loaded) => self.script(file, later, &loaded, console)?,
                Err(error) => {
                    all_loaded = false;
                    self.note_unread(file, &error);
                    ControlFlow::Continue(not_loaded(file, call.format, &error, console)?)
                }
            };
            match outcome {
                ControlFlow::Continue(outcome) => status = status.max(outcome),
                ControlFlow::Break(outcome) => return Ok(status.max(outcome)),
            }
        }
        // A script that could not be loaded may well have the assertion.
        if all_loaded {
            status = status.max(unused_picks(call, &self.picked, console)?);
        }
        Ok(status)
    }

    /// Lets the page say why a script could not be read.
    fn note_unread(&mut self, file: &str, error: &Error) {
        if let (Some(page), Some(problem)) = (&mut self.page, error.messages().first()) {
            page.add(AssertionReport::new(file).stopped_by(problem, error.sources()));
        }
    }

    /// Decides the picked assertions of one script; the scripts `later` come after it. Breaks if
    /// nothing more is to be done.
    fn script(
        &mut self,
        file: &str,
        later: &[String],
        loaded: &Loaded,
        console: &mut Console<'_>,
    ) -> io::Result<ControlFlow<Status, Status>> {
        let call = self.call;
        let script = &loaded.script;
        let mut status = console.problems(&loaded.warnings(&self.options), script.sources());
        let assertions = script.assertions();
        let picked = assertions
            .iter()
            .enumerate()
            .filter(|(index, assertion)| self.selection.picks(*index, assertion, &mut self.picked));
        let picked: Vec<usize> = picked.map(|(index, _)| index).collect();
        let open = picked.iter().map(|&index| OpenVerdict {
            report: script.undecided(index, &self.options),
            place: Some(script.place(index)),
        });
        let open = open.chain(later.iter().map(|file| OpenVerdict::file(file)));
        let open: Arc<[OpenVerdict]> = open.collect();
        let sources = Arc::new(script.sources().clone());
        // Values are printed before assertions are decided, and may take long: if the run ends
        // there, all assertions are open.
        console.pending(Unsaid::Verdicts(self.remaining(
            open.clone(),
            0,
            sources.clone(),
        )));
        status = status.max(self.print_values(script, console)?);
        if assertions.is_empty() && !call.telling.quiet {
            console.remark(&format!("{file} has no assertions"));
        }
        let first_in_page = self.announce(script, &picked);
        let options = self.options.clone();
        let mut checks = script.checks(&options);
        for (position, &index) in picked.iter().enumerate() {
            let remaining = self.remaining(open.clone(), position, sources.clone());
            if let Some(limit) = console.monitor().ends_run() {
                let status = self.give_up(&remaining, limit, status, console)?;
                return Ok(ControlFlow::Break(status));
            }
            // Within the turn, because what ends the run from outside reports the numbers of the
            // present work for the first assertion that is open.
            let begin = |console: &mut Console<'_>| console.pending(Unsaid::Verdicts(remaining));
            let in_page = first_in_page.map(|first| first + position);
            let title = format!("assert {}", assertions[index]);
            let answer = self.decided(&mut checks, (script, index, title), in_page, begin, console);
            let said = self.said(&answer, console.monitor().ends_run());
            let is_last = position + 1 == open.len();
            let rest = self.remaining(open.clone(), position + 1, sources.clone());
            let rest = (!is_last).then_some(rest);
            let outcome = status_of(&answer);
            console.answer(&said, outcome, rest.map(Unsaid::Verdicts))?;
            status = status.max(outcome);
        }
        Ok(ControlFlow::Continue(status))
    }

    /// Lets the page have the assertions that are `picked`, undecided until they have an answer.
    /// Returns the position of the first of them.
    fn announce(&mut self, script: &Script, picked: &[usize]) -> Option<usize> {
        let page = self.page.as_mut()?;
        let mut first = None;
        for &index in picked {
            let position = page.add(script.undecided(index, &self.options));
            first.get_or_insert(position);
        }
        first
    }

    /// Decides the assertion at `index` of `script` in a turn of its own, which `begin` begins. The
    /// page gets the answer at the position `in_page`.
    fn decided(
        &mut self,
        checks: &mut Checks<'_>,
        (script, index, title): (&Script, usize, String),
        in_page: Option<usize>,
        begin: impl FnOnce(&mut Console<'_>),
        console: &mut Console<'_>,
    ) -> Answer {
        let monitor = console.monitor().clone();
        let (options, cluster) = (&self.options, &mut self.cluster);
        let (mut answer, drawing) = monitor.turn_of(title, |task| {
            begin(console);
            let answer = match cluster {
                Some(cluster) => cluster.ask(
                    || checks.check(index, task),
                    |answer| answer.problem.is_some(),
                ),
                None => checks.check(index, task),
            };
            // What is asked for every value of a constant is about other instances, too.
            let is_drawn = in_page.is_some() && answer.report.for_all.is_none();
            let drawing = is_drawn.then(|| drawing(script, index, options, task));
            let drawing = drawing.flatten();
            (answer, drawing)
        });
        if let (Some(page), Some(position)) = (&mut self.page, in_page) {
            page.answer(position, answer.report.clone(), drawing);
        }
        if !self.call.explain {
            answer.report.leave_out_explanations();
        }
        answer
    }

    /// Writes the values of the `print` declarations: results in text, remarks beside JSON.
    fn print_values(&self, script: &Script, console: &mut Console<'_>) -> io::Result<Status> {
        let call = self.call;
        let mut status = Status::Holds;
        let mut printing = script.printing(&self.options);
        for (index, print) in script.prints().iter().enumerate() {
            let monitor = console.monitor().clone();
            let value =
                monitor.turn_of(format!("print {print}"), |task| printing.value(index, task));
            match value {
                Ok(_) if call.telling.quiet => {}
                Ok(value) if call.format == Format::Text => {
                    console.result(&format!("{value}\n"))?;
                }
                Ok(value) => console.remark(&value),
                Err(error) => {
                    status = status.max(console.problems(&error.messages(), error.sources()));
                }
            }
        }
        Ok(status)
    }

    /// What is printed of an assertion, below the name of its script; `limit` ends the run, if
    /// anything does.
    fn said(&mut self, answer: &Answer, limit: Option<Limit>) -> Said {
        let call = self.call;
        let mut said = said(answer, call.format, call.telling.detail());
        let warnings = rendered_warnings(answer, call.telling.quiet);
        let new = warnings.filter(|warning| self.warned.insert(warning.clone()));
        said.err.extend(new);
        let file = &answer.report.file;
        if call.format == Format::Text && self.heading.as_ref() != Some(file) {
            self.heading = Some(file.clone());
            if !call.telling.quiet {
                said.out = format!("{file}\n{}", said.out);
            }
        }
        let ends_run = limit.map(|limit| limit.diagnostic().message);
        let messages = answer.problem.as_ref().map(Error::messages);
        let mut messages = messages.iter().flatten();
        // What ends the run may have ended this assertion too: its message is not repeated then.
        self.is_told |= messages.any(|problem| Some(&problem.message) == ends_run.as_ref());
        said
    }

    /// All that is open from number `from` on.
    fn remaining(
        &self,
        all: Arc<[OpenVerdict]>,
        from: usize,
        sources: Arc<SourceMap>,
    ) -> RemainingVerdicts {
        RemainingVerdicts {
            format: self.call.format,
            detail: self.call.telling.detail(),
            heading: self.heading.clone(),
            all,
            from,
            sources,
        }
    }

    /// Reports all that is left where `limit` ends the run.
    fn give_up(
        &self,
        remaining: &RemainingVerdicts,
        limit: Limit,
        status: Status,
        console: &mut Console<'_>,
    ) -> io::Result<Status> {
        let said = remaining.left(limit, self.is_told);
        console.answer(&said, Status::Undecided, None)?;
        Ok(status.max(Status::Undecided))
    }
}

/// One verdict, and the message if there is none.
pub(super) fn said(answer: &Answer, format: Format, detail: Detail) -> Said {
    let report = &answer.report;
    let problem = answer.problem.as_ref();
    let messages = problem.map(|error| Said::messages(&error.messages(), error.sources()));
    Said {
        out: match format {
            Format::Text => render(report, detail),
            Format::Json => report.json() + "\n",
        },
        ..messages.unwrap_or_default()
    }
}

/// The warnings of a check, with their excerpts; none where only failures are wanted.
pub(super) fn rendered_warnings(answer: &Answer, is_quiet: bool) -> impl Iterator<Item = String> {
    let warnings = answer.warnings.iter().filter(move |_| !is_quiet);
    warnings.map(|warning| warning.render(&answer.sources))
}

/// What an answer stands for.
pub(super) fn status_of(answer: &Answer) -> Status {
    Status::of_verdict(answer.report.verdict)
}

/// Writes what keeps a check from beginning, such as what is wrong with the folder in which
/// searches are to keep their states.
pub(super) fn not_begun(
    file: &str,
    format: Format,
    problem: Diagnostic,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let failure = Error::new(vec![problem], SourceMap::new());
    not_loaded(file, format, &failure, console)
}

/// Writes why nothing of a script could be checked.
pub(super) fn not_loaded(
    file: &str,
    format: Format,
    failure: &Error,
    console: &mut Console<'_>,
) -> io::Result<Status> {
    let report = AssertionReport::new(file);
    let line: OneLine =
        Arc::new(move |problem, sources| report.clone().stopped_by(problem, sources).json());
    console.failure(failure, (format == Format::Json).then_some(&line))
}
