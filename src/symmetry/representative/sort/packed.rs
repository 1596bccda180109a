//! The blocks of one family in packed states: computing their keys, and putting them in order.

use rustc_hash::FxHashMap;

use crate::pbisim::Symmetry;
use crate::representative::insertion;
use base::index::TypedIndex;
use machine::LeafId;
use machine::packing::{BitField, PackedState, Packing};

use super::plan::BlockFamily;

/// A family with the places of its leaves in packed states.
#[derive(Clone, Debug)]
pub(super) struct PackedFamily {
    /// By block and leaf in it, its slot.
    slots: Vec<BlockSlot>,
    /// The number of leaves of a block.
    width: usize,
    /// The numbers that the slots refer to. Equal parts are stored once, so that the tables of
    /// families of many leaves stay in the cache.
    numbers: Vec<u32>,
    /// The number of words of a key.
    key_words: usize,
    /// Finds the slots that have changed.
    changes: Changes,
    /// The keys of the state at hand, block by block: the base's numbers of the leaf states, the
    /// first leaf's in the highest bits.
    keys: Vec<u64>,
    /// The keys of the state whose successors come next.
    source_keys: Vec<u64>,
    /// The keys in order, if they have one word.
    sorted: Vec<u64>,
    /// By place, the block that belongs there: for keys of several words, and for twists.
    order: Vec<u32>,
}

/// The slot of a leaf of a block.
#[derive(Clone, Debug)]
struct BlockSlot {
    field: BitField,
    /// The place of the leaf's part in the block's key.
    part: BitField,
    /// The start in `numbers` of the list that has, by state, its number in the base.
    to_base: u32,
    /// The start in `numbers` of the list that has, by number in the base, the state.
    from_base: u32,
}

