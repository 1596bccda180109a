//! Minimisation by strong bisimulation, in O(m log n).
//!
//! Paige and Tarjan's refinement, for labelled transitions in the way of Valmari (*Bisimilarity
//! minimization in O(m log n) time*, 2009): besides the blocks of states, the transitions are
//! partitioned into *slices* (equal label, equal target block), and slices into *bunches*. The
//! blocks are always stable for every bunch: of each block, all states have a transition in it, or
//! none. Refinement takes a slice out of a bunch that has several, of two the smaller, restores
//! that invariant by splitting blocks, and ends when each bunch is one slice.
//!
//! Refinement starts from the classes that a few rounds (`rounds.rs`) have found, which often are
//! final.

use rustc_hash::FxHashMap;

use super::graph::{Lts, LtsBuilder, StateId};
use super::partition::RefinablePartition;
use super::rounds::refine;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use process::event::EventId;

/// A transition system without two bisimilar states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotient {
    /// One state for each class.
    pub lts: Lts,
    /// The class of each state of the original.
    pub class_of: IndexVec<StateId, StateId>,
}

/// The quotient of `lts` by strong bisimilarity, its states numbered breadth first.
pub fn minimise(lts: &Lts, token: &Cancellation) -> Result<Quotient> {
    minimise_with_hashes(lts, u64::MAX, token)
}

/// The quotient of `lts`, found by rounds that use only the bits of `mask` of their hashes. Tests
/// make hashes collide in this way.
fn minimise_with_hashes(lts: &Lts, mask: u64, token: &Cancellation) -> Result<Quotient> {
    let rounds = refine(lts, mask, token)?;
    if rounds.stable {
        return number_breadth_first(lts, &rounds.class_of, token);
    }
    let transitions = Transitions::of(lts, token)?;
    let blocks = RefinablePartition::new(rounds.class_of, token)?;
    let mut refinement = PartitionRefinement::new(blocks, &transitions, token)?;
    refinement.split_by_labels(token)?;
    while let Some(bunch) = refinement.open_bunches.pop() {
        refinement.take_slice_out(bunch, token)?;
    }
    number_breadth_first(lts, refinement.blocks.sets(), token)
}

/// The transitions in columns, and the transitions that lead to each state.
struct Transitions {
    source: Vec<u32>,
    label: Vec<EventId>,
    incoming_starts: Vec<u32>,
    incoming: Vec<u32>,
}

impl Transitions {
    fn of(lts: &Lts, token: &Cancellation) -> Result<Self> {
        let mut source = Vec::with_capacity(lts.transition_count());
        let mut label = Vec::with_capacity(lts.transition_count());
        let mut incoming_starts = vec![0_u32; lts.state_count() + 1];
        for state in lts.states() {
            token.look(lts.row(state).len())?;
            for &(event, target) in lts.row(state) {
                source.push(state.0);
                label.push(event);
                incoming_starts[target.index() + 1] += 1;
            }
        }
        for i in 1..incoming_starts.len() {
            incoming_starts[i] += incoming_starts[i - 1];
        }
        let mut next = incoming_starts.clone();
        let mut incoming = vec![0; source.len()];
        let mut transition = 0;
        for state in lts.states() {
            token.look(lts.row(state).len())?;
            for &(_, target) in lts.row(state) {
                incoming[next[target.index()] as usize] = transition;
                next[target.index()] += 1;
                transition += 1;
            }
        }
        Ok(Self {
            source,
            label,
            incoming_starts,
            incoming,
        })
    }

    fn incoming(&self, state: u32) -> &[u32] {
        let (start, end) = (
            self.incoming_starts[state as usize],
            self.incoming_starts[state as usize + 1],
        );
        &self.incoming[start as usize..end as usize]
    }
}

