//! The states of a search on disk: level by level as they were found, and sorted in runs, to tell
//! which states are new.
//!
//! Each level is appended to one file, sorted. Its states are read from there to be expanded, and
//! to find the path back. The states before it are sorted in a few runs, of which each has more
//! states than all after it together, as in a log-structured merge tree (O'Neil, Cheng, Gawlick and
//! O'Neil, *The Log-Structured Merge-Tree*, 1996): so a state is written again only a logarithmic
//! number of times. The last run is in memory as long as it is small, so that small levels make no
//! files.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::division::ShareStamp;
use super::failure::damaged;
use super::folder::Folder;
use super::history::{self, KnownLevel};
use super::journal::{Journal, LevelEntry, RunEntry};
use super::list::List;
use super::memory::Workspace;
use super::positional::{read_at, write_at};
use super::ranges::{self, Bounds, MergedRange, ranges};
use super::records::{Block, RecordLayout, RecordWriter, compare, sort};
use super::runs::{SortedRun, first_merged};
use crate::frontier::{FollowedSteps, places_of};
use crate::halt::Halt;
use crate::spill::Identity;
use base::cancel::Cancellation;
use base::diag::Result;
use base::digest::Checksum;
use base::threads::Threads;
use machine::packing::PackedState;

/// The names of the file of all states, and of the journal, which says what is known of the levels.
pub(super) const LEVELS: &str = "levels";
pub(super) const JOURNAL: &str = "journal";
/// The name of a share's journal, as long as it is not known that all processes have theirs.
pub(super) const PREPARED: &str = "prepared";
/// The name of a journal that is written anew.
const SHORTER: &str = "journal-cut";

/// Data are *on the disk itself* if a power cut does not lose them. Waiting for that takes about
/// one part in this many of the time.
const SYNC_SHARE: u32 = 20;

/// The most bytes of files no longer needed that are kept until data are on the disk itself, unless
/// the states take more bytes than these files.
const MOST_OBSOLETE: u64 = 64 << 20;

/// The time that having data on the disk itself is supposed to take, before it was measured.
const SYNC_TIME: Duration = Duration::from_millis(50);

/// All states of a search.
pub(super) struct Disk {
    pub(super) folder: Folder,
    pub(super) layout: RecordLayout,
    journal: Journal,
    levels: File,
    /// The ends of the levels: the place after each one's last state. The last level is not
    /// expanded yet.
    ends: Vec<u64>,
    /// The level that is in the file already, but does not count yet.
    next: Option<NextLevel>,
    /// The steps that were followed from the levels before the last.
    pub(super) followed: FollowedSteps,
    /// The checksum of all states in their order.
    digest: Checksum,
    runs: Vec<SortedRun>,
    /// The names of runs that were merged into later ones, and the number of their states. Their
    /// files are removed when the journal that does not name them any more is on the disk itself.
    obsolete: Vec<String>,
    obsolete_states: u64,
    /// The states that are in no run, sorted.
    young: Vec<u64>,
    /// The most words of `young`; more become a run.
    most_young: usize,
    /// The number of runs that were made.
    made: u64,
    synced: Instant,
    /// True if all that was written down is on the disk itself.
    is_synced: bool,
    /// The time that having data on the disk itself took the last time.
    sync_time: Duration,
    /// True if data are synced to the disk itself after each level, false if never; `None`: now and
    /// then.
    syncs: Option<bool>,
    /// The least number of states that are merged in a range of their own.
    smallest_range: u64,
}

/// The threads that merge, and the token that may end the work.
pub(super) struct Merging<'m> {
    pub(super) threads: &'m Threads,
    /// A workspace for each thread.
    pub(super) workspaces: Vec<&'m mut Workspace>,
    pub(super) token: &'m Cancellation,
}

/// A level that was found.
struct NextLevel {
    end: u64,
    /// The checksum of all states, those of the level included.
    digest: Checksum,
    followed: FollowedSteps,
}

/// The states that the last level leads to.
pub(super) struct Collected<'f> {
    /// States, in sorted lists.
    pub(super) lists: Vec<List<'f>>,
    /// The steps that were followed, in all levels before too.
    pub(super) followed: FollowedSteps,
}

