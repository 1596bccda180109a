//! Equitable refinement: vertices of one cell are told apart by the numbers of tuples that lead
//! from them to each cell.
//!
//! It uses Paige and Tarjan's worklist with Hopcroft's choice of the smaller parts, for tuples of
//! three. All decisions depend on positions of cells and on counts, never on the names of vertices:
//! isomorphic partitions are refined alike.

use std::collections::VecDeque;

use base::cancel::Cancellation;
use base::diag::Diagnostic;
use base::mix::mix;

use super::partition::VertexPartition;
use super::relational::{NONE, RelationalStructure, Tuple};

/// The way a refinement ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refinement {
    /// Nothing more can be told apart.
    Done,
    /// It differs from the trace that it was to follow.
    Differs,
    /// The budget is used up.
    OutOfBudget,
}

/// A trace of a refinement, one number for each step.
pub(super) enum Trace<'a> {
    /// A trace to be recorded, for others to follow.
    Record(&'a mut Vec<u64>),
    /// A trace to be followed: the refinement stops where it differs.
    Follow(&'a [u64]),
}

impl Trace<'_> {
    /// True if the refinement may go on.
    fn accepts(&mut self, number: u64) -> bool {
        match self {
            Self::Record(numbers) => numbers.push(number),
            Self::Follow([first, rest @ ..]) if *first == number => *self = Self::Follow(rest),
            Self::Follow(_) => return false,
        }
        true
    }

    fn is_at_end(&self) -> bool {
        matches!(self, Self::Record(_) | Self::Follow([]))
    }
}

/// The number of steps within a cell after which the refinement asks if it may go on.
const OFTEN: u64 = 4096;

/// A partition of the vertices of a structure, with the data that refining it needs.
pub(super) struct Refiner<'a> {
    pub(super) structure: &'a RelationalStructure,
    pub(super) partition: VertexPartition,
    /// The number of places in tuples that were looked at so far.
    pub(super) steps: u64,
    /// The most steps.
    budget: u64,
    /// The token that decides if work may go on; it has been told of the first `told` steps.
    token: &'a Cancellation,
    told: u64,
    /// The error of the token, once there is one: then the refinement ends whatever the budget is.
    pub(super) stopped: Option<Box<Diagnostic>>,
    /// Cells by which vertices are still to be told apart, each by its start.
    queue: VecDeque<u32>,
    /// By position, true if the cell that starts there is in the queue.
    is_queued: Vec<bool>,
    /// By vertex, a sum over its tuples that have a vertex in the present cell of the queue.
    keys: Vec<u64>,
    /// By vertex, true if there is such a tuple.
    is_touched: Vec<bool>,
    touched: Vec<u32>,
    /// By start of a cell, the number of its vertices that are touched; they are its last ones.
    touched_in: Vec<u32>,
    /// Scratch, empty between uses: the cells with touched vertices, and the parts of one such
    /// cell.
    cells: Vec<u32>,
    parts: Vec<u32>,
}

