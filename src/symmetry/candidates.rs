//! The permutations of the values of one type that are symmetries, found by trying few of them.
//!
//! Symmetries form a group, so candidates can be chosen well: if a transposition and a cycle of the
//! same values hold, all permutations of these do; and "their transposition holds" is an
//! equivalence between values.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use base::diag::Result;

/// The values of one type that can be permuted, as far as the search found them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PermutableValues {
    /// Sets of two or more values that may be permuted freely, ascending.
    pub free: Vec<Vec<usize>>,
    /// Cycles of values that may be turned, in their order.
    pub turning: Vec<Vec<usize>>,
    /// Values in none of the sets and cycles above, ascending.
    pub fixed: Vec<usize>,
    /// Permutations that hold and generate all that were found, each by the image of each value.
    pub generators: Vec<Vec<usize>>,
    /// True if the budget was used up before all was tried, so that more values may move than were
    /// found.
    pub is_cut_short: bool,
}

/// A function that says if a permutation, given by the image of each value, is a symmetry.
pub type IsSymmetry<'a> = dyn FnMut(&[usize]) -> Result<bool> + 'a;

/// Returns the values that can be permuted. `profile` has a number for each value; values that can
/// be exchanged have the same number. Each attempt takes one from `budget`; when that is used up,
/// what was found so far is returned.
///
/// Two attempts if all values are alike, n/2 + 2 for a ring of n; otherwise two for each profile if
/// all values of one profile are alike, else at most one for each pair of value and block of alike
/// values, and one for each value that is unlike all others, and for each pair of blocks of one
/// size.
pub fn search(
    profile: &[u64],
    budget: &mut u32,
    attempt: &mut IsSymmetry<'_>,
) -> Result<PermutableValues> {
    let mut search = CandidateSearch {
        profile,
        budget,
        attempt,
        tried: FxHashMap::default(),
        outcome: PermutableValues::default(),
    };
    search.run()?;
    Ok(search.outcome)
}

struct CandidateSearch<'s, 'a> {
    profile: &'s [u64],
    budget: &'s mut u32,
    attempt: &'s mut IsSymmetry<'a>,
    /// The permutations that were tried, and true for those that hold. A permutation that is asked
    /// for again costs nothing of the budget.
    tried: FxHashMap<Vec<usize>, bool>,
    outcome: PermutableValues,
}

impl CandidateSearch<'_, '_> {
    fn run(&mut self) -> Result<()> {
        let all: Vec<usize> = (0..self.profile.len()).collect();
        // Rings are tried before blocks: in a ring of n the search for blocks would try about n²/2
        // exchanges in vain.
        let blocks = if self.is_free(&all)? {
            vec![all]
        } else if self.is_mere_ring(&all)? {
            all.into_iter().map(|value| vec![value]).collect()
        } else {
            self.blocks()?
        };
        let mut alone = Vec::new();
        for block in blocks {
            match block[..] {
                [value] => alone.push(value),
                _ => {
                    self.generate_block(&block)?;
                    self.outcome.free.push(block);
                }
            }
        }
        self.exchange_blocks()?;
        self.turn(&mut alone)?;
        self.outcome.fixed = alone;
        Ok(())
    }

    /// True if two or more values have a transposition and a cycle that hold, and so all their
    /// permutations hold.
    fn is_free(&mut self, values: &[usize]) -> Result<bool> {
        Ok(values.len() >= 2 && self.can_turn(&values[..2])? && self.can_turn(values)?)
    }

