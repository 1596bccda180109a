//! Detection on machines of known groups, and the helpers that all its tests share.

mod brute_force;
mod graphs;
mod limits;

use num_bigint::BigUint;
use pretty_assertions::assert_eq;

use super::refine::Refiner;
use super::search::first_path;
use super::*;
use crate::group::Group;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use lts::explore::{LeafLimits, explore};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};

pub(super) const BUDGET: u64 = 1 << 30;

pub(super) const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(200_000));

/// A process by its transitions (from, event, to). Its first state is 0.
pub(super) type Process = Vec<(usize, String, usize)>;

/// A machine with a specification.
pub(super) struct Check {
    pub(super) machine: Machine,
    pub(super) specification: NormalForm,
}

impl Check {
    pub(super) fn new(table: &mut DefinitionTable, system: TermId, specification: TermId) -> Self {
        let machine = compile(table, system, &OPTIONS).unwrap();
        let lts = explore(table, specification, &OPTIONS.limits).unwrap().lts;
        Self {
            machine,
            specification: NormalForm::of(&lts, Model::Traces, 10_000, Cancellation::never())
                .unwrap(),
        }
    }

    /// The processes in parallel, each synchronised on its own events. The specification allows
    /// everything.
    pub(super) fn net(processes: &[Process]) -> Self {
        let mut table = DefinitionTable::new();
        let operands: Vec<TermId> = (0..processes.len())
            .map(|i| define(&mut table, &format!("P{i}"), &processes[i]))
            .collect();
        let alphabets: Vec<Vec<EventId>> =
            processes.iter().map(|p| events(&mut table, p)).collect();
        let terms = table.terms_mut();
        let all = terms.events.intern_set(alphabets.concat());
        let sets = alphabets
            .into_iter()
            .map(|events| terms.events.intern_set(events));
        let sets: Vec<_> = sets.collect();
        let system = terms.alphabetised(sets.into_iter().zip(operands).collect());
        let specification = terms.intern(Term::Run(all));
        Self::new(&mut table, system, specification)
    }

    pub(super) fn verifier(&self) -> Verifier<'_> {
        at_leisure(|token| Verifier::new(&self.machine, &self.specification, token))
    }

    /// The result of detection with no known symmetries, all verified.
    pub(super) fn detect(&self, start: Start) -> Detection {
        self.detect_beyond(start, &[])
    }

    pub(super) fn detect_beyond(&self, start: Start, known: &[Symmetry]) -> Detection {
        let verifier = self.verifier();
        let found = detect(&verifier, start, known, BUDGET);
        assert!(found.is_complete);
        for symmetry in &found.generators {
            at_leisure(|token| verifier.verify(symmetry, token)).unwrap();
            assert!(!symmetry.is_identity());
            assert!(start == Start::Any || symmetry.fixes_initial());
        }
        found
    }

    pub(super) fn group(&self, generators: Vec<Symmetry>) -> Group {
        Group::new(&self.machine, self.specification.point_count(), generators)
    }

    /// The orders of the groups found for [`Start::Any`] and [`Start::Fixed`].
    pub(super) fn orders(&self) -> [BigUint; 2] {
        [Start::Any, Start::Fixed].map(|start| {
            let found = self.detect(start);
            self.group(found.generators).order().clone()
        })
    }
}

/// [`super::detect`], without a time limit.
fn detect(verifier: &Verifier<'_>, start: Start, known: &[Symmetry], budget: u64) -> Detection {
    at_leisure(|token| super::detect(verifier, start, known, budget, token))
}

/// The process with these transitions.
pub(super) fn define(table: &mut DefinitionTable, name: &str, process: &Process) -> TermId {
    let states = process.iter().map(|&(from, _, to)| from.max(to) + 1).max();
    for state in 0..states.unwrap_or(1) {
        let mut branches = Vec::new();
        for (_, event, to) in process.iter().filter(|&&(from, ..)| from == state) {
            let then = table.call(&format!("{name}({to})"));
            branches.push((table.terms_mut().events.intern(event), then));
        }
        let body = table.terms_mut().prefix(branches);
        table.define(&format!("{name}({state})"), body);
    }
    table.call(&format!("{name}(0)"))
}

fn events(table: &mut DefinitionTable, process: &Process) -> Vec<EventId> {
    let events = &mut table.terms_mut().events;
    process
        .iter()
        .map(|(_, event, _)| events.intern(event))
        .collect()
}

/// A process for each vertex of a graph, which does an event of one of its edges with the neighbour
/// and then one of its own. The symmetries are those of the graph.
pub(super) fn neighbours(size: usize, edges: &[(usize, usize)]) -> Check {
    let process = |vertex: usize| {
        let own = edges.iter().filter(|&&(a, b)| a == vertex || b == vertex);
        let mut process: Process = own.map(|(a, b)| (0, format!("edge.{a}.{b}"), 1)).collect();
        process.push((1, format!("done.{vertex}"), 0));
        process
    };
    Check::net(&(0..size).map(process).collect::<Vec<_>>())
}

pub(super) fn hypercube(dimension: usize) -> Vec<(usize, usize)> {
    let corners = 0..1 << dimension;
    let edges = corners.flat_map(|v| (0..dimension).map(move |bit| (v, v ^ (1 << bit))));
    edges.filter(|(a, b)| a < b).collect()
}

/// Stations that pass an item on: each takes it from the station before and gives it to the next.
fn ring(name: &str, size: usize) -> Vec<Process> {
    let station = |i: usize| {
        let [take, give] = [i, (i + 1) % size].map(|i| format!("{name}.{i}"));
        vec![(0, take, 1), (1, give, 0)]
    };
    (0..size).map(station).collect()
}

