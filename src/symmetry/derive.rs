//! Turns a proof by the rules into the pbisim of the machine that the proof is about.
//!
//! Section 5.2 of the paper: the rules *can be extended to yield permutation bisimulation
//! relations* on the nodes of the leaves. A proof of `Pσ = P` gives the partner of each operand. So
//! pairs of nodes of the machine's operator tree, one read as P and one as Q, are followed along
//! the proof down to the leaves, where the proof has a bijection of states.

mod equal;

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::pbisim::Pbisim;
use super::proof_rule::ProofRule;
use super::refusal::Why;
use super::rules::Derivation;
use base::index::TypedIndex;
use machine::tree::{Control, NodeId, NodeKind, Stage, TreeNode};
use machine::{LeafId, Machine};
use process::operator::Operator;
use process::term::TermId;

pub use self::equal::equal_operands;

/// The pbisim that `proof`, which `Prover::for_machine` gave for the process of `machine`, carries.
///
/// It is not checked here that leaves and their states go one to one, and that transitions are
/// preserved: [`verify`](super::verify) does that.
pub fn pbisim(machine: &Machine, proof: &Derivation) -> Result<Pbisim, Why> {
    let mut reading = Reading {
        machine,
        images: vec![None; machine.leaves.len()],
        open: vec![(machine.root(), machine.root(), proof)],
    };
    while let Some((left, right, proof)) = reading.open.pop() {
        reading.node(left, right, proof)?;
    }
    let images = machine.leaves.iter().zip(reading.images);
    let images = images.map(|(leaf, image)| {
        image.ok_or_else(|| astray(&leaf.expression, "the proof does not reach it"))
    });
    let (leaves, states) = images.collect::<Result<(Vec<_>, Vec<_>), Why>>()?;
    Ok(Pbisim::new(leaves, states))
}

const OTHER_OPERATOR: &str = "it has another operator than its image";

/// The leaf to which a leaf goes; and by state of the leaf, the state to which that goes.
type LeafImage = (LeafId, Arc<[u32]>);

struct Reading<'a> {
    machine: &'a Machine,
    /// By leaf.
    images: Vec<Option<LeafImage>>,
    /// Pairs of nodes still to be walked, read as P and as Q, with the proof that they correspond.
    open: Vec<(NodeId, NodeId, &'a Derivation)>,
}

impl<'a> Reading<'a> {
    fn node(&mut self, left: NodeId, right: NodeId, proof: &'a Derivation) -> Result<(), Why> {
        let machine = self.machine;
        let (p, q) = (&machine.nodes[left], &machine.nodes[right]);
        if (p.term, q.term) != (proof.left, proof.right) {
            return Err(astray(&p.expression, "the proof is about another process"));
        }
        let proof = unfolded(proof);
        match (&p.kind, &q.kind) {
            (&NodeKind::Leaf(from), &NodeKind::Leaf(to)) => self.leaf(p, from, to, proof),
            (NodeKind::Fixed(operator), NodeKind::Fixed(other)) if operator.is_like(other) => {
                let left = machine.side_by_side(left);
                let right = machine.side_by_side(right);
                self.operands(p, &left, &right, proof)
            }
            (NodeKind::Controlled(from, control), NodeKind::Controlled(to, other)) => {
                self.controlled((p, *from, control), (q, *to, other), proof)
            }
            _ => Err(astray(&p.expression, OTHER_OPERATOR)),
        }
    }

