//! Equal operands of one operator: exchanging them is a symmetry that moves no event.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::pbisim::Pbisim;
use base::index::{IndexVec, TypedIndex};
use lts::graph::Lts;
use machine::leaf::{Behaviour, ProcessGraph};
use machine::tree::{Control, NodeId, NodeKind, TreeNode};
use machine::{LeafId, Machine};
use process::event::EventSetId;
use process::operator::Operator;

/// The most entries of all pbisims together. A pbisim has an entry for each leaf, so of thousands
/// of equal operands not all are exchanged.
const MOST_ENTRIES: usize = 1 << 23;

/// Exchanges of equal operands of commutative operators: a name, such as `P and P: operands 1 and 2
/// of SYSTEM`, and the pbisim, which goes with σ = identity. Each operand is exchanged with the
/// next one that is the same process: these exchanges generate all permutations of equal operands.
///
/// Exchanging leaves of one state each moves nothing, unless a controller records which of them is
/// live.
///
/// As in the rules, a parallel below another parallel over the same set gives its operands to the
/// upper one.
pub fn equal_operands(machine: &Machine) -> Vec<(String, Pbisim)> {
    let shapes = Shapes::of(machine);
    let all = machine.leaves.iter();
    let identity = all.map(|leaf| (0..leaf.state_count()).collect());
    let identity: Vec<Arc<[u32]>> = identity.collect();
    let mut found = Vec::new();
    for (id, node) in machine.nodes.iter_enumerated() {
        let operands = match node.operator() {
            Some(Operator::Parallel(_)) if shapes.is_inner[id] => continue,
            Some(Operator::Parallel(_) | Operator::Alphabetised(_) | Operator::Choice(_)) => {
                machine.side_by_side(id)
            }
            _ => continue,
        };
        let moves = |operand: NodeId| {
            let mut leaves = machine.nodes[operand].leaves.clone();
            leaves.any(|leaf| machine.leaves[LeafId(leaf)].state_count() > 1)
        };
        // A controller records which operand is live, so exchanging its operands moves its own
        // states.
        let is_recorded = matches!(node.kind, NodeKind::Controlled(..));
        let mut latest: FxHashMap<(u32, Option<EventSetId>), usize> = FxHashMap::default();
        for (position, &operand) in operands.iter().enumerate() {
            if !is_recorded && !moves(operand) {
                continue;
            }
            // Equal processes with different alphabets synchronise differently: they cannot be
            // exchanged.
            let class = (shapes.shape[operand], alphabet(node, position));
            // Exchanges of neighbours generate all permutations of a class.
            let Some(earlier) = latest.insert(class, position) else {
                continue;
            };
            if found.len() * identity.len() > MOST_ENTRIES {
                return found;
            }
            let pair = [operands[earlier], operand];
            if let Some(pbisim) = exchange(machine, &identity, node, pair, [earlier, position]) {
                let [first, second] = pair.map(|node| &machine.nodes[node].expression);
                let positions = format!("operands {} and {}", earlier + 1, position + 1);
                let whole = &node.expression;
                found.push((
                    format!("{first} and {second}: {positions} of {whole}"),
                    pbisim,
                ));
            }
        }
    }
    found
}

/// The alphabet of an operand, if it has one.
fn alphabet(node: &TreeNode, position: usize) -> Option<EventSetId> {
    match node.operator() {
        Some(Operator::Alphabetised(alphabets)) => Some(alphabets[position]),
        _ => None,
    }
}

/// The pbisim that exchanges the leaves of two operands of `node` one by one, and the states of its
/// controller that record which of the two is live.
fn exchange(
    machine: &Machine,
    identity: &[Arc<[u32]>],
    node: &TreeNode,
    pair: [NodeId; 2],
    positions: [usize; 2],
) -> Option<Pbisim> {
    let mut leaves: Vec<LeafId> = machine.leaves.indices().collect();
    let mut states = identity.to_vec();
    let [first, second] = pair.map(|node| machine.nodes[node].leaves.clone());
    for (one, other) in first.zip(second) {
        let count = |leaf: u32| machine.leaves[LeafId(leaf)].state_count();
        // Shapes do not tell if a leaf can be switched off, which is one more state.
        if count(one) != count(other) {
            return None;
        }
        leaves.swap(one as usize, other as usize);
    }
    if let NodeKind::Controlled(controller, _) = node.kind {
        let mut map = states[controller.index()].to_vec();
        // In state 0 of a choice, nothing is chosen yet.
        map.swap(positions[0] + 1, positions[1] + 1);
        states[controller.index()] = map.into();
    }
    Some(Pbisim::new(leaves, states))
}

