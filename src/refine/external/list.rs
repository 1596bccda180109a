//! Lists of sorted states, each once, in a file or in memory, and the search for a state in them.

use std::fs::File;
use std::io;
use std::ops::Range;

use super::positional::read_at;
use super::records::{RecordLayout, compare};
use machine::packing::PackedState;

/// Consecutive states of a sorted file, or of sorted states in memory.
#[derive(Clone)]
pub(super) struct List<'f> {
    pub(super) layout: RecordLayout,
    pub(super) source: ListSource<'f>,
    pub(super) places: Range<u64>,
}

/// The place of the states of a list.
#[derive(Clone, Copy)]
pub(super) enum ListSource<'f> {
    Memory(&'f [u64]),
    File(&'f File),
}

impl<'f> List<'f> {
    /// The list of all of these states.
    pub(super) fn of_states(layout: &RecordLayout, states: &'f [u64]) -> Self {
        Self {
            layout: *layout,
            places: 0..layout.count(states) as u64,
            source: ListSource::Memory(states),
        }
    }

    /// The list of the states at these places of a file.
    pub(super) fn of_file(layout: &RecordLayout, file: &'f File, places: Range<u64>) -> Self {
        Self {
            layout: *layout,
            places,
            source: ListSource::File(file),
        }
    }

    /// The number of states.
    pub(super) fn count(&self) -> u64 {
        self.places.end - self.places.start
    }

    /// Reads the state at this place; its packed form goes to `bytes`.
    pub(super) fn read<S: PackedState>(
        &self,
        place: u64,
        bytes: &mut Vec<u8>,
        state: &mut S,
    ) -> io::Result<()> {
        let RecordLayout { words, width, .. } = self.layout;
        match self.source {
            ListSource::Memory(states) => state.load(&states[place as usize * words..][..words]),
            ListSource::File(file) => {
                bytes.resize(self.layout.bytes_of(1), 0);
                read_at(file, &mut bytes[..width], place * width as u64)?;
                self.layout.load(bytes, 0, state);
            }
        }
        Ok(())
    }

    /// The states that are not below `from` and below `to`, where these are given.
    pub(super) fn between<S: PackedState>(
        &self,
        from: Option<&S>,
        to: Option<&S>,
    ) -> io::Result<Self> {
        let start = from.map_or(Ok(self.places.start), |from| self.position(from))?;
        let end = to.map_or(Ok(self.places.end), |to| self.position(to))?;
        Ok(Self {
            places: start..end,
            ..self.clone()
        })
    }

    /// The place of the first state that is not below `wanted`.
    fn position<S: PackedState>(&self, wanted: &S) -> io::Result<u64> {
        let Range { start, end } = self.places;
        let (mut low, mut high) = (start, end);
        let (mut bytes, mut state) = (Vec::new(), wanted.clone());
        while low < high {
            let middle = low + (high - low) / 2;
            self.read(middle, &mut bytes, &mut state)?;
            if compare(state.words(), wanted.words()).is_lt() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}
