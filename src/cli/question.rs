//! What an assertion asks, in the terms of the stages that answer.

use crate::diag::{Diagnostic, Result};
use crate::report::assertion::Kind;
use crate::source::Span;
use crate::syntax::ast::{Assertion, AssertionKind, AssertionOption, Model, Property};

use super::decide::{Refinement, Specification};
use super::reduce::{Claims, WrittenPermutation};
use super::request::Options;

/// What sort of assertion it is, and in which model it is to be decided.
pub(super) fn kind_and_model(assertion: &Assertion, options: &Options) -> (Kind, Option<Model>) {
    match &assertion.kind {
        AssertionKind::Refinement { model, .. } => {
            (Kind::Refinement, Some(options.model.unwrap_or(*model)))
        }
        AssertionKind::Property {
            property, model, ..
        } => {
            let (kind, usual) = match property {
                Property::DeadlockFree => (Kind::DeadlockFree, Model::F),
                Property::DivergenceFree => (Kind::DivergenceFree, Model::FD),
                Property::Deterministic => (Kind::Deterministic, Model::FD),
            };
            (kind, Some(model.unwrap_or(usual)))
        }
        AssertionKind::HasTrace { model, .. } => (Kind::HasTrace, Some(model.unwrap_or(Model::T))),
        AssertionKind::Symmetric { .. } => (Kind::Symmetric, None),
    }
}

/// The refinement that decides the assertion, if this version can.
pub(super) fn refinement<'a>(
    assertion: &'a Assertion,
    span: Span,
    options: &Options,
    permutations: &'a [WrittenPermutation],
) -> Result<Refinement<'a>> {
    let unsupported = |what: &str| {
        Diagnostic::undecided("unsupported", format!("{what} is not supported yet"))
            .at(span, "")
            .hint(
                "this version decides `Spec [T= Impl`, `P :[has trace]: <...>` and `P :[symmetric]: T`",
            )
    };
    let claims = claims(assertion, permutations);
    let tau_priority = assertion.options.iter().find_map(|option| match option {
        AssertionOption::TauPriority(over) => Some(*over),
        _ => None,
    });
    match &assertion.kind {
        AssertionKind::Refinement {
            specification,
            model,
            implementation,
        } => match options.model.unwrap_or(*model) {
            Model::T => Ok(Refinement {
                specification: Specification::Process(*specification),
                implementation: *implementation,
                negated: assertion.negated,
                tau_priority,
                claims,
            }),
            other => unsupported(&format!("refinement in the model {}", model_name(other))).into(),
        },
        AssertionKind::Property { property, .. } => unsupported(match property {
            Property::DeadlockFree => "`:[deadlock free]`",
            Property::DivergenceFree => "`:[divergence free]`",
            Property::Deterministic => "`:[deterministic]`",
        })
        .into(),
        AssertionKind::HasTrace {
            process,
            model,
            trace,
        } => match model.unwrap_or(Model::T) {
            // A process has a trace if it does not refine the process that has all others.
            Model::T => Ok(Refinement {
                specification: Specification::AllBut(*trace),
                implementation: *process,
                negated: !assertion.negated,
                tau_priority,
                claims,
            }),
            other => {
                let name = model_name(other);
                unsupported(&format!("`:[has trace]:` in the model {name}")).into()
            }
        },
        AssertionKind::Symmetric { .. } => {
            unsupported("a search for a static assertion of symmetry").into()
        }
    }
}

/// What the assertion and the command line say about symmetry.
fn claims<'a>(assertion: &'a Assertion, permutations: &'a [WrittenPermutation]) -> Claims<'a> {
    let types = assertion.options.iter().find_map(|option| match option {
        AssertionOption::SymmetryReduce(types) => Some(&types[..]),
        _ => None,
    });
    Claims {
        types: types.unwrap_or_default(),
        permutations,
    }
}

/// As written between `[` and `=`.
pub(super) fn model_name(model: Model) -> &'static str {
    match model {
        Model::T => "T",
        Model::F => "F",
        Model::FD => "FD",
        Model::V => "V",
        Model::VD => "VD",
        Model::R => "R",
        Model::RD => "RD",
    }
}
