//! The tables in which signature sort looks up the points of a state.

use crate::forest::Forest;

use super::directory::Directory;
use super::ids::Ids;
use super::moves::ForestMoves;
use super::orbits::Orbits;
use super::says;
use super::says::{Counterparts, Linking, Says};

/// Tables for the ids of a forest. Numbers of orbits are mixed to 64 bits.
#[derive(Default, Debug)]
pub(super) struct SignatureTables {
    pub(super) ids: Ids,
    /// The components that move, ascending; and by position, the point of state 0.
    pub(super) components: Vec<usize>,
    pub(super) starts: Vec<u32>,
    /// By point, its row.
    pub(super) points: Vec<PointRow>,
    /// Rows of points; see [`PointRow::row`].
    pub(super) counterparts: Vec<u32>,
    /// The points that say something of several ids.
    pub(super) linking: Vec<LinkingPoint>,
    /// The numbers that linking points add to keys.
    pub(super) entries: Vec<KeyEntry>,
    /// The ids that linking points link.
    pub(super) links: Vec<u32>,
    /// For each linking point and each two of its links, the number of the orbit of the two and the
    /// point.
    pub(super) pairs: Vec<u64>,
    pub(super) exchanges: ExchangeTable,
    pub(super) directory: Directory,
}

/// A state of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointRow {
    /// The number that the point adds to the key of `id`.
    pub(super) add: u64,
    /// The only id of which the point says something; else [`LINKING`] or [`FIXED`].
    pub(super) id: u32,
    /// The start of its row in `counterparts`, which has, by slot of the image of `id`, the image
    /// of the point; for a linking point, its number in `linking`.
    pub(super) row: u32,
}

/// The value in place of an id in [`PointRow::id`] if the point links several ids.
pub(super) const LINKING: u32 = u32::MAX;

/// The value in place of an id in [`PointRow::id`] if the point never moves.
pub(super) const FIXED: u32 = u32::MAX - 1;

/// A point that says something of several ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkingPoint {
    pub(super) point: u32,
    /// The beginning and end of its part of `entries`.
    pub(super) entries: (u32, u32),
    /// The beginning and end of its part of `links`.
    pub(super) links: (u32, u32),
    /// The beginning of its part of `pairs`: for each link a, for each link b.
    pub(super) pairs: u32,
}

/// The number that a point adds to the key of an id.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyEntry {
    pub(super) id: u32,
    pub(super) add: u64,
}

/// The exchanges of any two siblings, on *objects*: ids, then linking points.
#[derive(Default, Debug)]
pub(super) struct ExchangeTable {
    /// By family, the number of the exchange of members 0 and 1; the exchange of j < k has this
    /// number plus k(k - 1)/2 + j.
    firsts: Vec<u32>,
    /// By exchange, its swaps, as numbers that count family by family and member by member from the
    /// second on.
    pub(super) words: Vec<Box<[u32]>>,
    /// By exchange, its map of objects; or by swap, if there are too many exchanges.
    maps: Vec<Box<[u32]>>,
    is_by_exchange: bool,
}

/// Limits for the room and time of the tables that only save time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most relations of two ids and a point that are listed. Beyond this, keys are refined by
    /// less information.
    pub(super) pairs: usize,
    /// The most steps to number them.
    pub(super) steps: usize,
    /// The most numbers in the maps of exchanges. Beyond this, an exchange is made of three swaps.
    /// If zero, images are not looked up either.
    pub(super) images: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pairs: 1 << 23,
            steps: 1 << 26,
            images: 1 << 23,
        }
    }
}

impl SignatureTables {
    /// Makes the tables for `forest` on components with `states` states each. The error is the
    /// reason why that takes too much, in one line.
    pub(super) fn new(states: &[u32], forest: &Forest, limits: Limits) -> Result<Self, String> {
        let moves = ForestMoves::new(states, forest)?;
        let mut orbits = Orbits::new(&moves);
        let says = says::all(&moves, &mut orbits);
        let counterparts = Counterparts::new(&moves, &says)?;
        let mut tables = Self {
            ids: moves.ids.clone(),
            components: moves.components.clone(),
            starts: moves.starts.clone(),
            points: Vec::with_capacity(says.len()),
            counterparts: counterparts.points,
            exchanges: ExchangeTable::new(&moves, &says, limits.images),
            ..Self::default()
        };
        // This is decided for all points together, because numbers of both kinds must never be
        // compared with each other.
        let is_related = tables.is_worth_relating(&says, limits);
        for (point, says) in (0..).zip(&says) {
            let (add, id, row) = match says {
                Says::Nothing => (0, FIXED, 0),
                Says::Of { id, number } => (mix(*number), *id, counterparts.rows[number]),
                Says::Linking(linking) => {
                    let row = tables.linking.len() as u32;
                    tables.push(point, linking, is_related.then_some(&mut orbits));
                    (0, LINKING, row)
                }
            };
            tables.points.push(PointRow { add, id, row });
        }
        if limits.images > 0 {
            tables.directory = Directory::new(&tables, &moves);
        }
        Ok(tables)
    }

