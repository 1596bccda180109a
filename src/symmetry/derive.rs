//! From a proof by the rules to the pbisim of the machine that it proves something about.
//!
//! Section 5.2 of the paper: the rules *can be extended to yield permutation bisimulation relations* on the nodes
//! of the leaves. A proof of `Pσ = P` says where each operand goes; so the operator tree of the machine is
//! walked twice at once, as P and as Q, along the proof, down to the leaves, where the proof has a bijection of states.

mod equal;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::pbisim::Pbisim;
use super::refusal::Why;
use super::rules::{Proof, Rule};
use crate::base::index::TypedIndex;
use crate::machine::tree::{Control, Node, NodeId, Operator, Stage};
use crate::machine::{LeafId, Machine};
use crate::process::term::TermId;

pub use self::equal::equal_operands;

/// The pbisim that `proof`, which `Prover::for_machine` gave for the process of `machine`, carries.
///
/// It is a permutation of the leaves with a bijection of states for each: that is checked here, and no more. That
/// it preserves the transitions of the machine is for [`verify`](super::verify) to check.
pub fn pbisim(machine: &Machine, proof: &Proof) -> Result<Pbisim, Why> {
    let mut reading = Reading {
        machine,
        images: vec![None; machine.leaves.len()],
        open: vec![(machine.root(), machine.root(), proof)],
    };
    while let Some((left, right, proof)) = reading.open.pop() {
        reading.node(left, right, proof)?;
    }
    bijections(machine, reading.images)
}

/// Where a leaf goes, and by state of it, where that goes.
type Image = (LeafId, Arc<[u32]>);

struct Reading<'a> {
    machine: &'a Machine,
    /// By leaf.
    images: Vec<Option<Image>>,
    /// Nodes of P and Q that correspond, each with the proof of it.
    open: Vec<(NodeId, NodeId, &'a Proof)>,
}

impl<'a> Reading<'a> {
    fn node(&mut self, left: NodeId, right: NodeId, proof: &'a Proof) -> Result<(), Why> {
        let machine = self.machine;
        let (p, q) = (&machine.nodes[left], &machine.nodes[right]);
        if (p.term, q.term) != (proof.left, proof.right) {
            return Err(astray(p, "the proof is about another process"));
        }
        let proof = unfolded(proof);
        match (&p.operator, &q.operator) {
            (&Operator::Leaf(from), &Operator::Leaf(to)) => self.leaf(p, from, to, proof),
            (Operator::Parallel(_), Operator::Parallel(_)) => {
                let left = side_by_side(machine, left);
                let right = side_by_side(machine, right);
                self.operands(p, &left, &right, proof)
            }
            (Operator::Controlled(from, control), Operator::Controlled(to, other)) => {
                self.controlled((p, *from, control), (q, *to, other), proof)
            }
            (Operator::Alphabetised(_), Operator::Alphabetised(_))
            | (Operator::Linked(_), Operator::Linked(_))
            | (Operator::Hide(_), Operator::Hide(_))
            | (Operator::Project(_), Operator::Project(_))
            | (Operator::Rename(_), Operator::Rename(_))
            | (Operator::Prioritise(_), Operator::Prioritise(_)) => {
                self.operands(p, &p.operands, &q.operands, proof)
            }
            _ => Err(astray(p, "it has another operator than its image")),
        }
    }

    /// Operands go to their partners.
    fn operands(
        &mut self,
        node: &Node,
        left: &[NodeId],
        right: &[NodeId],
        proof: &'a Proof,
    ) -> Result<(), Why> {
        let all = proof.partners.len() == left.len() && proof.premises.len() == left.len();
        let exist = proof.partners.iter().all(|&partner| partner < right.len());
        if !all || !exist {
            return Err(astray(node, "the proof has another number of operands"));
        }
        for (i, premise) in proof.premises.iter().enumerate() {
            self.open.push((left[i], right[proof.partners[i]], premise));
        }
        Ok(())
    }

    fn leaf(&mut self, node: &Node, from: LeafId, to: LeafId, proof: &'a Proof) -> Result<(), Why> {
        match &proof.states {
            Some(states) if proof.rule == Rule::Operational => {
                self.send(node, from, to, states.clone())
            }
            _ => Err(astray(node, "the proof does not say where its states go")),
        }
    }

    fn controlled(
        &mut self,
        (p, from, control): (&'a Node, LeafId, &'a Control),
        (q, to, other): (&'a Node, LeafId, &'a Control),
        proof: &'a Proof,
    ) -> Result<(), Why> {
        match (control, other) {
            (Control::Stage(left), Control::Stage(right)) => {
                return self.stage((p, from, left), (q, to, right), proof);
            }
            (Control::ExternalChoice, Control::ExternalChoice)
            | (Control::SynchronisingChoice(_), Control::SynchronisingChoice(_)) => {
                let resolved = proof.partners.iter().map(|&partner| partner as u32 + 1);
                let states = std::iter::once(0).chain(resolved).collect();
                self.send(p, from, to, states)?;
            }
            _ if std::mem::discriminant(control) == std::mem::discriminant(other) => {
                let states = 0..live_states(self.machine, from);
                self.send(p, from, to, states.collect())?;
            }
            _ => return Err(astray(p, "it has another operator than its image")),
        }
        self.operands(p, &p.operands, &q.operands, proof)
    }

