//! From a process to its structured machine.

use super::builder::ProcessTreeBuilder;
use super::chase::{CHASE_LOST, ChaseLoss};
use super::flatten::{Flat, flatten};
use super::graphs::LeafGraphs;
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
    /// Whether each `chase` is a leaf that is listed by the rules of terms, even if the machine
    /// could follow it.
    pub chases_are_leaves: bool,
    /// The threads on which leaves are minimised; the machine is the same for any number of them.
    pub threads: Threads,
    /// Where the graphs of leaves are kept, for other machines of the same definitions; `None`:
    /// each machine makes its own.
    pub graphs: Option<LeafGraphs>,
}

impl CompileOptions {
    /// Leaves are minimised, on one thread, and no graphs are kept.
    pub const fn new(limits: LeafLimits) -> Self {
        Self {
            limits,
            minimise: true,
            chases_are_leaves: false,
            threads: Threads::one(),
            graphs: None,
        }
    }

    /// The same but for leaves, which stay as they are.
    pub const fn unminimised(limits: LeafLimits) -> Self {
        let mut options = Self::new(limits);
        options.minimise = false;
        options
    }
}

/// The structured machine of `term`.
pub fn compile(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    compile_around(definitions, term, Around::default(), options)
}

/// The structured machine of `term` for models that see which events a process does after a rest.
/// Compressions that do not keep those events are replaced by others that do.
pub fn compile_observed(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    compile_around(definitions, term, Around::OBSERVED, options)
}

fn compile_around(
    definitions: &mut dyn Definitions,
    term: TermId,
    around: Around,
    options: &CompileOptions,
) -> Result<Machine> {
    begin(definitions, term);
    match ProcessTreeBuilder::of(definitions, term, options)?.machine(term, around) {
        // What is compressed has been listed, and a chase in it found no end.
        Err(error) if error.code == CHASE_LOST => {
            let options = CompileOptions {
                chases_are_leaves: true,
                ..options.clone()
            };
            ProcessTreeBuilder::of(definitions, term, &options)?.machine(term, around)
        }
        machine => machine,
    }
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
    let Flat {
        rules,
        gates,
        chased,
    } = flatten(events, &nodes, &mut leaves, token)?;
    Ok(Machine {
        leaves,
        rules,
        gates,
        chased,
        chase_loss: ChaseLoss::default(),
        nodes,
    })
}
