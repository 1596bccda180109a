//! Generators of the automorphism group of a relational structure.
//!
//! McKay's scheme: a first path of vertices that are told apart one after another until all are,
//! then, from its end to its start, for each vertex that the next of the path might go to, a search
//! for an automorphism that takes it there and fixes those before. Orbits of what was found save
//! most of these searches, and traces of the refinements cut the others short. The early candidates
//! are those of saucy, see [`super::agreement`].

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::agreement::Agreement;
use super::known::{FoundAutomorphisms, VertexMoves, by_level, join, with_conjugates};
use super::refine::{Refinement, Refiner, Trace};
use super::relational::RelationalStructure;
use crate::permutations::union_find::UnionFind;
use base::cancel::Cancellation;
use base::diag::Result;

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Automorphisms {
    /// None is in the group of the known ones and those before it.
    pub(super) generators: Vec<VertexMoves>,
    /// Whether, with the known ones, they generate all.
    pub(super) is_complete: bool,
    pub(super) steps: u64,
}

/// An eighth of the budget may be spent, beyond it, on deciding which automorphisms are new.
const EXTRA: u64 = 8;

/// Searches for automorphisms of `structure` beyond the group that `known` generate. A step is a
/// look at one place in a tuple; the search ends when `budget` is used up, at most the tuples of
/// one cell later. Deciding what is new takes what is left of the budget, or an eighth of it.
/// Returns an error if `token` says that work may not go on.
pub(super) fn automorphisms(
    structure: &RelationalStructure,
    known: &[VertexMoves],
    budget: u64,
    token: &Cancellation,
) -> Result<Automorphisms> {
    let mut refiner = Refiner::new(structure, budget, token);
    let Some(path) = first_path(&mut refiner) else {
        let steps = refiner.steps;
        let nothing = Automorphisms {
            generators: Vec::new(),
            is_complete: false,
            steps,
        };
        return refiner.stopped.map_or(Ok(nothing), Err);
    };
    let vertices: Vec<u32> = path.iter().map(|level| level.vertex).collect();
    let pruning = with_conjugates(structure.size(), known);
    let mut all_orbits = UnionFind::new(structure.size());
    for moves in known {
        join(moves, &mut all_orbits);
    }
    let mut search = PathSearch {
        agreement: Agreement::new(refiner.partition.elements().to_vec()),
        refiner,
        path,
        orbits: UnionFind::new(structure.size()),
        known: by_level(structure.size(), &pruning, &vertices),
        all_orbits,
        found: Vec::new(),
        joins: Vec::new(),
    };
    // From the end of the path to its start: what fixes a longer part of the path also fixes the
    // shorter parts, so its orbits already count there.
    let sizes: Option<Vec<usize>> = (0..vertices.len())
        .rev()
        .map(|level| search.level(level))
        .collect();
    // By the orbit-stabiliser theorem.
    let order = sizes.map(|sizes| sizes.into_iter().map(BigUint::from).product());
    if let Some(problem) = search.refiner.stopped.take() {
        return Err(problem);
    }
    let steps = search.refiner.steps;
    let is_complete = order.is_some();
    let generators = search.new_ones(known, &vertices, order, budget);
    Ok(Automorphisms {
        generators,
        is_complete,
        steps,
    })
}

/// A vertex that the first path singles out from the others of its cell.
pub(super) struct PathLevel {
    /// Where its cell starts.
    cell: u32,
    vertex: u32,
    /// The partition before.
    pub(super) mark: usize,
    /// What the refinement after it did.
    trace: Vec<u64>,
}

/// Tells vertices apart until all are, unless the budget is too small.
pub(super) fn first_path(refiner: &mut Refiner<'_>) -> Option<Vec<PathLevel>> {
    let mut path = Vec::new();
    // The trace of the first refinement is not kept: all right paths begin with its outcome.
    if refiner.refine_all(&mut Trace::Record(&mut Vec::new())) != Refinement::Done {
        return None;
    }
    let mut from = 0;
    let mut recent: Vec<Vec<u32>> = Vec::new();
    while let Some(cell) = near(refiner, &mut recent).or_else(|| target(refiner, &mut from)) {
        let mark = refiner.partition.mark();
        // The last one stays where it is, so that the next of the path is the one before it.
        let &vertex = refiner.partition.cell(cell).last()?;
        let mut trace = Vec::new();
        if refiner.individualise(vertex, &mut Trace::Record(&mut trace)) != Refinement::Done {
            return None;
        }
        recent.push(refiner.partition.new_cells(mark).collect());
        path.push(PathLevel {
            cell,
            vertex,
            mark,
            trace,
        });
    }
    Some(path)
}