/// Numbers for the parts of the tree: equal numbers mean the same process.
struct Shapes {
    /// By node, its shape; nodes of equal shape are equal processes, leaf by leaf.
    shape: IndexVec<NodeId, u32>,
    /// By node, true if it is a parallel that gives its operands to the parallel above it.
    is_inner: IndexVec<NodeId, bool>,
}

impl Shapes {
    fn of(machine: &Machine) -> Self {
        let mut leaf_classes = LeafClasses::default();
        let mut numbers: FxHashMap<(NodeKind, Vec<u32>), u32> = FxHashMap::default();
        let mut shape: IndexVec<NodeId, u32> = IndexVec::new();
        let mut is_inner: IndexVec<NodeId, bool> = IndexVec::new();
        for node in machine.nodes.iter() {
            // Nodes come after their operands, whose shapes are known by now.
            let operands = node.operands.iter().map(|&operand| shape[operand]);
            let key = (
                nameless(machine, &node.kind, &mut leaf_classes),
                operands.collect(),
            );
            // The key has all that determines a process: its operator without names, and the shapes
            // of its operands.
            let fresh = numbers.len() as u32;
            let number = *numbers.entry(key).or_insert(fresh);
            shape.push(number);
            is_inner.push(false);
            if let Some(Operator::Parallel(_)) = node.operator() {
                for &operand in &node.operands {
                    is_inner[operand] = machine.nodes[operand].operator() == node.operator();
                }
            }
        }
        Self { shape, is_inner }
    }
}

/// `kind` without the parts in which equal processes may differ: the numbers of leaves, and the
/// terms of a stage.
fn nameless<'a>(
    machine: &'a Machine,
    kind: &NodeKind,
    leaf_classes: &mut LeafClasses<'a>,
) -> NodeKind {
    let mut nameless = kind.clone();
    match &mut nameless {
        NodeKind::Leaf(leaf) => *leaf = LeafId(leaf_classes.class(machine, *leaf)),
        NodeKind::Controlled(controller, control) => {
            *controller = LeafId(0);
            if let Control::Stage(stage) = control {
                stage.states.clear();
            }
        }
        NodeKind::Fixed(_) => {}
    }
    nameless
}

/// Classes of leaves with the same transition system, state by state.
#[derive(Default)]
struct LeafClasses<'a> {
    /// By address of the graph, the class: leaves of one term share a graph exactly if their
    /// contexts make no difference.
    by_graph: FxHashMap<*const ProcessGraph, u32>,
    /// By numbers of states and transitions, the classes of that size.
    by_size: FxHashMap<(usize, usize), Vec<(u32, &'a Lts)>>,
}

impl<'a> LeafClasses<'a> {
    fn class(&mut self, machine: &'a Machine, leaf: LeafId) -> u32 {
        let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
            // Controllers are leaves of the machine, but belong to inner nodes.
            unreachable!("nodes that are leaves are processes");
        };
        let key = Arc::as_ptr(graph);
        if let Some(&known) = self.by_graph.get(&key) {
            return known;
        }
        let size = (graph.lts.state_count(), graph.lts.transition_count());
        let alike = self.by_size.entry(size).or_default();
        let same = alike.iter().find(|(_, lts)| **lts == graph.lts);
        let class = match same {
            Some(&(class, _)) => class,
            None => {
                // There are at most as many classes as graphs seen so far, so this number is new.
                let fresh = self.by_graph.len() as u32;
                alike.push((fresh, &graph.lts));
                fresh
            }
        };
        self.by_graph.insert(key, class);
        class
    }
}
