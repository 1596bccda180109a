//! A student's folder: the script in it, and the lab that it belongs to.

use std::path::Path;

use crate::game::{KeptGame, LabGame};
use crate::mark::{options_for, replaced};
use crate::reading::LabScript;
use crate::sheet::{LabTask, Sheet};
use crate::texts::{LabText, LabTexts};
use crate::work::StudentWork;
use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::{Definition, Error, Options, RefinementGame, Task};
use host::arguments::lab::LabPlace;
use host::files::Files;
use host::shell::shell_word;
use lab_texts::ShelvedLab;

use super::shelf::{self, GIVEN, NAME_OF_CHECKS, START};

/// The work of a student so far.
pub struct LabFolder {
    /// The lab.
    pub lab: &'static ShelvedLab,
    /// The demands of the lab.
    pub sheet: Sheet,
    /// The predictions of the student.
    pub work: StudentWork,
    /// The name of the student's script.
    pub(crate) file: String,
    /// The text of that script.
    pub text: String,
}

impl LabFolder {
    /// Reads the folder at `place`.
    pub(super) fn open(place: &LabPlace, files: &mut Files) -> Result<Self, Error> {
        let file = script_at(&place.path);
        if !Path::new(&file).is_file() {
            let message = format!("there is no `{file}`, so this is no folder of a lab");
            let hint = "go into the folder of the lab, or name it with --in; `cspsym lab start NAME` makes one";
            return Err(only(Diagnostic::error("no-lab-here", message).hint(hint)));
        }
        let text = files.read(&file).map_err(|problem| only(*problem))?;
        Self::of(file, text, place.lab.as_deref())
    }

    /// The folder whose script `file` has the text `text`. `lab` names the lab if `text` does not.
    pub fn of(file: String, text: String, lab: Option<&str>) -> Result<Self, Error> {
        let mut sources = SourceMap::new();
        let id = sources.add(file.clone(), text.clone());
        let mut work = StudentWork::read(&text, id);
        let Some(name) = lab.or(work.lab.as_deref()) else {
            let message = format!("`{file}` does not say to which lab it belongs");
            let hint = "its first line should be `--? lab NAME`; or say --lab NAME";
            return Err(only(Diagnostic::error("no-lab-here", message).hint(hint)));
        };
        if let Some(said) = work.lab.as_deref().filter(|said| *said != name) {
            let message = format!("`{file}` belongs to the lab `{said}`, not to `{name}`");
            return Err(only(Diagnostic::error("no-lab-here", message)));
        }
        let lab = shelf::lab(name)?;
        let sheet = shelf::sheet(lab)?;
        work.fit(&sheet, sources);
        Ok(Self {
            lab,
            sheet,
            work,
            file,
            text,
        })
    }

    /// The task `number`.
    pub fn task(&self, number: u32) -> Result<&LabTask, Error> {
        self.sheet.task(number).ok_or_else(|| {
            let message = format!("the lab `{}` has no task {number}", self.lab.name);
            let hint = format!("its tasks are 1 to {}", self.sheet.tasks.len());
            only(Diagnostic::error("unknown-task", message).hint(hint))
        })
    }

    /// Plays the game `name`: `play` gets it where the student's script has left it, with the line
    /// that keeps it there, and with a sentence if it could not be taken up. `definitions` replace
    /// constants.
    pub fn play<T>(
        &self,
        name: &str,
        (definitions, options, task): (&[Definition], &Options, &Task),
        play: impl FnOnce(&mut RefinementGame<'_>, KeptGame, Option<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some((check, demand)) = self.sheet.game(name) else {
            return Err(self.unknown_game(name));
        };
        let script = self.script(&replaced(definitions, &check.definitions))?;
        let options = options_for(options, check);
        LabGame::of(&script, &self.sheet, check, demand)?.play(&options, task, |game| {
            let (kept, sentence) = KeptGame::resumed(name, &self.work, game)?;
            play(game, kept, sentence)
        })
    }

    fn unknown_game(&self, name: &str) -> Error {
        let message = format!("the lab `{}` has no game `{name}`", self.lab.name);
        let names: Vec<&str> = self.sheet.games().map(|(_, game)| &*game.name).collect();
        let hint = match &names[..] {
            [] => "no task of it asks for a game".to_string(),
            names => format!("its games are {}", names.join(", ")),
        };
        only(Diagnostic::error("unknown-task", message).hint(hint))
    }

    /// The lab's script with the student's in it. `definitions` replace constants.
    pub fn script(&self, definitions: &[Definition]) -> Result<LabScript, Error> {
        let text = |name, text| LabText { name, text };
        // Two files of one name would seem to include each other.
        let name = match self.file == NAME_OF_CHECKS {
            true => "the checks of the lab",
            false => NAME_OF_CHECKS,
        };
        let texts = LabTexts {
            checks: text(name, self.lab.checks),
            start: START,
            work: text(&self.file, &self.text),
            given: text(GIVEN, self.lab.given),
        };
        LabScript::read(&texts, definitions)
    }
}

/// An error of this problem, which has no place in a script.
pub(super) fn only(problem: Diagnostic) -> Error {
    Error::new(vec![problem], SourceMap::new())
}

/// The words with which a command finds the same script, each with a blank before it.
pub(super) fn words(place: &LabPlace) -> String {
    let mut words = String::new();
    if place.path != "." {
        words += " --in ";
        words += &shell_word(&place.path);
    }
    if let Some(lab) = &place.lab {
        words += " --lab ";
        words += lab;
    }
    words
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_place_that_was_named() {
        let words = |path: &str, lab: Option<&str>| {
            let (path, lab) = (path.to_string(), lab.map(str::to_string));
            words(&LabPlace { path, lab })
        };
        assert_eq!(words(".", None), "");
        assert_eq!(words("my/lab", Some("hanoi")), " --in my/lab --lab hanoi");
        let quoted = shell_word("Ada's lab");
        assert_eq!(words("Ada's lab", None), format!(" --in {quoted}"));
    }
}
