//! The vertices at which two partitions of equal shape have the same cells, for Darga, Sakallah and
//! Markov's shortcut in saucy.
//!
//! The left partition is that of the first path, of which only the discrete end is kept: at any
//! level its cells are the same ranges as the right partition's cells. A vertex *differs* if its
//! cells left and right are not the same range. Once all vertices that differ are in cells of their
//! own, the automorphism that fixes the others is determined, if there is one.

use super::partition::VertexPartition;
use super::relational::NONE;
use crate::permutations::element::positions;

pub(super) struct Agreement {
    /// The vertices in the order of the discrete left partition.
    left: Vec<u32>,
    /// By vertex, its place in `left`.
    position: Vec<u32>,
    differing: Vec<u32>,
    /// By vertex, its place in `differing`.
    slots: Vec<u32>,
}

impl Agreement {
    /// The agreement of a partition with itself.
    pub(super) fn new(left: Vec<u32>) -> Self {
        Self {
            slots: vec![NONE; left.len()],
            position: positions(&left, left.len()),
            left,
            differing: Vec::new(),
        }
    }

    /// The vertices of the left partition in these positions.
    pub(super) fn left(&self, start: u32, size: u32) -> &[u32] {
        &self.left[start as usize..(start + size) as usize]
    }

    /// The start of the left cell of `vertex`.
    pub(super) fn left_cell(&self, right: &VertexPartition, vertex: u32) -> u32 {
        let at = self.position[vertex as usize];
        right.cell_of(right.elements()[at as usize])
    }

    /// True if the cells of `vertex` are not the same range.
    pub(super) fn differs(&self, vertex: u32) -> bool {
        self.slots[vertex as usize] != NONE
    }

    /// Compares again the vertices in these positions, whose cells have changed.
    pub(super) fn update(&mut self, right: &VertexPartition, start: u32, size: u32) {
        for at in start as usize..(start + size) as usize {
            self.look_at(right, right.elements()[at]);
            // The left cell of a left vertex begins where the right cell at its position does, so
            // the cell of that vertex has changed too.
            self.look_at(right, self.left[at]);
        }
    }

    fn look_at(&mut self, right: &VertexPartition, vertex: u32) {
        let differs = self.left_cell(right, vertex) != right.cell_of(vertex);
        let slot = self.slots[vertex as usize];
        if differs && slot == NONE {
            self.slots[vertex as usize] = self.differing.len() as u32;
            self.differing.push(vertex);
        } else if !differs && slot != NONE {
            self.differing.swap_remove(slot as usize);
            // `swap_remove` has moved the last vertex here, unless it removed the last one.
            if let Some(&moved) = self.differing.get(slot as usize) {
                self.slots[moved as usize] = slot;
            }
            self.slots[vertex as usize] = NONE;
        }
    }

    /// The vertices that differ, each with the right vertex in its place, if all are in cells of
    /// their own. This is a bijection: as many vertices differ on the left as on the right, because
    /// cells of one range are equally large.
    pub(super) fn candidate(&self, right: &VertexPartition) -> Option<Vec<(u32, u32)>> {
        let is_alone = |&vertex: &u32| right.size(right.cell_of(vertex)) == 1;
        let image = |&vertex: &u32| {
            let at = self.position[vertex as usize];
            (vertex, right.elements()[at as usize])
        };
        let settled = self.differing.iter().all(is_alone);
        settled.then(|| self.differing.iter().map(image).collect())
    }
}
