//! The states of a search on disk: level by level as they were found, and sorted in runs, to tell what is new.
//!
//! Each level is appended to one file, sorted. That is where its states are read from to be expanded, and where the path back is
//! looked for. The states before it are sorted in a few runs, of which each has more states than all after it together, as in
//! a log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil, *The Log-Structured Merge-Tree*, 1996): so a
//! state is written again only a logarithmic number of times. The last run is in memory as long as it is small,
//! so that small levels make no files.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::Identity;
use super::cursor::Cursor;
use super::failure::damaged;
use super::folder::Folder;
use super::journal::{Entry, Journal, RunEntry};
use super::merge::Merge;
use super::records::{Block, Layout, Writer, compare, digest, sort};
use crate::base::digest::Digest;
use crate::refine::check::StopReason;

/// The file of all states, and that of what is known of the levels.
pub(super) const LEVELS: &str = "levels";
pub(super) const JOURNAL: &str = "journal";

/// Whoever watches is asked again after so many states.
const PATIENCE: u64 = 1 << 18;

/// Having data on the disk itself takes about one part in so many of the time.
const SYNC_SHARE: u32 = 20;

/// How long that is supposed to take the first time.
const SYNC_TIME: Duration = Duration::from_millis(50);

/// All states of a search.
pub(super) struct Disk {
    pub(super) folder: Folder,
    pub(super) layout: Layout,
    journal: Journal,
    levels: File,
    /// Where the levels end; the last one is not expanded yet.
    ends: Vec<u64>,
    /// Transitions of the others.
    pub(super) transitions: u64,
    /// Of all states in their order.
    digest: Digest,
    runs: Vec<Run>,
    /// The states that are in no run, sorted.
    young: Vec<u64>,
    /// More words of them become a run.
    most_young: usize,
    /// How many runs there were.
    made: u64,
    synced: Instant,
    /// How long that took the last time.
    sync_time: Duration,
}

/// Sorted states, in a file.
struct Run {
    entry: RunEntry,
    file: File,
    is_synced: bool,
}

impl Disk {
    /// A search that begins with the state `initial`; so many bytes of states may stay in memory.
    pub(super) fn begin(
        folder: Folder,
        layout: &Layout,
        identity: &Identity,
        initial: &[u64],
        young: usize,
    ) -> io::Result<Self> {
        folder.keep(&[])?;
        let levels = folder.create(LEVELS)?;
        let journal = Journal::begin(folder.create(JOURNAL)?, identity)?;
        let mut disk = Self::new(folder, layout, journal, levels, young);
        let mut writer = Writer::new(&disk.levels, layout, 0, disk.digest)?;
        writer.push(initial)?;
        writer.flush()?;
        disk.digest = writer.digest;
        disk.young.extend_from_slice(initial);
        disk.ends.push(1);
        disk.record(false)?;
        Ok(disk)
    }

    /// The search whose journal was opened, after these levels. What was written after them is cut off.
    pub(super) fn resume(
        folder: Folder,
        layout: &Layout,
        journal: Journal,
        entries: &[Entry],
        young: usize,
    ) -> io::Result<Self> {
        let Some(levels) = folder.open(LEVELS)? else {
            return Err(damaged("the file `levels` is missing"));
        };
        let mut disk = Self::new(folder, layout, journal, levels, young);
        disk.ends = entries.iter().map(|entry| entry.states).collect();
        if disk.ends.first() != Some(&1) || !disk.ends.is_sorted() {
            return Err(damaged("the levels of `journal` do not follow each other"));
        }
        for entry in entries {
            disk.transitions = entry.transitions;
            disk.digest = Digest::new(entry.digest);
        }
        let count = disk.level().end;
        let length = disk.levels.metadata()?.len();
        disk.levels
            .set_len(length.min(count * layout.width as u64))?;
        verify(&disk.levels, layout, LEVELS, count, disk.digest.value())?;
        let runs = entries.iter().rev().find_map(|entry| entry.runs.as_ref());
        for entry in runs.into_iter().flatten() {
            disk.open_run(entry)?;
        }
        let in_runs = disk.runs.iter().map(|run| run.entry.states).sum::<u64>();
        if in_runs > count {
            return Err(damaged(
                "the runs of `journal` have more states than the levels",
            ));
        }
        let mut block = Block::default();
        block.read(&disk.levels, layout, in_runs..count)?;
        disk.young = block.states;
        sort(layout, &mut disk.young);
        let names = disk.runs.iter().map(|run| &run.entry.name[..]);
        let names: Vec<&str> = names.chain([LEVELS, JOURNAL]).collect();
        disk.folder.keep(&names)?;
        Ok(disk)
    }

