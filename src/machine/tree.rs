//! The operator tree of a process: operators over leaves.

use std::ops::Range;

use super::leaf::Leaf;
use super::structure::LeafId;
use base::define_index;
use base::index::IndexVec;
use process::event::EventId;
use process::operator::Operator;
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
    /// The kind of the node.
    pub kind: NodeKind,
    /// The operands, from left to right.
    pub operands: Vec<NodeId>,
    /// The numbers of the leaves below the node.
    pub leaves: Range<u32>,
    /// The surroundings of the node.
    pub around: Around,
}

impl TreeNode {
    /// The operator of terms at this node, if there is one.
    pub fn operator(&self) -> Option<&Operator> {
        match &self.kind {
            NodeKind::Fixed(operator) | NodeKind::Controlled(_, Control::Operator(operator)) => {
                Some(operator)
            }
            NodeKind::Leaf(_) | NodeKind::Controlled(_, Control::Stage(_)) => None,
        }
    }
}

/// The kind of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// The node is a leaf and has no operands.
    Leaf(LeafId),
    /// An operator that stays as it is while its operands run. Of compressions only `chase` and
    /// `chase_nocache` are inner nodes.
    Fixed(Operator),
    /// An operator whose shape changes as it runs: its controller, and the kind of control.
    Controlled(LeafId, Control),
}

/// The part of a process that a controller records.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Prefixes and internal choices in front of the operands.
    Stage(Stage),
    /// An operator that is not fixed.
    Operator(Operator),
}

impl Control {
    /// The number of states of a controller for `operands` operands. The rules of each operator, in
    /// `controller.rs`, define their meaning.
    pub(super) fn states(&self, operands: usize) -> u32 {
        let states = match self {
            Control::Stage(stage) => stage.states.len(),
            Control::Operator(Operator::Choice(_)) => operands + 1,
            Control::Operator(Operator::SlidingChoice) => 3,
            Control::Operator(_) => 2,
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

    /// The surroundings of the operands of `term`, which is no call and stands in the surroundings
    /// `self`.
    pub fn of_operands(self, term: &Term) -> Self {
        let has_priorities =
            self.has_priorities || matches!(term, Term::Over(Operator::Prioritise(_), _));
        Self {
            has_priorities,
            ..self
        }
    }
}