impl PackedFamily {
    pub(super) fn new(family: &BlockFamily, packing: &Packing) -> Self {
        let base = &family.blocks[0].leaves;
        let field = |leaf: LeafId| packing.fields()[leaf.index()];
        let (parts, key_words) = key_parts(base.iter().map(|&leaf| field(leaf).mask));
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
                    // The swap of a block takes its states to their numbers in the base, and the
                    // base's states back to the block's.
                    to_base: entered(swap.states(leaf)),
                    from_base: entered(swap.states(base[place])),
                });
            }
        }
        let blocks = family.blocks.len();
        let fields = slots.iter().map(|slot| slot.field).collect();
        Self {
            slots,
            width: base.len(),
            numbers,
            key_words,
            changes: Changes::new(fields, packing.words()),
            keys: vec![0; blocks * key_words],
            source_keys: vec![0; blocks * key_words],
            sorted: Vec::with_capacity(blocks),
            order: Vec::with_capacity(blocks),
        }
    }

    /// Puts the blocks of `state` in order.
    #[inline]
    pub(super) fn sort<S: PackedState>(&mut self, state: &mut S) {
        self.compute_keys(state);
        self.put_in_order(state);
    }

    /// Declares that the states that come to [`Self::sort_successor`] are successors of `source`.
    #[inline]
    pub(super) fn set_source<S: PackedState>(&mut self, source: &S) {
        self.compute_keys(source);
        self.source_keys.copy_from_slice(&self.keys);
    }

    /// Puts the blocks of `state` in order. `source` are the words of the last source: only blocks
    /// that differ from that state get new keys.
    #[inline]
    pub(super) fn sort_successor<S: PackedState>(&mut self, source: &[u64], state: &mut S) {
        let Self { keys, slots, .. } = self;
        keys.copy_from_slice(&self.source_keys);
        self.changes.for_each(source, state, |number| {
            let slot = &slots[number as usize];
            let block = number as usize / self.width;
            let key = &mut keys[block * self.key_words + slot.part.word as usize];
            *key &= !(slot.part.mask << slot.part.shift);
            *key |= slot.key(&self.numbers, state);
        });
        self.put_in_order(state);
    }

    /// Computes the keys of `state`.
    #[inline]
    fn compute_keys<S: PackedState>(&mut self, state: &S) {
        let Self { slots, numbers, .. } = self;
        if self.width == 1 {
            for (slot, key) in slots.iter().zip(&mut self.keys) {
                *key = slot.key(numbers, state);
            }
            return;
        }
        self.keys.fill(0);
        let keys = self.keys.chunks_exact_mut(self.key_words);
        for (slots, key) in slots.chunks_exact(self.width).zip(keys) {
            for slot in slots {
                key[slot.part.word as usize] |= slot.key(numbers, state);
            }
        }
    }

    /// Puts the blocks of `state`, which has the keys at hand, in order.
    #[inline]
    fn put_in_order<S: PackedState>(&mut self, state: &mut S) {
        if self.key_words > 1 {
            return self.put_in_order_by_numbers(state);
        }
        // Equal keys are equal blocks, so that it is enough to sort the keys themselves.
        self.sorted.clear();
        self.sorted.extend_from_slice(&self.keys);
        insertion::sort(&mut self.sorted, |a, b| a.cmp(&b));
        for (place, (old, new)) in self.keys.iter().zip(&self.sorted).enumerate() {
            if old != new {
                self.replace(state, place, &[*old], &[*new]);
            }
        }
    }

    /// Puts the blocks in order like [`Self::put_in_order`], for keys of several words.
    fn put_in_order_by_numbers<S: PackedState>(&mut self, state: &mut S) {
        self.compute_order();
        let key = |block: usize| &self.keys[block * self.key_words..][..self.key_words];
        for (place, &from) in self.order.iter().enumerate() {
            if from as usize != place {
                self.replace(state, place, key(place), key(from as usize));
            }
        }
    }

    /// Replaces the block at a place of `state`, which has the key `old`, by one that has the key
    /// `new`. Keys are those of the state before anything moved, so it does not matter which block
    /// is replaced first.
    #[inline]
    fn replace<S: PackedState>(&self, state: &mut S, place: usize, old: &[u64], new: &[u64]) {
        for slot in &self.slots[place * self.width..][..self.width] {
            let state_of = |key: &[u64]| {
                let number = key[slot.part.word as usize] >> slot.part.shift & slot.part.mask;
                self.numbers[slot.from_base as usize + number as usize]
            };
            let flip = slot.field.flip(state_of(old), state_of(new));
            state.flip(slot.field.word, flip);
        }
    }

    /// Computes the order of the blocks from the keys at hand. Equal blocks stay in their order, so
    /// that the twist moves as little as possible.
    fn compute_order(&mut self) {
        let words = self.key_words;
        let key = |block: u32| &self.keys[block as usize * words..][..words];
        self.order.clear();
        self.order.extend(0..(self.keys.len() / words) as u32);
        insertion::sort(&mut self.order, |a, b| key(a).cmp(key(b)));
    }

    /// The symmetry that puts the blocks of `state` in order: one exchange for each place; `None`
    /// if they are in order.
    pub(super) fn twist<S: PackedState>(
        &mut self,
        family: &BlockFamily,
        state: &S,
    ) -> Option<Symmetry> {
        self.compute_keys(state);
        self.compute_order();
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

impl BlockSlot {
    /// The slot's part of the key of its block in `state`.
    #[inline]
    fn key<S: PackedState>(&self, numbers: &[u32], state: &S) -> u64 {
        let number = numbers[(self.to_base + self.field.get(state)) as usize];
        u64::from(number) << self.part.shift
    }
}

/// The place of each leaf's part in a block's key, for leaves with these masks; and the number of
/// words of a key.
fn key_parts(masks: impl Iterator<Item = u64>) -> (Vec<BitField>, usize) {
    let mut parts = Vec::new();
    let (mut word, mut left) = (0, u64::BITS);
    for mask in masks {
        let width = mask.count_ones();
        // A part never straddles two words, so that one shift finds it.
        if width > left {
            (word, left) = (word + 1, u64::BITS);
        }
        left -= width;
        let shift = left % u64::BITS;
        parts.push(BitField { word, shift, mask });
    }
    (parts, word as usize + 1)
}

/// Finds the components in which states differ, among some.
#[derive(Clone, Debug)]
struct Changes {
    fields: Vec<BitField>,
    /// By bit of a state, the number of the component that it belongs to, or [`NO_COMPONENT`].
    component_at: Vec<u32>,
}

/// The number for a bit that belongs to none of the components.
const NO_COMPONENT: u32 = u32::MAX;

impl Changes {
    /// Makes the table for the components with these fields, in states of `words` words.
    fn new(fields: Vec<BitField>, words: usize) -> Self {
        let mut component_at = vec![NO_COMPONENT; words * u64::BITS as usize];
        for (component, field) in (0..).zip(&fields) {
            let first = (field.word * u64::BITS + field.shift) as usize;
            component_at[first..][..field.mask.count_ones() as usize].fill(component);
        }
        Self {
            fields,
            component_at,
        }
    }

    /// Does `visit` with the number of each component in which `state` differs from the state with
    /// the words `old`. Costs a step for each word and for each such component.
    #[inline]
    fn for_each<S: PackedState>(&self, old: &[u64], state: &S, mut visit: impl FnMut(u32)) {
        for (word, (&old, &new)) in old.iter().zip(state.words()).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = word * u64::BITS as usize + changed.trailing_zeros() as usize;
                let component = self.component_at[bit];
                let Some(field) = self.fields.get(component as usize) else {
                    changed &= changed - 1;
                    continue;
                };
                changed &= !(field.mask << field.shift);
                visit(component);
            }
        }
    }
}
