//! Environments: chains of frames whose slots are evaluated when needed, and the positions in lists
//! of statements that make them. `types::resolved` says which constructs push a frame.

use std::cell::RefCell;
use std::rc::Rc;

use super::sequence::Sequence;
use super::value::{Lazy, Value};
use syntax::ast::DeclarationId;

/// One frame and those around it.
pub struct Frame {
    slots: RefCell<Vec<Slot>>,
    parent: Option<Rc<Frame>>,
}

/// The content of a slot. Definitions are kept as such, not as closures over their own frame, so
/// that a frame whose definitions are not used is freed.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Empty,
    Lazy(Lazy),
    /// A definition of this frame, not evaluated yet.
    Definition(DeclarationId),
    /// A constant that is being evaluated. If it is needed now, it depends on itself.
    Running(DeclarationId),
}

impl Frame {
    /// A frame of `size` empty slots inside `parent`.
    pub(super) fn new(size: u32, parent: Option<&Rc<Frame>>) -> Rc<Self> {
        Rc::new(Self {
            slots: RefCell::new(vec![Slot::Empty; size as usize]),
            parent: parent.cloned(),
        })
    }

    /// A frame that binds these parts in order.
    pub(super) fn binding(slots: Vec<Lazy>, parent: &Rc<Frame>) -> Rc<Self> {
        Rc::new(Self {
            slots: RefCell::new(slots.into_iter().map(Slot::Lazy).collect()),
            parent: Some(Rc::clone(parent)),
        })
    }

    /// The frame `up` steps outwards.
    pub(super) fn ancestor(self: &Rc<Self>, up: u32) -> &Rc<Frame> {
        let mut frame = self;
        for _ in 0..up {
            frame = frame
                .parent
                .as_ref()
                .expect("places lie within the chain of frames");
        }
        frame
    }

    /// The number of slots in the frame.
    pub(super) fn size(&self) -> u32 {
        self.slots.borrow().len() as u32
    }

    pub(super) fn get(&self, slot: u32) -> Slot {
        self.slots.borrow()[slot as usize].clone()
    }

    pub(super) fn set(&self, slot: u32, content: Slot) {
        self.slots.borrow_mut()[slot as usize] = content;
    }

    pub(super) fn set_value(&self, slot: u32, value: Value) {
        self.set(slot, Slot::Lazy(Lazy::Value(value)));
    }
}

/// Frames may be cyclic and large: only their size is worth printing.
impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<frame of {}>", self.slots.borrow().len())
    }
}

/// The kind of collection that generators draw from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GeneratorKind {
    Sets,
    Sequences,
}

/// A position in a list of statements, among the environments in which all its predicates hold; the
/// last generator is the fastest. A lazy sequence can keep it in its tail.
#[derive(Clone)]
pub(super) struct Statements {
    pub(super) source: GeneratorKind,
    /// The open generators: the index of the statement, the values left to draw, and the
    /// environment around it.
    pub(super) open: Vec<(usize, Undrawn, Rc<Frame>)>,
    /// The environment to begin in; set before the first step only.
    pub(super) start: Option<Rc<Frame>>,
}

/// The values that a generator has not drawn yet.
#[derive(Clone)]
pub(super) enum Undrawn {
    Members(Rc<[Value]>, usize),
    Items(Sequence),
}

impl Statements {
    /// The position before the first step.
    pub(super) fn new(source: GeneratorKind, environment: &Rc<Frame>) -> Self {
        Self {
            source,
            open: Vec::new(),
            start: Some(Rc::clone(environment)),
        }
    }
}
