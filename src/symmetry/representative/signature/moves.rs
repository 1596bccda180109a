//! The moves of ids and points by the exchanges of a forest.

use rustc_hash::FxHashMap;

use crate::forest::Forest;
use crate::pbisim::Symmetry;
use crate::permutations::element::moved;

use super::ids::Ids;

/// The exchanges with first siblings, on ids and on *points*: the states of the components that
/// move.
#[derive(Debug)]
pub(super) struct ForestMoves {
    pub(super) ids: Ids,
    /// The components of which some state moves, ascending: leaves by their number, and the
    /// specification as the number of leaves.
    pub(super) components: Vec<usize>,
    /// By position in `components`, the point of state 0. The last entry is the number of points.
    pub(super) starts: Vec<u32>,
    /// Family by family, member by member from the second on.
    swaps: Vec<Swap>,
    /// By family, its first swap.
    first_swaps: Vec<u32>,
}

/// The exchange of a member with the first one.
#[derive(Debug)]
struct Swap {
    /// By id, its image.
    ids: Box<[u32]>,
    /// By point, its image.
    points: Box<[u32]>,
    /// The points that move.
    moved: Box<[u32]>,
}

/// The most pairs of a point and an id: the relation of each pair is computed, and each id has a
/// map of points.
const MOST_RELATIONS: usize = 1 << 26;

impl ForestMoves {
    /// The moves of `forest`; `states` are the numbers of states of the components. The error is
    /// the reason why that takes too much, in one line.
    pub(super) fn new(states: &[u32], forest: &Forest) -> Result<Self, String> {
        let ids = Ids::new(forest)?;
        let moves = |&component: &usize| forest.swaps().any(|swap| !swap.fixes(component));
        let components: Vec<usize> = (0..states.len()).filter(moves).collect();
        let mut starts = vec![0];
        let mut points = 0usize;
        for &component in &components {
            points += states[component] as usize;
            starts.push(points as u32);
        }
        if points.saturating_mul(ids.count()) > MOST_RELATIONS {
            let ids = ids.count();
            return Err(format!(
                "{points} states would have to be related to {ids} ids"
            ));
        }
        let mut moves = Self {
            ids,
            components,
            starts,
            swaps: Vec::new(),
            first_swaps: Vec::new(),
        };
        for (number, family) in forest.families.iter().enumerate() {
            moves.first_swaps.push(moves.swaps.len() as u32);
            for (member, swap) in (1..).zip(&family.swaps) {
                let points = moves.images(swap);
                moves.swaps.push(Swap {
                    ids: moves.ids.exchange(number, 0, member).into(),
                    moved: moved(&points).map(|(point, _)| point).collect(),
                    points,
                });
            }
        }
        Ok(moves)
    }

    /// By point, its image under `symmetry`.
    fn images(&self, symmetry: &Symmetry) -> Box<[u32]> {
        let mut images = Vec::with_capacity(self.point_count());
        let starts: FxHashMap<usize, u32> = self
            .components
            .iter()
            .copied()
            .zip(self.starts.iter().copied())
            .collect();
        for &component in &self.components {
            let (to, map) = symmetry.part(component);
            // A component that others go to moves too, so it has a start.
            let start = starts[&to];
            images.extend(map.iter().map(|state| start + state));
        }
        images.into()
    }

    /// The number of points.
    pub(super) fn point_count(&self) -> usize {
        self.starts[self.components.len()] as usize
    }

    /// The number of swaps.
    pub(super) fn swap_count(&self) -> usize {
        self.swaps.len()
    }

    /// The swaps whose product exchanges the members j < k of `family`: (j k) = s_j s_k s_j.
    pub(super) fn word(&self, family: usize, j: usize, k: usize) -> Vec<u32> {
        let swap = |member: usize| self.first_swaps[family] + member as u32 - 1;
        if j == 0 {
            vec![swap(k)]
        } else {
            vec![swap(j), swap(k), swap(j)]
        }
    }

    /// The points that the exchange of these members moves, each with its image: the points moved
    /// by s_k, carried by s_j.
    pub(super) fn moved(
        &self,
        family: usize,
        j: usize,
        k: usize,
    ) -> impl Iterator<Item = (u32, u32)> {
        let word = self.word(family, j, k);
        // The word is s_k alone, or s_j s_k s_j: s_k is in its middle.
        let middle = word.len() / 2;
        let moved = self.swaps[word[middle] as usize].moved.iter();
        moved.map(move |&point| {
            let point = self.point(&word[..middle], point);
            (point, self.point(&word, point))
        })
    }

    /// The image of `point` under the product of `swaps`.
    pub(super) fn point(&self, swaps: &[u32], point: u32) -> u32 {
        let swaps = swaps.iter();
        swaps.fold(point, |at, &swap| {
            self.swaps[swap as usize].points[at as usize]
        })
    }

    /// The image of `id` under the product of `swaps`.
    pub(super) fn id(&self, swaps: &[u32], id: usize) -> usize {
        let swaps = swaps.iter();
        swaps.fold(id, |at, &swap| self.swaps[swap as usize].ids[at] as usize)
    }
}