/// Of the cells of several vertices that were split off last, by the level of the path, the
/// smallest of the lowest tier. So the path settles all of one component before it goes on to the
/// next, and whether two components can be exchanged shows after a few levels, not only when all
/// others have been gone through.
fn near(refiner: &mut Refiner<'_>, recent: &mut Vec<Vec<u32>>) -> Option<u32> {
    while let Some(cells) = recent.last_mut() {
        refiner.steps += cells.len() as u64;
        cells.retain(|&start| refiner.partition.size(start) > 1);
        let key = |&&start: &&u32| (tier(refiner, start), refiner.partition.size(start), start);
        if let Some(&cell) = cells.iter().min_by_key(key) {
            return Some(cell);
        }
        recent.pop();
    }
    None
}

fn tier(refiner: &Refiner<'_>, start: u32) -> u8 {
    let vertex = refiner.partition.elements()[start as usize];
    refiner.structure.colours()[vertex as usize].tier
}

/// The smallest cell of several vertices, of those in the lowest tier that has any. All cells
/// before `from` have one vertex.
fn target(refiner: &mut Refiner<'_>, from: &mut u32) -> Option<u32> {
    let partition = &refiner.partition;
    let mut best: Option<u32> = None;
    for start in partition.cells_from(*from) {
        refiner.steps += 1;
        if best.is_some_and(|best| tier(refiner, best) != tier(refiner, start)) {
            break;
        }
        if partition.size(start) == 1 {
            continue;
        }
        if best.is_none() {
            *from = start;
        }
        if best.is_none_or(|best| partition.size(start) < partition.size(best)) {
            best = Some(start);
        }
        // No cell of several vertices is smaller.
        if partition.size(start) == 2 {
            break;
        }
    }
    best
}

/// A vertex of the right path is to be chosen.
struct BranchPoint {
    level: usize,
    /// The partition before.
    mark: usize,
    /// The best last.
    candidates: Vec<u32>,
}

struct PathSearch<'a> {
    /// Its partition is the right one.
    refiner: Refiner<'a>,
    agreement: Agreement,
    path: Vec<PathLevel>,
    /// Of the automorphisms found that fix the path before the level that is looked at.
    orbits: UnionFind,
    /// By level of the path: known automorphisms that move its vertex and fix those before.
    known: Vec<Vec<&'a VertexMoves>>,
    /// Of all automorphisms that were known or found.
    all_orbits: UnionFind,
    found: Vec<VertexMoves>,
    /// By found one, whether it joined some of `all_orbits`.
    joins: Vec<bool>,
}

