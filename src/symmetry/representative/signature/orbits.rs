//! Numbers for the orbits of points together with one id or two: what a point says of ids.

use rustc_hash::FxHashMap;

use crate::permutations::union_find::UnionFind;

use super::moves::ForestMoves;

/// Orbit numbers, made as they are asked for. An element takes the ids to the least ones of their
/// orbit, and the point with them; what remains is an orbit of the stabiliser of those, which the
/// exchanges of the siblings they leave free generate. So no table of all ids and points is needed.
pub(super) struct Orbits<'a> {
    moves: &'a ForestMoves,
    /// By tuple of ids, how to number points beside it.
    relations: FxHashMap<Vec<usize>, IdRelation>,
    /// By tuple of least ids, its number in `tables`.
    least: FxHashMap<Vec<usize>, usize>,
    tables: Vec<OrbitTable>,
}

/// How to number the points beside some ids.
#[derive(Clone, Debug)]
struct IdRelation {
    /// The swaps whose product takes the ids to the least of their orbit.
    swaps: Vec<u32>,
    table: usize,
}

/// The orbits of points under the stabiliser of some ids.
struct OrbitTable {
    /// By point, the least of its orbit.
    classes: Vec<u32>,
    /// By point, whether it is alone in its orbit.
    alone: Vec<bool>,
}

impl<'a> Orbits<'a> {
    pub(super) fn new(moves: &'a ForestMoves) -> Self {
        Self {
            moves,
            relations: FxHashMap::default(),
            least: FxHashMap::default(),
            tables: Vec::new(),
        }
    }

    /// The number of the orbit of `ids` with `point`; and whether elements that fix these ids fix
    /// the point.
    pub(super) fn number(&mut self, ids: &[usize], point: u32) -> (u64, bool) {
        if !self.relations.contains_key(ids) {
            let relation = self.relate(ids);
            self.relations.insert(ids.to_vec(), relation);
        }
        let relation = &self.relations[ids];
        let point = self.moves.point(&relation.swaps, point) as usize;
        let table = &self.tables[relation.table];
        let number = (relation.table as u64) << 32 | u64::from(table.classes[point]);
        (number, table.alone[point])
    }

    /// Takes `ids` one after the other to the first siblings that the ones before leave free, from
    /// the root down.
    fn relate(&mut self, ids: &[usize]) -> IdRelation {
        let forest = &self.moves.ids;
        let mut ids = ids.to_vec();
        let mut used = vec![0; forest.families.len()];
        let mut swaps = Vec::new();
        // Ids before are fixed from here on: only siblings after the used ones are exchanged.
        for which in 0..ids.len() {
            for depth in 0..forest.path(ids[which]).len() {
                let (family, member) = forest.path(ids[which])[depth];
                let free = used[family];
                // An ancestor that an id before has too is in its place.
                if member < free {
                    continue;
                }
                used[family] += 1;
                if member > free {
                    let word = self.moves.word(family, free, member);
                    for id in &mut ids {
                        *id = self.moves.id(&word, *id);
                    }
                    swaps.extend(word);
                }
            }
        }
        let tables = self.tables.len();
        let table = *self.least.entry(ids).or_insert(tables);
        if table == tables {
            self.tables.push(OrbitTable::new(self.moves, &used));
        }
        IdRelation { swaps, table }
    }
}

impl OrbitTable {
    /// Of the elements that fix the first `used` members of each family.
    fn new(moves: &ForestMoves, used: &[usize]) -> Self {
        let points = moves.point_count();
        let mut classes = UnionFind::new(points);
        for (number, family) in moves.ids.families.iter().enumerate() {
            // The exchanges with the first free member generate all permutations of the free ones.
            for member in used[number] + 1..family.size {
                for (point, image) in moves.moved(number, used[number], member) {
                    classes.union(point, image);
                }
            }
        }
        let classes = classes.all();
        let mut sizes = vec![0u32; points];
        for &class in &classes {
            sizes[class as usize] += 1;
        }
        let alone = classes.iter().map(|&class| sizes[class as usize] == 1);
        Self {
            alone: alone.collect(),
            classes,
        }
    }
}
