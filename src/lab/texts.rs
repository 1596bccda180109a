//! The texts of a lab's script, and the way from one of them to the others.

use std::path::Path;

use base::source::FileId;
use syntax::{Loader, NotIncluded};

/// A text with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabText<'t> {
    /// The name in messages.
    pub name: &'t str,
    /// The whole text.
    pub text: &'t str,
}

/// The texts of a lab's script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabTexts<'t> {
    /// The script with the checks.
    pub checks: LabText<'t>,
    /// The name of the student's script in the include of `checks`.
    pub start: &'t str,
    /// The student's script.
    pub work: LabText<'t>,
    /// The script that the student's script includes.
    pub given: LabText<'t>,
}

/// The number of the lab's script, which is the root file.
pub(super) const LAB: FileId = FileId(0);

/// The number of the student's script, which is the first that the lab's script includes.
pub(super) const WORK: FileId = FileId(1);

/// The files of a lab. The given script comes from the program, so that students cannot change it,
/// and no other file is read: submissions are written by strangers.
pub(super) struct Inside<'i> {
    pub(super) texts: &'i LabTexts<'i>,
    /// The text left of the student's script.
    pub(super) work: &'i str,
}

impl Loader for Inside<'_> {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        root: &str,
    ) -> Result<(String, String), NotIncluded> {
        let LabTexts {
            start, work, given, ..
        } = self.texts;
        if including == root && path == *start {
            Ok((work.name.to_string(), self.work.to_string()))
        } else if is_named(path, given.name) {
            // Two files of one name would seem to include each other.
            let name = match work.name == given.name {
                true => format!("{} of the lab", given.name),
                false => given.name.to_string(),
            };
            Ok((name, given.text.to_string()))
        } else {
            let reason = format!("in a lab only `{}` can be included", given.name);
            Err(NotIncluded::Missing(reason))
        }
    }
}

/// True if `path` leads to a file called `name`.
pub(super) fn is_named(path: &str, name: &str) -> bool {
    Path::new(path).file_name().is_some_and(|file| file == name)
}
