//! The structured machine itself.

use super::chase::ChaseLoss;
use super::leaf::{Behaviour, Leaf};
use super::packing::Packing;
use super::priority::{Gate, GateId};
use super::rules::Rule;
use super::tree::{NodeId, TreeNode};
use base::define_index;
use base::index::{IndexVec, TypedIndex};
use process::operator::Operator;

define_index! {
    /// A leaf of a [`Machine`]. Leaves are numbered from left to right.
    LeafId,
    /// A synchronisation rule of a [`Machine`].
    RuleId,
}

/// A process as a fixed vector of leaf states and a fixed set of rules that change it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The leaves, from left to right.
    pub leaves: IndexVec<LeafId, Leaf>,
    /// The rules, ascending.
    pub rules: IndexVec<RuleId, Rule>,
    /// The gates of priorities that rules pass.
    pub gates: IndexVec<GateId, Gate>,
    /// The τ below a `chase`, which are followed at once.
    pub(crate) chased: Vec<Rule>,
    /// The mark that following them found no end.
    pub(crate) chase_loss: ChaseLoss,
    /// The operator tree, every node after its operands.
    pub nodes: IndexVec<NodeId, TreeNode>,
}

/// The τ of a machine, compared with the process as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taus {
    /// Equally many.
    Exact,
    /// Other τ, because some parts are compressed. The meaning is equal in all models.
    Free,
}

impl Machine {
    /// The outermost operator.
    pub fn root(&self) -> NodeId {
        NodeId::from_usize(self.nodes.len() - 1)
    }

    /// The operands of `node`, from left to right. A parallel that stands below another over the
    /// same set gives its operands to the upper one.
    pub fn side_by_side(&self, node: NodeId) -> Vec<NodeId> {
        let parallel = self.nodes[node].operator();
        let mut operands = Vec::new();
        // The operand that is pushed last is taken first, so operands stay in their order.
        let mut open: Vec<NodeId> = self.nodes[node].operands.iter().rev().copied().collect();
        while let Some(operand) = open.pop() {
            let inner = &self.nodes[operand];
            match parallel {
                Some(Operator::Parallel(_)) if inner.operator() == parallel => {
                    open.extend(inner.operands.iter().rev());
                }
                _ => operands.push(operand),
            }
        }
        operands
    }

    /// The relation of the machine's τ to those of the process as it is written.
    pub fn taus(&self) -> Taus {
        let is_compressed = |leaf: &Leaf| match &leaf.behaviour {
            Behaviour::Process(graph) => !graph.keeps_taus,
            Behaviour::Controller { .. } => false,
        };
        match self.leaves.iter().any(is_compressed) {
            true => Taus::Free,
            false => Taus::Exact,
        }
    }

    /// True if some τ are followed at once, in the machine or in one that was listed for a leaf.
    pub fn follows_chases(&self) -> bool {
        let follows_chase = |leaf: &Leaf| match &leaf.behaviour {
            Behaviour::Process(graph) => graph.follows_chase,
            Behaviour::Controller { .. } => false,
        };
        !self.chased.is_empty() || self.leaves.iter().any(follows_chase)
    }

    /// True if a chase found no end, so that results about the machine mean nothing.
    pub fn has_lost_a_chase(&self) -> bool {
        self.chase_loss.is_noted()
    }

    /// The packing of states with one more field, the last, that has `beside` different values.
    pub fn packing(&self, beside: u32) -> Packing {
        let counts = self.leaves.iter().map(Leaf::state_count).chain([beside]);
        Packing::new(&counts.collect::<Vec<u32>>())
    }
}
