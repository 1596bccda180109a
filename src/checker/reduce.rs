//! The symmetries that the search for a question uses.

use crate::diag::Result;
use crate::lts::normal_form::NormalForm;
use crate::symmetry::choice::{Algorithm, algorithm_inapplicable, representative_inapplicable};
use crate::symmetry::representative::Method;

use super::compiled::{Against, Compiled, visible_results};
use super::decision::Decision;
use super::describe_symmetry::symmetry_report;
use super::options::Options;
use super::question::Claims;
use super::reduction::{Purpose, Reduction, reduction};

/// The remark on models that see what is done after a rest. Symmetries would have to keep the sets
/// of states that show the same observations as well.
const OF_OBSERVATIONS: &str = "this model is decided without symmetry";

/// Finds the symmetries that the search for `compiled` uses, and notes them in the report.
pub(super) fn reduce(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<Reduction> {
    let reduction = match &compiled.against {
        Against::NormalForm(form, _) | Against::Itself(_, form) => {
            let subject = compiled.subject(form, &run.parts.options);
            reduction(
                run.evaluator,
                &subject,
                claims,
                run.options,
                Purpose::Search,
            )?
        }
        Against::Observations(..) => plain(run, compiled, claims)?,
    };
    let report = &mut *run.report;
    report.remarks.extend(reduction.remark.map(str::to_string));
    report.algorithm = Some(reduction.choice.algorithm.name());
    report.representative = reduction.choice.method.as_ref().map(Method::name);
    let detection = reduction.findings.detection;
    let missed = detection.is_some_and(|found| !found.is_complete);
    // Where the search for symmetries stopped at its budget, the report says so even if none is
    // used.
    if report.representative.is_some() || missed {
        report.symmetry = Some(symmetry_report(&reduction));
    }
    Ok(reduction)
}

/// A reduction without symmetries, for [`OF_OBSERVATIONS`]. Fails if an algorithm that needs
/// symmetries is asked for. Claims about symmetries of the process are checked all the same, beside
/// a specification that no symmetry can move.
fn plain(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<Reduction> {
    let reason = OF_OBSERVATIONS;
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
    // Only the first of its two states, the one before ✓, has events: no symmetry exchanges them.
    let anything = NormalForm::divergence_free(&visible_results(&compiled.machine));
    let subject = compiled.subject(&anything, &run.parts.options);
    reduction(run.evaluator, &subject, claims, &options, Purpose::Search)
}
