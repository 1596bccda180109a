//! Reads the keys of a packed state, sorts ids by them, and moves the state accordingly.

use std::sync::Arc;

use machine::packing::{BitField, PackedState, Packing};

use super::super::insertion;
use super::tables::{FIXED, LINKING, SignatureTables, mix};

/// The keys of the ids in a state, and its points.
#[derive(Clone, Default, Debug)]
pub(super) struct Signed {
    /// By id, its key.
    pub(super) keys: Vec<u64>,
    /// The points of the state, in any order.
    pub(super) points: Vec<u32>,
    /// The points that link ids, as numbers of [`SignatureTables::linking`].
    pub(super) linking: Vec<u32>,
}

/// Tables with the places of components in packed states.
#[derive(Clone, Debug)]
pub(super) struct Sorter {
    pub(super) tables: Arc<SignatureTables>,
    /// By moving component, its field, and the point of its state 0.
    fields: Arc<[(BitField, u32)]>,
    /// By point, its place and value in a packed state.
    spots: Arc<[Spot]>,
    /// True if some family is below another.
    is_nested: bool,
    /// By place (the id that stands there now), the member of the family that belongs there.
    order: Vec<u32>,
    /// By place, the member there; by member, its place; by id, its image; and by family, its
    /// image.
    at: Vec<u32>,
    place: Vec<u32>,
    images: Vec<u32>,
    family_images: Vec<u32>,
    /// The keys before they are permuted.
    old: Vec<u64>,
}

/// A point in a packed state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) bits: u64,
    pub(super) word: u32,
}

/// The outcome of sorting the ids of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortOutcome {
    /// True if some id had to move.
    pub(super) has_moved: bool,
    /// True if some siblings have equal keys.
    pub(super) is_tied: bool,
}

impl Sorter {
    pub(super) fn new(tables: &Arc<SignatureTables>, packing: &Packing) -> Self {
        let components = tables.components.iter().zip(&tables.starts);
        let fields = components.map(|(&component, &start)| (packing.fields()[component], start));
        let fields: Arc<[(BitField, u32)]> = fields.collect();
        let ends = tables.starts[1..].iter();
        let spots = fields.iter().zip(ends).flat_map(|(&(field, start), &end)| {
            (0..end - start).map(move |state| Spot {
                bits: field.flip(0, state),
                word: field.word,
            })
        });
        let ids = tables.ids.count();
        Self {
            spots: spots.collect(),
            fields,
            is_nested: tables.ids.families.iter().any(|f| f.parent.is_some()),
            order: vec![0; ids],
            at: vec![0; ids],
            place: vec![0; ids],
            images: vec![0; ids],
            family_images: vec![0; tables.ids.families.len()],
            old: vec![0; ids],
            tables: tables.clone(),
        }
    }

    /// Reads the keys and points of `state`.
    #[inline]
    pub(super) fn read<S: PackedState>(&self, state: &S, signed: &mut Signed) {
        let tables = &*self.tables;
        signed.keys.fill(0);
        signed.points.clear();
        signed.linking.clear();
        for &(field, start) in self.fields.iter() {
            let number = start + field.get(state);
            signed.points.push(number);
            let point = &tables.points[number as usize];
            // LINKING and FIXED are beyond all ids, so the commonest case takes one test.
            if let Some(key) = signed.keys.get_mut(point.id as usize) {
                *key = key.wrapping_add(point.add);
            } else if point.id == LINKING {
                signed.linking.push(point.row);
                for entry in tables.entries(point.row) {
                    let key = &mut signed.keys[entry.id as usize];
                    *key = key.wrapping_add(entry.add);
                }
            }
        }
        self.tell_parents(&mut signed.keys);
    }

    /// Adds to the keys of parents those of the ids below them, from the bottom up.
    pub(super) fn tell_parents(&self, keys: &mut [u64]) {
        if !self.is_nested {
            return;
        }
        for family in self.tables.ids.families.iter().rev() {
            if let Some(parent) = family.parent {
                // Members of different families below one id must not be confused, but the order of
                // members must not matter: so places of families are mixed in, and members are
                // summed up.
                let place = mix(family.place as u64);
                let below = family.ids().map(|id| mix(keys[id] ^ place));
                let below = below.fold(0u64, u64::wrapping_add);
                keys[parent] = keys[parent].wrapping_add(mix(below));
            }
        }
    }

