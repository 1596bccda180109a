//! Finds the folder of a search, and the place where the search was stopped.

use std::io;

use super::disk::{Disk, JOURNAL, PREPARED};
use super::division::ShareStamp;
use super::failure::{damaged, failed, foreign, other};
use super::folder::Folder;
use super::journal::{Content, Journal};
use super::records::RecordLayout;
use crate::spill::{Identity, Spill};
use base::diag::{Diagnostic, Result};
use machine::packing::PackedState;

/// The states of the search that `spill` tells of, which begins with `initial`, and the number of
/// levels that were there before.
pub(super) fn disk<S: PackedState>(
    spill: &Spill,
    form: (&RecordLayout, usize),
    initial: &S,
) -> Result<(Disk, Option<u64>)> {
    let directory = &spill.directory;
    let folders = Folder::all(directory).or_else(|error| failed(directory, &error).into())?;
    let mut unfit = Unfit::default();
    for folder in folders.iter().filter(|_| spill.resumes) {
        if let Some(found) = unfit.search(folder, &spill.identity)? {
            let path = folder.path();
            let disk = Disk::resume(folder.clone(), form, found.journal);
            let (disk, _) = disk.or_else(|error| failed(path, &error).into())?;
            let levels = disk.ends().len() as u64;
            return Ok((disk, Some(levels)));
        }
    }
    if let Some(problem) = unfit.problem {
        return problem.into();
    }
    let begun = unfit
        .unused
        .map_or_else(|| Folder::new(directory, &folders), Ok)
        .and_then(|folder| Disk::begin(folder, form, &spill.identity, None, Some(initial)));
    let disk = begun.or_else(|error| failed(directory, &error).into())?;
    Ok((disk, spill.resumes.then_some(0)))
}

/// The findings about folders that are not of the search.
#[derive(Default)]
pub(super) struct Unfit {
    /// A folder without anything to go on with.
    pub(super) unused: Option<Folder>,
    /// The reason why the search must not begin anew, if it is in none of the folders.
    pub(super) problem: Option<Diagnostic>,
}

/// The journal of a search that was asked for.
pub(super) struct FoundJournal {
    pub(super) journal: Journal,
    /// The share of the search that it is of, if the search is divided.
    pub(super) share: Option<ShareStamp>,
    /// True if it counts, and not only if another process has published its share.
    pub(super) is_published: bool,
}

impl Unfit {
    /// The journal of the search in the folder, if the search is the one that `asked` says.
    pub(super) fn search(
        &mut self,
        folder: &Folder,
        asked: &Identity,
    ) -> Result<Option<FoundJournal>> {
        let path = folder.path();
        let read = read(folder).or_else(|error| failed(path, &error).into())?;
        let Some((is_published, (journal, content))) = read else {
            let is_empty = folder.is_empty();
            if !is_empty.or_else(|error| failed(path, &error).into())? {
                // Without its journal the search is not known: it may be this one.
                let missing = damaged("the file `journal` is missing");
                self.problem.get_or_insert_with(|| failed(path, &missing));
            }
            return Ok(None);
        };
        match content {
            Content::Nothing => self.unused = Some(folder.clone()),
            Content::Foreign => return foreign(path).into(),
            Content::Damaged => {
                let error = damaged("the file `journal` is not what was written");
                return failed(path, &error).into();
            }
            Content::Search(identity, share) if is_same(&identity, asked) => {
                return Ok(Some(FoundJournal {
                    journal,
                    share,
                    is_published,
                }));
            }
            Content::Search(identity, _) if is_alike(&identity, asked) => {
                self.problem = Some(other(path, &identity, asked));
            }
            Content::Search(..) => {}
        }
        Ok(None)
    }
}

/// True if the journal in a folder is published, and the journal with what it says; `None` if there
/// is none.
fn read(folder: &Folder) -> io::Result<Option<(bool, (Journal, Content))>> {
    for name in [JOURNAL, PREPARED] {
        if let Some(file) = folder.open(name)? {
            return Ok(Some((name == JOURNAL, Journal::open(file)?)));
        }
    }
    Ok(None)
}

/// True if two searches are the same: a script may have been moved.
fn is_same(one: &Identity, other: &Identity) -> bool {
    one.question == other.question && one.facts == other.facts
}

/// True if two searches are meant to be the same.
fn is_alike(one: &Identity, other: &Identity) -> bool {
    one.question == other.question && one.script == other.script
}
