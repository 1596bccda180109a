//! What the states of a level lead to: sorted in memory, and in files where that is too much.

use std::fs::File;
use std::io;

use super::cursor::Cursor;
use super::filter::Filter;
use super::folder::Folder;
use super::merge::Merge;
use super::records::{Layout, Writer, sort};
use crate::base::digest::Digest;

/// What one thread collects.
pub(super) struct Collector {
    /// Which one it is.
    number: usize,
    layout: Layout,
    filter: Filter,
    states: Vec<u64>,
    /// So many words of states are sorted and written to a file.
    capacity: usize,
    files: Vec<Sorted>,
    /// More files are merged, so that all of them can be open and read at once.
    most_files: usize,
    /// How many files there were.
    made: usize,
    /// What went wrong, if anything did.
    failed: Option<io::Error>,
}

/// A file of sorted states, each once.
struct Sorted {
    name: String,
    file: File,
    count: u64,
}

/// How many files all threads may have.
const MOST_FILES: usize = 64;

/// How many one of many threads may have all the same.
const FEW_FILES: usize = 6;

/// Of each file that is merged with others so many bytes are read at a time.
const MERGED: usize = 1 << 16;

impl Collector {
    /// Nothing yet, for each of so many threads; so many bytes are for what was seen lately, and so many for what is to be sorted.
    pub(super) fn all(threads: usize, layout: &Layout, filter: usize, buffer: usize) -> Vec<Self> {
        let collector = |number| Self::new(number, threads, layout, filter, buffer);
        (0..threads).map(collector).collect()
    }

    fn new(number: usize, threads: usize, layout: &Layout, filter: usize, buffer: usize) -> Self {
        Self {
            number,
            layout: *layout,
            filter: Filter::new(layout, filter),
            states: Vec::new(),
            capacity: layout.states_in(buffer) * layout.words,
            files: Vec::new(),
            most_files: (MOST_FILES / threads).max(FEW_FILES),
            made: 0,
            failed: None,
        }
    }

    /// Bytes of memory held. Room that is not used takes none.
    pub(super) fn memory_bytes(&self) -> usize {
        self.filter.memory_bytes() + size_of_val(&self.states[..])
    }

    /// Takes some candidates.
    pub(super) fn take(&mut self, candidates: &[u64], folder: &Folder) {
        if self.states.capacity() < self.capacity {
            self.states.reserve_exact(self.capacity + candidates.len());
        }
        self.filter.enter(candidates, &mut self.states);
        if self.states.len() >= self.capacity && self.failed.is_none() {
            self.failed = self.write(folder).err();
        }
    }

    /// Sorts what is in memory.
    pub(super) fn sort(&mut self) {
        sort(&self.layout, &mut self.states);
    }

    /// Says what went wrong, if anything did.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// All that was collected and sorted, as lists of which `size` states are read at a time.
    pub(super) fn lists(&mut self, size: usize) -> io::Result<Vec<Cursor<'_>>> {
        let states = std::mem::take(&mut self.states);
        let layout = &self.layout;
        let mut lists = vec![Cursor::of_states(layout, states)];
        for sorted in &self.files {
            let places = 0..sorted.count;
            lists.push(Cursor::of_file(&sorted.file, layout, places, size)?);
        }
        Ok(lists)
    }

    /// How many files there are.
    pub(super) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Nothing any more.
    pub(super) fn clear(&mut self, folder: &Folder) -> io::Result<()> {
        self.states.clear();
        self.remove_files(folder)
    }

    /// Sorts what is in memory, and writes it to a file.
    fn write(&mut self, folder: &Folder) -> io::Result<()> {
        self.sort();
        let sorted = self.new_file(folder)?;
        let mut writer = Writer::new(&sorted.file, &self.layout, 0, Digest::new(0))?;
        for state in self.states.chunks_exact(self.layout.words) {
            writer.push(state)?;
        }
        writer.flush()?;
        let count = writer.count;
        self.states.clear();
        self.files.push(Sorted { count, ..sorted });
        if self.files.len() > self.most_files {
            self.merge_files(folder)?;
        }
        Ok(())
    }

    /// Makes one file of all.
    fn merge_files(&mut self, folder: &Folder) -> io::Result<()> {
        let merged = self.new_file(folder)?;
        let size = self.layout.states_in(MERGED);
        let lists = self.files.iter();
        let lists = lists.map(|s| Cursor::of_file(&s.file, &self.layout, 0..s.count, size));
        let mut merge = Merge::new(lists.collect::<io::Result<_>>()?);
        let mut writer = Writer::new(&merged.file, &self.layout, 0, Digest::new(0))?;
        let mut state = Vec::new();
        while merge.next(&mut state)? {
            writer.push(&state)?;
        }
        writer.flush()?;
        let count = writer.count;
        drop(merge);
        self.remove_files(folder)?;
        self.files.push(Sorted { count, ..merged });
        Ok(())
    }

    fn new_file(&mut self, folder: &Folder) -> io::Result<Sorted> {
        let name = format!("candidates-{}-{}", self.number, self.made);
        self.made += 1;
        Ok(Sorted {
            file: folder.create(&name)?,
            name,
            count: 0,
        })
    }

    fn remove_files(&mut self, folder: &Folder) -> io::Result<()> {
        for Sorted { name, file, .. } in self.files.drain(..) {
            drop(file);
            folder.remove(&name)?;
        }
        Ok(())
    }
}
