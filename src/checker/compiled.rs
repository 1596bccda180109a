//! Both sides of a question, compiled.

use crate::cancel::Phase;
use crate::diag::Result;
use crate::eval::Evaluator;
use crate::lts::graph::Lts;
use crate::lts::model::{FinerModel, Model};
use crate::lts::normal_form::NormalForm;
use crate::machine::explicit::explicit;
use crate::machine::{CompileOptions, Machine, compile as compile_machine, compile_observed};
use crate::process::event::EventId;
use crate::process::term::{Definitions, TermId};
use crate::report::assertion::{MachineReport, SpecificationReport};
use crate::symmetry::find::CheckedSystem;
use crate::witness::Claim;

use super::decision::Decision;
use super::question::{Asked, Question};

/// A question, both sides of which are compiled.
pub(super) struct Compiled {
    pub(super) implementation: TermId,
    pub(super) machine: Machine,
    pub(super) against: Against,
    pub(super) options: CompileOptions,
}

/// What a machine is compared with.
pub(super) enum Against {
    /// A normal form, which the machine is searched together with. A path to a state that the
    /// normal form does not allow refutes the claim.
    NormalForm(NormalForm, Claim),
    /// One resolution of the process's own choices, which it has to refine in this model.
    Itself(Model),
    /// The states of this specification, in a model that sees more than failures.
    Observations(Lts, TermId, FinerModel),
}

impl Compiled {
    /// The check in which symmetries are looked for: of the process and this specification.
    pub(super) fn subject<'c>(&'c self, specification: &'c NormalForm) -> CheckedSystem<'c> {
        CheckedSystem {
            term: self.implementation,
            machine: &self.machine,
            specification,
            options: &self.options,
        }
    }
}

/// Compiles both sides of `question`, and notes in the report what is known meanwhile; `None` if it
/// asks for the empty trace.
pub(super) fn compile(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
) -> Result<Option<Compiled>> {
    let over = question.tau_priority;
    // Events are numbered as they are first met, so the order of these evaluations is a part of
    // what fixes their numbers.
    let asked = question.asked.evaluated(over, run.evaluator)?;
    let implementation = question.implementation;
    let implementation = run
        .evaluator
        .process_with_tau_priority(implementation, over)?;
    let options = run.options.compile_options();
    let machine = match asked {
        // Finer models see more than the usual compressions keep.
        Asked::RefinesObserved(..) => compile_observed(run.evaluator, implementation, &options)?,
        _ => compile_machine(run.evaluator, implementation, &options)?,
    };
    run.report.machine = Some(machine_report(&machine));
    // The size of the machine is known even if the normal form then exceeds a limit.
    run.task.publish(run.report);
    // The specifications of properties have to know only the events that the machine can do.
    let events = visible_results(&machine);
    let against = match asked {
        Asked::Refines(specification, model) => {
            let form = normal_form(run.evaluator, specification, model, &options)?;
            Against::NormalForm(form, Claim::Refines(specification, model))
        }
        Asked::RefinesObserved(specification, model) => {
            let states = states(run.evaluator, specification, &options)?;
            Against::Observations(states, specification, model)
        }
        Asked::DeadlockFree(model) => {
            let termination = run.evaluator.terms().termination();
            let form = NormalForm::deadlock_free(&events, model, termination);
            Against::NormalForm(form, Claim::DeadlockFree)
        }
        Asked::DivergenceFree => {
            Against::NormalForm(NormalForm::divergence_free(&events), Claim::DivergenceFree)
        }
        Asked::Deterministic(model) => Against::Itself(model),
        // `NormalForm::all_but` has no state for the empty trace.
        Asked::HasTrace(trace, _) if trace.is_empty() => return Ok(None),
        Asked::HasTrace(trace, model) => {
            let form = all_but(&trace, events, model);
            Against::NormalForm(form, Claim::Lacks(trace))
        }
    };
    if let Against::NormalForm(form, _) = &against {
        run.report.specification = Some(SpecificationReport {
            states: form.state_count() as u64,
        });
    }
    Ok(Some(Compiled {
        implementation,
        machine,
        against,
        options,
    }))
}

/// The normal form of processes over `events` and the events of `trace` that do not have `trace`.
fn all_but(trace: &[EventId], mut events: Vec<EventId>, model: Model) -> NormalForm {
    events.extend_from_slice(trace);
    events.sort_unstable();
    events.dedup();
    NormalForm::all_but(trace, &events, model)
}

/// The normal form of a specification. It is compiled into a machine like any other process,
/// because the states of a machine are found much faster than those of a term.
fn normal_form(
    evaluator: &mut Evaluator<'_>,
    specification: TermId,
    model: Model,
    options: &CompileOptions,
) -> Result<NormalForm> {
    let machine = compile_machine(evaluator, specification, options)?;
    let listed = listed(evaluator, &machine, options)?;
    evaluator.enter(Phase::NormalForm, name(&machine));
    let token = &evaluator.cancellation().clone();
    NormalForm::of(&listed, model, options.limits.states, token)
}

/// The states of a specification for a model that sees more than failures.
fn states(
    evaluator: &mut Evaluator<'_>,
    specification: TermId,
    options: &CompileOptions,
) -> Result<Lts> {
    let machine = compile_observed(evaluator, specification, options)?;
    listed(evaluator, &machine, options)
}

/// All states of `machine`.
pub(super) fn listed(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    options: &CompileOptions,
) -> Result<Lts> {
    evaluator.enter(Phase::Listing, name(machine));
    explicit(
        machine,
        options.limits.states,
        &evaluator.cancellation().clone(),
    )
}

/// The text of the process that `machine` was compiled from.
pub(super) fn name(machine: &Machine) -> &str {
    &machine.nodes[machine.root()].expression
}

/// The visible events that `machine` may do, ascending.
pub(super) fn visible_results(machine: &Machine) -> Vec<EventId> {
    let results = machine.rules.iter().map(|rule| rule.result);
    let mut events: Vec<EventId> = results.filter(|event| event.is_visible()).collect();
    events.sort_unstable();
    events.dedup();
    events
}

fn machine_report(machine: &Machine) -> MachineReport {
    let leaves = machine.leaves.iter();
    MachineReport {
        leaves: machine.leaves.len() as u64,
        leaf_states: leaves.map(|leaf| u64::from(leaf.state_count())).collect(),
        rules: machine.rules.len() as u64,
    }
}