impl Disk {
    /// Begins a search with the state `initial`, if that is one of this `share`; `young` bytes of
    /// states may stay in memory. A share counts only once it is published.
    pub(super) fn begin<S: PackedState>(
        folder: Folder,
        (layout, young): (&RecordLayout, usize),
        identity: &Identity,
        share: Option<ShareStamp>,
        initial: Option<&S>,
    ) -> io::Result<Self> {
        // A search that was killed before its first line on a level may have left files here.
        folder.keep(&[])?;
        // The journal is made first: a folder without a journal has no search that was begun.
        let name = share.map_or(JOURNAL, |_| PREPARED);
        let journal = Journal::begin(folder.create(name)?, identity, share)?;
        let levels = folder.create(LEVELS)?;
        let mut disk = Self::new(folder, layout, journal, levels, young);
        let mut buffer = vec![0; layout.bytes_of(1)];
        let mut writer = RecordWriter::new(&disk.levels, layout, 0, &mut buffer);
        if let Some(initial) = initial {
            writer.push(initial)?;
            disk.young.extend_from_slice(initial.words());
        }
        writer.flush()?;
        disk.digest = writer.checksum;
        disk.ends.push(writer.count);
        disk.record(false)?;
        Ok(disk)
    }

    /// Resumes the search of `journal` after the last level whose files all hold what was written.
    /// Returns the known levels too. Everything written after that is cut off.
    pub(super) fn resume(
        folder: Folder,
        (layout, young): (&RecordLayout, usize),
        mut journal: Journal,
    ) -> io::Result<(Self, Vec<KnownLevel>)> {
        let levels = open_levels(&folder)?;
        let history::SavedLevels {
            levels: known,
            place,
            runs,
        } = history::last_whole(&folder, layout, &journal, &levels)?;
        journal.cut(place)?;
        let mut disk = Self::new(folder, layout, journal, levels, young);
        disk.go_back_to(&known);
        let count = disk.level().end;
        disk.levels.set_len(count * layout.width as u64)?;
        let in_runs = runs.iter().map(|run| run.entry.states).sum::<u64>();
        if in_runs > count {
            return Err(damaged(
                "the runs of `journal` have more states than the levels",
            ));
        }
        disk.made = runs
            .iter()
            .filter_map(SortedRun::number)
            .max()
            .map_or(0, |last| last + 1);
        disk.runs = runs;
        let mut block = Block::default();
        block.read(&disk.levels, layout, in_runs..count)?;
        disk.young = block.states;
        sort(layout, &mut disk.young);
        // Files that this line of the journal does not need may be needed from an earlier line, as
        // long as this one is not on the disk itself.
        disk.sync_states()?;
        disk.sync_names()?;
        disk.is_synced = true;
        let names = disk.runs.iter().map(|run| &run.entry.name[..]);
        let names: Vec<&str> = names.chain([LEVELS, JOURNAL, PREPARED]).collect();
        disk.folder.keep(&names)?;
        Ok((disk, known))
    }

    /// Makes the last of these levels the last one of the search, in everything but the files.
    fn go_back_to(&mut self, known: &[KnownLevel]) {
        self.ends = known.iter().map(|level| level.end).collect();
        if let Some(last) = known.last() {
            self.followed = last.followed;
            self.digest = Checksum::after(last.digest);
        }
    }

    /// Drops all levels after these, of which there is one at least. Runs are made anew, because
    /// the old ones have later states too.
    pub(super) fn cut<S: PackedState>(
        &mut self,
        known: &[KnownLevel],
        merging: &mut Merging<'_>,
    ) -> Result<(), Halt> {
        let Some(last) = known.last() else {
            return Ok(());
        };
        self.go_back_to(known);
        self.runs.clear();
        self.young.clear();
        for level in 0..known.len() {
            self.index::<S>(places_of(&self.ends, level), merging)?;
        }
        self.sync_states()?;
        // The last line has to tell of the new runs. Until it does, the old journal counts.
        let to = self.folder.create(SHORTER)?;
        self.journal = self.journal.copied(to, last.before)?;
        self.append_line(true)?;
        self.journal.sync()?;
        self.folder.rename(SHORTER, JOURNAL)?;
        self.sync_names()?;
        self.obsolete.clear();
        self.obsolete_states = 0;
        let end = self.level().end;
        self.levels.set_len(end * self.layout.width as u64)?;
        let names = self.runs.iter().map(|run| &run.entry.name[..]);
        let names: Vec<&str> = names.chain([LEVELS, JOURNAL]).collect();
        Ok(self.folder.keep(&names)?)
    }

