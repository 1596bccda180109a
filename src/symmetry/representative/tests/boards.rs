//! Leaves with any number of states, and groups on them made by hand: rings, hypercubes, products,
//! wreath products.

use std::sync::Arc;

use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use base::index::TypedIndex;
use lts::explore::LeafLimits;
use machine::packing::Packing;
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::Definitions;
use testkit::random::RandomNumbers;

/// Independent leaves beside a specification. Each leaf goes round its states, state v by the event
/// `e.leaf.v`.
pub(crate) struct Board {
    pub(crate) machine: Machine,
    events: Vec<Vec<EventId>>,
    specification: u32,
}

impl Board {
    /// Makes a leaf for each member of `states`, which is its number of states.
    pub(crate) fn new(states: &[u32], specification: u32) -> Self {
        let mut table = DefinitionTable::new();
        let mut leaves = Vec::new();
        let mut events = Vec::new();
        for (leaf, &states) in states.iter().enumerate() {
            let name = |value: u32| format!("P({leaf}, {})", value % states);
            let mut round = Vec::new();
            for value in 0..states {
                let next = table.call(&name(value + 1));
                let terms = table.terms_mut();
                let event = terms.events.intern(&format!("e.{leaf}.{value}"));
                let body = terms.prefix(vec![(event, next)]);
                table.define(&name(value), body);
                round.push(event);
            }
            leaves.push(table.call(&name(0)));
            events.push(round);
        }
        let nothing: EventSetId = table.terms_mut().events.intern_set(Vec::new());
        let system = table.terms_mut().parallel(nothing, leaves);
        let limits = LeafLimits::all(100_000);
        let minimise = true;
        let options = CompileOptions {
            minimise,
            ..CompileOptions::new(limits)
        };
        let machine = compile(&mut table, system, &options).unwrap();
        let counts: Vec<u32> = machine.leaves.iter().map(|l| l.state_count()).collect();
        assert_eq!(counts, states);
        Self {
            machine,
            events,
            specification,
        }
    }

    pub(crate) fn packing(&self) -> Packing {
        self.machine.packing(self.specification)
    }

    /// The symmetry that takes leaf i to `leaves[i]`, its value v to `value(i, v)`, and state s of
    /// the specification to `specification(s)`.
    pub(crate) fn symmetry(
        &self,
        leaves: &[usize],
        value: impl Fn(usize, u32) -> u32,
        specification: impl Fn(u32) -> u32,
    ) -> Symmetry {
        let mut pairs = Vec::new();
        let mut states: Vec<Arc<[u32]>> = Vec::new();
        for (leaf, events) in self.events.iter().enumerate() {
            let map: Arc<[u32]> = (0..events.len() as u32).map(|v| value(leaf, v)).collect();
            let images = map.iter().map(|&v| self.events[leaves[leaf]][v as usize]);
            pairs.extend(events.iter().copied().zip(images));
            states.push(map);
        }
        Symmetry {
            events: EventPermutation::from_pairs(pairs).unwrap(),
            pbisim: Pbisim::new(
                leaves.iter().map(|&to| LeafId::from_usize(to)).collect(),
                states,
            ),
            specification: (0..self.specification).map(specification).collect(),
        }
    }

    /// The symmetry that takes leaf i to `leaves[i]`, and moves nothing else.
    pub(crate) fn exchange(&self, leaves: &[usize]) -> Symmetry {
        self.symmetry(leaves, |_, value| value, |state| state)
    }

    pub(crate) fn group(&self, generators: Vec<Symmetry>) -> Group {
        Group::new(&self.machine, self.specification as usize, generators)
    }

    /// Random states: the first have many equal components, the last hardly any.
    pub(crate) fn states(&self, count: usize, random: &mut RandomNumbers) -> Vec<Vec<u32>> {
        let leaves = self.events.iter().map(|events| events.len() as u32);
        let counts: Vec<u32> = leaves.chain([self.specification]).collect();
        let state = |number: usize| {
            let mut value = |n: u32| {
                let most = 1 + number * n as usize / count;
                random.below(most.min(n as usize)) as u32
            };
            counts.iter().map(|&n| value(n)).collect()
        };
        (0..count).map(state).collect()
    }
}

/// Leaves with the states 0..`own` and, for each leaf, one state that names it; and the symmetry
/// that takes leaf i to `ids[i]` and renames the states that name leaves accordingly. The
/// specification's states are ids too.
pub(crate) struct Holders {
    pub(crate) board: Board,
    own: u32,
}

impl Holders {
    pub(crate) fn new(leaves: usize, own: u32) -> Self {
        let states = vec![own + leaves as u32; leaves];
        Self {
            board: Board::new(&states, leaves as u32),
            own,
        }
    }

    pub(crate) fn symmetry(&self, ids: &[usize]) -> Symmetry {
        let own = self.own;
        let value = |_: usize, v: u32| match v.checked_sub(own) {
            Some(id) => own + ids[id as usize] as u32,
            None => v,
        };
        self.board
            .symmetry(ids, value, |id| ids[id as usize] as u32)
    }

    pub(crate) fn group(&self, generators: &[Vec<usize>]) -> Group {
        let symmetries = generators.iter().map(|ids| self.symmetry(ids));
        self.board.group(symmetries.collect())
    }
}

/// Generators of the symmetries of a hypercube, as permutations of its corners: one reflection, one
/// exchange of dimensions, one rotation of them. The order is 2^d · d!.
pub(crate) fn hypercube(dimensions: usize) -> Vec<Vec<usize>> {
    let corners = 0..1usize << dimensions;
    let exchange = |c: usize| c & !3 | (c & 1) << 1 | c >> 1 & 1;
    let turn = |c: usize| (c << 1 | c >> (dimensions - 1)) & ((1 << dimensions) - 1);
    vec![
        corners.clone().map(|c| c ^ 1).collect(),
        corners.clone().map(exchange).collect(),
        corners.map(turn).collect(),
    ]
}

/// The rotation of a ring, and its reflection.
pub(crate) fn ring(n: usize) -> [Vec<usize>; 2] {
    let rotation = (0..n).map(|i| (i + 1) % n).collect();
    let reflection = (0..n).map(|i| (n - i) % n).collect();
    [rotation, reflection]
}

/// Generators of S_blocks on blocks of `size` points, with S_size inside the first block.
pub(crate) fn wreath(blocks: usize, size: usize) -> Vec<Vec<usize>> {
    let n = blocks * size;
    let inside = |i: usize, to: usize| if i < size { to % size } else { i };
    let swap = |i: usize, unit: usize| match i / unit {
        0 => i + unit,
        1 => i - unit,
        _ => i,
    };
    vec![
        (0..n).map(|i| inside(i, i + 1)).collect(),
        (0..n).map(|i| swap(i, 1)).collect(),
        (0..n).map(|i| swap(i, size)).collect(),
        (0..n).map(|i| (i + size) % n).collect(),
    ]
}
