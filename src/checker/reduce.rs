//! The symmetries that the search for a question uses.

use base::diag::Result;

use super::compiled::Compiled;
use super::decision::Decision;
use super::describe_symmetry::symmetry_report;
use super::question::Claims;
use super::reduction::{Purpose, Reduction, reduction};

/// Finds the symmetries that the search for `compiled` uses, and notes them in the report.
pub(super) fn reduce(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
) -> Result<Reduction> {
    let reduction = reduction(run, compiled, claims, Purpose::Search)?;
    let report = &mut *run.report;
    report.remarks.extend(reduction.remark.map(str::to_string));
    report.algorithm = Some(reduction.choice.algorithm.name().into());
    let method = reduction.choice.method.as_ref();
    report.representative = method.map(|method| method.name().into());
    let detection = reduction.findings.detection;
    let missed = detection.is_some_and(|found| !found.is_complete);
    // Where the search for symmetries stopped at its budget, the report says so even if none is
    // used.
    let is_told = report.representative.is_some() || missed;
    report.symmetry = is_told.then(|| symmetry_report(&reduction));
    Ok(reduction)
}
