//! Ordered partitions of vertices that become finer, and coarser again when splits are undone in
//! reverse order.

/// A partition whose cells are ranges of `elements`. The position at which a cell starts is the
/// colour of its vertices.
#[derive(Clone, Debug)]
pub(super) struct VertexPartition {
    elements: Vec<u32>,
    /// By vertex, its place in `elements`.
    position: Vec<u32>,
    /// By vertex, the start of its cell.
    starts: Vec<u32>,
    /// By position, the size of the cell that starts there; wrong where none starts.
    sizes: Vec<u32>,
    /// The splits, oldest first: (start of the cell that was split, start of the part split off).
    splits: Vec<(u32, u32)>,
}

impl VertexPartition {
    /// The partition whose cells are the vertices of one colour, in the order of the colours.
    pub(super) fn by_colour<C: Ord>(colours: &[C]) -> Self {
        let colour = |vertex: u32| &colours[vertex as usize];
        let mut elements: Vec<u32> = (0..colours.len() as u32).collect();
        elements.sort_by_key(|&vertex| colour(vertex));
        let mut partition = Self {
            position: vec![0; elements.len()],
            starts: vec![0; elements.len()],
            sizes: vec![0; elements.len()],
            splits: Vec::new(),
            elements: Vec::new(),
        };
        let mut start = 0;
        for cell in elements.chunk_by(|&left, &right| colour(left) == colour(right)) {
            partition.sizes[start as usize] = cell.len() as u32;
            for (at, &vertex) in (start..).zip(cell) {
                partition.position[vertex as usize] = at;
                partition.starts[vertex as usize] = start;
            }
            start += cell.len() as u32;
        }
        partition.elements = elements;
        partition
    }

    /// All vertices, cell by cell.
    pub(super) fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// The start of the cell of `vertex`.
    pub(super) fn cell_of(&self, vertex: u32) -> u32 {
        self.starts[vertex as usize]
    }

    /// The number of vertices of the cell that starts here.
    pub(super) fn size(&self, start: u32) -> u32 {
        self.sizes[start as usize]
    }

    /// The vertices of the cell that starts here.
    pub(super) fn cell(&self, start: u32) -> &[u32] {
        &self.elements[start as usize..(start + self.size(start)) as usize]
    }

    /// The starts of cells, in order, from a cell that starts at `from` on.
    pub(super) fn cells_from(&self, from: u32) -> impl Iterator<Item = u32> {
        let end = self.elements.len() as u32;
        let first = Some(from).filter(|&start| start < end);
        std::iter::successors(first, move |&start| {
            Some(start + self.size(start)).filter(|&next| next < end)
        })
    }

    /// The number of splits so far, which `undo` goes back to.
    pub(super) fn mark(&self) -> usize {
        self.splits.len()
    }

    /// The starts of the parts that were split off since `mark`.
    pub(super) fn new_cells(&self, mark: usize) -> impl Iterator<Item = u32> {
        self.splits[mark..].iter().map(|&(_, new)| new)
    }

    /// Moves `vertex` within its cell.
    pub(super) fn move_to(&mut self, vertex: u32, at: u32) {
        let from = self.position[vertex as usize];
        let other = self.elements[at as usize];
        self.elements.swap(from as usize, at as usize);
        self.position[vertex as usize] = at;
        self.position[other as usize] = from;
    }

    /// Sorts the vertices at `from..to`, all of one cell.
    pub(super) fn sort(&mut self, from: u32, to: u32, key: impl Fn(u32) -> u64) {
        let range = &mut self.elements[from as usize..to as usize];
        range.sort_unstable_by_key(|&vertex| key(vertex));
        for (at, &vertex) in (from..).zip(range.iter()) {
            self.position[vertex as usize] = at;
        }
    }

    /// Makes a cell of the vertices from `from` to the end of the cell that starts at `start`;
    /// `from` is behind `start`.
    pub(super) fn split(&mut self, start: u32, from: u32) {
        let end = start + self.size(start);
        self.sizes[start as usize] = from - start;
        self.sizes[from as usize] = end - from;
        // The part behind gets a new name, so callers split off the last part first.
        for at in from..end {
            self.starts[self.elements[at as usize] as usize] = from;
        }
        self.splits.push((start, from));
    }

    /// Makes `vertex` a cell of its own, behind the rest of its cell, and returns its start.
    pub(super) fn individualise(&mut self, vertex: u32) -> u32 {
        let start = self.cell_of(vertex);
        let last = start + self.size(start) - 1;
        self.move_to(vertex, last);
        self.split(start, last);
        last
    }

    /// Undoes all splits since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.splits.len() > mark {
            let Some((start, from)) = self.splits.pop() else {
                return;
            };
            // Splits are undone in reverse, so the part is as large as when it was split off.
            let size = self.size(from);
            self.sizes[start as usize] += size;
            for at in from..from + size {
                self.starts[self.elements[at as usize] as usize] = start;
            }
        }
    }
}
