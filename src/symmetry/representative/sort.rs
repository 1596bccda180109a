//! sortRep: sorts the blocks of leaves that may be exchanged freely.
//!
//! Section 6.3 of the paper, with its simultaneous form: a block is one leaf, or several that are
//! only exchanged together. States of corresponding leaves may be numbered differently, because
//! each leaf counts from its own initial state, so blocks are compared by the numbers that their
//! states have in the first block. Signature sort gives the same numbers of states; on `hanoi` with
//! 8 poles and 11 discs (677,359 states) its search takes 2.1 times as long, the whole program 1.6
//! times.

use rustc_hash::FxHashMap;

use crate::base::index::TypedIndex;
use crate::machine::packing::{BitField, PackedState, Packing};
use crate::machine::{LeafId, Machine};
use crate::symmetry::forest::Forest;
use crate::symmetry::group::Group;
use crate::symmetry::pbisim::Symmetry;

use super::{Representative, blocks, insertion};

/// Families of blocks to be sorted.
#[derive(Clone, Debug)]
pub struct SortPlan {
    pub(super) families: Vec<BlockFamily>,
    pub(super) identity: Symmetry,
}

/// Two or more blocks of leaves. The group permutes them in every way, and keeps what is in them.
#[derive(Clone, Debug)]
pub(super) struct BlockFamily {
    /// The first one is the base: the states of all are numbered as there.
    pub(super) blocks: Vec<LeafBlock>,
}

/// Leaves that move together.
#[derive(Clone, Debug)]
pub(super) struct LeafBlock {
    /// The leaf at each place corresponds to the leaf at that place of every other block.
    pub(super) leaves: Vec<LeafId>,
    /// Exchanges this block with the base, and moves no other leaf; of the base itself, the
    /// identity.
    pub(super) swap: Symmetry,
}

impl SortPlan {
    /// The plan for `group`, if its action on the states of `machine` is exactly this: it permutes
    /// the blocks of each family in every way, independently of the others, and moves nothing else,
    /// in the specification neither. Otherwise the reason in one line.
    ///
    /// `forest` is how the group permutes ids, if it does: blocks are such ids.
    pub fn recognise(
        machine: &Machine,
        group: &Group,
        forest: Option<&Forest>,
    ) -> Result<Self, String> {
        blocks::recognise(machine, group, forest)
    }

    /// `sortRep`, or `sortRep, simultaneous` if some block has two or more leaves.
    pub fn name(&self) -> &'static str {
        if self.families.iter().all(|f| f.blocks[0].leaves.len() == 1) {
            "sortRep"
        } else {
            "sortRep, simultaneous"
        }
    }

    /// The families, each with the leaves of its blocks.
    pub fn families(&self) -> Vec<Vec<&[LeafId]>> {
        let families = self.families.iter();
        families.map(BlockFamily::leaves).collect()
    }

    /// The representative function on states packed by `packing`.
    pub fn packed(&self, packing: &Packing) -> SortRep {
        SortRep {
            families: self
                .families
                .iter()
                .map(|family| PackedFamily::new(family, packing))
                .collect(),
            plan: self.clone(),
        }
    }
}

impl BlockFamily {
    fn leaves(&self) -> Vec<&[LeafId]> {
        self.blocks.iter().map(|block| &*block.leaves).collect()
    }

    /// Exchanges two blocks: with s_k the swap of base and block k, (i j) = s_i s_j s_i.
    fn exchange(&self, i: usize, j: usize) -> Symmetry {
        let (first, second) = (&self.blocks[i].swap, &self.blocks[j].swap);
        match (i, j) {
            (0, _) => second.clone(),
            (_, 0) => first.clone(),
            _ => first.then(second).then(first),
        }
    }
}

/// sortRep on packed states. Allocates nothing for a state.
#[derive(Clone, Debug)]
pub struct SortRep {
    plan: SortPlan,
    families: Vec<PackedFamily>,
}

/// A family with the places of its leaves in packed states.
#[derive(Clone, Debug)]
struct PackedFamily {
    /// By block, and leaf in it.
    slots: Vec<BlockSlot>,
    /// How many leaves a block has.
    width: usize,
    /// By slot and state, what the slots say; equal parts are there once, so that families of many
    /// leaves stay in the cache.
    numbers: Vec<u32>,
    /// How many words a key has.
    key_words: usize,
    /// The keys of the state at hand, block by block: the base's numbers of the leaf states, the
    /// first leaf's in the highest bits.
    keys: Vec<u64>,
    /// By place, the block that belongs there.
    order: Vec<u32>,
}

/// A leaf of a block.
#[derive(Clone, Debug)]
struct BlockSlot {
    field: BitField,
    /// Where its part of the key lies.
    part: BitField,
    /// From there on, by state, its number in the base.
    to_base: u32,
    /// From there on, by number in the base, the state.
    from_base: u32,
}

