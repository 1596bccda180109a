//! `e :[symmetric]: T`: decides static assertions of symmetry.

use crate::diag::{Diagnostic, Result};
use crate::eval::permute::ClaimedType;
use crate::eval::{Evaluator, Value};
use crate::process::term::Definitions;
use crate::process::work::Phase;
use crate::report::assertion::{AssertionReport, Verdict};
use crate::symmetry::assertion::asymmetry;
use crate::symmetry::candidates::generating;
use crate::symmetry::notation::cycles_text;
use crate::syntax::ast::{ExprId, SymmetricType};

use super::decide::compile_options;
use super::request::Options;

/// A question of symmetry.
pub(super) struct Symmetric<'a> {
    /// The process, or any other value.
    pub(super) subject: ExprId,
    /// The types whose values are permuted.
    pub(super) types: &'a [SymmetricType],
    /// Whether the assertion says that it is not symmetric.
    pub(super) negated: bool,
}

/// Decides `question` and fills `report` in; its message says what breaks the symmetry, if something does.
pub(super) fn decide_symmetric(
    evaluator: &mut Evaluator<'_>,
    question: &Symmetric<'_>,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<()> {
    evaluator.enter(Phase::Symmetry, "");
    let types = question.types.iter();
    let types: Vec<ClaimedType> = types
        .map(|claim| evaluator.claimed_type(claim))
        .collect::<Result<_>>()?;
    let broken = match evaluator.value_of(question.subject)? {
        Value::Process(term) => asymmetry(evaluator, term, &types, &compile_options(options))?
            .map(|found| (found.permutation, found.why.text(&evaluator.terms().events))),
        value => changed_value(evaluator, &value, &types)?,
    };
    report.verdict = if broken.is_none() != question.negated {
        Verdict::Pass
    } else {
        Verdict::Fail
    };
    report.message = broken.map(|(permutation, why)| format!("{permutation} changes it: {why}"));
    Ok(())
}

/// The permutation that changes `value`, and what it becomes.
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
