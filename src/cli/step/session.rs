//! A walk in the terminal: reads requests, and prints answers.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};

use base::number::counted;
use checker::{Error, Walker};
use report::json::json;
use report::walk::WalkReport;

use super::request::{HELP, Request};
use host::console::Console;

/// The text before a request.
const PROMPT: &str = "> ";

/// A walk, and what was shown of it.
pub(super) struct Session<'s, 'w> {
    walker: &'s mut Walker<'w>,
    /// The steps of the real run, and those that were taken back since: `goto` goes forward to
    /// them.
    path: Vec<String>,
    /// The present state, as it was shown last; `None` if it could not be shown.
    report: Option<WalkReport>,
    /// True once symmetries were asked about: from then on the output names the track that it is
    /// on.
    names_tracks: bool,
}

impl<'s, 'w> Session<'s, 'w> {
    /// A session that begins at the present state of `walker`.
    pub(super) fn new(walker: &'s mut Walker<'w>) -> Self {
        Self {
            walker,
            path: Vec::new(),
            report: None,
            names_tracks: false,
        }
    }

    /// Takes the walk that was `saved`, if there is one, and answers requests until they end.
    pub(super) fn run(
        mut self,
        saved: Option<&[String]>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let is_terminal = io::stdin().is_terminal();
        console.result(&match saved {
            Some(path) => self.follow(path),
            None => self.show(),
        })?;
        self.path = self.walker.path();
        let mut lines = io::stdin().lock().split(b'\n');
        loop {
            if is_terminal {
                console.result(PROMPT)?;
            }
            let Some(line) = lines.next() else {
                return Ok(());
            };
            // A line that is no text is no request, and is answered as such.
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            // A line that was typed stands in a terminal already.
            if !is_terminal {
                console.result(&format!("{PROMPT}{line}\n"))?;
            }
            let choices = self.report.as_ref().map(|report| &report.choices[..]);
            let answer = match Request::read(line, choices.unwrap_or_default()) {
                Ok(Request::Quit) => return Ok(()),
                Ok(request) => self.answer(&request),
                Err(reason) => Ok(reason + "\n"),
            };
            console.result(&answer.unwrap_or_else(|error| complaint(&error)))?;
        }
    }

    /// Does what the request asks for. A mistake in it ends nothing.
    fn answer(&mut self, request: &Request) -> Result<String, Error> {
        let here = self.walker.steps();
        self.names_tracks |= request.is_about_symmetry();
        Ok(match request {
            Request::Show => self.show(),
            Request::Take(position) => self.take(*position)?,
            Request::Back(steps) => self.go_to(here.saturating_sub(*steps)),
            Request::GoTo(steps) => self.go_to(*steps),
            Request::Why(event) => self.walker.why(event)?.text(),
            Request::Orbit => self.walker.orbit()?.text(),
            Request::Apply(permutation) => self.apply(permutation)?,
            Request::Representatives => {
                self.walker.show_representatives()?;
                self.show()
            }
            Request::Real => {
                self.walker.show_real();
                self.show()
            }
            Request::Save(file) => self.save(file.as_deref()),
            Request::Help => HELP.to_string(),
            Request::Who => self.told(WalkReport::who),
            Request::Refuses => self.told(WalkReport::refuses),
            Request::Path => self.told(WalkReport::path),
            Request::Quit => String::new(),
        })
    }

    /// Shows the present state, or the reason why it cannot be shown.
    fn show(&mut self) -> String {
        let report = self.walker.report();
        let shown = match &report {
            // The track of representatives names itself.
            Ok(report) if self.names_tracks && report.representatives.is_none() => {
                format!("real run, {}", report.text())
            }
            Ok(report) => report.text(),
            Err(error) => complaint(error),
        };
        self.report = report.ok();
        shown
    }

    fn told(&self, text: impl Fn(&WalkReport) -> String) -> String {
        let told = self.report.as_ref().map(text);
        told.unwrap_or_else(|| "the walk cannot be shown here; go back\n".to_string())
    }

    /// Takes a choice.
    fn take(&mut self, position: usize) -> Result<String, Error> {
        let mut choices = self.report.iter().flat_map(|report| &report.choices);
        let Some(choice) = choices.nth(position) else {
            return Ok(String::new());
        };
        self.walker.take(&choice.name)?;
        // A step of another way than before leaves nothing to go forward to.
        let path = self.walker.path();
        if !self.path.starts_with(&path) {
            self.path = path;
        }
        Ok(self.show())
    }

    /// Moves the walk by a permutation, and goes on with the moved run if it is one of the same
    /// process.
    fn apply(&mut self, permutation: &str) -> Result<String, Error> {
        if self.walker.shows_representatives() {
            let said =
                "`apply` moves the real run, and these are representatives; `real` shows it\n";
            return Ok(said.to_string());
        }
        let report = self.walker.orbit_moved(permutation)?;
        let mut said = report.applied_text();
        if let Some(applied) = report.applied.filter(|applied| !applied.moves_start) {
            let path: Vec<String> = applied.steps.into_iter().map(|step| step.image).collect();
            said += &self.follow(&path);
            self.path = self.walker.path();
        }
        Ok(said)
    }

    /// Goes to the state after `steps` steps.
    fn go_to(&mut self, steps: usize) -> String {
        let known = self.path.len();
        if steps > known {
            let known = counted(known as u64, "step");
            return format!("the walk has {known} so far, so there is no step {steps}\n");
        }
        let path = self.path[..steps].to_vec();
        self.follow(&path)
    }

    /// Takes the steps with these names, as far as they can be taken.
    fn follow(&mut self, path: &[String]) -> String {
        let misfit = self.walker.follow(path).err();
        misfit.as_ref().map_or(String::new(), complaint) + &self.show()
    }

    /// Writes the walk into `file`, which must not be there yet, or shows it.
    fn save(&self, file: Option<&str>) -> String {
        let walk = json(&self.walker.saved()) + "\n";
        let Some(name) = file else {
            let assertion = self.report.as_ref().map(WalkReport::trace_assertion);
            return walk + &assertion.map_or(String::new(), |assertion| assertion + "\n");
        };
        let created = OpenOptions::new().write(true).create_new(true).open(name);
        let written = created.and_then(|mut file| file.write_all(walk.as_bytes()));
        match written {
            Ok(()) => format!("saved; `cspsym step FILE --walk {name}` takes it again\n"),
            Err(error) => format!("`{name}` cannot be written: {error}\n"),
        }
    }
}

/// The answer to a request with a mistake.
fn complaint(error: &Error) -> String {
    format!("{}\n", error.to_string().trim_end())
}
