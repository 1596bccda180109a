//! Components in normal form, where a check has few symmetries because some components are equal to
//! the images of others in failures and divergences, and not bisimilar to them.

use base::diag::Result;
use machine::{ProcessView, may_have_normal_components};
use process::term::Definitions;
use symmetry::TypeFinding;

use crate::claim_verdict::is_limit;
use crate::compiled::{Against, Compiled, machine_report};
use crate::decision::Decision;
use crate::question::Question;
use crate::reduce::reduce;
use crate::reduction::Reduction;

/// A process with its symmetries.
pub(crate) enum MoreSymmetric {
    /// The process as the script writes it.
    AsWritten(Reduction),
    /// The process with components in normal form, of which more symmetries were found.
    Normal(Box<Compiled>, Reduction),
}

/// The remark on a check that was decided with components in normal form.
const NORMAL: &str = "nondeterministic components were put into normal form, as by `normal`: there are more symmetries then";

/// The symmetries of `compiled`, which are those of `reduction`; or `compiled` with components in
/// normal form and its symmetries, if by these more values can be renamed into each other.
pub(crate) fn more_symmetric(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
    reduction: Reduction,
) -> Result<MoreSymmetric> {
    if !may_have_more(run, question, compiled, &reduction)? {
        return Ok(MoreSymmetric::AsWritten(reduction));
    }
    let before = run.report.clone();
    let found = match normal(run, question, compiled) {
        Err(problem) if is_limit(&problem) => {
            run.evaluator.cancellation().check()?;
            None
        }
        found => found?,
    };
    match found {
        Some((normal, more)) if is_more(&more, &reduction) => {
            run.report.remarks.push(NORMAL.to_string());
            Ok(MoreSymmetric::Normal(Box::new(normal), more))
        }
        _ => {
            *run.report = before;
            Ok(MoreSymmetric::AsWritten(reduction))
        }
    }
}

/// True if `more`, of which a search may use the symmetries, lets more values be renamed than
/// `reduction`.
fn is_more(more: &Reduction, reduction: &Reduction) -> bool {
    let is_used = more.remark.is_none() && more.choice.method.is_some();
    is_used && blocks(more) < blocks(reduction)
}

/// The number of blocks of values, of all types, between which no value can be exchanged. The order
/// of the group does not tell as much: components in normal form may have symmetries of their own.
fn blocks(reduction: &Reduction) -> usize {
    let types = reduction.findings.types.iter();
    let blocks = types.map(|found| {
        let found = &found.permutable;
        found.free.len() + found.turning.len() + found.fixed.len()
    });
    blocks.sum()
}

/// True if symmetries of some type are missing, and a normal form of a component keeps all that the
/// question asks about. It does not keep the number of τ, which the shortest counterexample counts.
fn may_have_more(
    run: &Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
    reduction: &Reduction,
) -> Result<bool> {
    let is_partial = |found: &TypeFinding| {
        let found = &found.permutable;
        !found.fixed.is_empty() || found.free.len() + found.turning.len() > 1
    };
    let may_gain = question.claims.leave_free(run.options)
        && run.further() == 0
        && !run.options.shortest
        && reduction.remark.is_none()
        && matches!(compiled.against, Against::NormalForm(..))
        && !question.asked.sees_revivals()
        && !compiled.machine.follows_chases()
        && reduction.findings.types.iter().any(is_partial);
    let token = run.evaluator.cancellation();
    Ok(may_gain && may_have_normal_components(&compiled.machine, token)?)
}

/// `compiled` with components in normal form, and its symmetries; `None` if no component has
/// another normal form.
fn normal(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
) -> Result<Option<(Compiled, Reduction)>> {
    let written = compiled.sides.implementation;
    let term = run.parts.with_normal_components(run.evaluator, written)?;
    if term == written {
        return Ok(None);
    }
    let machine = run
        .parts
        .machine(run.evaluator, term, ProcessView::Failures)?;
    run.report.machine = Some(machine_report(&machine));
    let Some(normal) = compiled.about(term, machine) else {
        return Ok(None);
    };
    let more = reduce(run, &normal, &question.claims)?;
    Ok(Some((normal, more)))
}
