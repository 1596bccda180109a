//! Searches whose states are divided between processes: the shares that a process can see, and how
//! it goes on with one or begins it.
//!
//! A share is a folder like that of an undivided search. Its journal says which share it is, and of
//! which *division*: each time that states are divided anew, all shares are. A process prepares its
//! share, and publishes it once all have theirs on the disk itself. So if one share of a division
//! is published, all are there. A division without a published share does not count.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::disk::{Disk, JOURNAL, PREPARED, open_levels};
use super::division::{ShareStamp, is_share_folder, share_folder};
use super::failure::failed;
use super::folder::Folder;
use super::history::{self, KnownLevel};
use super::journal::Journal;
use super::records::{Block, RecordLayout};
use super::resume::Unfit;
use crate::frontier::FollowedSteps;
use crate::spill::Spill;
use base::diag::{Diagnostic, Result};
use machine::packing::PackedState;

/// A share that a process can see.
pub(crate) struct SeenShare {
    pub(crate) stamp: ShareStamp,
    /// True if it is published, so that it certainly counts.
    pub(crate) is_published: bool,
    /// True if it is in the folder where the process that sees it keeps its own.
    pub(crate) is_home: bool,
    folder: Folder,
    journal: Journal,
}

/// The shares of a search that a process can see.
pub(crate) struct SeenShares<'s> {
    spill: &'s Spill,
    /// The folder where this process keeps its shares.
    home: PathBuf,
    /// All folders in `home`.
    folders: Vec<Folder>,
    unfit: Unfit,
    pub(crate) shares: Vec<SeenShare>,
}

/// A share that is to be divided anew.
pub(crate) struct OldShare {
    folder: Folder,
    layout: RecordLayout,
    file: File,
    levels: Vec<KnownLevel>,
}

impl<'s> SeenShares<'s> {
    /// Looks for shares of the search of `spill`, which this `process` is to go on with or begin.
    pub(crate) fn look(spill: &'s Spill, process: usize) -> Result<Self> {
        let home = share_folder(&spill.directory, process);
        let found = folders(&spill.directory, &home);
        let (folders, others) = found.or_else(|error| failed(&home, &error).into())?;
        let (mut unfit, mut elsewhere) = (Unfit::default(), Unfit::default());
        let mut shares = Vec::new();
        for (folders, unfit) in [(&folders, &mut unfit), (&others, &mut elsewhere)] {
            for folder in folders.iter().filter(|_| spill.resumes) {
                let found = unfit.search(folder, &spill.identity)?;
                shares.extend(found.map(|found| SeenShare {
                    stamp: found.share.unwrap_or(ShareStamp::UNDIVIDED),
                    is_published: found.is_published,
                    is_home: folder.path().starts_with(&home),
                    folder: folder.clone(),
                    journal: found.journal,
                }));
            }
        }
        unfit.problem = unfit.problem.or(elsewhere.problem);
        Ok(Self {
            spill,
            home,
            folders,
            unfit,
            shares,
        })
    }

    /// The reason, if any, why a search must not begin anew if no process sees a share of it.
    pub(crate) fn problem(&mut self) -> Option<Diagnostic> {
        self.unfit.problem.take()
    }

    /// Takes out the share with this stamp, if it is seen.
    pub(crate) fn take(&mut self, stamp: ShareStamp) -> Option<SeenShare> {
        let place = self.shares.iter().position(|share| share.stamp == stamp)?;
        Some(self.shares.swap_remove(place))
    }

    /// Begins a share, with the state `initial` if that is its own.
    pub(super) fn begin<S: PackedState>(
        &mut self,
        share: ShareStamp,
        initial: Option<&S>,
        form: (&RecordLayout, usize),
    ) -> Result<Disk> {
        let unused = self.unfit.unused.take();
        let folder = unused.map_or_else(|| Folder::new(&self.home, &self.folders), Ok);
        let identity = &self.spill.identity;
        let begun =
            folder.and_then(|folder| Disk::begin(folder, form, identity, Some(share), initial));
        begun.or_else(|error| failed(&self.home, &error).into())
    }
}

/// The folders of searches in `home`, the folder of a process, and all others in `directory`.
fn folders(directory: &Path, home: &Path) -> io::Result<(Vec<Folder>, Vec<Folder>)> {
    let mut others = Folder::all(directory)?;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let is_share = entry.file_name().to_str().is_some_and(is_share_folder);
        if is_share && entry.path() != home {
            others.extend(Folder::all(&entry.path())?);
        }
    }
    std::fs::create_dir_all(home)?;
    Ok((Folder::all(home)?, others))
}

impl SeenShare {
    /// Goes on with the share. Returns the known levels too.
    pub(super) fn resume(self, form: (&RecordLayout, usize)) -> Result<(Disk, Vec<KnownLevel>)> {
        let path = self.folder.path().to_path_buf();
        let resumed = Disk::resume(self.folder, form, self.journal).and_then(|mut resumed| {
            if !self.is_published {
                resumed.0.publish()?;
            }
            Ok(resumed)
        });
        resumed.or_else(|error| failed(&path, &error).into())
    }

    /// Opens the share, to be divided anew.
    pub(super) fn open(self, layout: &RecordLayout) -> Result<OldShare> {
        let Self {
            folder, journal, ..
        } = self;
        let opened = open_levels(&folder).and_then(|file| {
            let known = history::last_whole(&folder, layout, &journal, &file)?;
            Ok((file, known.levels))
        });
        let (file, levels) = opened.or_else(|error| failed(folder.path(), &error).into())?;
        Ok(OldShare {
            folder,
            layout: *layout,
            file,
            levels,
        })
    }

    /// Removes the share.
    pub(crate) fn remove(self) -> Result<()> {
        drop(self.journal);
        remove(&self.folder)
    }
}

impl OldShare {
    /// The number of levels of the share.
    pub(crate) fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// The places of the states of this level.
    pub(crate) fn level(&self, level: usize) -> Range<u64> {
        let start = level.checked_sub(1);
        start.map_or(0, |before| self.levels[before].end)..self.levels[level].end
    }

    /// The steps that were followed up to this level.
    pub(crate) fn followed(&self, level: usize) -> FollowedSteps {
        self.levels[level].followed
    }

    /// The words of the states at these places.
    pub(crate) fn read(&self, places: Range<u64>) -> Result<Vec<u64>> {
        let mut block = Block::default();
        let read = block.read(&self.file, &self.layout, places);
        read.or_else(|error| failed(self.folder.path(), &error).into())?;
        Ok(block.states)
    }

    /// Removes the share, because all its states are elsewhere.
    pub(crate) fn remove(self) -> Result<()> {
        drop(self.file);
        remove(&self.folder)
    }
}

/// Removes a share. Its journal, which says what the rest is, goes last.
fn remove(folder: &Folder) -> Result<()> {
    let removed = folder.remove_all(&[JOURNAL, PREPARED]);
    removed.or_else(|error| failed(folder.path(), &error).into())
}
