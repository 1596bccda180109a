//! The symmetries that the search for a question uses.

use crate::diag::Result;
use crate::lts::normal_form::NormalForm;
use crate::symmetry::choice::{Algorithm, algorithm_inapplicable, representative_inapplicable};
use crate::symmetry::representative::Method;

use super::compiled::{Against, Compiled, visible_results};
use super::describe_symmetry::symmetry_report;
use super::options::Options;
use super::question::Claims;
use super::reduction::{Purpose, Reduction, reduction};
use super::run::Run;

/// A process is deterministic if it refines one resolution of its choices, which need not keep symmetries. That has a state for each
/// trace that differs from others, so symmetry would hardly make it cheaper even where it chose alike for all components.
const OF_DETERMINISM: &str = "determinism is decided without symmetry";

/// Symmetries would have to keep the sets of states that show the same as well.
const OF_OBSERVATIONS: &str = "this model is decided without symmetry";

/// The symmetries that the search for `compiled` uses, which are noted in the report.
pub(super) fn reduce(
    run: &mut Run<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<Reduction> {
    let reduction = match &compiled.against {
        Against::NormalForm(form, _) => {
            let subject = compiled.subject(form);
            reduction(
                run.evaluator,
                &subject,
                claims,
                run.options,
                Purpose::Search,
            )?
        }
        Against::Itself(_) => plain(run, compiled, claims, OF_DETERMINISM)?,
        Against::Observations(..) => plain(run, compiled, claims, OF_OBSERVATIONS)?,
    };
    let report = &mut *run.report;
    report.remarks.extend(reduction.remark.map(str::to_string));
    report.algorithm = Some(reduction.choice.algorithm.name());
    report.representative = reduction.choice.method.as_ref().map(Method::name);
    let detection = reduction.findings.detection;
    let missed = detection.is_some_and(|found| !found.is_complete);
    if report.representative.is_some() || missed {
        report.symmetry = Some(symmetry_report(&reduction));
    }
    Ok(reduction)
}

/// No symmetries, for this `reason`: an algorithm that needs some does not apply. What is claimed about symmetries of the process is
/// looked at all the same, beside a specification that none of them can move.
fn plain(
    run: &mut Run<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
    reason: &str,
) -> Result<Reduction> {
    run.report.remarks.push(reason.to_string());
    match (run.options.algorithm, run.options.representative) {
        (Some(Algorithm::Check), _) | (None, None) => {}
        (Some(algorithm), _) => return algorithm_inapplicable(algorithm, reason).into(),
        (None, Some(kind)) => return representative_inapplicable(kind, reason).into(),
    }
    let options = Options {
        algorithm: Some(Algorithm::Check),
        representative: None,
        ..run.options.clone()
    };
    let anything = NormalForm::divergence_free(&visible_results(&compiled.machine));
    let subject = compiled.subject(&anything);
    reduction(run.evaluator, &subject, claims, &options, Purpose::Search)
}