    fn new(folder: Folder, layout: &Layout, journal: Journal, levels: File, young: usize) -> Self {
        Self {
            folder,
            layout: *layout,
            journal,
            levels,
            ends: Vec::new(),
            transitions: 0,
            digest: Digest::new(0),
            runs: Vec::new(),
            young: Vec::new(),
            most_young: layout.states_in(young) * layout.words,
            made: 0,
            synced: Instant::now(),
            sync_time: SYNC_TIME,
        }
    }

    fn open_run(&mut self, entry: &RunEntry) -> io::Result<()> {
        let Some(file) = self.folder.open(&entry.name)? else {
            return Err(damaged(&format!("the file `{}` is missing", entry.name)));
        };
        verify(&file, &self.layout, &entry.name, entry.states, entry.digest)?;
        let number = entry.name.rsplit('-').next();
        let number = number.and_then(|number| number.parse::<u64>().ok());
        self.made = self.made.max(number.map_or(0, |number| number + 1));
        self.runs.push(Run {
            entry: entry.clone(),
            file,
            is_synced: true,
        });
        Ok(())
    }

    /// How many levels there are, that which is not expanded yet included.
    pub(super) fn level_count(&self) -> usize {
        self.ends.len()
    }

    /// The places of the last level.
    pub(super) fn level(&self) -> Range<u64> {
        self.level_at(self.ends.len() - 1)
    }

    /// The places of this level.
    pub(super) fn level_at(&self, level: usize) -> Range<u64> {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[level]
    }

    /// Reads the states at these places.
    pub(super) fn read(&self, block: &mut Block, places: Range<u64>) -> io::Result<()> {
        block.read(&self.levels, &self.layout, places)
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.young.capacity() * size_of::<u64>()
    }

    /// Bytes of the files.
    pub(super) fn disk_bytes(&self) -> u64 {
        let runs = self.runs.iter().map(|run| run.entry.states).sum::<u64>();
        (self.level().end + runs) * self.layout.width as u64
    }

    /// How many files of states are read at once, beside the lists of what is new.
    pub(super) fn run_count(&self) -> usize {
        self.runs.len()
    }

