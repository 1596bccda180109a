//! A partition of `0..n` that can be refined: splitting a set costs only as much as its marked
//! items.

use base::cancel::Cancellation;
use base::diag::Result;

/// A partition of `0..n` into numbered sets.
pub(super) struct RefinablePartition {
    /// The items, set by set; in each set the marked ones first.
    items: Vec<u32>,
    /// The position of each item in `items`.
    position: Vec<u32>,
    /// The set of each item.
    set_of: Vec<u32>,
    sets: Vec<RefinableSet>,
    /// The sets that have marked items.
    touched: Vec<u32>,
}

struct RefinableSet {
    start: u32,
    marked_end: u32,
    end: u32,
}

impl RefinablePartition {
    /// The partition in which item `i` is in set `set_of[i]`. The numbers of sets must have no
    /// gaps. Takes linear time.
    pub(super) fn new(set_of: Vec<u32>, token: &Cancellation) -> Result<Self> {
        let count = set_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sizes = vec![0; count];
        for &set in &set_of {
            token.look(1)?;
            sizes[set as usize] += 1;
        }
        let mut start = 0;
        let sets = sizes.into_iter().map(|size: u32| {
            let at = start;
            start += size;
            RefinableSet {
                start: at,
                marked_end: at,
                end: at,
            }
        });
        let mut sets: Vec<RefinableSet> = sets.collect();
        let mut items = vec![0; set_of.len()];
        let mut position = vec![0; set_of.len()];
        for (item, &set) in set_of.iter().enumerate() {
            token.look(1)?;
            let end = &mut sets[set as usize].end;
            items[*end as usize] = item as u32;
            position[item] = *end;
            *end += 1;
        }
        Ok(Self {
            items,
            position,
            set_of,
            sets,
            touched: Vec::new(),
        })
    }

    /// The number of sets.
    pub(super) fn set_count(&self) -> usize {
        self.sets.len()
    }

    /// The set of each item.
    pub(super) fn sets(&self) -> &[u32] {
        &self.set_of
    }

    /// All items, set by set.
    pub(super) fn all_items(&self) -> &[u32] {
        &self.items
    }

    /// The items of `set`.
    pub(super) fn items(&self, set: u32) -> &[u32] {
        let set = &self.sets[set as usize];
        &self.items[set.start as usize..set.end as usize]
    }

    /// Marks `item`, until the next [`Self::split_marked`].
    pub(super) fn mark(&mut self, item: u32) {
        let number = self.set_of[item as usize];
        let set = &mut self.sets[number as usize];
        let from = self.position[item as usize];
        if from < set.marked_end {
            return;
        }
        if set.marked_end == set.start {
            self.touched.push(number);
        }
        let to = set.marked_end;
        set.marked_end += 1;
        let other = self.items[to as usize];
        self.items.swap(from as usize, to as usize);
        self.position[item as usize] = to;
        self.position[other as usize] = from;
    }

    /// Splits each set with both marked and unmarked items into these two, and unmarks all items.
    /// The smaller half becomes a new set, so an item changes its set at most log n times. Returns
    /// (old, new) for each split.
    pub(super) fn split_marked(&mut self) -> Vec<(u32, u32)> {
        let mut splits = Vec::new();
        for old in std::mem::take(&mut self.touched) {
            let fresh = self.sets.len() as u32;
            let set = &mut self.sets[old as usize];
            let (start, middle, end) = (set.start, set.marked_end, set.end);
            set.marked_end = start;
            if middle == end {
                continue;
            }
            // Either the marked or the unmarked items get the new number. Callers rely only on both
            // halves being apart.
            let new = if middle - start <= end - middle {
                (set.start, set.marked_end) = (middle, middle);
                start..middle
            } else {
                set.end = middle;
                middle..end
            };
            for &item in &self.items[new.start as usize..new.end as usize] {
                self.set_of[item as usize] = fresh;
            }
            self.sets.push(RefinableSet {
                start: new.start,
                marked_end: new.start,
                end: new.end,
            });
            splits.push((old, fresh));
        }
        splits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::at_leisure;

    #[test]
    fn marked_items_are_split_off() {
        let mut partition = at_leisure(|token| RefinablePartition::new(vec![0, 1, 0, 0, 1], token));
        assert_eq!(partition.set_count(), 2);
        for item in [1, 2, 4, 2] {
            partition.mark(item);
        }
        assert_eq!(partition.split_marked(), [(0, 2)]);
        assert_eq!(partition.sets(), [0, 1, 2, 0, 1]);
        assert_eq!(partition.items(2), [2]);
        for item in [0, 3] {
            partition.mark(item);
        }
        assert_eq!(partition.split_marked(), []);
        partition.mark(0);
        assert_eq!(partition.split_marked().len(), 1);
        assert_ne!(partition.sets()[0], partition.sets()[3]);
    }
}
