//! Static assertions of symmetry, `assert e :[symmetric]: T`.

use base::cancel::Phase;
use base::diag::{Diagnostic, Result};
use eval::permute::ClaimedType;
use eval::{Evaluator, FreeValues, Value};
use machine::{Machine, ProcessView};
use process::term::Definitions;
use symmetry::assertion::asymmetry;
use symmetry::candidates::generating;
use symmetry::events::machine_events;
use symmetry::notation::cycles_text;
use syntax::ast::{ExprId, SymmetricType};

use super::decision::Decision;

/// Decides whether `subject`, a process or any other value, stays as it is where values of `types`
/// are permuted. The message says what breaks the symmetry, if something does.
pub(super) fn decide_symmetric(
    run: &mut Decision<'_, '_>,
    subject: ExprId,
    types: &[SymmetricType],
) -> Result<bool> {
    let evaluator = &mut *run.evaluator;
    evaluator.enter(Phase::Symmetry, "");
    let claims = types.iter();
    let claims: Vec<ClaimedType> = claims
        .map(|claim| evaluator.claimed_type(claim))
        .collect::<Result<_>>()?;
    let broken = match evaluator.value_of(subject)? {
        Value::Process(term) => {
            run.parts.options.chases_are_leaves = true;
            let machine = run.parts.machine(evaluator, term, ProcessView::Failures)?;
            let free = free_values(evaluator, &machine, &claims)?;
            let found = asymmetry(evaluator, (term, &machine), &free, &run.parts.options)?;
            found.map(|found| (found.permutation, found.why.text(&evaluator.terms().events)))
        }
        value => changed_value(evaluator, &value, &claims)?,
    };
    // Looking for symmetries leaves out what takes too long, instead of failing.
    run.task.cancellation.check()?;
    let is_symmetric = broken.is_none();
    run.report.message =
        broken.map(|(permutation, why)| format!("{permutation} changes it: {why}"));
    Ok(is_symmetric)
}

/// The types that `claims` speak of, with the values that may be permuted; without claims, all
/// types of which two values or more occur.
fn free_values(
    evaluator: &mut Evaluator<'_>,
    machine: &Machine,
    claims: &[ClaimedType],
) -> Result<Vec<FreeValues>> {
    let token = &evaluator.cancellation().clone();
    let events = machine_events(machine, token)?;
    if claims.is_empty() {
        return evaluator.free_types(&events);
    }
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