struct PartitionRefinement<'a> {
    transitions: &'a Transitions,
    blocks: RefinablePartition,
    slices: RefinablePartition,
    /// The slices of each bunch.
    bunches: Vec<Vec<u32>>,
    bunch_of_slice: Vec<u32>,
    /// The bunches of more than one slice.
    open_bunches: Vec<u32>,
    /// For each transition, the counter of the transitions that share its source and its bunch.
    counter_of: Vec<u32>,
    counts: Vec<u32>,
    /// Scratch memory: the counter of each state for the newest bunch.
    new_counter: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> PartitionRefinement<'a> {
    /// One bunch for each label, which has one slice for each block that the label leads to.
    fn new(
        blocks: RefinablePartition,
        transitions: &'a Transitions,
        token: &Cancellation,
    ) -> Result<Self> {
        let states = transitions.incoming_starts.len() - 1;
        let slices = RefinablePartition::new(label_numbers(&transitions.label, token)?, token)?;
        let bunches = 0..slices.set_count() as u32;
        let mut refinement = Self {
            transitions,
            blocks,
            slices,
            bunches: bunches.clone().map(|slice| vec![slice]).collect(),
            bunch_of_slice: bunches.collect(),
            open_bunches: Vec::new(),
            counter_of: Vec::with_capacity(transitions.label.len()),
            counts: Vec::new(),
            new_counter: vec![NONE; states],
        };
        refinement.count_by_label(token)?;
        // The transitions to block 0 stay in the old slices when all other blocks have theirs.
        for block in 1..refinement.blocks.set_count() as u32 {
            refinement.split_slices_to(block, token)?;
        }
        Ok(refinement)
    }

    /// Counts, for the first bunches, the transitions that share source and label. They are
    /// neighbours, because rows are ascending by label.
    fn count_by_label(&mut self, token: &Cancellation) -> Result<()> {
        let Transitions { source, label, .. } = self.transitions;
        for i in 0..label.len() {
            token.look(1)?;
            if i == 0 || (source[i], label[i]) != (source[i - 1], label[i - 1]) {
                self.counts.push(0);
            }
            let counter = self.counts.len() - 1;
            self.counts[counter] += 1;
            self.counter_of.push(counter as u32);
        }
        Ok(())
    }

    /// Makes the first blocks stable for the first bunches.
    fn split_by_labels(&mut self, token: &Cancellation) -> Result<()> {
        let members = |bunch: &Vec<u32>| -> Vec<u32> {
            let slices = bunch.iter();
            slices
                .flat_map(|&slice| self.slices.items(slice).iter().copied())
                .collect()
        };
        // Copied, because splitting blocks moves the transitions about in their slices.
        let bunches: Vec<Vec<u32>> = self.bunches.iter().map(members).collect();
        for members in bunches {
            for transition in members {
                token.look(1)?;
                self.blocks
                    .mark(self.transitions.source[transition as usize]);
            }
            self.split_blocks(token)?;
        }
        Ok(())
    }

    /// One refinement: a slice of `bunch` becomes a bunch of its own. A state of a block that has
    /// transitions in `bunch` has them in the slice, in the rest, or in both: three new blocks.
    fn take_slice_out(&mut self, bunch: u32, token: &Cancellation) -> Result<()> {
        let slice = self.smaller_slice(bunch);
        let new_bunch = self.bunches.len() as u32;
        self.bunches.push(vec![slice]);
        self.bunch_of_slice[slice as usize] = new_bunch;
        // `add_slice` opens a bunch only when it gets its second slice, so no bunch is open twice.
        if self.bunches[bunch as usize].len() > 1 {
            self.open_bunches.push(bunch);
        }
        // Splitting blocks splits slices, this one included.
        let members = self.slices.items(slice).to_vec();
        let rest_counters = self.move_counts(&members, token)?;
        // First the states with a transition in the slice leave the others of their block. The
        // others have one in the rest, because their block was stable for the whole bunch.
        for &(source, _) in &rest_counters {
            self.blocks.mark(source);
        }
        self.split_blocks(token)?;
        // Then those with nothing left in the rest leave those with transitions in both.
        for &(source, rest) in &rest_counters {
            if self.counts[rest as usize] == 0 {
                self.blocks.mark(source);
            }
        }
        self.split_blocks(token)
    }

    /// Removes from `bunch` the smaller of two slices, which is at most half of the bunch: that
    /// makes the bound O(m log n).
    fn smaller_slice(&mut self, bunch: u32) -> u32 {
        let slices = &mut self.bunches[bunch as usize];
        let last = slices.len() - 1;
        let size = |slice: u32| self.slices.items(slice).len();
        let smaller = if size(slices[last - 1]) < size(slices[last]) {
            last - 1
        } else {
            last
        };
        slices.swap_remove(smaller)
    }

    /// Counts `members` for a bunch of their own. Returns each of their sources, with the counter
    /// of what it has left in the old bunch.
    fn move_counts(&mut self, members: &[u32], token: &Cancellation) -> Result<Vec<(u32, u32)>> {
        let mut rest_counters = Vec::new();
        for &transition in members {
            token.look(1)?;
            let source = self.transitions.source[transition as usize];
            let old = self.counter_of[transition as usize];
            if self.new_counter[source as usize] == NONE {
                self.new_counter[source as usize] = self.counts.len() as u32;
                self.counts.push(0);
                rest_counters.push((source, old));
            }
            let new = self.new_counter[source as usize];
            self.counts[old as usize] -= 1;
            self.counts[new as usize] += 1;
            self.counter_of[transition as usize] = new;
        }
        for &(source, _) in &rest_counters {
            self.new_counter[source as usize] = NONE;
        }
        Ok(rest_counters)
    }

    /// Splits the marked states off from their blocks, and then the transitions to the new blocks
    /// off from their slices.
    fn split_blocks(&mut self, token: &Cancellation) -> Result<()> {
        let mut splits = self.blocks.split_marked().into_iter();
        splits.try_for_each(|(_, new_block)| self.split_slices_to(new_block, token))
    }

    /// Splits off the transitions that lead to `block`.
    fn split_slices_to(&mut self, block: u32, token: &Cancellation) -> Result<()> {
        for &state in self.blocks.items(block) {
            let incoming = self.transitions.incoming(state);
            token.look(1 + incoming.len())?;
            for &transition in incoming {
                self.slices.mark(transition);
            }
        }
        for (old_slice, _new_slice) in self.slices.split_marked() {
            self.add_slice(old_slice);
        }
        Ok(())
    }

    /// Adds the slice with the next number, which was split off `old_slice` and stays in its bunch.
    fn add_slice(&mut self, old_slice: u32) {
        let bunch = self.bunch_of_slice[old_slice as usize];
        let slices = &mut self.bunches[bunch as usize];
        slices.push(self.bunch_of_slice.len() as u32);
        self.bunch_of_slice.push(bunch);
        if slices.len() == 2 {
            self.open_bunches.push(bunch);
        }
    }
}