    /// Makes a level of the states of `lists` that are new, which the last level leads to by so many transitions; of each file `size`
    /// states are read at a time. Says so if there would be more than `most` states, or if `is_stopped` says to give up.
    pub(super) fn add_level(
        &mut self,
        lists: Vec<Cursor<'_>>,
        transitions: u64,
        most: u64,
        size: usize,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<StopReason>> {
        let before = self.level().end;
        let mut writer = Writer::new(&self.levels, &self.layout, before, self.digest)?;
        let young = Cursor::of_states(&self.layout, std::mem::take(&mut self.young));
        let mut known = vec![young];
        for run in &self.runs {
            let places = 0..run.entry.states;
            known.push(Cursor::of_file(&run.file, &self.layout, places, size)?);
        }
        let mut merge = Merge::new(lists);
        let (mut state, mut fresh, mut looked) = (Vec::new(), Vec::new(), 0);
        while merge.next(&mut state)? {
            looked += 1;
            if looked % PATIENCE == 0 && is_stopped() {
                return Ok(Some(StopReason::Observer));
            }
            if is_among(&state, &mut known)? {
                continue;
            }
            if before + writer.count >= most {
                return Ok(Some(StopReason::StateLimit));
            }
            writer.push(&state)?;
            if fresh.len() <= self.most_young {
                fresh.extend_from_slice(&state);
            }
        }
        writer.flush()?;
        let (count, digest) = (writer.count, writer.digest);
        self.young = known.swap_remove(0).into_states();
        self.digest = digest;
        self.transitions = transitions;
        self.ends.push(before + count);
        let old = if self.young.len() + fresh.len() <= self.most_young {
            insert(self.layout.words, &mut self.young, &fresh);
            None
        } else {
            match self.make_run(size, is_stopped)? {
                Some(old) => Some(old),
                None => return Ok(Some(StopReason::Observer)),
            }
        };
        self.record(old.is_some())?;
        for Run { entry, file, .. } in old.into_iter().flatten() {
            drop(file);
            self.folder.remove(&entry.name)?;
        }
        Ok(None)
    }

    /// Makes one run of the last level, what is in memory, and the last runs, as many as have no more states than what comes after.
    /// Returns these; nothing if `is_stopped` says to give up.
    fn make_run(
        &mut self,
        size: usize,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Vec<Run>>> {
        let level = self.level();
        let mut total = level.end - level.start + self.layout.count(&self.young) as u64;
        let mut kept = self.runs.len();
        while kept > 0 && self.runs[kept - 1].entry.states <= total {
            kept -= 1;
            total += self.runs[kept].entry.states;
        }
        let name = format!("run-{}", self.made);
        self.made += 1;
        let file = self.folder.create(&name)?;
        let layout = &self.layout;
        let young = std::mem::take(&mut self.young);
        let mut lists = vec![
            Cursor::of_states(layout, young),
            Cursor::of_file(&self.levels, layout, level, size)?,
        ];
        for run in &self.runs[kept..] {
            let places = 0..run.entry.states;
            lists.push(Cursor::of_file(&run.file, layout, places, size)?);
        }
        let mut merge = Merge::new(lists);
        let mut writer = Writer::new(&file, layout, 0, Digest::new(0))?;
        let mut state = Vec::new();
        while merge.next(&mut state)? {
            writer.push(&state)?;
            if writer.count % PATIENCE == 0 && is_stopped() {
                return Ok(None);
            }
        }
        writer.flush()?;
        let entry = RunEntry {
            name,
            states: writer.count,
            digest: writer.digest.value(),
        };
        drop(merge);
        let old = self.runs.split_off(kept);
        self.runs.push(Run {
            entry,
            file,
            is_synced: false,
        });
        Ok(Some(old))
    }

    /// Writes down what is known now. All of it is on the disk itself now and then: a program that is killed loses no more than
    /// one level anyway, and only a machine that is can lose more.
    fn record(&mut self, has_new_runs: bool) -> io::Result<()> {
        let is_due = self.synced.elapsed() >= self.sync_time * SYNC_SHARE;
        let started = Instant::now();
        if is_due {
            self.levels.sync_data()?;
            for run in self.runs.iter_mut().filter(|run| !run.is_synced) {
                run.file.sync_data()?;
                run.is_synced = true;
            }
        }
        let runs = self.runs.iter().map(|run| run.entry.clone());
        self.journal.append(&Entry {
            states: self.level().end,
            transitions: self.transitions,
            digest: self.digest.value(),
            runs: has_new_runs.then(|| runs.collect()),
        })?;
        if is_due {
            self.journal.sync()?;
            self.folder.sync()?;
            self.sync_time = started.elapsed();
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// Whether one of the lists has the state; each is taken on to where it would be.
#[inline]
fn is_among(state: &[u64], lists: &mut [Cursor<'_>]) -> io::Result<bool> {
    for list in lists {
        if list.finds(state)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Inserts the states of `fresh` into `sorted`, both sorted, from the end on.
fn insert(words: usize, sorted: &mut Vec<u64>, fresh: &[u64]) {
    let (mut old, mut new) = (sorted.len(), fresh.len());
    sorted.resize(old + new, 0);
    while new > 0 {
        let place = old + new - words;
        let state = &fresh[new - words..new];
        if old > 0 && compare(&sorted[old - words..old], state).is_gt() {
            old -= words;
            sorted.copy_within(old..old + words, place);
        } else {
            new -= words;
            sorted[place..place + words].copy_from_slice(state);
        }
    }
}

/// Makes sure that a file has these states.
fn verify(file: &File, layout: &Layout, name: &str, count: u64, expected: u64) -> io::Result<()> {
    let length = file.metadata()?.len();
    if length != count * layout.width as u64 {
        let message = format!(
            "the file `{name}` has {length} bytes instead of {}",
            count * layout.width as u64
        );
        return Err(damaged(&message));
    }
    if digest(file, layout, count)?.value() != expected {
        return Err(damaged(&format!(
            "the file `{name}` is not what was written"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_inserted_where_they_belong() {
        let mut sorted = vec![1, 5, 3, 0, 3, 9];
        insert(2, &mut sorted, &[0, 7, 3, 4, 8, 8]);
        assert_eq!(sorted, [0, 7, 1, 5, 3, 0, 3, 4, 3, 9, 8, 8]);
        insert(2, &mut sorted, &[]);
        assert_eq!(sorted.len(), 12);
        let mut none = Vec::new();
        insert(1, &mut none, &[2, 4]);
        assert_eq!(none, [2, 4]);
    }
}
