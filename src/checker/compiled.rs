//! Both sides of a question, compiled.

use std::sync::Arc;

use base::diag::Result;
use base::order::ascending;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, Machine, ProcessView, SlimProcess};
use process::event::{EventId, TAU};
use process::outermost::without_outer_compressions;
use process::term::{Definitions, TermId};

use report::assertion::{MachineReport, SpecificationReport};
use symmetry::find::CheckedSystem;
use witness::Claim;

use super::decision::Decision;
use super::options::PartialOrder;
use super::question::{Asked, Question};
use super::specification::SpecificationBeside;

/// A question, both sides of which are compiled.
pub(super) struct Compiled {
    pub(super) sides: Sides,
    pub(super) machine: Arc<Machine>,
    /// The process that the machine is of, and the compressions that were left out of it.
    pub(super) slim: Arc<SlimProcess>,
    pub(super) against: Against,
    /// The cases in which the search is reduced by partial order; `None`: in no case.
    pub(super) partial_order: Option<PartialOrder>,
    /// True if dives may look for a violation beside the search.
    pub(super) dives: bool,
}

/// The processes of a question, on which a counterexample is replayed.
pub(super) struct Sides {
    pub(super) implementation: TermId,
    /// The process that is to be refined, if the question is about one.
    pub(super) specification: Option<SpecificationBeside>,
    /// True if a machine that was searched follows a chase.
    pub(super) follows_chases: bool,
}

/// The normal form or the process that a machine is compared with.
pub(super) enum Against {
    /// A normal form, which the machine is searched together with. A path to a state that the
    /// normal form does not allow refutes the claim.
    NormalForm(Arc<NormalForm>, Claim),
    /// One resolution of the process's own choices, which it has to refine in this model.
    /// Symmetries are looked for beside a normal form that allows anything.
    Itself(Model, Arc<NormalForm>),
}

impl Against {
    /// The specification of a refinement.
    pub(super) fn specification(&self) -> Option<TermId> {
        match self {
            Self::NormalForm(_, Claim::Refines(specification, _)) => Some(*specification),
            Self::NormalForm(..) | Self::Itself(..) => None,
        }
    }

    /// True if nothing that `machine` does can be wrong in traces, as with `RUN(Events)`. The
    /// question is then asked for the states: they are all searched, although none has to be.
    fn explores(&self, machine: &Machine) -> bool {
        let Self::NormalForm(form, Claim::Refines(_, Model::Traces)) = self else {
            return false;
        };
        let mut results = machine.rules.iter().map(|rule| rule.result);
        let allows = |event| event == TAU || form.successor(NormalForm::INITIAL, event).is_some();
        form.state_count() == 1 && results.all(allows)
    }

    /// The size of a normal form; other specifications are counted by their searches.
    fn report(&self) -> Option<SpecificationReport> {
        let Self::NormalForm(form, _) = self else {
            return None;
        };
        Some(SpecificationReport {
            states: form.state_count() as u64,
        })
    }
}

impl Compiled {
    /// The normal form beside which symmetries are looked for. Unless a machine is compared with
    /// itself, it is also searched beside this normal form.
    pub(super) fn form(&self) -> &Arc<NormalForm> {
        let (Against::NormalForm(form, _) | Against::Itself(_, form)) = &self.against;
        form
    }

    /// This question about `process`, whose machine is `machine`, in the place of its process;
    /// `None` if its machine is compared with itself.
    pub(super) fn about(&self, process: TermId, machine: Arc<Machine>) -> Option<Self> {
        let Against::NormalForm(form, claim) = &self.against else {
            return None;
        };
        Some(Self {
            sides: Sides {
                implementation: process,
                specification: self.sides.specification.clone(),
                follows_chases: self.sides.follows_chases,
            },
            machine,
            slim: Arc::new(SlimProcess {
                term: process,
                left_out: self.slim.left_out.clone(),
            }),
            against: Against::NormalForm(Arc::clone(form), claim.clone()),
            partial_order: self.partial_order,
            dives: self.dives,
        })
    }

    /// True if the question is whether a trace is there: a violation is then a run that has it.
    pub(super) fn asks_for_trace(&self) -> bool {
        matches!(&self.against, Against::NormalForm(_, Claim::Lacks(_)))
    }

    /// The check in which symmetries are looked for, both sides of which are compiled with these
    /// options.
    pub(super) fn subject<'c>(&'c self, options: &'c CompileOptions) -> CheckedSystem<'c> {
        CheckedSystem {
            term: self.sides.implementation,
            machine: &self.machine,
            specification: self.form(),
            options,
        }
    }
}

/// A question whose expressions were evaluated.
pub(super) struct Evaluated {
    pub(super) asked: Asked<TermId, Vec<EventId>>,
    /// The process that it is about, without the outermost compressions.
    pub(super) process: TermId,
}

