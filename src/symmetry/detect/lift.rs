//! Turns automorphisms of the graph into symmetries of machine and specification, and the other way
//! round.

use std::sync::Arc;

use super::graph::{SymmetryGraph, Vertex};
use super::known::VertexMoves;
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use base::index::{IndexVec, TypedIndex};
use machine::{LeafId, Machine};
use process::event::EventId;

/// The symmetry that an automorphism stands for. States and events that have no vertex, or share
/// one, are mapped in ascending order, so that products of automorphisms become products of
/// symmetries.
pub(super) fn symmetry(
    graph: &SymmetryGraph<'_>,
    identity: &Symmetry,
    moves: &VertexMoves,
) -> Symmetry {
    let mut events: Vec<(EventId, EventId)> = Vec::new();
    let mut specification = identity.specification.to_vec();
    let pbisim = &identity.pbisim;
    let all = (0..pbisim.leaf_count()).map(LeafId::from_usize);
    let mut leaves: IndexVec<LeafId, LeafId> = all.clone().collect();
    // By leaf of which something moves, its states.
    let mut states: IndexVec<LeafId, Option<Vec<u32>>> = all.map(|_| None).collect();
    for &(vertex, image) in moves {
        let [vertex, image] = [vertex, image].map(|v| graph.vertices[v as usize]);
        match (vertex, image) {
            (Vertex::Leaf(leaf), Vertex::Leaf(image)) => leaves[leaf] = image,
            (Vertex::Event(class), Vertex::Event(image)) => {
                let [from, to] = [class, image].map(|c| &graph.classes.events[c.index()]);
                // Classes of one colour have equally many events.
                events.extend(from.iter().copied().zip(to.iter().copied()));
            }
            (Vertex::Specification(from), Vertex::Specification(to)) => {
                specification[from.index()] = to.0;
            }
            (Vertex::State(leaf, from), Vertex::State(_, to)) => {
                let states = &mut states[leaf];
                let states = states.get_or_insert_with(|| pbisim.states(leaf).to_vec());
                states[from as usize] = to;
            }
            _ => {}
        }
    }
    for (leaf, &image) in leaves.iter_enumerated() {
        if leaf != image {
            let states = &mut states[leaf];
            let states = states.get_or_insert_with(|| pbisim.states(leaf).to_vec());
            // Leaves of one orbit have equally many idle states: their other states correspond.
            for (from, to) in idle(graph, leaf).zip(idle(graph, image)) {
                states[from as usize] = to;
            }
        }
    }
    let states = states.iter_enumerated().map(|(leaf, states)| match states {
        Some(states) => Arc::from(&states[..]),
        None => pbisim.states(leaf).clone(),
    });
    Symmetry {
        events: EventPermutation::of_bijection(events),
        pbisim: Pbisim::new(leaves.iter().copied().collect(), states.collect()),
        specification: specification.into(),
    }
}

/// The states of `leaf` that no relation has, ascending.
fn idle(graph: &SymmetryGraph<'_>, leaf: LeafId) -> impl Iterator<Item = u32> {
    let states = (0..).zip(&graph.is_idle[leaf]);
    states
        .filter(|&(_, &is_idle)| is_idle)
        .map(|(state, _)| state)
}

/// The automorphism that `symmetry` stands for; `None` if it is no symmetry, or takes an initial
/// state to another state although the start is fixed.
pub(super) fn vertex_moves(
    graph: &SymmetryGraph<'_>,
    machine: &Machine,
    symmetry: &Symmetry,
) -> Option<VertexMoves> {
    let pbisim = &symmetry.pbisim;
    let mut images = graph.products.images(machine, pbisim);
    let mut image = |vertex: Vertex| -> Option<u32> {
        match vertex {
            Vertex::Leaf(leaf) => graph.number(Vertex::Leaf(pbisim.leaf(leaf))),
            Vertex::State(leaf, state) => {
                let to = pbisim.states(leaf)[state as usize];
                graph.number(Vertex::State(pbisim.leaf(leaf), to))
            }
            Vertex::Specification(state) => {
                graph.number(Vertex::Specification(symmetry.specification(state)))
            }
            Vertex::Event(class) => {
                // The events of one class go to one class, so the image of the first tells that
                // class.
                let event = *graph.classes.events[class.index()].first()?;
                let class = graph.classes.class_of(symmetry.events.apply(event))?;
                graph.number(Vertex::Event(class))
            }
            Vertex::Participant(leaf, relation) => {
                let relation = images.of(leaf, relation)?;
                graph.number(Vertex::Participant(pbisim.leaf(leaf), relation))
            }
            Vertex::Body(body) => {
                let image = images.of_body(&graph.classes.bodies[body])?;
                graph.body(graph.classes.bodies.find(&image)?)
            }
            Vertex::Flag(flag) => graph.number(Vertex::Flag(images.flag(flag)?)),
            Vertex::Step(step) => {
                let pairs = graph.classes.steps[step].iter();
                let image = |&state: &u32| symmetry.specification[state as usize];
                let mut pairs: Vec<(u32, u32)> =
                    pairs.map(|(from, to)| (image(from), image(to))).collect();
                pairs.sort_unstable();
                graph.number(Vertex::Step(graph.classes.steps.find(&pairs)?))
            }
        }
    };
    let colours = graph.structure.colours();
    let mut moves = VertexMoves::new();
    for (number, &vertex) in (0..).zip(&graph.vertices) {
        let image = image(vertex)?;
        if colours[number as usize] != colours[image as usize] {
            return None;
        }
        if image != number {
            moves.push((number, image));
        }
    }
    Some(moves)
}
