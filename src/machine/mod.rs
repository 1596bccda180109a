//! Process terms to structured machines: an operator tree over small explicit leaves, flattened
//! into a fixed set of synchronisation rules.

mod budget;
mod controller;
pub mod expand;
pub mod explicit;
pub(crate) mod graphs;
pub mod leaf;
pub mod packing;
pub mod priority;
pub mod rules;
pub(crate) mod skeleton;
pub mod successors;
pub(crate) mod text;
pub mod tree;

use crate::base::index::{IndexVec, TypedIndex};
use crate::base::threads::Threads;
use crate::define_index;
use crate::diag::Result;
use crate::lts::explore::LeafLimits;
use crate::process::term::{Definitions, TermId};
use crate::process::work::{Pace, Phase, Together};

use self::graphs::Around;
use self::leaf::{Behaviour, Leaf};
use self::packing::Packing;
use self::priority::{Gate, GateId};
use self::rules::{Flat, Rule};
use self::successors::Successors;
use self::tree::{Node, NodeId, Tree};

define_index! {
    /// A leaf of a [`Machine`], numbered from left to right.
    LeafId,
    /// A synchronisation rule of a [`Machine`].
    RuleId,
}

/// What [`compile`] may decide.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// How large a leaf may grow.
    pub limits: LeafLimits,
    /// Whether leaves are minimised by strong bisimulation.
    pub minimise: bool,
    /// What leaves are minimised on; what comes of it is the same for any number.
    pub threads: Threads,
}

/// A process as a fixed vector of leaf states and a fixed set of rules that change it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The leaves, from left to right.
    pub leaves: IndexVec<LeafId, Leaf>,
    /// The rules, ascending.
    pub rules: IndexVec<RuleId, Rule>,
    /// What rules with priorities pass.
    pub gates: IndexVec<GateId, Gate>,
    /// The operator tree, every node after its operands.
    pub nodes: IndexVec<NodeId, Node>,
}

/// The structured machine of `term`.
pub fn compile(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    let tree = tree::build(definitions, term, options, Around::default())?;
    assemble(definitions, tree)
}

/// The same for models in which it counts which events are done after the process was seen at rest: compressions that
/// do not keep that become others that do.
pub fn compile_observed(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    let around = Around {
        is_observed: true,
        ..Around::default()
    };
    let tree = tree::build(definitions, term, options, around)?;
    assemble(definitions, tree)
}

/// The machine with this tree.
fn assemble(definitions: &mut dyn Definitions, tree: Tree) -> Result<Machine> {
    definitions.enter(Phase::Machine, "");
    let Tree { nodes, mut leaves } = tree;
    // The events are asked for meanwhile.
    let steps = Together::new(definitions.watcher());
    let mut proceed = steps.proceed();
    let pace = &mut Pace::new(&mut proceed);
    let events = &definitions.terms().events;
    let Flat { rules, gates } = rules::flatten(events, &nodes, &mut leaves, pace)?;
    Ok(Machine {
        leaves,
        rules,
        gates,
        nodes,
    })
}

/// How many τ a machine does, compared with the process as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taus {
    /// As many.
    Exact,
    /// Fewer or more: parts of it mean the same in all models, but with other τ.
    Free,
}

impl Machine {
    /// The outermost operator.
    pub fn root(&self) -> NodeId {
        NodeId::from_usize(self.nodes.len() - 1)
    }

    /// Whether the machine does as many τ as the process as it is written.
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

    /// How states are packed, with room for one more field of `beside` different values.
    pub fn packing(&self, beside: u32) -> Packing {
        let counts = self.leaves.iter().map(Leaf::state_count).chain([beside]);
        Packing::new(&counts.collect::<Vec<u32>>())
    }

    /// The tables that give the successors of packed states.
    pub fn successors(&self, packing: &Packing) -> Result<Successors> {
        self.successors_while(packing, &mut Pace::new(&mut || Ok(())))
    }

    /// The same as long as it may go on.
    pub fn successors_while(&self, packing: &Packing, pace: &mut Pace<'_>) -> Result<Successors> {
        Successors::new(self, packing, pace)
    }
}

#[cfg(test)]
pub(crate) mod tests;
