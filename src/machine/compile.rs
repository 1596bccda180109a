//! From a process to its structured machine.

use super::builder::ProcessTreeBuilder;
use super::flatten::{Flat, flatten};
use super::structure::Machine;
use super::text;
use super::tree::{Around, OperatorTree};
use crate::base::threads::Threads;
use crate::cancel::Phase;
use crate::diag::Result;
use crate::lts::explore::LeafLimits;
use crate::process::term::{Definitions, TermId};

/// What [`compile`] may decide.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// How large a leaf may grow.
    pub limits: LeafLimits,
    /// Whether leaves are minimised by strong bisimulation.
    pub minimise: bool,
    /// The threads on which leaves are minimised; the machine is the same for any number of them.
    pub threads: Threads,
}

/// The structured machine of `term`.
pub fn compile(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    begin(definitions, term);
    ProcessTreeBuilder::of(definitions, term, options)?.machine(term, Around::default())
}

/// The structured machine of `term` for models that see which events a process does after a rest.
/// Compressions that do not keep those events are replaced by others that do.
pub fn compile_observed(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    begin(definitions, term);
    ProcessTreeBuilder::of(definitions, term, options)?.machine(term, Around::OBSERVED)
}

/// The calls of `term` are followed first. A replay, which expands terms in the middle of a phase
/// of its own, does not say so.
fn begin(definitions: &mut dyn Definitions, term: TermId) {
    let name = text::expression(definitions, term);
    definitions.enter(Phase::Calls, &name);
}

/// The machine with this tree.
pub(super) fn assemble(definitions: &mut dyn Definitions, tree: OperatorTree) -> Result<Machine> {
    definitions.enter(Phase::Machine, "");
    let OperatorTree { nodes, mut leaves } = tree;
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
