//! The texts that a lab's script is put together from, and how one of them finds the others.

use std::path::Path;

use base::source::FileId;
use syntax::{Loader, NotIncluded};

/// A name and the text that it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabText<'t> {
    /// As messages call it.
    pub name: &'t str,
    /// The whole text.
    pub text: &'t str,
}

/// What a lab's script is put together from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabTexts<'t> {
    /// The script with the checks.
    pub checks: LabText<'t>,
    /// As it names the student's script in its include.
    pub start: &'t str,
    /// The student's script.
    pub work: LabText<'t>,
    /// What that includes.
    pub given: LabText<'t>,
}

/// The lab's script is the root of what is read.
pub(super) const LAB: FileId = FileId(0);

/// The files of a lab. What is given comes from the program, so that nobody can change it, and no
/// other file is read: submissions are written by strangers.
pub(super) struct Inside<'i> {
    pub(super) texts: &'i LabTexts<'i>,
    /// What is left of the student's script.
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
            Ok((given.name.to_string(), given.text.to_string()))
        } else {
            let reason = format!("in a lab only `{}` can be included", given.name);
            Err(NotIncluded::Missing(reason))
        }
    }
}

/// Whether `path` leads to a file called `name`.
pub(super) fn is_named(path: &str, name: &str) -> bool {
    Path::new(path).file_name().is_some_and(|file| file == name)
}