    /// Finds the order of siblings by their keys, and adds to `steps` the exchanges that bring it
    /// about: those of lower families first.
    #[inline]
    pub(super) fn sort(&mut self, keys: &[u64], steps: &mut Vec<u32>) -> SortOutcome {
        // Lower families come first: the exchange of two parents then carries along ids that are in
        // order.
        let (tables, mut is_tied, before) = (&*self.tables, false, steps.len());
        for (number, family) in tables.ids.families.iter().enumerate().rev() {
            let (keys, order) = (&keys[family.ids()], &mut self.order[family.ids()]);
            if !sort_members(keys, order) {
                is_tied |= keys.windows(2).any(|pair| pair[0] == pair[1]);
                continue;
            }
            is_tied |= order
                .windows(2)
                .any(|pair| keys[pair[0] as usize] == keys[pair[1] as usize]);
            let (at, place) = (&mut self.at[..family.size], &mut self.place[..family.size]);
            for (member, (at, place)) in (0..).zip(at.iter_mut().zip(place.iter_mut())) {
                (*at, *place) = (member, member);
            }
            for (here, &wanted) in (0..).zip(order.iter()) {
                let there = place[wanted as usize];
                if here != there {
                    // These exchange places, not members: each acts on the result of those before.
                    steps.push(tables.exchanges.number(number, here, there));
                    let moved = at[here as usize];
                    at[there as usize] = moved;
                    place[moved as usize] = there;
                }
            }
        }
        let has_moved = steps.len() > before;
        if has_moved {
            let (families, images) = (&mut self.family_images, &mut self.images);
            tables.ids.images(&self.order, families, images);
        }
        SortOutcome { has_moved, is_tied }
    }

    /// The image of the point under the order that `sort` found.
    #[inline]
    fn image(&self, number: u32, steps: &[u32]) -> u32 {
        let tables = &*self.tables;
        let point = &tables.points[number as usize];
        if let Some(&id) = self.images.get(point.id as usize) {
            let slot = tables.ids.slot[id as usize];
            tables.counterparts[(point.row + slot) as usize]
        } else if point.id == FIXED {
            number
        } else {
            tables.linking[self.linking_image(point.row, steps) as usize].point
        }
    }

    /// The image, as a number, of the linking point with this number, under the order that `sort`
    /// found.
    #[inline]
    fn linking_image(&self, linking: u32, steps: &[u32]) -> u32 {
        let tables = &*self.tables;
        let entries = tables.entries(linking);
        if let Some(image) = tables.directory.image(linking, entries, &self.images) {
            return image;
        }
        let (ids, exchanges) = (tables.ids.count() as u32, &tables.exchanges);
        let image = |at: u32, &step: &u32| exchanges.image(step, at);
        steps.iter().fold(ids + linking, image) - ids
    }

    /// Moves `state` by the order that `sort` found.
    #[inline]
    pub(super) fn move_state<S: PackedState>(&self, signed: &Signed, steps: &[u32], state: &mut S) {
        for &point in &signed.points {
            self.replace(point, self.image(point, steps), state);
        }
    }

    #[inline]
    fn replace<S: PackedState>(&self, old: u32, new: u32, state: &mut S) {
        let (old, new) = (self.spots[old as usize], self.spots[new as usize]);
        state.flip(old.word, old.bits);
        state.flip(new.word, new.bits);
    }

    /// Moves `state`, and its keys and points in `signed`, by the order that `sort` found.
    pub(super) fn move_signed<S: PackedState>(
        &mut self,
        signed: &mut Signed,
        steps: &[u32],
        state: &mut S,
    ) {
        for point in &mut signed.points {
            let image = self.image(*point, steps);
            self.replace(*point, image, state);
            *point = image;
        }
        for linking in &mut signed.linking {
            *linking = self.linking_image(*linking, steps);
        }
        // The keys are permuted within one list.
        self.old.copy_from_slice(&signed.keys);
        for (&image, &key) in self.images.iter().zip(&self.old) {
            signed.keys[image as usize] = key;
        }
    }

    /// True if an exchange of siblings with equal keys leaves the state as it is: it does if it
    /// permutes the linking points. For then these add equal sums to the keys of the two siblings,
    /// hence so do the other points, and keys alone tell those apart.
    pub(super) fn is_fixed(&self, signed: &Signed, exchange: u32) -> bool {
        let ids = self.tables.ids.count() as u32;
        signed.linking.iter().all(|&linking| {
            let image = self.tables.exchanges.image(exchange, ids + linking) - ids;
            image == linking || signed.linking.contains(&image)
        })
    }
}

/// Puts the members of a family in the order of their keys, keeping equal ones in their order.
/// Returns true if that changes the order.
#[inline]
fn sort_members(keys: &[u64], order: &mut [u32]) -> bool {
    for (member, place) in (0..).zip(order.iter_mut()) {
        *place = member;
    }
    if keys.is_sorted() {
        return false;
    }
    insertion::sort(order, |a, b| keys[a as usize].cmp(&keys[b as usize]));
    true
}
