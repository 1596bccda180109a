//! Partitions that become coarser.

/// A partition of 0..n that becomes coarser (union-find). The least point of a class names it.
pub(crate) struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// The partition in which every point is alone.
    pub(crate) fn new(points: usize) -> Self {
        let parents = (0..points as u32).collect();
        Self { parents }
    }

    /// The name of the class of `point`.
    pub(crate) fn find(&mut self, mut point: u32) -> u32 {
        while self.parents[point as usize] != point {
            let above = self.parents[self.parents[point as usize] as usize];
            self.parents[point as usize] = above;
            point = above;
        }
        point
    }

    /// Puts two classes together. Returns true if they were different.
    pub(crate) fn union(&mut self, left: u32, right: u32) -> bool {
        let (left, right) = (self.find(left), self.find(right));
        // The union is not by rank, because the name of a class has to be its least point.
        let (least, other) = (left.min(right), left.max(right));
        self.parents[other as usize] = least;
        left != right
    }

    /// Puts each point in the class of its image.
    pub(crate) fn union_all(&mut self, images: &[u32]) {
        for (point, &image) in (0..).zip(images) {
            self.union(point, image);
        }
    }

    /// By point, the name of its class.
    pub(crate) fn all(mut self) -> Vec<u32> {
        (0..self.parents.len() as u32)
            .map(|point| self.find(point))
            .collect()
    }

    /// The classes of two or more points, each ascending, in the order of their names.
    pub(crate) fn members(self) -> Vec<Vec<u32>> {
        let names = self.all();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        for (point, name) in (0..).zip(names) {
            members[name as usize].push(point);
        }
        members.retain(|class| class.len() > 1);
        members
    }
}