    /// Syncs all data to the disk itself, so that the share can be published.
    pub(super) fn prepare(&mut self) -> io::Result<()> {
        self.sync_states()?;
        self.sync_names()
    }

    /// Makes this share count, because all processes have theirs.
    pub(super) fn publish(&mut self) -> io::Result<()> {
        self.folder.rename(PREPARED, JOURNAL)?;
        self.folder.sync()
    }

    fn new(
        folder: Folder,
        layout: &RecordLayout,
        journal: Journal,
        levels: File,
        young: usize,
    ) -> Self {
        Self {
            folder,
            layout: *layout,
            journal,
            levels,
            ends: Vec::new(),
            next: None,
            followed: FollowedSteps::default(),
            digest: Checksum::default(),
            runs: Vec::new(),
            obsolete: Vec::new(),
            obsolete_states: 0,
            young: Vec::new(),
            most_young: layout.states_in(young) * layout.words,
            made: 0,
            synced: Instant::now(),
            is_synced: false,
            sync_time: SYNC_TIME,
            syncs: None,
            smallest_range: ranges::SMALLEST,
        }
    }

    /// Merges also a few states on several threads.
    #[cfg(test)]
    pub(super) fn divide_all(&mut self) {
        self.smallest_range = 1;
    }

    /// Syncs data to the disk itself after each level, or never.
    #[cfg(test)]
    pub(super) fn sync_always(&mut self, always: bool) {
        self.syncs = Some(always);
    }

    /// The ends of the levels: the place after each one's last state. The last level is not
    /// expanded yet.
    pub(super) fn ends(&self) -> &[u64] {
        &self.ends
    }

