//! A student's folder: the script in it, and the lab that it belongs to.

use std::path::Path;

use crate::checker::{Definition, Error, Script};
use crate::cli::arguments::lab::LabPlace;
use crate::cli::files::Files;
use crate::diag::Diagnostic;
use crate::lab::sheet::{LabTask, Sheet};
use crate::lab::work::StudentWork;
use crate::source::SourceMap;
use crate::syntax::{Loader, NotIncluded};

use super::shelf::{self, CHECKS, GIVEN, START, ShelvedLab};

/// What a student has so far.
pub(in crate::cli) struct LabFolder {
    /// The lab.
    pub(in crate::cli) lab: &'static ShelvedLab,
    /// What it demands.
    pub(in crate::cli) sheet: Sheet,
    /// What the student predicted.
    pub(in crate::cli) work: StudentWork,
    /// The name of the student's script.
    pub(in crate::cli) file: String,
    /// Its text.
    pub(in crate::cli) text: String,
}

impl LabFolder {
    /// Reads what is at `place`.
    pub(super) fn open(place: &LabPlace, files: &mut Files) -> Result<Self, Error> {
        let file = script_at(&place.path);
        if !Path::new(&file).is_file() {
            let message = format!("there is no `{file}`, so this is no folder of a lab");
            let hint = "go into the folder of the lab, or name it with --in; `cspsym lab start NAME` makes one";
            let problem = Diagnostic::error("no-lab-here", message).hint(hint);
            return Err(Error::new(vec![problem], SourceMap::new()));
        }
        let text = files.read(&file);
        let text = text.map_err(|problem| Error::new(vec![*problem], SourceMap::new()))?;
        Self::of(file, text, place.lab.as_deref())
    }

    /// The folder whose script `file` has this text; `lab` is the lab if the text need not say.
    pub(in crate::cli) fn of(file: String, text: String, lab: Option<&str>) -> Result<Self, Error> {
        let mut sources = SourceMap::new();
        let id = sources.add(file.clone(), text.clone());
        let wrong = |problem: Box<Diagnostic>| Error::new(vec![*problem], sources.clone());
        let work = StudentWork::read(&text, id).map_err(wrong)?;
        let Some(name) = lab.or(work.lab.as_deref()) else {
            let message = format!("`{file}` does not say to which lab it belongs");
            let hint = "its first line should be `--? lab NAME`; or say --lab NAME";
            let problem = Diagnostic::error("no-lab-here", message).hint(hint);
            return Err(Error::new(vec![problem], SourceMap::new()));
        };
        if let Some(said) = work.lab.as_deref().filter(|said| *said != name) {
            let message = format!("`{file}` belongs to the lab `{said}`, not to `{name}`");
            let problem = Diagnostic::error("no-lab-here", message);
            return Err(Error::new(vec![problem], SourceMap::new()));
        }
        let lab = shelf::lab(name)?;
        let sheet = lab.sheet()?;
        work.fits(&sheet).map_err(wrong)?;
        Ok(Self {
            lab,
            sheet,
            work,
            file,
            text,
        })
    }

    /// The task `number`.
    pub(in crate::cli) fn task(&self, number: u32) -> Result<&LabTask, Error> {
        self.sheet.task(number).ok_or_else(|| {
            let message = format!("the lab `{}` has no task {number}", self.lab.name);
            let problem = Diagnostic::error("unknown-task", message);
            let hint = format!("its tasks are 1 to {}", self.sheet.tasks.len());
            Error::new(vec![problem.hint(hint)], SourceMap::new())
        })
    }

    /// The lab's script with the student's in it, where `definitions` replace constants.
    pub(in crate::cli) fn script(&self, definitions: &[Definition]) -> Result<Script, Error> {
        Script::read(CHECKS, self.lab.checks, &mut Inside(self), definitions)
    }
}

/// The student's script at `path`, which may be that script itself.
pub(super) fn script_at(path: &str) -> String {
    let place = Path::new(path);
    match path {
        "." => START.to_string(),
        _ if place.is_file() => path.to_string(),
        _ => place.join(START).to_string_lossy().into_owned(),
    }
}

/// The files of a lab. What is given comes from the program, so that nobody can change it, and no
/// other file is read: submissions are written by strangers.
struct Inside<'f>(&'f LabFolder);

impl Loader for Inside<'_> {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        root: &str,
    ) -> Result<(String, String), NotIncluded> {
        let name = Path::new(path).file_name();
        if including == root && path == START {
            Ok((self.0.file.clone(), self.0.text.clone()))
        } else if name.is_some_and(|name| name == GIVEN) {
            Ok((GIVEN.to_string(), self.0.lab.given.to_string()))
        } else {
            let reason = format!("in a lab only `{GIVEN}` can be included");
            Err(NotIncluded::Missing(reason))
        }
    }
}
