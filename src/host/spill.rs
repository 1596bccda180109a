//! `--spill` and `--resume`: the folder in which searches keep their states, locked.

use std::fs::{self, DirEntry, File, TryLockError};
use std::path::{Path, PathBuf};

use clap::Args;

use base::diag::{Diagnostic, Result};
use checker::Storage;
use refine::external::{failed, is_share_folder, share_folder};

use super::arguments::ClusterArguments;
use super::complaint::complain;

/// Options of the subcommands that search.
#[derive(Args, Debug)]
pub struct StorageArguments {
    /// Keep the states of searches in the folder DIR, which has to be new or empty, and little in
    /// memory: for checks that need more memory than there is; in FD what a state leads to along τ
    /// stays in memory. Each of several processes has a folder in DIR
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    spill: Option<PathBuf>,
    /// Go on with the searches that were begun with --spill DIR, by a call that was stopped or
    /// killed, or by several processes, of which there may be more or fewer now
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// How much memory such a search may take, for tests
    #[arg(long, value_name = "BYTES", hide = true)]
    spill_budget: Option<usize>,
}

/// The folder, locked for as long as this value lives.
#[derive(Debug)]
pub struct LockedFolder {
    /// The folder as a search takes it.
    pub storage: Storage,
    _locks: Vec<File>,
}

/// The file that is locked while a call uses the folder. The file is never removed: the system
/// releases the lock of a call that was killed.
const LOCK: &str = "lock";

impl StorageArguments {
    /// Opens and locks the folder, if one was given. The call may be a process of a `cluster`.
    pub fn open(&self, cluster: &ClusterArguments) -> Result<Option<LockedFolder>> {
        let opened = self.opened(cluster.number());
        // A process that prints no results still says why there are none.
        if let (Err(problem), true) = (&opened, cluster.is_silent()) {
            complain(problem);
        }
        opened
    }

    fn opened(&self, process: Option<usize>) -> Result<Option<LockedFolder>> {
        let (directory, resumes) = match (&self.spill, &self.resume) {
            (None, None) => return Ok(None),
            (Some(directory), _) => (directory, false),
            (None, Some(directory)) => (directory, true),
        };
        // The folder is looked at before a lock is made in it, so that a folder with other things
        // in it stays as it is.
        if resumes {
            refuse_unused(directory, process)?;
        }
        fs::create_dir_all(directory).map_err(|error| failed(directory, &error))?;
        if !resumes {
            refuse_used(directory, process)?;
        }
        let locks = match process {
            None => vec![lock(directory, File::try_lock)?],
            Some(process) => {
                let own = share_folder(directory, process);
                fs::create_dir_all(&own).map_err(|error| failed(&own, &error))?;
                vec![
                    lock(directory, File::try_lock_shared)?,
                    lock(&own, File::try_lock)?,
                ]
            }
        };
        if !resumes {
            // Another call may have used the folder since.
            refuse_used(directory, process)?;
        }
        Ok(Some(LockedFolder {
            storage: Storage {
                directory: directory.clone(),
                resumes,
                budget: self.spill_budget,
            },
            _locks: locks,
        }))
    }
}

/// Refuses a folder without a search that can go on: in `process` number N of several, or in this
/// call alone.
fn refuse_unused(directory: &Path, process: Option<usize>) -> Result<()> {
    // Each call with `--spill` leaves a lock, so a folder without one never was one of searches.
    // The folder of process 0 has one in any case; other processes may be on machines that are new.
    if process.unwrap_or(0) == 0 && !directory.join(LOCK).is_file() {
        return no_search(directory).into();
    }
    let is_share = |entry: &DirEntry| entry.file_name().to_str().is_some_and(is_share_folder);
    if process.is_none() && entries(directory)?.iter().any(is_share) {
        let message = format!(
            "the searches in `{}` are divided between processes",
            directory.display()
        );
        return Diagnostic::undecided("spill-directory", message)
            .hint("go on with them by any number of processes: for one, add --processes 1")
            .into();
    }
    Ok(())
}

/// Refuses a folder that has anything in it but locks: the folder's own, and if this call is one of
/// several processes, theirs.
fn refuse_used(directory: &Path, process: Option<usize>) -> Result<()> {
    for entry in entries(directory)? {
        let name = entry.file_name();
        if name == LOCK {
            continue;
        }
        if process.is_some() && name.to_str().is_some_and(is_share_folder) {
            refuse_used(&entry.path(), None)?;
            continue;
        }
        let message = format!("the folder `{}` is not empty", directory.display());
        return Diagnostic::error("spill-directory", message)
            .hint("go on with what is in it by --resume instead of --spill, or give a folder that is new")
            .into();
    }
    Ok(())
}

fn entries(directory: &Path) -> Result<Vec<DirEntry>> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect);
    entries.map_err(|error| Box::new(failed(directory, &error)))
}

fn no_search(directory: &Path) -> Diagnostic {
    let message = format!(
        "there is no search to go on with in `{}`",
        directory.display()
    );
    Diagnostic::error("spill-directory", message)
        .hint("give the folder of --spill; a search that is not begun yet begins with --spill DIR")
}

/// Locks a folder by `try_lock`.
fn lock(
    directory: &Path,
    try_lock: impl FnOnce(&File) -> std::result::Result<(), TryLockError>,
) -> Result<File> {
    let mut options = File::options();
    // On network disks a shared lock needs a file that is open for reading.
    let options = options.read(true).write(true);
    let options = options.create(true).truncate(false);
    let opened = options.open(directory.join(LOCK));
    let file = opened.map_err(|error| failed(directory, &error))?;
    match try_lock(&file) {
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