/// For each transition, the number of its label among all labels.
fn label_numbers(labels: &[EventId], token: &Cancellation) -> Result<Vec<u32>> {
    let mut known: FxHashMap<EventId, u32> = FxHashMap::default();
    for &label in labels {
        token.look(1)?;
        known.insert(label, 0);
    }
    let mut ascending: Vec<EventId> = known.keys().copied().collect();
    ascending.sort_unstable();
    known.extend((0..).zip(ascending).map(|(number, label)| (label, number)));
    token.look(labels.len())?;
    Ok(labels.iter().map(|label| known[label]).collect())
}

/// The quotient by the blocks `block_of`, which are indexed by state. Classes found in one step are
/// numbered in the order of their first members.
fn number_breadth_first(lts: &Lts, block_of: &[u32], token: &Cancellation) -> Result<Quotient> {
    let count = block_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut first_member = vec![NONE; count];
    for state in lts.states() {
        let first = &mut first_member[block_of[state.index()] as usize];
        *first = (*first).min(state.0);
    }
    let representative = |state: StateId| first_member[block_of[state.index()] as usize];
    let mut class_of_block = vec![NONE; count];
    let mut order = Vec::with_capacity(count);
    let mut rows = LtsBuilder::default();
    let mut row: Vec<(EventId, u32)> = Vec::new();
    let mut class = |order: &mut Vec<u32>, representative: u32| {
        let class = &mut class_of_block[block_of[representative as usize] as usize];
        if *class == NONE {
            *class = order.len() as u32;
            order.push(representative);
        }
        StateId(*class)
    };
    class(&mut order, representative(Lts::INITIAL));
    while let Some(&state) = order.get(rows.state_count()) {
        let steps = lts.row(StateId(state)).iter();
        token.look(1 + steps.len())?;
        row.clear();
        row.extend(steps.map(|&(event, target)| (event, representative(target))));
        // Sorted before classes get numbers, so that these do not depend on how blocks were
        // numbered.
        row.sort_unstable();
        row.dedup();
        rows.push(row.iter().map(|&(e, to)| (e, class(&mut order, to))));
    }
    let class_of = lts
        .states()
        .map(|s| StateId(class_of_block[block_of[s.index()] as usize]));
    Ok(Quotient {
        class_of: class_of.collect(),
        lts: rows.finish(),
    })
}

#[cfg(test)]
mod tests;
