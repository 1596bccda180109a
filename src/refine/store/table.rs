//! An open-addressing hash table of 64-bit slots that grows in place.
//!
//! An entry belongs where 32 bits of its hash say, its *position*, and lines are in order of
//! positions. So when the table gets longer every entry moves towards the end, and one pass from
//! the end to the front moves all of them within the memory that is there: nothing is held twice,
//! and memory is read and written in order.

use std::hint::black_box;

/// Slots by position. 0 is a free slot.
#[derive(Debug, Default)]
pub(super) struct StateTable {
    /// The lines, from the first slot on that begins a cache line.
    slots: Vec<u64>,
    /// The number of the first slot that begins a cache line.
    start: usize,
    lines: usize,
    /// The number of lines that positions are spread over: each is the home of some. There are more
    /// lines if the last of these overflow.
    homes: usize,
    len: usize,
}

/// Slots of a line: a cache line. They fill from the first, so that a free one ends a search.
pub(super) const SLOTS: usize = 8;

/// The place of a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlotPlace(usize);

/// The percentage of slots that may be taken: the table grows before it is fuller.
const MOST_FULL: usize = 85;

/// The percentage of its size that the table grows to: so much less than full is what memory
/// allows.
const GROWTH: usize = 125;

/// The number of homes below which a table is small: half a megabyte. A small table grows faster,
/// because growing again and again is what a short search would mostly do.
const SMALL_HOMES: usize = 1 << 13;

/// The percentage of its size that a small table grows to.
const SMALL_GROWTH: usize = 400;

const FEWEST_HOMES: usize = 64;

/// Room for lines after the last one that positions are spread over: at 85 percent it overflows
/// often, but hardly ever into more lines than these, so that between two growths the table takes
/// no memory and does not move.
const SPARE_LINES: usize = 16;

impl StateTable {
    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// The bytes that the table must take to have this many homes, beyond those that it has.
    pub(super) fn growth(&self, homes: usize) -> usize {
        match homes > self.homes {
            true => Self::bytes_of(homes).saturating_sub(self.memory_bytes()),
            false => 0,
        }
    }

    fn bytes_of(homes: usize) -> usize {
        slots_of(homes + SPARE_LINES) * size_of::<u64>()
    }

    /// The number of homes that there should be for `more` entries more.
    pub(super) fn homes_with(&self, more: usize) -> usize {
        let wanted = self.len + more;
        if wanted * 100 <= self.homes * SLOTS * MOST_FULL {
            return self.homes;
        }
        let growth = if self.homes < SMALL_HOMES {
            SMALL_GROWTH
        } else {
            GROWTH
        };
        let fit = wanted * 100 / MOST_FULL / SLOTS + 1;
        fit.max(self.homes * growth / 100).max(FEWEST_HOMES)
    }

    /// Makes the table have at least `homes` homes, and moves its entries to them; `position` gives
    /// the position of each slot's content.
    pub(super) fn grow(&mut self, homes: usize, position: impl Fn(u64) -> u32) {
        if homes > self.homes {
            self.spread(homes, position);
        }
    }

    /// Loads the lines that looking up these positions will need.
    #[inline]
    pub(super) fn touch(&self, positions: impl Iterator<Item = u32>) {
        let sum = positions.fold(0u64, |sum, position| {
            sum.wrapping_add(self.line(self.home(position))[0])
        });
        black_box(sum);
    }

    /// The slots where an entry that belongs to `position` is most likely to be.
    #[inline]
    pub(super) fn home_slots(&self, position: u32) -> &[u64] {
        self.line(self.home(position))
    }

    /// Enters `slot` and returns its place, unless one of the lines where it could be `holds` it.
    /// There must be room.
    #[inline]
    pub(super) fn insert(
        &mut self,
        position: u32,
        slot: u64,
        holds: impl Fn(&[u64]) -> bool,
    ) -> Option<SlotPlace> {
        let mut number = self.home(position);
        loop {
            let line = self.line_mut(number);
            if holds(line) {
                return None;
            }
            // Lines fill from the first slot and nothing is removed, so no later line has it if
            // this one has a free slot.
            let free = used(line);
            if free < SLOTS {
                line[free] = slot;
                self.len += 1;
                return Some(SlotPlace(number * SLOTS + free));
            }
            number += 1;
            if number == self.lines {
                self.lengthen(number + 1, 0);
            }
        }
    }

    /// True if `is_it` is true of some slot where an entry that belongs to `position` could be.
    pub(super) fn has(&self, position: u32, is_it: impl Fn(u64) -> bool) -> bool {
        for number in self.home(position)..self.lines {
            let line = self.line(number);
            if line.iter().any(|&slot| slot != 0 && is_it(slot)) {
                return true;
            }
            // Lines fill from the first slot, so no later line has it if this one has a free slot.
            if used(line) < SLOTS {
                return false;
            }
        }
        false
    }

    /// The content of a slot.
    pub(super) fn at_mut(&mut self, place: SlotPlace) -> &mut u64 {
        let SlotPlace(place) = place;
        &mut self.slots[self.start + place]
    }