impl PackedFamily {
    fn new(family: &BlockFamily, packing: &Packing) -> Self {
        let base = &family.blocks[0].leaves;
        let field = |leaf: LeafId| packing.fields()[leaf.index()];
        let mut parts = Vec::new();
        let (mut word, mut left) = (0, u64::BITS);
        for &leaf in base {
            let mask = field(leaf).mask;
            let width = mask.count_ones();
            // A part never straddles two words, so that one shift finds it.
            if width > left {
                (word, left) = (word + 1, u64::BITS);
            }
            left -= width;
            let shift = left % u64::BITS;
            parts.push(BitField { word, shift, mask });
        }
        let mut numbers = Vec::new();
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        let mut entered = |states| {
            *known.entry(states).or_insert_with(|| {
                let start = numbers.len() as u32;
                numbers.extend_from_slice(states);
                start
            })
        };
        let mut slots = Vec::new();
        for block in &family.blocks {
            let swap = &block.swap.pbisim;
            for (place, (&leaf, &part)) in block.leaves.iter().zip(&parts).enumerate() {
                slots.push(BlockSlot {
                    field: field(leaf),
                    part,
                    // The swap of a block takes its states to their numbers in the base, and those
                    // of the base back.
                    to_base: entered(swap.states(leaf)),
                    from_base: entered(swap.states(base[place])),
                });
            }
        }
        let key_words = word as usize + 1;
        Self {
            slots,
            width: base.len(),
            numbers,
            key_words,
            keys: vec![0; family.blocks.len() * key_words],
            order: Vec::with_capacity(family.blocks.len()),
        }
    }

    /// Computes keys and order of the blocks of `state`; whether they are in order as they stand.
    #[inline]
    fn compare<S: PackedState>(&mut self, state: &S) -> bool {
        let Self { slots, numbers, .. } = self;
        let part = |slot: &BlockSlot| {
            let number = numbers[(slot.to_base + slot.field.get(state)) as usize];
            u64::from(number) << slot.part.shift
        };
        if self.width == 1 {
            for (slot, key) in slots.iter().zip(&mut self.keys) {
                *key = part(slot);
            }
        } else {
            self.keys.fill(0);
            let keys = self.keys.chunks_exact_mut(self.key_words);
            for (slots, key) in slots.chunks_exact(self.width).zip(keys) {
                for slot in slots {
                    key[slot.part.word as usize] |= part(slot);
                }
            }
        }
        // Numbers compare much faster than slices of one number.
        let (order, keys, blocks) = (
            &mut self.order,
            &self.keys,
            self.keys.len() / self.key_words,
        );
        match self.key_words {
            1 => arrange(order, blocks as u32, |block| keys[block as usize]),
            words => arrange(order, blocks as u32, |block| {
                &keys[block as usize * words..][..words]
            }),
        }
    }

    /// Puts the blocks of `state` in order.
    #[inline]
    fn sort<S: PackedState>(&mut self, state: &mut S) {
        if self.compare(state) {
            return;
        }
        let blocks = self.slots.chunks_exact(self.width).zip(&self.order);
        for (place, (slots, &from)) in blocks.enumerate() {
            if from as usize == place {
                continue;
            }
            let old = &self.keys[place * self.key_words..];
            let new = &self.keys[from as usize * self.key_words..];
            for slot in slots {
                let number = |key: &[u64]| {
                    (key[slot.part.word as usize] >> slot.part.shift & slot.part.mask) as usize
                };
                // Keys are those of the state before anything moved, so it does not matter which
                // block is put in its place first.
                let place = |key| self.numbers[slot.from_base as usize + number(key)];
                let flip = slot.field.flip(place(old), place(new));
                state.flip(slot.field.word, flip);
            }
        }
    }

    /// The symmetry that puts the blocks of `state` in order: one exchange for each place.
    fn twist<S: PackedState>(&mut self, family: &BlockFamily, state: &S) -> Option<Symmetry> {
        if self.compare(state) {
            return None;
        }
        let mut at: Vec<u32> = (0..self.order.len() as u32).collect();
        let mut twist: Option<Symmetry> = None;
        for (place, wanted) in self.order.iter().enumerate() {
            // Selection sort by exchanges, as the twist has to be a product of them.
            let here = at.iter().position(|block| block == wanted).unwrap_or(place);
            if here != place {
                at.swap(here, place);
                let exchange = family.exchange(place, here);
                twist = Some(twist.map_or(exchange.clone(), |twist| twist.then(&exchange)));
            }
        }
        twist
    }
}

/// Orders blocks by their keys, unless they are in order as they stand; says so if they are.
#[inline]
fn arrange<K: Ord>(order: &mut Vec<u32>, blocks: u32, key: impl Fn(u32) -> K) -> bool {
    if (1..blocks).all(|block| key(block - 1) <= key(block)) {
        return true;
    }
    order.clear();
    order.extend(0..blocks);
    // Equal blocks stay in their order, so that the twist moves no more than it must.
    insertion::sort(order, |a, b| key(a).cmp(&key(b)));
    false
}

impl<S: PackedState> Representative<S> for SortRep {
    const IS_IDENTITY: bool = false;

    #[inline]
    fn represent(&mut self, state: &mut S) {
        for family in &mut self.families {
            family.sort(state);
        }
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        // Families share no leaf, so that each sees its own part of the state unmoved by the
        // others.
        let mut twist = self.plan.identity.clone();
        for (packed, family) in self.families.iter_mut().zip(&self.plan.families) {
            if let Some(next) = packed.twist(family, state) {
                twist = twist.then(&next);
            }
        }
        twist
    }
}
