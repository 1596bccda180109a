//! Generators of the automorphism group of a relational structure.
//!
//! McKay's scheme. A first path lists vertices that are told apart, one after another, until all
//! are. Then, from its end to its start, for each vertex that a vertex of the path might go to,
//! there is a search for an automorphism that takes it there and fixes the vertices before. Orbits
//! of the automorphisms found save most of these searches, and traces of the refinements cut the
//! others short. The early candidates are those of saucy, see [`super::agreement`].

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::agreement::Agreement;
use super::known::{FoundAutomorphisms, VertexMoves, by_level, join, with_conjugates};
use super::refine::{Refinement, Refiner, Trace};
use super::relational::RelationalStructure;
use crate::permutations::union_find::UnionFind;
use base::cancel::Cancellation;
use base::diag::Result;

/// The automorphisms that were found.
#[derive(Clone, Debug)]
pub(super) struct Automorphisms {
    /// The generators. None is in the group of the known ones and those before it.
    pub(super) generators: Vec<VertexMoves>,
    /// True if they generate all automorphisms, together with the known ones.
    pub(super) is_complete: bool,
    pub(super) steps: u64,
}

/// The divisor of the budget for the extra steps that may be spent on deciding which automorphisms
/// are new.
const EXTRA: u64 = 8;

/// Searches for automorphisms of `structure` beyond the group that `known` generate. A step is a
/// look at one place in a tuple; the search ends when `budget` is used up, at most the tuples of
/// one cell later. Deciding which automorphisms are new may take the rest of the budget, but at
/// least an eighth of it. Returns an error if `token` says that work may not go on.
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
    // The levels are gone through from the end of the path to its start: an automorphism that fixes
    // a longer part of the path also fixes the shorter parts, so its orbits already count there.
    let sizes: Option<Vec<usize>> = (0..vertices.len())
        .rev()
        .map(|level| search.level(level))
        .collect();
    // The order follows by the orbit-stabiliser theorem.
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

/// A level of the first path: a vertex that is singled out from the others of its cell.
pub(super) struct PathLevel {
    /// The start of its cell.
    cell: u32,
    vertex: u32,
    /// The mark of the partition before.
    pub(super) mark: usize,
    /// The trace of the refinement after it.
    trace: Vec<u64>,
}

/// Finds the first path: tells vertices apart until all are. Returns `None` if the budget is too
/// small.
pub(super) fn first_path(refiner: &mut Refiner<'_>) -> Option<Vec<PathLevel>> {
    let mut path = Vec::new();
    // The trace of the first refinement is not kept: all right paths begin with its result.
    if refiner.refine_all(&mut Trace::Record(&mut Vec::new())) != Refinement::Done {
        return None;
    }
    let mut from = 0;
    let mut recent: Vec<Vec<u32>> = Vec::new();
    while let Some(cell) = near(refiner, &mut recent).or_else(|| target(refiner, &mut from)) {
        let mark = refiner.partition.mark();
        // The last vertex stays where it is, so that the next vertex of the path is the one before
        // it.
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

/// The smallest cell of several vertices in the lowest tier, among the cells split off at the last
/// level of the path that has any left. So the path goes through one component before the next, and
/// it shows after a few levels if two components can be exchanged, not only after all others.
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

/// The smallest cell of several vertices, among those in the lowest tier that has any. All cells
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
        // No cell of several vertices is smaller than this one.
        if partition.size(start) == 2 {
            break;
        }
    }
    best
}

/// A point of the search where a vertex of the right path is to be chosen.
struct BranchPoint {
    level: usize,
    /// The mark of the partition before.
    mark: usize,
    /// The candidates, the best last.
    candidates: Vec<u32>,
}

struct PathSearch<'a> {
    /// The refiner, whose partition is the right one.
    refiner: Refiner<'a>,
    agreement: Agreement,
    path: Vec<PathLevel>,
    /// The orbits of the automorphisms found that fix the path before the present level.
    orbits: UnionFind,
    /// By level of the path, the known automorphisms that move its vertex and fix those before.
    known: Vec<Vec<&'a VertexMoves>>,
    /// The orbits of all automorphisms that were known or found.
    all_orbits: UnionFind,
    found: Vec<VertexMoves>,
    /// By automorphism found, true if it joined some of `all_orbits`.
    joins: Vec<bool>,
}

impl PathSearch<'_> {
    /// Finds the images that the vertex of `level` can have if those before it are fixed, and
    /// returns the size of its orbit; `None` if the budget is used up.
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
        // The last vertex of the cell is that of the path itself, which needs no search.
        for &image in images.iter().rev() {
            let orbit = self.orbits.find(image);
            // Known automorphisms lead there, or from there to an image that was tried in vain.
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
        // An automorphism that is new for certain is still to become a symmetry of all states.
        self.refiner.steps += if joins {
            self.refiner.structure.size() as u64
        } else {
            moves.len() as u64
        };
        self.found.push(moves);
        self.joins.push(joins);
    }

    /// The automorphisms found that are beyond the group of `known`.
    fn new_ones(
        mut self,
        known: &[VertexMoves],
        path: &[u32],
        order: Option<BigUint>,
        budget: u64,
    ) -> Vec<VertexMoves> {
        // Only the identity fixes the path, so the orbits of its vertices have enough points to
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
    /// there is one; the outer `None` if the budget is used up. The search goes depth first over
    /// all right paths that look like the first one.
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

    /// Lets the vertex of the path at `level` go to `vertex`, and follows the trace of the first
    /// path in the refinement after it.
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

    /// The automorphism that the right partition determines; `None` if it does not determine one.
    fn automorphism(&mut self) -> Option<VertexMoves> {
        let mut moves = self.agreement.candidate(&self.refiner.partition)?;
        // Moves are sorted because lists of them are compared where the automorphism is taken as
        // known.
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
        // Equal traces are only a necessary condition, and a hash: the candidate has to be checked.
        let is_one = keeps_colours && structure.keeps_tuples(&moved, image);
        is_one.then_some(moves)
    }

    /// The vertices that the vertex of `level` may go to: it stays if it can, otherwise it goes to
    /// a vertex that cannot stay.
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
        // Undoing forgets the splits, and the comparison needs the coarser cells: so the ranges are
        // collected before and compared after.
        let ranges = self.new_ranges(mark);
        self.refiner.partition.undo(mark);
        self.compare(&ranges);
    }

    /// Compares the vertices of these ranges again, after the right partition has changed there.
    fn compare(&mut self, ranges: &[(u32, u32)]) {
        for &(start, size) in ranges {
            self.agreement.update(&self.refiner.partition, start, size);
        }
    }

    /// (start, size) of the cells that were split off since `mark`: only vertices in these ranges
    /// are in another cell than before.
    fn new_ranges(&self, mark: usize) -> Vec<(u32, u32)> {
        let partition = &self.refiner.partition;
        let cells = partition.new_cells(mark);
        cells.map(|start| (start, partition.size(start))).collect()
    }
}