    /// Spreads all entries over `homes`, more than before.
    ///
    /// Goes through the lines from the last to the first, emptying each and entering its entries
    /// where they belong now. That is at or behind the line, where everything is in its new order
    /// already. Entries that had overflown into the line and even now belong before it are carried
    /// along until the line where they belong is empty too.
    #[inline(never)]
    fn spread(&mut self, homes: usize, position: impl Fn(u64) -> u32) {
        let before = self.lines;
        self.lengthen(homes, SPARE_LINES);
        self.homes = homes;
        self.len = 0;
        let mut carried: Vec<u64> = Vec::new();
        let mut waiting: Vec<u64> = Vec::new();
        for number in (0..before).rev() {
            let line = self.line_mut(number);
            waiting.extend_from_slice(&line[..used(line)]);
            line.fill(0);
            waiting.append(&mut carried);
            for slot in waiting.drain(..) {
                let position = position(slot);
                if self.home(position) >= number {
                    self.insert(position, slot, |_| false);
                } else {
                    carried.push(slot);
                }
            }
        }
    }

    /// Makes the table `lines` lines long, unless it is longer, with room for `spare` more; the new
    /// lines are free.
    fn lengthen(&mut self, lines: usize, spare: usize) {
        if lines <= self.lines {
            return;
        }
        // In the allocators that matter, large memory grows by mapping the same pages elsewhere, so
        // nothing is held twice.
        let len = self.slots.len();
        self.slots.reserve_exact(slots_of(lines + spare) - len);
        self.slots.resize(slots_of(lines), 0);
        let start = self.slots.as_ptr().align_offset(SLOTS * size_of::<u64>());
        // An address that cannot be aligned costs time only.
        let start = if start < SLOTS { start } else { 0 };
        let used = self.start..self.start + self.lines * SLOTS;
        if start != self.start {
            self.slots.copy_within(used.clone(), start);
            let freed = if start < self.start {
                start + used.len()..used.end
            } else {
                used.start..start
            };
            self.slots[freed].fill(0);
            self.start = start;
        }
        self.lines = lines;
    }

    #[inline]
    fn home(&self, position: u32) -> usize {
        ((u64::from(position) * self.homes as u64) >> u32::BITS) as usize
    }

    #[inline]
    fn line(&self, number: usize) -> &[u64] {
        let start = self.start + number * SLOTS;
        &self.slots[start..start + SLOTS]
    }

    #[inline]
    fn line_mut(&mut self, number: usize) -> &mut [u64] {
        let start = self.start + number * SLOTS;
        &mut self.slots[start..start + SLOTS]
    }
}

/// The number of slots that there must be for this many lines, wherever in a cache line the first
/// slot is.
fn slots_of(lines: usize) -> usize {
    (lines + 1) * SLOTS
}

/// The number of slots of a line that are taken. They are counted, so that no branch depends on
/// their number.
#[inline]
fn used(line: &[u64]) -> usize {
    line.iter().map(|&slot| usize::from(slot != 0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of a slot's content, which holds it in the upper half.
    fn position(slot: u64) -> u32 {
        (slot >> 32) as u32
    }

    fn holds(table: &mut StateTable, slot: u64) -> bool {
        let present = table.insert(position(slot), slot, |slots| slots.contains(&slot));
        present.is_none()
    }

    /// Enters contents whose positions are spread by `at`, growing by as little as `step` entries
    /// at a time.
    fn fill(count: u64, step: usize, at: impl Fn(u64) -> u32) {
        let mut table = StateTable::default();
        let slots = (1..=count).map(|number| u64::from(at(number)) << 32 | number);
        for (number, slot) in slots.clone().enumerate() {
            if number % step == 0 {
                table.grow(table.homes_with(step), position);
            }
            assert!(!holds(&mut table, slot));
            assert!(holds(&mut table, slot));
        }
        assert_eq!(table.len, count as usize);
        for slot in slots {
            assert!(holds(&mut table, slot));
        }
    }

    #[test]
    fn entries_are_found_after_growing() {
        let mixed = |number: u64| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
        fill(1_000_000, 1000, mixed);
        fill(100_000, 1, mixed);
    }

    #[test]
    fn entries_that_crowd_are_found_after_growing() {
        // All at the front, all at the end, and all in one line: the lines overflow far.
        fill(3000, 7, |_| 0);
        fill(3000, 7, |_| u32::MAX);
        fill(3000, 7, |number| 1 << 31 | (number as u32 & 3));
        fill(20_000, 13, |number| {
            if number % 3 == 0 {
                7
            } else {
                (number as u32) << 18
            }
        });
    }

    #[test]
    fn large_tables_grow_by_a_quarter() {
        let mut table = StateTable::default();
        table.grow(table.homes_with(10_000_000), position);
        assert!(table.memory_bytes() < 10_000_000 * 8 * 100 / 84);
        table.len = 10_000_000;
        assert!(StateTable::bytes_of(table.homes_with(1000)) < 10_000_000 * 8 * 125 / 84);
    }
}
