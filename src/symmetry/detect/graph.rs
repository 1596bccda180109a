//! Machine and specification as one relational structure whose automorphisms are their symmetries.
//!
//! Its tuples are what [`super::super::verify`] checks and nothing else: the states of each leaf,
//! the relations of the products, the relations that make up a product, the products that make up
//! an event, the products that can block others, and the transitions of the specification. This is
//! the structured-machine form of static channel diagrams and constraint graphs.
//!
//! Left out are parts that can move without anything else: leaves that take part in nothing, leaf
//! states that no relation has (*idle* ones), and the difference between events that do the same.

use rustc_hash::FxHashMap;

use super::classes::{BodyId, ClassId, EventClasses, StepId};
use super::relational::{Colour, NONE, RelationalStructure, Tuple};
use crate::start::Start;
use crate::verify::Verifier;
use crate::verify::product::Products;
use crate::verify::relations::{FlagId, RelationId};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use lts::graph::StateId;
use machine::{LeafId, Machine};

/// The thing that a vertex stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Vertex {
    Leaf(LeafId),
    Event(ClassId),
    /// A leaf with a relation over its states.
    Participant(LeafId, RelationId),
    /// A body of no participant or of several, or one that can be blocked.
    Body(BodyId),
    /// A flag, which can block bodies.
    Flag(FlagId),
    Step(StepId),
    State(LeafId, u32),
    Specification(StateId),
}

/// The kinds of tuples.
mod kind {
    /// (leaf, state)
    pub(super) const STATE: u8 = 0;
    /// (participant, from, to)
    pub(super) const MOVE: u8 = 1;
    /// (body, participant)
    pub(super) const PART: u8 = 2;
    /// (event, participant or body)
    pub(super) const PRODUCT: u8 = 3;
    /// (event, step)
    pub(super) const STEP: u8 = 4;
    /// (step, from, to)
    pub(super) const TRANSITION: u8 = 5;
    /// (flag, participant or body)
    pub(super) const WAY: u8 = 6;
    /// (body, flag)
    pub(super) const BLOCKER: u8 = 7;
}

/// The structure, and the things that its vertices stand for.
pub(super) struct SymmetryGraph<'a> {
    pub(super) structure: RelationalStructure,
    pub(super) vertices: Vec<Vertex>,
    numbers: FxHashMap<Vertex, u32>,
    pub(super) products: &'a Products,
    pub(super) classes: EventClasses,
    /// By leaf and state, true if no relation has the state.
    pub(super) is_idle: IndexVec<LeafId, Vec<bool>>,
}

impl<'a> SymmetryGraph<'a> {
    /// Makes the graph. Takes time and space linear in the rules and in the transitions of leaves
    /// and specification. Returns an error if `token` says that work may not go on.
    pub(super) fn new(
        verifier: &'a Verifier<'_>,
        start: Start,
        token: &Cancellation,
    ) -> Result<Self> {
        let (machine, specification) = (verifier.machine, verifier.specification);
        let products = &verifier.products;
        let classes = EventClasses::new(products, specification);
        let mut builder = GraphBuilder {
            machine,
            products,
            classes: &classes,
            start,
            vertices: Vec::new(),
            colours: Vec::new(),
            numbers: FxHashMap::default(),
            tuples: Vec::new(),
        };
        for body in (0..classes.bodies.len()).map(BodyId::from_usize) {
            let participants = classes.bodies[body].participants.iter();
            let pairs = participants.map(|&(_, relation)| products.pairs(relation).len());
            token.look(1 + pairs.sum::<usize>())?;
            builder.body(body);
        }
        for flag in (0..classes.flags.len()).map(FlagId::from_usize) {
            builder.flag(flag);
        }
        for class in (0..classes.roles.len()).map(ClassId::from_usize) {
            builder.event(class);
        }
        for step in (0..classes.steps.len()).map(StepId::from_usize) {
            token.look(1 + classes.steps[step].len())?;
            builder.step(step);
        }
        for state in specification.lts().states() {
            builder.vertex(Vertex::Specification(state));
        }
        let numbers = builder.numbers;
        let is_idle = |leaf: LeafId| {
            let states = 0..machine.leaves[leaf].state_count();
            let is_idle = |state| !numbers.contains_key(&Vertex::State(leaf, state));
            states.map(is_idle).collect()
        };
        Ok(Self {
            is_idle: machine.leaves.indices().map(is_idle).collect(),
            structure: RelationalStructure::new(builder.colours, builder.tuples, token)?,
            vertices: builder.vertices,
            numbers,
            products,
            classes,
        })
    }

    /// The vertex of a thing, if it has one.
    pub(super) fn number(&self, vertex: Vertex) -> Option<u32> {
        self.numbers.get(&vertex).copied()
    }

    /// The vertex of a body: that of its participant, if the body is one participant.
    pub(super) fn body(&self, body: BodyId) -> Option<u32> {
        self.number(body_vertex(&self.classes, body))
    }
}

