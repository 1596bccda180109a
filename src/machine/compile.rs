//! Compiles a process to its structured machine.

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

/// Options of [`compile`].
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The limits on the size of leaves.
    pub limits: LeafLimits,
    /// True if leaves are minimised by strong bisimulation.
    pub minimise: bool,
    /// True if each `chase` is a leaf that is listed by the rules of terms, even if the machine
    /// could follow it.
    pub chases_are_leaves: bool,
    /// The conditions under which compressions are left out.
    pub idle: IdleCompressions,
    /// The threads on which leaves are minimised. The machine does not depend on their number.
    pub threads: Threads,
    /// The graphs of leaves that are kept for other machines of these definitions; `None` if each
    /// machine makes its own.
    pub graphs: Option<LeafGraphs>,
}

impl CompileOptions {
    /// Options with minimised leaves, one thread, and no graphs kept.
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

    /// Options with leaves that are not minimised, one thread, and no graphs kept.
    pub const fn unminimised(limits: LeafLimits) -> Self {
        let mut options = Self::new(limits);
        options.minimise = false;
        options
    }
}

/// The behaviour of a process that a model sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessView {
    /// Traces, failures and divergences, or less.
    Failures,
    /// Failures, and the events done after a rest, which the usual compressions do not keep.
    AfterRests,
}

impl ProcessView {
    /// The view of `model`.
    pub fn in_model(model: Model) -> Self {
        match model.sees_revivals() {
            true => Self::AfterRests,
            false => Self::Failures,
        }
    }

    /// The surroundings of a process seen in this view.
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

/// The structured machine of `term` for models that see the events a process does after a rest.
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

/// The process that is searched instead of `term` in models with this view, and its machine.
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

/// The result of `build` for `term`.
pub(super) fn built<T>(
    definitions: &mut dyn Definitions,
    term: TermId,
    options: &CompileOptions,
    build: impl Fn(&mut ProcessTreeBuilder<'_>) -> Result<T>,
) -> Result<T> {
    begin(definitions, term);
    match build(&mut ProcessTreeBuilder::of(definitions, term, options)?) {
        // A compressed part was listed, and a chase in it found no end.
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

/// Begins the phase that follows the calls of `term`. A replay, which expands terms in a phase of
/// its own, begins none.
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