    /// Pairs the operands with their partners.
    fn operands(
        &mut self,
        node: &TreeNode,
        left: &[NodeId],
        right: &[NodeId],
        proof: &'a Derivation,
    ) -> Result<(), Why> {
        let all = proof.partners.len() == left.len() && proof.premises.len() == left.len();
        let exist = proof.partners.iter().all(|&partner| partner < right.len());
        if !all || !exist {
            return Err(astray(
                &node.expression,
                "the proof has another number of operands",
            ));
        }
        for (i, premise) in proof.premises.iter().enumerate() {
            self.open.push((left[i], right[proof.partners[i]], premise));
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        node: &TreeNode,
        from: LeafId,
        to: LeafId,
        proof: &'a Derivation,
    ) -> Result<(), Why> {
        let Some(states) = &proof.states else {
            let what = "the proof does not say where its states go";
            return Err(astray(&node.expression, what));
        };
        self.send(from, to, states.clone());
        Ok(())
    }

    fn controlled(
        &mut self,
        (p, from, control): (&'a TreeNode, LeafId, &'a Control),
        (q, to, other): (&'a TreeNode, LeafId, &'a Control),
        proof: &'a Derivation,
    ) -> Result<(), Why> {
        match (control, other) {
            (Control::Stage(left), Control::Stage(right)) => {
                return self.stage((p, from, left), (q, to, right), proof);
            }
            (Control::Operator(Operator::Choice(_)), Control::Operator(Operator::Choice(_))) => {
                // State 0 is the choice before it is made, state i + 1 that operand i was chosen.
                let resolved = proof.partners.iter().map(|&partner| partner as u32 + 1);
                self.send(from, to, std::iter::once(0).chain(resolved).collect());
            }
            // The operands of the other operators keep their order, and so do the states of their
            // controllers.
            (Control::Operator(operator), Control::Operator(other)) if operator.is_like(other) => {
                self.send(from, to, (0..live_states(self.machine, from)).collect());
            }
            _ => return Err(astray(&p.expression, OTHER_OPERATOR)),
        }
        self.operands(p, &p.operands, &q.operands, proof)
    }

    /// Pairs off the states of two stages, which are terms: the proof gives the partner of each.
    /// Then pairs their operands.
    fn stage(
        &mut self,
        (p, from, left): (&'a TreeNode, LeafId, &'a Stage),
        (q, to, right): (&'a TreeNode, LeafId, &'a Stage),
        proof: &'a Derivation,
    ) -> Result<(), Why> {
        let proofs = stage_proofs(left, proof);
        let numbers: FxHashMap<TermId, u32> = right.states.iter().copied().zip(0..).collect();
        // A state of a stage is the term that is left to do in it, so the proof about the term
        // gives its image.
        let image = |term: &TermId| numbers.get(&proofs.get(term)?.right).copied();
        let images = left.states.iter().map(image);
        let Some(states) = images.collect::<Option<Arc<[u32]>>>() else {
            let what = "what follows one of its events goes to nothing that follows an event";
            return Err(astray(&p.expression, what));
        };
        // The proof has no partners for the operands of the node, because its premises follow the
        // prefixes one by one: each operand is found by its exit.
        for (&exit, &operand) in left.exits.iter().zip(&p.operands) {
            let image = states[exit as usize];
            let Some(partner) = right.exits.iter().position(|&other| other == image) else {
                return Err(astray(&p.expression, "one of its operands goes to none"));
            };
            let proof = proofs[&left.states[exit as usize]];
            self.open.push((operand, q.operands[partner], proof));
        }
        self.send(from, to, states);
        Ok(())
    }

    /// Sends leaf `from` to leaf `to`: the live states as `states` says, and the state of being off
    /// to that of `to`.
    fn send(&mut self, from: LeafId, to: LeafId, states: Arc<[u32]>) {
        // The list is shared where nothing is added: there may be thousands of leaves of one term.
        let states = if self.machine.leaves[from].can_be_off {
            // Being off is the last state of a leaf, which the proof knows nothing of.
            let off = live_states(self.machine, to);
            states.iter().copied().chain([off]).collect()
        } else {
            states
        };
        self.images[from.index()] = Some((to, states));
    }
}

/// By left term, a proof about each prefix and internal choice of a stage and about the terms that
/// they lead to. A term with several images has one of the proofs: if it is the wrong one, the
/// pbisim will not be verified.
fn stage_proofs<'a>(stage: &Stage, proof: &'a Derivation) -> FxHashMap<TermId, &'a Derivation> {
    let exits: FxHashSet<TermId> = stage
        .exits
        .iter()
        .map(|&exit| stage.states[exit as usize])
        .collect();
    let inner: FxHashSet<TermId> = stage
        .states
        .iter()
        .copied()
        .filter(|term| !exits.contains(term))
        .collect();
    let mut proofs: FxHashMap<TermId, &Derivation> = FxHashMap::default();
    let mut open = vec![proof];
    while let Some(proof) = open.pop() {
        if let Entry::Vacant(unknown) = proofs.entry(proof.left) {
            unknown.insert(proof);
            if inner.contains(&proof.left) {
                open.extend(unfolded(proof).premises.iter().map(Arc::as_ref));
            }
        }
    }
    proofs
}

/// The proof about bodies within a proof about names.
fn unfolded(mut proof: &Derivation) -> &Derivation {
    while let (ProofRule::Unfold, [body]) = (proof.rule, proof.premises.as_slice()) {
        proof = body;
    }
    proof
}

/// The number of states of `leaf`, not counting that of being off.
fn live_states(machine: &Machine, leaf: LeafId) -> u32 {
    let leaf = &machine.leaves[leaf];
    leaf.state_count() - u32::from(leaf.can_be_off)
}

fn astray(expression: &str, what: &str) -> Why {
    Why::Machine(format!("`{expression}`: {what}"))
}

#[cfg(test)]
mod tests;