fn body_vertex(classes: &EventClasses, body: BodyId) -> Vertex {
    let content = &classes.bodies[body];
    match content.participants[..] {
        // Most bodies are one participant; these need no vertex of their own.
        [(leaf, relation)] if content.blockers.is_empty() => Vertex::Participant(leaf, relation),
        _ => Vertex::Body(body),
    }
}

struct GraphBuilder<'a> {
    machine: &'a Machine,
    products: &'a Products,
    classes: &'a EventClasses,
    start: Start,
    vertices: Vec<Vertex>,
    colours: Vec<Colour>,
    numbers: FxHashMap<Vertex, u32>,
    tuples: Vec<Tuple>,
}

impl GraphBuilder<'_> {
    /// The number of `vertex`. A new vertex is added with all that belongs to it.
    fn vertex(&mut self, vertex: Vertex) -> u32 {
        if let Some(&number) = self.numbers.get(&vertex) {
            return number;
        }
        let number = self.vertices.len() as u32;
        self.vertices.push(vertex);
        self.colours.push(self.colour(vertex));
        // The vertex is numbered before its tuples are made, because they refer to it.
        self.numbers.insert(vertex, number);
        match vertex {
            Vertex::Participant(leaf, relation) => {
                for &(from, to) in self.products.pairs(relation) {
                    let [from, to] = [from, to].map(|s| self.vertex(Vertex::State(leaf, s)));
                    self.relate(kind::MOVE, [number, from, to]);
                }
            }
            Vertex::State(leaf, _) => {
                let leaf = self.vertex(Vertex::Leaf(leaf));
                self.relate(kind::STATE, [leaf, number, NONE]);
            }
            _ => {}
        }
        number
    }

    fn relate(&mut self, kind: u8, vertices: [u32; 3]) {
        self.tuples.push(Tuple { kind, vertices });
    }

    /// The colour of a vertex. Leaves come first, because the rest mostly follows from them.
    fn colour(&self, vertex: Vertex) -> Colour {
        let is_marked = |state: u32| u64::from(self.start == Start::Fixed && state == 0);
        let (tier, kind, number) = match vertex {
            Vertex::Leaf(leaf) => (0, 0, u64::from(self.machine.leaves[leaf].state_count())),
            Vertex::Event(class) => match self.classes.fixed(class) {
                Some(event) => (1, 1, u64::from(event.0)),
                // Classes go to classes with as many events: `lift` pairs off their events one by
                // one.
                None => (1, 2, self.classes.events[class.index()].len() as u64),
            },
            Vertex::Participant(_, relation) => (1, 3, self.products.pairs(relation).len() as u64),
            Vertex::Body(body) => {
                let body = &self.classes.bodies[body];
                // Both counts are put in one number.
                let [blockers, participants] =
                    [body.blockers.len(), body.participants.len()].map(|count| count as u64);
                (1, 4, (blockers << 32) + participants)
            }
            Vertex::Flag(flag) => (1, 8, self.classes.flags[flag.index()].len() as u64),
            Vertex::Step(step) => (1, 5, self.classes.steps[step].len() as u64),
            Vertex::State(_, state) => (2, 6, is_marked(state)),
            Vertex::Specification(state) => (2, 7, is_marked(state.0)),
        };
        Colour { tier, kind, number }
    }

    fn body(&mut self, body: BodyId) {
        let classes = self.classes;
        let number = self.vertex(body_vertex(classes, body));
        if matches!(self.vertices[number as usize], Vertex::Participant(..)) {
            return;
        }
        for &(leaf, relation) in &classes.bodies[body].participants {
            let participant = self.vertex(Vertex::Participant(leaf, relation));
            self.relate(kind::PART, [number, participant, NONE]);
        }
        for &flag in &classes.bodies[body].blockers {
            let flag = self.vertex(Vertex::Flag(flag));
            self.relate(kind::BLOCKER, [number, flag, NONE]);
        }
    }

    fn flag(&mut self, flag: FlagId) {
        let classes = self.classes;
        let number = self.vertex(Vertex::Flag(flag));
        for &way in &classes.flags[flag.index()] {
            let way = self.vertex(body_vertex(classes, way));
            self.relate(kind::WAY, [number, way, NONE]);
        }
    }

    fn event(&mut self, class: ClassId) {
        let classes = self.classes;
        let number = self.vertex(Vertex::Event(class));
        for &body in &classes.roles[class].bodies {
            let body = self.vertex(body_vertex(classes, body));
            self.relate(kind::PRODUCT, [number, body, NONE]);
        }
        let step = self.vertex(Vertex::Step(classes.roles[class].step));
        self.relate(kind::STEP, [number, step, NONE]);
    }

    fn step(&mut self, step: StepId) {
        let number = self.vertex(Vertex::Step(step));
        for &(from, to) in &self.classes.steps[step] {
            let [from, to] = [from, to].map(|s| self.vertex(Vertex::Specification(StateId(s))));
            self.relate(kind::TRANSITION, [number, from, to]);
        }
    }
}
