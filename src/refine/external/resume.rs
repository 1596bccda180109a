//! Which folder is that of a search, and where the search was stopped.

use std::io;

use super::disk::{Disk, JOURNAL};
use super::failure::{damaged, failed, foreign, other};
use super::folder::Folder;
use super::journal::{Content, Journal};
use super::records::RecordLayout;
use super::{Identity, Spill};
use crate::diag::Result;
use crate::machine::packing::PackedState;

/// The states of the search that `spill` tells of, which begins with `initial`, and how many levels
/// of them were there before.
pub(super) fn disk<S: PackedState>(
    spill: &Spill,
    layout: &RecordLayout,
    initial: &S,
    young: usize,
) -> Result<(Disk, Option<u64>)> {
    let directory = &spill.directory;
    let folders = Folder::all(directory).or_else(|error| failed(directory, &error).into())?;
    let mut unused = None;
    let mut another = None;
    let mut nameless = None;
    for folder in folders.iter().filter(|_| spill.resumes) {
        let path = folder.path();
        let read = read(folder).or_else(|error| failed(path, &error).into())?;
        let Some((journal, content)) = read else {
            // Which search it was is not known any more.
            let is_empty = folder.is_empty();
            if !is_empty.or_else(|error| failed(path, &error).into())? {
                nameless = nameless.or(Some(path));
            }
            continue;
        };
        match content {
            Content::Nothing => unused = Some(folder.clone()),
            Content::Foreign => return foreign(path).into(),
            Content::Damaged => {
                let error = damaged("the file `journal` is not what was written");
                return failed(path, &error).into();
            }
            Content::Search(identity) => {
                if is_same(&identity, &spill.identity) {
                    let disk = Disk::resume(folder.clone(), layout, journal, young);
                    let disk = disk.or_else(|error| failed(path, &error).into())?;
                    let levels = disk.level_count() as u64;
                    return Ok((disk, Some(levels)));
                }
                if is_alike(&identity, &spill.identity) {
                    another = another.or(Some((folder.clone(), identity)));
                }
            }
        }
    }
    if let Some((folder, identity)) = another {
        return other(folder.path(), &identity, &spill.identity).into();
    }
    // It may be the folder of this search, since no other one is.
    if let Some(path) = nameless {
        return failed(path, &damaged("the file `journal` is missing")).into();
    }
    let begun = unused
        .map_or_else(|| Folder::new(directory, &folders), Ok)
        .and_then(|folder| Disk::begin(folder, layout, &spill.identity, initial, young));
    let disk = begun.or_else(|error| failed(directory, &error).into())?;
    Ok((disk, spill.resumes.then_some(0)))
}

/// The journal in a folder, and what it says, if there is one.
fn read(folder: &Folder) -> io::Result<Option<(Journal, Content)>> {
    folder.open(JOURNAL)?.map(Journal::open).transpose()
}

/// Whether two searches are the same: a script may have been moved.
fn is_same(one: &Identity, other: &Identity) -> bool {
    one.question == other.question && one.facts == other.facts
}

/// Whether two searches are meant to be the same.
fn is_alike(one: &Identity, other: &Identity) -> bool {
    one.question == other.question && one.script == other.script
}
