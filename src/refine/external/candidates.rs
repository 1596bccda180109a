//! The candidates of a level, which its states lead to: sorted in memory, and in files where they
//! are too many.

use std::fs::File;
use std::io;

use super::cursor::Cursor;
use super::filter::{Filter, GROUP};
use super::folder::Folder;
use super::list::List;
use super::memory::{Shares, Workspace};
use super::merge::Merge;
use super::records::{RecordLayout, RecordWriter, sort};
use machine::packing::PackedState;

/// The candidates that one thread collects.
pub(super) struct CandidateCollector {
    /// The number of the thread.
    number: usize,
    layout: RecordLayout,
    filter: Filter,
    states: Vec<u64>,
    /// The number of words of `states` at which they are sorted and written to a file.
    capacity: usize,
    files: Vec<Sorted>,
    /// The most files; more are merged, so that all of them can be open and read at once.
    most_files: usize,
    /// The number of files that were made.
    made: usize,
    /// The first error, if there was any.
    failed: Option<io::Error>,
}

/// A file of sorted states, each once.
struct Sorted {
    name: String,
    file: File,
    count: u64,
}

impl Sorted {
    fn list(&self, layout: &RecordLayout) -> List<'_> {
        List::of_file(layout, &self.file, 0..self.count)
    }
}

impl CandidateCollector {
    /// An empty collector for thread `number` of `threads`.
    pub(super) fn new(
        number: usize,
        layout: &RecordLayout,
        shares: &Shares,
        threads: usize,
    ) -> Self {
        let mut collector = Self {
            number,
            layout: *layout,
            filter: Filter::new(layout, 0),
            states: Vec::new(),
            capacity: 0,
            files: Vec::new(),
            most_files: 0,
            made: 0,
            failed: None,
        };
        collector.resize(shares, threads);
        collector
    }

    /// Takes as much memory as these shares say from now on. No candidates may be in memory.
    fn resize(&mut self, shares: &Shares, threads: usize) {
        self.filter.release(shares.filter);
        self.states = Vec::new();
        self.capacity = self.layout.sortable_in(shares.candidates) * self.layout.words;
        self.most_files = shares.most_files(threads);
    }

    /// Writes the candidates in memory to a file. From now on the collector takes as much memory as
    /// these shares say, when it takes any.
    pub(super) fn release<S: PackedState>(
        &mut self,
        shares: &Shares,
        threads: usize,
        folder: &Folder,
        workspace: &mut Workspace,
    ) -> io::Result<()> {
        self.write::<S>(folder, workspace)?;
        self.resize(shares, threads);
        Ok(())
    }

    /// Bytes of memory held. Room that is not used takes none.
    pub(super) fn memory_bytes(&self) -> usize {
        self.filter.memory_bytes() + size_of_val(&self.states[..])
    }

    /// Takes the memory that candidates need, if it has none.
    pub(super) fn prepare(&mut self) {
        if self.states.capacity() == 0 {
            self.states.reserve_exact(self.capacity);
            self.filter.prepare();
        }
    }

    /// Takes some candidates.
    pub(super) fn take<S: PackedState>(
        &mut self,
        candidates: &[u64],
        folder: &Folder,
        workspace: &mut Workspace,
    ) {
        self.prepare();
        // A group is never larger than the memory, so it fits once the candidates there were
        // written.
        for group in
            candidates.chunks(GROUP.min(self.capacity / self.layout.words) * self.layout.words)
        {
            // After a failure nothing is written any more: `check` ends the search when the round
            // is over.
            if self.states.len() + group.len() > self.capacity && self.failed.is_none() {
                self.failed = self.write::<S>(folder, workspace).err();
            }
            self.filter.enter::<S>(group, &mut self.states);
        }
    }

    /// Sorts the candidates in memory.
    pub(super) fn sort(&mut self) {
        sort(&self.layout, &mut self.states);
    }

    /// Fails if anything went wrong.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// All that was collected and sorted.
    pub(super) fn lists(&self) -> impl Iterator<Item = List<'_>> {
        let in_memory = List::of_states(&self.layout, &self.states);
        let files = self.files.iter().map(|sorted| sorted.list(&self.layout));
        std::iter::once(in_memory).chain(files)
    }

    /// Drops all that was collected.
    pub(super) fn clear(&mut self, folder: &Folder) -> io::Result<()> {
        self.states.clear();
        self.remove_files(folder, 0)
    }

    /// Sorts the candidates in memory, and writes them to a file.
    fn write<S: PackedState>(
        &mut self,
        folder: &Folder,
        workspace: &mut Workspace,
    ) -> io::Result<()> {
        if self.states.is_empty() {
            return Ok(());
        }
        self.sort();
        let sorted = self.new_file(folder)?;
        let mut writer = RecordWriter::new(&sorted.file, &self.layout, 0, workspace.written());
        let mut state = S::zero(self.layout.words);
        for words in self.states.chunks_exact(self.layout.words) {
            state.load(words);
            writer.push(&state)?;
        }
        writer.flush()?;
        let count = writer.count;
        self.states.clear();
        self.files.push(Sorted { count, ..sorted });
        if self.files.len() > self.most_files {
            self.merge_files::<S>(folder, workspace)?;
        }
        Ok(())
    }

    /// Makes one file of the last ones: as many as have no more states than those after them
    /// together, and at least two. So a state is written only a logarithmic number of times,
    /// however many files there are.
    fn merge_files<S: PackedState>(
        &mut self,
        folder: &Folder,
        workspace: &mut Workspace,
    ) -> io::Result<()> {
        let mut kept = self.files.len();
        let mut total = 0;
        while kept > 0 && (self.files[kept - 1].count <= total || self.files.len() - kept < 2) {
            kept -= 1;
            total += self.files[kept].count;
        }
        let merged = self.new_file(folder)?;
        let layout = &self.layout;
        let lists: Vec<List<'_>> = self.files[kept..].iter().map(|s| s.list(layout)).collect();
        let (buffers, written) = workspace.buffers(lists.len(), total, layout);
        let cursors = lists.iter().zip(buffers);
        let cursors = cursors.map(|(list, buffer)| Cursor::<S>::new(list, buffer));
        let mut merge = Merge::new(cursors.collect::<io::Result<_>>()?);
        let mut writer = RecordWriter::new(&merged.file, layout, 0, written);
        let mut state = S::zero(layout.words);
        while merge.next(&mut state)? {
            writer.push(&state)?;
        }
        writer.flush()?;
        let count = writer.count;
        self.remove_files(folder, kept)?;
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

    /// Removes all files but the first `kept`.
    fn remove_files(&mut self, folder: &Folder, kept: usize) -> io::Result<()> {
        for Sorted { name, file, .. } in self.files.drain(kept..) {
            drop(file);
            folder.remove(&name)?;
        }
        Ok(())
    }
}
