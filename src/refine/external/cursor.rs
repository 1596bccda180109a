//! Going through sorted states, in a file or in memory, and skipping most of them where only a few are looked for.

use std::cmp::Ordering;
use std::fs::File;
use std::io;
use std::ops::Range;

use super::records::{Block, Layout, compare};

/// A place among sorted states.
pub(super) struct Cursor<'f> {
    /// Nothing if all states are in the block.
    file: Option<&'f File>,
    layout: Layout,
    block: Block,
    /// Where the present state starts in the block.
    at: usize,
    /// The places of the file after the block.
    rest: Range<u64>,
    /// States of a block.
    size: u64,
    /// A state that is looked at alone.
    probe: Block,
}

/// After so many blocks in which a state is not, it is looked for further away.
const NEAR: usize = 2;

impl<'f> Cursor<'f> {
    /// At the first of the states in these places of a file, of which `size` are read at a time.
    pub(super) fn of_file(
        file: &'f File,
        layout: &Layout,
        places: Range<u64>,
        size: usize,
    ) -> io::Result<Self> {
        let mut cursor = Self {
            file: Some(file),
            rest: places,
            size: size as u64,
            ..Self::of_states(layout, Vec::new())
        };
        cursor.next_block()?;
        Ok(cursor)
    }

    /// At the first of these states.
    pub(super) fn of_states(layout: &Layout, states: Vec<u64>) -> Self {
        Self {
            file: None,
            layout: *layout,
            block: Block {
                states,
                ..Block::default()
            },
            at: 0,
            rest: 0..0,
            size: 0,
            probe: Block::default(),
        }
    }

    /// All states, those before the present one included, if they were in memory.
    pub(super) fn into_states(self) -> Vec<u64> {
        self.block.states
    }

    /// The present state; nothing after the last.
    #[inline]
    pub(super) fn state(&self) -> Option<&[u64]> {
        self.block.states.get(self.at..self.at + self.layout.words)
    }

