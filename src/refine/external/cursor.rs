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
