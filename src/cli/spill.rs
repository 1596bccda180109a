//! `--spill` and `--resume`: the folder in which searches keep their states, locked.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::checker::Storage;
use crate::diag::{Diagnostic, Result};
use crate::refine::external::failed;

/// Options of the subcommands that search.
#[derive(Args, Debug)]
pub(crate) struct StorageArguments {
    /// Keep the states of searches in the folder DIR, which has to be new or empty, and little in
    /// memory: for checks that need more memory than there is; in FD what a state leads to along τ
    /// stays in memory
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    spill: Option<PathBuf>,
    /// Go on with the searches that were begun with --spill DIR, by a call that was stopped or
    /// killed
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// How much memory such a search may take, for tests
    #[arg(long, value_name = "BYTES", hide = true)]
    spill_budget: Option<usize>,
}

/// The folder, locked for as long as this value lives.
#[derive(Debug)]
pub(crate) struct LockedFolder {
    pub(super) storage: Storage,
    _lock: File,
}

/// The file that is locked while a call uses the folder. The file is never removed: the system
/// releases the lock of a call that was killed.
const LOCK: &str = "lock";

impl StorageArguments {
    /// The folder, if one was given.
    pub(super) fn open(&self) -> Result<Option<LockedFolder>> {
        let (directory, resumes) = match (&self.spill, &self.resume) {
            (None, None) => return Ok(None),
            (Some(directory), _) => (directory, false),
            (None, Some(directory)) => (directory, true),
        };
        let unusable = |error: io::Error| failed(directory, &error);
        if resumes {
            // Each call with `--spill` leaves this file, so a folder without it was never one of
            // searches.
            if !directory.join(LOCK).is_file() {
                return no_search(directory).into();
            }
        } else {
            // The folder is looked at before the lock is made in it, so that a folder with other
            // things in it stays as it is.
            fs::create_dir_all(directory).map_err(unusable)?;
            refuse_used(directory)?;
        }
        let lock = lock(directory)?;
        if !resumes {
            // Another call may have used it since.
            refuse_used(directory)?;
        }
        Ok(Some(LockedFolder {
            storage: Storage {
                directory: directory.clone(),
                resumes,
                budget: self.spill_budget,
            },
            _lock: lock,
        }))
    }
}

/// Refuses a folder that has anything in it but a lock.
fn refuse_used(directory: &Path) -> Result<()> {
    let entries = fs::read_dir(directory).map_err(|error| failed(directory, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(directory, &error))?;
        if entry.file_name() != LOCK {
            let message = format!("the folder `{}` is not empty", directory.display());
            return Diagnostic::error("spill-directory", message)
                .hint("go on with what is in it by --resume instead of --spill, or give a folder that is new")
                .into();
        }
    }
    Ok(())
}

fn no_search(directory: &Path) -> Diagnostic {
    let message = format!(
        "there is no search to go on with in `{}`",
        directory.display()
    );
    Diagnostic::error("spill-directory", message)
        .hint("give the folder of --spill; a search that is not begun yet begins with --spill DIR")
}

fn lock(directory: &Path) -> Result<File> {
    let mut options = File::options();
    let options = options.create(true).truncate(false).write(true);
    let opened = options.open(directory.join(LOCK));
    let file = opened.map_err(|error| failed(directory, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => failed(directory, &error).into(),
        Err(TryLockError::WouldBlock) => {
            let message = format!("the folder `{}` is in use", directory.display());
            Diagnostic::undecided("spill-in-use", message)
                .note("another call of cspsym keeps the states of its searches there")
                .hint("wait for its end, or give another folder with --spill")
                .into()
        }
    }
}
