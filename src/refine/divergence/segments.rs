//! A list of records, in memory that is taken a little at a time, never moves, and is used again.
//!
//! A vector that grows takes twice its memory at once, and the memory that it gives back may stay
//! with the allocator: then a limit on memory is met early, and at another place in each run.

/// Records of a few items each.
pub(super) struct Segments<T> {
    /// Items of a record.
    stride: usize,
    /// The binary logarithm of the number of records that a segment has room for.
    bits: u32,
    segments: Vec<Vec<T>>,
    len: usize,
}

/// The bytes that a segment takes, about, if a record does not take more.
const SEGMENT_BYTES: usize = 1 << 16;

impl<T: Copy + Default> Segments<T> {
    /// An empty list of records with `stride` items each.
    pub(super) fn new(stride: usize) -> Self {
        let bytes = (stride * size_of::<T>()).max(1);
        Self {
            stride,
            bits: (SEGMENT_BYTES / bytes).max(1).ilog2(),
            segments: Vec::new(),
            len: 0,
        }
    }

    /// The number of records.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of memory held, those that are not used included.
    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes_of(self.segments.len() << self.bits)
    }

    /// Bytes of memory that this many records take.
    pub(super) fn bytes_of(&self, records: usize) -> usize {
        records.div_ceil(1 << self.bits) * (self.stride << self.bits) * size_of::<T>()
    }

    /// True if the next record takes memory.
    pub(super) fn is_full(&self) -> bool {
        self.len == self.segments.len() << self.bits
    }

    /// Appends a record.
    #[inline]
    pub(super) fn push(&mut self, record: &[T]) {
        if self.is_full() {
            self.segments
                .push(vec![T::default(); self.stride << self.bits]);
        }
        self.len += 1;
        match (self.get_mut(self.len - 1), record) {
            // The smallest records, which are most, are copied without a call.
            ([place], [item]) => *place = *item,
            (place, _) => place.copy_from_slice(record),
        }
    }

    /// The record of this number.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[T] {
        let (segment, start) = self.place(number);
        &self.segments[segment][start..start + self.stride]
    }

    /// A record, to be changed.
    #[inline]
    pub(super) fn get_mut(&mut self, number: usize) -> &mut [T] {
        let (segment, start) = self.place(number);
        &mut self.segments[segment][start..start + self.stride]
    }

    /// The last record.
    #[inline]
    pub(super) fn last(&self) -> Option<&[T]> {
        let last = self.len.checked_sub(1)?;
        Some(self.get(last))
    }

    /// Keeps the first `len` records. The memory of the others is kept for later ones.
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Drops the first `count` records.
    pub(super) fn remove_first(&mut self, count: usize) {
        // Ascending, so that no record is overwritten before it was moved.
        for number in count..self.len {
            let ((from, start), (to, target)) = (self.place(number), self.place(number - count));
            let (front, back) = self.segments.split_at_mut(from);
            let record = start..start + self.stride;
            match front.get_mut(to) {
                Some(front) => {
                    front[target..target + self.stride].copy_from_slice(&back[0][record]);
                }
                None => back[0].copy_within(record, target),
            }
        }
        self.len = self.len.saturating_sub(count);
    }

    /// Gives back the memory that is not used.
    pub(super) fn release(&mut self) {
        let used = self.len.div_ceil(1 << self.bits);
        self.segments.truncate(used);
        self.segments.shrink_to_fit();
    }

    #[inline]
    fn place(&self, number: usize) -> (usize, usize) {
        let within = number & ((1 << self.bits) - 1);
        (number >> self.bits, within * self.stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_kept_and_memory_is_used_again() {
        for stride in [1, 3, 1000, 100_000] {
            let mut segments = Segments::<u64>::new(stride);
            let record = |number: u64| vec![number; stride];
            let count = 40_000 / stride.min(1000) as u64;
            (0..count).for_each(|number| segments.push(&record(number)));
            let held = segments.memory_bytes();
            segments.remove_first(17);
            for number in 17..count {
                assert_eq!(segments.get(number as usize - 17), record(number));
            }
            assert!(!segments.is_full());
            (0..17).for_each(|number| segments.push(&record(number)));
            assert_eq!(segments.last(), Some(&record(16)[..]));
            assert_eq!(
                (segments.len() as u64, segments.memory_bytes()),
                (count, held)
            );
            segments.truncate(1);
            assert_eq!(segments.memory_bytes(), held);
            segments.release();
            assert!(segments.memory_bytes() <= SEGMENT_BYTES.max(stride * 8));
            assert_eq!(segments.get(0), record(17));
            segments.remove_first(1);
            segments.release();
            assert_eq!((segments.len(), segments.memory_bytes()), (0, 0));
            assert!(segments.is_full() && segments.last().is_none());
        }
    }
}
