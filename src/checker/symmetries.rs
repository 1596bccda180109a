//! The symmetries that the check of an assertion can use: found, and described instead of used.

use crate::diag::{Diagnostic, Result};
use crate::process::term::Definitions;
use crate::report::symmetry::SymmetryDescription;
use crate::source::{FileId, Span};
use crate::syntax::ast::{Assertion, AssertionKind};
use crate::syntax::print::expression_text;

use super::compiled::{Against, compile};
use super::describe_symmetry::{Found, Words, describe_symmetry};
use super::question::{Question, positive_text};
use super::reduction::{Purpose, reduction};
use super::run::Run;

/// The symmetries of the check for `question`, which `assertion` asks.
pub(super) fn symmetries(
    run: &mut Run<'_, '_>,
    assertion: &Assertion,
    question: &Question<'_>,
    span: Span,
) -> Result<SymmetryDescription> {
    let unsupported = |message: &str, place: &str| {
        let message = message.to_string();
        Diagnostic::undecided("unsupported", message).at(span, place)
    };
    let Some(compiled) = compile(run, question)? else {
        let message = "every process has the empty trace";
        return unsupported(message, "nothing is searched for this assertion").into();
    };
    let form = match &compiled.against {
        Against::NormalForm(form, _) => form,
        Against::Itself(_) => {
            let message = "determinism is decided without symmetry";
            let place = "the specification is one resolution of the process's own choices";
            return unsupported(message, place).into();
        }
        Against::Observations(..) => {
            let name = run.report.model.unwrap_or_default();
            let message = format!("refinement in the model {name} is decided without symmetry");
            let place = "all states that show the same so far are looked at together";
            return unsupported(&message, place)
                .hint(
                    "ask for the symmetries of the same refinement in the model F, with --model F",
                )
                .into();
        }
    };
    let subject = compiled.subject(form);
    let (claims, options) = (&question.claims, run.options);
    let reduction = reduction(
        run.evaluator,
        &subject,
        claims,
        options,
        Purpose::Description,
    )?;
    let ast = &run.script.ast;
    let specification = match &assertion.kind {
        AssertionKind::Refinement { specification, .. } => Some(*specification),
        _ => None,
    };
    let words = Words {
        assertion: positive_text(ast, assertion, options),
        file: run.script.sources.file(FileId(0)).name.clone(),
        specification: specification.map(|e| expression_text(ast, e)),
        implementation: expression_text(ast, question.implementation),
        start_fixed: options.fix_initial,
    };
    let found = Found {
        machine: &compiled.machine,
        reduction: &reduction,
        events: &run.evaluator.terms().events,
        sources: &run.script.sources,
    };
    Ok(describe_symmetry(words, &found))
}
