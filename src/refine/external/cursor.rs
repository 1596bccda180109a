//! Cursors that go through sorted states, in a file or in memory, and skip most of them where only
//! a few are looked for.

use std::cmp::Ordering;
use std::fs::File;
use std::io;
use std::ops::Range;

use super::list::{List, ListSource};
use super::positional::read_at;
use super::records::{RecordLayout, compare};
use machine::packing::PackedState;

/// A place among sorted states.
pub(super) struct Cursor<'f, S> {
    layout: RecordLayout,
    window: Window<'f>,
    /// The number of states in the window, and the place of the present one in it.
    count: usize,
    at: usize,
    present: S,
    /// The places of the file after the window.
    rest: Range<u64>,
    /// A state that is compared with.
    probe: S,
    /// The packed form of a state that is not in the window.
    bytes: Vec<u8>,
}

/// Consecutive states of the list.
enum Window<'f> {
    /// All states of the list.
    Memory(&'f [u64]),
    /// The states in these bytes; there is room for `size`.
    File {
        file: &'f File,
        bytes: &'f mut [u8],
        size: usize,
    },
}

/// The number of windows in which a state is looked for one after the other; after these it is
/// looked for further away.
const NEAR: usize = 2;

impl<'f, S: PackedState> Cursor<'f, S> {
    /// A cursor at the first state of a list. States in a file are read into `buffer`, which has
    /// room for a record, by [`RecordLayout::bytes_of`].
    pub(super) fn new(list: &List<'f>, buffer: &'f mut [u8]) -> io::Result<Self> {
        let layout = list.layout;
        let (window, count, rest) = match list.source {
            ListSource::Memory(states) => {
                let words = |place: u64| place as usize * layout.words;
                let states = &states[words(list.places.start)..words(list.places.end)];
                (Window::Memory(states), layout.count(states), 0..0)
            }
            ListSource::File(file) => {
                let size = layout.records_in(buffer.len());
                let bytes = buffer;
                let window = Window::File { file, bytes, size };
                (window, 0, list.places.clone())
            }
        };
        let mut cursor = Self {
            layout,
            window,
            count,
            at: 0,
            present: S::zero(layout.words),
            rest,
            probe: S::zero(layout.words),
            bytes: Vec::new(),
        };
        if cursor.count == 0 {
            cursor.next_window()?;
        } else {
            cursor.load();
        }
        Ok(cursor)
    }

    /// The present state; `None` after the last.
    #[inline]
    pub(super) fn state(&self) -> Option<&S> {
        (self.at < self.count).then_some(&self.present)
    }

