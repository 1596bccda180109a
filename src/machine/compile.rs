//! From a process to its structured machine.

use super::builder::ProcessTreeBuilder;
use super::chase::{CHASE_LOST, ChaseLoss};
use super::flatten::{Flat, flatten};
use super::graphs::LeafGraphs;
use super::idle::{IdleCompressions, SlimProcess};
use super::structure::Machine;
use super::text;
use super::tree::{Around, OperatorTree};
use base::cancel::Phase;
use base::diag::Result;
use base::threads::Threads;
use lts::explore::LeafLimits;
use lts::model::Model;
use process::term::{Definitions, TermId};

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
    /// When compressions are left out.
    pub idle: IdleCompressions,
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
            idle: IdleCompressions::DEFAULT,
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

/// What a model sees of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessView {
    /// At most traces, failures and divergences.
    Failures,
    /// Also which events are done after a rest, which the usual compressions do not keep.
    AfterRests,
}

impl ProcessView {
    /// What `model` sees.
    pub fn in_model(model: Model) -> Self {
        match model.sees_revivals() {
            true => Self::AfterRests,
            false => Self::Failures,
        }
    }

    /// What stands above a process of which that is seen.
    pub(super) fn around(self) -> Around {
        match self {
            Self::Failures => Around::default(),
            Self::AfterRests => Around::OBSERVED,
        }
    }
}

/// The structured machine of `term`.
pub fn compile(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    built(definitions, term, options, |builder| {
        builder.machine(term, ProcessView::Failures.around())
    })
}

/// The structured machine of `term` for models that see which events a process does after a rest.
/// Compressions that do not keep those events are replaced by others that do.
pub fn compile_observed(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
) -> Result<Machine> {
    built(definitions, term, options, |builder| {
        builder.machine(term, ProcessView::AfterRests.around())
    })
}

/// The process that is searched for `term` in models that see this of it, and its machine.
pub fn compile_slim(
    definitions: &mut dyn Definitions,
    term: TermId,
    view: ProcessView,
    options: &CompileOptions,
) -> Result<(SlimProcess, Machine)> {
    built(definitions, term, options, |builder| {
        let slim = builder.slim_process(term, view.around())?;
        let machine = builder.machine(slim.term, view.around())?;
        Ok((slim, machine))
    })
}

/// What `build` makes of `term`.
fn built<T>(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
    build: impl Fn(&mut ProcessTreeBuilder<'_>) -> Result<T>,
) -> Result<T> {
    begin(definitions, term);
    match build(&mut ProcessTreeBuilder::of(definitions, term, options)?) {
        // What is compressed has been listed, and a chase in it found no end.
        Err(error) if error.code == CHASE_LOST => {
            let options = CompileOptions {
                chases_are_leaves: true,
                ..options.clone()
            };
            build(&mut ProcessTreeBuilder::of(definitions, term, &options)?)
        }
        result => result,
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
