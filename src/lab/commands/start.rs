//! `cspsym lab start NAME [DIR]`: a folder for a student.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::diag::Diagnostic;
use checker::Error;
use host::arguments::lab::LabStartCall;
use lab_texts::ShelvedLab;

use super::folder::only;
use super::shelf::{self, CHECKS, GIVEN, START};

/// Writes the files of the lab, unless some are there, and says what is next.
pub(super) fn begin(call: &LabStartCall) -> Result<String, Error> {
    let lab = shelf::lab(&call.name)?;
    let folder = Path::new(call.folder.as_deref().unwrap_or(lab.name));
    let files: Vec<(PathBuf, &str)> = contents(lab, call.key)
        .into_iter()
        .map(|(name, text)| (folder.join(name), text))
        .collect();
    let present = files
        .iter()
        .find(|(path, _)| path.symlink_metadata().is_ok());
    if let (Some((path, _)), false) = (present, call.overwrite) {
        let message = format!(
            "`{}` is there already, and nothing was written",
            path.display()
        );
        let hint = "name another folder, or overwrite all with --overwrite";
        return Err(only(Diagnostic::error("lab-exists", message).hint(hint)));
    }
    for (path, text) in &files {
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(path, text));
        written.map_err(|error| unwritable(path, &error))?;
    }
    let names: Vec<String> = files
        .iter()
        .map(|(path, _)| format!("  {}\n", path.display()))
        .collect();
    Ok(format!(
        "{}Read {}, write into {START}, and ask there with `cspsym lab check`.\n",
        names.concat(),
        folder.join("lab.md").display()
    ))
}

/// The names and texts of the files.
fn contents(lab: &ShelvedLab, with_key: bool) -> Vec<(&'static str, &'static str)> {
    let student = [
        ("lab.md", lab.guide),
        (START, lab.start),
        (GIVEN, lab.given),
    ];
    let key = [
        (CHECKS, lab.checks),
        ("key/solution.csp", lab.solution),
        ("key/notes.md", lab.notes),
    ];
    let key = key.into_iter().filter(|_| with_key);
    student.into_iter().chain(key).collect()
}

/// The error that a file of a lab cannot be written.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Error {
    let message = format!("`{}` cannot be written: {error}", path.display());
    only(Diagnostic::error("unwritable-lab", message))
}
