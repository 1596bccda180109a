//! The operator tree of a process: operators over leaves.

use std::ops::Range;
use std::sync::Arc;

use super::leaf::Leaf;
use super::structure::LeafId;
use base::define_index;
use base::index::IndexVec;
use process::compression::Compression;
use process::event::{EventId, EventSetId};
use process::priority::Priority;
use process::term::{Term, TermId};

define_index! {
    /// A node of the operator tree.
    NodeId,
}

/// One operator of the tree, or a leaf.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The process.
    pub term: TermId,
    /// The process as CSPm text.
    pub expression: String,
    /// The operator that combines the operands.
    pub operator: Operator,
    /// The operands, from left to right.
    pub operands: Vec<NodeId>,
    /// The numbers of the leaves below the node.
    pub leaves: Range<u32>,
    /// The surroundings of the node.
    pub around: Around,
}

/// The operator of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// The node is a leaf and has no operands.
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
    /// `chase` or `chase_nocache`
    Chase(Compression),
    /// An operator whose shape changes as it runs: its controller, and its kind.
    Controlled(LeafId, Control),
}

/// The operators that need a controller.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Prefixes and internal choices in front of the operands.
    Stage(Stage),
    /// `;`
    Sequential,
    /// `[]`, or `[+ A +]` with its set
    Choice(Option<EventSetId>),
    /// `/\`, or `/+ A +\` with its set
    Interrupt(Option<EventSetId>),
    /// `[>`
    SlidingChoice,
    /// `[| A |>`
    Exception(EventSetId),
}

impl Control {
    /// The number of states of a controller for `operands` operands. The rules of each operator, in
    /// `controller.rs`, define their meaning.
    pub(super) fn states(&self, operands: usize) -> u32 {
        let states = match self {
            Control::Stage(stage) => stage.states.len(),
            Control::Sequential | Control::Interrupt(_) | Control::Exception(_) => 2,
            Control::SlidingChoice => 3,
            Control::Choice(_) => operands + 1,
        };
        states as u32
    }
}

/// Prefixes and internal choices up to the operands they lead to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// The rest of the term in each controller state.
    pub states: Vec<TermId>,
    /// The transitions (event, from, to), ascending; the start is state 0.
    pub transitions: Vec<(EventId, u32, u32)>,
    /// The controller state in which each operand is live.
    pub exits: Vec<u32>,
}

impl Stage {
    /// The terms that the stage leads to, in the order of `exits`.
    pub(super) fn operands(&self) -> impl Iterator<Item = TermId> + '_ {
        self.exits.iter().map(|&exit| self.states[exit as usize])
    }
}

/// The tree with its leaves.
#[derive(Default)]
pub(super) struct OperatorTree {
    /// The nodes, every node after its operands.
    pub(super) nodes: IndexVec<NodeId, TreeNode>,
    pub(super) leaves: IndexVec<LeafId, Leaf>,
}

/// The surroundings of a part of a process, as far as they decide how leaves are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Around {
    /// True if some events have priority over others. Then the events that are possible beside a τ
    /// matter, and only strong bisimulation keeps those.
    pub(crate) has_priorities: bool,
    /// True if the environment sees the events that are done after a rest. Then some compressions
    /// that keep failures may not be used.
    pub(crate) is_observed: bool,
}

impl Around {
    /// No operator, in an environment that sees the events that are done after a rest.
    pub(crate) const OBSERVED: Self = Self {
        has_priorities: false,
        is_observed: true,
    };

    /// The surroundings of the operands of `term`, if `self` are those of `term`, which is no call.
    pub fn of_operands(self, term: &Term) -> Self {
        let has_priorities = self.has_priorities || matches!(term, Term::Prioritise(..));
        Self {
            has_priorities,
            ..self
        }
    }
}