    /// The states of a stage are terms, and the proof says which goes to which.
    fn stage(
        &mut self,
        (p, from, left): (&'a Node, LeafId, &'a Stage),
        (q, to, right): (&'a Node, LeafId, &'a Stage),
        proof: &'a Proof,
    ) -> Result<(), Why> {
        let pairs = stage_pairs(left, proof);
        let numbers = |stage: &'a Stage| -> FxHashMap<TermId, u32> {
            stage.states.iter().copied().zip(0..).collect()
        };
        let right_numbers = numbers(right);
        let mut states = Vec::with_capacity(left.states.len());
        for (number, term) in left.states.iter().enumerate() {
            let pair = pairs.get(term).and_then(|images| match images.as_slice() {
                [image] => Some((*right_numbers.get(&image.right)?, *image)),
                _ => None,
            });
            let Some((image, proof)) = pair else {
                return Err(astray(
                    p,
                    "what follows one of its events goes to several things",
                ));
            };
            states.push(image);
            if let Some(operand) = left.exits.iter().position(|&exit| exit as usize == number) {
                let Some(partner) = right.exits.iter().position(|&exit| exit == image) else {
                    return Err(astray(p, "one of its operands goes to none"));
                };
                let operands = (p.operands[operand], q.operands[partner]);
                self.open.push((operands.0, operands.1, proof));
            }
        }
        self.send(p, from, to, states.into())
    }

    /// `from` goes to `to`, its live states as `states` says, and being off to being off.
    fn send(
        &mut self,
        node: &Node,
        from: LeafId,
        to: LeafId,
        states: Arc<[u32]>,
    ) -> Result<(), Why> {
        let live = live_states(self.machine, from);
        let count = self.machine.leaves[from].state_count();
        let alike =
            live == live_states(self.machine, to) && count == self.machine.leaves[to].state_count();
        if !alike || states.len() != live as usize {
            return Err(astray(node, "it has other states than its image"));
        }
        let states = if count > live {
            states.iter().copied().chain([live]).collect()
        } else {
            states
        };
        let image = &mut self.images[from.index()];
        if image.replace((to, states)).is_some() {
            return Err(astray(node, "it goes to two places"));
        }
        Ok(())
    }
}

/// The proofs of the prefixes and internal choices of a stage and of what they lead to, by their left terms;
/// equal proofs of one term once.
fn stage_pairs<'a>(stage: &Stage, proof: &'a Proof) -> FxHashMap<TermId, Vec<&'a Proof>> {
    let is_exit: FxHashMap<TermId, bool> = stage
        .states
        .iter()
        .enumerate()
        .map(|(number, &term)| (term, stage.exits.contains(&(number as u32))))
        .collect();
    let mut pairs: FxHashMap<TermId, Vec<&Proof>> = FxHashMap::default();
    let mut open = vec![proof];
    while let Some(proof) = open.pop() {
        let known = pairs.entry(proof.left).or_default();
        if known.iter().any(|other| other.right == proof.right) {
            continue;
        }
        known.push(proof);
        if is_exit.get(&proof.left) == Some(&false) {
            open.extend(unfolded(proof).premises.iter().map(Arc::as_ref));
        }
    }
    pairs
}

/// The proof about bodies that one about names consists of.
fn unfolded(mut proof: &Proof) -> &Proof {
    while let (Rule::Unfold, [body]) = (proof.rule, proof.premises.as_slice()) {
        proof = body;
    }
    proof
}

/// The operands of a parallel and of those operands that are parallels over the same set: as the rule counts them.
fn side_by_side(machine: &Machine, parallel: NodeId) -> Vec<NodeId> {
    let set_of = |node: NodeId| match &machine.nodes[node].operator {
        Operator::Parallel(set) => Some(*set),
        _ => None,
    };
    let set = set_of(parallel);
    let mut operands = Vec::new();
    let mut open = vec![parallel];
    while let Some(node) = open.pop() {
        if set_of(node) == set {
            open.extend(machine.nodes[node].operands.iter().rev());
        } else {
            operands.push(node);
        }
    }
    operands
}

/// How many states `leaf` has, without being off.
fn live_states(machine: &Machine, leaf: LeafId) -> u32 {
    let leaf = &machine.leaves[leaf];
    leaf.state_count() - u32::from(leaf.can_be_off)
}

fn astray(node: &Node, what: &str) -> Why {
    Why::Machine(format!("`{}`: {what}", node.expression))
}

/// The images as a pbisim, if they are bijections.
fn bijections(machine: &Machine, images: Vec<Option<Image>>) -> Result<Pbisim, Why> {
    let mut leaves = Vec::with_capacity(images.len());
    let mut states = Vec::with_capacity(images.len());
    let mut reached = vec![false; images.len()];
    for (leaf, image) in machine.leaves.iter_enumerated().zip(images) {
        let broken = |what: &str| {
            let text = format!("`{}`: {what}", leaf.1.expression);
            Err(Why::Machine(text))
        };
        let Some((to, map)) = image else {
            return broken("the proof does not reach it");
        };
        if std::mem::replace(&mut reached[to.index()], true) {
            return broken("something else goes to the same place");
        }
        let mut targets = vec![false; map.len()];
        for &state in map.iter() {
            match targets.get_mut(state as usize) {
                Some(target) if !*target => *target = true,
                _ => return broken("its states do not go to all states of its image"),
            }
        }
        leaves.push(to);
        states.push(map);
    }
    Ok(Pbisim::new(leaves, states))
}

#[cfg(test)]
mod tests;
