//! Finds the last level after which the files on disk are whole.
//!
//! A search that was killed has left all that its journal tells of. After a power cut any part of
//! the data written since the last sync may be missing: the end of the journal, states of the last
//! levels, the last runs. So the lines of the journal are compared with the states one by one, and
//! the search goes on after the last line whose states and runs are there, but never from before
//! the last sync. Runs are removed late (`Disk::record`), so that there is such a line.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;

use super::failure::{damaged, is_damage};
use super::folder::Folder;
use super::journal::{Journal, JournalPlace, Line, RunEntry};
use super::records::{Block, RecordLayout, add_states};
use super::runs::SortedRun;
use crate::frontier::FollowedSteps;
use base::digest::Checksum;

/// The levels of a search that are whole on disk.
pub(super) struct SavedLevels {
    /// The known levels, in order.
    pub(super) levels: Vec<KnownLevel>,
    /// The place in the journal after the line of the last level.
    pub(super) place: JournalPlace,
    /// The sorted runs that belong to that line.
    pub(super) runs: Vec<SortedRun>,
}

/// A level, as a line of the journal tells of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownLevel {
    /// The place after the last state of the level.
    pub(super) end: u64,
    /// The steps that were followed up to the level.
    pub(super) followed: FollowedSteps,
    /// The digest of all states up to the level's end, in their order.
    pub(super) digest: u64,
    /// The place before the line.
    pub(super) before: JournalPlace,
}

/// A place after a line of the journal, from which a search may go on.
struct Point {
    /// The number of levels.
    levels: usize,
    /// The place after the line.
    place: JournalPlace,
    /// The sorted runs.
    runs: Vec<RunEntry>,
}

/// The most points, each with other runs, that are kept to be tried, the last one first.
const MOST_POINTS: usize = 64;

/// The levels and runs up to the last line of the journal at which all is there.
pub(super) fn last_whole(
    folder: &Folder,
    layout: &RecordLayout,
    journal: &Journal,
    levels: &File,
) -> io::Result<SavedLevels> {
    let mut history = RecordedLevels {
        layout,
        levels,
        files: folder.sizes()?,
        known: Vec::new(),
        checksum: Checksum::default(),
        block: Block::default(),
        points: VecDeque::new(),
        problem: None,
    };
    history.read(journal)?;
    while let Some(point) = history.points.pop_back() {
        let runs = point.runs.iter();
        match runs
            .map(|entry| SortedRun::open(folder, layout, entry))
            .collect()
        {
            Ok(runs) => {
                history.known.truncate(point.levels);
                return Ok(SavedLevels {
                    levels: history.known,
                    place: point.place,
                    runs,
                });
            }
            Err(error) if is_damage(&error) => {
                history.problem.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    let unknown = || damaged("the file `journal` is not what was written");
    Err(history.problem.unwrap_or_else(unknown))
}

/// The findings while journal and levels are read.
struct RecordedLevels<'f> {
    layout: &'f RecordLayout,
    levels: &'f File,
    /// The size of each file, in bytes.
    files: HashMap<String, u64>,
    known: Vec<KnownLevel>,
    /// The checksum of the states up to the last of the known levels.
    checksum: Checksum,
    block: Block,
    /// The last line with each list of runs that are there.
    points: VecDeque<Point>,
    /// The problem with the last line, if there was one.
    problem: Option<io::Error>,
}

impl RecordedLevels<'_> {
    /// Reads the lines, as far as they and the states that they tell of are what was written.
    fn read(&mut self, journal: &Journal) -> io::Result<()> {
        let mut entries = journal.entries()?;
        let (mut has_runs, mut is_broken) = (true, false);
        loop {
            let before = entries.place();
            let Some(line) = entries.next()? else { break };
            let Line::LevelEntry(entry, place) = line else {
                self.note(damaged("the file `journal` is not what was written"));
                break;
            };
            if entry.is_synced {
                // If any of that is missing, it is damage, and no earlier point counts.
                let known = self.known.len();
                let is_last = |point: &Point| !is_broken && has_runs && point.levels == known;
                self.points.retain(is_last);
            }
            is_broken = is_broken
                || !self.has_states(KnownLevel {
                    end: entry.states,
                    followed: entry.followed,
                    digest: entry.digest,
                    before,
                })?;
            // Later lines are read all the same: one of them may say that the broken part was on
            // the disk itself.
            if is_broken {
                continue;
            }
            let is_first = self.known.len() == 1;
            if is_first || entry.runs.is_some() {
                let runs = entry.runs.unwrap_or_default();
                has_runs = self.has_runs(&runs);
                if has_runs {
                    self.points.push_back(Point {
                        levels: 0,
                        place,
                        runs,
                    });
                }
                if self.points.len() > MOST_POINTS {
                    self.points.pop_front();
                }
            }
            if let Some(point) = self.points.back_mut().filter(|_| has_runs) {
                (point.levels, point.place) = (self.known.len(), place);
            }
        }
        Ok(())
    }

    /// True if the next level is in the file as it was written.
    fn has_states(&mut self, level: KnownLevel) -> io::Result<bool> {
        let KnownLevel { end, digest, .. } = level;
        let start = self.known.last().map(|last| last.end);
        // The first level is the initial state alone, if that is one of the share.
        if start.map_or(end > 1, |start| end < start) {
            self.note(damaged("the levels of `journal` do not follow each other"));
            return Ok(false);
        }
        let length = self.levels.metadata()?.len();
        let expected = end.saturating_mul(self.layout.width as u64);
        if length < expected {
            let message = format!("the file `levels` has {length} bytes instead of {expected}");
            self.note(damaged(&message));
            return Ok(false);
        }
        let places = start.unwrap_or(0)..end;
        let (checksum, block) = (&mut self.checksum, &mut self.block);
        add_states(checksum, self.levels, self.layout, places, block)?;
        if self.checksum.value() != digest {
            self.note(damaged("the file `levels` is not what was written"));
            return Ok(false);
        }
        self.known.push(level);
        Ok(true)
    }

    /// True if the files of these runs are there, as long as they were.
    fn has_runs(&mut self, runs: &[RunEntry]) -> bool {
        self.problem = runs.iter().find_map(|RunEntry { name, states, .. }| {
            let expected = states.saturating_mul(self.layout.width as u64);
            match self.files.get(name) {
                None => Some(damaged(&format!("the file `{name}` is missing"))),
                Some(&length) if length != expected => {
                    let message =
                        format!("the file `{name}` has {length} bytes instead of {expected}");
                    Some(damaged(&message))
                }
                Some(_) => None,
            }
        });
        self.problem.is_none()
    }

    fn note(&mut self, problem: io::Error) {
        self.problem = Some(problem);
    }
}
