//! Which folder is that of a search, and where the search was stopped.

use std::io;
use std::path::Path;

use super::disk::{Disk, JOURNAL};
use super::failure::{damaged, failed, foreign, other};
use super::folder::Folder;
use super::journal::{Content, Journal, Levels};
use super::records::Layout;
use super::{Identity, Spill};
use crate::diag::Result;
use crate::machine::packing::PackedState;

/// What was found on disk of a search.
struct Found {
    folder: Folder,
    journal: Journal,
    levels: Levels,
}

/// The states of the search that `spill` tells of, which begins with `initial`, and how many levels of them were there before.
pub(super) fn disk<S: PackedState>(
    spill: &Spill,
    layout: &Layout,
    initial: &S,
    young: usize,
) -> Result<(Disk, Option<u64>)> {
    let directory = &spill.directory;
    let folders = Folder::all(directory).or_else(|error| failed(directory, &error).into())?;
    let mut unused = None;
    let mut another = None;
    for folder in folders.iter().filter(|_| spill.resumes) {
        let path = folder.path();
        let read = read(folder).or_else(|error| failed(path, &error).into())?;
        // A folder without a journal is none of a search.
        let Some((journal, content)) = read else {
            continue;
        };
        match content {
            Content::Nothing => unused = Some(folder.clone()),
            Content::Foreign => return foreign(path).into(),
            Content::Damaged => {
                let error = damaged("the file `journal` is not what was written");
                return failed(path, &error).into();
            }
            Content::Levels(identity, levels) => {
                if is_same(&identity, &spill.identity) {
                    let folder = folder.clone();
                    let found = Found {
                        folder,
                        journal,
                        levels,
                    };
                    return resumed(found, layout, young, path);
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
    let begun = unused
        .map_or_else(|| Folder::new(directory, &folders), Ok)
        .and_then(|folder| Disk::begin(folder, layout, &spill.identity, initial, young));
    let disk = begun.or_else(|error| failed(directory, &error).into())?;
    Ok((disk, spill.resumes.then_some(0)))
}

fn resumed(
    found: Found,
    layout: &Layout,
    young: usize,
    path: &Path,
) -> Result<(Disk, Option<u64>)> {
    let Found {
        folder,
        journal,
        levels,
    } = found;
    let count = levels.ends.len() as u64;
    let disk = Disk::resume(folder, layout, journal, levels, young);
    let disk = disk.or_else(|error| failed(path, &error).into())?;
    Ok((disk, Some(count)))
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
