//! The machines and normal forms of one evaluator's processes, so that nothing is compiled twice.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use base::cancel::Phase;
use base::diag::Result;
use eval::Evaluator;
use lts::graph::Lts;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::together::OfferedTogether;
use machine::{
    CompileOptions, Machine, ProcessView, SlimProcess, compile, compile_observed, compile_slim,
    with_normal_components,
};
use process::term::{Definitions, TermId};

/// The machines and normal forms of processes and, in the options, the graphs of their leaves. All
/// belong to the terms of one evaluator.
///
/// Costs a copy of each machine's rules and of each normal form for as long as this is kept.
#[derive(Debug)]
pub(super) struct CompiledParts {
    /// The options for compiling. Only `chases_are_leaves`, `idle.are_all` and the limits may
    /// change between questions: the former two are parts of the keys below, and what was compiled
    /// within some limits is the same within others.
    pub(super) options: CompileOptions,
    machines: FxHashMap<MachineKey, Arc<Machine>>,
    /// The slim process that is searched in place of a process.
    slim: FxHashMap<MachineKey, Arc<SlimProcess>>,
    forms: FxHashMap<FormKey, Arc<NormalForm>>,
    /// By process, the process with components in normal form.
    normal: FxHashMap<TermId, TermId>,
}

/// The key of a specification's normal form: in the models of refusal testing it includes the
/// machine beside which the form is used.
type FormKey = (MachineKey, Model, Option<MachineKey>);

/// The key of the machine of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct MachineKey {
    process: TermId,
    view: ProcessView,
    chases_are_leaves: bool,
    leaves_out_all: bool,
}

impl CompiledParts {
    /// Parts of which none is compiled yet; all will be compiled with these options.
    pub(super) fn new(options: CompileOptions) -> Self {
        Self {
            options,
            machines: FxHashMap::default(),
            slim: FxHashMap::default(),
            forms: FxHashMap::default(),
            normal: FxHashMap::default(),
        }
    }

    /// The slim process that is searched in place of `process`, and its machine.
    pub(super) fn searched(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        process: TermId,
        view: ProcessView,
    ) -> Result<(Arc<SlimProcess>, Arc<Machine>)> {
        let key = self.key(process, view);
        if let Some(slim) = self.slim.get(&key).map(Arc::clone) {
            let machine = self.machine(evaluator, slim.term, view)?;
            return Ok((slim, machine));
        }
        let (slim, machine) = compile_slim(evaluator, process, view, &self.options)?;
        let (slim, machine) = (Arc::new(slim), Arc::new(machine));
        let own = self.key(slim.term, view);
        self.machines.insert(own, Arc::clone(&machine));
        self.slim.insert(key, Arc::clone(&slim));
        Ok((slim, machine))
    }

    /// `process` with its components in normal form, as far as these are small.
    pub(super) fn with_normal_components(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        process: TermId,
    ) -> Result<TermId> {
        if let Some(&known) = self.normal.get(&process) {
            return Ok(known);
        }
        let normal = with_normal_components(evaluator, process, &self.options)?;
        self.normal.insert(process, normal);
        Ok(normal)
    }

    /// The machine of `process`.
    pub(super) fn machine(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        process: TermId,
        view: ProcessView,
    ) -> Result<Arc<Machine>> {
        let key = self.key(process, view);
        if let Some(machine) = self.machines.get(&key) {
            return Ok(Arc::clone(machine));
        }
        let machine = Arc::new(match view {
            ProcessView::Failures => compile(evaluator, process, &self.options)?,
            ProcessView::AfterRests => compile_observed(evaluator, process, &self.options)?,
        });
        self.machines.insert(key, Arc::clone(&machine));
        Ok(machine)
    }

    /// The normal form of the specification `process` in `model`, for the search beside the machine
    /// of `implementation`. It is made from the machine of `process`, because the states of a
    /// machine are found much faster than those of a term.
    pub(super) fn normal_form(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        process: TermId,
        implementation: TermId,
        model: Model,
    ) -> Result<Arc<NormalForm>> {
        let view = ProcessView::in_model(model);
        let remembers = model.remembers_refusals();
        let beside = remembers.then(|| self.key(implementation, view));
        let key = (self.key(process, view), model, beside);
        if let Some(form) = self.forms.get(&key) {
            return Ok(Arc::clone(form));
        }
        let machine = self.machine(evaluator, process, view)?;
        let listed = self.listed(evaluator, &machine)?;
        evaluator.enter(Phase::NormalForm, name(&machine));
        let token = &evaluator.cancellation().clone();
        let limit = self.options.limits.normal_form(listed.state_count());
        let form = if remembers {
            let beside = self.machine(evaluator, implementation, view)?;
            let mut offered = OfferedTogether::new(&beside);
            NormalForm::beside(&mut offered, &listed, model, limit, token)?
        } else {
            NormalForm::of(&listed, model, limit, token)?
        };
        let form = Arc::new(form);
        self.forms.insert(key, Arc::clone(&form));
        Ok(form)
    }

    /// A system bisimilar to `machine`, which is that of a specification; see [`explicit`].
    fn listed(&self, evaluator: &mut Evaluator<'_>, machine: &Machine) -> Result<Lts> {
        evaluator.enter(Phase::Listing, name(machine));
        let token = &evaluator.cancellation().clone();
        explicit(machine, self.options.limits.listed_now(), token)
    }

    fn key(&self, process: TermId, view: ProcessView) -> MachineKey {
        MachineKey {
            process,
            view,
            chases_are_leaves: self.options.chases_are_leaves,
            leaves_out_all: self.options.idle.are_all,
        }
    }
}

/// The text of the process that `machine` was compiled from.
pub(super) fn name(machine: &Machine) -> &str {
    &machine.nodes[machine.root()].expression
}