impl PathSearch<'_> {
    /// Finds where the vertex of `level` can go if those before it are fixed, and returns the size
    /// of its orbit; `None` if the budget is used up.
    fn level(&mut self, level: usize) -> Option<usize> {
        let &PathLevel {
            cell, vertex, mark, ..
        } = &self.path[level];
        self.undo(mark);
        for moves in &self.known[level] {
            join(moves, &mut self.orbits);
        }
        let size = self.refiner.partition.size(cell);
        let images = self.agreement.left(cell, size).to_vec();
        let mut failed: Vec<u32> = Vec::new();
        let mut failed_orbits: FxHashSet<u32> = FxHashSet::default();
        // The last of the cell is the vertex of the path itself, which needs no search.
        for &image in images.iter().rev() {
            let orbit = self.orbits.find(image);
            // Known automorphisms lead there, or from there to an image that has been tried in
            // vain.
            if orbit == self.orbits.find(vertex) || failed_orbits.contains(&orbit) {
                continue;
            }
            match self.search(level, image)? {
                Some(moves) => {
                    self.add(moves);
                    // The new automorphism has merged orbits, and with them their names.
                    failed_orbits = failed.iter().map(|&v| self.orbits.find(v)).collect();
                }
                None => {
                    failed.push(image);
                    failed_orbits.insert(self.orbits.find(image));
                }
            }
        }
        let orbit = self.orbits.find(vertex);
        let images = images.iter();
        Some(images.filter(|&&v| self.orbits.find(v) == orbit).count())
    }

    fn add(&mut self, moves: VertexMoves) {
        join(&moves, &mut self.orbits);
        let joins = join(&moves, &mut self.all_orbits);
        // What is new for certain is yet to become a symmetry of all states.
        self.refiner.steps += if joins {
            self.refiner.structure.size() as u64
        } else {
            moves.len() as u64
        };
        self.found.push(moves);
        self.joins.push(joins);
    }

    /// Of what was found, what is beyond the group of `known`.
    fn new_ones(
        mut self,
        known: &[VertexMoves],
        path: &[u32],
        order: Option<BigUint>,
        budget: u64,
    ) -> Vec<VertexMoves> {
        // Only the identity fixes the path, so the orbits of its vertices are points enough to
        // compute orders on.
        let names = path.iter().map(|&vertex| self.all_orbits.find(vertex));
        let names: FxHashSet<u32> = names.collect();
        let all = 0..self.refiner.structure.size() as u32;
        let points = all.filter(|&vertex| names.contains(&self.all_orbits.find(vertex)));
        let points: Vec<u32> = points.collect();
        let choice = FoundAutomorphisms {
            found: &self.found,
            joins: &self.joins,
            points: &points,
            order,
        };
        let left = budget.saturating_sub(self.refiner.steps);
        let new = choice.new_ones(known, left.max(budget / EXTRA));
        let new = new.into_iter();
        new.map(|at| std::mem::take(&mut self.found[at])).collect()
    }

    /// An automorphism that fixes the path before `level` and takes its vertex there to `image`, if
    /// there is one; the outer `None` if the budget is used up. Depth first, over all right paths
    /// that look like the first one.
    fn search(&mut self, level: usize, image: u32) -> Option<Option<VertexMoves>> {
        let mut choices = vec![BranchPoint {
            level,
            mark: self.path[level].mark,
            candidates: vec![image],
        }];
        while let Some(choice) = choices.last_mut() {
            let (level, mark) = (choice.level, choice.mark);
            let Some(vertex) = choice.candidates.pop() else {
                choices.pop();
                continue;
            };
            self.undo(mark);
            match self.follow(level, vertex) {
                Refinement::OutOfBudget => return None,
                Refinement::Differs => continue,
                Refinement::Done => {}
            }
            if let Some(moves) = self.automorphism() {
                return Some(Some(moves));
            }
            if level + 1 < self.path.len() {
                choices.push(self.choice(level + 1));
            }
        }
        Some(None)
    }

    /// Lets the vertex of the path at `level` go to `vertex`, if the refinement after that has the
    /// trace of the first path.
    fn follow(&mut self, level: usize, vertex: u32) -> Refinement {
        let PathLevel { cell, trace, .. } = &self.path[level];
        let partition = &self.refiner.partition;
        let mark = partition.mark();
        // A partition that looks like that of the first path has this cell, with several vertices,
        // in the same place.
        if partition.cell_of(vertex) != *cell || partition.size(*cell) == 1 {
            return Refinement::Differs;
        }
        let outcome = self
            .refiner
            .individualise(vertex, &mut Trace::Follow(trace));
        if outcome == Refinement::Done {
            self.compare(&self.new_ranges(mark));
        } else {
            self.refiner.partition.undo(mark);
        }
        outcome
    }

    /// The automorphism that follows from the right path, if it can be known and is one.
    fn automorphism(&mut self) -> Option<VertexMoves> {
        let mut moves = self.agreement.candidate(&self.refiner.partition)?;
        // Whoever takes it as known compares lists of moves.
        moves.sort_unstable();
        let structure = self.refiner.structure;
        let images: FxHashMap<u32, u32> = moves.iter().copied().collect();
        let moved: Vec<u32> = moves.iter().map(|&(vertex, _)| vertex).collect();
        let degrees = moved.iter().map(|&vertex| structure.degree(vertex));
        self.refiner.steps += degrees.sum::<u64>();
        let colours = structure.colours();
        let keeps_colours = moves
            .iter()
            .all(|&(vertex, image)| colours[vertex as usize] == colours[image as usize]);
        let image = |vertex: u32| images.get(&vertex).copied().unwrap_or(vertex);
        // Equal traces are a hash and a necessary condition only: the candidate has to be checked.
        let is_one = keeps_colours && structure.keeps_tuples(&moved, image);
        is_one.then_some(moves)
    }

    /// Where the vertex of `level` may go: it stays if it can, else it goes to one that cannot
    /// stay.
    fn choice(&mut self, level: usize) -> BranchPoint {
        let partition = &self.refiner.partition;
        let PathLevel { cell, vertex, .. } = self.path[level];
        let starts_here = partition.elements().get(cell as usize);
        let starts_here = starts_here.is_some_and(|&v| partition.cell_of(v) == cell);
        let mut candidates = if starts_here {
            partition.cell(cell).to_vec()
        } else {
            Vec::new()
        };
        // The last candidate is tried first.
        candidates.sort_by_key(|&other| (other == vertex, self.agreement.differs(other)));
        self.refiner.steps += candidates.len() as u64;
        BranchPoint {
            level,
            mark: self.refiner.partition.mark(),
            candidates,
        }
    }

    /// Undoes all splits of the right partition since `mark`.
    fn undo(&mut self, mark: usize) {
        // Undoing forgets the splits, and looking again needs the coarser cells: so the ranges are
        // taken before and looked at after.
        let ranges = self.new_ranges(mark);
        self.refiner.partition.undo(mark);
        self.compare(&ranges);
    }

    /// Takes note of what was done to these ranges of the right partition.
    fn compare(&mut self, ranges: &[(u32, u32)]) {
        for &(start, size) in ranges {
            self.agreement.update(&self.refiner.partition, start, size);
        }
    }

    /// (start, size) of the cells that were split off since `mark`: only vertices in these are in
    /// another cell than before.
    fn new_ranges(&self, mark: usize) -> Vec<(u32, u32)> {
        let partition = &self.refiner.partition;
        let cells = partition.new_cells(mark);
        cells.map(|start| (start, partition.size(start))).collect()
    }
}
