//! Static assertions of symmetry, `assert e :[symmetric [M]]: T`.
//!
//! An image Pσ of a process under a permutation of values has to be bisimilar to P, or equal to it
//! in a model. For a model it is enough that P refines Pσ: renaming by σ respects refinement, so Pσ
//! refines Pσ², and so on up to Pσⁿ, which is P again; each of these then refines all others.

use base::cancel::Phase;
use base::diag::{Diagnostic, Result};
use eval::permute::ClaimedType;
use eval::{Evaluator, FreeValues, Value};
use lts::bisimulation::minimise;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit_process;
use machine::{Machine, ProcessView};
use process::event::{EventId, EventTable};
use process::term::{Definitions, TermId};
use refine::check::{Outcome, check};
use refine::path::{Path, Violation};
use symmetry::assertion::{UnprovedPermutation, keeps, unproved};
use symmetry::candidates::generating;
use symmetry::events::machine_events;
use symmetry::notation::cycles_text;
use syntax::ast::{ExprId, SymmetricType};

use super::compiled::visible_results;
use super::decision::Decision;
use super::portfolio::turns::is_of_size;

/// `e :[symmetric [M]]: T`, with the options that it has.
pub(super) struct ClaimedSymmetry<'a> {
    /// e
    pub(super) subject: ExprId,
    /// M, if given.
    pub(super) model: Option<Model>,
    /// The types; may be empty.
    pub(super) types: &'a [SymmetricType],
    /// The events over which τ has priority in the process.
    pub(super) tau_priority: Option<ExprId>,
}

/// Decides whether the subject of `claim`, a process or any other value, stays as it is where
/// values of its types are permuted: up to strong bisimilarity, or in its model. The message says
/// what breaks the symmetry, if something does.
pub(super) fn decide_symmetric(
    run: &mut Decision<'_, '_>,
    claim: &ClaimedSymmetry<'_>,
) -> Result<bool> {
    let evaluator = &mut *run.evaluator;
    evaluator.enter(Phase::Symmetry, "");
    let types = claim.types.iter();
    let types: Vec<ClaimedType> = types
        .map(|claim| evaluator.claimed_type(claim))
        .collect::<Result<_>>()?;
    let broken = match evaluator.value_of(claim.subject)? {
        Value::Process(_) => {
            let over = claim.tau_priority;
            let term = evaluator.process_with_tau_priority(claim.subject, over)?;
            broken_process(run, term, claim.model, &types)?
        }
        _ if claim.model.is_some() => return no_process().into(),
        value => changed_value(evaluator, &value, &types)?,
    };
    // Looking for symmetries leaves out what takes too long, instead of failing.
    run.task.cancellation.check()?;
    let is_symmetric = broken.is_none();
    run.report.message =
        broken.map(|(permutation, why)| format!("{permutation} changes it: {why}"));
    Ok(is_symmetric)
}

fn no_process() -> Diagnostic {
    Diagnostic::error(
        "not-a-process",
        "only a process has images that are equal in a model",
    )
    .hint("without a model, as in `assert e :[symmetric]: T`, any value may be asked about")
}

/// A permutation that changes the process `term`, and the change; `None` if there is none.
fn broken_process(
    run: &mut Decision<'_, '_>,
    term: TermId,
    model: Option<Model>,
    claims: &[ClaimedType],
) -> Result<Option<(String, String)>> {
    run.parts.options.chases_are_leaves = true;
    let machine = run
        .parts
        .machine(run.evaluator, term, ProcessView::Failures)?;
    let free = free_values(run.evaluator, &machine, claims)?;
    // The rules are tried first. What they refuse is decided on the process as a whole, so that the
    // answer does not depend on how it is written.
    let unproved = unproved(run.evaluator, (term, &*machine), &free, &run.parts.options)?;
    if let Some(model) = model {
        return unequal(run, term, model, &unproved);
    }
    let Some((changing, why)) = apart(run, &machine, &unproved)? else {
        return Ok(None);
    };
    // The answer is known: what it costs to say more is bounded.
    let limits = run.parts.options.limits;
    run.parts.options.limits = limits.trying(LISTED_TO_SAY_MORE);
    let weaker = equal_in(run, term, &unproved);
    run.parts.options.limits = limits;
    let weaker = run.unless_limit("in which models the images are equal is not told", weaker)?;
    let weaker = weaker.flatten().map_or(String::new(), |letters| {
        format!("; the images are not bisimilar to it, but equal in {letters}")
    });
    Ok(Some((changing, format!("{why}{weaker}"))))
}

/// The states that are listed to say in which models a process is equal to its images.
const LISTED_TO_SAY_MORE: usize = 1 << 12;

/// The first of the permutations `unproved` whose image of the process of `machine` is not
/// bisimilar to it, and why.
fn apart(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    unproved: &[UnprovedPermutation],
) -> Result<Option<(String, String)>> {
    if unproved.is_empty() {
        return Ok(None);
    }
    let token = &run.evaluator.cancellation().clone();
    let states = explicit_process(machine, run.parts.options.limits.listed, token)?;
    let whole = minimise(&states, token)?.lts;
    for permutation in unproved {
        let keeps = match permutation.lifted(run.evaluator, &whole)? {
            Some(sigma) => keeps(run.evaluator, &sigma, &whole)?,
            // An event that the process does would become something that is no event.
            None => false,
        };
        if !keeps {
            let why = permutation.why.text(&run.evaluator.terms().events);
            return Ok(Some((permutation.text.clone(), why)));
        }
    }
    Ok(None)
}

