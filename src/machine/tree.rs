//! The operator tree of a process: operators over leaves.

use std::ops::Range;
use std::sync::Arc;

use super::leaf::Leaf;
use super::structure::LeafId;
use crate::base::index::IndexVec;
use crate::define_index;
use crate::process::event::{EventId, EventSetId};
use crate::process::priority::Priority;
use crate::process::term::{Term, TermId};

define_index! {
    /// A node of the operator tree.
    NodeId,
}

/// One operator of the tree, or a leaf.
#[derive(Clone, Debug)]
pub struct Node {
    /// The process.
    pub term: TermId,
    /// The process as CSPm text.
    pub expression: String,
    /// What it does with its operands.
    pub operator: Operator,
    /// Its operands, from left to right.
    pub operands: Vec<NodeId>,
    /// The leaves below it: these numbers.
    pub leaves: Range<u32>,
    /// What stands above it.
    pub(crate) around: Around,
}

/// What an inner node does with its operands.
#[derive(Clone, Debug)]
pub enum Operator {
    /// Nothing: it is a leaf.
    Leaf(LeafId),
    /// `[| A |]`
    Parallel(EventSetId),
    /// `||`, with the alphabet of each operand.
    Alphabetised(Vec<EventSetId>),
    /// Linked parallel, with its ties.
    Linked(Arc<[(EventId, EventId)]>),
    /// `\ A`
    Hide(EventSetId),
    /// `|\ A`
    Project(EventSetId),
    /// `[[from <- to]]`
    Rename(Arc<[(EventId, EventId)]>),
    /// `prioritise`
    Prioritise(Arc<Priority>),
    /// An operator whose shape changes as it runs, with its controller.
    Controlled(LeafId, Control),
}

/// The operators that need a controller.
#[derive(Clone, Debug)]
pub enum Control {
    /// Prefixes and internal choices in front of the operands.
    Stage(Stage),
    /// `;`
    Sequential,
    /// `[]`
    ExternalChoice,
    /// `/\`
    Interrupt,
    /// `[>`
    SlidingChoice,
    /// `[| A |>`
    Exception(EventSetId),
    /// `[+ A +]`
    SynchronisingChoice(EventSetId),
    /// `/+ A +\`
    SynchronisingInterrupt(EventSetId),
}

/// Prefixes and internal choices up to the operands they lead to.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What is left to do in each controller state.
    pub states: Vec<TermId>,
    /// (event, from, to), ascending; 0 is the start.
    pub transitions: Vec<(EventId, u32, u32)>,
    /// The controller state in which each operand is live.
    pub exits: Vec<u32>,
}

/// The tree with its leaves.
#[derive(Default)]
pub(super) struct Tree {
    /// Every node after its operands.
    pub(super) nodes: IndexVec<NodeId, Node>,
    pub(super) leaves: IndexVec<LeafId, Leaf>,
}

/// What stands above a part of a process, in as far as it decides how leaves are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Around {
    /// Whether some events have priority over others: then what is possible beside τ matters, and only strong
    /// bisimulation keeps that.
    pub(crate) has_priorities: bool,
    /// Whether it counts which events are done after the process was seen at rest: then not all that keeps failures will do.
    pub(crate) is_observed: bool,
}

impl Around {
    /// What stands above the operands of `term`, which is no call, and which this stands above.
    pub(crate) fn of_operands(self, term: &Term) -> Self {
        let has_priorities = self.has_priorities || matches!(term, Term::Prioritise(..));
        Self {
            has_priorities,
            ..self
        }
    }
}
