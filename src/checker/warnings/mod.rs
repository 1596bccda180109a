//! Warnings of a check: that an assertion says less than its author may think.
//!
//! They change no verdict. Only what is certain is said, and only of what was compiled anyway.

mod idle;
mod parallel;
mod texts;
mod written;

use base::cancel::Cancellation;
use base::diag::Result;
use base::order::ascending;
use lts::graph::StateId;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{Machine, ProcessView};
use process::event::{EventId, TAU, TICK};
use process::term::Definitions;
use report::message::MessageReport;
use syntax::ast::ExprId;
use witness::Claim;

use super::compiled::{Against, Compiled};
use super::decision::Decision;
use super::question::{Asked, Question};
use idle::{is_idle, is_stuck};
use texts::{WrittenScript, allows_everything, divergent_specification, does_nothing};

pub use written::of_assertion;

/// Notes the warnings on `question` now that both sides are compiled. Warnings that were noted
/// before are forgotten, because a question may be compiled twice.
pub(super) fn note_warnings(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<()> {
    run.warnings.clear();
    let token = &run.evaluator.cancellation().clone();
    let machine = &compiled.machine;
    let written = WrittenScript {
        ast: &run.script.ast,
        resolved: &run.script.resolved,
    };
    let process = question.implementation;
    let is_traces = matches!(question.asked, Asked::Refines(_, Model::Traces));
    // A specification that allows nothing says itself that nothing happens.
    let forbids_all = match &compiled.against {
        Against::NormalForm(form, Claim::Refines(..)) => form.row(NormalForm::INITIAL).is_empty(),
        _ => false,
    };
    // A specification that allows all but some events, which the process has in it, asks whether
    // these are reached.
    let asks_for_some = match &compiled.against {
        Against::NormalForm(form, Claim::Refines(..)) => forbids_some(form, machine),
        _ => false,
    };
    let is_idle = !forbids_all && !asks_for_some && says_nothing(question.asked, machine, token)?;
    if is_idle {
        run.warnings.push(does_nothing(written, process, is_traces));
    }
    if let Asked::Refines(specification, model) = question.asked {
        let form = compiled.form();
        if form.is_divergent(NormalForm::INITIAL) {
            let warning = divergent_specification(written, specification);
            run.warnings.push(warning);
        } else if !is_idle
            && !written.explores_all(specification)
            && allows(form, model, machine)
            && allows_all_events(run, form)?
        {
            let warning = allows_everything(written, specification, model);
            run.warnings.push(warning);
        }
    }
    parallel::note_unjoined(run, machine, process)?;
    if let Some((specification, machine)) = of_specification(run, question, compiled)? {
        parallel::note_unjoined(run, &machine, specification)?;
    }
    let sources = &run.script.sources;
    let reports = run.warnings.iter();
    let reports = reports.map(|warning| MessageReport::of(warning, sources));
    run.report.warnings = reports.collect();
    run.task.publish(run.report);
    Ok(())
}

/// Takes back the warnings that an assertion holds for a poor reason, if it does not hold.
pub(super) fn take_back(run: &mut Decision<'_, '_>) {
    let is_reason = |code: &str| ["does-nothing", "allows-everything"].contains(&code);
    run.warnings.retain(|warning| !is_reason(warning.code));
    run.report
        .warnings
        .retain(|warning| !is_reason(&warning.code));
}

/// True if `form` allows some events at any time, and others that occur in `machine` never.
fn forbids_some(form: &NormalForm, machine: &Machine) -> bool {
    let row = form.row(NormalForm::INITIAL);
    let mut results = machine.rules.iter().map(|rule| rule.result);
    let is_forbidden =
        |event: EventId| event.is_visible() && form.successor(NormalForm::INITIAL, event).is_none();
    form.state_count() == 1 && !row.is_empty() && results.any(is_forbidden)
}

/// True if `machine` does so little that the answer says nothing of what was modelled. In the
/// traces model nothing can be wrong with a process that never does an event; in finer models its
/// refusals count. A property says nothing of a process that is stuck at once; of one that only
/// does τ it says that it diverges.
fn says_nothing(asked: Asked, machine: &Machine, token: &Cancellation) -> Result<bool> {
    match asked {
        Asked::Refines(_, Model::Traces) => is_idle(machine, token),
        Asked::DeadlockFree(_) | Asked::DivergenceFree | Asked::Deterministic(_) => {
            Ok(is_stuck(machine))
        }
        Asked::Refines(..) | Asked::HasTrace(..) => Ok(false),
    }
}

/// The specification of a refinement with its machine, which is compiled by now.
fn of_specification(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<Option<(ExprId, std::sync::Arc<Machine>)>> {
    let (expression, view) = match question.asked {
        Asked::Refines(expression, model) => (expression, ProcessView::in_model(model)),
        _ => return Ok(None),
    };
    let Some(term) = compiled.against.specification() else {
        return Ok(None);
    };
    let machine = run.parts.machine(run.evaluator, term, view)?;
    Ok(Some((expression, machine)))
}

/// True if `form` allows at the start every event that the script has. Specifications of fewer
/// events, such as `RUN` of those that are not hidden, say that there are no others.
fn allows_all_events(run: &mut Decision<'_, '_>, form: &NormalForm) -> Result<bool> {
    let row = form.row(NormalForm::INITIAL).iter();
    let allowed = row.filter(|(event, _)| event.is_visible()).count();
    // A script without events is about values.
    if allowed == 0 {
        return Ok(false);
    }
    let Ok(count) = run.evaluator.event_count(allowed) else {
        // A mistake in a channel that is not used does not matter here.
        return run.evaluator.cancellation().check().map(|()| false);
    };
    Ok(count == Some(allowed))
}

/// True if every process over the events of `machine` refines `form`, whatever it does and refuses.
fn allows(form: &NormalForm, model: Model, machine: &Machine) -> bool {
    // Freedom from divergence is never a matter of course.
    if model.has_divergences() {
        return false;
    }
    let results = machine.rules.iter().map(|rule| rule.result);
    let events = ascending(results.filter(|&event| event != TAU));
    let mut reached = vec![false; form.point_count()];
    let mut open = vec![NormalForm::INITIAL];
    reached[0] = true;
    while let Some(state) = open.pop() {
        let is_free = match model.sees_revivals() {
            true => allows_rests(form, state),
            false => !model.has_failures() || form.acceptances(state).is_none(),
        };
        if !is_free || !form.after_rests(state).is_empty() {
            return false;
        }
        for &event in &events {
            let Some(next) = form.successor(state, event) else {
                return false;
            };
            // After ✓ nothing happens any more, and a specification that has terminated may refuse
            // everything.
            let is_new = event != TICK && !std::mem::replace(&mut reached[next.0 as usize], true);
            if is_new {
                open.push(next);
            }
        }
    }
    true
}

/// True if `form` allows in `state`, in a model that sees revivals, to come to rest with any of its
/// events.
fn allows_rests(form: &NormalForm, state: StateId) -> bool {
    let rests = form.rests(state);
    let has = |wanted: &[EventId]| rests.iter().any(|rest| rest == wanted);
    has(&[]) && form.row(state).iter().all(|&(event, _)| has(&[event]))
}

#[cfg(test)]
mod tests;
