//! The warnings on an assertion that its text alone gives.

use base::diag::Diagnostic;
use lts::model::Model;
use syntax::ast::{Assertion, AssertionKind, Ast, ModelName};
use types::builtin::Builtin;
use types::resolved::Resolved;

use super::texts::{WrittenScript, allows_everything, divergent_specification, does_nothing};

/// The warning on `assertion` that needs no evaluation, where a refinement is decided in `model`. A
/// check knows more, and says nothing of `RUN` or `CHAOS` if the process may terminate.
pub fn of_assertion(
    ast: &Ast,
    resolved: &Resolved,
    assertion: &Assertion,
    model: Option<ModelName>,
) -> Option<Diagnostic> {
    let written = WrittenScript { ast, resolved };
    let is_stop = |process| written.plain(process) == Some(Builtin::Stop);
    match assertion.kind {
        AssertionKind::Refinement {
            specification,
            implementation,
            model: own,
        } => {
            let model = model.unwrap_or(own);
            let diverges = matches!(model, ModelName::FD | ModelName::VD | ModelName::RD);
            match (written.plain(specification), model) {
                // The specification itself says that nothing happens.
                (Some(Builtin::Stop), _) => None,
                (_, ModelName::T) if is_stop(implementation) => {
                    Some(does_nothing(written, implementation, true))
                }
                (Some(Builtin::Run | Builtin::Chaos), ModelName::T)
                    if !written.explores_all(specification) =>
                {
                    Some(allows_everything(written, specification, Model::Traces))
                }
                (Some(Builtin::Chaos), ModelName::F) => {
                    Some(allows_everything(written, specification, Model::Failures))
                }
                (Some(Builtin::Div), _) if diverges => {
                    Some(divergent_specification(written, specification))
                }
                _ => None,
            }
        }
        AssertionKind::Property { process, .. } if is_stop(process) => {
            Some(does_nothing(written, process, false))
        }
        _ => None,
    }
}
