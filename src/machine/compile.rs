//! From a process to its structured machine.

use super::builder::build;
use super::flatten::{Flat, flatten};
use super::structure::Machine;
use super::tree::{Around, Tree};
use crate::base::threads::Threads;
use crate::diag::Result;
use crate::lts::explore::LeafLimits;
use crate::process::term::{Definitions, TermId};
use crate::process::work::Phase;

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

/// The structured machine of `term`.
pub fn compile(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    let tree = build(definitions, term, options, Around::default())?;
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
    let tree = build(definitions, term, options, around)?;
    assemble(definitions, tree)
}

/// The machine with this tree.
pub(super) fn assemble(definitions: &mut dyn Definitions, tree: Tree) -> Result<Machine> {
    definitions.enter(Phase::Machine, "");
    let Tree { nodes, mut leaves } = tree;
    let token = definitions.cancellation();
    let events = &definitions.terms().events;
    let Flat { rules, gates } = flatten(events, &nodes, &mut leaves, token)?;
    Ok(Machine {
        leaves,
        rules,
        gates,
        nodes,
    })
}
