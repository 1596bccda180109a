//! `cspsym check FILE...`: every assertion of the scripts, in order.

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use base::diag::{Diagnostic, Severity};
use checker::{Checks, Error, Script};
use report::assertion::AssertionReport;
use report::message::PlaceReport;

use super::jobs::{self, Handed, Jobs};
use super::told::ToldAnswer;
use super::totals::Totals;
use super::verdicts::{AskedAssertion, Verdicts, tells_of};
use host::arguments::CheckCall;
use host::console::Console;
use host::files::Files;
use host::limits::Limit;
use host::load::{Loaded, SharedDefinitions};
use host::named::{are_looked_for, named_scripts};
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::remaining::{OpenVerdict, RemainingVerdicts, VerdictPrinter};
use host::selection::Selection;
use host::status::Status;

/// Checks the scripts one after the other; an error in one does not keep the others from being
/// checked.
pub(super) fn run(call: &CheckCall, files: &mut Files, console: &mut Console<'_>) -> CallEnd {
    if call.jobs.job {
        return jobs::work(call, files, console);
    }
    let printer = VerdictPrinter::of(&call.checking);
    let first = RemainingVerdicts::unread(printer, &call.files[..1]);
    console.announce(Unsaid::Verdicts(first.clone()));
    if are_looked_for(&call.files) {
        // It may take long.
        console.pending(Unsaid::Verdicts(first.clone()));
    }
    let scripts = named_scripts(&call.files)?;
    let definitions = &call.checking.common().definitions;
    let mut checking = ScriptsCheck {
        call,
        files: &scripts,
        totals: Totals::default(),
        definitions: SharedDefinitions::new(definitions, scripts.len()),
        selection: Selection::new(&call.assertions),
        picked: vec![false; call.assertions.len()],
        is_told: false,
        verdicts: Verdicts::begin(&call.checking, &call.records, console)?,
        jobs: Jobs::start(call, &scripts, console.monitor()),
    };
    checking.verdicts.printer.name_files(scripts.len() > 1);
    if checking.scripts(files, console)?.is_continue() {
        checking.unused_picks(&first, console)?;
        checking.unused_definitions(&first, console)?;
    }
    checking.say_totals(console)?;
    checking.note_unkept();
    checking.verdicts.end(console);
    Ok(())
}

/// The check of all scripts of a call, with what is printed so far.
struct ScriptsCheck<'a> {
    call: &'a CheckCall,
    /// The scripts, with those of folders.
    files: &'a [String],
    /// The verdicts so far.
    totals: Totals,
    /// The constants that are replaced.
    definitions: SharedDefinitions<'a>,
    selection: Selection,
    /// For each `--assertion`, true if it picked something.
    picked: Vec<bool>,
    /// True if the message about the end of the run was printed.
    is_told: bool,
    verdicts: Verdicts,
    /// The scripts that are checked beside the present one.
    jobs: Option<Jobs>,
}

