//! A directory of linking points by their key entries, so that the image of a point is looked up,
//! however many exchanges take it there.

use super::moves::ForestMoves;
use super::tables::{KeyEntry, SignatureTables, mix};

/// The linking points that are known by their entries, which they add to keys: the image of a point
/// is the point with the same entries for the images of the ids.
#[derive(Default, Debug)]
pub(super) struct Directory {
    /// A hash table, its size a power of two; [`EMPTY`] where a slot is free.
    slots: Vec<HashSlot>,
    /// By linking point, true if it is in the table.
    is_known: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct HashSlot {
    hash: u64,
    linking: u32,
}

const EMPTY: u32 = u32::MAX;

impl Directory {
    /// Enters the linking points of `tables` whose entries have a hash that no other point's
    /// entries have. For every point entered and every swap, its image is checked to be the point
    /// that its entries give. If one is not, the directory is empty.
    pub(super) fn new(tables: &SignatureTables, moves: &ForestMoves) -> Self {
        let count = tables.linking.len();
        let entries = |at: usize| tables.entries(at as u32);
        let hashes = (0..count).map(|at| hash(entries(at), |id| id));
        let hashes: Vec<u64> = hashes.collect();
        let mut sorted = hashes.clone();
        sorted.sort_unstable();
        let is_known = (0..count).map(|at| {
            let from = sorted.partition_point(|&other| other < hashes[at]);
            let is_only = sorted.get(from + 1) != Some(&hashes[at]);
            is_only && !entries(at).is_empty()
        });
        let is_known: Vec<bool> = is_known.collect();
        let said = |at: usize, swaps: &[u32]| {
            let entries = entries(at).iter();
            let moved = entries.map(|entry| (moves.id(swaps, entry.id as usize), entry.add));
            let mut moved: Vec<(usize, u64)> = moved.collect();
            moved.sort_unstable();
            moved
        };
        let goes_right = |at: usize| {
            !is_known[at]
                || (0..moves.swap_count() as u32).all(|swap| {
                    let point = moves.point(&[swap], tables.linking[at].point);
                    let image = tables.points[point as usize].row as usize;
                    is_known[image] && said(at, &[swap]) == said(image, &[])
                })
        };
        // Hashes may collide, and entries may not determine the point: one point with another image
        // is enough to give up.
        if !(0..count).all(goes_right) {
            return Self::default();
        }
        Self::of(&hashes, is_known)
    }

    fn of(hashes: &[u64], is_known: Vec<bool>) -> Self {
        let size = (2 * hashes.len()).next_power_of_two();
        let empty = HashSlot {
            hash: 0,
            linking: EMPTY,
        };
        let mut slots = vec![empty; size];
        let known = (0..)
            .zip(hashes)
            .zip(&is_known)
            .filter(|&(_, &known)| known);
        for ((linking, &hash), _) in known {
            let mut at = hash as usize & (size - 1);
            while slots[at].linking != EMPTY {
                at = (at + 1) & (size - 1);
            }
            slots[at] = HashSlot { hash, linking };
        }
        Self { slots, is_known }
    }

    /// The image of a linking point with these entries, by the `images` of the ids; `None` if it is
    /// not known.
    #[inline]
    pub(super) fn image(&self, linking: u32, entries: &[KeyEntry], images: &[u32]) -> Option<u32> {
        if !*self.is_known.get(linking as usize)? {
            return None;
        }
        let hash = hash(entries, |id| images[id as usize]);
        let last = self.slots.len() - 1;
        // The table is at most half full, so that an empty slot ends the search.
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            if slot.linking == EMPTY {
                return None;
            }
            // Hashes in the table are all different, and `new` has checked by every swap that the
            // image of a known point has the hash of its moved entries: comparing hashes is enough.
            if slot.hash == hash {
                return Some(slot.linking);
            }
            at = (at + 1) & last;
        }
    }
}

#[inline]
fn hash(entries: &[KeyEntry], image: impl Fn(u32) -> u32) -> u64 {
    let of = |entry: &KeyEntry| mix(entry.add ^ u64::from(image(entry.id)));
    entries.iter().map(of).fold(0, u64::wrapping_add)
}