    /// The numbers that the linking point of this number adds to keys.
    #[inline]
    pub(super) fn entries(&self, linking: u32) -> &[KeyEntry] {
        let (from, to) = self.linking[linking as usize].entries;
        &self.entries[from as usize..to as usize]
    }

    /// True if the relations of two ids and a point are few enough to be listed.
    fn is_worth_relating(&self, says: &[Says], limits: Limits) -> bool {
        let pairs = says.iter().map(|says| match says {
            Says::Linking(linking) => linking.links.len().pow(2),
            _ => 0,
        });
        // There is a table of all points for each kind of pair; a kind has families of one kind
        // above it.
        let kinds = self.ids.families.iter().zip(0..);
        let kinds = kinds
            .filter(|(family, number)| family.kind == *number)
            .count();
        let tables = 2 * kinds * kinds * self.ids.count() * says.len();
        pairs.sum::<usize>() <= limits.pairs && tables <= limits.steps
    }

    fn push(&mut self, point: u32, linking: &Linking, mut orbits: Option<&mut Orbits>) {
        let (entries, links) = (self.entries.len() as u32, self.links.len() as u32);
        let pairs = self.pairs.len() as u32;
        for &(id, number, most) in &linking.support {
            let add = mix(number).wrapping_sub(mix(most));
            self.entries.push(KeyEntry { id, add });
        }
        for &(first, said) in &linking.links {
            self.links.push(first);
            for &(second, also) in &linking.links {
                let ids = [first as usize, second as usize];
                let number = match &mut orbits {
                    Some(orbits) => mix(orbits.number(&ids, point).0),
                    // This tells less than the orbit of the pair, but is the same for all pairs of
                    // one orbit.
                    None => mix(mix(said) ^ also ^ u64::from(first == second)),
                };
                self.pairs.push(number);
            }
        }
        self.linking.push(LinkingPoint {
            point,
            entries: (entries, self.entries.len() as u32),
            links: (links, self.links.len() as u32),
            pairs,
        });
    }
}

impl ExchangeTable {
    fn new(moves: &ForestMoves, says: &[Says], most_images: usize) -> Self {
        let linking = (0..).zip(says);
        let linking = linking.filter(|(_, says)| matches!(says, Says::Linking(_)));
        let linking: Vec<u32> = linking.map(|(point, _)| point).collect();
        let mut firsts = Vec::new();
        let mut words: Vec<Box<[u32]>> = Vec::new();
        for (number, family) in moves.ids.families.iter().enumerate() {
            firsts.push(words.len() as u32);
            for k in 1..family.size {
                words.extend((0..k).map(|j| moves.word(number, j, k).into()));
            }
        }
        let ids = moves.ids.count();
        let map = |word: &[u32]| -> Box<[u32]> {
            let place = |point: &u32| {
                // Objects are ids and then linking points in ascending order, so a point's place
                // among these is found by counting.
                let image = moves.point(word, *point);
                (ids + linking.partition_point(|&other| other < image)) as u32
            };
            let images = (0..ids).map(|id| moves.id(word, id) as u32);
            images.chain(linking.iter().map(place)).collect()
        };
        let is_by_exchange = words.len().saturating_mul(ids + linking.len()) <= most_images;
        let maps = if is_by_exchange {
            words.iter().map(|word| map(word)).collect()
        } else {
            (0..moves.swap_count() as u32)
                .map(|swap| map(&[swap]))
                .collect()
        };
        Self {
            firsts,
            words,
            maps,
            is_by_exchange,
        }
    }

    /// The number of the exchange of two different members.
    #[inline]
    pub(super) fn number(&self, family: usize, j: u32, k: u32) -> u32 {
        let (j, k) = (j.min(k), j.max(k));
        self.firsts[family] + k * (k - 1) / 2 + j
    }

    /// The image of an object.
    #[inline]
    pub(super) fn image(&self, exchange: u32, object: u32) -> u32 {
        if self.is_by_exchange {
            return self.maps[exchange as usize][object as usize];
        }
        let word = self.words[exchange as usize].iter();
        word.fold(object, |at, &swap| self.maps[swap as usize][at as usize])
    }
}

/// Mixes the bits of a number: a bijection, after which sums of few numbers do not collide by
/// accident.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let number = (number ^ number >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    number ^ number >> 32
}