fn numbers(orders: [u32; 2]) -> [BigUint; 2] {
    orders.map(BigUint::from)
}

#[test]
fn two_processes_as_in_the_readme() {
    let process = |i: usize| vec![(0, format!("a.{i}"), 1), (1, format!("b.{i}"), 0)];
    let check = Check::net(&[process(0), process(1)]);
    let verifier = check.verifier();
    // By start, the numbers of vertices, of cells after the first refinement, and of vertices of
    // the first path.
    let looks = |start: Start| {
        at_leisure(|token| {
            let graph = SymmetryGraph::new(&verifier, start, token)?;
            let mut refiner = Refiner::new(&graph.structure, BUDGET, token);
            let path = first_path(&mut refiner).unwrap();
            refiner.partition.undo(path[0].mark);
            let cells = refiner.partition.cells_from(0).count();
            Ok((graph.structure.size(), cells, path.len()))
        })
    };
    assert_eq!(looks(Start::Any), (16, 6, 3));
    assert_eq!(looks(Start::Fixed).2, 1);
    assert_eq!(check.orders(), numbers([8, 2]));
}

#[test]
fn rings_turn_and_backwards_too_if_they_may_start_elsewhere() {
    for size in 3..9 {
        let mut stations = ring("c", size);
        // The item that one station holds at first goes round one way, the gaps go the other way.
        for (from, _, to) in &mut stations[0] {
            std::mem::swap(from, to);
        }
        let check = Check::net(&stations);
        let order = 2 * size as u32;
        assert_eq!(check.orders(), numbers([order, 1]));
    }
}

#[test]
fn rings_that_all_start_alike_turn_in_any_case() {
    for size in 3..9 {
        let check = Check::net(&fed(ring("c", size)));
        let order = size as u32;
        assert_eq!(check.orders(), numbers([order, order]));
    }
}

/// The stations, each able to take an item from outside, so that the direction matters.
fn fed(mut stations: Vec<Process>) -> Vec<Process> {
    for (at, station) in stations.iter_mut().enumerate() {
        station.push((0, format!("new.{at}"), 1));
    }
    stations
}

#[test]
fn a_ring_that_is_stuck_is_not_worth_turning() {
    // The ring can be turned over only if it may start with all stations full.
    assert_eq!(Check::net(&ring("c", 5)).orders(), numbers([10, 1]));
}

#[test]
fn rings_in_step_turn_together() {
    // Station i of one and station i of the other do an event together while they hold an item.
    let mut stations = fed([ring("c", 5), ring("d", 5)].concat());
    for (at, station) in stations.iter_mut().enumerate() {
        station.push((1, format!("both.{}", at % 5), 1));
    }
    // The two rings can also be exchanged.
    let orders = Check::net(&stations).orders();
    assert_eq!(orders, numbers([10, 10]));
}

#[test]
fn cubes_and_trees_have_the_groups_of_their_graphs() {
    for (dimension, order) in [(2, 8), (3, 48), (4, 384)] {
        let check = neighbours(1 << dimension, &hypercube(dimension));
        assert_eq!(check.orders(), numbers([order, order]));
    }
    // A binary tree of three levels below the root: S2 wr S2 wr S2.
    let edges: Vec<(usize, usize)> = (1..15).map(|child| ((child - 1) / 2, child)).collect();
    assert_eq!(neighbours(15, &edges).orders(), numbers([128, 128]));
}

#[test]
fn equal_operands_are_exchanged_although_no_event_moves() {
    let mut table = DefinitionTable::new();
    let process = define(
        &mut table,
        "P",
        &vec![(0, "a".into(), 1), (1, "b".into(), 0)],
    );
    let system = table.terms_mut().interleave(vec![process; 4]);
    let set = table.terms_mut().events.intern("a");
    let set = table.terms_mut().events.intern_set(vec![set]);
    let specification = table.terms_mut().intern(Term::Run(set));
    let check = Check::new(&mut table, system, specification);
    assert_eq!(check.orders(), numbers([24, 24]));
}

#[test]
fn data_that_one_leaf_holds_is_permuted() {
    let mut buffer = Process::new();
    for value in 1..=5 {
        buffer.push((0, format!("in.{value}"), value));
        buffer.push((value, format!("out.{value}"), 0));
    }
    assert_eq!(Check::net(&[buffer.clone()]).orders(), numbers([120, 120]));
    // One value differs from the others.
    buffer.push((3, "special".into(), 0));
    assert_eq!(Check::net(&[buffer]).orders(), numbers([24, 24]));
}

#[test]
fn the_specification_restricts() {
    let mut table = DefinitionTable::new();
    let process = |i: usize| vec![(0, format!("a.{i}"), 1), (1, format!("b.{i}"), 0)];
    let operands: Vec<TermId> = (0..5)
        .map(|i| define(&mut table, &format!("P{i}"), &process(i)))
        .collect();
    let system = table.terms_mut().interleave(operands);
    // a.0 and a.1 take turns, the others are free.
    let mut turns: Process = vec![(0, "a.0".into(), 1), (1, "a.1".into(), 0)];
    for state in 0..2 {
        turns.extend((2..5).map(|i| (state, format!("a.{i}"), state)));
        turns.extend((0..5).map(|i| (state, format!("b.{i}"), state)));
    }
    let specification = define(&mut table, "TURNS", &turns);
    let check = Check::new(&mut table, system, specification);
    // The values that are free may start with b as well, and a.1 may be first: S2 wr S3 × S2,
    // unless the start is fixed.
    assert_eq!(check.orders(), numbers([96, 6]));
}