    /// Goes to the next state.
    #[inline]
    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.at += 1;
        if self.at < self.count {
            self.load();
            return Ok(());
        }
        self.next_window()
    }

    /// Goes on to the first state that is not below `wanted`. Returns true if it is equal to
    /// `wanted`.
    #[inline]
    pub(super) fn finds(&mut self, wanted: &S) -> io::Result<bool> {
        let order = |state: &S| compare(state.words(), wanted.words());
        match self.state().map(order) {
            None | Some(Ordering::Greater) => return Ok(false),
            Some(Ordering::Equal) => return Ok(true),
            Some(Ordering::Less) => {}
        }
        self.skip(wanted)?;
        Ok(self.state().map(order) == Some(Ordering::Equal))
    }

    /// Reads the state at the present place.
    #[inline]
    fn load(&mut self) {
        match &self.window {
            Window::Memory(states) => {
                let words = self.present.words().len();
                self.present.load(&states[self.at * words..][..words]);
            }
            Window::File { bytes, .. } => self.layout.load(bytes, self.at, &mut self.present),
        }
    }

    /// True if this state of the window is below `wanted`.
    #[inline]
    fn is_below(&mut self, at: usize, wanted: &S) -> bool {
        match &self.window {
            Window::Memory(states) => {
                let words = wanted.words().len();
                compare(&states[at * words..][..words], wanted.words()).is_lt()
            }
            Window::File { bytes, .. } => {
                self.layout.load(bytes, at, &mut self.probe);
                compare(self.probe.words(), wanted.words()).is_lt()
            }
        }
    }

    /// Goes on from a state below `wanted` to the first that is not below it.
    #[inline]
    fn skip(&mut self, wanted: &S) -> io::Result<()> {
        let mut windows = 0;
        while self.count > 0 && self.is_below(self.count - 1, wanted) {
            if windows == NEAR {
                self.leap(wanted)?;
            }
            windows += 1;
            self.next_window()?;
        }
        if self.count > 0 {
            self.skip_in_window(wanted);
        }
        Ok(())
    }

    /// Goes on in a window that does not end below `wanted`: in steps that double, then back by
    /// halves.
    #[inline]
    fn skip_in_window(&mut self, wanted: &S) {
        if !self.is_below(self.at, wanted) {
            return;
        }
        let (mut low, mut step) = (self.at, 1);
        while low + step < self.count && self.is_below(low + step, wanted) {
            low += step;
            step *= 2;
        }
        // `low` is below `wanted`. The last state of the window is not, so `high` ends inside the
        // window.
        let mut high = self.count.min(low + step);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.is_below(middle, wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.at = high;
        self.load();
    }

    /// Leaves out windows all of whose states are below `wanted`.
    fn leap(&mut self, wanted: &S) -> io::Result<()> {
        let Window::File { file, size, .. } = self.window else {
            return Ok(());
        };
        let size = size as u64;
        // All states before `low` are below `wanted`.
        let (mut low, mut step) = (self.rest.start, size);
        let mut high = loop {
            let place = low + step;
            if place >= self.rest.end {
                break self.rest.end;
            }
            if !self.is_below_in(file, place, wanted)? {
                break place;
            }
            low = place + 1;
            step *= 2;
        };
        // The rest of the way goes in memory, through the windows from there on.
        while high - low > size {
            let middle = low + (high - low) / 2;
            if self.is_below_in(file, middle, wanted)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.rest.start = low;
        Ok(())
    }

    /// True if the state at this place of the file is below `wanted`.
    fn is_below_in(&mut self, file: &File, place: u64, wanted: &S) -> io::Result<bool> {
        let list = List::of_file(&self.layout, file, 0..place + 1);
        list.read(place, &mut self.bytes, &mut self.probe)?;
        Ok(compare(self.probe.words(), wanted.words()).is_lt())
    }

    /// Goes to the next window; after the last one, to its end.
    fn next_window(&mut self) -> io::Result<()> {
        (self.at, self.count) = (0, 0);
        if let Window::File { file, bytes, size } = &mut self.window
            && self.rest.start < self.rest.end
        {
            let width = self.layout.width;
            self.count = (self.rest.end - self.rest.start).min(*size as u64) as usize;
            let read = &mut bytes[..self.count * width];
            read_at(file, read, self.rest.start * width as u64)?;
            self.rest.start += self.count as u64;
            self.load();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::external::folder::Folder;
    use crate::external::merge::Merge;
    use crate::external::records::RecordWriter;
    use base::mix::mix;
    use machine::packing::Packing;

    /// At most `count` different states, sorted, each with the same number in all its words.
    fn states(layout: &RecordLayout, count: u64, seed: u64) -> Vec<u64> {
        let numbers = (0..count).map(|number| mix(seed + number) % 5000);
        let sorted: BTreeSet<u64> = numbers.collect();
        let words = |number: u64| std::iter::repeat_n(number, layout.words);
        sorted.into_iter().flat_map(words).collect()
    }

    fn write(folder: &Folder, layout: &RecordLayout, states: &[u64]) -> File {
        let file = folder.create("states").unwrap();
        let mut buffer = vec![0; layout.bytes_of(3)];
        let mut writer = RecordWriter::new(&file, layout, 0, &mut buffer);
        for state in states.chunks_exact(layout.words) {
            writer.push(&state.to_vec()).unwrap();
        }
        writer.flush().unwrap();
        file
    }

    fn with_folder(name: &str, work: impl Fn(&Folder, &RecordLayout)) {
        let directory = std::env::temp_dir().join(format!("cspsym-{}-{name}", std::process::id()));
        let folder = Folder::new(&directory, &[]).unwrap();
        for counts in [&[1 << 13][..], &[1 << 30; 5]] {
            work(&folder, &RecordLayout::new(&Packing::new(counts)));
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
                let places = 0..layout.count(&all) as u64;
                for (wanted, size) in [(3, 1), (20, 4), (4000, 7), (300, 1), (50, 10_000)] {
                    let mut buffer = vec![0; layout.bytes_of(size)];
                    let on_disk = List::of_file(layout, &file, places.clone());
                    let in_memory = List::of_states(layout, &all);
                    for list in [on_disk, in_memory] {
                        let skipped = places.end / 7;
                        for first in [0, skipped] {
                            let mut list = list.clone();
                            list.places.start = first;
                            let part = &all[first as usize * layout.words..];
                            let known: BTreeSet<&[u64]> = part.chunks_exact(layout.words).collect();
                            let mut cursor = Cursor::<Vec<u64>>::new(&list, &mut buffer).unwrap();
                            for state in states(layout, wanted, 77).chunks_exact(layout.words) {
                                let found = cursor.finds(&state.to_vec()).unwrap();
                                assert_eq!(found, known.contains(state));
                                let next = known.range(state..).next().copied();
                                assert_eq!(cursor.state().map(|state| &state[..]), next);
                            }
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
                let mut buffer = vec![0; layout.bytes_of(5)];
                let mut cursors = Vec::new();
                if let Some((last, others)) = all.split_last() {
                    let places = 0..layout.count(last) as u64;
                    let on_disk = List::of_file(layout, &file, places);
                    for list in others {
                        let list = List::of_states(layout, list);
                        cursors.push(Cursor::<Vec<u64>>::new(&list, &mut []).unwrap());
                    }
                    cursors.push(Cursor::new(&on_disk, &mut buffer).unwrap());
                }
                let mut merge = Merge::new(cursors);
                let (mut state, mut merged) = (vec![0; layout.words], Vec::new());
                while merge.next(&mut state).unwrap() {
                    merged.extend_from_slice(&state);
                }
                let expected: Vec<u64> = expected.into_iter().flatten().copied().collect();
                assert_eq!(merged, expected);
            }
        });
    }
}
