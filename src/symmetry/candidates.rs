//! Which permutations of the values of one type are symmetries, found by trying few of them.
//!
//! Symmetries form a group, so what is tried can be chosen well: if a transposition and a cycle
//! hold, everything does; and "their transposition holds" is an equivalence between values.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use base::diag::Result;

/// Which values of one type can be permuted, as far as that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PermutableValues {
    /// Sets of two or more values that may be permuted freely, ascending.
    pub free: Vec<Vec<usize>>,
    /// Cycles of values that may be turned, in their order.
    pub turning: Vec<Vec<usize>>,
    /// Values in none of the sets and cycles above, ascending.
    pub fixed: Vec<usize>,
    /// Permutations that hold and generate all that were found: the image of each value.
    pub generators: Vec<Vec<usize>>,
    /// True if the budget was used up before all was tried: more values may move than were found
    /// to.
    pub is_cut_short: bool,
}

/// Says whether a permutation, given by the image of each value, is a symmetry.
pub type IsSymmetry<'a> = dyn FnMut(&[usize]) -> Result<bool> + 'a;

/// Which values can be permuted, where `profile` has for each value a number that is the same for
/// any that can be exchanged. Each attempt takes one from `budget`; when that is used up, what was
/// found so far is returned.
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
    /// The permutations that were tried, and whether they hold. Asked again they cost nothing of
    /// the budget.
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

    /// True if two or more values have a transposition and a cycle that hold, and so everything.
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
            // That all values are not free is known.
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
                // What is known is an exchange with the first value of the class: no other block
                // need be asked.
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

    /// Blocks of one size may be alike, in the order of their values.
    fn exchange_blocks(&mut self) -> Result<()> {
        let blocks = self.outcome.free.clone();
        for (at, block) in blocks.iter().enumerate() {
            // Being alike is transitive, so an exchange with one earlier block is enough.
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

    /// Values of which no two can be exchanged may still stand in a ring, perhaps all but one of
    /// them. A ring that can be turned may also be turned over.
    fn turn(&mut self, alone: &mut Vec<usize>) -> Result<()> {
        for left_out in self.left_out_of_rings(alone) {
            // No ring is known but that of all values, which comes first.
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

    /// Which value each ring leaves out that may turn, where a ring has all values of `alone` but
    /// at most one: the values of a ring have equal profiles.
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

    /// Notes that values may go round in these cycles, all at once, if they may.
    fn generate(&mut self, cycles: &[impl AsRef<[usize]>]) -> Result<bool> {
        let images = self.holding(cycles)?;
        let holds = images.is_some();
        self.outcome.generators.extend(images);
        Ok(holds)
    }

    /// The permutation by these cycles, which have no value twice, if it is a symmetry, as far as
    /// the budget allows to say.
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