impl ScriptsCheck<'_> {
    /// Decides the picked assertions of all scripts. Breaks if some were not read or not decided.
    fn scripts(
        &mut self,
        files: &mut Files,
        console: &mut Console<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let call = self.call;
        let mut are_all_read = true;
        for (index, file) in self.files.iter().enumerate() {
            // The assertions of a script are not known until it is read, so the file itself stands
            // for them.
            let printer = self.verdicts.printer.clone();
            let remaining = RemainingVerdicts::unread(printer, &self.files[index..]);
            if let Some(limit) = console.monitor().ends_run() {
                return self.give_up(&remaining, limit, console);
            }
            console.monitor().begin(file.clone());
            console.pending(Unsaid::Verdicts(remaining));
            let read = self.definitions.read(file, files);
            if let Some(cluster) = &mut self.verdicts.cluster {
                let sources = match &read {
                    Ok(loaded) => loaded.script.sources(),
                    Err(error) => error.sources(),
                };
                let asked = format!("{:?}", call.assertions);
                if let Err(problem) = cluster.compare(sources, &self.verdicts.options, asked) {
                    console.failure(&problem.into())?;
                    return Ok(ControlFlow::Break(()));
                }
            }
            match read {
                Ok(loaded) => {
                    if self.script(index, &loaded, console)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Err(error) => {
                    are_all_read = false;
                    self.note_unread(file, &error);
                    console.failure(&error)?;
                }
            }
        }
        Ok(match are_all_read {
            true => ControlFlow::Continue(()),
            // The assertion that was picked may well be in a script that could not be read.
            false => ControlFlow::Break(()),
        })
    }

    /// Reports each constant to be replaced that no script has. In JSON the report names the script
    /// `first`.
    fn unused_definitions(
        &self,
        first: &RemainingVerdicts,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        for problem in self.definitions.unused() {
            console.announce(Unsaid::Verdicts(first.clone()));
            console.failure(&problem.into())?;
        }
        Ok(())
    }

    /// Says how many assertions of several scripts hold.
    fn say_totals(&self, console: &mut Console<'_>) -> io::Result<()> {
        let is_wanted = self.files.len() > 1 && !self.verdicts.printer.is_json();
        match is_wanted && !self.call.checking.quiet {
            true => console.result(&self.totals.text()),
            false => Ok(()),
        }
    }

    /// Reports each `--assertion` that picked nothing: that is most likely a slip. In JSON the
    /// report names the `first` script.
    fn unused_picks(&self, first: &RemainingVerdicts, console: &mut Console<'_>) -> io::Result<()> {
        let picks = self.call.assertions.iter().zip(&self.picked);
        for (text, _) in picks.filter(|(_, picked)| !**picked) {
            let message = format!("`--assertion {text}` picks no assertion");
            let problem = Diagnostic::error("no-such-assertion", message).hint(
                "give a number, counted from 1, or a part of the text; without --assertion all are checked",
            );
            console.announce(Unsaid::Verdicts(first.clone()));
            console.failure(&problem.into())?;
        }
        Ok(())
    }

    /// Notes the reason why a script could not be read.
    fn note_unread(&mut self, file: &str, error: &Error) {
        self.totals.unread += 1;
        self.record(file, AssertionReport::new(file), error);
    }

    /// Adds to the records that `error` is why there is nothing to tell of what `report` is about.
    fn record(&mut self, file: &str, report: AssertionReport, error: &Error) {
        let messages = error.messages();
        let mistake = messages
            .iter()
            .find(|problem| problem.severity == Severity::Error);
        let (Some(records), Some(problem)) =
            (&mut self.verdicts.records, mistake.or(messages.first()))
        else {
            return;
        };
        let sources = error.sources();
        let place = problem.labels.first();
        let place = place.map(|(span, _)| PlaceReport::of(*span, "", sources));
        records.add(file, report.stopped_by(problem, sources), place);
    }

    /// Decides the picked assertions of the script with this number. Breaks if nothing more is to
    /// be done.
    fn script(
        &mut self,
        number: usize,
        loaded: &Loaded,
        console: &mut Console<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let files = self.files;
        let (file, later) = (&files[number], &files[number + 1..]);
        let script = &loaded.script;
        let options = self.verdicts.options.clone();
        console.problems(&loaded.warnings(&options), script.sources());
        let assertions = script.assertions();
        let picked = assertions.iter().enumerate();
        let picked = picked
            .filter(|(index, assertion)| self.selection.picks(*index, assertion, &mut self.picked));
        let picked: Vec<usize> = picked.map(|(index, _)| index).collect();
        let all = self.remaining(script, &picked, later);
        // Values are printed before assertions are decided, and may take long: if the run ends
        // there, all assertions are open.
        console.pending(Unsaid::Verdicts(all.clone()));
        self.print_values(file, script, console)?;
        if assertions.is_empty() && !self.call.checking.quiet {
            console.remark(&format!("{file} has no assertions"));
        }
        self.totals.scripts += 1;
        let first_in_records = self.announce(file, script, &picked);
        let key = self.verdicts.key(script);
        let mut checks = script.checks(&options);
        for (position, &index) in picked.iter().enumerate() {
            let remaining = all.rest(&self.verdicts.printer, position);
            if let Some(limit) = console.monitor().ends_run() {
                return self.give_up(&remaining, limit, console);
            }
            let asked = AskedAssertion {
                script,
                key: &key,
                index,
                text: &assertions[index],
            };
            let answer = self.answer(number, &mut checks, &asked, &remaining, console);
            let mut answer = match answer {
                Ok(answer) => answer,
                Err(limit) => return self.give_up(&remaining, limit, console),
            };
            self.note_answer(first_in_records.map(|first| first + position), &mut answer);
            // The limit that ends the run may have ended this assertion too: its message is not
            // repeated then.
            self.totals.count(answer.report.verdict);
            self.is_told |= tells_of(&answer, console.monitor().ends_run());
            let verdict = self.verdicts.printer.listed(&answer.report);
            let is_last = position + 1 == all.all.len();
            let rest = (!is_last).then(|| all.rest(&self.verdicts.printer, position + 1));
            let rest = rest.map(Unsaid::Verdicts);
            self.verdicts.answer(&answer, verdict, rest, console)?;
        }
        leave(checks, later.is_empty());
        Ok(ControlFlow::Continue(()))
    }

    /// The assertions of `script` that are `picked`, and the scripts `later`, of which none has a
    /// verdict yet.
    fn remaining(&self, script: &Script, picked: &[usize], later: &[String]) -> RemainingVerdicts {
        let open = picked.iter().map(|&index| OpenVerdict {
            report: script.undecided(index, &self.verdicts.options),
            place: Some(script.place(index)),
        });
        RemainingVerdicts {
            printer: self.verdicts.printer.clone(),
            all: open
                .chain(later.iter().map(|file| OpenVerdict::file(file)))
                .collect(),
            from: 0,
            sources: Arc::new(script.sources().clone()),
        }
    }

    /// Adds the assertions that are `picked` to the records, undecided until they have an answer.
    /// Returns the position of the first of them.
    fn announce(&mut self, file: &str, script: &Script, picked: &[usize]) -> Option<usize> {
        let records = self.verdicts.records.as_mut()?;
        let options = &self.verdicts.options;
        let added = picked.iter().map(|&index| {
            let place = PlaceReport::of(script.place(index), "", script.sources());
            records.add(file, script.undecided(index, options), Some(place))
        });
        added.min()
    }

    /// The answer to what is `asked` of the script with this number: from the process that checks
    /// it, if there is one. Fails if a limit of the run was reached before it came.
    fn answer(
        &mut self,
        number: usize,
        checks: &mut Checks<'_>,
        asked: &AskedAssertion<'_>,
        remaining: &RemainingVerdicts,
        console: &Console<'_>,
    ) -> Result<ToldAnswer, Limit> {
        let monitor = console.monitor();
        // Called within the turn, because the thread that ends the run from outside reports the
        // numbers of the present work for the first assertion that is open.
        let begin = || console.pending(Unsaid::Verdicts(remaining.clone()));
        if let Some(jobs) = &mut self.jobs {
            monitor.wait_for(format!("{}, {}", asked.title(), jobs.beside()));
            begin();
            match jobs.answer(number, asked.index, &asked.key.digest(), monitor) {
                Some(Handed::Answer(mut answer)) => {
                    answer.report.memory_limit = self.verdicts.options.memory_limit.clone();
                    return Ok(*answer);
                }
                Some(Handed::Ended(why, is_first)) => {
                    let report = asked.script.undecided(asked.index, &self.verdicts.options);
                    return Ok(ToldAnswer::ended(asked, report, why, is_first));
                }
                Some(Handed::RunEnds(limit)) => return Err(limit),
                None => {}
            }
        }
        Ok(self.verdicts.decided(checks, asked, monitor, begin))
    }

    /// Notes the answer in the records, at this position.
    fn note_answer(&mut self, in_records: Option<usize>, answer: &mut ToldAnswer) {
        if let (Some(records), Some(position)) = (&mut self.verdicts.records, in_records) {
            records.answer(position, answer.report.clone(), answer.drawing.take());
        }
        if !self.call.checking.explain {
            answer.report.leave_out_explanations();
        }
    }

    /// Notes that a process that has checked a script could not keep a verdict, if one could not.
    fn note_unkept(&mut self) {
        let why = self.jobs.as_mut().and_then(|jobs| jobs.unkept.take());
        if let (Some(cache), Some(why)) = (self.verdicts.cache(), why) {
            cache.note_unkept(why);
        }
    }

    /// Writes the values of the `print` declarations: results in text, remarks beside JSON. A
    /// record has those that have none.
    fn print_values(
        &mut self,
        file: &str,
        script: &Script,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let printer = self.verdicts.printer.clone();
        let options = self.verdicts.options.clone();
        let mut printing = script.printing(&options);
        for (index, print) in script.prints().iter().enumerate() {
            let monitor = console.monitor().clone();
            let value =
                monitor.turn_of(format!("print {print}"), |task| printing.value(index, task));
            match value {
                Ok(_) if printer.is_quiet() => {}
                Ok(value) if printer.is_json() => console.remark(&value),
                Ok(value) => console.result(&format!("{value}\n"))?,
                Err(error) => {
                    console.problems(&error.messages(), error.sources());
                    let report = AssertionReport::new(format!("print {print}"));
                    self.record(file, report, &error);
                }
            }
        }
        Ok(())
    }

    /// Reports all assertions that are left where `limit` ends the run.
    fn give_up(
        &mut self,
        remaining: &RemainingVerdicts,
        limit: Limit,
        console: &mut Console<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let left = remaining.stopped(limit);
        self.totals.count_left(&left);
        if let Some(records) = &mut self.verdicts.records {
            records.leave(left);
        }
        let said = remaining.left(limit, self.is_told);
        console.answer(&said, Status::Undecided, None)?;
        Ok(ControlFlow::Break(()))
    }
}

/// Gives the values of a script back, or if it `is_last` leaves them to the system, which takes all
/// memory back at once when the run ends. To free millions of values one by one takes seconds.
fn leave(checks: Checks<'_>, is_last: bool) {
    if is_last {
        mem::forget(checks);
    }
}
