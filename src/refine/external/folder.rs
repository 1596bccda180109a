//! Where a search keeps its files: the only place outside the command line where files are made and removed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of one search.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folders of searches in `directory`, in the order in which they were made.
    pub(super) fn all(directory: &Path) -> io::Result<Vec<Self>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(directory)? {
            let name = entry?.file_name();
            numbers.extend(name.to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        let folder = |number: u64| Self(directory.join(number.to_string()));
        Ok(numbers.into_iter().map(folder).collect())
    }

    /// A new one, beside the `others` in `directory`.
    pub(super) fn new(directory: &Path, others: &[Self]) -> io::Result<Self> {
        let last = others.last().and_then(|folder| folder.0.file_name());
        let last = last.and_then(|name| name.to_str()?.parse::<u64>().ok());
        let folder = directory.join((last.unwrap_or(0) + 1).to_string());
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A new file, which replaces any of that name.
    pub(super) fn create(&self, name: &str) -> io::Result<File> {
        self.options()
            .create(true)
            .truncate(true)
            .open(self.0.join(name))
    }

    /// The file of that name, if there is one.
    pub(super) fn open(&self, name: &str) -> io::Result<Option<File>> {
        match self.options().open(self.0.join(name)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        options
    }

    /// Removes a file.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// Removes all files but these.
    pub(super) fn keep(&self, names: &[&str]) -> io::Result<()> {
        for entry in fs::read_dir(&self.0)? {
            let name = entry?.file_name();
            if !name.to_str().is_some_and(|name| names.contains(&name)) {
                fs::remove_file(self.0.join(name))?;
            }
        }
        Ok(())
    }

    /// Has the names of its files on the disk itself, where that can be asked for.
    pub(super) fn sync(&self) -> io::Result<()> {
        if cfg!(unix) {
            File::open(&self.0)?.sync_all()?;
        }
        Ok(())
    }
}