/// The strongest of some models, by its letters, in which all images under the permutations
/// `unproved` are equal to the process `term`; `None` if there is none, as far as limits allow.
fn equal_in(
    run: &mut Decision<'_, '_>,
    term: TermId,
    unproved: &[UnprovedPermutation],
) -> Result<Option<&'static str>> {
    let models = [
        (Model::FailuresDivergences, "FD"),
        (Model::Failures, "F"),
        (Model::Traces, "T"),
    ];
    for (model, letters) in models {
        match unequal(run, term, model, unproved) {
            Ok(None) => return Ok(Some(letters)),
            Ok(Some(_)) => {}
            Err(problem) if is_of_size(&problem) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(None)
}

/// The first of the permutations `unproved` whose image of the process `term` is not equal to it in
/// `model`, and the difference.
fn unequal(
    run: &mut Decision<'_, '_>,
    term: TermId,
    model: Model,
    unproved: &[UnprovedPermutation],
) -> Result<Option<(String, String)>> {
    if unproved.is_empty() {
        return Ok(None);
    }
    let view = ProcessView::in_model(model);
    let machine = run.parts.machine(run.evaluator, term, view)?;
    let limits = run.parts.options.limits;
    let token = &run.evaluator.cancellation().clone();
    let states = explicit_process(&machine, limits.listed_now(), token)?;
    let form = NormalForm::of(
        &states,
        model,
        limits.normal_form(states.state_count()),
        token,
    )?;
    for permutation in unproved {
        let changed = |why: String| Ok(Some((permutation.text.clone(), why)));
        let Some(sigma) = permutation.lifted(run.evaluator, form.lts())? else {
            return changed(permutation.why.text(&run.evaluator.terms().events));
        };
        // Equal normal forms mean equal processes. In refusal testing different ones may too, so
        // that the process is then searched; elsewhere the search finds a difference.
        if keeps(run.evaluator, &sigma, form.lts())? {
            continue;
        }
        let image = form.renamed(|event| sigma.apply(event), token)?;
        let found = check(&image, &machine, &run.check_options())?;
        match found.outcome {
            Outcome::Holds => {}
            Outcome::Violated(path) => {
                return changed(difference(&path, &run.evaluator.terms().events));
            }
            Outcome::Stopped(reason) => {
                return Err(Box::new(run.task.stopped(reason, found.statistics)));
            }
        }
    }
    Ok(None)
}

/// The behaviour of a process at the end of `path` that its image does not have. In refusal testing
/// that depends on what the process has offered on the way.
fn difference(path: &Path, events: &EventTable) -> String {
    let names = |events_of: &[EventId]| events.names(events_of).join(", ");
    let rest = |step: usize| match path.rests.get(step) {
        Some(Some(offers)) => format!("(at rest, offering only {{{}}}) ", names(offers)),
        _ => String::new(),
    };
    let steps = path.steps.iter().enumerate();
    let steps = steps.filter(|(_, step)| step.label.is_visible());
    let steps = steps.map(|(number, step)| rest(number) + events.name(step.label));
    let trace: Vec<String> = steps.collect();
    let last = rest(path.steps.len());
    let does = match &path.violation {
        Violation::Event(step) => format!("{last}do {}", events.name(step.label)),
        Violation::Refusal(offers) => format!("come to rest offering only {{{}}}", names(offers)),
        Violation::Revival(offers, step) => format!(
            "come to rest offering only {{{}}}, and then do {}",
            names(offers),
            events.name(step.label)
        ),
        Violation::Divergence => "do τ for ever".to_string(),
    };
    let trace = trace.join(", ");
    format!("after <{trace}> it can {does}, and its image cannot")
}

/// The types that `claims` speak of, with the values that may be permuted; without claims, all
/// types of which two values or more occur in events that the process can do. Events that are
/// hidden, or on which no partners agree, do not count: how a process is written does not matter.
fn free_values(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    claims: &[ClaimedType],
) -> Result<Vec<FreeValues>> {
    if claims.is_empty() {
        return evaluator.free_types(&visible_results(machine));
    }
    let token = &evaluator.cancellation().clone();
    let events = machine_events(machine, token)?;
    let mut free = Vec::new();
    for claim in claims {
        // Values that do not occur count too: a process that uses one of two values changes when
        // they are exchanged.
        free.extend(evaluator.claimed_whole(claim, &events)?);
    }
    Ok(free)
}

/// A permutation that changes `value`, and the changed value; `None` if there is none.
fn changed_value(
    evaluator: &mut Evaluator<'_>,
    value: &Value,
    types: &[ClaimedType],
) -> Result<Option<(String, String)>> {
    if types.is_empty() {
        return Diagnostic::error("not-a-type", "the symmetry of a value is that in some type")
            .hint("name the type, as in `assert e :[symmetric]: T`")
            .into();
    }
    for claim in types {
        let ty = &claim.ty;
        // A value that the generators leave as it is, all permutations of the type leave as it is.
        for images in generating(ty.values.len(), &claim.free()) {
            let image = evaluator.permute_value(ty, &images, value)?;
            if image != *value {
                let names: Vec<String> = ty.values.iter().map(|v| evaluator.show(v)).collect();
                let becomes = format!("it becomes {}", evaluator.show(&image));
                return Ok(Some((cycles_text(&names, &images), becomes)));
            }
        }
    }
    Ok(None)
}