impl Evaluated {
    /// Evaluates both sides of `question`.
    pub(super) fn of(run: &mut Decision<'_, '_>, question: &Question<'_>) -> Result<Self> {
        let over = question.tau_priority;
        // Events are numbered as they are first met, so the order of these evaluations is a part of
        // what fixes their numbers.
        let asked = question.asked.evaluated(over, run.evaluator)?;
        let process = question.implementation;
        let process = run.evaluator.process_with_tau_priority(process, over)?;
        let process = without_outer_compressions(run.evaluator, process)?;
        Ok(Self { asked, process })
    }

    /// The sides of `question`, of which `implementation` is searched.
    pub(super) fn sides(
        &self,
        run: &Decision<'_, '_>,
        question: &Question<'_>,
        implementation: TermId,
    ) -> Sides {
        let (ast, model) = (
            &run.script.ast,
            run.report.model.clone().unwrap_or_default(),
        );
        Sides {
            implementation,
            specification: SpecificationBeside::of(ast, question.asked, &self.asked, model),
            follows_chases: false,
        }
    }
}

/// Evaluates and compiles both sides of `question`; `None` if it asks for the empty trace.
pub(super) fn compile(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
) -> Result<Option<Compiled>> {
    let evaluated = Evaluated::of(run, question)?;
    compile_evaluated(run, question, &evaluated)
}

/// Compiles both sides of `question`, and notes in the report what is known meanwhile; `None` if
/// `question` asks for the empty trace.
pub(super) fn compile_evaluated(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    evaluated: &Evaluated,
) -> Result<Option<Compiled>> {
    let view = match evaluated.asked {
        Asked::Refines(_, model) => ProcessView::in_model(model),
        _ => ProcessView::Failures,
    };
    let (slim, machine) = run.parts.searched(run.evaluator, evaluated.process, view)?;
    let implementation = slim.term;
    run.report.machine = Some(machine_report(&machine));
    // The size of the machine is known even if the normal form then exceeds a limit.
    run.task.publish(run.report);
    let asked = evaluated.asked.clone();
    let Some((against, follows_chases)) = against(run, asked, (implementation, &machine))? else {
        return Ok(None);
    };
    run.report.specification = against.report();
    let partial_order = question.reduction(run.options);
    let is_free = question.claims.leave_free(run.options)
        && run.further() == 0
        && !run.options.shortest
        && !against.explores(&machine);
    Ok(Some(Compiled {
        sides: Sides {
            follows_chases,
            ..evaluated.sides(run, question, implementation)
        },
        machine,
        slim,
        against,
        partial_order: partial_order.filter(|wish| is_free || *wish != PartialOrder::IfItPays),
        dives: run.options.partial_order.is_some() && is_free,
    }))
}

/// Compiles what the `machine` of `implementation` is compared with. The flag is true if that or
/// `machine` follows a chase. Returns `None` if the empty trace is asked for.
fn against(
    run: &mut Decision<'_, '_>,
    asked: Asked<TermId, Vec<EventId>>,
    (implementation, machine): (TermId, &Machine),
) -> Result<Option<(Against, bool)>> {
    // The specifications of properties have to know only the events that the machine can do.
    let events = visible_results(machine);
    let mut follows_chases = machine.follows_chases();
    let property = |form, claim| Against::NormalForm(Arc::new(form), claim);
    let (parts, evaluator) = (&mut *run.parts, &mut *run.evaluator);
    let against = match asked {
        Asked::Refines(specification, model) => {
            let view = ProcessView::in_model(model);
            let compiled = parts.machine(evaluator, specification, view)?;
            follows_chases |= compiled.follows_chases();
            let form = parts.normal_form(evaluator, specification, implementation, model)?;
            Against::NormalForm(form, Claim::Refines(specification, model))
        }
        Asked::DeadlockFree(model) => {
            let termination = evaluator.terms().termination();
            let form = NormalForm::deadlock_free(&events, model, termination);
            property(form, Claim::DeadlockFree)
        }
        Asked::DivergenceFree => {
            property(NormalForm::divergence_free(&events), Claim::DivergenceFree)
        }
        Asked::Deterministic(model) => {
            Against::Itself(model, Arc::new(NormalForm::divergence_free(&events)))
        }
        // `NormalForm::all_but` has no state for the empty trace.
        Asked::HasTrace(trace, _) if trace.is_empty() => return Ok(None),
        Asked::HasTrace(trace, model) => {
            let events = ascending(events.iter().chain(&trace).copied());
            let form = NormalForm::all_but(&trace, &events, model);
            property(form, Claim::Lacks(trace))
        }
    };
    Ok(Some((against, follows_chases)))
}

/// The visible events that `machine` may do, ascending.
pub(super) fn visible_results(machine: &Machine) -> Vec<EventId> {
    let results = machine.rules.iter().map(|rule| rule.result);
    ascending(results.filter(|event| event.is_visible()))
}

/// The size of `machine`.
pub(super) fn machine_report(machine: &Machine) -> MachineReport {
    let leaves = machine.leaves.iter();
    MachineReport {
        leaves: machine.leaves.len() as u64,
        leaf_states: leaves.map(|leaf| u64::from(leaf.state_count())).collect(),
        rules: machine.rules.len() as u64,
    }
}
