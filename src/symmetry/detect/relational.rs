//! Sparse relational structures: coloured vertices and tuples of two or three of them.

use base::cancel::Cancellation;
use base::diag::Result;

/// The colour of a vertex. A vertex goes only to vertices of its colour. The search looks in low
/// tiers first for vertices to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Colour {
    pub(super) tier: u8,
    pub(super) kind: u8,
    pub(super) number: u64,
}

/// The third vertex of a tuple that has only two.
pub(super) const NONE: u32 = u32::MAX;

/// Two or three vertices, in order, that are related in the way `kind`; [`NONE`] for a third one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Tuple {
    pub(super) kind: u8,
    pub(super) vertices: [u32; 3],
}

/// Coloured vertices 0..n and a set of tuples. An automorphism permutes the vertices so that
/// colours stay and tuples go to tuples of the same kind.
#[derive(Clone, Debug)]
pub(super) struct RelationalStructure {
    /// By vertex, its colour.
    colours: Vec<Colour>,
    /// The tuples, ascending, each once.
    tuples: Vec<Tuple>,
    /// By vertex, the start of its part of `incidences`. The last entry is the end.
    starts: Vec<u32>,
    /// The places where vertices stand, as (tuple, place in it).
    incidences: Vec<(u32, u8)>,
}

impl RelationalStructure {
    /// Makes the structure of vertices with these colours, with tuples in any order.
    pub(super) fn new(
        colours: Vec<Colour>,
        tuples: Vec<Tuple>,
        token: &Cancellation,
    ) -> Result<Self> {
        let tuples = ascending(tuples, colours.len(), token)?;
        let mut starts = vec![0_u32; colours.len() + 1];
        for (vertex, ..) in places(&tuples) {
            token.look(1)?;
            starts[vertex as usize + 1] += 1;
        }
        for vertex in 0..colours.len() {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut incidences = vec![(0, 0); starts[colours.len()] as usize];
        for (vertex, tuple, place) in places(&tuples) {
            token.look(1)?;
            let at = &mut next[vertex as usize];
            incidences[*at as usize] = (tuple, place);
            *at += 1;
        }
        Ok(Self {
            colours,
            tuples,
            starts,
            incidences,
        })
    }

    /// The number of vertices.
    pub(super) fn size(&self) -> usize {
        self.colours.len()
    }

    /// The colours, by vertex.
    pub(super) fn colours(&self) -> &[Colour] {
        &self.colours
    }

    /// The tuples in which `vertex` stands, with its place in each.
    pub(super) fn incidences(&self, vertex: u32) -> impl Iterator<Item = (&Tuple, u8)> {
        let places = self.starts[vertex as usize]..self.starts[vertex as usize + 1];
        let places = &self.incidences[places.start as usize..places.end as usize];
        places
            .iter()
            .map(|&(tuple, place)| (&self.tuples[tuple as usize], place))
    }

    /// The number of places of tuples in which `vertex` stands.
    pub(super) fn degree(&self, vertex: u32) -> u64 {
        u64::from(self.starts[vertex as usize + 1] - self.starts[vertex as usize])
    }

    /// True if the bijection `image`, which moves no vertices but those in `moved` and keeps
    /// colours, is an automorphism. Each tuple has an image then, and different tuples have
    /// different images.
    pub(super) fn keeps_tuples(&self, moved: &[u32], image: impl Fn(u32) -> u32) -> bool {
        let of = |vertex: u32| if vertex == NONE { NONE } else { image(vertex) };
        moved.iter().all(|&vertex| {
            self.incidences(vertex).all(|(tuple, _)| {
                let kind = tuple.kind;
                // A tuple without a moved vertex is its own image, so only tuples of moved vertices
                // are looked at.
                let vertices = tuple.vertices.map(of);
                self.tuples.binary_search(&Tuple { kind, vertices }).is_ok()
            })
        })
    }
}

/// `tuples` in ascending order, each once: they are put into buckets by kind and first vertex, then
/// each bucket is sorted.
fn ascending(tuples: Vec<Tuple>, vertices: usize, token: &Cancellation) -> Result<Vec<Tuple>> {
    let bucket = |tuple: &Tuple| usize::from(tuple.kind) * vertices + tuple.vertices[0] as usize;
    let kinds = tuples.iter().map(|tuple| usize::from(tuple.kind) + 1);
    let mut ends = vec![0_u32; kinds.max().unwrap_or(0) * vertices];
    for tuple in &tuples {
        token.look(1)?;
        ends[bucket(tuple)] += 1;
    }
    let mut next = 0;
    // The counts become the starts of buckets. Filling a bucket moves its start to its end.
    for end in &mut ends {
        next += std::mem::replace(end, next);
    }
    let mut sorted = tuples.clone();
    for tuple in tuples {
        token.look(1)?;
        let end = &mut ends[bucket(&tuple)];
        sorted[*end as usize] = tuple;
        *end += 1;
    }
    let mut start = 0;
    for end in ends {
        let bucket = &mut sorted[start..end as usize];
        token.look(bucket.len())?;
        bucket.sort_unstable();
        start = end as usize;
    }
    sorted.dedup();
    Ok(sorted)
}

/// The places in `tuples`: (vertex, number of the tuple, place in it).
fn places(tuples: &[Tuple]) -> impl Iterator<Item = (u32, u32, u8)> {
    let of = |(number, tuple): (u32, Tuple)| {
        let places = (0..).zip(tuple.vertices);
        places
            .filter(|&(_, vertex)| vertex != NONE)
            .map(move |(place, vertex)| (vertex, number, place))
    };
    (0..).zip(tuples.iter().copied()).flat_map(of)
}
