//! The folder where a search keeps its files: the only place outside the command line where files
//! are made and removed.

use std::collections::HashMap;
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
            let entry = entry?;
            let number = entry.file_name().to_str().and_then(number);
            numbers.extend(number.filter(|_| entry.path().is_dir()));
        }
        numbers.sort_unstable();
        let folder = |number: u32| Self(directory.join(number.to_string()));
        Ok(numbers.into_iter().map(folder).collect())
    }

    /// A new folder, beside the `others` in `directory`.
    pub(super) fn new(directory: &Path, others: &[Self]) -> io::Result<Self> {
        let last = others.last().and_then(|folder| folder.0.file_name());
        let last = last.and_then(|name| number(name.to_str()?)).unwrap_or(0);
        let folder = directory.join((u64::from(last) + 1).to_string());
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// The path of the folder.
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

    /// The size of each file of the folder, in bytes.
    pub(super) fn sizes(&self) -> io::Result<HashMap<String, u64>> {
        let mut sizes = HashMap::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().into_string() {
                sizes.insert(name, entry.metadata()?.len());
            }
        }
        Ok(sizes)
    }

    /// True if there is nothing in the folder.
    pub(super) fn is_empty(&self) -> io::Result<bool> {
        Ok(fs::read_dir(&self.0)?.next().is_none())
    }

    /// Gives a file another name, and replaces any file of that name.
    pub(super) fn rename(&self, name: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(name), self.0.join(to))
    }

    /// Removes the folder, the files of the names `last` last: as long as they are there, it is
    /// known what the rest was.
    pub(super) fn remove_all(&self, last: &[&str]) -> io::Result<()> {
        self.keep(last)?;
        fs::remove_dir_all(&self.0)
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

    /// Syncs the names of the folder and of its files to the disk itself, where the system can do
    /// that.
    pub(super) fn sync(&self) -> io::Result<()> {
        if cfg!(unix) {
            for folder in [Some(self.0.as_path()), self.0.parent()]
                .into_iter()
                .flatten()
            {
                File::open(folder)?.sync_all()?;
            }
        }
        Ok(())
    }
}

/// The number that is a folder's name.
fn number(name: &str) -> Option<u32> {
    let number = name.parse::<u32>().ok()?;
    (number.to_string() == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_with_numbers_for_names_are_of_searches() {
        let directory = std::env::temp_dir().join(format!("cspsym-{}-folders", std::process::id()));
        for name in [
            "+5",
            "007",
            "3",
            "10",
            "x",
            "-1",
            "1e3",
            "18446744073709551615",
        ] {
            fs::create_dir_all(directory.join(name)).unwrap();
        }
        fs::write(directory.join("12"), "").unwrap();
        let names = |folders: &[Folder]| {
            let names = folders.iter().map(|folder| folder.path().file_name());
            let names = names.map(|name| name.unwrap().to_str().unwrap().to_string());
            names.collect::<Vec<_>>()
        };
        let all = Folder::all(&directory).unwrap();
        assert_eq!(names(&all), ["3", "10"]);
        let new = Folder::new(&directory, &all).unwrap();
        assert_eq!(names(&[new]), ["11"]);
        fs::remove_dir_all(directory).unwrap();
    }
}
