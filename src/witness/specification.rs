//! Checks that a specification forbids a behaviour of an implementation.

use super::counterexample::{Claim, Refutation, Wrong};
use super::followed::Followed;
use super::replay::not_reproduced;
use base::diag::Result;
use machine::{CompileOptions, compile};
use process::acceptance::is_subset;
use process::event::TAU;
use process::observation::ObservedStep;
use process::term::Definitions;

/// `found`, completed by the specification, if it refutes the claim.
pub(super) fn refutes(
    definitions: &mut dyn Definitions,
    claim: &Claim,
    mut found: Refutation,
    options: &CompileOptions,
) -> Result<Refutation> {
    let trace = found.trace();
    // All claims but refinement are refuted by the replay alone, without a specification.
    let (specification, model) = match (claim, &found.wrong) {
        (Claim::Refines(specification, model), _) => (*specification, *model),
        (Claim::DeadlockFree | Claim::DivergenceFree, Wrong::Divergence(_)) => return Ok(found),
        (Claim::DeadlockFree, Wrong::Deadlock) => return Ok(found),
        (Claim::Lacks(asked), Wrong::Event(step))
            if [&trace[..], &[step.label]].concat() == *asked =>
        {
            return Ok(found);
        }
        (Claim::Lacks(asked), Wrong::Divergence(_))
            if trace.len() < asked.len() && asked.starts_with(&trace) =>
        {
            return Ok(found);
        }
        _ => return not_reproduced("what was found is nothing that was asked for").into(),
    };
    let mut after = Followed::start(definitions, specification, compile, options)?;
    for &event in &trace {
        if model.has_divergences() && after.diverges(definitions)? {
            return not_reproduced("the specification diverges earlier, and so allows everything")
                .into();
        }
        after.step(definitions, &ObservedStep::unseen(event))?;
    }
    if after.is_empty() {
        return not_reproduced("the specification refuses an earlier event than was found").into();
    }
    if model.has_divergences() && after.diverges(definitions)? {
        return not_reproduced("the specification diverges, and so allows everything").into();
    }
    let is_refuted = match &mut found.wrong {
        Wrong::Event(step) => {
            after.step(definitions, &ObservedStep::unseen(step.label))?;
            // No specification forbids a τ.
            step.label != TAU && after.is_empty()
        }
        Wrong::Refusal {
            offers,
            acceptances,
        } if model.has_failures() => {
            *acceptances = after.minimal_acceptances(definitions)?;
            !acceptances.iter().any(|set| is_subset(set, offers))
        }
        Wrong::Divergence(_) => model.has_divergences(),
        _ => false,
    };
    if is_refuted {
        Ok(found)
    } else {
        not_reproduced("the specification allows what was found to be wrong").into()
    }
}
