//! A question about all sizes, and the methods that can decide it.

use crate::options::Options;
use crate::question::{Asked, question};
use crate::script::Script;
use base::diag::{Diagnostic, Result};
use lts::model::Model;
use syntax::ast::{AssertionOption, DeclarationId, ExprId, ModelName};

/// The code of messages that something is not decided for all sizes.
pub(super) const FOR_ALL: &str = "for-all";

/// A question about all sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedForAll {
    /// The specification of a refinement. Without one the implementation has to have a property.
    pub(super) specification: Option<ExprId>,
    pub(super) implementation: ExprId,
    /// The model in which parts of a chain are compared. In it every process that refines one with
    /// the property has the property too.
    pub(super) model: ModelName,
    /// True if views may decide it: a refinement in traces, or freedom from deadlocks.
    pub(super) is_of_views: bool,
}

impl Script {
    /// The question that the assertion `id` asks of all sizes, in its own model. Fails with the
    /// code [`FOR_ALL`] if no method decides it.
    pub(super) fn asked_for_all(
        &self,
        id: DeclarationId,
        options: &Options,
    ) -> Result<AskedForAll> {
        let assertion = self.assertion(id);
        let is_other = |option| !matches!(option, &AssertionOption::ForAll(_));
        if assertion.negated || assertion.options.iter().any(is_other) {
            return Err(not_for_all(
                "an assertion with `not`, or with options other than `for all`, is not decided for all sizes",
            ));
        }
        let question = question(assertion, self.span(id), options, &[])?;
        // Views compare traces, and find states that may be stuck. The links of a chain are
        // compared in a model that says of each process whether it has the property.
        let (specification, model, is_of_views) = match question.asked {
            Asked::Refines(specification, Model::Traces) => {
                (Some(specification), ModelName::T, true)
            }
            Asked::Refines(specification, Model::Failures) => {
                (Some(specification), ModelName::F, false)
            }
            Asked::Refines(specification, Model::FailuresDivergences) => {
                (Some(specification), ModelName::FD, false)
            }
            Asked::DeadlockFree(Model::Failures) => (None, ModelName::F, true),
            Asked::DeadlockFree(Model::FailuresDivergences)
            | Asked::DivergenceFree
            | Asked::Deterministic(Model::FailuresDivergences) => (None, ModelName::FD, false),
            _ => {
                return Err(not_for_all(
                    "only refinement in the models T, F and FD, and properties in F and FD, are decided for all sizes",
                ));
            }
        };
        Ok(AskedForAll {
            specification,
            implementation: question.implementation,
            model,
            is_of_views,
        })
    }
}

/// The message that something is not decided for all sizes.
pub(super) fn not_for_all(message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::undecided(FOR_ALL, message))
}