    /// True if the values can be turned and no two of them exchanged. In a ring that can be turned,
    /// any transposition is conjugate to one with the first value and a value in the first half.
    fn is_mere_ring(&mut self, values: &[usize]) -> Result<bool> {
        if values.len() < 3 || !self.can_turn(values)? {
            return Ok(false);
        }
        for &other in &values[1..=values.len() / 2] {
            if self.can_turn(&[values[0], other])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values by blocks within which all transpositions hold, in the order of their first
    /// values.
    fn blocks(&mut self) -> Result<Vec<Vec<usize>>> {
        let mut classes: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (value, &profile) in self.profile.iter().enumerate() {
            classes.entry(profile).or_default().push(value);
        }
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for class in classes.into_values() {
            // All values together are known not to be free.
            if class.len() < self.profile.len() && self.is_free(&class)? {
                blocks.push(class);
            } else {
                blocks.extend(self.blocks_of(&class)?);
            }
        }
        blocks.sort_unstable();
        Ok(blocks)
    }

    /// The values of one class by blocks, found pair by pair: each value is tried with the first
    /// one of each block.
    fn blocks_of(&mut self, class: &[usize]) -> Result<Vec<Vec<usize>>> {
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for &value in class {
            let mut home = None;
            for (at, block) in blocks.iter().enumerate() {
                if self.can_turn(&[block[0], value])? {
                    home = Some(at);
                    break;
                }
                // The exchange with the first value of the class is known; no other block need be
                // tried.
                if self.outcome.is_cut_short {
                    break;
                }
            }
            match home {
                Some(at) => blocks[at].push(value),
                None => blocks.push(vec![value]),
            }
        }
        Ok(blocks)
    }

    fn generate_block(&mut self, block: &[usize]) -> Result<()> {
        // This exchange was tried when the block was found, so it costs nothing of the budget.
        self.generate(&[&block[..2]])?;
        if block.len() > 2 && !self.generate(&[block])? {
            // Only the budget can be the reason: the cycle is a product of transpositions that
            // hold.
            for &value in &block[2..] {
                self.generate(&[&[block[0], value]])?;
            }
        }
        Ok(())
    }

    /// Adds the exchanges of blocks of one size, in the order of their values, where they hold.
    fn exchange_blocks(&mut self) -> Result<()> {
        let blocks = self.outcome.free.clone();
        for (at, block) in blocks.iter().enumerate() {
            // Exchanges are transitive, so an exchange with one earlier block is enough.
            let earlier = blocks[..at].iter().rev();
            for other in earlier.filter(|other| other.len() == block.len()) {
                let pairs: Vec<[usize; 2]> =
                    block.iter().zip(other).map(|(&a, &b)| [a, b]).collect();
                if self.generate(&pairs)? || self.outcome.is_cut_short {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds the turn of a ring among `alone`, values of which no two can be exchanged, and takes
    /// its values out of `alone`. A ring has all of them, or all but one. Its reflection is added
    /// if it holds.
    fn turn(&mut self, alone: &mut Vec<usize>) -> Result<()> {
        for left_out in self.left_out_of_rings(alone) {
            // Of a cut-short search, only the ring of all values may be known; it comes first.
            if left_out.is_some() && self.outcome.is_cut_short {
                return Ok(());
            }
            let in_ring = |value: &usize| Some(*value) != left_out;
            let ring: Vec<usize> = alone.iter().copied().filter(in_ring).collect();
            if self.generate(&[&ring])? {
                // The reflection is only tried, not required: a ring that works in one direction
                // just turns.
                let half = ring.len() / 2;
                let pairs = ring[..half].iter().zip(ring.iter().rev());
                let pairs: Vec<[usize; 2]> = pairs.map(|(&one, &other)| [one, other]).collect();
                self.generate(&pairs)?;
                alone.retain(|value| !ring.contains(value));
                self.outcome.turning.push(ring);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The value that each possible ring leaves out: a ring has all values of `alone` but at most
    /// one, and they have equal profiles.
    fn left_out_of_rings(&self, alone: &[usize]) -> Vec<Option<usize>> {
        let profile = |value: usize| self.profile[value];
        let Some((&first, [second, third, rest @ ..])) = alone.split_first() else {
            return Vec::new();
        };
        // Two of the first three values at least are in the ring.
        let of_ring = if profile(*second) == profile(*third) {
            profile(*second)
        } else {
            profile(first)
        };
        let values = alone.iter().copied();
        let unlike = values.clone().filter(|&value| profile(value) != of_ring);
        match unlike.take(2).collect::<Vec<usize>>()[..] {
            [] if rest.is_empty() => vec![None],
            [] => [None].into_iter().chain(values.map(Some)).collect(),
            [one] if !rest.is_empty() => vec![Some(one)],
            _ => Vec::new(),
        }
    }

    /// True if each value of `cycle` may go to the next.
    fn can_turn(&mut self, cycle: &[usize]) -> Result<bool> {
        Ok(self.holding(&[cycle])?.is_some())
    }

    /// Tries the permutation with these cycles, and adds it to the generators and returns true if
    /// it holds.
    fn generate(&mut self, cycles: &[impl AsRef<[usize]>]) -> Result<bool> {
        let images = self.holding(cycles)?;
        let holds = images.is_some();
        self.outcome.generators.extend(images);
        Ok(holds)
    }

    /// Returns the permutation with these cycles, which have no value twice. Returns `None` if it
    /// is no symmetry, or if the budget is used up.
    fn holding(&mut self, cycles: &[impl AsRef<[usize]>]) -> Result<Option<Vec<usize>>> {
        let images = turned(self.profile.len(), cycles);
        // Profiles come first: they cost no attempt.
        let profiles = images.iter().map(|&image| self.profile[image]);
        if !profiles.eq(self.profile.iter().copied()) {
            return Ok(None);
        }
        let holds = match self.tried.get(&images) {
            Some(&known) => known,
            None if *self.budget == 0 => {
                self.outcome.is_cut_short = true;
                false
            }
            None => {
                *self.budget -= 1;
                let holds = (self.attempt)(&images)?;
                self.tried.insert(images.clone(), holds);
                holds
            }
        };
        Ok(holds.then_some(images))
    }
}

/// The permutation of `count` values that takes each value of each cycle to the next, and the last
/// to the first.
fn turned(count: usize, cycles: &[impl AsRef<[usize]>]) -> Vec<usize> {
    let mut images: Vec<usize> = (0..count).collect();
    for cycle in cycles {
        let cycle = cycle.as_ref();
        for (at, &value) in cycle.iter().enumerate() {
            images[value] = cycle[(at + 1) % cycle.len()];
        }
    }
    images
}

/// A transposition and a cycle: they generate all permutations of the values `free` out of `count`.
pub fn generating(count: usize, free: &[usize]) -> Vec<Vec<usize>> {
    let cycles = match free.len() {
        0 | 1 => vec![],
        2 => vec![free],
        _ => vec![&free[..2], free],
    };
    let cycles = cycles.into_iter();
    cycles.map(|cycle| turned(count, &[cycle])).collect()
}

#[cfg(test)]
mod tests;
