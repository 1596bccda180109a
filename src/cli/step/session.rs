//! A walk in the terminal: requests in, what is seen out.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};

use checker::{Error, Walker};
use report::walk::WalkReport;

use super::request::{HELP, Request};
use host::console::Console;

/// What stands before a request.
const PROMPT: &str = "> ";

/// A walk, and where it is shown.
pub(super) struct Session<'s, 'w, 'c, 'o> {
    walker: &'s mut Walker<'w>,
    console: &'c mut Console<'o>,
    /// The steps of the real run, and those that were taken back since: `goto` goes forward to
    /// them.
    path: Vec<String>,
    /// Whether symmetries were asked about: since then what is shown says on which track it is.
    names_tracks: bool,
}

impl<'s, 'w, 'c, 'o> Session<'s, 'w, 'c, 'o> {
    /// A session that begins where `walker` is.
    pub(super) fn new(walker: &'s mut Walker<'w>, console: &'c mut Console<'o>) -> Self {
        let path = walker.path();
        Self {
            walker,
            console,
            path,
            names_tracks: false,
        }
    }

    /// Answers requests until they end; before them says what is wrong with the walk, if anything
    /// is.
    pub(super) fn run(mut self, misfit: Option<&Error>) -> io::Result<()> {
        let is_terminal = io::stdin().is_terminal();
        if let Some(misfit) = misfit {
            self.complain(misfit)?;
        }
        let mut report = self.shown()?;
        let mut lines = io::stdin().lock().split(b'\n');
        loop {
            if is_terminal {
                self.console.result(PROMPT)?;
            }
            let Some(line) = lines.next() else {
                return Ok(());
            };
            // What is no text is no request, and is answered as such.
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            // What is typed stands in a terminal already.
            if !is_terminal {
                self.console.result(&format!("{PROMPT}{line}\n"))?;
            }
            let choices = report.as_ref().map_or(&[][..], |report| &report.choices);
            let request = match Request::read(line, choices) {
                Ok(request) => request,
                Err(reason) => {
                    self.console.result(&(reason + "\n"))?;
                    continue;
                }
            };
            if request == Request::Quit {
                return Ok(());
            }
            if self.carried_out(&request, report.as_ref())? {
                report = self.shown()?;
            }
        }
    }

    /// Shows where the walk is. Returns `None` if that cannot be told.
    fn shown(&mut self) -> io::Result<Option<WalkReport>> {
        match self.walker.report() {
            Ok(report) => {
                // The track of representatives names itself.
                let is_real = report.representatives.is_none();
                let track = match self.names_tracks && is_real {
                    true => "real run, ",
                    false => "",
                };
                self.console.result(&format!("{track}{}", report.text()))?;
                Ok(Some(report))
            }
            Err(error) => {
                self.complain(&error)?;
                Ok(None)
            }
        }
    }

    /// Says what is wrong, as an answer: it ends nothing.
    fn complain(&mut self, error: &Error) -> io::Result<()> {
        self.console
            .result(&format!("{}\n", error.to_string().trim_end()))
    }

    /// Does what is asked. Returns whether the walk is to be shown then.
    fn carried_out(&mut self, request: &Request, report: Option<&WalkReport>) -> io::Result<bool> {
        let here = self.walker.steps();
        self.names_tracks |= request.is_about_symmetry();
        match request {
            Request::Show => return Ok(true),
            Request::Take(position) => return self.take(*position, report),
            Request::Back(steps) => return self.go_to(here.saturating_sub(*steps)),
            Request::GoTo(steps) => return self.go_to(*steps),
            Request::Why(event) => match self.walker.why(event) {
                Ok(why) => self.console.result(&why.text())?,
                Err(error) => self.complain(&error)?,
            },
            Request::Orbit => match self.walker.orbit() {
                Ok(orbit) => self.console.result(&orbit.text())?,
                Err(error) => self.complain(&error)?,
            },
            Request::Apply(permutation) => return self.apply(permutation),
            Request::Representatives => match self.walker.show_representatives() {
                Ok(()) => return Ok(true),
                Err(error) => self.complain(&error)?,
            },
            Request::Real => {
                self.walker.show_real();
                return Ok(true);
            }
            Request::Save(file) => self.save(file.as_deref(), report)?,
            Request::Help => self.console.result(HELP)?,
            Request::Who => self.say(report, WalkReport::who)?,
            Request::Refuses => self.say(report, WalkReport::refuses)?,
            Request::Path => self.say(report, WalkReport::path)?,
            Request::Quit => {}
        }
        Ok(false)
    }

    fn say(
        &mut self,
        report: Option<&WalkReport>,
        text: impl Fn(&WalkReport) -> String,
    ) -> io::Result<()> {
        match report {
            Some(report) => self.console.result(&text(report)),
            None => self
                .console
                .result("the walk cannot be shown here; go back\n"),
        }
    }

    /// Takes a choice. Returns whether that could be done.
    fn take(&mut self, position: usize, report: Option<&WalkReport>) -> io::Result<bool> {
        let Some(choice) = report.and_then(|report| report.choices.get(position)) else {
            return Ok(false);
        };
        if let Err(error) = self.walker.take(&choice.name) {
            self.complain(&error)?;
            return Ok(false);
        }
        // Another way than before leaves nothing to go forward to.
        let path = self.walker.path();
        if !self.path.starts_with(&path) {
            self.path = path;
        }
        Ok(true)
    }

    /// Moves the walk by a permutation, and goes on with the moved run if it is one of the same
    /// process. Returns whether the walk is to be shown then.
    fn apply(&mut self, permutation: &str) -> io::Result<bool> {
        if self.walker.shows_representatives() {
            let said =
                "`apply` moves the real run, and these are representatives; `real` shows it\n";
            self.console.result(said)?;
            return Ok(false);
        }
        let report = match self.walker.orbit_moved(permutation) {
            Ok(report) => report,
            Err(error) => {
                self.complain(&error)?;
                return Ok(false);
            }
        };
        self.console.result(&report.applied_text())?;
        let Some(applied) = report.applied.filter(|applied| !applied.moves_start) else {
            return Ok(false);
        };
        let path: Vec<String> = applied.steps.into_iter().map(|step| step.image).collect();
        if let Err(error) = self.walker.follow(&path) {
            self.complain(&error)?;
        }
        self.path = self.walker.path();
        Ok(true)
    }

    /// Goes to where `steps` steps are taken. Returns whether that could be done.
    fn go_to(&mut self, steps: usize) -> io::Result<bool> {
        let known = self.path.len();
        if steps > known {
            self.console
                .result(&format!("only {known} steps are known\n"))?;
            return Ok(false);
        }
        let path = self.path[..steps].to_vec();
        if let Err(error) = self.walker.follow(&path) {
            self.complain(&error)?;
        }
        Ok(true)
    }

    /// Writes the walk into `file`, which must not be there yet, or shows it.
    fn save(&mut self, file: Option<&str>, report: Option<&WalkReport>) -> io::Result<()> {
        let walk = self.walker.saved().json() + "\n";
        let Some(name) = file else {
            let assertion = report.map_or(String::new(), |report| report.trace_assertion() + "\n");
            return self.console.result(&(walk + &assertion));
        };
        let created = OpenOptions::new().write(true).create_new(true).open(name);
        let written = created.and_then(|mut file| file.write_all(walk.as_bytes()));
        let said = match written {
            Ok(()) => format!("saved; `cspsym step FILE --walk {name}` takes it again\n"),
            Err(error) => format!("`{name}` cannot be written: {error}\n"),
        };
        self.console.result(&said)
    }
}