    /// Goes to the next state.
    #[inline]
    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.at += self.layout.words;
        if self.at >= self.block.states.len() {
            self.next_block()?;
        }
        Ok(())
    }

    /// Goes on to the first state that is not below `wanted`, and says whether it is that.
    #[inline]
    pub(super) fn finds(&mut self, wanted: &[u64]) -> io::Result<bool> {
        match self.state().map(|state| compare(state, wanted)) {
            None | Some(Ordering::Greater) => return Ok(false),
            Some(Ordering::Equal) => return Ok(true),
            Some(Ordering::Less) => {}
        }
        self.skip(wanted)?;
        Ok(self.state() == Some(wanted))
    }

    /// Goes on from a state below `wanted` to the first that is not.
    fn skip(&mut self, wanted: &[u64]) -> io::Result<()> {
        let mut blocks = 0;
        while self.state().is_some() && self.ends_below(wanted) {
            if blocks == NEAR {
                self.leap(wanted)?;
            }
            blocks += 1;
            self.next_block()?;
        }
        if self.state().is_some() {
            self.skip_in_block(wanted);
        }
        Ok(())
    }

    /// Whether the last state of the block is below `wanted`.
    fn ends_below(&self, wanted: &[u64]) -> bool {
        let last = self.block.states.rchunks_exact(self.layout.words).next();
        last.is_some_and(|last| compare(last, wanted).is_lt())
    }

    /// Goes on in a block that has a present state and does not end below `wanted`: in steps that double, then back by halves.
    fn skip_in_block(&mut self, wanted: &[u64]) {
        let words = self.layout.words;
        let states = &self.block.states;
        let is_below = |at: usize| compare(&states[at..at + words], wanted).is_lt();
        let (mut low, mut step) = (self.at, words);
        while low + step < states.len() && is_below(low + step) {
            low += step;
            step *= 2;
        }
        let mut high = states.len().min(low + step);
        if !is_below(low) {
            return;
        }
        while high - low > words {
            let middle = low + (high - low) / words / 2 * words;
            if is_below(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.at = high;
    }

    /// Leaves out blocks all of whose states are below `wanted`.
    fn leap(&mut self, wanted: &[u64]) -> io::Result<()> {
        // All before `low` are below.
        let (mut low, mut step) = (self.rest.start, self.size);
        let mut high = loop {
            let place = low + step;
            if place >= self.rest.end {
                break self.rest.end;
            }
            if !self.is_below(place, wanted)? {
                break place;
            }
            low = place + 1;
            step *= 2;
        };
        while high - low > self.size {
            let middle = low + (high - low) / 2;
            if self.is_below(middle, wanted)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.rest.start = low;
        Ok(())
    }

    /// Whether the state at this place of the file is below `wanted`.
    fn is_below(&mut self, place: u64, wanted: &[u64]) -> io::Result<bool> {
        let Some(file) = self.file else {
            return Ok(false);
        };
        self.probe.read(file, &self.layout, place..place + 1)?;
        Ok(compare(&self.probe.states, wanted).is_lt())
    }

    /// Goes to the block after this one; after the last, behind its end.
    fn next_block(&mut self) -> io::Result<()> {
        let end = self.rest.end.min(self.rest.start + self.size);
        match self.file {
            Some(file) if self.rest.start < end => {
                self.block.read(file, &self.layout, self.rest.start..end)?;
                self.rest.start = end;
                self.at = 0;
            }
            _ => self.at = self.block.states.len(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::base::digest::Digest;
    use crate::base::mix::mix;
    use crate::machine::packing::Packing;
    use crate::refine::external::folder::Folder;
    use crate::refine::external::merge::Merge;
    use crate::refine::external::records::Writer;

    /// So many different states, sorted, each in as many words.
    fn states(layout: &Layout, count: u64, seed: u64) -> Vec<u64> {
        let numbers = (0..count).map(|number| mix(seed + number) % 5000);
        let sorted: BTreeSet<u64> = numbers.collect();
        let words = |number: u64| std::iter::repeat_n(number, layout.words);
        sorted.into_iter().flat_map(words).collect()
    }

    fn write(folder: &Folder, layout: &Layout, states: &[u64]) -> File {
        let file = folder.create("states").unwrap();
        let mut writer = Writer::new(&file, layout, 0, Digest::new(0)).unwrap();
        for state in states.chunks_exact(layout.words) {
            writer.push(state).unwrap();
        }
        writer.flush().unwrap();
        drop(writer);
        file
    }

    fn with_folder(name: &str, work: impl Fn(&Folder, &Layout)) {
        let directory = std::env::temp_dir().join(format!("cspsym-{}-{name}", std::process::id()));
        let folder = Folder::new(&directory, &[]).unwrap();
        for counts in [&[1 << 13][..], &[1 << 30; 5]] {
            work(&folder, &Layout::new(&Packing::new(counts)));
        }
        remove(&directory);
    }

    fn remove(directory: &Path) {
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn what_is_looked_for_in_order_is_found_near_and_far() {
        with_folder("cursor", |folder, layout| {
            for count in [0, 1, 5, 300, 4000] {
                let all = states(layout, count, 1);
                let file = write(folder, layout, &all);
                let known: BTreeSet<&[u64]> = all.chunks_exact(layout.words).collect();
                for (wanted, size) in [(3, 1), (20, 4), (4000, 7), (300, 1), (50, 10_000)] {
                    let places = 0..layout.count(&all) as u64;
                    let on_disk = Cursor::of_file(&file, layout, places, size).unwrap();
                    let in_memory = Cursor::of_states(layout, all.clone());
                    for mut cursor in [on_disk, in_memory] {
                        for state in states(layout, wanted, 77).chunks_exact(layout.words) {
                            assert_eq!(cursor.finds(state).unwrap(), known.contains(state));
                            let next = known.range(state..).next().copied();
                            assert_eq!(cursor.state(), next);
                        }
                    }
                }
            }
        });
    }

    #[test]
    fn merging_gives_each_state_once() {
        with_folder("merge", |folder, layout| {
            for lists in 0..7 {
                let list = |number: u64| states(layout, 37 * number * number, 100 * number);
                let all: Vec<Vec<u64>> = (0..lists).map(list).collect();
                let mut expected: BTreeSet<&[u64]> = BTreeSet::new();
                for list in &all {
                    expected.extend(list.chunks_exact(layout.words));
                }
                let file = write(folder, layout, all.last().map_or(&[], |last| &last[..]));
                let lists = all.iter().enumerate().map(|(number, states)| {
                    let places = 0..layout.count(states) as u64;
                    match number + 1 == all.len() {
                        true => Cursor::of_file(&file, layout, places, 5).unwrap(),
                        false => Cursor::of_states(layout, states.clone()),
                    }
                });
                let mut merge = Merge::new(lists.collect());
                let (mut state, mut merged) = (Vec::new(), Vec::new());
                while merge.next(&mut state).unwrap() {
                    merged.extend_from_slice(&state);
                }
                let expected: Vec<u64> = expected.into_iter().flatten().copied().collect();
                assert_eq!(merged, expected);
            }
        });
    }
}