impl<'a> Refiner<'a> {
    pub(super) fn new(
        structure: &'a RelationalStructure,
        budget: u64,
        token: &'a Cancellation,
    ) -> Self {
        let size = structure.size();
        Self {
            structure,
            partition: VertexPartition::by_colour(structure.colours()),
            steps: 0,
            budget,
            token,
            told: 0,
            stopped: None,
            queue: VecDeque::new(),
            is_queued: vec![false; size],
            keys: vec![0; size],
            is_touched: vec![false; size],
            touched: Vec::new(),
            touched_in: vec![0; size],
            cells: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// True if no more steps may be taken.
    pub(super) fn is_out_of_budget(&mut self) -> bool {
        self.is_stopped() || self.steps >= self.budget
    }

    fn is_stopped(&mut self) -> bool {
        let steps = self.steps - std::mem::replace(&mut self.told, self.steps);
        if self.stopped.is_none() {
            self.stopped = self.token.look(steps as usize).err();
        }
        self.stopped.is_some()
    }

    /// Tells the vertices apart by all cells of the present partition.
    pub(super) fn refine_all(&mut self, trace: &mut Trace<'_>) -> Refinement {
        self.queue = self.partition.cells_from(0).collect();
        for &start in &self.queue {
            self.is_queued[start as usize] = true;
        }
        self.refine(trace)
    }

    /// Makes `vertex` a cell of its own in a partition that was refined, and refines it again.
    pub(super) fn individualise(&mut self, vertex: u32, trace: &mut Trace<'_>) -> Refinement {
        // It is enough to refine by the new cell: vertices have been told apart by the whole old
        // cell, so the rest of it decides nothing more.
        let cell = self.partition.individualise(vertex);
        self.enqueue(cell);
        self.refine(trace)
    }

    fn refine(&mut self, trace: &mut Trace<'_>) -> Refinement {
        let mut outcome = Refinement::Done;
        while let Some(cell) = self.queue.pop_front() {
            self.is_queued[cell as usize] = false;
            if self.is_out_of_budget() {
                outcome = Refinement::OutOfBudget;
                break;
            }
            self.touch(cell);
            let number = self.split_touched();
            if !trace.accepts(mix(number ^ u64::from(cell))) {
                outcome = Refinement::Differs;
                break;
            }
        }
        // A refinement that ended early leaves cells behind, which the next refinement must not
        // find.
        while let Some(cell) = self.queue.pop_front() {
            self.is_queued[cell as usize] = false;
        }
        if outcome == Refinement::Done && !trace.is_at_end() {
            outcome = Refinement::Differs;
        }
        outcome
    }

    fn enqueue(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.is_queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    /// Adds to the keys of the vertices that share a tuple with a vertex in `cell`.
    fn touch(&mut self, cell: u32) {
        let structure = self.structure;
        for at in cell..cell + self.partition.size(cell) {
            let vertex = self.partition.elements()[at as usize];
            self.steps += 1 + structure.degree(vertex);
            if self.steps - self.told > OFTEN && self.is_stopped() {
                return;
            }
            for (tuple, place) in structure.incidences(vertex) {
                for (other_place, &other) in (0..).zip(&tuple.vertices) {
                    if other_place == place || other == NONE {
                        continue;
                    }
                    let key = key(&self.partition, tuple, other_place, place);
                    let sum = &mut self.keys[other as usize];
                    *sum = sum.wrapping_add(key);
                    if !std::mem::replace(&mut self.is_touched[other as usize], true) {
                        self.touched.push(other);
                    }
                }
            }
        }
    }

    /// Splits each cell by the keys of its vertices. The number returned describes the splits and
    /// does not depend on the names of vertices.
    fn split_touched(&mut self) -> u64 {
        let mut number = 0_u64;
        let mut cells = std::mem::take(&mut self.cells);
        let touched = std::mem::take(&mut self.touched);
        for &vertex in &touched {
            let start = self.partition.cell_of(vertex);
            let size = self.partition.size(start);
            // A cell of one vertex cannot split, but its key belongs to the trace.
            if size == 1 {
                number = number.wrapping_add(part_number(start, 1, self.keys[vertex as usize]));
                continue;
            }
            let count = &mut self.touched_in[start as usize];
            if *count == 0 {
                cells.push(start);
            }
            *count += 1;
            self.partition.move_to(vertex, start + size - *count);
        }
        // The order in which cells were touched depends on the names of vertices; their positions
        // do not.
        cells.sort_unstable();
        for start in cells.drain(..) {
            number = number.wrapping_add(self.split_cell(start));
        }
        self.cells = cells;
        for &vertex in &touched {
            self.keys[vertex as usize] = 0;
            self.is_touched[vertex as usize] = false;
        }
        self.touched = touched;
        self.touched.clear();
        number
    }

    /// Splits a cell whose last vertices are touched: the others stay in front, then come the
    /// touched ones in ascending order of their keys.
    fn split_cell(&mut self, start: u32) -> u64 {
        let end = start + self.partition.size(start);
        let first = end - std::mem::take(&mut self.touched_in[start as usize]);
        let keys = &self.keys;
        let key = |vertex: u32| keys[vertex as usize];
        let last = &self.partition.elements()[first as usize..end as usize];
        if !last.is_sorted_by_key(|&vertex| key(vertex)) {
            self.partition.sort(first, end, key);
        }
        let mut number = 0_u64;
        let mut parts = std::mem::take(&mut self.parts);
        if first > start {
            parts.push(start);
        }
        let mut at = first;
        let last = &self.partition.elements()[first as usize..end as usize];
        for part in last.chunk_by(|&a, &b| keys[a as usize] == keys[b as usize]) {
            let size = part.len() as u32;
            number = number.wrapping_add(part_number(at, size, keys[part[0] as usize]));
            parts.push(at);
            at += size;
        }
        // The last part is split off first, so that each vertex changes its cell once.
        for &part in parts[1..].iter().rev() {
            self.partition.split(start, part);
        }
        if parts.len() > 1 {
            self.enqueue_parts(&parts);
        }
        parts.clear();
        self.parts = parts;
        number
    }

    /// Queues the parts of a cell. The largest is left out if the whole cell is not in the queue:
    /// vertices have been told apart by the whole cell before, so the other parts decide the rest
    /// (Hopcroft's choice).
    fn enqueue_parts(&mut self, parts: &[u32]) {
        let size = |&&part: &&u32| (self.partition.size(part), std::cmp::Reverse(part));
        let largest = parts.iter().max_by_key(size).copied();
        let spared = largest.filter(|_| !self.is_queued[parts[0] as usize]);
        for &part in parts.iter().filter(|&&part| Some(part) != spared) {
            self.enqueue(part);
        }
    }
}

/// The number that a vertex at `place` of a tuple adds to its key for the vertex at `through`.
fn key(partition: &VertexPartition, tuple: &Tuple, place: u8, through: u8) -> u64 {
    let cell = |place: u8| match tuple.vertices[usize::from(place)] {
        NONE => NONE,
        vertex => partition.cell_of(vertex),
    };
    let kinds = u64::from(tuple.kind) << 8 | u64::from(place) << 4 | u64::from(through);
    let third = 3 - place - through;
    mix(mix(kinds) ^ (u64::from(cell(through)) << 32 | u64::from(cell(third))))
}

fn part_number(start: u32, size: u32, key: u64) -> u64 {
    mix(mix(key) ^ (u64::from(start) << 32 | u64::from(size)))
}