    /// The places of the last level.
    pub(super) fn level(&self) -> Range<u64> {
        places_of(&self.ends, self.ends.len() - 1)
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

    /// Writes the states that were found and are new, if there are at most `most` states with them,
    /// and returns their number. They are no level yet.
    pub(super) fn find_new<S: PackedState>(
        &mut self,
        found: &Collected<'_>,
        most: u64,
        merging: &mut Merging<'_>,
    ) -> Result<u64, Halt> {
        let room = most.saturating_sub(self.level().end);
        let (count, digest) = self.append_new::<S>(found, room, merging)?;
        self.next = Some(NextLevel {
            end: self.level().end + count,
            digest,
            followed: found.followed,
        });
        Ok(count)
    }

    /// Makes a level of the states that were found new. After an error the file has states of no
    /// level, which `resume` cuts off.
    pub(super) fn add_level<S: PackedState>(
        &mut self,
        merging: &mut Merging<'_>,
    ) -> Result<(), Halt> {
        let Some(next) = self.next.take() else {
            return Ok(());
        };
        let has_new_runs = self.index::<S>(self.level().end..next.end, merging)?;
        self.ends.push(next.end);
        (self.followed, self.digest) = (next.followed, next.digest);
        Ok(self.record(has_new_runs)?)
    }

    /// Adds the states of a new level to those that are looked up, the young states and the runs.
    /// Returns true if there are other runs than before.
    fn index<S: PackedState>(
        &mut self,
        level: Range<u64>,
        merging: &mut Merging<'_>,
    ) -> Result<bool, Halt> {
        let words = (level.end - level.start).saturating_mul(self.layout.words as u64);
        if self.young.len() as u64 + words > self.most_young as u64 {
            self.make_run::<S>(level, merging)?;
            return Ok(true);
        }
        let mut block = Block::default();
        self.read(&mut block, level)?;
        insert(self.layout.words, &mut self.young, &block.states);
        Ok(false)
    }

    /// Writes the states found that are in no level yet after the last level, if they are at most
    /// `most`. Returns their number, and the checksum of all states with them.
    fn append_new<S: PackedState>(
        &mut self,
        found: &Collected<'_>,
        most: u64,
        merging: &mut Merging<'_>,
    ) -> Result<(u64, Checksum), Halt> {
        let layout = &self.layout;
        let lists = &found.lists[..];
        let mut known = vec![List::of_states(layout, &self.young)];
        // The young states and the runs together are all states, the last level included.
        known.extend(self.runs.iter().map(|run| run.list(layout)));
        let (threads, least) = (merging.threads.count(), self.smallest_range);
        let bounds = ranges::<S>(lists, layout, threads, least)?;
        // The number of states of the ranges before is known only at the end, so only the first
        // range is written where it belongs.
        let files = (1..bounds.len()).map(|number| self.folder.create(&part_name(number)));
        let files: Vec<File> = files.collect::<io::Result<_>>()?;
        let before = self.level().end;
        let places = files.iter().map(|file| (file, 0));
        let places = [(&self.levels, before)].into_iter().chain(places);
        let workspaces = &mut merging.workspaces;
        let mut parts = parts(&bounds, (lists, &known), places, layout, workspaces)?;
        ranges::write::<S>(&mut parts, merging.threads, most, merging.token)?;
        let of_part = |part: &MergedRange<'_, S>| (part.writer.count, part.writer.checksum);
        let written: Vec<(u64, Checksum)> = parts.iter().map(of_part).collect();
        drop(parts);
        let mut place = before + written[0].0;
        let mut copies = Vec::new();
        let workspaces = merging.workspaces.iter_mut();
        for ((file, &(count, _)), workspace) in files.iter().zip(&written[1..]).zip(workspaces) {
            copies.push(Copy {
                file,
                length: count * layout.width as u64,
                place: place * layout.width as u64,
                buffer: workspace.written(),
                failed: None,
            });
            place += count;
        }
        copy(&mut copies, &self.levels, merging.threads)?;
        for number in 1..bounds.len() {
            self.folder.remove(&part_name(number))?;
        }
        let mut digest = self.digest;
        for (_, checksum) in written {
            digest.append(checksum);
        }
        Ok((place - before, digest))
    }

    /// Makes one run of the states of a new level, at these places, of the young states, and of the
    /// last runs, as [`first_merged`] says.
    fn make_run<S: PackedState>(
        &mut self,
        level: Range<u64>,
        merging: &mut Merging<'_>,
    ) -> Result<(), Halt> {
        let new = level.end - level.start + self.layout.count(&self.young) as u64;
        let sizes: Vec<u64> = self.runs.iter().map(|run| run.entry.states).collect();
        let kept = first_merged(&sizes, new);
        let total = new + sizes[kept..].iter().sum::<u64>();
        let name = format!("run-{}", self.made);
        self.made += 1;
        let file = self.folder.create(&name)?;
        let layout = &self.layout;
        let mut lists = vec![
            List::of_states(layout, &self.young),
            List::of_file(layout, &self.levels, level),
        ];
        lists.extend(self.runs[kept..].iter().map(|run| run.list(layout)));
        let (threads, least) = (merging.threads.count(), self.smallest_range);
        let bounds = ranges::<S>(&lists, layout, threads, least)?;
        // No state is in two lists, so that it is known where each range begins.
        let mut starts = vec![0];
        for (from, to) in &bounds {
            let mut start = starts[starts.len() - 1];
            for list in &lists {
                start += list.between(from.as_ref(), to.as_ref())?.count();
            }
            starts.push(start);
        }
        let places = starts.iter().map(|&start| (&file, start));
        let workspaces = &mut merging.workspaces;
        let mut parts = parts(&bounds, (&lists, &[]), places, layout, workspaces)?;
        ranges::write::<S>(&mut parts, merging.threads, u64::MAX, merging.token)?;
        let mut digest = Checksum::default();
        for (part, place) in parts.iter().zip(starts.windows(2)) {
            if part.writer.count != place[1] - place[0] {
                return Err(damaged("a state is in two of the sorted files").into());
            }
            digest.append(part.writer.checksum);
        }
        let entry = RunEntry {
            name,
            states: total,
            digest: digest.value(),
        };
        drop(parts);
        self.young.clear();
        for SortedRun { entry, .. } in self.runs.drain(kept..) {
            self.obsolete_states += entry.states;
            self.obsolete.push(entry.name);
        }
        self.runs.push(SortedRun {
            entry,
            file,
            is_synced: false,
        });
        Ok(())
    }

    /// Writes a line on the last level. All is synced to the disk itself only now and then: a
    /// program that is killed loses no more than one level anyway. A machine that loses power may
    /// lose any part of what was written since, and goes on from before that: so nothing that was
    /// needed then is removed earlier.
    fn record(&mut self, has_new_runs: bool) -> io::Result<()> {
        let is_late = self.synced.elapsed() >= self.sync_time * SYNC_SHARE;
        let obsolete = self.obsolete_states * self.layout.width as u64;
        let is_much = obsolete > MOST_OBSOLETE && self.obsolete_states > self.level().end;
        let is_due = self.syncs.unwrap_or(is_late || is_much);
        let started = Instant::now();
        if is_due {
            self.sync_states()?;
        }
        self.append_line(has_new_runs)?;
        // The line itself gets to the disk only below, so the next line is the first that may say
        // that it is there.
        self.is_synced = is_due;
        if is_due {
            self.sync_names()?;
            for name in self.obsolete.drain(..) {
                self.folder.remove(&name)?;
            }
            self.obsolete_states = 0;
            self.sync_time = started.elapsed();
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Writes the line on the last level, with the runs if these have changed.
    fn append_line(&mut self, has_new_runs: bool) -> io::Result<()> {
        let runs = self.runs.iter().map(|run| run.entry.clone());
        self.journal.append(&LevelEntry {
            states: self.level().end,
            followed: self.followed,
            digest: self.digest.value(),
            runs: has_new_runs.then(|| runs.collect()),
            is_synced: self.is_synced,
        })
    }

    /// Syncs the states to the disk itself.
    fn sync_states(&mut self) -> io::Result<()> {
        self.levels.sync_data()?;
        for run in self.runs.iter_mut().filter(|run| !run.is_synced) {
            run.file.sync_data()?;
            run.is_synced = true;
        }
        Ok(())
    }

    /// Syncs the names of the files, and then the journal, to the disk itself.
    fn sync_names(&self) -> io::Result<()> {
        self.folder.sync()?;
        self.journal.sync()
    }
}

/// Opens the file of all states.
pub(super) fn open_levels(folder: &Folder) -> io::Result<File> {
    let levels = folder.open(LEVELS)?;
    levels.ok_or_else(|| damaged("the file `levels` is missing"))
}

/// The name of the file for a range other than the first.
fn part_name(number: usize) -> String {
    format!("part-{number}")
}

/// A part for each range, to be written from the next of `places` on.
fn parts<'f, S: PackedState>(
    bounds: &[Bounds<S>],
    lists: (&[List<'f>], &[List<'f>]),
    places: impl Iterator<Item = (&'f File, u64)>,
    layout: &RecordLayout,
    workspaces: &'f mut [&mut Workspace],
) -> io::Result<Vec<MergedRange<'f, S>>> {
    let parts = bounds.iter().zip(places).zip(workspaces);
    let parts = parts.map(|((bounds, place), workspace)| {
        MergedRange::new(lists, bounds, workspace, layout, place)
    });
    parts.collect()
}

/// Copies a file to another one.
struct Copy<'f> {
    file: &'f File,
    length: u64,
    /// The offset in the other file where the copy begins.
    place: u64,
    buffer: &'f mut [u8],
    failed: Option<io::Error>,
}

/// Copies all of these to one file.
fn copy(copies: &mut [Copy<'_>], to: &File, threads: &Threads) -> io::Result<()> {
    threads.each(copies, |_, copy| copy.failed = copy.run(to).err());
    let failed = copies.iter_mut().find_map(|copy| copy.failed.take());
    failed.map_or(Ok(()), Err)
}

impl Copy<'_> {
    fn run(&mut self, to: &File) -> io::Result<()> {
        let mut done = 0;
        while done < self.length {
            let size = (self.length - done).min(self.buffer.len() as u64);
            let bytes = &mut self.buffer[..size as usize];
            read_at(self.file, bytes, done)?;
            write_at(to, bytes, self.place + done)?;
            done += size;
        }
        Ok(())
    }
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

#[cfg(test)]
mod tests;
